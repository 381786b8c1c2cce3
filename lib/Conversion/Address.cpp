// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Address.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace relayout;

Value relayout::addressOf(OpBuilder &b, Location loc, Value memref, Value index) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t width = type.getElementTypeBitWidth() / 8, offset = type.getStridesAndOffset().second;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
  // The pointer is that of the buffer, whatever part of it the memref is.
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
  if (offset != 0)
    address = arith::AddIOp::create(b, loc, address, constant(offset * width));
  if (!index)
    return address;
  Value bytes = arith::MulIOp::create(b, loc, index, constant(width));
  return arith::AddIOp::create(b, loc, address, bytes);
}

Value relayout::advance(OpBuilder &b, Location loc, Type element, Value base, int64_t offset) {
  if (llvm::isInt<LLVM::kGEPConstantBitWidth>(offset))
    return LLVM::GEPOp::create(b, loc, base.getType(), element, base,
                               ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  Value by = LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(offset));
  return LLVM::GEPOp::create(b, loc, base.getType(), element, base, by);
}
