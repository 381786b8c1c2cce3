// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/FlatKernel.h"

#include "relayout/Runtime/CodeMapping.h"

namespace relayout {

Result<Kernel> mapKernel(const FlatKernel &kernel) {
  if (kernel.isCopy())
    return Kernel::copy(kernel.info, kernel.copy.from, kernel.copy.to, kernel.copy.bytes);
  if (kernel.entry < 0 || static_cast<size_t>(kernel.entry) >= kernel.code.size())
    return Error{ErrorCode::Internal,
                 "expects the entry of a kernel within its " + std::to_string(kernel.code.size()) +
                     " bytes of code, but it is " + std::to_string(kernel.entry)};
  Result<std::shared_ptr<CodeMapping>> mapping = CodeMapping::create(kernel.code);
  if (!mapping)
    return mapping.error();
  auto address = reinterpret_cast<uintptr_t>((*mapping)->begin()) + kernel.entry;
  return Kernel(reinterpret_cast<KernelFunction>(address), kernel.info, mapping.take());
}

} // namespace relayout
