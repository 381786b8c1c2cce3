// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/IR/DiagnosticText.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

using namespace mlir;
using namespace relayout;

DiagnosticText::DiagnosticText(MLIRContext &context)
    : handler(&context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error || !text.empty())
          return success();
        if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
          text = place.getFilename().str() + ":" + std::to_string(place.getLine()) + ":" +
                 std::to_string(place.getColumn()) + ": ";
        text += diagnostic.str();
        return success();
      }) {}

Error DiagnosticText::error(ErrorCode code, const char *otherwise) const {
  return {code, text.empty() ? otherwise : text};
}
