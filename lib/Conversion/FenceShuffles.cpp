// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

#include <numeric>

namespace relayout {
#define GEN_PASS_DEF_FENCESHUFFLESPASS
#include "relayout/Conversion/Passes.h.inc"
} // namespace relayout

using namespace mlir;

namespace {

constexpr int64_t kPartBits = 128; ///< the least part that instructions insert

int64_t bitsOf(Type type) {
  auto vector = cast<VectorType>(type);
  return vector.getNumElements() * vector.getElementTypeBitWidth();
}

/// Integers or floats that fill registers, or parts of them.
bool hasWholeParts(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && !vector.isScalable() && vector.getElementType().isIntOrFloat() &&
         bitsOf(vector) % kPartBits == 0;
}

/// One whole register from whole registers; what widens or narrows is part of a load
/// or a store, which the code generator makes one instruction of.
bool isWhole(LLVM::ShuffleVectorOp op) {
  return op.getRes().getType() == op.getV1().getType() && hasWholeParts(op.getRes().getType());
}

/// Where the lanes of a narrow vector lie in the wide one that `op` makes of it, if all
/// of them do, in their order.
std::optional<int64_t> widenedAt(LLVM::ShuffleVectorOp op) {
  int64_t narrow = cast<VectorType>(op.getV1().getType()).getNumElements();
  ArrayRef<int32_t> mask = op.getMask();
  auto first = llvm::find_if(mask, [](int32_t lane) { return lane >= 0; }) - mask.begin();
  if (first + narrow > int64_t(mask.size()))
    return std::nullopt;
  for (auto [i, lane] : llvm::enumerate(mask))
    if (int64_t at = int64_t(i) - first; lane != (at >= 0 && at < narrow ? at : -1))
      return std::nullopt;
  return first;
}

bool feedsShuffle(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return isa<LLVM::ShuffleVectorOp, LLVM::vector_insert>(user) ||
           (isa<LLVM::BitcastOp>(user) && feedsShuffle(user->getResult(0)));
  });
}

/// True if bytes of four vectors, all side by side in the sources, are stored in turn, 32 and more.
/// LLVM 22 has a sequence of its own for that, which takes up to thrice the instructions of the
/// shuffle.
bool storesInTurn(LLVM::ShuffleVectorOp op) {
  constexpr unsigned kInTurn = 4, kLeast = 32;
  auto type = cast<VectorType>(op.getRes().getType());
  unsigned lanes = op.getMask().size();
  if (lanes < kLeast || type.getElementTypeBitWidth() != 8)
    return false;
  SmallVector<unsigned> starts;
  return op.getRes().hasOneUse() && isa<LLVM::StoreOp>(*op.getRes().user_begin()) &&
         llvm::ShuffleVectorInst::isInterleaveMask(op.getMask(), kInTurn, 2 * lanes, starts);
}

/// Floats that every vector instruction set has.
VectorType floatsFor(VectorType type) {
  Type lane = type.getElementType();
  return lane.isF32() || lane.isF64()
             ? type
             : VectorType::get({bitsOf(type) / 32}, Float32Type::get(type.getContext()));
}

Value castTo(OpBuilder &b, VectorType type, Value value) {
  return value.getType() == type
             ? value
             : LLVM::BitcastOp::create(b, value.getLoc(), type, value).getResult();
}

void fence(Value value) {
  auto type = cast<VectorType>(value.getType());
  VectorType floats = floatsFor(type);
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  Value from = castTo(b, floats, value);
  auto call = LLVM::CallIntrinsicOp::create(b, value.getLoc(), floats,
                                            b.getStringAttr("llvm.arithmetic.fence"), from);
  Operation *first = from == value ? call.getOperation() : from.getDefiningOp();
  value.replaceAllUsesExcept(castTo(b, type, call.getResult(0)), first);
}

/// Loads what is cast to lanes as those. LLVM 22 ends the process where it concatenates vectors of
/// i128 from memory.
void loadLanes(Operation *function) {
  function->walk([](LLVM::BitcastOp cast) {
    auto load = cast.getArg().getDefiningOp<LLVM::LoadOp>();
    auto type = load ? dyn_cast<VectorType>(load.getType()) : VectorType();
    if (!type || type.getElementTypeBitWidth() < kPartBits || !load->hasOneUse())
      return;
    load.getRes().setType(cast.getType());
    cast.replaceAllUsesWith(load.getRes());
    cast.erase();
  });
}

bool isFromMemory(Value value) {
  if (auto cast = value.getDefiningOp<LLVM::BitcastOp>())
    value = cast.getArg();
  return value.getDefiningOp<LLVM::LoadOp>() != nullptr;
}

/// The first two parts of a register of more, put together in a narrow one: what lies above them
/// does not matter, and narrow registers take inserts from memory at twice the rate of wide ones.
/// Null if `blend` has another part first, or no more room.
Value pairOf(OpBuilder &b, LLVM::ShuffleVectorOp blend, Value part, int64_t first) {
  auto below = blend.getV1().getDefiningOp<LLVM::ShuffleVectorOp>();
  int64_t lanes = blend.getMask().size();
  if (!below || below.getV1().getType() != part.getType() || widenedAt(below) != 0 ||
      first != cast<VectorType>(part.getType()).getNumElements() || lanes == 2 * first ||
      !isFromMemory(part) || !isFromMemory(below.getV1()))
    return {};
  SmallVector<int32_t> both(2 * first), widened(lanes, -1);
  std::iota(both.begin(), both.end(), 0);
  llvm::copy(both, widened.begin());
  Value pair = LLVM::ShuffleVectorOp::create(b, blend.getLoc(), below.getV1(), part, both);
  Value whole = LLVM::ShuffleVectorOp::create(b, blend.getLoc(), pair, pair, widened);
  fence(pair); // or LLVM makes one wide insert of the two again
  return whole;
}

/// A blend with a part of 16 bytes or more that was widened for it inserts that part,
/// which costs no shuffle when the part comes from memory.
Value insertPart(LLVM::ShuffleVectorOp blend) {
  auto widened = blend.getV2().getDefiningOp<LLVM::ShuffleVectorOp>();
  if (!widened || isWhole(widened))
    return {};
  Value part = widened.getV1();
  std::optional<int64_t> first = widenedAt(widened);
  int64_t count = cast<VectorType>(part.getType()).getNumElements();
  int64_t lanes = blend.getMask().size();
  if (!first || bitsOf(part.getType()) % kPartBits != 0 || *first % count != 0)
    return {};
  for (auto [i, lane] : llvm::enumerate(blend.getMask())) {
    bool isNew = int64_t(i) >= *first && int64_t(i) < *first + count;
    if (lane != int64_t(i) + (isNew ? lanes : 0))
      return {};
  }
  OpBuilder b(blend);
  Value inserted = pairOf(b, blend, part, *first);
  if (!inserted)
    inserted = LLVM::vector_insert::create(b, blend.getLoc(), blend.getRes().getType(),
                                           blend.getV1(), part, *first);
  blend.getRes().replaceAllUsesWith(inserted);
  Operation *below = blend.getV1().getDefiningOp();
  blend.erase();
  for (Operation *unused : {widened.getOperation(), below})
    if (unused && isa<LLVM::ShuffleVectorOp>(unused) && unused->use_empty())
      unused->erase();
  return inserted;
}

/// True if LLVM knows the lanes of `value`.
bool isKnown(Value value) {
  llvm::SetVector<Operation *> sources;
  sources.insert(value.getDefiningOp());
  for (size_t i = 0; i < sources.size(); ++i) {
    Operation *op = sources[i];
    if (isa_and_nonnull<LLVM::BitcastOp, LLVM::ShuffleVectorOp, LLVM::vector_insert>(op))
      for (Value operand : op->getOperands())
        sources.insert(operand.getDefiningOp());
    else if (!isa_and_nonnull<LLVM::ConstantOp, LLVM::ZeroOp, LLVM::PoisonOp>(op))
      return false;
  }
  return true;
}

/// True if a shuffle has lanes of `value` beside such that LLVM knows.
bool meetsKnownLanes(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isa<LLVM::BitcastOp>(user))
      return meetsKnownLanes(user->getResult(0));
    return isa<LLVM::ShuffleVectorOp, LLVM::vector_insert>(user) &&
           llvm::any_of(user->getOperands(), [&](Value other) {
             return other != value && !other.getDefiningOp<LLVM::PoisonOp>() && isKnown(other);
           });
  });
}

/// Fences masked loads of which shuffles put lanes among zeros. LLVM 22 makes an expanding load of
/// both where their masks are the same, as if the load's first lanes were all read: what its
/// pass-through has in them is lost.
void fenceMaskedLoads(Operation *function) {
  SmallVector<Value> loads;
  function->walk([&](LLVM::MaskedLoadOp op) {
    if (hasWholeParts(op.getRes().getType()) && meetsKnownLanes(op.getRes()))
      loads.push_back(op.getRes());
  });
  llvm::for_each(loads, fence);
}

struct FenceShuffles : relayout::impl::FenceShufflesPassBase<FenceShuffles> {
  void runOnOperation() override {
    loadLanes(getOperation());
    fenceMaskedLoads(getOperation());
    SmallVector<LLVM::ShuffleVectorOp> shuffles;
    getOperation().walk([&](LLVM::ShuffleVectorOp op) {
      if (isWhole(op))
        shuffles.push_back(op);
    });
    for (LLVM::ShuffleVectorOp op : shuffles) {
      Value inserted = insertPart(op);
      Value result = inserted ? inserted : op.getRes();
      bool isInTurn = !inserted && storesInTurn(op);
      if (feedsShuffle(result) || isInTurn)
        fence(result);
    }
  }
};

} // namespace
