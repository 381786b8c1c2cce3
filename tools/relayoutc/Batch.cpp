// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// `relayoutc batch`: a spec a line, an answer a line.

#include "Answer.h"
#include "Command.h"
#include "Files.h"
#include "LineReader.h"
#include "Report.h"

#include "relayout/Spec/Fields.h"
#include "relayout/Spec/GuardedJson.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace relayout;
using namespace relayout::driver;
using llvm::StringRef;
namespace cl = llvm::cl;
namespace json = llvm::json;

/// Most bytes of a line: input values stand in it.
static constexpr size_t kMaxLineBytes = size_t(64) << 20;
/// Most elements of a result that is answered in full.
static constexpr int64_t kMaxAnswered = int64_t(1) << 24;

namespace {
enum class AnswerForm { Output, Digest, Shape };

class BatchCommand : public Command {
public:
  BatchCommand() : Command("batch", "answer specs: JSON lines in, JSON lines out") {}
  Status run() override;

private:
  Status answer(StringRef line, llvm::raw_ostream &out);
  Result<HostTensor> compute(const Meaning &meaning, const json::Object &request);

  cl::list<std::string> files{cl::Positional, cl::sub(sub), cl::cat(category),
                              cl::desc("FILE.jsonl|-")};
  std::unique_ptr<Compiler> compiler; ///< made for the first spec that runs
};
} // namespace

std::unique_ptr<Command> driver::makeBatchCommand() { return std::make_unique<BatchCommand>(); }

static Result<AnswerForm> parseAnswerForm(const json::Object &request) {
  const json::Value *value = request.get("answer");
  std::optional<StringRef> word = value ? value->getAsString() : StringRef("output");
  if (word == StringRef("output"))
    return AnswerForm::Output;
  if (word == StringRef("sha256"))
    return AnswerForm::Digest;
  if (word == StringRef("shape"))
    return AnswerForm::Shape;
  std::string text;
  llvm::raw_string_ostream(text) << *value;
  return unknownWord("answer", word ? *word : StringRef(text), {"output", "sha256", "shape"});
}

/// The value of `input`; null says as much as none.
static const json::Value *inputOf(const json::Object &request) {
  const json::Value *input = request.get("input");
  return input && input->kind() != json::Value::Null ? input : nullptr;
}

/// Writes the values of `list`, elements of `type`, to `to`; where that is null, checks them.
static Status readValues(const json::Array &list, const ElementType &type, unsigned char *to) {
  size_t index = 0;
  for (const json::Value &value : list) {
    Result<std::string> text = elementText(value);
    Result<ElementBits> bits = text ? parseElement(type, *text) : Result<ElementBits>(text.error());
    if (!bits)
      return Error{ErrorCode::Input, "input[" + llvm::utostr(index) + "]: " + bits.error().message};
    if (to)
      std::copy_n(bits->data(), type.width, to + index * type.width);
    ++index;
  }
  return Status::success();
}

/// Checks `input` as far as that needs no memory: a list of as many values as the
/// operand has, or a ramp.
static Status checkInput(const Meaning &meaning, const json::Value *input) {
  if (!input)
    return Error{ErrorCode::Input, "expects input, a flat list of values or {\"iota\": k}"};
  int64_t count = meaning.operand.bytes / meaning.spec.dtype->width;
  if (const json::Array *list = input->getAsArray()) {
    if (static_cast<int64_t>(list->size()) == count)
      return Status::success();
    return Error{ErrorCode::Input, "expects input to have " + llvm::itostr(count) +
                                       " values, but it has " + llvm::utostr(list->size())};
  }
  const json::Object *ramp = input->getAsObject();
  const json::Value *first = ramp ? ramp->get("iota") : nullptr;
  if (std::optional<int64_t> k = first && ramp->size() == 1 ? jsonInteger(*first) : std::nullopt)
    return checkIota(*k, count);
  return Error{ErrorCode::Input,
               "expects input to be a flat list of values or {\"iota\": k} with an integer k"};
}

/// Checks all of an `input` that is not run on: it may be left out, but is not nonsense.
static Status checkUnused(const Meaning &meaning, const json::Value *input) {
  Status status = input ? checkInput(meaning, input) : Status::success();
  const json::Array *list = input ? input->getAsArray() : nullptr;
  return status && list ? readValues(*list, *meaning.spec.dtype, nullptr) : status;
}

Result<HostTensor> BatchCommand::compute(const Meaning &meaning, const json::Object &request) {
  const json::Value *input = inputOf(request);
  if (Status status = checkInput(meaning, input); !status)
    return status.error();
  if (Status status = checkMemoryFor(meaning); !status)
    return status.error();
  Result<HostTensor> operand = HostTensor::allocate(*meaning.spec.dtype, meaning.spec.shape);
  if (!operand)
    return operand;
  if (const json::Array *list = input->getAsArray()) {
    if (Status status = readValues(*list, operand->type(), operand->data()); !status)
      return status.error();
  } else {
    fillIota(operand->type(), *jsonInteger(*input->getAsObject()->get("iota")), operand->elements(),
             operand->data());
  }
  if (!compiler) {
    Result<std::unique_ptr<Compiler>> made = Compiler::create();
    if (!made)
      return made.error();
    compiler = made.take();
  }
  Subject subject;
  subject.spec = meaning.spec;
  return execute(*compiler, subject, meaning, *operand);
}

/// Writes the answer to `line` to `out`, or nothing but an error.
Status BatchCommand::answer(StringRef line, llvm::raw_ostream &out) {
  Result<json::Value> value = parseGuardedJson(line, kMaxLineBytes);
  if (!value)
    return value.error();
  const json::Object *request = value->getAsObject();
  if (!request)
    return Error{ErrorCode::Syntax, "expects a JSON object on each line"};
  Result<Spec> spec = parseSpecJson(*request, {"input", "answer"});
  if (!spec)
    return spec.error();
  Result<Meaning> meaning = checkMeaning(*spec);
  if (!meaning)
    return meaning.error();
  if (Status status = requireDense(*meaning); !status)
    return status;
  Result<AnswerForm> form = parseAnswerForm(*request);
  if (!form)
    return form.error();
  int64_t elements = meaning->result.bytes / spec->dtype->width;
  if (*form == AnswerForm::Output && elements > kMaxAnswered)
    return Error{ErrorCode::Limit, "expects a result of at most " + llvm::itostr(kMaxAnswered) +
                                       " elements, but it has " + llvm::itostr(elements) +
                                       "; \"answer\":\"sha256\" has no such limit"};
  std::optional<HostTensor> result;
  if (*form == AnswerForm::Shape) {
    if (Status status = checkUnused(*meaning, inputOf(*request)); !status)
      return status;
  } else {
    Result<HostTensor> computed = compute(*meaning, *request);
    if (!computed)
      return computed.error();
    result = computed.take();
  }
  out << '{';
  writeShape(out, meaning->result.shape, *spec->dtype);
  if (*form == AnswerForm::Digest)
    out << ",\"sha256\":\"" << digest(*result) << '"';
  if (*form == AnswerForm::Output) {
    out << ",\"output\":";
    writeFlat(out, *result);
  }
  out << "}\n";
  return Status::success();
}

Status BatchCommand::run() {
  if (files.size() != 1)
    return Error{ErrorCode::Usage, "expects one file of JSON lines, or - for standard input, but "
                                   "got " +
                                       llvm::utostr(files.size())};
  const std::string &file = files.front();
  Result<LineReader> reader = LineReader::open(file);
  if (!reader)
    return reader.error();
  std::string line;
  while (true) {
    LineReader::Outcome outcome = reader->next(line, kMaxLineBytes);
    if (outcome == LineReader::Outcome::End)
      return Status::success();
    if (outcome == LineReader::Outcome::Failed)
      return Error{ErrorCode::Environment, "'" + file + "' cannot be read"};
    Status status = writeFile("-", [&](llvm::raw_ostream &out) {
      Status answered = outcome == LineReader::Outcome::Line
                            ? answer(line, out)
                            : Error{ErrorCode::Limit, "expects lines of at most " +
                                                          llvm::utostr(kMaxLineBytes) + " bytes"};
      if (!answered)
        writeErrorJson(out, answered.error());
    });
    if (!status)
      return status;
  }
}
