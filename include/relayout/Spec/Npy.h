// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// NumPy's file format `.npy`, versions 1 to 3.

#ifndef RELAYOUT_SPEC_NPY_H
#define RELAYOUT_SPEC_NPY_H

#include "relayout/Spec/HostTensor.h"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace relayout {

/// What the header of a file says.
struct NpyHeader {
  char byteOrder = '|'; ///< `<` little, `>` big, `|` does not matter
  char kind = 'V';      ///< `b` bool, `i` and `u` integers, `f`, `c` complex, `V` raw bytes
  int64_t width = 0;    ///< bytes of an element
  bool fortranOrder = false;
  std::vector<int64_t> shape;
  size_t dataOffset = 0; ///< of the first element in the file
};

/// What the elements of a file are, for messages: `floats of 16 bytes`.
std::string describeElements(const NpyHeader &header);

/// Reads the header of a file that starts with `bytes`.
Result<NpyHeader> parseNpyHeader(llvm::StringRef bytes);

/// The type of the project that a file's elements have: the first that writeNpy
/// writes so. An error where NumPy's type has no such, or more than one could be
/// meant (raw bytes).
Result<const ElementType *> npyElementType(const NpyHeader &header);

/// Reads the whole file `bytes` as a tensor of `type`. Files in Fortran order and of
/// the other byte order are converted. The file's type must be NumPy's for `type`; types
/// that NumPy lacks travel as raw bytes (or as unsigned integers) of their width, and
/// untyped elements take any type of their width. `shape` must be the file's unless null.
Result<HostTensor> readNpy(llvm::StringRef bytes, const ElementType &type,
                           const std::vector<int64_t> *shape);

/// Writes the header for a C-order tensor; the elements follow it.
void writeNpyHeader(llvm::raw_ostream &out, const ElementType &type,
                    const std::vector<int64_t> &shape);
void writeNpy(llvm::raw_ostream &out, const HostTensor &tensor);

} // namespace relayout

#endif // RELAYOUT_SPEC_NPY_H
