// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "relayout/IR/Relayout.h"
#include "relayout/Layout/CheckedMath.h"
#include "relayout/Support/CacheLine.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace relayout {

/// True if where `type`, of elements of whole bytes, begins in its buffer is known in bytes.
static bool hasStaticOffset(MemRefType type) {
  int64_t offset = type.getStridesAndOffset().second;
  return !ShapedType::isDynamic(offset) && checkedMul(offset, type.getElementTypeBitWidth() / 8);
}

/// Memory is as a kernel sees it: elements of whole bytes, side by side, each at its index.
static LogicalResult verifyFlat(Operation *op, ValueRange memrefs) {
  for (Value memref : memrefs) {
    auto type = cast<MemRefType>(memref.getType());
    Type element = type.getElementType();
    if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
      return op->emitOpError("expects integers or floats of whole bytes, but got ") << element;
    if (type.getRank() != 1 || !type.isLastDimUnitStride())
      return op->emitOpError(
                 "expects memrefs of one dimension with elements side by side, but got ")
             << type;
    if (!hasStaticOffset(type))
      return op->emitOpError("expects memrefs with a static offset, of 64 bits in bytes, but got ")
             << type;
  }
  return success();
}

/// True if all of `values` are there, or none.
static bool areTogether(ArrayRef<Value> values) {
  return llvm::all_equal(llvm::map_range(values, [](Value value) { return bool(value); }));
}

/// `count` elements have a number of bytes.
static LogicalResult verifyCount(Operation *op, int64_t count, int64_t least, Value memref) {
  int64_t bytes = getElementTypeOrSelf(memref.getType()).getIntOrFloatBitWidth() / 8;
  if (count < least)
    return op->emitOpError("expects a count of ") << least << " or more, but got " << count;
  if (llvm::MulOverflow(count, bytes, bytes))
    return op->emitOpError("expects a count of elements whose bytes fit 64 bits, but got ")
           << count;
  return success();
}

//===----------------------------------------------------------------------===//
// TileOp
//===----------------------------------------------------------------------===//

/// Lines that wait are read, and written.
static void addKeptEffects(MutableOperandRange lines,
                           SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &kept : lines) {
    effects.emplace_back(MemoryEffects::Read::get(), &kept, SideEffects::DefaultResource::get());
    effects.emplace_back(MemoryEffects::Write::get(), &kept, SideEffects::DefaultResource::get());
  }
}

void TileOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!isFill())
    effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable()[0],
                         SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getDestMutable(),
                       SideEffects::DefaultResource::get());
  addKeptEffects(getKeptMutable(), effects);
}

bool TileOp::isRead(ArrayRef<int64_t> values) {
  if (!getBorder())
    return !isFill();
  int64_t sum = 0;
  for (auto [value, coefficient] : llvm::zip_equal(values, getBorder()->drop_front(2)))
    sum += value * coefficient;
  return (*getBorder())[0] <= sum && sum < (*getBorder())[1];
}

/// A border has a coefficient for each digit, and sums and bounds that 64 bits hold.
static LogicalResult verifyBorder(TileOp op) {
  std::optional<ArrayRef<int64_t>> border = op.getBorder();
  if (!border)
    return success();
  std::vector<Digit> digits = op.getDigitVector();
  if (border->size() != digits.size() + 2)
    return op.emitOpError("expects a border of two bounds and ")
           << digits.size() << " coefficients, but got " << border->size() << " numbers";
  std::optional<int64_t> least = 0, most = 0;
  for (auto [digit, coefficient] : llvm::zip_equal(digits, border->drop_front(2))) {
    std::optional<int64_t> &sum = coefficient < 0 ? least : most;
    std::optional<int64_t> last = checkedMul(digit.extent - 1, coefficient);
    sum = sum && last ? checkedAdd(*sum, *last) : std::nullopt;
  }
  auto isFar = [&](int64_t bound) {
    int64_t far;
    return !least || !most || llvm::SubOverflow(bound, *least, far) ||
           llvm::SubOverflow(*least, bound, far) || llvm::SubOverflow(bound, *most, far) ||
           llvm::SubOverflow(*most, bound, far);
  };
  if (llvm::any_of(border->take_front(2), isFar))
    return op.emitOpError("expects a border whose sums, and their distances from its bounds, fit "
                          "64 bits");
  return success();
}

/// There are two caches into which a tile or run may prefetch.
template <typename T> static LogicalResult verifyCache(T op) {
  std::optional<uint64_t> cache = op.getCache();
  if (cache && (*cache < 1 || *cache > 2 || !op.getPrefetch()))
    return op.emitOpError("expects a cache of 1 or 2 beside a prefetch, but got ") << *cache;
  return success();
}

/// True if what lies `ahead` elements behind the places of `op`, at distances of `stride`, has an
/// address of 64 bits.
static bool hasPlaces(TileOp op, int64_t ahead, int64_t Digit::*stride) {
  Type element = getElementTypeOrSelf(op.getDest().getType());
  std::optional<int64_t> reach = ahead < 0 ? std::nullopt : std::optional<int64_t>(ahead);
  for (const Digit &digit : op.getDigitVector()) {
    std::optional<int64_t> values = checkedMul(digit.extent, digit.*stride);
    reach = reach && values ? checkedAdd(*reach, *values) : std::nullopt;
  }
  return reach && checkedMul(*reach, element.getIntOrFloatBitWidth() / 8);
}

/// What a tile prefetches for later ones, of the source and of the destination.
static LogicalResult verifyPrefetch(TileOp op) {
  std::optional<ArrayRef<int64_t>> ahead = op.getPrefetch();
  if (ahead && ahead->size() != 2)
    return op.emitOpError("expects two prefetch distances, but got ") << ahead->size();
  if (ahead && (!hasPlaces(op, (*ahead)[0], &Digit::inStride) ||
                !hasPlaces(op, (*ahead)[1], &Digit::outStride)))
    return op.emitOpError("expects prefetches of places of 64 bits, 0 or more elements ahead, but "
                          "got ")
           << (*ahead)[0] << " and " << (*ahead)[1];
  if (!op.getNear())
    return success();
  int64_t near = op.getNearAttr().getInt();
  if (op.isFill() || op.getBorder() || near < 1 || !hasPlaces(op, near, &Digit::inStride))
    return op.emitOpError("expects places of 64 bits, 1 or more elements ahead, to be near, a "
                          "source and no border, but got ")
           << near;
  return success();
}

/// A vector has whole elements, and a line has whole vectors.
template <typename T> static LogicalResult verifyVectors(T op) {
  std::optional<uint64_t> bytes = op.getVectorBytes();
  if (!bytes)
    return success();
  Type element = getElementTypeOrSelf(op.getDest().getType());
  uint64_t least = element.getIntOrFloatBitWidth() / 8;
  if (!llvm::isPowerOf2_64(least))
    return op.emitOpError("expects elements of a power of two of bytes beside vectors, but got ")
           << element;
  if (!llvm::isPowerOf2_64(*bytes) || *bytes < least || *bytes > kLineBytes)
    return op.emitOpError("expects vectors of a power of two of bytes from an element's to a "
                          "line's, ")
           << least << " to " << kLineBytes << ", but got " << *bytes;
  return success();
}

/// True if the rows of a tile with `keep` are whole lines of `perLine` elements, and each has a
/// line of its own that waits.
static bool keepsWholeLines(TileOp op, int64_t perLine) {
  SmallVector<std::pair<int64_t, int64_t>> within, among; // strides and extents
  for (auto [digit, line] : llvm::zip_equal(op.getDigitVector(), *op.getLines())) {
    if (line % perLine != 0)
      return false;
    (line == 0 ? within : among).push_back({line == 0 ? digit.outStride : line, digit.extent});
  }
  auto span = [](SmallVectorImpl<std::pair<int64_t, int64_t>> &digits, int64_t unit, bool close) {
    llvm::sort(digits);
    for (auto [stride, extent] : digits) {
      if (close ? stride != unit : stride < unit)
        return int64_t(0);
      if (llvm::MulOverflow(stride, extent, unit))
        return int64_t(0);
    }
    return unit;
  };
  int64_t run = span(within, 1, /*close=*/true);
  return run > 0 && run % perLine == 0 && span(among, perLine, /*close=*/false) > 0;
}

/// Each row that a tile with `keep` writes has a line that waits.
static LogicalResult verifyKept(TileOp op) {
  if (!areTogether({op.getKept(), op.getKeptIndex()}) ||
      bool(op.getKept()) != op.getLines().has_value())
    return op.emitOpError("expects kept lines, their index and a distance of them for each digit, "
                          "or none of these");
  if (!op.getKept())
    return success();
  if (op.getFill() || op.getNonTemporal() || op.getVectorBytes() != kLineBytes)
    return op.emitOpError("expects vectors of 64 bytes, no fill value and no choice of stores "
                          "beside kept lines");
  auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(op.getDest().getType()));
  if (!element)
    return op.emitOpError("expects elements of an integer type beside kept lines, but got ")
           << getElementTypeOrSelf(op.getDest().getType());
  if (Type kept = getElementTypeOrSelf(op.getKept().getType()); kept != element)
    return op.emitOpError("expects kept lines of the destination's elements, ")
           << element << ", but got " << kept;
  if (size_t digits = op.getDigitVector().size(); op.getLines()->size() != digits)
    return op.emitOpError("expects a distance of kept lines for each of ")
           << digits << " digits, but got " << op.getLines()->size();
  if (!keepsWholeLines(op, 8 * kLineBytes / element.getWidth()))
    return op.emitOpError("expects rows of whole lines, and a kept line of its own for each");
  return success();
}

LogicalResult TileOp::verify() {
  SmallVector<Value> memrefs{getDest()};
  for (Value memref : {Value(getSource()), Value(getKept())})
    if (memref)
      memrefs.push_back(memref);
  if (failed(verifyFlat(*this, memrefs)))
    return failure();
  if (getBorder() ? isFill() || !getFill() : isFill() != getFill().has_value())
    return emitOpError("expects either a source or a fill value, or both with a border");
  if (failed(verifyBorder(*this)))
    return failure();
  if (bool(getSource()) != bool(getSourceIndex()))
    return emitOpError("expects an index beside the source");
  Type element = getElementTypeOrSelf(getDest().getType());
  Type moved = isFill() ? getFillAttr().getType() : getElementTypeOrSelf(getSource().getType());
  if (getFill() && getFillAttr().getType() != element)
    moved = getFillAttr().getType();
  if (moved != element)
    return emitOpError("expects the type of the destination's elements, ")
           << element << ", but got " << moved;
  if (failed(verifyVectors(*this)))
    return failure();
  if (failed(verifyPrefetch(*this)) || failed(verifyKept(*this)))
    return failure();
  return verifyCache(*this);
}

//===----------------------------------------------------------------------===//
// RunOp
//===----------------------------------------------------------------------===//

void RunOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable(),
                       SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getDestMutable(),
                       SideEffects::DefaultResource::get());
  addKeptEffects(getKeptMutable(), effects);
}

/// What is done beside the run: once in so many lines as `every` says, or nothing.
LogicalResult RunOp::verifyBeside() {
  if (!getEveryAttr())
    return getBeside().empty() ? success() : emitOpError("expects no body without `every`");
  int64_t every = getEveryAttr().getInt();
  auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(getDest().getType()));
  if (every < 1 || !element || every % kLineBytes * element.getWidth() % (8 * kLineBytes) != 0)
    return emitOpError("expects a body every so many elements of an integer type as lines of ")
           << kLineBytes << " bytes have, but got " << every;
  if (getBeside().empty() || getBeside().getNumArguments() != 1 ||
      !getBeside().getArgument(0).getType().isIndex())
    return emitOpError("expects one argument of type index in its body");
  return success();
}

/// What is done beside a run may be left out.
LogicalResult RunOp::verifyRegions() {
  WalkResult walk = getBeside().walk([&](Operation *op) {
    if (isMemoryEffectFree(op) || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        isa<memref::PrefetchOp>(op))
      return WalkResult::advance();
    emitOpError("expects prefetches alone in its body, but got '") << op->getName() << "'";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// What comes with a line to keep, and with heads of lines, is there with it alone.
static LogicalResult verifyTogether(RunOp op) {
  if (!areTogether(
          {op.getKept(), op.getKeptIndex(), op.getRepeated(), op.getFirst(), op.getLast()}))
    return op.emitOpError("expects a line to keep, its index, `repeated`, `first` and `last`, or "
                          "none of these");
  if (!areTogether({op.getHead(), op.getBehind(), op.getBefore(), op.getNext()}))
    return op.emitOpError("expects `heads`, `behind`, `before` and `next`, or none of these");
  return success();
}

LogicalResult RunOp::verify() {
  SmallVector<Value> memrefs{getSource(), getDest()};
  if (getKept())
    memrefs.push_back(getKept());
  if (failed(verifyFlat(*this, memrefs)))
    return failure();
  Type element = getElementTypeOrSelf(getDest().getType());
  Type moved = getElementTypeOrSelf(getSource().getType());
  if (moved != element)
    return emitOpError("expects the type of the destination's elements, ")
           << element << ", but got " << moved;
  if (failed(verifyVectors(*this)) ||
      failed(verifyCount(*this, getCountAttr().getInt(), /*least=*/0, getDest())) ||
      failed(verifyBeside()) || failed(verifyCache(*this)) || failed(verifyTogether(*this)))
    return failure();
  if (!getKept())
    return getHead() ? emitOpError("expects a line to keep beside heads") : success();
  if (getElementTypeOrSelf(getKept().getType()) != element)
    return emitOpError("expects the type of the destination's elements, ")
           << element << ", in what is kept, but got " << getElementTypeOrSelf(getKept().getType());
  if (!getNonTemporal() || !getVectorBytes())
    return emitOpError("expects vectors and non_temporal where a line is kept");
  return success();
}

//===----------------------------------------------------------------------===//
// TouchOp
//===----------------------------------------------------------------------===//

LogicalResult TouchOp::verify() {
  if (failed(verifyFlat(*this, getSource())))
    return failure();
  return verifyCount(*this, getCountAttr().getInt(), /*least=*/1, getSource());
}

//===----------------------------------------------------------------------===//
// SweepOp
//===----------------------------------------------------------------------===//

LogicalResult SweepOp::verify() {
  if (getStepAttr().getInt() < 1)
    return emitOpError("expects a step of 1 or more, but got ") << getStepAttr().getInt();
  TypeRange arguments = getBody().getArgumentTypes();
  if (arguments.size() != 2 || !llvm::all_of(arguments, [](Type t) { return t.isIndex(); }))
    return emitOpError("expects two arguments of type index in its body");
  return success();
}

} // namespace relayout
