// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// What the operations share: inference, verification, effects and folds.

#ifndef RELAYOUT_LIB_IR_REARRANGEMENTOP_H
#define RELAYOUT_LIB_IR_REARRANGEMENTOP_H

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "relayout/IR/Relayout.h"

namespace relayout::detail {

/// The shape of a source or dest.
inline std::vector<int64_t> shapeOf(mlir::Value value) {
  llvm::ArrayRef<int64_t> shape = llvm::cast<mlir::ShapedType>(value.getType()).getShape();
  return {shape.begin(), shape.end()};
}

/// The constraints T1 to T4 on `source` and `dest` (or null), as far as they do not need
/// the rearrangement.
Status checkOperands(mlir::Value source, mlir::Value dest);

/// The type of a tensor result; `source` has passed `checkOperands`.
mlir::Type resultType(mlir::Value source, const Rearrangement &rearrangement);

/// The constraints on the result, the dest and the fill value (T5 to T8).
mlir::LogicalResult verify(RearrangementOpInterface op);

/// Folds identities, pairs of inverses and splats.
mlir::LogicalResult fold(RearrangementOpInterface op, mlir::Attribute source,
                         llvm::SmallVectorImpl<mlir::OpFoldResult> &results);

mlir::LogicalResult
reifyResultShapes(RearrangementOpInterface op, mlir::OpBuilder &builder,
                  mlir::ReifiedRankedShapedTypeDims &reifiedReturnShapes);

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
  Status status = checkOperands(adaptor.getSource(), adaptor.getDest());
  if (!status)
    return fail(status.error());
  Result<Rearrangement> rearrangement = OpT::bind(adaptor);
  if (!rearrangement)
    return fail(rearrangement.error());
  if (llvm::isa<mlir::RankedTensorType>(adaptor.getSource().getType()))
    types.push_back(resultType(adaptor.getSource(), *rearrangement));
  return mlir::success();
}

} // namespace relayout::detail

/// Defines the methods of `OP` that all operations share.
#define RELAYOUT_DEFINE_SHARED_METHODS(OP)                                                         \
  Result<Rearrangement> OP::getRearrangement() { return bind(Adaptor(*this)); }                    \
  LogicalResult OP::inferReturnTypes(MLIRContext *, std::optional<Location> location,              \
                                     Adaptor adaptor, SmallVectorImpl<Type> &types) {              \
    return detail::inferReturnTypes<OP>(location, adaptor, types);                                 \
  }                                                                                                \
  /* verify() compares them, in the words of the project. */                                      \
  bool OP::isCompatibleReturnTypes(TypeRange, TypeRange) { return true; }                          \
  LogicalResult OP::verify() { return detail::verify(*this); }                                     \
  LogicalResult OP::fold(FoldAdaptor adaptor, SmallVectorImpl<OpFoldResult> &results) {            \
    return detail::fold(*this, adaptor.getSource(), results);                                      \
  }                                                                                                \
  LogicalResult OP::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {   \
    return detail::reifyResultShapes(*this, builder, shapes);                                      \
  }                                                                                                \
  void OP::getEffects(                                                                             \
      SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {              \
    detail::getEffects(*this, effects);                                                            \
  }                                                                                                \
  Speculation::Speculatability OP::getSpeculatability() {                                          \
    return isa<RankedTensorType>(getSource().getType()) ? Speculation::Speculatable                \
                                                        : Speculation::NotSpeculatable;            \
  }

#endif // RELAYOUT_LIB_IR_REARRANGEMENTOP_H
