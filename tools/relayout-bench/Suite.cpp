// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Suite.h"

#include "relayout/Spec/GuardedJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace relayout::bench {

static Error atLine(size_t line, const Error &error) {
  return {error.code, "line " + std::to_string(line) + ": " + error.message};
}

/// Keys that a case may have beside those of its spec.
static constexpr StringRef kOthers[] = {"id", "origin", "input", "answer"};

/// A case of dimensions is a transpose; its `op` is a remark.
static json::Object transposeSpec(const json::Object &object) {
  json::Object spec{{"op", "transpose"}};
  for (auto [from, to] :
       {std::pair("dims", "shape"), std::pair("perm", "perm"), std::pair("dtype", "dtype")})
    if (const json::Value *value = object.get(from))
      spec[to] = *value;
  return spec;
}

static Result<Case> parseCase(StringRef text, size_t line) {
  Result<json::Value> value = parseGuardedJson(text);
  if (!value)
    return value.error();
  const json::Object *object = value->getAsObject();
  if (!object)
    return Error{ErrorCode::Syntax, "expects an object"};
  bool isDims = object->get("dims");
  Result<Spec> spec =
      isDims ? parseSpecJson(transposeSpec(*object)) : parseSpecJson(*object, kOthers);
  if (!spec)
    return spec.error();
  if (spec->isStrided())
    return Error{ErrorCode::Unsupported, "expects a spec without strides, since a suite is timed "
                                         "and proved on tensors without gaps; relayoutc verify "
                                         "takes strides"};
  std::optional<StringRef> id = object->getString("id");
  if (!id && object->get("id"))
    return Error{ErrorCode::Syntax, "expects id to be a string"};
  return Case{id ? id->str() : std::to_string(line), spec.take()};
}

/// Keeps the cases of `ids` alone, each an id or several between commas.
static Status chooseCases(std::vector<Case> &cases, const std::vector<std::string> &ids) {
  StringSet<> known, chosen;
  for (const Case &one : cases)
    known.insert(one.id);
  for (StringRef text : ids) {
    SmallVector<StringRef> parts{text};
    if (!known.contains(text)) {
      parts.clear();
      text.split(parts, ',');
    }
    for (StringRef id : parts) {
      if (!known.contains(id))
        return Error{ErrorCode::Usage, "no case of the suite is called '" + id.str() + "'"};
      chosen.insert(id);
    }
  }
  llvm::erase_if(cases, [&](const Case &one) { return !chosen.contains(one.id); });
  return Status::success();
}

Result<std::vector<Case>> readSuite(StringRef path, const std::vector<std::string> &ids) {
  auto file = MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!file)
    return Error{ErrorCode::Environment,
                 "cannot read '" + path.str() + "': " + file.getError().message()};
  std::vector<Case> cases;
  StringSet<> seen;
  SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].trim().empty())
      continue;
    Result<Case> made = parseCase(lines[i], i + 1);
    if (!made)
      return atLine(i + 1, made.error());
    if (!seen.insert(made->id).second)
      return atLine(i + 1, Error{ErrorCode::Input,
                                 "expects each id once, but '" + made->id + "' stands twice"});
    cases.push_back(made.take());
  }
  if (!ids.empty())
    if (Status status = chooseCases(cases, ids); !status)
      return status.error();
  if (cases.empty())
    return Error{ErrorCode::Usage, "expects a suite with at least one case"};
  return cases;
}

} // namespace relayout::bench
