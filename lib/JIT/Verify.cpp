// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/JIT/Verify.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Layout/Reference.h"
#include "relayout/Runtime/GuardedBuffer.h"
#include "relayout/Runtime/Memory.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace relayout {
namespace {

constexpr int64_t kMaxWidth = 16;

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

  const unsigned char *fill() const { return fillBytes; }

  /// Writes what run `run` shows for element `index` of the operand.
  void write(int64_t index, int64_t run, unsigned char *to) const {
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

/// What the bytes between the elements of an output hold.
constexpr unsigned char kGap = 0xA5;

/// Where the elements of one side lie.
class Places {
public:
  Places(std::vector<int64_t> shape, std::vector<int64_t> strides, int64_t width)
      : shape(std::move(shape)), strides(std::move(strides)), width(width) {}

  bool isStrided() const { return !strides.empty(); }
  int64_t elements() const { return *checkedProduct(shape); }

  /// The byte at which the element of row-major index `index` begins.
  int64_t operator()(int64_t index) const {
    if (strides.empty())
      return index * width;
    int64_t place = 0;
    for (size_t dim = shape.size(); dim-- > 0; index /= shape[dim])
      place += index % shape[dim] * strides[dim];
    return place * width;
  }

  /// From the first element to the end of the last; empty where 63 bits do not hold it.
  std::optional<int64_t> bytes() const {
    std::optional<int64_t> count = checkedProduct(shape);
    if (count && *count > 0 && isStrided()) {
      count = 1;
      for (size_t dim = 0; count && dim < shape.size(); ++dim) {
        std::optional<int64_t> reach = checkedMul(shape[dim] - 1, strides[dim]);
        count = reach ? checkedAdd(*count, *reach) : std::nullopt;
      }
    }
    return count ? checkedMul(*count, width) : std::nullopt;
  }

private:
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  int64_t width;
};

class Verification {
  using Flush = GuardedBuffer::Flush;

public:
  Verification(const Kernel &kernel, const Rearrangement &r, int64_t width, Places inPlaces,
               Places outPlaces, const void *fill, const Executor *executor)
      : kernel(kernel), r(r), width(width), inPlaces(std::move(inPlaces)),
        outPlaces(std::move(outPlaces)), inElements(this->inPlaces.elements()),
        outElements(this->outPlaces.elements()), ids(inElements, width, fill), executor(executor) {}

  Result<VerifyReport> run() {
    // Beside operand and expected result lie the kernel's buffers, or what the reference takes
    // in their place: its operand has the elements that share a place once each.
    int64_t in = *inPlaces.bytes(), out = *outPlaces.bytes();
    if (Status status = checkMemory({in, out, std::max(in, inElements * width), out}); !status)
      return status.error();
    Result<GuardedBuffer> operand = allocate(inPlaces, Flush::End);
    if (!operand)
      return operand.error();
    Result<GuardedBuffer> expected = allocate(outPlaces, Flush::End);
    if (!expected)
      return expected.error();
    VerifyReport report;
    report.elements = outElements;
    report.idRuns = ids.numRuns();
    report.tasks = tasks();
    for (int64_t i = 0; i < ids.numRuns(); ++i) {
      if (Status status = write(i, *operand, *expected); !status)
        return status.error();
      for (auto flush : {Flush::End, Flush::Begin}) {
        if (Status status = runOnce(flush, *operand, *expected, report); !status)
          return status.error();
        if (!report.ok())
          return report;
        ++report.runs;
      }
    }
    return report;
  }

private:
  /// Small kernels are to be right in many tasks too, although `run` would use one.
  int64_t tasks() const {
    return executor ? std::max<int64_t>(1, std::min(executor->width, kernel.info().units)) : 1;
  }

  static Result<GuardedBuffer> allocate(const Places &places, Flush flush) {
    return GuardedBuffer::allocate(*places.bytes(), flush);
  }

  /// The operand of id run `run`, and the result that the reference makes of it.
  Status write(int64_t run, const GuardedBuffer &operand, const GuardedBuffer &expected) const {
    // Elements of a stride of 0 share a place: the last that is written there holds.
    for (int64_t i = 0; i < inElements; ++i)
      ids.write(i, run, operand.data() + inPlaces(i));
    if (!inPlaces.isStrided() && !outPlaces.isStrided()) {
      evaluateReference(r, width, operand.data(), expected.data(), ids.fill());
      return Status::success();
    }
    Result<GuardedBuffer> from = GuardedBuffer::allocate(inElements * width, Flush::End);
    if (!from)
      return from.error();
    Result<GuardedBuffer> to = GuardedBuffer::allocate(outElements * width, Flush::End);
    if (!to)
      return to.error();
    for (int64_t i = 0; i < inElements; ++i)
      std::memcpy(from->data() + i * width, operand.data() + inPlaces(i), width);
    evaluateReference(r, width, from->data(), to->data(), ids.fill());
    std::memset(expected.data(), kGap, expected.size());
    for (int64_t i = 0; i < outElements; ++i)
      std::memcpy(expected.data() + outPlaces(i), to->data() + i * width, width);
    return Status::success();
  }

  Status runOnce(Flush flush, const GuardedBuffer &operand, const GuardedBuffer &expected,
                 VerifyReport &report) const {
    Result<GuardedBuffer> in = allocate(inPlaces, flush);
    if (!in)
      return in.error();
    Result<GuardedBuffer> out = allocate(outPlaces, flush);
    if (!out)
      return out.error();
    std::memcpy(in->data(), operand.data(), in->size());
    std::memset(out->data(), kGap, out->size());
    for (int64_t i = 0; i < outElements; ++i)
      for (int64_t at = outPlaces(i), end = at + width; at < end; ++at)
        out->data()[at] = ~expected.data()[at];
    ConstBuffer from{in->data(), in->size()};
    Buffer to{out->data(), out->size()};
    Status status = executor ? kernel.runTasks(from, to, *executor, tasks()) : kernel.run(from, to);
    if (!status || std::memcmp(out->data(), expected.data(), out->size()) == 0)
      return status;
    report.mismatch = firstMismatch(*out, expected);
    return report.ok() ? gapWritten(*out, expected) : Status::success();
  }

  std::optional<VerifyMismatch> firstMismatch(const GuardedBuffer &out,
                                              const GuardedBuffer &expected) const {
    for (int64_t i = 0; i < outElements; ++i) {
      const unsigned char *right = expected.data() + outPlaces(i);
      const unsigned char *found = out.data() + outPlaces(i);
      if (std::memcmp(right, found, width) != 0)
        return VerifyMismatch{i, referenceSource(r, i), hex(right, width), hex(found, width)};
    }
    return std::nullopt;
  }

  /// The elements are right, but something else differs.
  static Status gapWritten(const GuardedBuffer &out, const GuardedBuffer &expected) {
    int64_t at =
        std::mismatch(out.data(), out.data() + out.size(), expected.data()).first - out.data();
    return Error{ErrorCode::Mismatch, "expects byte " + std::to_string(at) +
                                          " of the output to be left alone, since it belongs "
                                          "to no element, but it was written"};
  }

  const Kernel &kernel;
  const Rearrangement &r;
  int64_t width;
  Places inPlaces;
  Places outPlaces;
  int64_t inElements;
  int64_t outElements;
  Ids ids;
  const Executor *executor;
};

Status checkSize(const char *side, int64_t found, const Places &places, int64_t width) {
  std::optional<int64_t> expected = places.bytes();
  if (expected && found == *expected)
    return Status::success();
  return Error{ErrorCode::Mismatch, std::string("expects a kernel with ") +
                                        std::to_string(places.elements()) + " elements of " +
                                        std::to_string(width) + " bytes in its " + side +
                                        ", but it has " + std::to_string(found) + " bytes"};
}

bool areStrides(const std::vector<int64_t> &strides, const std::vector<int64_t> &shape) {
  if (strides.empty())
    return true;
  for (int64_t stride : strides)
    if (stride < 0)
      return false;
  return strides.size() == shape.size();
}

} // namespace

std::string VerifyMismatch::message() const {
  std::string source = expectedSource < 0 ? std::string("the fill value")
                                          : "operand element " + std::to_string(expectedSource);
  return "expects result element " + std::to_string(element) + " to be " + source + " (" +
         expected + "), but it is " + found;
}

Status checkKernelSizes(const Kernel &kernel, const Rearrangement &r, int64_t width,
                        const VerifyStrides &strides) {
  std::vector<int64_t> resultShape = r.resultShape();
  auto isCounted = [&](const std::vector<int64_t> &shape) {
    std::optional<int64_t> elements = checkedProduct(shape);
    return elements && checkedMul(*elements, width);
  };
  if (width < 1 || width > kMaxWidth || !isCounted(r.operandShape) || !isCounted(resultShape))
    return Error{ErrorCode::Overflow,
                 "expects elements of 1 to 16 bytes, and less than 2^63 bytes of them"};
  if (!areStrides(strides.in, r.operandShape) || !areStrides(strides.out, resultShape))
    return Error{ErrorCode::Layout, "expects one stride of 0 or more for each dimension"};
  Places in(r.operandShape, strides.in, width), out(resultShape, strides.out, width);
  if (Status s = checkSize("input", kernel.info().inputBytes, in, width); !s)
    return s;
  return checkSize("output", kernel.info().outputBytes, out, width);
}

Result<VerifyReport> verifyKernel(const Kernel &kernel, const Rearrangement &r, int64_t width,
                                  const void *fill, const Executor *executor,
                                  const VerifyStrides &strides) {
  if (Status status = checkKernelSizes(kernel, r, width, strides); !status)
    return status.error();
  Places in(r.operandShape, strides.in, width), out(r.resultShape(), strides.out, width);
  return Verification(kernel, r, width, std::move(in), std::move(out), fill, executor).run();
}

} // namespace relayout
