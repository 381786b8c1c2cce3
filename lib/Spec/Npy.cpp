// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The elements of a .npy file as a dense row-major tensor.

#include "relayout/Spec/Npy.h"

#include "relayout/Layout/Reference.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace relayout;
using llvm::StringRef;

static std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (int64_t extent : shape)
    text += (text.size() > 1 ? ", " : "") + llvm::itostr(extent);
  return text + "]";
}

/// True if elements of `header` may be read as `type`.
static bool holdsType(const NpyHeader &header, const ElementType &type) {
  StringRef name = type.name;
  bool isUntyped = type.kind == ElementKind::Unsigned && name.starts_with("b");
  if (header.width != type.width)
    return false;
  if (header.kind == 'V' || isUntyped)
    return true;
  bool isNumPyFloat = name == "f16" || name == "f32" || name == "f64";
  switch (type.kind) {
  case ElementKind::Bool:
    return header.kind == 'b';
  case ElementKind::Signed:
    return header.kind == 'i';
  case ElementKind::Unsigned:
    return header.kind == 'u';
  case ElementKind::Complex:
    return header.kind == 'c';
  case ElementKind::Float:
    // What NumPy lacks travels as integers too, and ml_dtypes writes 8 bits as 'f1'.
    return isNumPyFloat ? header.kind == 'f'
                        : header.kind == 'u' || (header.kind == 'f' && type.width == 1);
  }
  return false;
}

static Status checkHeader(const NpyHeader &header, size_t dataBytes, const ElementType &type,
                          const std::vector<int64_t> *shape) {
  if (!holdsType(header, type))
    return Error{ErrorCode::Input, std::string("expects a .npy file of ") + type.name +
                                       ", but it holds " + describeElements(header)};
  if (header.byteOrder == '>' && header.kind == 'V')
    return Error{ErrorCode::Input, "expects raw bytes of a .npy file to be little endian"};
  if (shape && *shape != header.shape)
    return Error{ErrorCode::Input, "expects a .npy file of shape " + shapeText(*shape) +
                                       ", but it holds " + shapeText(header.shape)};
  Result<int64_t> bytes = denseBytes(type, header.shape);
  if (!bytes)
    return bytes.error();
  if (static_cast<uint64_t>(*bytes) != dataBytes)
    return Error{ErrorCode::Input, "expects " + llvm::itostr(*bytes) +
                                       " bytes of elements in the .npy file, but it has " +
                                       llvm::utostr(dataBytes)};
  return Status::success();
}

/// Turns around the bytes of each of `count` numbers of `width` bytes.
static void swapBytes(unsigned char *data, int64_t count, int64_t width) {
  for (int64_t i = 0; i < count; ++i)
    std::reverse(data + i * width, data + (i + 1) * width);
}

Result<HostTensor> relayout::readNpy(StringRef bytes, const ElementType &type,
                                     const std::vector<int64_t> *shape) {
  Result<NpyHeader> header = parseNpyHeader(bytes);
  if (!header)
    return header.error();
  StringRef data = bytes.drop_front(header->dataOffset);
  if (Status status = checkHeader(*header, data.size(), type, shape); !status)
    return status.error();
  Result<HostTensor> tensor = HostTensor::allocate(type, header->shape);
  if (!tensor)
    return tensor.error();
  if (header->fortranOrder) {
    // Column-major is row-major of the reversed shape, transposed.
    std::vector<int64_t> reversed(header->shape.rbegin(), header->shape.rend());
    std::vector<int64_t> perm(reversed.size());
    std::iota(perm.rbegin(), perm.rend(), 0);
    Result<Rearrangement> transposed = permutation(reversed, perm);
    if (!transposed)
      return transposed.error();
    evaluateReference(*transposed, type.width, data.data(), tensor->data(), nullptr);
  } else if (!data.empty()) {
    std::memcpy(tensor->data(), data.data(), data.size());
  }
  if (header->byteOrder == '>') {
    int64_t parts = header->kind == 'c' ? 2 : 1;
    swapBytes(tensor->data(), tensor->elements() * parts, type.width / parts);
  }
  return tensor;
}
