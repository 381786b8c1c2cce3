// RUN: relayout-opt %s --relayout-to-affine --split-input-file --verify-diagnostics

func.func @text(%in: memref<96x160xi32>, %out: memref<160x96xi32>) {
  // expected-error@+1 {{schedule: }}
  relayout.rearrange %in into %out "h w -> w h" {relayout.schedule = "units=d0"}
      : memref<96x160xi32>, memref<160x96xi32>
  return
}

// -----

func.func @tile(%in: memref<96x160xi32>, %out: memref<160x96xi32>) {
  // expected-error@+1 {{schedule: expects the tile's extent of d1 in 1 to 96, but got 128}}
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d0:16 {tile=16x128 loops=d0:16 store=ordinary prefetch=0 vector=64}"}
      : memref<96x160xi32>, memref<160x96xi32>
  return
}
