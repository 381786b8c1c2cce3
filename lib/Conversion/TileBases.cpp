// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Address.h"
#include "EraseUnused.h"

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
  IntegerAttr offset; ///< null where it is 0
};

/// Addresses that differ in a constant have the same pointer, index and element type.
using Base = std::tuple<Value, Value, Type>;
using Accesses = llvm::MapVector<Base, SmallVector<Access>>;

/// Notes an address in an argument: other pointers might be there later than their index, and are
/// gone once they are rewritten themselves. Sums of narrower indices may wrap where addresses do
/// not.
void addAccess(LLVM::GEPOp address, Accesses &accesses) {
  if (!isa<BlockArgument>(address.getBase()) ||
      !isa<LLVM::LLVMPointerType>(address.getBase().getType()) ||
      address.getDynamicIndices().size() != 1 || address.getRawConstantIndices().size() != 1)
    return;
  Value index = address.getDynamicIndices().front();
  if (!index.getType().isInteger(64))
    return;
  IntegerAttr offset;
  if (auto sum = index.getDefiningOp<LLVM::AddOp>();
      sum && matchPattern(sum.getRhs(), m_Constant(&offset)))
    index = sum.getLhs();
  accesses[{address.getBase(), index, address.getElemType()}].push_back({address, offset});
}

/// True for an address from which others are constant distances.
bool isBase(LLVM::GEPOp address) {
  return llvm::any_of(address->getUsers(), [](Operation *user) { return isa<LLVM::GEPOp>(user); });
}

/// An index that is one of an outer loop and what an inner loop adds to it.
LLVM::AddOp getNested(Value index) {
  auto sum = index.getDefiningOp<LLVM::AddOp>();
  bool isNested = sum && sum.getLhs().getParentBlock() != sum->getBlock() &&
                  !matchPattern(sum.getLhs(), m_Constant());
  return isNested ? sum : LLVM::AddOp();
}

class Bases {
public:
  void rewrite(const Base &key, ArrayRef<Access> group) {
    auto [pointer, index, element] = key;
    bool isShared = group.size() > 1 || isBase(group.front().address);
    if (!isShared && !getNested(index))
      return;
    for (auto [gep, offset] : group) {
      OpBuilder b(gep);
      Value address = isShared ? base(key) : start(b, key);
      if (offset)
        address = relayout::advance(b, gep.getLoc(), element, address, offset.getInt());
      gep.replaceAllUsesWith(address);
      gep.erase();
    }
  }

private:
  /// The address `pointer[index]`, from the base of the next outer loop where there is one.
  Value start(OpBuilder &b, const Base &key) {
    auto [pointer, index, element] = key;
    Value from = pointer, by = index;
    if (LLVM::AddOp sum = getNested(index)) {
      from = base({pointer, sum.getLhs(), element});
      by = sum.getRhs();
    }
    return LLVM::GEPOp::create(b, index.getLoc(), pointer.getType(), element, from, by);
  }

  /// The same where the index is known first, and opaque.
  Value base(const Base &key) {
    if (Value known = bases.lookup(key))
      return known;
    auto [pointer, index, element] = key;
    OpBuilder b(index.getContext());
    b.setInsertionPointAfterValue(index);
    // This adds the bases of the outer loops, so no place in the map is held across it.
    Value address = start(b, key);
    Value known =
        LLVM::LaunderInvariantGroupOp::create(b, index.getLoc(), pointer.getType(), address);
    bases[key] = known;
    return known;
  }

  llvm::DenseMap<Base, Value> bases;
};

/// Hides how the sums of outer loops move where inner ones go on from them: what is not an address
/// is the place of one, by which it is told whether a line begins there, or is asked for.
void hideSums(Region &body) {
  llvm::MapVector<Value, SmallVector<LLVM::AddOp>> sums;
  body.walk([&](LLVM::AddOp sum) {
    if (getNested(sum) && sum.getLhs().getDefiningOp<LLVM::AddOp>() &&
        sum.getType().isInteger(64) && !matchPattern(sum.getRhs(), m_Constant()))
      sums[sum.getLhs()].push_back(sum);
  });
  for (auto &[outer, inner] : sums) {
    OpBuilder b(outer.getContext());
    b.setInsertionPointAfterValue(outer);
    Location loc = outer.getLoc();
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    Value place = LLVM::IntToPtrOp::create(b, loc, pointer, outer);
    place = LLVM::LaunderInvariantGroupOp::create(b, loc, pointer, place);
    Value hidden = LLVM::PtrToIntOp::create(b, loc, outer.getType(), place);
    for (LLVM::AddOp sum : inner)
      sum.getLhsMutable().assign(hidden);
  }
}

struct TileBases : relayout::impl::TileBasesPassBase<TileBases> {
  void runOnOperation() override {
    Accesses accesses;
    getOperation().walk([&](LLVM::GEPOp address) { addAccess(address, accesses); });
    Bases bases;
    for (auto &[key, group] : accesses)
      bases.rewrite(key, group);
    relayout::eraseUnused(getOperation().getBody());
    hideSums(getOperation().getBody());
  }
};

} // namespace
