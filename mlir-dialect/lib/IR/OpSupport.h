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

/// The type of the result on tensors, or an error if it is too large (S1).
/// `source` has passed checkOperands.
Result<mlir::RankedTensorType> resultType(mlir::Value source, const Rearrangement &rearrangement);

/// T5 to T8: result, dest and fill value against the rearrangement.
mlir::LogicalResult verify(RearrangementOpInterface op);

/// Folds identities, pairs of inverses and splats.
mlir::LogicalResult fold(RearrangementOpInterface op, mlir::Attribute source,
                         llvm::SmallVectorImpl<mlir::OpFoldResult> &results);

mlir::LogicalResult reifyResultShapes(RearrangementOpInterface op, mlir::OpBuilder &builder,
                                      mlir::ReifiedRankedShapedTypeDims &shapes);

void getEffects(
    RearrangementOpInterface op,
    llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects);

/// Shape inference: the one place where errors of Layout become diagnostics.
template <typename OpT>
mlir::LogicalResult inferReturnTypes(std::optional<mlir::Location> location,
                                     typename OpT::Adaptor adaptor,
                                     llvm::SmallVectorImpl<mlir::Type> &types) {
  auto fail = [&](const Error &error) {
    return mlir::emitOptionalError(location, "'", OpT::getOperationName(), "' op ", error.message);
  };
  if (Status status = checkOperands(adaptor.getSource(), adaptor.getDest()); !status)
    return fail(status.error());
  Result<Rearrangement> rearrangement = OpT::bind(adaptor);
  if (!rearrangement)
    return fail(rearrangement.error());
  Result<mlir::RankedTensorType> type = resultType(adaptor.getSource(), *rearrangement);
  if (!type)
    return fail(type.error());
  if (llvm::isa<mlir::RankedTensorType>(adaptor.getSource().getType()))
    types.push_back(*type);
  return mlir::success();
}

} // namespace relayout::detail

#endif // RELAYOUT_LIB_IR_OPSUPPORT_H
