// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Subject.h"

#include "Files.h"

#include "relayout/Pipelines/Register.h"
#include "relayout/Spec/Module.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace relayout;
using namespace relayout::driver;
using llvm::StringRef;
namespace cl = llvm::cl;

Result<mlir::OwningOpRef<mlir::ModuleOp>> Subject::build(mlir::MLIRContext &context) const {
  return spec ? buildModule(*spec, context) : parseModule(moduleText, fileName, context);
}

std::string Subject::words() const { return spec ? printSpecFlags(*spec) : shellQuoted(fileName); }

Result<Spec> Subject::resolve(Compiler &compiler) const {
  if (spec)
    return *spec;
  Result<std::string> fused =
      compiler.emit([this](mlir::MLIRContext &context) { return build(context); }, Stage::Fused);
  if (!fused)
    return fused.error();
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module = parseModule(*fused, fileName, context);
  if (!module)
    return module.error();
  return specFromModule(**module);
}

std::string driver::flagName(StringRef key) {
  std::string name = key.str();
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

SpecOptions::Flag::Flag(const SpecField &field, cl::SubCommand &sub, cl::OptionCategory &category)
    : key(field.key), name(flagName(field.key)),
      option(StringRef(name), cl::sub(sub), cl::cat(category), cl::value_desc(field.valueName),
             cl::desc(field.help)) {}

SpecOptions::SpecOptions(cl::SubCommand &sub, cl::OptionCategory &category)
    : words(cl::Positional, cl::sub(sub), cl::cat(category),
            cl::desc("OPERATION [PATTERN] | FILE.mlir")) {
  for (const SpecField &field : specFields())
    flags.push_back(std::make_unique<Flag>(field, sub, category));
}

bool SpecOptions::has(StringRef key) const {
  return llvm::any_of(flags, [&](const auto &flag) {
    return flag->key == key && flag->option.getNumOccurrences() > 0;
  });
}

bool SpecOptions::isModule() const {
  return readsStandardInput() || (!words.empty() && StringRef(words[0]).ends_with(".mlir"));
}

Status SpecOptions::check() const {
  if (words.empty())
    return Error{ErrorCode::Usage, "expects an operation or a file that ends in .mlir"};
  if (isModule())
    return Status::success();
  Result<const OperationInfo *> operation = parseOperation(words[0]);
  return operation ? Status::success() : Status(operation.error());
}

static Result<Subject> readModule(const std::string &fileName) {
  Subject subject;
  subject.fileName = fileName;
  Result<std::string> text = readTextFile(fileName, kMaxModuleBytes);
  if (!text)
    return text.error();
  if (Status status = checkModuleText(*text); !status)
    return status.error();
  subject.moduleText = text.take();
  return subject;
}

Result<Subject> SpecOptions::read(FlagList more) const {
  if (Status status = check(); !status)
    return status.error();
  FlagList given = std::move(more);
  for (const auto &flag : flags)
    if (flag->option.getNumOccurrences() > 0)
      given.emplace_back(flag->key, flag->option);
  if (isModule()) {
    if (words.size() > 1 || !given.empty())
      return Error{ErrorCode::Usage, "expects nothing beside a file of MLIR, but got " +
                                         (words.size() > 1 ? words[1] : given.front().first)};
    return readModule(words[0]);
  }
  bool hasPattern = words.size() > 1 && words[0] == "rearrange";
  if (hasPattern)
    given.emplace_back("pattern", words[1]);
  if (size_t taken = hasPattern ? 2 : 1; words.size() > taken)
    return Error{ErrorCode::Usage, std::string("expects one ") +
                                       (hasPattern ? "pattern" : "operation") + ", but got '" +
                                       words[taken] + "' too"};
  Result<Spec> spec = parseSpecFlags(words[0], given);
  if (!spec)
    return spec.error();
  Subject subject;
  subject.spec = spec.take();
  return subject;
}
