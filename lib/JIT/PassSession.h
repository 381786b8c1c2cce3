// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A context and the pass managers over it, which live and die together.

#ifndef RELAYOUT_LIB_JIT_PASSSESSION_H
#define RELAYOUT_LIB_JIT_PASSSESSION_H

#include "relayout/JIT/Compiler.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include <map>

namespace relayout {

class PassSession {
public:
  explicit PassSession(PipelineOptions options);

  Result<mlir::OwningOpRef<mlir::ModuleOp>> build(Compiler::ModuleBuilder builder);

  /// From `named` to `loops`: the short way if the module is one operation of the
  /// dialect, else through chain and bufferization.
  Status runToLoops(mlir::ModuleOp module);
  /// From `loops` to `llvm`.
  Status runToLLVM(mlir::ModuleOp module);
  /// From the stage before `stage`; does nothing where that takes no passes.
  Status runStage(mlir::ModuleOp module, Stage stage);

private:
  Status run(mlir::PassManager &manager, mlir::ModuleOp module);
  mlir::PassManager &getManager(Stage from, Stage to);

  PipelineOptions options;
  mlir::MLIRContext context;
  std::unique_ptr<mlir::PassManager> direct;
  std::map<std::pair<Stage, Stage>, std::unique_ptr<mlir::PassManager>> managers;
};

} // namespace relayout

#endif // RELAYOUT_LIB_JIT_PASSSESSION_H
