// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/ThreadPool.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <unistd.h>
#include <vector>

using namespace relayout;

/// One crew of threads and the job that it works on.
class ThreadPool::Workers {
public:
  explicit Workers(int64_t helpers) : process(getpid()) {
    // A system that has no more threads leaves a smaller crew, not an abort as
    // std::thread's constructor would.
    for (int64_t i = 0; i < helpers; ++i) {
      pthread_t thread;
      if (pthread_create(&thread, nullptr, &entry, this) == 0)
        threads.push_back(thread);
    }
  }

  ~Workers() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      stopping = true;
    }
    wake.notify_all();
    for (pthread_t thread : threads)
      pthread_join(thread, nullptr);
  }

  bool isOfThisProcess() const { return process == getpid(); }

  void run(int64_t count, Executor::Task task, void *argument) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      job = {task, argument, count};
      next.store(0, std::memory_order_relaxed);
      busy = threads.size();
      ++generation;
    }
    wake.notify_all();
    work(job);
    std::unique_lock<std::mutex> lock(mutex);
    finished.wait(lock, [this] { return busy == 0; });
  }

private:
  struct Job {
    Executor::Task task = nullptr;
    void *argument = nullptr;
    int64_t count = 0;
  };

  void work(const Job &mine) {
    for (int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < mine.count;)
      mine.task(mine.argument, i);
  }

  static void *entry(void *self) {
    static_cast<Workers *>(self)->serve();
    return nullptr;
  }

  void serve() {
    uint64_t seen = 0;
    for (;;) {
      Job mine;
      {
        std::unique_lock<std::mutex> lock(mutex);
        wake.wait(lock, [&] { return stopping || generation != seen; });
        if (stopping)
          return;
        seen = generation;
        mine = job;
      }
      work(mine);
      std::lock_guard<std::mutex> lock(mutex);
      if (--busy == 0)
        finished.notify_one();
    }
  }

  const pid_t process;
  std::vector<pthread_t> threads;
  std::mutex mutex;
  std::condition_variable wake, finished;
  Job job;
  std::atomic<int64_t> next{0};
  size_t busy = 0;
  uint64_t generation = 0;
  bool stopping = false;
};

/// Lets one caller at a time use the workers. It is not a mutex: one held by another
/// thread at the time of a fork would stay locked in the child for ever.
struct ThreadPool::Gate {
  std::atomic<pid_t> holder{0};

  bool enter() {
    pid_t self = getpid(), free = 0;
    if (holder.compare_exchange_strong(free, self, std::memory_order_acquire))
      return true;
    // Held by the parent when it forked us: nobody here will ever leave.
    return free != self && holder.compare_exchange_strong(free, self, std::memory_order_acquire);
  }
  void leave() { holder.store(0, std::memory_order_release); }
};

ThreadPool::ThreadPool(int64_t width)
    : handle{&runTasks, width < 1 ? 1 : width, this}, gate(std::make_unique<Gate>()) {}

ThreadPool::~ThreadPool() {
  // The threads of a parent process cannot be joined here.
  if (current && !current->isOfThisProcess())
    (void)current.release();
}

ThreadPool::Workers &ThreadPool::workers() {
  if (current && !current->isOfThisProcess())
    (void)current.release();
  if (!current)
    current = std::make_unique<Workers>(handle.width - 1);
  return *current;
}

void ThreadPool::runTasks(void *context, int64_t count, Executor::Task task, void *argument) {
  auto *pool = static_cast<ThreadPool *>(context);
  if (count > 1 && pool->handle.width > 1 && pool->gate->enter()) {
    pool->workers().run(count, task, argument);
    pool->gate->leave();
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    task(argument, i);
}
