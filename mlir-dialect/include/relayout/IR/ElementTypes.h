// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The element types of Layout as types of MLIR, and fill values of them.

#ifndef RELAYOUT_IR_ELEMENTTYPES_H
#define RELAYOUT_IR_ELEMENTTYPES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "relayout/Layout/ElementType.h"

#include <optional>

namespace relayout {

/// The accepted element type that `type` is, or an error that lists all names.
Result<const ElementType *> getElementTypeInfo(mlir::Type type);

/// The type of MLIR for `type`: bool is i1, u8 is ui8, c64 is complex<f32>, an
/// untyped element is a signless integer of its width.
mlir::Type getMLIRElementType(const ElementType &type, mlir::MLIRContext *context);

/// Zero of an accepted element type, all of whose bits are zero.
mlir::TypedAttr getZeroElement(mlir::Type type);

/// The complex number of these parts. The attribute makes signalling NaNs quiet.
mlir::TypedAttr getComplexElement(mlir::ComplexType type, const llvm::APFloat &real,
                                  const llvm::APFloat &imaginary);

/// The one element of a splat, in the form of a fill value; null for elements of other kinds.
mlir::TypedAttr getSplatElement(mlir::SplatElementsAttr splat);

/// The bits of a fill value, as many as its type has; the real part of a complex number is in the
/// low half. Nothing for an attribute that is no integer, float or complex number.
std::optional<llvm::APInt> getElementBits(mlir::Attribute value);

/// True if the bits of `value` are all zero. Null stands for zero.
bool isZeroElement(mlir::TypedAttr value);

} // namespace relayout

#endif // RELAYOUT_IR_ELEMENTTYPES_H
