// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TurnedLine.h"

#include "Address.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace relayout;

bool relayout::turnsLines(const TargetInfo &target, int64_t width) {
  bool hasPermutes =
      target.isa == VectorISA::AVX512VBMI || (target.isa == VectorISA::AVX512 && width > 1);
  return hasPermutes && target.maskedAccess && target.vectorBytes == target.lineBytes;
}

Value relayout::phaseInLine(OpBuilder &b, Location loc, Value memref, Value index,
                            int64_t lineBytes) {
  int64_t width = getElementTypeOrSelf(memref.getType()).getIntOrFloatBitWidth() / 8;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
  Value address = addressOf(b, loc, memref, index);
  Value inLine = arith::AndIOp::create(b, loc, address, constant(lineBytes - 1));
  return arith::DivUIOp::create(b, loc, inLine, constant(width));
}

Value relayout::turnedLanes(OpBuilder &b, Location loc, VectorType type, Value phase) {
  SmallVector<Attribute> numbers;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    numbers.push_back(b.getIntegerAttr(type.getElementType(), i));
  Value lanes = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, numbers));
  Value by = arith::IndexCastOp::create(b, loc, type.getElementType(), phase);
  return arith::SubIOp::create(b, loc, lanes, vector::BroadcastOp::create(b, loc, type, by));
}

Value relayout::turn(OpBuilder &b, Location loc, Value vector, Value lanes) {
  // The vector dialect has no permutation by a value.
  int64_t width = getElementTypeOrSelf(vector.getType()).getIntOrFloatBitWidth() / 8;
  StringRef lane = width == 1 ? "qi" : width == 2 ? "hi" : width == 4 ? "si" : "di";
  auto call = LLVM::CallIntrinsicOp::create(
      b, loc, vector.getType(), b.getStringAttr(("llvm.x86.avx512.permvar." + lane + ".512").str()),
      ValueRange{vector, lanes});
  return call.getResult(0);
}
