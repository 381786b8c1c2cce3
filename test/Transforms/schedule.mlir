// RUN: relayout-opt %s --relayout-schedule="cpu=icelake-server" | FileCheck %s
// RUN: relayout-opt %s --relayout-schedule="cpu=x86-64" | FileCheck %s --check-prefix=SSE2
// RUN: relayout-opt %s --relayout-schedule="cpu=icelake-server schedule=unit=d0:32{prefetch=3}" \
// RUN:   | FileCheck %s --check-prefix=PINNED
// RUN: not relayout-opt %s --relayout-schedule="cpu=icelake-server schedule=unit=d0:16{vector=128}" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=IMPOSSIBLE
// RUN: not relayout-opt %s --relayout-schedule="threads=0" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not relayout-opt %s --relayout-schedule="threads=-5" 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: not relayout-opt %s --relayout-schedule="result=lukewarm" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HINT

// A pinned part wins; an impossible one is an error.
// CHECK:      relayout.schedule = "unit=d{{[01]}}:{{[0-9]+}} {tile=16x16 {{.*}}vector=64}"
// SSE2:       relayout.schedule = "{{.*}}vector=16}"
// PINNED:     relayout.schedule = "unit=d0:32 {tile=16x16 {{.*}}prefetch=3 vector=64}"
// IMPOSSIBLE: error: 'relayout.rearrange' op schedule: expects vectors of {{.*}}but got 128
// NONE:       error: expects 1 or more threads, but got 0
// LESS:       error: expects 1 or more threads, but got -5
// HINT:       error: expects a result hint of auto, hot or cold, but got 'lukewarm'
func.func @transpose(%in: memref<96x160xi32>, %out: memref<160x96xi32>) {
  relayout.rearrange %in into %out "h w -> w h" : memref<96x160xi32>, memref<160x96xi32>
  return
}
