// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What MLIR reports, as text.

#ifndef RELAYOUT_IR_DIAGNOSTICTEXT_H
#define RELAYOUT_IR_DIAGNOSTICTEXT_H

#include "relayout/Support/Result.h"

#include "mlir/IR/Diagnostics.h"

#include <string>

namespace relayout {

/// Collects errors that are emitted while it lives; nothing is printed.
class DiagnosticText {
public:
  explicit DiagnosticText(mlir::MLIRContext &context);
  /// The first error, with its place if it has one, or `otherwise` if there was none.
  Error error(ErrorCode code, const char *otherwise) const;

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace relayout

#endif // RELAYOUT_IR_DIAGNOSTICTEXT_H
