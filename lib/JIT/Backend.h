// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// From LLVM IR to code: a target machine and a short, fixed list of passes.

#ifndef RELAYOUT_LIB_JIT_BACKEND_H
#define RELAYOUT_LIB_JIT_BACKEND_H

#include "relayout/Support/Result.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace relayout {

class Backend {
public:
  /// For `cpu` with `features` added. If `cpu` is empty: for the host, or where there
  /// is a `triple`, for every processor of its architecture.
  static Result<std::unique_ptr<Backend>> create(const std::string &triple, const std::string &cpu,
                                                 const std::string &features);
  ~Backend();

  /// An error that names what the host lacks to run code from here.
  const Status &runsOnHost() const { return hostStatus; }

  /// What a processor must have to run code from here.
  const std::vector<std::string> &requirements() const { return needed; }

  /// Gives `module` the target's triple and data layout.
  void prepare(llvm::Module &module) const;
  void optimize(llvm::Module &module);
  /// Consumes the module: the code generator changes it.
  Result<llvm::SmallString<0>> generate(llvm::Module &module, llvm::CodeGenFileType type);

  std::string triple() const { return machine->getTargetTriple().str(); }
  /// `x86_64` or `aarch64`.
  std::string arch() const {
    return llvm::Triple::getArchTypeName(machine->getTargetTriple().getArch()).str();
  }
  /// Whether it is for the host and all that it has, plus or minus features.
  bool isNative() const { return native; }
  const std::string &cpu() const { return cpuName; }
  const std::string &features() const { return featureText; }

private:
  struct Passes;
  struct Generator;
  Backend() = default;
  Result<Generator *> getGenerator(llvm::CodeGenFileType type);
  std::string cpuName;
  std::string featureText;
  std::vector<std::string> needed;
  Status hostStatus;
  bool native = false;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<Passes> passes;
  std::map<llvm::CodeGenFileType, std::unique_ptr<Generator>> generators;
};

} // namespace relayout

#endif // RELAYOUT_LIB_JIT_BACKEND_H
