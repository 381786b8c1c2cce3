// RUN: relayout-opt %s --relayout-vectorize="cpu=x86-64" --split-input-file --verify-diagnostics
// RUN: not relayout-opt %s --relayout-vectorize="cpu=no-such-cpu" --split-input-file 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CPU

// CPU: error: expects an x86-64 cpu{{.*}}no-such-cpu
func.func @floats(%in: memref<256xf32>, %out: memref<256xf32>, %i: index) {
  // expected-error@+1 {{expects elements of an integer type, but got 'f32'}}
  relayout.tile %in[%i] to %out[%i] digits [4:1:1] vector 16 : memref<256xf32> from memref<256xf32>
  return
}

// -----

func.func @large(%in: memref<65536xi32>, %out: memref<65536xi32>, %i: index) {
  // expected-error@+1 {{4096 elements}}
  relayout.tile %in[%i] to %out[%i] digits [8192:1:1] vector 16
      : memref<65536xi32> from memref<65536xi32>
  return
}

// -----

func.func @kept(%in: memref<9999xi8>, %out: memref<9999xi8>, %kept: memref<256xi8>, %i: index) {
  // expected-error@+1 {{expects vectors of a power of two of at most 16 bytes, but got 64}}
  relayout.tile %in[%i] to %out[%i] keep %kept[%i] lines [64, 0] digits [3:1:99, 64:31:1] vector 64
      : memref<9999xi8> from memref<9999xi8> keep memref<256xi8>
  return
}

// -----

func.func @run_of_floats(%in: memref<256xf32>, %out: memref<256xf32>, %i: index) {
  // expected-error@+1 {{expects elements of an integer type of 8 to 64 bits, but got 'f32'}}
  relayout.run %in[%i] to %out[%i] count 32 vector 16 : memref<256xf32> to memref<256xf32>
  return
}

// -----

// expected-error@+1 {{'func.func' op expects an alignment of a power of two of bytes, at most 4096, but got 3}}
func.func @alignment(%in: memref<256xi32>, %out: memref<256xi32>, %i: index)
    attributes {relayout.kernel = {alignment = 3 : i64}} {
  relayout.tile %in[%i] to %out[%i] digits [4:1:1] vector 16 : memref<256xi32> from memref<256xi32>
  return
}
