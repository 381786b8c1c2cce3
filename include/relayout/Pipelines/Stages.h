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

#include <cstdint>
#include <string>
#include <string_view>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace relayout {

/// What the stages from `scheduled` on are made for. Empty words stand for defaults.
struct PipelineOptions {
  std::string arch = "x86_64"; ///< of the machine: x86_64 or aarch64
  std::string cpu = "native";  ///< in LLVM's words
  std::string features;        ///< added to or taken from those of `cpu`
  std::string result = "auto"; ///< what the result's consumer does: hot, cold or auto
  int64_t threads = 1;         ///< that share the work of one kernel
  std::string schedule;        ///< pinned parts of the schedule, in its own words
  bool patternOnly = false;    ///< loads and stores without shuffles, to measure with
};

/// What a kernel goes through, in order.
enum class Stage {
  Named,
  Chain,
  Fused,
  Buffers,
  Scheduled,
  Loops,
  Vectors,
  LLVM,
  LLVMIR,
  Assembly,
  Object
};

/// One row of the table.
struct StageInfo {
  Stage stage;
  const char *word;      ///< as in `--emit=word`
  const char *help;      ///< one line, lower case, no full stop
  const char *extension; ///< of a file that holds it: "mlir", "ll", "s", "o"
  bool isBinary;
  /// Adds the passes that lead here from the stage before; null for the first
  /// stage and for those past MLIR.
  void (*addPasses)(mlir::OpPassManager &manager, const PipelineOptions &options);
};

/// All stages, in order.
llvm::ArrayRef<StageInfo> stages();
const StageInfo &stageInfo(Stage stage);

/// The stage called `word`, or an error that lists all words, and `others`, which the caller takes.
Result<Stage> parseStage(std::string_view word, llvm::ArrayRef<const char *> others = {});

/// The passes that lead to `stage` from the one before, as `--pass-pipeline` takes
/// them without the `builtin.module(...)` around; empty where there are none.
std::string passesText(Stage stage, const PipelineOptions &options);

} // namespace relayout

#endif // RELAYOUT_PIPELINES_STAGES_H
