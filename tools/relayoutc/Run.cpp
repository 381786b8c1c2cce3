// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// `relayoutc run`: compiles a spec and runs it on a file or a ramp.

#include "Answer.h"
#include "Command.h"
#include "CommandLine.h"
#include "Files.h"

#include "relayout/Layout/CheckedMath.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace relayout;
using namespace relayout::driver;
namespace cl = llvm::cl;

/// Most elements, and most lists, of a result that is printed.
static constexpr int64_t kMaxPrinted = 4096;

namespace {
class RunCommand : public Command {
public:
  RunCommand() : Command("run", "compile a spec and run it"), spec(sub, category) {}
  Status run() override;

private:
  Status checkFlags();
  Result<Subject> readSubject(const llvm::MemoryBuffer *file) const;
  Status checkSizes(const Meaning &meaning) const;
  Result<HostTensor> readOperand(const Meaning &meaning, const llvm::MemoryBuffer *file) const;
  Status writeResult(const HostTensor &result) const;

  SpecOptions spec;
  cl::opt<std::string> input{"input", cl::sub(sub), cl::cat(category), cl::value_desc("FILE.npy"),
                             cl::desc("the operand (- is standard input)")};
  cl::opt<std::string> output{
      "output", cl::sub(sub), cl::cat(category), cl::value_desc("FILE.npy"),
      cl::desc("the result, -o for short (- is standard output); else it is printed")};
  cl::alias outputAlias{"o", cl::aliasopt(output), cl::desc("the same as --output")};
  cl::opt<std::string> iota{"iota",
                            cl::sub(sub),
                            cl::cat(category),
                            cl::ValueOptional,
                            cl::value_desc("K"),
                            cl::desc("run on K, K+1, K+2 ... (default: 0) in place of a file")};
  int64_t firstOfIota = 0;
};
} // namespace

std::unique_ptr<Command> driver::makeRunCommand() { return std::make_unique<RunCommand>(); }

Status RunCommand::checkFlags() {
  if (Status status = spec.check(); !status)
    return status;
  if (!iota.empty()) {
    Result<int64_t> first = integerOf(iota, INT64_MIN, INT64_MAX);
    if (!first)
      return first.error();
    firstOfIota = *first;
  }
  bool hasInput = input.getNumOccurrences() > 0, hasIota = iota.getNumOccurrences() > 0;
  if (hasInput && input == "-" && spec.readsStandardInput())
    return Error{ErrorCode::Usage,
                 "expects standard input to be the spec or the operand, but got - for both"};
  if (hasInput != hasIota)
    return Status::success();
  return Error{ErrorCode::Usage, hasInput ? "expects --input or --iota, but got both"
                                          : "expects an operand: --input=FILE.npy or --iota"};
}

/// The spec; without a shape it is that of `file`, which is null where there is none.
Result<Subject> RunCommand::readSubject(const llvm::MemoryBuffer *file) const {
  if (!file || spec.has("shape") || spec.isModule())
    return spec.read();
  Result<NpyHeader> header = parseNpyHeader(file->getBuffer());
  if (!header)
    return header.error();
  std::string shape;
  for (int64_t extent : header->shape)
    shape += (shape.empty() ? "" : "x") + llvm::itostr(extent);
  FlagList more = {{"shape", shape}};
  if (!spec.has("dtype")) {
    Result<const ElementType *> type = npyElementType(*header);
    if (!type)
      return type.error();
    more.emplace_back("dtype", (*type)->name);
  }
  return spec.read(more);
}

Status RunCommand::checkSizes(const Meaning &meaning) const {
  if (Status status = checkMemoryFor(meaning); !status)
    return status;
  if (output.getNumOccurrences() > 0)
    return Status::success();
  // A result without elements may still be many empty lists: those down to the first
  // dimension that has no place.
  int64_t printed = 1;
  bool isEmpty = false;
  for (int64_t extent : meaning.result.shape) {
    if ((isEmpty = extent == 0))
      break;
    printed = checkedMul(printed, extent).value_or(INT64_MAX);
  }
  if (printed <= kMaxPrinted)
    return Status::success();
  return Error{ErrorCode::Usage, "expects --output=FILE.npy for a result of " +
                                     llvm::itostr(printed) +
                                     (isEmpty ? " empty lists" : " elements") + "; up to " +
                                     llvm::itostr(kMaxPrinted) + " are printed"};
}

Result<HostTensor> RunCommand::readOperand(const Meaning &meaning,
                                           const llvm::MemoryBuffer *file) const {
  if (file)
    return readNpy(file->getBuffer(), *meaning.spec.dtype, &meaning.spec.shape);
  Result<HostTensor> operand = HostTensor::allocate(*meaning.spec.dtype, meaning.spec.shape);
  if (!operand)
    return operand;
  if (Status status = checkIota(firstOfIota, operand->elements()); !status)
    return status.error();
  fillIota(operand->type(), firstOfIota, operand->elements(), operand->data());
  return operand;
}

Status RunCommand::writeResult(const HostTensor &result) const {
  if (output.getNumOccurrences() > 0)
    return writeFile(output.getValue(), [&](llvm::raw_ostream &out) { writeNpy(out, result); });
  return writeFile("-", [&](llvm::raw_ostream &out) {
    if (wantsJson()) {
      out << '{';
      writeShape(out, result.shape(), result.type());
      out << ",\"output\":";
      writeFlat(out, result);
      out << '}';
    } else {
      writeNested(out, result);
    }
    out << '\n';
  });
}

Status RunCommand::run() {
  if (Status status = checkFlags(); !status)
    return status;
  std::unique_ptr<llvm::MemoryBuffer> file;
  if (input.getNumOccurrences() > 0) {
    auto read = readNpyFile(input.getValue());
    if (!read)
      return read.error();
    file = read.take();
  }
  Result<Subject> subject = readSubject(file.get());
  if (!subject)
    return subject.error();
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create();
  if (!compiler)
    return compiler.error();
  Result<Meaning> meaning = resolveMeaning(*subject, **compiler);
  if (!meaning)
    return meaning.error();
  if (Status status = requireDense(*meaning); !status)
    return status;
  if (Status status = checkSizes(*meaning); !status)
    return status;
  Result<HostTensor> operand = readOperand(*meaning, file.get());
  if (!operand)
    return operand.error();
  Result<HostTensor> result = execute(**compiler, *subject, *meaning, *operand);
  if (!result)
    return result.error();
  return writeResult(*result);
}
