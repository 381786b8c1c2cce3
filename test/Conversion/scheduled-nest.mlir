// RUN: relayout-opt %s --relayout-to-affine --split-input-file | FileCheck %s

// The loops are those of the schedule, outermost first; the inner one over d1 runs
// within a block of the outer one. Each innermost loop over a digit adds to the indices.
// CHECK-DAG: #[[$BLOCK:.*]] = affine_map<(d0) -> (d0 + 32)>
// CHECK-LABEL: func.func @blocks
// CHECK:         affine.for %[[B:.*]] = 0 to 96 step 32 {
// CHECK-NEXT:      affine.for %[[A:.*]] = 0 to 160 step 16 {
// CHECK-NEXT:        %[[P:.*]] = affine.apply #{{.*}}(%[[A]])
// CHECK-NEXT:        %[[Q:.*]] = affine.apply #{{.*}}(%[[A]])
// CHECK-NEXT:        affine.for %[[C:.*]] = #{{.*}}(%[[B]]) to #[[$BLOCK]](%[[B]]) step 16 {
// CHECK-NEXT:          %[[I:.*]] = affine.apply #{{.*}}(%[[P]], %[[C]])
// CHECK-NEXT:          %[[O:.*]] = affine.apply #{{.*}}(%[[Q]], %[[C]])
// CHECK-NEXT:          relayout.tile %{{.*}}[%[[I]]] to %{{.*}}[%[[O]]] digits [16:1:96, 16:160:1] vector 64 : memref<15360xi32> from memref<15360xi32>
func.func @blocks(%in: memref<96x160xi32>, %out: memref<160x96xi32>) {
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d0:16 {tile=16x16 loops=d1:32,d0:16,d1:16 store=ordinary prefetch=0 vector=64}"}
      : memref<96x160xi32>, memref<160x96xi32>
  return
}

// -----

// Where a step does not divide, the last tile is shifted back to end at the last value.
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0) -> (d0, 19)>
// CHECK-LABEL: func.func @shifted
// CHECK:         affine.for %[[A:.*]] = 0 to 35 step 16 {
// CHECK:           affine.min #[[$LAST]](%[[A]])
// CHECK:           relayout.tile {{.*}} prefetch [32, 0] cache 2
func.func @shifted(%in: memref<16x35xi32>, %out: memref<35x16xi32>) {
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d0:16 {tile=16x16 loops=d0:16 store=ordinary prefetch=32 cache=2 vector=64}"}
      : memref<16x35xi32>, memref<35x16xi32>
  return
}

// -----

// Lines of fetched blocks come near the tiles that read them.
// CHECK-LABEL: func.func @near
// CHECK:         memref.prefetch {{.*}}, read, locality<2>, data
// CHECK:         relayout.tile {{.*}} vector 64 near 16 :
func.func @near(%in: memref<48x80xi32>, %out: memref<80x48xi32>) {
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d0:16 {tile=16x16 loops=d1:32,d0:16,d1:16 fetch=1 store=ordinary prefetch=0 near=16 vector=64}"}
      : memref<48x80xi32>, memref<80x48xi32>
  return
}

// -----

// Non-temporal stores ask for an output base on a line.
// CHECK-LABEL: func.func @streams
// CHECK:         %[[P:.*]] = memref.extract_aligned_pointer_as_index
// CHECK:         %[[PHASE:.*]] = arith.andi %[[P]], %{{.*}} : index
// CHECK:         %[[ON:.*]] = arith.cmpi eq, %[[PHASE]], %{{.*}} : index
// CHECK:         affine.for
// CHECK:           relayout.tile {{.*}} digits [16:1:16, 16:32:1] vector 64 non_temporal if %[[ON]] :
func.func @streams(%in: memref<16x32xi32>, %out: memref<32x16xi32>) {
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d0:16 {tile=16x16 loops=d0:16 store=nontemporal prefetch=0 vector=64}"}
      : memref<16x32xi32>, memref<32x16xi32>
  return
}

// -----

// A kernel does the units that it is asked for: two rows of the result each.
// CHECK-LABEL: func.func @kernel
// CHECK-SAME:    relayout.kernel = {{.*}}units = 3 : i64
// CHECK:         %[[BEGIN:.*]] = arith.select
// CHECK:         %[[END:.*]] = arith.select
// CHECK:         affine.for %{{.*}} = %[[BEGIN]] to %[[END]] {
func.func @kernel(%in: memref<7x5xi32>, %out: memref<5x7xi32>, %scratch: memref<0xi8>,
                  %begin: index, %end: index) attributes {relayout.kernel = {}} {
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d0:2 {tile=1x1 loops=d0:1,d1:1 store=ordinary prefetch=0 vector=0}"}
      : memref<7x5xi32>, memref<5x7xi32>
  return
}

// -----

// A staged piece: a block of 8 x 35 is put together in scratch memory, then its 8 runs
// go to the output, wherever in a line they start. The last block is shifted back.
// CHECK-LABEL: func.func @staged
// CHECK-SAME:    %[[SCRATCH:[^ ]*]]: memref<400xi32>, %{{[^ ]*}}: index, %{{[^ ]*}}: index) attributes {relayout.kernel = {scratch_bytes = 1600 : i64, units = 3 : i64}
// CHECK:         affine.for %[[B:.*]] = %{{.*}} to %{{.*}} step 8 {
// CHECK:           affine.min
// CHECK:           affine.for %{{.*}} = 0 to 35 step 16 {
// CHECK:             relayout.tile %{{.*}}[%{{.*}}] to %[[SCRATCH]][%{{.*}}] digits [8:1:48, 16:19:1] vector 64 :
// CHECK:           }
// CHECK:           affine.for %{{.*}} = 0 to 8 {
// CHECK:             memref.prefetch {{.*}}, write
// CHECK:             relayout.run %[[SCRATCH]][%{{.*}}] to %{{.*}}[%{{.*}}] count 35 vector 64 non_temporal
func.func @staged(%in: memref<35x19xi32>, %out: memref<19x35xi32, strided<[41, 1]>>, %scratch: memref<0xi8>,
                  %begin: index, %end: index) attributes {relayout.kernel = {}} {
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d0:8 {tile=8x16 loops=d0:8,d1:16 stage=1 store=nontemporal prefetch=0 vector=64}"}
      : memref<35x19xi32>, memref<19x35xi32, strided<[41, 1]>>
  return
}

// -----

// Runs that go on from block to block: 32 elements of each of 16 rows a visit, and the line with
// which a row ends waits for the next visit. 19 rows: the second block leaves out those that the
// first one has. Where rows go on at both sides, none of them asks.
// CHECK-LABEL: func.func @carried
// CHECK:         affine.for %[[H:.*]] = 0 to 70 step 32 {
// CHECK:           affine.for %[[W:.*]] = 0 to 19 step 16 {
// CHECK:             affine.for {{.*}} step 16 {
// CHECK:               relayout.tile {{.*}} to %[[SCRATCH:.*]][%{{.*}}] digits [16:1:32, 16:19:1] vector 64 prefetch [32, 0] :
// CHECK:             }
// CHECK:             %[[FIRST:.*]] = arith.cmpi eq, %[[H]],
// CHECK:             %[[LAST:.*]] = arith.cmpi sge,
// CHECK:             %[[EITHER:.*]] = arith.ori %[[FIRST]], %[[LAST]] : i1
// CHECK:             %[[REPEATS:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : index
// CHECK:             %[[END:.*]] = arith.ori %[[EITHER]], %[[REPEATS]] : i1
// CHECK:             scf.if %[[END]] {
// CHECK:               affine.for %{{.*}} = max #{{.*}}(%[[W]]) to 16 {
// CHECK:                 relayout.run %[[SCRATCH]][%{{.*}}] to %{{.*}}[%{{.*}}] keep %[[SCRATCH]][%{{.*}}] repeated %{{.*}} first %[[FIRST]] last %[[LAST]] heads[%{{.*}}] behind %{{.*}} before %{{.*}} next[%{{.*}}] count 32 vector 64 non_temporal
// CHECK:             } else {
// CHECK:               %[[NO:.*]] = arith.constant false
// CHECK:               %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:               affine.for %{{.*}} = max #{{.*}}(%[[W]]) to 16 {
// CHECK:                 relayout.run %[[SCRATCH]][%{{.*}}] to %{{.*}}[%{{.*}}] keep %[[SCRATCH]][%{{.*}}] repeated %[[ZERO]] first %[[NO]] last %[[NO]] count 32 vector 64 non_temporal
func.func @carried(%in: memref<70x19xi32>, %out: memref<19x70xi32>) {
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d0:16 {tile=16x16 loops=d1:32,d0:16,d1:16 stage=2 carry=0 store=nontemporal prefetch=32 vector=64}"}
      : memref<70x19xi32>, memref<19x70xi32>
  return
}

// -----

// A block that is one tile of 16 rows, a line each: where they go on at both sides and none is
// moved again, the tile joins them with the lines that wait, and nothing lies in scratch memory.
// CHECK-LABEL: func.func @carried_tile
// CHECK:         affine.for %[[H:.*]] = 0 to 70 step 16 {
// CHECK:           affine.for %[[W:.*]] = 0 to 37 step 16 {
// CHECK:             %[[FROM:.*]] = affine.apply #{{.*}}(%{{.*}}, %{{.*}})
// CHECK:             %[[TO:.*]] = affine.apply #{{.*}}(%{{.*}}, %{{.*}})
// CHECK:             %[[KEPT:.*]] = affine.apply #{{.*}}(%{{.*}})
// CHECK:             %[[REPEATED:.*]] = affine.max #{{.*}}(%[[W]])
// CHECK:             %[[REPEATS:.*]] = arith.cmpi ne, %[[REPEATED]], %{{.*}} : index
// CHECK:             %[[END:.*]] = arith.ori %{{.*}}, %[[REPEATS]] : i1
// CHECK:             scf.if %[[END]] {
// CHECK:               relayout.tile {{.*}} to %[[SCRATCH:[a-z0-9_]*]][%{{.*}}] digits [16:1:16, 16:37:1] vector 64 prefetch [32, 0] :
// CHECK:               relayout.run %[[SCRATCH]]
// CHECK:             } else {
// CHECK-NOT:           relayout.run
// CHECK:               relayout.tile %{{.*}}[%[[FROM]]] to %{{.*}}[%[[TO]]] keep %[[SCRATCH]][%[[KEPT]]] lines [16, 0] digits [16:1:70, 16:37:1] vector 64 prefetch [32, 0] : memref<2590xi32> from memref<2590xi32> keep memref<1472xi32>
// CHECK-NEXT:        }
func.func @carried_tile(%in: memref<70x37xi32>, %out: memref<37x70xi32>) {
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d0:16 {tile=16x16 loops=d1:16,d0:16 stage=2 carry=0 store=nontemporal prefetch=32 vector=64}"}
      : memref<70x37xi32>, memref<37x70xi32>
  return
}

// -----

// Three segments of 32 values each, side by side at each place of the outer loop, the last one as
// far as it goes; the last tile of all is shifted back.
// CHECK-LABEL: func.func @segments
// CHECK:         affine.for %[[PLACE:.*]] = 0 to 32 step 8 {
// CHECK:           affine.for %[[SEGMENT:.*]] = 0 to #[[LEFT:.*]](%[[PLACE]]) step 32 {
// CHECK:             %[[AT:.*]] = affine.apply #[[SUM:.*]](%[[PLACE]], %[[SEGMENT]])
// CHECK:             affine.min #[[SHIFT:.*]](%[[AT]])
// CHECK:             relayout.tile {{.*}} digits [5:1:70, 8:5:1] vector 32 :
func.func @segments(%in: memref<70x5xi32>, %out: memref<5x70xi32>) {
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d1:8 {tile=5x8 loops=d1:8,d1:32 store=ordinary prefetch=0 vector=32}"}
      : memref<70x5xi32>, memref<5x70xi32>
  return
}

// -----

// Runs of 32 elements that go on in two segments of 64 values: each segment of each row keeps a
// line of its own, and a run is the last one at the end of its segment, too.
// CHECK-LABEL: func.func @carried_segments
// CHECK:         affine.for %[[H:.*]] = 0 to 64 step 32 {
// CHECK:           affine.for %[[SEGMENT:.*]] = 0 to #{{.*}}(%[[H]]) step 64 {
// CHECK:             affine.apply #{{.*}}(%[[SEGMENT]])
// CHECK:             %[[FIRST:.*]] = arith.cmpi eq, %[[H]],
// CHECK:             %[[IN_SEGMENT:.*]] = arith.cmpi sge,
// CHECK:             %[[IN_ALL:.*]] = arith.cmpi sge,
// CHECK:             %[[LAST:.*]] = arith.ori %[[IN_SEGMENT]], %[[IN_ALL]] : i1
// CHECK:             relayout.run {{.*}} first %[[FIRST]] last %[[LAST]] count 32 vector 64 non_temporal
func.func @carried_segments(%in: memref<99x5xi32>, %out: memref<5x99xi32>) {
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d1:32 {tile=5x16 loops=d1:32,d1:64,d1:16 stage=2 carry=0 store=nontemporal prefetch=32 vector=64}"}
      : memref<99x5xi32>, memref<5x99xi32>
  return
}

// -----

// Blocks of 32 rows of 64 elements, four lines each. While one is moved in eight tiles, each of
// them fetches four rows of the next one, which is the next in the same rows, or the first of the
// next rows; the last of a row, which is shorter, with what is before it.
// CHECK-LABEL: func.func @fetched
// CHECK-SAME:    %[[SOURCE:[^ ]*]]: memref<96x160xi32>
// CHECK:         %[[IN:.*]] = memref.reinterpret_cast %[[SOURCE]]
// CHECK:         affine.for %[[H:.*]] = 0 to 96 step 32 {
// CHECK:           affine.for %[[W:.*]] = 0 to 160 step 64 {
// CHECK-DAG:         %[[BEHIND_H:.*]] = arith.addi %[[H]], %c32
// CHECK-DAG:         %[[IS_LAST_H:.*]] = arith.cmpi sge, %[[BEHIND_H]], %c96
// CHECK-DAG:         %[[BEHIND_W:.*]] = arith.addi %[[W]], %c64
// CHECK-DAG:         %[[IS_LAST_W:.*]] = arith.cmpi sge, %[[BEHIND_W]], %c160
// CHECK-DAG:         %[[OTHER_H:.*]] = arith.select %[[IS_LAST_H]], %c0{{.*}}, %[[BEHIND_H]]
// CHECK-DAG:         %[[NEXT_H:.*]] = arith.select %[[IS_LAST_W]], %[[OTHER_H]], %[[H]]
// CHECK-DAG:         %[[NEXT_W:.*]] = arith.select %[[IS_LAST_W]], %c0{{.*}}, %[[BEHIND_W]]
// CHECK:             %[[START_W:.*]] = arith.minui %[[NEXT_W]], %c96
// CHECK:             %[[BLOCK:.*]] = affine.apply #[[PLACE:.*]](%[[START_W]], %[[NEXT_H]])
// CHECK:             affine.for %[[X:.*]] = {{.*}} step 16 {
// CHECK:               affine.for %[[Y:.*]] = {{.*}} step 16 {
// CHECK:                 %[[BEFORE_X:.*]] = arith.subi %[[X]], %[[W]]
// CHECK:                 %[[VISIT_X:.*]] = arith.divui %[[BEFORE_X]], %c16
// CHECK:                 %[[BEFORE_Y:.*]] = arith.subi %[[Y]], %[[H]]
// CHECK:                 %[[VISIT_Y:.*]] = arith.divui %[[BEFORE_Y]], %c16
// CHECK:                 %[[OUTER:.*]] = arith.muli %[[VISIT_X]], %c2
// CHECK:                 %[[VISIT:.*]] = arith.addi %[[OUTER]], %[[VISIT_Y]]
// CHECK:                 %[[FIRST:.*]] = arith.muli %[[VISIT]], %c4
// CHECK:                 %[[LAST:.*]] = arith.addi %[[FIRST]], %c4
// CHECK:                 %[[END:.*]] = arith.minui %[[LAST]], %c32
// CHECK:                 scf.for %[[ROW:.*]] = %[[FIRST]] to %[[END]] step %c1
// CHECK:                   %[[OFFSET:.*]] = arith.muli %[[ROW]], %c160
// CHECK:                   %[[START:.*]] = arith.addi %[[BLOCK]], %[[OFFSET]]
// CHECK:                   memref.prefetch %[[IN]][%[[START]]], read, locality<2>, data
// CHECK:                   %[[SECOND:.*]] = arith.addi %[[START]], %c16
// CHECK:                   memref.prefetch %[[IN]][%[[SECOND]]], read, locality<2>, data
// CHECK:                   arith.addi %[[START]], %c32
// CHECK:                   memref.prefetch
// CHECK:                   arith.addi %[[START]], %c48
// CHECK:                   memref.prefetch
// CHECK-NOT:               memref.prefetch
// CHECK:                 }
// CHECK:                 relayout.tile
func.func @fetched(%in: memref<96x160xi32>, %out: memref<160x96xi32>) {
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d0:16 {tile=16x16 loops=d1:32,d0:64,d0:16,d1:16 fetch=2 store=ordinary prefetch=0 vector=64}"}
      : memref<96x160xi32>, memref<160x96xi32>
  return
}

// -----

// Rows that start within a line may end in a fifth one.
// CHECK-LABEL: func.func @fetched_parts
// CHECK:         affine.for
// CHECK-COUNT-5: memref.prefetch {{.*}}, read, locality<2>, data
// CHECK-NOT:     memref.prefetch
// CHECK:         relayout.tile
func.func @fetched_parts(%in: memref<96x161xi32>, %out: memref<161x96xi32>) {
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d0:16 {tile=16x16 loops=d1:32,d0:64,d0:16,d1:16 fetch=2 store=ordinary prefetch=0 vector=64}"}
      : memref<96x161xi32>, memref<161x96xi32>
  return
}

// -----

// Blocks of 40 elements, in up to four lines, of 5 rows of 3 images. Each of the first 15 of 25
// tiles fetches a row.
// CHECK-LABEL: func.func @fetched_images
// CHECK:         %[[BLOCK:.*]] = affine.apply #{{.*}}(%{{.*}}, %{{.*}}, %{{.*}})
// CHECK:         %[[VISIT:.*]] = arith.addi %{{.*}}, %{{.*}}
// CHECK:         %[[HAS:.*]] = arith.cmpi ult, %[[VISIT]], %c15
// CHECK:         scf.if %[[HAS]] {
// CHECK:           %[[ROW:.*]] = arith.remui %[[VISIT]], %c5
// CHECK:           %[[OF_ROW:.*]] = arith.muli %[[ROW]], %c72
// CHECK:           %[[IN_IMAGE:.*]] = arith.addi %[[BLOCK]], %[[OF_ROW]]
// CHECK:           %[[IMAGE:.*]] = arith.divui %[[VISIT]], %c5
// CHECK:           %[[OF_IMAGE:.*]] = arith.muli %[[IMAGE]], %c504
// CHECK:           %[[PLACE:.*]] = arith.addi %[[IN_IMAGE]], %[[OF_IMAGE]]
// CHECK:           memref.prefetch %{{.*}}[%[[PLACE]]], read
// CHECK-COUNT-3:   memref.prefetch
// CHECK-NOT:       memref.prefetch
// CHECK:           relayout.tile
func.func @fetched_images(%in: memref<9x7x72xi32>, %out: memref<72x7x9xi32>) {
  relayout.rearrange %in into %out "n h w -> w h n"
      {relayout.schedule = "unit=d0:8 {tile=8x1x3 loops=d0:40,d2:3,d1:5,d0:8,d1:1 fetch=3 store=ordinary prefetch=0 vector=64}"}
      : memref<9x7x72xi32>, memref<72x7x9xi32>
  return
}

// -----

// A staged block is the visit that fetches, if that is not too much: here the next block's line in
// each of 16 rows.
// CHECK-LABEL: func.func @fetched_stage
// CHECK:         affine.for %[[W:.*]] = 0 to 320 step 16 {
// CHECK:           scf.for
// CHECK-COUNT-1:     memref.prefetch {{.*}}, read, locality<2>, data
// CHECK-NOT:         memref.prefetch
// CHECK:           relayout.tile
// CHECK:           relayout.run
// CHECK-NOT:         every
func.func @fetched_stage(%in: memref<16x320xi32>, %out: memref<320x16xi32>) {
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d0:16 {tile=16x16 loops=d0:16 stage=1 fetch=1 store=nontemporal prefetch=0 vector=64}"}
      : memref<16x320xi32>, memref<320x16xi32>
  return
}

// -----

// Images of three channels as tokens of patches. The next row of tokens is in three rows of 57 lines
// each; they are fetched beside the run of those before, nine lines in each of its 21 parts of eight
// lines.
// CHECK-LABEL: func.func @fetched_beside
// CHECK-NOT:     memref.prefetch
// CHECK:         relayout.run %{{.*}} count 5292 vector 64 non_temporal every 256 {
// CHECK-NEXT:    ^bb0(%[[ELEMENT:.*]]: index):
// CHECK:           %[[PART:.*]] = arith.divui %[[ELEMENT]], %c256
// CHECK:           %[[HAS:.*]] = arith.cmpi ult, %[[PART]], %c21
// CHECK:           scf.if %[[HAS]] {
// CHECK:             %[[PIECE:.*]] = arith.remui %[[PART]], %c7
// CHECK:             arith.muli %[[PIECE]], %c288
// CHECK:             %[[CHANNEL:.*]] = arith.divui %[[PART]], %c7
// CHECK:             arith.muli %[[CHANNEL]], %c8820
// CHECK-COUNT-9:     memref.prefetch %{{.*}}[%{{.*}}], read, locality<2>, data
// CHECK-NOT:         memref.prefetch
func.func @fetched_beside(%in: memref<2x3x5x14x9x14xi16>, %out: memref<2x5x9x3x14x14xi16>) {
  relayout.rearrange %in into %out "n c h p w q -> n h w c p q"
      {relayout.schedule = "unit=d0:1 {tile=1x1x9x1x1x14 loops=d0:1,d1:1,d3:1,d4:1 stage=2 fetch=2 store=nontemporal prefetch=0 vector=64}"}
      : memref<2x3x5x14x9x14xi16>, memref<2x5x9x3x14x14xi16>
  return
}

// -----

// Runs that surely write no more than eight whole lines fetch their share at once: 44 of 45 columns
// nine lines of the next image.
// CHECK-LABEL: func.func @fetched_at_runs
// CHECK:         %[[IMAGE:.*]] = affine.apply #{{.*}}(%{{.*}}, %{{.*}})
// CHECK:         relayout.tile
// CHECK:         affine.for %{{.*}} = 0 to 45 {
// CHECK:           %[[HAS:.*]] = arith.cmpi ult, %[[NUMBER:.*]], %c44
// CHECK:           scf.if %[[HAS]] {
// CHECK:             %[[OFFSET:.*]] = arith.muli %[[NUMBER]], %c144
// CHECK:             %[[PLACE:.*]] = arith.addi %[[IMAGE]], %[[OFFSET]]
// CHECK:             memref.prefetch %{{.*}}[%[[PLACE]]], read, locality<2>, data
// CHECK-COUNT-8:     memref.prefetch
// CHECK-NOT:         memref.prefetch
// CHECK:           relayout.run %{{.*}} count 140
// CHECK-NOT:         every
func.func @fetched_at_runs(%in: memref<2x3x140x45xi32>, %out: memref<3x45x2x140xi32>) {
  relayout.rearrange %in into %out "m n h w -> n w m h"
      {relayout.schedule = "unit=d0:1 {tile=1x9x1x16 loops=d0:1,d2:1,d1:9,d3:16 stage=2 fetch=2 store=nontemporal prefetch=0 vector=64}"}
      : memref<2x3x140x45xi32>, memref<3x45x2x140xi32>
  return
}

// -----

// A block that is one tile, and fetches 300 lines of the next 48 rows in 13 visits: too many at once, so
// that its rows go through scratch memory wherever they begin or end, and each fetches three of them.
// CHECK-LABEL: func.func @fetched_at_carried_runs
// CHECK:         relayout.tile {{.*}} to %[[SCRATCH:.*]][%{{.*}}] digits [8:1:48, 48:100:1] vector 64 :
// CHECK:         scf.if
// CHECK:           affine.for
// CHECK-COUNT-3:     memref.prefetch %{{.*}}[%{{.*}}], read, locality<2>, data
// CHECK-NOT:         memref.prefetch
// CHECK:             relayout.run %[[SCRATCH]]
// CHECK:         } else {
// CHECK:           affine.for
// CHECK-COUNT-3:     memref.prefetch %{{.*}}[%{{.*}}], read, locality<2>, data
// CHECK-NOT:         memref.prefetch
// CHECK:             relayout.run %[[SCRATCH]]
// CHECK-NOT:     relayout.tile
func.func @fetched_at_carried_runs(%in: memref<130x100xi32>, %out: memref<100x130xi32>) {
  relayout.rearrange %in into %out "h w -> w h"
      {relayout.schedule = "unit=d0:8 {tile=8x48 loops=d1:48,d0:8 stage=2 carry=0 fetch=1 store=nontemporal prefetch=0 vector=64}"}
      : memref<130x100xi32>, memref<100x130xi32>
  return
}

// -----

// Runs of less than three lines are too short for that. The next image is 188 lines; the nine tiles
// of this one fetch two pieces of eleven lines each, of which there are 18, before they move theirs.
// CHECK-LABEL: func.func @fetched_in_tiles
// CHECK:         affine.for
// CHECK-NOT:     memref.prefetch
// CHECK:         affine.for %[[COLUMN:.*]] = 0 to 130 step 16 {
// CHECK:           %[[TILE:.*]] = arith.divui %[[COLUMN]], %c16
// CHECK:           %[[FIRST:.*]] = arith.muli %[[TILE]], %c2
// CHECK:           %[[NEXT:.*]] = arith.addi %[[FIRST]], %c2
// CHECK:           %[[END:.*]] = arith.minui %[[NEXT]], %c18
// CHECK:           scf.for %[[PIECE:.*]] = %[[FIRST]] to %[[END]] step %c1
// CHECK:             arith.muli %[[PIECE]], %c176
// CHECK-COUNT-11:    memref.prefetch %{{.*}}[%{{.*}}], read, locality<2>, data
// CHECK-NOT:         memref.prefetch
// CHECK:           relayout.tile
// CHECK-NOT:     memref.prefetch %{{.*}}, read
// CHECK:         relayout.run %{{.*}} count 23
func.func @fetched_in_tiles(%in: memref<2x3x23x130xi32>, %out: memref<130x3x2x23xi32>) {
  relayout.rearrange %in into %out "n m h w -> w m n h"
      {relayout.schedule = "unit=d1:1 {tile=16x1x1x23 loops=d1:1,d2:1,d0:16 stage=2 fetch=2 store=nontemporal prefetch=0 vector=64}"}
      : memref<2x3x23x130xi32>, memref<130x3x2x23xi32>
  return
}

// -----

// The input has the runs: no tile puts them together.
// CHECK-LABEL: func.func @kept
// CHECK-SAME:    %[[IN:[^ ]*]]: memref<5x7x37xi32>
// CHECK:         %[[FLAT:.*]] = memref.reinterpret_cast %[[IN]]
// CHECK-NOT:     relayout.tile
// CHECK:         relayout.run %[[FLAT]][%{{.*}}] to %{{.*}} count 37 vector 64 non_temporal exact prefetch 64
func.func @kept(%in: memref<5x7x37xi32>, %out: memref<7x5x37xi32>) {
  relayout.rearrange %in into %out "a b c -> b a c"
      {relayout.schedule = "unit=d0:1 {tile=1x1x37 loops=d1:1,d0:1 stage=2 carry=0 store=nontemporal prefetch=64 vector=64}"}
      : memref<5x7x37xi32>, memref<7x5x37xi32>
  return
}

// -----

// The lines of a block are read in their order before it is moved; of the last one, which is
// shorter, those that end where the input does.
// CHECK:       #[[$START:.*]] = affine_map<(d0) -> (d0 * 74, 222)>
// CHECK-LABEL: func.func @touch
// CHECK-SAME:    %[[IN:[^ ]*]]: memref<7x2x37xi32>
// CHECK:         %[[FLAT:.*]] = memref.reinterpret_cast %[[IN]]
// CHECK:         affine.for %[[ROWS:.*]] = 0 to 7 step 4 {
// CHECK:           %[[AT:.*]] = affine.min #[[$START]](%[[ROWS]])
// CHECK-NEXT:      relayout.touch %[[FLAT]][%[[AT]]] count 296 : memref<518xi32>
// CHECK:           affine.for
// CHECK:             relayout.tile
// CHECK-NOT:   relayout.touch
func.func @touch(%in: memref<7x2x37xi32>, %out: memref<7x37x2xi32>) {
  relayout.rearrange %in into %out "a b c -> a c b"
      {relayout.schedule = "unit=d0:1 {tile=1x37x2 loops=d0:4,d0:1 touch=1 store=ordinary prefetch=0 vector=64}"}
      : memref<7x2x37xi32>, memref<7x37x2xi32>
  return
}

// -----

// So are those of a block that is put together in scratch memory.
// CHECK-LABEL: func.func @touch_staged
// CHECK-SAME:    %[[IN:[^ ]*]]: memref<7x2x37xi32>
// CHECK:         %[[FLAT:.*]] = memref.reinterpret_cast %[[IN]]
// CHECK:         affine.for %{{.*}} = 0 to 7 {
// CHECK:           relayout.touch %[[FLAT]][%{{.*}}] count 74 : memref<518xi32>
// CHECK:           relayout.tile
// CHECK:           relayout.run
func.func @touch_staged(%in: memref<7x2x37xi32>, %out: memref<7x37x2xi32>) {
  relayout.rearrange %in into %out "a b c -> a c b"
      {relayout.schedule = "unit=d0:1 {tile=1x37x2 loops=d0:1 stage=1 touch=1 carry=0 store=nontemporal prefetch=0 vector=64}"}
      : memref<7x2x37xi32>, memref<7x37x2xi32>
  return
}

// -----

// The rows of a block are copied into scratch memory, from where its tiles move it; the last block
// is shifted back, so that its first tiles are not at its start.
// CHECK:       #[[$BACK:.*]] = affine_map<(d0) -> (d0, 21)>
// CHECK-LABEL: func.func @pack
// CHECK-SAME:    %[[IN:[^ ]*]]: memref<7x37xi32>
// CHECK:         %[[SCRATCH:.*]] = memref.alloc() {alignment = 4096 : i64} : memref<128xi32>
// CHECK:         affine.for %[[COLUMNS:.*]] = 0 to 37 step 16 {
// CHECK:           %[[FIRST:.*]] = affine.min #[[$BACK]](%[[COLUMNS]])
// CHECK:           affine.for %{{.*}} = 0 to 7 {
// CHECK:             relayout.tile %{{.*}}[%{{.*}}] to %[[SCRATCH]][%{{.*}}] digits [16:1:1] vector 64
// CHECK-SAME:          : memref<128xi32> from memref<259xi32>
// CHECK:           affine.for
// CHECK:             relayout.tile %[[SCRATCH]][%{{.*}}] to %{{.*}}[%{{.*}}] digits [4:1:7, 7:16:1] vector 64
// CHECK-SAME:          : memref<259xi32> from memref<128xi32>
func.func @pack(%in: memref<7x37xi32>, %out: memref<37x7xi32>) {
  relayout.rearrange %in into %out "a b -> b a"
      {relayout.schedule = "unit=d0:16 {tile=4x7 loops=d0:16,d0:4 pack=1 store=ordinary prefetch=0 vector=64}"}
      : memref<7x37xi32>, memref<37x7xi32>
  return
}

// -----

// So are those of a block that goes on to a staged one, behind which it lies.
// CHECK-LABEL: func.func @pack_staged
// CHECK:         %[[SCRATCH:.*]] = memref.alloc() {alignment = 4096 : i64} : memref<{{.*}}xi32>
// CHECK:         affine.for %{{.*}} = 0 to 37 step 16 {
// CHECK:           affine.for %{{.*}} = 0 to 7 {
// CHECK:             relayout.tile %{{.*}}[%{{.*}}] to %[[SCRATCH]][%{{.*}}] digits [16:1:1] vector 64
// CHECK:           affine.for
// CHECK:             relayout.tile %[[SCRATCH]][%{{.*}}] to %[[SCRATCH]][%{{.*}}] digits
// CHECK:           relayout.run %[[SCRATCH]]
func.func @pack_staged(%in: memref<7x37xi32>, %out: memref<37x7xi32>) {
  relayout.rearrange %in into %out "a b -> b a"
      {relayout.schedule = "unit=d0:16 {tile=4x7 loops=d0:16,d0:4 stage=1 pack=1 store=nontemporal prefetch=0 vector=64}"}
      : memref<7x37xi32>, memref<37x7xi32>
  return
}

// -----

// Where pieces meet in lines, all of them perform a few units at a time.
// CHECK-LABEL: func.func @sweep
// CHECK:       %[[ZERO:.+]] = arith.constant 0 : index
// CHECK:       %[[UNITS:.+]] = arith.constant 7 : index
// CHECK:       relayout.sweep %[[ZERO]] to %[[UNITS]] step 2 {
// CHECK:         relayout.tile %{{.+}} to
// CHECK:         relayout.tile {{.*}}fill
// CHECK:       }
func.func @sweep(%in: memref<7x3x20xi32>, %out: memref<7x4x20xi32>) {
  relayout.rearrange %in into %out "a b c -> a b c" pad [0:0, 0:1, 0:0]
      {relayout.schedule = "unit=d0:1 sweep=2 {tile=1x60 loops=d0:1 store=ordinary prefetch=0 vector=64} {tile=1x20 loops=d0:1 store=ordinary prefetch=0 vector=64}"}
      : memref<7x3x20xi32>, memref<7x4x20xi32>
  return
}

// A row and its border are one tile, which reads what lies in the operand.
// CHECK-LABEL: func.func @border
// CHECK:       affine.for %[[ROW:.+]] = 0 to 7 {
// CHECK:         relayout.tile %{{.+}}[%{{.+}}] fill 0 : i32 border [2, 20, 1] to %{{.+}}[%{{.+}}] digits [21:1:1]
// CHECK-NOT:   relayout.tile
func.func @border(%in: memref<7x18xi32>, %out: memref<7x21xi32>) {
  relayout.rearrange %in into %out "a b -> a b" pad [0:0, 2:1]
      {relayout.schedule = "unit=d0:1 {tile=1x21 loops=d0:1 store=ordinary prefetch=0 vector=64}"}
      : memref<7x18xi32>, memref<7x21xi32>
  return
}

// -----

// Rows that stay whole are put together in blocks: of two of them, at the ends, a part is filled;
// the one in the middle lies within.
// CHECK-LABEL: func.func @whole_rows
// CHECK:         %[[SCRATCH:.+]] = memref.alloc()
// CHECK:         affine.for %{{.+}} = 0 to 7 {
// CHECK:           affine.for %[[BLOCK:.+]] = 0 to 50 step 16 {
// CHECK:             arith.cmpi eq, %[[START:.+]], %c0
// CHECK:             scf.if
// CHECK:               affine.for %{{.+}} = 0 to 13 step 8 {
// CHECK:                 relayout.tile %{{.+}}[%{{.+}}] to %[[SCRATCH]][%{{.+}}] digits [8:1:1] vector 64
// CHECK:               relayout.tile fill 0 : i32 to %[[SCRATCH]][%{{.+}}] digits [3:1:1] vector 64
// CHECK:             } else {
// CHECK:               arith.cmpi eq, %[[START]], %c34
// CHECK:               scf.if
// CHECK:                 affine.for %{{.+}} = 0 to 14 step 8 {
// CHECK:                   relayout.tile %{{.+}}[%{{.+}}] to %[[SCRATCH]][%{{.+}}] digits [8:1:1] vector 64
// CHECK:                 relayout.tile fill 0 : i32 to %[[SCRATCH]][%{{.+}}] digits [2:1:1] vector 64
// CHECK:               } else {
// CHECK:                 affine.for %{{.+}} = 0 to 16 step 8 {
// CHECK:                   relayout.tile %{{.+}}[%{{.+}}] to %[[SCRATCH]][%{{.+}}] digits [8:1:1] vector 64
// CHECK-NOT:         relayout.tile
// CHECK:             relayout.run %[[SCRATCH]][%{{.+}}] to %{{.+}}[%{{.+}}] count 16
// CHECK-NOT:         relayout.tile
func.func @whole_rows(%in: memref<7x45xi32>, %out: memref<7x50xi32>) {
  relayout.rearrange %in into %out "a b -> a b" pad [0:0, 3:2]
      {relayout.schedule = "unit=d0:1 rows=whole {tile=1x8 loops=d0:1,d1:16,d1:8 stage=2 store=nontemporal prefetch=0 vector=64}"}
      : memref<7x45xi32>, memref<7x50xi32>
  return
}

// -----

// Of rows that are cropped, the block has what is left, which begins two places into the row.
// CHECK:       #[[$BEFORE:.*]] = affine_map<(d0) -> (d0 * 30 - 2)>
// CHECK:       #[[$AFTER:.*]] = affine_map<(d0) -> (d0 + 2)>
// CHECK-LABEL: func.func @cropped_rows
// CHECK:         %[[SCRATCH:.+]] = memref.alloc()
// CHECK:         affine.for %[[ROW:.+]] = 0 to 7 {
// CHECK:           %[[PLACE:.+]] = affine.apply #[[$BEFORE]](%[[ROW]])
// CHECK:           relayout.tile %{{.+}}[%{{.+}}] to %[[SCRATCH]][%{{.+}}] digits [9:1:3, 3:77:1] vector 64
// CHECK:           %[[TO:.+]] = affine.apply #[[$AFTER]](%[[PLACE]])
// CHECK:           relayout.run %[[SCRATCH]][%{{.+}}] to %{{.+}}[%[[TO]]] count 30
// CHECK-NOT:       relayout.run
func.func @cropped_rows(%in: memref<3x7x11xi32>, %out: memref<7x30xi32>) {
  relayout.rearrange %in into %out "p a b -> a (b p)" crop [0:0, 2:1]
      {relayout.schedule = "unit=d0:1 rows=whole {tile=1x11x3 loops=d0:1 stage=1 store=nontemporal prefetch=0 vector=64}"}
      : memref<3x7x11xi32>, memref<7x30xi32>
  return
}

// -----

// Runs that the input has are left out one by one where rows of them are cropped: the inner loop has
// those of each value of the outer one that are left. Parts of lines go on over all of these.
// CHECK-DAG:   #[[$LOW:.*]] = affine_map<(d0) -> (0, d0 * -3 + 1)>
// CHECK-DAG:   #[[$HIGH:.*]] = affine_map<(d0) -> (3, d0 * -3 + 10)>
// CHECK-DAG:   #[[$SUM:.*]] = affine_map<(d0, d1) -> (d0 * 3 + d1)>
// CHECK-LABEL: func.func @runs_left_out
// CHECK:         affine.for %[[A:.+]] = 0 to 4 {
// CHECK:           affine.for %[[P:.+]] = max #[[$LOW]](%[[A]]) to min #[[$HIGH]](%[[A]]) {
// CHECK:             %[[AT:.+]] = affine.apply #[[$SUM]](%[[A]], %[[P]])
// CHECK:             %[[STARTS:.+]] = arith.cmpi slt, %[[AT]], %c2
// CHECK:             %[[FIRST:.+]] = arith.ori %{{.+}}, %[[STARTS]]
// CHECK:             %[[STOPS:.+]] = arith.cmpi sge, %{{.+}}, %c9
// CHECK:             %[[LAST:.+]] = arith.ori %{{.+}}, %[[STOPS]]
// CHECK:             relayout.run %{{.+}}[%{{.+}}] to %{{.+}}[%{{.+}}] keep %{{.+}} first %[[FIRST]] last %[[LAST]] count 17 {{.*}} exact
// CHECK-NOT:         relayout.run
func.func @runs_left_out(%in: memref<3x4x17xi32>, %out: memref<9x17xi32>) {
  relayout.rearrange %in into %out "p a c -> (a p) c" crop [1:2, 0:0]
      {relayout.schedule = "unit=d0:1 rows=whole {tile=1x1x17 loops=d0:1,d1:1 stage=2 carry=0 store=nontemporal prefetch=0 vector=64}"}
      : memref<3x4x17xi32>, memref<9x17xi32>
  return
}

// -----

// Where rows are padded, one run of fill in scratch memory stands for those beyond.
// CHECK-DAG:   #[[$SUM:.*]] = affine_map<(d0, d1) -> (d0 * 3 + d1)>
// CHECK-LABEL: func.func @runs_filled
// CHECK:         %[[SCRATCH:.+]] = memref.alloc()
// CHECK:         relayout.tile fill 0 : i32 to %[[SCRATCH]][%{{.+}}] digits [17:0:1] vector 64
// CHECK:         affine.for %[[A:.+]] = 0 to 4 {
// CHECK:           affine.for %[[P:.+]] = 0 to 3 {
// CHECK:             %[[AT:.+]] = affine.apply #[[$SUM]](%[[A]], %[[P]])
// CHECK:             %[[BEFORE:.+]] = arith.subi %[[AT]], %c1
// CHECK:             %[[WITHIN:.+]] = arith.cmpi ult, %[[BEFORE]], %c9
// CHECK:             scf.if %[[WITHIN]] {
// CHECK:               relayout.run %reinterpret_cast[%{{.+}}] to %{{.+}} count 17 {{.*}} exact
// CHECK:             } else {
// CHECK:               relayout.run %[[SCRATCH]][%{{.+}}] to %{{.+}} count 17
// CHECK-NOT:         relayout.run
func.func @runs_filled(%in: memref<9x17xi32>, %out: memref<3x4x17xi32>) {
  relayout.rearrange %in into %out "(a p) c -> p a c" sizes {p = 3} pad [1:2, 0:0]
      {relayout.schedule = "unit=d0:1 rows=whole {tile=1x1x17 loops=d1:1,d0:1 stage=2 carry=0 store=nontemporal prefetch=0 vector=64}"}
      : memref<9x17xi32>, memref<3x4x17xi32>
  return
}

// -----

// Rows with borders go together with rows that another window fills: each tile has one of either.
// CHECK-DAG:   #[[$SUM:.*]] = affine_map<(d0, d1, d2) -> (d0 * 2 + d1 * 2 + d2)>
// CHECK-LABEL: func.func @rows_filled
// CHECK:         %[[SCRATCH:.+]] = memref.alloc()
// CHECK:         affine.for %[[P:.+]] = 0 to 2 {
// CHECK:           affine.for %[[BLOCK:.+]] = 0 to 5 step 5 {
// CHECK:             affine.for %[[A:.+]] = 0 to 5 {
// CHECK:               %[[AT:.+]] = affine.apply #[[$SUM]](%[[BLOCK]], %[[A]], %[[P]])
// CHECK:               %[[BEFORE:.+]] = arith.subi %[[AT]], %c1
// CHECK:               %[[WITHIN:.+]] = arith.cmpi ult, %[[BEFORE]], %c7
// CHECK:               scf.if %[[WITHIN]] {
// CHECK:                 relayout.tile %{{.+}}[%{{.+}}] fill 0 : i32 border [2, 39, 1] to %[[SCRATCH]][%{{.+}}] digits [40:1:1]
// CHECK:               } else {
// CHECK:                 relayout.tile fill 0 : i32 to %[[SCRATCH]][%{{.+}}] digits [40:1:1]
// CHECK-NOT:         relayout.tile
// CHECK:             relayout.run %[[SCRATCH]][%{{.+}}] to %{{.+}}[%{{.+}}] count 200
func.func @rows_filled(%in: memref<7x37xi32>, %out: memref<2x5x40xi32>) {
  relayout.rearrange %in into %out "(a p) b -> p a b" sizes {p = 2} pad [1:2, 2:1]
      {relayout.schedule = "unit=d0:1 rows=together {tile=1x1x40 loops=d0:1,d1:5,d1:1 stage=2 store=nontemporal prefetch=0 vector=64}"}
      : memref<7x37xi32>, memref<2x5x40xi32>
  return
}
