// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What the processor can do, by LLVM's names for its features. Kernels use no
/// feature that is not in the list here, so that what a kernel needs can be checked
/// where there is no LLVM.

#ifndef RELAYOUT_RUNTIME_HOSTFEATURES_H
#define RELAYOUT_RUNTIME_HOSTFEATURES_H

#include <string>
#include <string_view>
#include <vector>

namespace relayout {

/// The architecture of this process by LLVM's name: `x86_64`, `aarch64`.
const char *hostArch();

/// Whether kernels for `arch` may use the feature: what every processor of the
/// architecture has, and what `hostHas` can tell there. False for other architectures
/// than x86_64 and aarch64.
bool isKnownFeature(std::string_view arch, std::string_view name);

/// The features that not every processor of `arch` has; none if it is another one than
/// x86_64 and aarch64.
const std::vector<std::string_view> &optionalFeatures(std::string_view arch);

/// Whether the host has the feature and the system lets programs use it. False for
/// one that is not known. The processor is asked once.
bool hostHas(std::string_view name);

/// Those of `needed` that the host has not, joined by commas.
std::string missingFeatures(const std::vector<std::string> &needed);

} // namespace relayout

#endif // RELAYOUT_RUNTIME_HOSTFEATURES_H
