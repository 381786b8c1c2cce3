// RUN: relayout-opt %s --split-input-file --verify-diagnostics | FileCheck %s
// RUN: relayout-opt %s --split-input-file --verify-diagnostics --mlir-print-op-generic \
// RUN:   | relayout-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forms
// CHECK:         relayout.tile %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}] digits [16:1:640, 32:480:1] vector 64 prefetch [32, 0] cache 2 non_temporal if %{{.*}} : memref<307200xi32> from memref<307200xi32>
// CHECK:         relayout.tile %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}] digits [16:1:640, 32:480:1] vector 64 near 32 : memref<307200xi32> from memref<307200xi32>
// CHECK:         relayout.tile fill 7 : i32 to %{{.*}}[%{{.*}}] digits [32:0:1] vector 64 : memref<307200xi32>
// CHECK:         relayout.tile %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}] digits [] : memref<307200xi32> from memref<307200xi32>
// CHECK:         relayout.tile %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}] keep %{{.*}}[%{{.*}}] lines [16, 0] digits [16:1:99, 16:480:1] vector 64 prefetch [32, 0] : memref<307200xi32> from memref<307200xi32> keep memref<4096xi32>
func.func @forms(%in: memref<307200xi32>, %out: memref<307200xi32>, %i: index, %j: index, %aligned: i1, %scratch: memref<4096xi32>) {
  relayout.tile %in[%i] to %out[%j] digits [16:1:640, 32:480:1] vector 64 prefetch [32, 0] cache 2
      non_temporal if %aligned : memref<307200xi32> from memref<307200xi32>
  relayout.tile %in[%i] to %out[%j] digits [16:1:640, 32:480:1] vector 64 near 32
      : memref<307200xi32> from memref<307200xi32>
  relayout.tile fill 7 : i32 to %out[%j] digits [32:0:1] vector 64 : memref<307200xi32>
  relayout.tile %in[%i] to %out[%j] digits [] : memref<307200xi32> from memref<307200xi32>
  relayout.tile %in[%i] to %out[%j] keep %scratch[%j] lines [16, 0] digits [16:1:99, 16:480:1] vector 64 prefetch [32, 0]
      : memref<307200xi32> from memref<307200xi32> keep memref<4096xi32>
  return
}

// -----

// CHECK-LABEL: func.func @run
// CHECK:         relayout.run %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}] count 508 vector 64 non_temporal : memref<4096xi32> to memref<307200xi32>
// CHECK:         relayout.run %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}] count 3 : memref<4096xi32> to memref<307200xi32>
// CHECK:         relayout.run %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}] keep %{{.*}}[%{{.*}}] repeated %{{.*}} first %{{.*}} last %{{.*}} heads[%{{.*}}] behind %{{.*}} before %{{.*}} next[%{{.*}}] count 32 vector 64 non_temporal : memref<4096xi32> to memref<307200xi32> keep memref<4096xi32>
// CHECK:         relayout.run %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}] keep %{{.*}}[%{{.*}}] repeated %{{.*}} first %{{.*}} last %{{.*}} count 33 vector 64 non_temporal exact prefetch 32 cache 2 : memref<4096xi32> to memref<307200xi32> keep memref<4096xi32>
func.func @run(%scratch: memref<4096xi32>, %out: memref<307200xi32>, %i: index, %j: index, %first: i1, %last: i1) {
  relayout.run %scratch[%i] to %out[%j] count 508 vector 64 non_temporal
      : memref<4096xi32> to memref<307200xi32>
  relayout.run %scratch[%i] to %out[%j] count 3 : memref<4096xi32> to memref<307200xi32>
  relayout.run %scratch[%i] to %out[%j] keep %scratch[%i] repeated %i first %first last %last
      heads[%i] behind %last before %first next[%j] count 32 vector 64 non_temporal
      : memref<4096xi32> to memref<307200xi32> keep memref<4096xi32>
  relayout.run %scratch[%i] to %out[%j] keep %scratch[%i] repeated %i first %first last %last
      count 33 vector 64 non_temporal exact prefetch 32 cache 2
      : memref<4096xi32> to memref<307200xi32> keep memref<4096xi32>
  return
}

// -----

// CHECK-LABEL: func.func @touch
// CHECK:         relayout.touch %{{.*}}[%{{.*}}] count 640 : memref<307200xi32>
func.func @touch(%in: memref<307200xi32>, %i: index) {
  relayout.touch %in[%i] count 640 : memref<307200xi32>
  return
}

// -----

func.func @touch_nothing(%in: memref<307200xi32>, %i: index) {
  // expected-error@+1 {{expects a count of 1 or more, but got 0}}
  relayout.touch %in[%i] count 0 : memref<307200xi32>
  return
}

// -----

func.func @kept_vector(%in: memref<999xi32>, %out: memref<999xi32>, %kept: memref<99xi32>, %i: index, %f: i1) {
  // expected-error@+1 {{expects vectors of 64 bytes, no fill value and no choice of stores beside kept lines}}
  relayout.tile %in[%i] to %out[%i] keep %kept[%i] lines [16, 0] digits [3:1:99, 16:31:1] vector 32
      : memref<999xi32> from memref<999xi32> keep memref<99xi32>
  return
}

// -----

func.func @kept_fill(%in: memref<999xi32>, %out: memref<999xi32>, %kept: memref<99xi32>, %i: index, %f: i1) {
  // expected-error@+1 {{expects vectors of 64 bytes, no fill value and no choice of stores beside kept lines}}
  relayout.tile %in[%i] fill 7 : i32 border [2, 33, 1, 0] to %out[%i] keep %kept[%i] lines [16, 0] digits [3:1:99, 16:31:1] vector 64
      : memref<999xi32> from memref<999xi32> keep memref<99xi32>
  return
}

// -----

func.func @kept_stores(%in: memref<999xi32>, %out: memref<999xi32>, %kept: memref<99xi32>, %i: index, %f: i1) {
  // expected-error@+1 {{expects vectors of 64 bytes, no fill value and no choice of stores beside kept lines}}
  relayout.tile %in[%i] to %out[%i] keep %kept[%i] lines [16, 0] digits [3:1:99, 16:31:1] vector 64 non_temporal if %f
      : memref<999xi32> from memref<999xi32> keep memref<99xi32>
  return
}

// -----

func.func @kept_floats(%in: memref<999xf32>, %out: memref<999xf32>, %kept: memref<99xf32>, %i: index, %f: i1) {
  // expected-error@+1 {{expects elements of an integer type beside kept lines, but got 'f32'}}
  relayout.tile %in[%i] to %out[%i] keep %kept[%i] lines [16, 0] digits [3:1:99, 16:31:1] vector 64
      : memref<999xf32> from memref<999xf32> keep memref<99xf32>
  return
}

// -----

// A line has no whole number of them.
func.func @tile_widths(%in: memref<999xi24>, %out: memref<999xi24>, %i: index) {
  // expected-error@+1 {{expects elements of a power of two of bytes beside vectors, but got 'i24'}}
  relayout.tile %in[%i] to %out[%i] digits [3:1:99, 16:31:1] vector 64
      : memref<999xi24> from memref<999xi24>
  return
}

// -----

func.func @run_widths(%in: memref<300xi40>, %out: memref<300xi40>, %i: index) {
  // expected-error@+1 {{expects elements of a power of two of bytes beside vectors, but got 'i40'}}
  relayout.run %in[%i] to %out[%i] count 128 vector 16 : memref<300xi40> to memref<300xi40>
  return
}

// -----

// Loops over elements take any number of bytes.
// CHECK-LABEL: func.func @scalar_widths
// CHECK:         relayout.run %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}] count 128 : memref<300xi24> to memref<300xi24>
// CHECK:         relayout.tile %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}] digits [3:1:99, 16:17:1] : memref<300xi24> from memref<300xi24>
func.func @scalar_widths(%in: memref<300xi24>, %out: memref<300xi24>, %i: index) {
  relayout.run %in[%i] to %out[%i] count 128 : memref<300xi24> to memref<300xi24>
  relayout.tile %in[%i] to %out[%i] digits [3:1:99, 16:17:1] : memref<300xi24> from memref<300xi24>
  return
}

// -----

func.func @run_offset(%in: memref<9xi32>, %out: memref<9xi32, strided<[1], offset: ?>>, %i: index) {
  // expected-error@+1 {{expects memrefs with a static offset, of 64 bits in bytes, but got 'memref<9xi32, strided<[1], offset: ?>>'}}
  relayout.run %in[%i] to %out[%i] count 3 : memref<9xi32> to memref<9xi32, strided<[1], offset: ?>>
  return
}

// -----

func.func @tile_offset(%in: memref<9xi32>, %out: memref<9xi32, strided<[1], offset: 2305843009213693952>>, %i: index) {
  // expected-error@+1 {{expects memrefs with a static offset, of 64 bits in bytes, but got 'memref<9xi32, strided<[1], offset: 2305843009213693952>>'}}
  relayout.tile %in[%i] to %out[%i] digits [3:1:1]
      : memref<9xi32, strided<[1], offset: 2305843009213693952>> from memref<9xi32>
  return
}

// -----

// CHECK-LABEL: func.func @offset
// CHECK:         relayout.touch %{{.*}}[%{{.*}}] count 3 : memref<9xi32, strided<[1], offset: 7>>
func.func @offset(%in: memref<9xi32, strided<[1], offset: 7>>, %i: index) {
  relayout.touch %in[%i] count 3 : memref<9xi32, strided<[1], offset: 7>>
  return
}

// -----

func.func @kept_alone(%in: memref<999xi32>, %out: memref<999xi32>, %kept: memref<99xi32>, %i: index) {
  // expected-error@+1 {{expects kept lines, their index and a distance of them for each digit, or none of these}}
  "relayout.tile"(%in, %i, %out, %i, %kept) <{digits = #relayout<digits [3:1:99, 16:31:1]>, lines = array<i64: 16, 0>, vectorBytes = 64 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 0>}>
      : (memref<999xi32>, index, memref<999xi32>, index, memref<99xi32>) -> ()
  return
}

// -----

func.func @kept_without_distances(%in: memref<999xi32>, %out: memref<999xi32>, %kept: memref<99xi32>, %i: index) {
  // expected-error@+1 {{expects kept lines, their index and a distance of them for each digit, or none of these}}
  "relayout.tile"(%in, %i, %out, %i, %kept, %i) <{digits = #relayout<digits [3:1:99, 16:31:1]>, vectorBytes = 64 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 1>}>
      : (memref<999xi32>, index, memref<999xi32>, index, memref<99xi32>, index) -> ()
  return
}

// -----

func.func @distances_alone(%in: memref<999xi32>, %out: memref<999xi32>, %i: index) {
  // expected-error@+1 {{expects kept lines, their index and a distance of them for each digit, or none of these}}
  "relayout.tile"(%in, %i, %out, %i) <{digits = #relayout<digits [3:1:99, 16:31:1]>, lines = array<i64: 16, 0>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0>}>
      : (memref<999xi32>, index, memref<999xi32>, index) -> ()
  return
}

// -----

func.func @kept_types(%in: memref<999xi32>, %out: memref<999xi32>, %kept: memref<99xi8>, %i: index, %f: i1) {
  // expected-error@+1 {{expects kept lines of the destination's elements, 'i32', but got 'i8'}}
  relayout.tile %in[%i] to %out[%i] keep %kept[%i] lines [16, 0] digits [3:1:99, 16:31:1] vector 64
      : memref<999xi32> from memref<999xi32> keep memref<99xi8>
  return
}

// -----

func.func @kept_distances(%in: memref<999xi32>, %out: memref<999xi32>, %kept: memref<99xi32>, %i: index, %f: i1) {
  // expected-error@+1 {{expects a distance of kept lines for each of 2 digits, but got 1}}
  relayout.tile %in[%i] to %out[%i] keep %kept[%i] lines [16] digits [3:1:99, 16:31:1] vector 64
      : memref<999xi32> from memref<999xi32> keep memref<99xi32>
  return
}

// -----

func.func @kept_parts(%in: memref<999xi32>, %out: memref<999xi32>, %kept: memref<99xi32>, %i: index, %f: i1) {
  // expected-error@+1 {{expects rows of whole lines, and a kept line of its own for each}}
  relayout.tile %in[%i] to %out[%i] keep %kept[%i] lines [16, 0] digits [3:1:99, 15:31:1] vector 64
      : memref<999xi32> from memref<999xi32> keep memref<99xi32>
  return
}

// -----

func.func @kept_apart(%in: memref<999xi32>, %out: memref<999xi32>, %kept: memref<99xi32>, %i: index, %f: i1) {
  // expected-error@+1 {{expects rows of whole lines, and a kept line of its own for each}}
  relayout.tile %in[%i] to %out[%i] keep %kept[%i] lines [16, 0] digits [3:1:99, 16:31:2] vector 64
      : memref<999xi32> from memref<999xi32> keep memref<99xi32>
  return
}

// -----

func.func @kept_within(%in: memref<999xi32>, %out: memref<999xi32>, %kept: memref<99xi32>, %i: index, %f: i1) {
  // expected-error@+1 {{expects rows of whole lines, and a kept line of its own for each}}
  relayout.tile %in[%i] to %out[%i] keep %kept[%i] lines [8, 0] digits [3:1:99, 16:31:1] vector 64
      : memref<999xi32> from memref<999xi32> keep memref<99xi32>
  return
}

// -----

func.func @kept_shared(%in: memref<999xi32>, %out: memref<999xi32>, %kept: memref<99xi32>, %i: index, %f: i1) {
  // expected-error@+1 {{expects rows of whole lines, and a kept line of its own for each}}
  relayout.tile %in[%i] to %out[%i] keep %kept[%i] lines [16, 32, 0] digits [3:1:99, 2:7:297, 16:31:1] vector 64
      : memref<999xi32> from memref<999xi32> keep memref<99xi32>
  return
}

// -----

func.func @run_types(%in: memref<9xi8>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects the type of the destination's elements, 'i32', but got 'i8'}}
  relayout.run %in[%i] to %out[%i] count 3 : memref<9xi8> to memref<9xi32>
  return
}

// -----

func.func @run_kept_types(%in: memref<99xi32>, %out: memref<99xi32>, %kept: memref<99xi8>, %i: index, %f: i1) {
  // expected-error@+1 {{expects the type of the destination's elements, 'i32', in what is kept, but got 'i8'}}
  relayout.run %in[%i] to %out[%i] keep %kept[%i] repeated %i first %f last %f count 16 vector 64 non_temporal
      : memref<99xi32> to memref<99xi32> keep memref<99xi8>
  return
}

// -----

func.func @run_kept_alone(%in: memref<99xi32>, %out: memref<99xi32>, %i: index) {
  // expected-error@+1 {{expects a line to keep, its index, `repeated`, `first` and `last`, or none of these}}
  "relayout.run"(%in, %i, %out, %i, %in, %i) <{count = 16 : i64, vectorBytes = 64 : i64, nonTemporal, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0>}> ({
  }) : (memref<99xi32>, index, memref<99xi32>, index, memref<99xi32>, index) -> ()
  return
}

// -----

func.func @run_repeated_alone(%in: memref<99xi32>, %out: memref<99xi32>, %i: index) {
  // expected-error@+1 {{expects a line to keep, its index, `repeated`, `first` and `last`, or none of these}}
  "relayout.run"(%in, %i, %out, %i, %i) <{count = 16 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0>}> ({
  }) : (memref<99xi32>, index, memref<99xi32>, index, index) -> ()
  return
}

// -----

func.func @run_heads_alone(%in: memref<99xi32>, %out: memref<99xi32>, %i: index, %f: i1) {
  // expected-error@+1 {{expects `heads`, `behind`, `before` and `next`, or none of these}}
  "relayout.run"(%in, %i, %out, %i, %in, %i, %i, %f, %f, %i, %f, %f) <{count = 16 : i64, vectorBytes = 64 : i64, nonTemporal, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0>}> ({
  }) : (memref<99xi32>, index, memref<99xi32>, index, memref<99xi32>, index, index, i1, i1, index, i1, i1) -> ()
  return
}

// -----

func.func @run_kept_stores(%in: memref<99xi32>, %out: memref<99xi32>, %i: index, %f: i1) {
  // expected-error@+1 {{expects vectors and non_temporal where a line is kept}}
  relayout.run %in[%i] to %out[%i] keep %in[%i] repeated %i first %f last %f count 16 vector 64
      : memref<99xi32> to memref<99xi32> keep memref<99xi32>
  return
}

// -----

func.func @run_heads(%in: memref<99xi32>, %out: memref<99xi32>, %i: index, %f: i1) {
  // expected-error@+1 {{expects a line to keep beside heads}}
  relayout.run %in[%i] to %out[%i] heads[%i] behind %f before %f next[%i] count 16 vector 64 non_temporal
      : memref<99xi32> to memref<99xi32>
  return
}

// -----

func.func @run_vector(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects vectors of a power of two of bytes from an element's to a line's, 4 to 64, but got 24}}
  relayout.run %in[%i] to %out[%i] count 3 vector 24 : memref<9xi32> to memref<9xi32>
  return
}

// -----

func.func @run_count(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects a count of 0 or more, but got -1}}
  relayout.run %in[%i] to %out[%i] count -1 : memref<9xi32> to memref<9xi32>
  return
}

// -----

// CHECK-LABEL: func.func @beside
// CHECK:         relayout.run %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}] count 508 vector 64 non_temporal every 128 {
// CHECK-NEXT:    ^bb0(%[[ELEMENT:.*]]: index):
// CHECK-NEXT:      memref.prefetch %{{.*}}[%[[ELEMENT]]], read, locality<2>, data : memref<307200xi32>
// CHECK-NEXT:    } : memref<4096xi32> to memref<307200xi32>
func.func @beside(%in: memref<307200xi32>, %scratch: memref<4096xi32>, %out: memref<307200xi32>, %i: index, %j: index) {
  relayout.run %scratch[%i] to %out[%j] count 508 vector 64 non_temporal every 128 {
  ^bb0(%element: index):
    memref.prefetch %in[%element], read, locality<2>, data : memref<307200xi32>
  } : memref<4096xi32> to memref<307200xi32>
  return
}

// -----

func.func @run_every(%in: memref<99xi16>, %out: memref<99xi16>, %i: index) {
  // expected-error@+1 {{expects a body every so many elements of an integer type as lines of 64 bytes have, but got 48}}
  relayout.run %in[%i] to %out[%i] count 96 vector 64 non_temporal every 48 {
  ^bb0(%element: index):
  } : memref<99xi16> to memref<99xi16>
  return
}

// -----

func.func @run_beside(%in: memref<99xi16>, %out: memref<99xi16>, %i: index) {
  // expected-error@+1 {{expects one argument of type index in its body}}
  relayout.run %in[%i] to %out[%i] count 96 vector 64 non_temporal every 32 {
  ^bb0(%element: i32):
  } : memref<99xi16> to memref<99xi16>
  return
}

// -----

func.func @run_beside_stores(%in: memref<99xi16>, %out: memref<99xi16>, %i: index, %x: i16) {
  // expected-error@+1 {{expects prefetches alone in its body, but got 'memref.store'}}
  relayout.run %in[%i] to %out[%i] count 96 vector 64 non_temporal every 32 {
  ^bb0(%element: index):
    memref.store %x, %out[%element] : memref<99xi16>
  } : memref<99xi16> to memref<99xi16>
  return
}

// -----

func.func @run_no_every(%in: memref<99xi16>, %out: memref<99xi16>, %i: index) {
  // expected-error@+1 {{expects no body without `every`}}
  "relayout.run"(%in, %i, %out, %i) <{count = 9 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0>}> ({
  ^bb0(%element: index):
  }) : (memref<99xi16>, index, memref<99xi16>, index) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @border
// CHECK:       relayout.tile %{{.+}}[%{{.+}}] fill 7 : i32 border [2, 33, 1] to %{{.+}}[%{{.+}}] digits [33:1:1] vector 64
func.func @border(%in: memref<99xi32>, %out: memref<99xi32>, %i: index) {
  relayout.tile %in[%i] fill 7 : i32 border [2, 33, 1] to %out[%i] digits [33:1:1] vector 64
      : memref<99xi32> from memref<99xi32>
  return
}

// -----

func.func @border_without_fill(%in: memref<99xi32>, %out: memref<99xi32>, %i: index) {
  // expected-error@+1 {{expects either a source or a fill value, or both with a border}}
  relayout.tile %in[%i] border [2, 33, 1] to %out[%i] digits [33:1:1]
      : memref<99xi32> from memref<99xi32>
  return
}

// -----

func.func @border_size(%in: memref<99xi32>, %out: memref<99xi32>, %i: index) {
  // expected-error@+1 {{expects a border of two bounds and 1 coefficients, but got 2 numbers}}
  relayout.tile %in[%i] fill 7 : i32 border [2, 33] to %out[%i] digits [33:1:1]
      : memref<99xi32> from memref<99xi32>
  return
}

// -----

func.func @border_reach(%in: memref<99xi32>, %out: memref<99xi32>, %i: index) {
  // expected-error@+1 {{expects a border whose sums, and their distances from its bounds, fit 64 bits}}
  relayout.tile %in[%i] fill 7 : i32 border [2, 33, 9223372036854775807] to %out[%i] digits [33:1:1]
      : memref<99xi32> from memref<99xi32>
  return
}

// -----

func.func @border_bound(%in: memref<99xi32>, %out: memref<99xi32>, %i: index) {
  // expected-error@+1 {{expects a border whose sums, and their distances from its bounds, fit 64 bits}}
  relayout.tile %in[%i] fill 7 : i32 border [-9223372036854775808, 33, 1] to %out[%i] digits [33:1:1]
      : memref<99xi32> from memref<99xi32>
  return
}

// -----

func.func @border_fill(%in: memref<99xi32>, %out: memref<99xi32>, %i: index) {
  // expected-error@+1 {{expects the type of the destination's elements, 'i32', but got 'i8'}}
  relayout.tile %in[%i] fill 7 : i8 border [2, 33, 1] to %out[%i] digits [33:1:1]
      : memref<99xi32> from memref<99xi32>
  return
}

// -----

// CHECK-LABEL: func.func @sweep
// CHECK:       relayout.sweep %{{.+}} to %{{.+}} step 4 {
// CHECK-NEXT:  ^bb0(%[[FIRST:.+]]: index, %[[LAST:.+]]: index):
// CHECK:       affine.for %{{.+}} = %[[FIRST]] to %[[LAST]]
func.func @sweep(%out: memref<9xi32>, %begin: index, %end: index) {
  relayout.sweep %begin to %end step 4 {
  ^bb0(%first: index, %last: index):
    affine.for %i = %first to %last {
      relayout.tile fill 7 : i32 to %out[%i] digits [3:0:1] : memref<9xi32>
    }
  }
  return
}

// -----

func.func @sweep_step(%begin: index, %end: index) {
  // expected-error@+1 {{expects a step of 1 or more, but got 0}}
  relayout.sweep %begin to %end step 0 {
  ^bb0(%first: index, %last: index):
  }
  return
}

// -----

func.func @sweep_arguments(%begin: index, %end: index) {
  // expected-error@+1 {{expects two arguments of type index in its body}}
  relayout.sweep %begin to %end step 1 {
  ^bb0(%first: index):
  }
  return
}

// -----

func.func @both(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects either a source or a fill value, or both with a border}}
  relayout.tile %in[%i] fill 7 : i32 to %out[%i] digits [3:1:1] : memref<9xi32> from memref<9xi32>
  return
}

// -----

func.func @types(%in: memref<9xi8>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects the type of the destination's elements, 'i32', but got 'i8'}}
  relayout.tile %in[%i] to %out[%i] digits [3:1:1] : memref<9xi32> from memref<9xi8>
  return
}

// -----

func.func @vector(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects vectors of a power of two of bytes from an element's to a line's, 4 to 64, but got 24}}
  relayout.tile %in[%i] to %out[%i] digits [3:1:1] vector 24 : memref<9xi32> from memref<9xi32>
  return
}

// -----

func.func @prefetch(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects two prefetch distances, but got 1}}
  relayout.tile %in[%i] to %out[%i] digits [3:1:1] prefetch [4] : memref<9xi32> from memref<9xi32>
  return
}

// -----

func.func @prefetch_behind(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects prefetches of places of 64 bits, 0 or more elements ahead, but got 4 and -1}}
  relayout.tile %in[%i] to %out[%i] digits [3:1:1] prefetch [4, -1] : memref<9xi32> from memref<9xi32>
  return
}

// -----

func.func @prefetch_far(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects prefetches of places of 64 bits, 0 or more elements ahead, but got 2305843009213693951 and 0}}
  relayout.tile %in[%i] to %out[%i] digits [3:1:1] prefetch [2305843009213693951, 0] : memref<9xi32> from memref<9xi32>
  return
}

// -----

func.func @near_far(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects places of 64 bits, 1 or more elements ahead, to be near, a source and no border, but got 9223372036854775807}}
  relayout.tile %in[%i] to %out[%i] digits [3:1:1] near 9223372036854775807 : memref<9xi32> from memref<9xi32>
  return
}

// -----

func.func @near_none(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects places of 64 bits, 1 or more elements ahead, to be near, a source and no border, but got 0}}
  relayout.tile %in[%i] to %out[%i] digits [3:1:1] near 0 : memref<9xi32> from memref<9xi32>
  return
}

// -----

func.func @near_fill(%out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects places of 64 bits, 1 or more elements ahead, to be near, a source and no border, but got 4}}
  relayout.tile fill 7 : i32 to %out[%i] digits [3:0:1] near 4 : memref<9xi32>
  return
}

// -----

func.func @near_border(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects places of 64 bits, 1 or more elements ahead, to be near, a source and no border, but got 5}}
  relayout.tile %in[%i] fill 7 : i32 border [1, 3, 1] to %out[%i] digits [3:1:1] near 5 : memref<9xi32> from memref<9xi32>
  return
}

// -----

func.func @cache_of_run(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects a cache of 1 or 2 beside a prefetch, but got 0}}
  relayout.run %in[%i] to %out[%i] count 3 prefetch 4 cache 0 : memref<9xi32> to memref<9xi32>
  return
}

// -----

func.func @cache(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects a cache of 1 or 2 beside a prefetch, but got 3}}
  relayout.tile %in[%i] to %out[%i] digits [3:1:1] prefetch [4, 0] cache 3 : memref<9xi32> from memref<9xi32>
  return
}

// -----

func.func @cache_alone(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects a cache of 1 or 2 beside a prefetch, but got 2}}
  relayout.tile %in[%i] to %out[%i] digits [3:1:1] cache 2 : memref<9xi32> from memref<9xi32>
  return
}

// -----

func.func @digits(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects digits of at least one value, but got an extent of 0}}
  relayout.tile %in[%i] to %out[%i] digits [0:1:1] : memref<9xi32> from memref<9xi32>
  return
}

// -----

func.func @narrow_vector(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{from an element's to a line's, 4 to 64, but got 2}}
  relayout.run %in[%i] to %out[%i] count 3 vector 2 : memref<9xi32> to memref<9xi32>
  return
}

// -----

func.func @wide_vector(%in: memref<9xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{from an element's to a line's, 4 to 64, but got 128}}
  relayout.run %in[%i] to %out[%i] count 3 vector 128 : memref<9xi32> to memref<9xi32>
  return
}

// -----

func.func @tile_of_two(%in: memref<5x7xi32>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects memrefs of one dimension with elements side by side, but got 'memref<5x7xi32>'}}
  relayout.tile %in[%i] to %out[%i] digits [3:1:1] : memref<9xi32> from memref<5x7xi32>
  return
}

// -----

func.func @run_apart(%in: memref<9xi32, strided<[2]>>, %out: memref<9xi32>, %i: index) {
  // expected-error@+1 {{expects memrefs of one dimension with elements side by side, but got 'memref<9xi32, strided<[2]>>'}}
  relayout.run %in[%i] to %out[%i] count 3 : memref<9xi32, strided<[2]>> to memref<9xi32>
  return
}

// -----

func.func @touch_index(%in: memref<9xindex>, %i: index) {
  // expected-error@+1 {{expects integers or floats of whole bytes, but got 'index'}}
  relayout.touch %in[%i] count 9 : memref<9xindex>
  return
}

// -----

func.func @tile_bits(%in: memref<9xi1>, %out: memref<9xi1>, %i: index) {
  // expected-error@+1 {{expects integers or floats of whole bytes, but got 'i1'}}
  relayout.tile %in[%i] to %out[%i] digits [3:1:1] : memref<9xi1> from memref<9xi1>
  return
}

// -----

func.func @touch_bytes(%in: memref<9xf32>, %i: index) {
  // expected-error@+1 {{expects a count of elements whose bytes fit 64 bits, but got 9223372036854775807}}
  relayout.touch %in[%i] count 9223372036854775807 : memref<9xf32>
  return
}

// -----

func.func @run_bytes(%in: memref<9xi16>, %out: memref<9xi16>, %i: index) {
  // expected-error@+1 {{expects a count of elements whose bytes fit 64 bits, but got 4611686018427387904}}
  relayout.run %in[%i] to %out[%i] count 4611686018427387904 : memref<9xi16> to memref<9xi16>
  return
}
