// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Compiles a module that holds one kernel to code in memory, or to the text of
/// any stage.

#ifndef RELAYOUT_JIT_COMPILER_H
#define RELAYOUT_JIT_COMPILER_H

#include "relayout/Pipelines/Stages.h"
#include "relayout/Runtime/Image.h"
#include "relayout/Schedule/TargetInfo.h"
#include "relayout/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <string>
#include <vector>

namespace relayout {

/// The name of the function of every kernel.
constexpr const char *kKernelSymbol = "kernel";

/// The most threads that a kernel is made for: callers refuse more.
constexpr int64_t kMaxThreads = 1024;

struct CompilerOptions {
  /// Of LLVM: x86_64 or aarch64 with files in ELF. Empty: this machine's. The back end
  /// of another architecture is one that the program has registered with LLVM.
  std::string triple;
  /// As `-mcpu` takes it; `native`, of this machine's architecture: the host's. Empty: the
  /// host's, too, or with a triple, one that every processor of the architecture can stand
  /// in for.
  std::string cpu;
  std::string features;               ///< as `-mattr` takes them, added to those of `cpu`
  std::string result = "auto";        ///< what the result's consumer does: hot, cold or auto
  int64_t threads = 1;                ///< that share the work of one kernel, to `kMaxThreads`
  std::string schedule;               ///< pinned parts of the schedule, in its own words
  bool patternOnly = false;           ///< loads and stores without shuffles, to measure with
  std::string symbol = kKernelSymbol; ///< the name of the function in what is generated
  bool copiesAsCode = false;          ///< generate code for plain copies too
  /// MLIR never frees what it has uniqued: after so many compiles the context is
  /// thrown away and made anew.
  int64_t recycleAfter = 256;
};

/// The time of each phase of one compile, in milliseconds.
struct CompileTimes {
  double build = 0;     ///< making or parsing the module
  double passes = 0;    ///< from the module to the LLVM dialect
  double translate = 0; ///< to LLVM IR
  double optimize = 0;  ///< the LLVM passes
  double codegen = 0;   ///< to an object in memory
  double link = 0;      ///< to code that can be called
  double total() const { return build + passes + translate + optimize + codegen + link; }
};

/// A warm compiler: a context, a target machine. Use one from one thread at a time;
/// its kernels outlive it.
class Compiler {
public:
  /// Makes the module to compile in `context`: `func.func @kernel` from one ranked
  /// tensor to another. What it emits as diagnostics becomes part of the error.
  using ModuleBuilder =
      llvm::function_ref<Result<mlir::OwningOpRef<mlir::ModuleOp>>(mlir::MLIRContext &context)>;
  /// Takes the text or bytes of one stage.
  using StageSink = llvm::function_ref<Status(const StageInfo &stage, const std::string &bytes)>;

  /// An error if LLVM knows no such target, CPU or feature, or has no back end for it.
  static Result<std::unique_ptr<Compiler>> create(const CompilerOptions &options = {});
  ~Compiler();

  /// A kernel that can be called. An error where the module breaks a rule, does not
  /// reduce to one rearrangement, or is for a CPU that the host is not.
  Result<Kernel> compile(ModuleBuilder build);

  /// The same as data, for the host or for any other CPU.
  Result<FlatKernel> compileFlat(ModuleBuilder build);
  /// The same with what a processor must have to run it.
  Result<ImageVariant> compileVariant(ModuleBuilder build);
  /// An image without variants and without a spec, as this compiler makes it.
  Image emptyImage() const;
  /// What a processor must have to run what this compiler makes, by LLVM's names.
  const std::vector<std::string> &requirements() const;
  /// All that the code of a kernel depends on but its problem and the options of the
  /// schedule, as text.
  std::string machineKey() const;
  /// An error that names what the host lacks to run what this compiler makes.
  const Status &runsOnHost() const;

  /// The module at `stage`: text, or the bytes of an object file.
  Result<std::string> emit(ModuleBuilder build, Stage stage);

  /// All stages from `named` to `last`, each handed to `sink` in order.
  Status emitAll(ModuleBuilder build, StageSink sink, Stage last = Stage::Object);

  /// Of the last `compile`.
  const CompileTimes &times() const;

  /// The schedule of the last kernel compiled, as text; empty for a plain copy.
  const std::string &schedule() const;
  /// What the passes of each stage are made for.
  PipelineOptions pipelineOptions() const;
  /// The machine that schedules are made for.
  const TargetInfo &target() const;

  /// What the code is for: `x86_64` or `aarch64`, the CPU, the features added to it.
  std::string arch() const;
  const std::string &cpu() const;
  const std::string &features() const;

private:
  struct Impl;
  explicit Compiler(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace relayout

#endif // RELAYOUT_JIT_COMPILER_H
