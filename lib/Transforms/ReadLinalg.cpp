// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReadChain.h"

#include "relayout/Layout/CheckedMath.h"

using namespace mlir;

namespace relayout {

using namespace detail;

static Error overflow() { return {ErrorCode::Overflow, "expects tiled extents within 64 bits"}; }

bool detail::isPermutation(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics() ||
      !isa<RankedTensorType>(op.getDpsInputOperand(0)->get().getType()) ||
      op.getNumLoops() != op.getNumParallelLoops() ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap m) { return m.isPermutation(); }))
    return false;
  Operation *end = op.getBlock()->getTerminator();
  return hasNoEffects(*op.getBlock()) && end->getNumOperands() == 1 &&
         end->getOperand(0) == op.getMatchingBlockArgument(op.getDpsInputOperand(0));
}

Result<Rearrangement> detail::readPermutation(linalg::LinalgOp op, const Shape &shape) {
  AffineMap in = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  Shape perm;
  for (unsigned dim = 0; dim < out.getNumResults(); ++dim)
    perm.push_back(*in.getResultPosition(out.getResult(dim)));
  return permutation(shape, perm);
}

/// The permutation that `attribute` states, the identity where it is empty.
static Shape permOf(ArrayRef<int64_t> attribute, size_t rank) {
  Shape perm(attribute.begin(), attribute.end());
  for (size_t dim = perm.size(); dim < rank; ++dim)
    perm.push_back(dim);
  return perm;
}

/// `unpacked` split into tiles of `inner` along `positions` (its extents rounded
/// up, which shows as a pad): outer digits in the order `perm`, then the inner ones.
static Result<Rearrangement> tile(const Shape &unpacked, const Shape &perm,
                                  ArrayRef<int64_t> positions, const Shape &inner) {
  Rearrangement r = blank(unpacked, unpacked);
  r.operandGroups = singles(unpacked.size());
  r.pad.resize(unpacked.size());
  for (int64_t dim : perm)
    r.resultGroups.push_back({static_cast<unsigned>(dim)});
  for (auto [dim, extent] : llvm::zip_equal(positions, inner)) {
    if (extent <= 0)
      return unsupported("expects tiles of 1 or more");
    unsigned digit = r.digits.size();
    int64_t outer = ceilDiv(unpacked[dim], extent);
    std::optional<int64_t> whole = checkedMul(outer, extent);
    if (!whole)
      return overflow();
    r.digits[dim].extent = outer;
    r.digits.push_back({"d" + std::to_string(digit), extent});
    r.operandGroups[dim].push_back(digit);
    r.resultGroups.push_back({digit});
    r.pad[dim].high = *whole - unpacked[dim];
  }
  return finish(std::move(r));
}

Result<Movement> detail::readPack(linalg::PackOp op, const Shape &shape) {
  Result<Shape> inner = constants(op.getMixedTiles(), "tiles");
  if (!inner)
    return inner.error();
  TypedAttr fill;
  if (op.getPaddingValue()) {
    Result<TypedAttr> read = readFill(op.getPaddingValue());
    if (!read)
      return read.error();
    fill = *read;
  }
  Result<Rearrangement> r =
      tile(shape, permOf(op.getOuterDimsPerm(), shape.size()), op.getInnerDimsPos(), *inner);
  if (!r)
    return r.error();
  return Movement{r.take(), fill};
}

Result<Rearrangement> detail::readUnpack(linalg::UnPackOp op, const Shape &shape) {
  Result<Shape> inner = constants(op.getMixedTiles(), "tiles");
  std::optional<Shape> output = getStaticExtents(op.getDest().getType());
  if (!inner)
    return inner.error();
  if (!output)
    return unsupported("expects a destination of static shape");
  // All that the tiles hold; the destination may be smaller.
  Shape perm = permOf(op.getOuterDimsPerm(), output->size()), whole(output->size());
  for (size_t dim = 0; dim < perm.size(); ++dim)
    whole[perm[dim]] = shape[dim];
  for (auto [dim, extent] : llvm::zip_equal(op.getInnerDimsPos(), *inner))
    if (std::optional<int64_t> product = checkedMul(whole[dim], extent))
      whole[dim] = *product;
    else
      return overflow();
  Result<Rearrangement> packed = tile(whole, perm, op.getInnerDimsPos(), *inner);
  Result<Rearrangement> unpacked = packed ? inverse(*packed) : packed;
  if (!unpacked)
    return unpacked;
  for (size_t dim = 0; dim < whole.size(); ++dim)
    unpacked->crop[dim].high = whole[dim] - (*output)[dim];
  return finish(unpacked.take());
}

} // namespace relayout
