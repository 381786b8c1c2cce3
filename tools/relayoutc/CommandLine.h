// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Command lines whose faults are errors with a text of ours: LLVM would print complaints of its
/// own, and show what a terminal obeys.

#ifndef RELAYOUT_TOOLS_RELAYOUTC_COMMANDLINE_H
#define RELAYOUT_TOOLS_RELAYOUTC_COMMANDLINE_H

#include "relayout/Support/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"

#include <string>

namespace relayout::driver {

using Words = llvm::ArrayRef<const char *>;

/// The arguments of `main`, with the words of response files in their places: LLVM would put them
/// in only after they are checked. They live as long as `memory`.
Result<llvm::SmallVector<const char *>> wordsOf(Words arguments, llvm::BumpPtrAllocator &memory);

/// Parses `words` into `options`, whose flags begin at the word `first`; `program` are the words
/// before them, as errors name them. Each flag must exist, have a value where it takes one and
/// none where it takes none, and stand once. Help and versions are printed, and end the process.
Status parseCommandLine(Words words, size_t first, const llvm::cl::SubCommand &options,
                        const std::string &program, llvm::StringRef overview);

/// What a flag of an integer says, which is taken as text.
Result<int64_t> integerOf(const llvm::cl::opt<std::string> &flag, int64_t least, int64_t most);

/// An error unless a flag says one of `words`.
Status checkWord(const llvm::cl::opt<std::string> &flag, llvm::ArrayRef<llvm::StringRef> words);

} // namespace relayout::driver

#endif // RELAYOUT_TOOLS_RELAYOUTC_COMMANDLINE_H
