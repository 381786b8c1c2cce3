// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What a command works on: a spec from the command line, or a module from a file.

#ifndef RELAYOUT_TOOLS_RELAYOUTC_SUBJECT_H
#define RELAYOUT_TOOLS_RELAYOUTC_SUBJECT_H

#include "relayout/JIT/Compiler.h"
#include "relayout/Spec/Fields.h"
#include "relayout/Spec/Spec.h"

#include "llvm/Support/CommandLine.h"

#include <optional>

namespace relayout::driver {

/// Either `spec` is set, or `moduleText` holds what `fileName` says.
struct Subject {
  std::optional<Spec> spec;
  std::string moduleText;
  std::string fileName;

  Result<mlir::OwningOpRef<mlir::ModuleOp>> build(mlir::MLIRContext &context) const;
  /// The words after the subcommand that state this subject again, quoted for a shell.
  std::string words() const;
  /// The spec, which for a module is what it is after fusion.
  Result<Spec> resolve(Compiler &compiler) const;
};

/// `block_size` as a flag: `block-size`.
std::string flagName(llvm::StringRef key);

/// The positional words and the flags of a spec, as options of one subcommand.
class SpecOptions {
public:
  SpecOptions(llvm::cl::SubCommand &sub, llvm::cl::OptionCategory &category);

  bool has(llvm::StringRef key) const;
  /// An error unless there is an operation that is known, or a file.
  Status check() const;
  /// True if the words name a file of MLIR.
  bool isModule() const;
  /// True if they name standard input.
  bool readsStandardInput() const { return !words.empty() && words[0] == "-"; }
  /// Reads the subject. `more` holds flags that the caller found elsewhere.
  Result<Subject> read(FlagList more = {}) const;

private:
  struct Flag {
    Flag(const SpecField &field, llvm::cl::SubCommand &sub, llvm::cl::OptionCategory &category);
    std::string key;
    std::string name; ///< outlives the option, which refers to it
    llvm::cl::opt<std::string> option;
  };
  llvm::cl::list<std::string> words;
  std::vector<std::unique_ptr<Flag>> flags;
};

} // namespace relayout::driver

#endif // RELAYOUT_TOOLS_RELAYOUTC_SUBJECT_H
