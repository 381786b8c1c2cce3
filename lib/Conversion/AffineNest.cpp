// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AffineNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace relayout;

namespace {

/// A subscript as it grows with each loop: a linear form of the loops' variables.
struct Subscript {
  int64_t constant;
  SmallVector<int64_t> strides = {};

  AffineMap map(MLIRContext *context) const {
    AffineExpr sum = getAffineConstantExpr(0, context);
    for (auto [i, stride] : llvm::enumerate(strides))
      sum = sum + getAffineDimExpr(i, context) * stride;
    return AffineMap::get(strides.size(), 0, sum + constant);
  }
};

/// The loop over the values `lower` to `upper - 1` of the first digit that lie in
/// the units to do.
affine::AffineForOp createUnitLoop(OpBuilder &b, Location loc, const NestMovement &m, int64_t lower,
                                   int64_t upper) {
  MLIRContext *context = b.getContext();
  auto bound = [&](int64_t limit) {
    AffineExpr unit = b.getAffineSymbolExpr(0) + m.firstUnit;
    return AffineMap::get(0, 1, {b.getAffineConstantExpr(limit), unit}, context);
  };
  return affine::AffineForOp::create(b, loc, m.begin, bound(lower), m.end, bound(upper));
}

} // namespace

void relayout::emitNest(OpBuilder &b, Location loc, const NestMovement &m, const Piece &piece) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> variables;
  Subscript in{m.problem.inOffset}, out{m.problem.outOffset};
  for (auto [i, digit] : llvm::enumerate(m.problem.digits)) {
    int64_t lower = piece.lower[i], upper = lower + piece.extent[i];
    bool isUnit = i == 0 && m.begin;
    if (upper - lower == 1 && !isUnit) {
      in.constant += lower * digit.inStride;
      out.constant += lower * digit.outStride;
      continue;
    }
    auto loop = isUnit ? createUnitLoop(b, loc, m, lower, upper)
                       : affine::AffineForOp::create(b, loc, lower, upper);
    variables.push_back(loop.getInductionVar());
    in.strides.push_back(digit.inStride);
    out.strides.push_back(digit.outStride);
    b.setInsertionPointToStart(loop.getBody());
  }
  Value element = m.fill;
  if (piece.kind == Piece::Kind::Copy)
    element = affine::AffineLoadOp::create(b, loc, m.in, in.map(b.getContext()), variables);
  affine::AffineStoreOp::create(b, loc, element, m.out, out.map(b.getContext()), variables);
}
