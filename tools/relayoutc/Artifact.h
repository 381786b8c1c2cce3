// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What `relayoutc compile` makes for programs that run without the compiler.

#ifndef RELAYOUT_TOOLS_RELAYOUTC_ARTIFACT_H
#define RELAYOUT_TOOLS_RELAYOUTC_ARTIFACT_H

#include "Subject.h"

#include "relayout/JIT/Compiler.h"

namespace relayout::driver {

/// The words for what is no stage of the compiler.
llvm::ArrayRef<const char *> artifacts();

/// An error unless `name` can be that of a function in C.
Status checkSymbol(llvm::StringRef name);

/// The bytes of the artifact `word`. `options.cpu` may name several processors with
/// commas between them if it is an image.
Result<std::string> makeArtifact(llvm::StringRef word, const Subject &subject,
                                 const CompilerOptions &options);

} // namespace relayout::driver

#endif // RELAYOUT_TOOLS_RELAYOUTC_ARTIFACT_H
