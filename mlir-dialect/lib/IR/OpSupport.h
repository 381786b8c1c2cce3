// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What the operations share: inference, verification, effects and folds.

#ifndef RELAYOUT_LIB_IR_OPSUPPORT_H
#define RELAYOUT_LIB_IR_OPSUPPORT_H

#include "relayout/IR/Relayout.h"

namespace relayout::detail {

/// The shape of a source or dest.
std::vector<int64_t> shapeOf(mlir::Value value);

/// T1 to T4: what `source` and `dest` (or null) must satisfy by themselves.
Status checkOperands(mlir::Value source, mlir::Value dest);

/// The type of the result on tensors (and of a dest memref, but for its strides),
/// after the checks that come before it: T1 to T4, those of Layout, which `bind`
/// makes, and S3.
Result<mlir::RankedTensorType> inferType(mlir::Value source, mlir::Value dest,
                                         llvm::function_ref<Result<Rearrangement>()> bind);

/// All constraints: those of inferType, then T5 to T8.
mlir::LogicalResult verify(RearrangementOpInterface op);

/// Folds identities, pairs of inverses and splats.
mlir::LogicalResult fold(RearrangementOpInterface op, mlir::Attribute source,
                         llvm::SmallVectorImpl<mlir::OpFoldResult> &results);

mlir::LogicalResult reifyResultShapes(RearrangementOpInterface op, mlir::OpBuilder &builder,
                                      mlir::ReifiedRankedShapedTypeDims &shapes);

void getEffects(
    RearrangementOpInterface op,
    llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects);

template <typename OpT>
mlir::LogicalResult inferReturnTypes(std::optional<mlir::Location> location,
                                     typename OpT::Adaptor adaptor,
                                     llvm::SmallVectorImpl<mlir::Type> &types) {
  Result<mlir::RankedTensorType> type =
      inferType(adaptor.getSource(), adaptor.getDest(), [&] { return OpT::bind(adaptor); });
  if (!type)
    return mlir::emitOptionalError(location, "'", OpT::getOperationName(), "' op ",
                                   type.error().message);
  if (llvm::isa<mlir::RankedTensorType>(adaptor.getSource().getType()))
    types.push_back(*type);
  return mlir::success();
}

} // namespace relayout::detail

#endif // RELAYOUT_LIB_IR_OPSUPPORT_H
