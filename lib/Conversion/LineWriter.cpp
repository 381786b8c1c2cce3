// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LineWriter.h"

#include "Address.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace relayout;

static int64_t bytesOf(Type element) { return element.getIntOrFloatBitWidth() / 8; }

LineWriter::LineWriter(OpBuilder &b, Location loc, Value memref, int64_t alignment)
    : b(b), loc(loc), memref(memref), alignment(alignment) {
  int64_t width = bytesOf(getElementTypeOrSelf(memref.getType()));
  if (alignment >= width)
    return;
  Value address = addressOf(b, loc, memref, Value());
  Value mask = arith::ConstantIndexOp::create(b, loc, width - 1);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  areWhole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                   arith::AndIOp::create(b, loc, address, mask), zero);
}

void LineWriter::store(Value vector, Value index) {
  if (!areWhole)
    return storeVector(vector, index, /*stream=*/true);
  waiting.push_back({vector, index});
}

void LineWriter::flush() {
  if (waiting.empty())
    return;
  auto choice = scf::IfOp::create(b, loc, areWhole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard insertion(b);
  for (Block *block : {choice.thenBlock(), choice.elseBlock()}) {
    b.setInsertionPointToStart(block);
    for (auto [vector, index] : waiting)
      storeVector(vector, index, block == choice.thenBlock());
  }
  waiting.clear();
}

void LineWriter::storeVector(Value vector, Value index, bool stream) {
  auto type = cast<VectorType>(vector.getType());
  int64_t bytes = type.getNumElements() * bytesOf(type.getElementType());
  vector::StoreOp::create(b, loc, vector, memref, ValueRange{index}, stream,
                          llvm::MaybeAlign(stream ? bytes : alignment));
}
