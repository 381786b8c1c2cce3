// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The one ordered table of stages. The driver's help, `--emit`, `--dump-to` and
/// the pipelines are made from it.

#ifndef RELAYOUT_PIPELINES_STAGES_H
#define RELAYOUT_PIPELINES_STAGES_H

#include "relayout/Support/Result.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <string_view>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace relayout {

/// What a kernel goes through, in order.
enum class Stage { Named, Chain, Fused, Buffers, Loops, LLVM, LLVMIR, Assembly, Object };

/// One row of the table.
struct StageInfo {
  Stage stage;
  const char *word;      ///< as in `--emit=word`
  const char *help;      ///< one line, lower case, no full stop
  const char *extension; ///< of a file that holds it: "mlir", "ll", "s", "o"
  bool isBinary;
  /// Adds the passes that lead here from the stage before; null for the first
  /// stage and for those past MLIR.
  void (*addPasses)(mlir::OpPassManager &manager);
};

/// All stages, in order.
llvm::ArrayRef<StageInfo> stages();
const StageInfo &stageInfo(Stage stage);

/// The stage called `word`, or an error that lists all words.
Result<Stage> parseStage(std::string_view word);

/// The passes that lead to `stage` from the one before, as `--pass-pipeline` takes
/// them without the `builtin.module(...)` around; empty where there are none.
std::string passesText(Stage stage);

} // namespace relayout

#endif // RELAYOUT_PIPELINES_STAGES_H
