// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/ThreadPool.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include <vector>

using namespace relayout;

/// About as long as it takes to wake a thread (docs/performance.md, "What a thread costs"):
/// to wait in vain for longer costs more than to be woken.
static constexpr std::chrono::microseconds kShortWait{50};

/// Leaves the processor's resources to its other threads for a moment.
static void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

/// How many processors this thread may run on; 1 if the system does not say.
static int64_t processors() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
}

/// One crew of threads and the job that it works on.
class ThreadPool::Workers {
public:
  explicit Workers(int64_t helpers) : process(getpid()), staysAwake(helpers < processors()) {
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

  /// Waits for the threads that took part, and not for those that are still to wake.
  void run(int64_t count, Executor::Task task, void *argument) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      job = {task, argument, count};
      next.store(0, std::memory_order_relaxed);
      isOpen = true;
      ++generation;
    }
    wake.notify_all();
    work(job);
    waitAwake([this] { return inside == 0; });
    std::unique_lock<std::mutex> lock(mutex);
    isOpen = false;
    finished.wait(lock, [this] { return inside == 0; });
  }

private:
  struct Job {
    Executor::Task task = nullptr;
    void *argument = nullptr;
    int64_t count = 0;
  };

  /// Returns once `isDone`, or when it is time to sleep.
  template <typename Predicate> void waitAwake(Predicate isDone) const {
    auto end = std::chrono::steady_clock::now() + kShortWait;
    while (staysAwake && !isDone() && std::chrono::steady_clock::now() < end)
      relax();
  }

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
      waitAwake([&] { return generation != seen; });
      {
        std::unique_lock<std::mutex> lock(mutex);
        wake.wait(lock, [&] { return stopping || generation != seen; });
        if (stopping)
          return;
        seen = generation;
        if (!isOpen || next >= job.count)
          continue; // woken too late for this one, but awake for the next
        mine = job;
        ++inside;
      }
      work(mine);
      std::lock_guard<std::mutex> lock(mutex);
      if (--inside == 0)
        finished.notify_one();
    }
  }

  const pid_t process;
  const bool staysAwake; ///< for a while between calls, as each thread has a processor
  std::vector<pthread_t> threads;
  std::mutex mutex;
  std::condition_variable wake, finished;
  Job job;
  std::atomic<int64_t> next{0};
  std::atomic<size_t> inside{0}; ///< threads at work on the job, the caller aside
  std::atomic<uint64_t> generation{0};
  bool isOpen = false; ///< a thread that wakes may still take part
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
