// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Answer.h"

#include "Report.h"

#include "relayout/Runtime/Memory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

#include <tuple>

using namespace relayout;
using namespace relayout::driver;

Result<Meaning> driver::checkMeaning(const Spec &spec) {
  Result<Rearrangement> rearrangement = toRearrangement(spec);
  if (!rearrangement)
    return rearrangement.error();
  Meaning meaning;
  meaning.spec = spec;
  meaning.rearrangement = rearrangement.take();
  Result<int64_t> operandBytes = denseBytes(*spec.dtype, spec.shape);
  Result<int64_t> resultBytes = denseBytes(*spec.dtype, meaning.rearrangement.resultShape());
  if (!operandBytes || !resultBytes)
    return operandBytes ? resultBytes.error() : operandBytes.error();
  Result<std::pair<SpecSide, SpecSide>> sides = specSides(spec, meaning.rearrangement);
  if (!sides)
    return sides.error();
  std::tie(meaning.operand, meaning.result) = sides.take();
  return meaning;
}

Status driver::requireDense(const Meaning &meaning) {
  if (!meaning.spec.isStrided())
    return Status::success();
  return Error{ErrorCode::Unsupported,
               "expects a spec without strides, since this command works on tensors without gaps; "
               "compile, explain and verify take strides"};
}

Result<Meaning> driver::resolveMeaning(const Subject &subject, Compiler &compiler) {
  Result<Spec> resolved = subject.resolve(compiler);
  if (!resolved)
    return resolved.error();
  return checkMeaning(*resolved);
}

Status driver::checkMemoryFor(const Meaning &meaning) {
  return checkMemory({meaning.operand.bytes, meaning.result.bytes});
}

Result<HostTensor> driver::execute(Compiler &compiler, const Subject &subject,
                                   const Meaning &meaning, const HostTensor &operand) {
  Result<Kernel> kernel =
      compiler.compile([&](mlir::MLIRContext &context) { return subject.build(context); });
  if (!kernel)
    return kernel.error();
  std::string words = subject.words();
  reportCompile(compiler.times(), words);
  Result<HostTensor> result = HostTensor::allocate(*meaning.spec.dtype, meaning.result.shape);
  if (!result)
    return result;
  Status status;
  double milliseconds = timeOf([&] {
    status = kernel->run({operand.data(), operand.bytes()}, {result->data(), result->bytes()});
  });
  if (!status)
    return status.error();
  reportEvent(Event::Exec,
              {"ms", decimal(milliseconds), "bytes",
               llvm::itostr(operand.bytes() + result->bytes()), kernel->isCopy() ? "copy" : "code"},
              "relayoutc run " + words + " --iota");
  return result;
}

std::string driver::digest(const HostTensor &tensor) {
  llvm::ArrayRef<uint8_t> bytes(tensor.data(), tensor.bytes());
  return llvm::toHex(llvm::SHA256::hash(bytes), /*LowerCase=*/true);
}

/// Writes elements begin .. end - 1 as a list.
static void writeRange(llvm::raw_ostream &out, const HostTensor &tensor, int64_t begin, int64_t end,
                       const char *separator) {
  int64_t width = tensor.type().width;
  out << '[';
  for (int64_t i = begin; i < end; ++i) {
    if (i != begin)
      out << separator;
    printElement(out, tensor.type(), tensor.data() + i * width);
  }
  out << ']';
}

void driver::writeFlat(llvm::raw_ostream &out, const HostTensor &tensor) {
  writeRange(out, tensor, 0, tensor.elements(), ",");
}

/// Writes the list of dimension `depth` that holds `count` elements from `begin`.
static void writeList(llvm::raw_ostream &out, const HostTensor &tensor, size_t depth, int64_t begin,
                      int64_t count) {
  if (depth + 1 == tensor.shape().size()) {
    writeRange(out, tensor, begin, begin + count, ", ");
    return;
  }
  int64_t extent = tensor.shape()[depth];
  int64_t part = extent == 0 ? 0 : count / extent;
  out << '[';
  for (int64_t i = 0; i < extent; ++i) {
    if (i != 0) {
      out << ",\n";
      out.indent(depth + 1);
    }
    writeList(out, tensor, depth + 1, begin + i * part, part);
  }
  out << ']';
}

void driver::writeNested(llvm::raw_ostream &out, const HostTensor &tensor) {
  if (tensor.shape().empty())
    printElement(out, tensor.type(), tensor.data());
  else
    writeList(out, tensor, 0, 0, tensor.elements());
}

void driver::writeShape(llvm::raw_ostream &out, const std::vector<int64_t> &shape,
                        const ElementType &dtype) {
  out << "\"shape\":[";
  llvm::interleave(shape, out, ",");
  out << "],\"dtype\":\"" << dtype.name << '"';
}
