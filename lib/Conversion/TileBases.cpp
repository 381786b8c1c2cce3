// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

#include <tuple>

namespace relayout {
#define GEN_PASS_DEF_TILEBASESPASS
#include "relayout/Conversion/Passes.h.inc"
} // namespace relayout

using namespace mlir;

namespace {

/// An address `pointer[index + offset]`.
struct Access {
  LLVM::GEPOp address;
  Value offset; ///< a constant; null where it is 0
};

/// Addresses that differ in a constant have the same pointer, index and element type.
using Base = std::tuple<Value, Value, Type>;
using Accesses = llvm::MapVector<Base, SmallVector<Access>>;

void addAccess(LLVM::GEPOp address, Accesses &accesses) {
  if (address.getDynamicIndices().size() != 1 || address.getRawConstantIndices().size() != 1)
    return;
  Value index = address.getDynamicIndices().front();
  Value offset;
  if (auto sum = index.getDefiningOp<LLVM::AddOp>();
      sum && matchPattern(sum.getRhs(), m_Constant())) {
    index = sum.getLhs();
    offset = sum.getRhs();
  }
  accesses[{address.getBase(), index, address.getElemType()}].push_back({address, offset});
}

void rewrite(const Base &key, MutableArrayRef<Access> group) {
  auto [pointer, index, element] = key;
  OpBuilder b(group.front().address);
  Location loc = group.front().address.getLoc();
  Value start = LLVM::GEPOp::create(b, loc, pointer.getType(), element, pointer, index);
  Value base = LLVM::LaunderInvariantGroupOp::create(b, loc, pointer.getType(), start);
  for (Access &access : group) {
    Value address = base;
    if (access.offset) {
      OpBuilder at(access.address);
      address = LLVM::GEPOp::create(at, loc, pointer.getType(), element, base, access.offset);
    }
    Value index = access.address.getDynamicIndices().front();
    access.address.replaceAllUsesWith(address);
    access.address.erase();
    if (Operation *sum = index.getDefiningOp(); access.offset && sum->use_empty())
      sum->erase();
  }
}

struct TileBases : relayout::impl::TileBasesPassBase<TileBases> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      Accesses accesses;
      for (auto address : block.getOps<LLVM::GEPOp>())
        addAccess(address, accesses);
      for (auto &[key, group] : accesses)
        if (group.size() > 1)
          rewrite(key, group);
    }
  }
};

} // namespace
