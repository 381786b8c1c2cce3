// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A pool of threads for hosts that have none of their own.

#ifndef RELAYOUT_RUNTIME_THREADPOOL_H
#define RELAYOUT_RUNTIME_THREADPOOL_H

#include "relayout/Runtime/Executor.h"

#include <memory>

namespace relayout {

/// `width - 1` threads beside the caller's, started by the first call that needs
/// them and asleep between calls. Where the process may use a processor for each, they first spin
/// for 50 microseconds, in which the next call need not wake them. A call does not wait for
/// threads that wake too late.
///
/// Thread-safe: a call that finds the pool busy runs its tasks on its own thread. A
/// forked child gets threads of its own at its first call, since those of its parent
/// do not live in it.
class ThreadPool {
public:
  /// `width` below 1 counts as 1.
  explicit ThreadPool(int64_t width);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// Valid as long as the pool.
  const Executor &executor() const { return handle; }

private:
  class Workers;
  static void runTasks(void *context, int64_t count, Executor::Task task, void *argument);
  Workers &workers();

  Executor handle;
  std::unique_ptr<Workers> current;
  struct Gate;
  std::unique_ptr<Gate> gate;
};

} // namespace relayout

#endif // RELAYOUT_RUNTIME_THREADPOOL_H
