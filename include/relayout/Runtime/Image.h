// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Images: kernels as bytes that can be kept in a file. The cache on disk and kernels
/// compiled ahead of time have the same form; docs/ahead-of-time.md describes it.

#ifndef RELAYOUT_RUNTIME_IMAGE_H
#define RELAYOUT_RUNTIME_IMAGE_H

#include "relayout/Runtime/FlatKernel.h"

#include <string>
#include <string_view>
#include <vector>

namespace relayout {

/// Raised when the bytes of an image mean something else.
constexpr uint32_t kImageFormat = 1;
/// Raised when a kernel is called in another way.
constexpr uint32_t kKernelAbi = 0;

/// A kernel for one level of hardware.
struct ImageVariant {
  std::string cpu;                   ///< that it was made for, as `-mcpu` takes it
  std::vector<std::string> features; ///< that the processor must have, by LLVM's names
  FlatKernel kernel;
};

struct Image {
  std::string arch;  ///< by LLVM's name, `x86_64`
  std::string build; ///< of the code generator and of LLVM, for people
  std::string key;   ///< all that the code depends on; empty outside of caches
  std::string spec;  ///< as JSON text
  std::vector<ImageVariant> variants;
};

/// The bytes of `image`, which has at least one variant. An error of code Limit if `decodeImage`
/// or `readFile` would not take so much: more than 64 variants, or 64 MiB.
Result<std::string> encodeImage(const Image &image);

/// What `encodeImage` was given. An error, with the reason, if `bytes` are anything
/// else: cut off, changed, of another format. The digest stops accidents and not
/// attackers: who can write an image can write a correct one.
Result<Image> decodeImage(std::string_view bytes);

/// The variant with the most features of those that the host can run. An error that
/// says what the host lacks if there is none.
Result<const ImageVariant *> chooseVariant(const Image &image);

} // namespace relayout

#endif // RELAYOUT_RUNTIME_IMAGE_H
