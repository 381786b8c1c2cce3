// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Files: input read up to a limit, output complete or absent.

#ifndef RELAYOUT_TOOLS_RELAYOUTC_FILES_H
#define RELAYOUT_TOOLS_RELAYOUTC_FILES_H

#include "relayout/Spec/HostTensor.h"
#include "relayout/Spec/Npy.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace relayout::driver {

/// The text of `path` (`-` is standard input), or an error beyond `maxBytes`.
Result<std::string> readTextFile(llvm::StringRef path, size_t maxBytes);

/// The bytes of the .npy file `path`, and no more than its header announces. A file is mapped,
/// a stream is read.
Result<std::unique_ptr<llvm::MemoryBuffer>> readNpyFile(llvm::StringRef path);

/// Writes to `path` (`-` is standard output) through a temporary file beside it, which
/// takes its place only when all has been written. A link stays, and leads to what was written.
/// Devices, pipes and files that are open already, as /dev/stdout, are written in place.
Status writeFile(llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> write);

} // namespace relayout::driver

#endif // RELAYOUT_TOOLS_RELAYOUTC_FILES_H
