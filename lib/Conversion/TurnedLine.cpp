// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TurnedLine.h"

#include "Address.h"

#include "relayout/Support/CacheLine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace relayout;

bool relayout::turnsLines(const TargetInfo &target, int64_t width) {
  bool hasPermutes =
      target.isa == VectorISA::AVX512VBMI || (target.isa == VectorISA::AVX512 && width > 1);
  return hasPermutes && target.maskedAccess && target.vectorBytes == kLineBytes;
}

Value relayout::phaseInLine(OpBuilder &b, Location loc, Value memref, Value index) {
  int64_t width = getElementTypeOrSelf(memref.getType()).getIntOrFloatBitWidth() / 8;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
  Value address = addressOf(b, loc, memref, index);
  Value inLine = arith::AndIOp::create(b, loc, address, constant(kLineBytes - 1));
  return arith::DivUIOp::create(b, loc, inLine, constant(width));
}

LineTurn::LineTurn(OpBuilder &b, Location loc, VectorType type, Value phase, bool permutesBytes)
    : b(b), loc(loc), phase(phase), turnedLanes(lanesLess(type, phase)),
      byWords(type.getElementTypeBitWidth() == 8 && !permutesBytes) {}

Value LineTurn::lanesLess(VectorType type, Value by) const {
  SmallVector<Attribute> numbers;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    numbers.push_back(b.getIntegerAttr(type.getElementType(), i));
  Value lanes = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, numbers));
  Value less = arith::IndexCastOp::create(b, loc, type.getElementType(), by);
  return arith::SubIOp::create(b, loc, lanes, vector::BroadcastOp::create(b, loc, type, less));
}

Value LineTurn::permute(Value vector, Value by) const {
  // The vector dialect has no permutation by a value.
  int64_t width = getElementTypeOrSelf(vector.getType()).getIntOrFloatBitWidth() / 8;
  StringRef lane = width == 1 ? "qi" : width == 2 ? "hi" : width == 4 ? "si" : "di";
  auto call = LLVM::CallIntrinsicOp::create(
      b, loc, vector.getType(), b.getStringAttr(("llvm.x86.avx512.permvar." + lane + ".512").str()),
      ValueRange{vector, by});
  return call.getResult(0);
}

Value LineTurn::turn(Value vector) const {
  return byWords ? turnByWords(vector) : permute(vector, turnedLanes);
}

/// Each word of the result has the end of one word, and the beginning of the next.
Value LineTurn::turnByWords(Value vector) const {
  constexpr int64_t kBytes = 4;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
  auto bytes = cast<VectorType>(vector.getType());
  auto words = VectorType::get({bytes.getNumElements() / kBytes}, b.getI32Type());
  Value whole = arith::DivUIOp::create(b, loc, phase, constant(kBytes));
  Value one = arith::AddIOp::create(b, loc, whole, constant(1));
  Value rest = arith::RemUIOp::create(b, loc, phase, constant(kBytes));
  Value bits = arith::MulIOp::create(b, loc, rest, constant(8));
  Value shift = vector::BroadcastOp::create(
      b, loc, words, arith::IndexCastOp::create(b, loc, words.getElementType(), bits));
  Value from = vector::BitCastOp::create(b, loc, words, vector);
  Value ends = permute(from, lanesLess(words, one)),
        begins = permute(from, lanesLess(words, whole));
  Value turned = LLVM::FshlOp::create(b, loc, words, begins, ends, shift);
  return vector::BitCastOp::create(b, loc, bytes, turned);
}
