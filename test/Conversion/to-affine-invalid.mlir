// RUN: relayout-opt %s --relayout-to-affine --split-input-file --verify-diagnostics

func.func @unsigned_fill(%in: memref<2xui8>, %out: memref<4xui8>) {
  // expected-error@+1 {{'relayout.rearrange' op expects elements of a signless integer or float type where it fills, but got 'ui8'; relayout-kernel-abi makes them integers}}
  relayout.rearrange %in into %out "a -> a" pad [2:0] : memref<2xui8>, memref<4xui8>
  return
}

// -----

// expected-error@+1 {{'func.func' op expects the five parameters of a kernel, the last two of which are of type index}}
func.func @parameters(%in: memref<2xi8>, %out: memref<2xi8>) attributes {relayout.kernel = {}} {
  relayout.rearrange %in into %out "a -> a" : memref<2xi8>, memref<2xi8>
  return
}

// -----

// expected-error@+1 {{'func.func' op expects one rearrangement in a kernel, but there are 2}}
func.func @two(%in: memref<2xi8>, %out: memref<2xi8>, %scratch: memref<0xi8>, %begin: index,
               %end: index) attributes {relayout.kernel = {}} {
  relayout.rearrange %in into %out "a -> a" : memref<2xi8>, memref<2xi8>
  relayout.rearrange %in into %out "a -> a" : memref<2xi8>, memref<2xi8>
  return
}
