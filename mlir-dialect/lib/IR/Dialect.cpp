// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "relayout/IR/Relayout.h"

#include "relayout/IR/RelayoutDialect.cpp.inc"

using namespace relayout;

void RelayoutDialect::initialize() {
  registerAttributes();
  addOperations<DepthToSpaceOp, SpaceToDepthOp, SpaceToBatchOp, BatchToSpaceOp, RearrangeOp, TileOp,
                RunOp, TouchOp, SweepOp>();
  attachBufferizationModels();
}

mlir::Operation *RelayoutDialect::materializeConstant(mlir::OpBuilder &builder,
                                                      mlir::Attribute value, mlir::Type type,
                                                      mlir::Location loc) {
  return mlir::arith::ConstantOp::materialize(builder, value, type, loc);
}
