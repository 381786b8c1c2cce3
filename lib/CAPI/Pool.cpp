// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Support.h"

#include "relayout/Runtime/ThreadPool.h"

using namespace relayout;
using namespace relayout::capi;

struct relayout_pool {
  ThreadPool threads;
  relayout_executor executor;
  explicit relayout_pool(int64_t width)
      : threads(width),
        executor{threads.executor().run, threads.executor().width, threads.executor().context} {}
};

/// More threads than any machine has use for.
static constexpr int64_t kMaxWidth = 4096;

relayout_error *relayout_pool_create(int64_t width, relayout_pool **pool) {
  if (relayout_error *error = require(pool, "pool"))
    return error;
  if (width < 1 || width > kMaxWidth)
    return fail(ErrorCode::Usage, "expects a width from 1 to " + std::to_string(kMaxWidth) +
                                      ", but got " + std::to_string(width));
  *pool = new relayout_pool(width);
  return nullptr;
}

const relayout_executor *relayout_pool_executor(const relayout_pool *pool) {
  return pool ? &pool->executor : nullptr;
}

void relayout_pool_free(relayout_pool *pool) { delete pool; }
