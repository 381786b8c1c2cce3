// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Spec/HostTensor.h"

#include "relayout/Layout/CheckedMath.h"
#include "relayout/Layout/NamedOperations.h"
#include "relayout/Runtime/Memory.h"

#include "llvm/ADT/StringExtras.h"

using namespace relayout;
using llvm::StringRef;

Result<int64_t> relayout::denseBytes(const ElementType &type, const std::vector<int64_t> &shape) {
  if (Status status = checkShape(shape, type.width); !status)
    return status.error();
  std::vector<int64_t> factors = shape;
  factors.push_back(type.width);
  return *checkedProduct(factors);
}

Result<HostTensor> HostTensor::allocate(const ElementType &type,
                                        const std::vector<int64_t> &shape) {
  Result<int64_t> bytes = denseBytes(type, shape);
  if (!bytes)
    return bytes.error();
  if (Status status = checkMemory({*bytes}); !status)
    return status.error();
  constexpr int64_t alignment = 64;
  void *memory = std::aligned_alloc(alignment, (*bytes / alignment + 1) * alignment);
  if (!memory)
    return Error{ErrorCode::Environment,
                 "expects " + llvm::itostr(*bytes) + " bytes of memory, but the system refuses"};
  HostTensor tensor;
  tensor.elementType = &type;
  tensor.extents = shape;
  tensor.count = *bytes / type.width;
  tensor.memory.reset(static_cast<unsigned char *>(memory));
  return tensor;
}
