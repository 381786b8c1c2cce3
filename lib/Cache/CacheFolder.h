// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The files of the cache on disk as a whole. Files that are not its own stay as they
/// are.

#ifndef RELAYOUT_LIB_CACHE_CACHEFOLDER_H
#define RELAYOUT_LIB_CACHE_CACHEFOLDER_H

#include "relayout/Runtime/File.h"

#include <cstdint>

namespace relayout {

constexpr const char *kEntrySuffix = ".relayout";
constexpr const char *kTemporaryPrefix = ".writing-";

/// Removes temporary files that are older than `staleSeconds`, and, if the entries
/// have more than `most` bytes, those read least recently until a tenth is free. The
/// bytes of the entries that are left.
int64_t trimFolder(const FileHandle &folder, int64_t most, int64_t staleSeconds);

} // namespace relayout

#endif // RELAYOUT_LIB_CACHE_CACHEFOLDER_H
