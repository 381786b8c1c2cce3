// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which code generator this is: kernels of another one are not its own.

#ifndef RELAYOUT_LIB_JIT_BUILDID_H
#define RELAYOUT_LIB_JIT_BUILDID_H

#include <string>

namespace relayout {

/// The version of the project, a digest of its sources, the version of LLVM, and the
/// build ids of the libraries that LLVM and MLIR are in, as the process loaded them: an
/// update of the system that mends LLVM's code keeps its version.
const std::string &codeGeneratorBuild();

} // namespace relayout

#endif // RELAYOUT_LIB_JIT_BUILDID_H
