// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/GuardedBuffer.h"

#include <gtest/gtest.h>
#include <limits>
#include <unistd.h>

using namespace relayout;

namespace {

class GuardedBufferTest : public testing::TestWithParam<int64_t> {
protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_P(GuardedBufferTest, FlushAtEndFaultsOneByteBeyond) {
  int64_t bytes = GetParam();
  Result<GuardedBuffer> buffer = GuardedBuffer::allocate(bytes, GuardedBuffer::Flush::End);
  ASSERT_TRUE(buffer);
  volatile unsigned char *data = buffer->data();
  for (int64_t i = 0; i < bytes; ++i) {
    EXPECT_EQ(data[i], 0);
    data[i] = 1;
  }
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data + bytes) % sysconf(_SC_PAGESIZE), 0u);
  EXPECT_DEATH(static_cast<void>(data[bytes]), "");
  EXPECT_DEATH(data[bytes] = 1, "");
}

TEST_P(GuardedBufferTest, FlushAtBeginFaultsOneByteBefore) {
  int64_t bytes = GetParam();
  Result<GuardedBuffer> buffer = GuardedBuffer::allocate(bytes, GuardedBuffer::Flush::Begin);
  ASSERT_TRUE(buffer);
  volatile unsigned char *data = buffer->data();
  for (int64_t i = 0; i < bytes; ++i)
    data[i] = 1;
  EXPECT_EQ(buffer->size(), bytes);
  EXPECT_DEATH(static_cast<void>(data[-1]), "");
  EXPECT_DEATH(data[-1] = 1, "");
}

INSTANTIATE_TEST_SUITE_P(Sizes, GuardedBufferTest, testing::Values(0, 1, 17, 4096, 4097, 12288));

TEST(GuardedBuffer, RefusesImpossibleSizes) {
  for (int64_t bytes : {int64_t(-1), std::numeric_limits<int64_t>::max(), int64_t(1) << 60}) {
    Result<GuardedBuffer> buffer = GuardedBuffer::allocate(bytes, GuardedBuffer::Flush::End);
    ASSERT_FALSE(buffer);
    EXPECT_EQ(buffer.error().code, ErrorCode::Environment);
    EXPECT_NE(buffer.error().message.find(std::to_string(bytes)), std::string::npos);
  }
}

} // namespace
