// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VerifySuite.h"

#include "relayout/Spec/Module.h"

namespace relayout::bench {

static Result<VerifyReport> verifyCase(Compiler &compiler, const Spec &spec,
                                       const Executor *executor) {
  Result<Rearrangement> rearrangement = toRearrangement(spec);
  if (!rearrangement)
    return rearrangement.error();
  Result<Kernel> kernel =
      compiler.compile([&](mlir::MLIRContext &context) { return buildModule(spec, context); });
  if (!kernel)
    return kernel.error();
  Result<VerifyReport> proved =
      verifyKernel(*kernel, *rearrangement, spec.dtype->width, spec.fill(), executor);
  if (proved && proved->mismatch)
    return Error{ErrorCode::Mismatch, proved->mismatch->message()};
  return proved;
}

Status verifySuite(Report &report, const std::vector<Case> &cases, const CompilerOptions &options,
                   const Executor *executor) {
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
  if (!compiler)
    return compiler.error();
  for (const Case &one : cases) {
    Result<VerifyReport> proved = verifyCase(**compiler, one.spec, executor);
    if (proved)
      report.addVerified(one.id, *proved);
    else
      report.addError(one.id, proved.error());
  }
  report.printVerified();
  return Status::success();
}

} // namespace relayout::bench
