// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/JIT/Verify.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Layout/Reference.h"
#include "relayout/Runtime/GuardedBuffer.h"

#include <cstring>
#include <vector>

namespace relayout {
namespace {

constexpr int64_t kMaxWidth = 16;
/// A result of more elements is looked up one by one, not from a map in memory.
constexpr int64_t kMaxMapElements = int64_t(1) << 24;

/// The elements as one run after the other sees them: an id is counted from 1, and
/// its bytes are spread over the runs, the lowest in the first.
class Ids {
public:
  Ids(int64_t elements, int64_t width, const void *fill) : width(width) {
    if (fill)
      std::memcpy(fillBytes, fill, width);
    uint64_t largest = static_cast<uint64_t>(elements) + 1;
    int64_t bytes = 1;
    while (bytes < 8 && largest >> (8 * bytes) != 0)
      ++bytes;
    runs = ceilDiv(bytes, width);
    // The id that would show the fill value in every run is left out.
    for (int64_t i = runs * width - 1; i >= 0; --i) {
      if (i >= 8 && fillBytes[i % width] != 0)
        return;
      fillId = fillId << 8 | fillBytes[i % width];
    }
    fillIsId = true;
  }

  int64_t numRuns() const { return runs; }

  /// Writes what run `run` shows for element `index` of the operand, -1 for fill.
  void write(int64_t index, int64_t run, unsigned char *to) const {
    if (index < 0) {
      std::memcpy(to, fillBytes, width);
      return;
    }
    uint64_t id = static_cast<uint64_t>(index) + 1;
    if (fillIsId && id >= fillId)
      ++id;
    for (int64_t i = 0; i < width; ++i) {
      int64_t shift = 8 * (run * width + i);
      to[i] = shift < 64 ? static_cast<unsigned char>(id >> shift) : 0;
    }
  }

private:
  int64_t width;
  int64_t runs;
  unsigned char fillBytes[kMaxWidth] = {};
  uint64_t fillId = 0;
  bool fillIsId = false;
};

std::string hex(const unsigned char *bytes, int64_t width) {
  static const char digits[] = "0123456789abcdef";
  std::string text = "0x";
  for (int64_t i = width - 1; i >= 0; --i)
    text += {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
  return text;
}

class Verification {
public:
  Verification(const Kernel &kernel, const Rearrangement &r, int64_t width, int64_t inElements,
               int64_t outElements, const void *fill, const Executor *executor)
      : kernel(kernel), r(r), width(width), inElements(inElements), outElements(outElements),
        ids(inElements, width, fill), executor(executor) {
    if (outElements <= kMaxMapElements)
      map = referenceMap(r);
  }

  Result<VerifyReport> run() {
    VerifyReport report;
    report.elements = outElements;
    report.idRuns = ids.numRuns();
    for (auto flush : {GuardedBuffer::Flush::End, GuardedBuffer::Flush::Begin})
      for (int64_t i = 0; i < ids.numRuns() && report.ok(); ++i) {
        if (Status status = runOnce(flush, i, report); !status)
          return status.error();
        ++report.runs;
      }
    return report;
  }

private:
  int64_t sourceOf(int64_t element) const {
    return map.empty() ? referenceSource(r, element) : map[element];
  }

  Status runOnce(GuardedBuffer::Flush flush, int64_t run, VerifyReport &report) {
    Result<GuardedBuffer> in = GuardedBuffer::allocate(inElements * width, flush);
    if (!in)
      return in.error();
    Result<GuardedBuffer> out = GuardedBuffer::allocate(outElements * width, flush);
    if (!out)
      return out.error();
    for (int64_t i = 0; i < inElements; ++i)
      ids.write(i, run, in->data() + i * width);
    for (int64_t i = 0; i < outElements; ++i) {
      unsigned char *element = out->data() + i * width;
      ids.write(sourceOf(i), run, element);
      for (int64_t j = 0; j < width; ++j)
        element[j] = ~element[j];
    }
    if (Status status = kernel.run({in->data(), in->size()}, {out->data(), out->size()}, executor);
        !status)
      return status;
    compare(*out, run, report);
    return Status::success();
  }

  void compare(const GuardedBuffer &out, int64_t run, VerifyReport &report) const {
    for (int64_t i = 0; i < outElements; ++i) {
      unsigned char expected[kMaxWidth];
      int64_t source = sourceOf(i);
      ids.write(source, run, expected);
      const unsigned char *found = out.data() + i * width;
      if (std::memcmp(expected, found, width) != 0) {
        report.mismatch = VerifyMismatch{i, source, hex(expected, width), hex(found, width)};
        return;
      }
    }
  }

  const Kernel &kernel;
  const Rearrangement &r;
  int64_t width;
  int64_t inElements;
  int64_t outElements;
  Ids ids;
  const Executor *executor;
  std::vector<int64_t> map;
};

Status checkSize(const char *side, int64_t found, int64_t elements, int64_t width) {
  std::optional<int64_t> expected = checkedMul(elements, width);
  if (expected && found == *expected)
    return Status::success();
  return Error{ErrorCode::Mismatch, std::string("expects a kernel with ") +
                                        std::to_string(elements) + " elements of " +
                                        std::to_string(width) + " bytes in its " + side +
                                        ", but it has " + std::to_string(found) + " bytes"};
}

} // namespace

Result<VerifyReport> verifyKernel(const Kernel &kernel, const Rearrangement &r, int64_t width,
                                  const void *fill, const Executor *executor) {
  std::optional<int64_t> inElements = checkedProduct(r.operandShape);
  std::optional<int64_t> outElements = checkedProduct(r.resultShape());
  if (!inElements || !outElements || width < 1 || width > kMaxWidth)
    return Error{ErrorCode::Overflow, "expects shapes of less than 2^63 elements of 1 to 16 bytes"};
  if (Status s = checkSize("input", kernel.info().inputBytes, *inElements, width); !s)
    return s.error();
  if (Status s = checkSize("output", kernel.info().outputBytes, *outElements, width); !s)
    return s.error();
  return Verification(kernel, r, width, *inElements, *outElements, fill, executor).run();
}

} // namespace relayout
