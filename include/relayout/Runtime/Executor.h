// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Executors: how a host lends its threads to a kernel.

#ifndef RELAYOUT_RUNTIME_EXECUTOR_H
#define RELAYOUT_RUNTIME_EXECUTOR_H

#include <cstdint>

namespace relayout {

/// A host's threads. A plain struct of C types, so that any host can fill it in.
struct Executor {
  /// One of the tasks of a call of `run`.
  using Task = void (*)(void *argument, int64_t index);
  /// Calls `task(argument, i)` for each i in 0 .. count - 1, once each, in any order
  /// and on any threads, and returns when all have returned.
  void (*run)(void *context, int64_t count, Task task, void *argument);
  int64_t width; ///< how many tasks may run at once; at least 1
  void *context; ///< handed to `run`
};

/// Units `begin` to `end - 1`.
struct UnitRange {
  int64_t begin;
  int64_t end;
};

/// The share of task `index` of `count` in `units` units. The shares partition the
/// units and differ in size by one at most.
inline UnitRange unitShare(int64_t units, int64_t count, int64_t index) {
  int64_t share = units / count, rest = units % count;
  int64_t begin = share * index + (index < rest ? index : rest);
  return {begin, begin + share + (index < rest ? 1 : 0)};
}

} // namespace relayout

#endif // RELAYOUT_RUNTIME_EXECUTOR_H
