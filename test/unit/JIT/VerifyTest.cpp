// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/JIT/Verify.h"

#include "relayout/Layout/Pattern.h"
#include "relayout/Layout/Reference.h"

#include <cstring>
#include <functional>
#include <gtest/gtest.h>

using namespace relayout;

namespace {

/// What the kernel below does; a kernel is a plain function and has no state.
struct Behaviour {
  std::vector<int64_t> sources;
  int64_t width;
  std::vector<unsigned char> fill;
  std::function<void(const unsigned char *in, unsigned char *out)> fault;
};
Behaviour behaviour;

void kernelFunction(const void *in, void *out, void *, int64_t begin, int64_t end) {
  auto *from = static_cast<const unsigned char *>(in);
  auto *to = static_cast<unsigned char *>(out);
  for (int64_t i = begin; i < end; ++i) {
    int64_t source = behaviour.sources[i];
    std::memcpy(to + i * behaviour.width,
                source < 0 ? behaviour.fill.data() : from + source * behaviour.width,
                behaviour.width);
  }
  if (behaviour.fault)
    behaviour.fault(from, to);
}

/// A padded transpose of 17x23 elements.
Rearrangement paddedTranspose() {
  Result<Pattern> pattern = parsePattern("h w -> w h");
  Result<Rearrangement> r = bindPattern(*pattern, {17, 23}, {}, {{1, 0}, {2, 3}});
  return *r;
}

Kernel makeKernel(const Rearrangement &r, int64_t width, std::vector<unsigned char> fill,
                  decltype(Behaviour::fault) fault = nullptr) {
  behaviour = {referenceMap(r), width, std::move(fill), std::move(fault)};
  KernelInfo info;
  info.inputBytes = 17 * 23 * width;
  info.outputBytes = 18 * 28 * width;
  info.units = 18 * 28;
  return Kernel(kernelFunction, info);
}

TEST(Verify, AcceptsACorrectKernelOfEveryWidth) {
  Rearrangement r = paddedTranspose();
  for (int64_t width : {1, 2, 4, 8, 16})
    for (unsigned char byte : {0, 1, 2, 0xff}) {
      std::vector<unsigned char> fill(width, byte);
      Kernel kernel = makeKernel(r, width, fill);
      Result<VerifyReport> report = verifyKernel(kernel, r, width, byte ? fill.data() : nullptr);
      ASSERT_TRUE(report);
      EXPECT_TRUE(report->ok());
      EXPECT_EQ(report->elements, 18 * 28);
      EXPECT_EQ(report->idRuns, width == 1 ? 2 : 1);
      EXPECT_EQ(report->runs, 2 * report->idRuns);
    }
}

void expectCaught(int64_t width, const decltype(Behaviour::fault) &fault, int64_t element) {
  Rearrangement r = paddedTranspose();
  std::vector<unsigned char> fill(width, 0x5a);
  Kernel kernel = makeKernel(r, width, fill, fault);
  Result<VerifyReport> report = verifyKernel(kernel, r, width, fill.data());
  ASSERT_TRUE(report);
  ASSERT_FALSE(report->ok()) << "width " << width;
  EXPECT_EQ(report->mismatch->element, element);
  EXPECT_EQ(report->mismatch->expectedSource, behaviour.sources[element]);
  EXPECT_NE(report->mismatch->expected, report->mismatch->found);
}

TEST(Verify, CatchesAWrongKernel) {
  // Row 2 of the result is the first column of the operand, after one fill.
  constexpr int64_t kElement = 2 * 18 + 1;
  for (int64_t width : {1, 2, 4, 8, 16}) {
    // Takes the element 256 places further on: the same lowest byte of its id.
    expectCaught(
        width,
        [width](auto *in, auto *out) {
          std::memcpy(out + kElement * width, in + 256 * width, width);
        },
        kElement);
    // Takes the neighbour.
    expectCaught(
        width,
        [width](auto *in, auto *out) { std::memcpy(out + kElement * width, in + width, width); },
        kElement);
    // Fills what should be copied.
    expectCaught(
        width, [width](auto *, auto *out) { std::memset(out + kElement * width, 0x5a, width); },
        kElement);
    // Copies what should be filled, whatever the element.
    for (int64_t source : {0, 0x59, 0x5a, 0x5b, 17 * 23 - 1})
      expectCaught(
          width,
          [width, source](auto *in, auto *out) { std::memcpy(out, in + source * width, width); },
          0);
    // Gets one byte of the last element wrong.
    expectCaught(width, [width](auto *, auto *out) { out[18 * 28 * width - 1] ^= 1; }, 18 * 28 - 1);
  }
}

TEST(Verify, CatchesAnElementThatIsNotWritten) {
  Rearrangement r = paddedTranspose();
  for (int64_t element : {0, 37, 503}) {
    Kernel complete = makeKernel(r, 1, {0});
    KernelInfo info = complete.info();
    static int64_t skipped;
    skipped = element;
    Kernel kernel(
        [](const void *in, void *out, void *scratch, int64_t begin, int64_t end) {
          kernelFunction(in, out, scratch, begin, skipped);
          kernelFunction(in, out, scratch, skipped + 1, end);
        },
        info);
    Result<VerifyReport> report = verifyKernel(kernel, r, 1, nullptr);
    ASSERT_TRUE(report);
    ASSERT_FALSE(report->ok());
    EXPECT_EQ(report->mismatch->element, element);
  }
}

TEST(Verify, SaysWhatIsWrong) {
  EXPECT_EQ((VerifyMismatch{3, 5, "0x01", "0x02"}.message()),
            "expects result element 3 to be operand element 5 (0x01), but it is 0x02");
  EXPECT_EQ((VerifyMismatch{3, -1, "0x01", "0x02"}.message()),
            "expects result element 3 to be the fill value (0x01), but it is 0x02");
}

TEST(Verify, StopsAKernelThatLeavesItsBuffers) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  Rearrangement r = paddedTranspose();
  using Fault = decltype(Behaviour::fault);
  for (const Fault &fault : {Fault([](auto *in, auto *out) { out[0] = in[-1]; }),
                             Fault([](auto *in, auto *out) { out[0] = in[17 * 23 * 4]; }),
                             Fault([](auto *, auto *out) { out[-1] = 0; }),
                             Fault([](auto *, auto *out) { out[18 * 28 * 4] = 0; })}) {
    Kernel kernel = makeKernel(r, 4, {0, 0, 0, 0}, fault);
    EXPECT_DEATH(static_cast<void>(verifyKernel(kernel, r, 4, nullptr)), "");
  }
}

TEST(Verify, RefusesAKernelOfAnotherSize) {
  Rearrangement r = paddedTranspose();
  Kernel kernel = makeKernel(r, 4, {0, 0, 0, 0});
  Result<VerifyReport> report = verifyKernel(kernel, r, 2, nullptr);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(report.error().message, "expects a kernel with 391 elements of 2 bytes in its input, "
                                    "but it has 1564 bytes");
  for (int64_t width : {0, 17}) {
    Result<VerifyReport> none = verifyKernel(kernel, r, width, nullptr);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().message,
              "expects elements of 1 to 16 bytes, and less than 2^63 bytes of them");
  }
}

/// More memory than there is: operand and expected result, and both buffers beside them. What
/// lies apart is put together for the reference.
TEST(Verify, RefusesWhatDoesNotFitTheMemory) {
  Rearrangement r = *permutation({1 << 20, 1 << 21}, {1, 0});
  constexpr int64_t side = int64_t(1) << 43; // 2^41 elements of 4 bytes
  KernelInfo info;
  info.units = 1;
  struct Case {
    int64_t inBytes;
    VerifyStrides strides;
    int64_t held;
  };
  for (const Case &one : {Case{side, {}, 4 * side}, Case{4, {{0, 0}, {}}, 3 * side + 4}}) {
    info.inputBytes = one.inBytes;
    info.outputBytes = side;
    Kernel kernel(
        [](const void *, void *, void *, int64_t, int64_t) { FAIL() << "the kernel was run"; },
        info);
    Result<VerifyReport> report = verifyKernel(kernel, r, 4, nullptr, nullptr, one.strides);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::Environment);
    std::string begin = "expects " + std::to_string(one.held) + " bytes of memory, but only ";
    EXPECT_EQ(report.error().message.substr(0, begin.size()), begin);
  }
}

/// 3x5 elements with strides [8, 1] to 5x3 with strides [4, 1]; `overrun` elements more
/// of each row of the result are written.
template <int64_t overrun>
void stridedTranspose(const void *in, void *out, void *, int64_t, int64_t) {
  auto *from = static_cast<const uint16_t *>(in);
  auto *to = static_cast<uint16_t *>(out);
  for (int64_t i = 0; i < 5; ++i)
    for (int64_t j = 0; j < 3 + (i < 4 ? overrun : 0); ++j)
      to[i * 4 + j] = from[j % 3 * 8 + i];
}

TEST(Verify, KnowsStrides) {
  Rearrangement r = *permutation({3, 5}, {1, 0});
  KernelInfo info;
  info.inputBytes = (2 * 8 + 4 + 1) * 2;
  info.outputBytes = (4 * 4 + 2 + 1) * 2;
  info.units = 1;
  VerifyStrides strides{{8, 1}, {4, 1}};
  Result<VerifyReport> right =
      verifyKernel(Kernel(stridedTranspose<0>, info), r, 2, nullptr, nullptr, strides);
  ASSERT_TRUE(right) << right.error().message;
  EXPECT_TRUE(right->ok());
  Result<VerifyReport> gap =
      verifyKernel(Kernel(stridedTranspose<1>, info), r, 2, nullptr, nullptr, strides);
  ASSERT_FALSE(gap);
  EXPECT_EQ(gap.error().message, "expects byte 6 of the output to be left alone, since it belongs "
                                 "to no element, but it was written");
  Result<VerifyReport> wrong =
      verifyKernel(Kernel(stridedTranspose<0>, info), r, 2, nullptr, nullptr, {{-1, 1}, {4, 1}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::Layout);
  EXPECT_EQ(wrong.error().message, "expects one stride of 0 or more for each dimension");
}

} // namespace
