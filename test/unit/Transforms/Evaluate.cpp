// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "relayout/IR/Relayout.h"
#include "relayout/Layout/Reference.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <functional>
#include <numeric>
#include <optional>

using namespace mlir;
using namespace relayout;

namespace {

using Elements = std::vector<int32_t>;
using Index = SmallVector<int64_t>;

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

int64_t flatten(ArrayRef<int64_t> shape, ArrayRef<int64_t> index) {
  int64_t flat = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    flat = flat * shape[dim] + index[dim];
  return flat;
}

/// The elements of a tensor of `shape`: `element` of each index, in row-major order.
Elements generate(ArrayRef<int64_t> shape, llvm::function_ref<int32_t(ArrayRef<int64_t>)> element) {
  int64_t count = std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
  Elements elements;
  for (int64_t flat = 0; flat < count; ++flat) {
    Index index(shape.size());
    for (int64_t rest = flat, dim = shape.size(); dim-- > 0; rest /= shape[dim])
      index[dim] = rest % shape[dim];
    elements.push_back(element(index));
  }
  return elements;
}

class Evaluator {
public:
  std::optional<Elements> run(Operation *op);
  DenseMap<Value, Elements> values;

private:
  int32_t at(Value tensor, ArrayRef<int64_t> index) {
    return values[tensor][flatten(shapeOf(tensor), index)];
  }
  Elements pad(tensor::PadOp op);
  Elements insert(tensor::InsertSliceOp op);
  Elements permute(linalg::LinalgOp op);
  Elements pack(linalg::PackOp op);
  Elements unpack(linalg::UnPackOp op);
  Elements rearrange(RearrangementOpInterface op);
};

/// Of the dimensions of `whole`, those that are not in `dropped`.
Index keep(ArrayRef<int64_t> whole, const llvm::SmallBitVector &dropped) {
  Index kept;
  for (auto [dim, value] : llvm::enumerate(whole))
    if (!dropped.test(dim))
      kept.push_back(value);
  return kept;
}

bool isWithin(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  return llvm::all_of(llvm::zip_equal(index, shape), [](auto pair) {
    return std::get<0>(pair) >= 0 && std::get<0>(pair) < std::get<1>(pair);
  });
}

Elements Evaluator::pad(tensor::PadOp op) {
  auto yield = cast<tensor::YieldOp>(op.getBody()->getTerminator());
  int32_t fill = values[yield.getValue()][0];
  return generate(shapeOf(op.getResult()), [&](ArrayRef<int64_t> index) {
    Index inner;
    for (auto [place, low] : llvm::zip_equal(index, op.getStaticLow()))
      inner.push_back(place - low);
    return isWithin(inner, shapeOf(op.getSource())) ? at(op.getSource(), inner) : fill;
  });
}

Elements Evaluator::insert(tensor::InsertSliceOp op) {
  return generate(shapeOf(op.getResult()), [&](ArrayRef<int64_t> index) {
    Index inner;
    for (auto [place, offset] : llvm::zip_equal(index, op.getStaticOffsets()))
      inner.push_back(place - offset);
    return isWithin(inner, op.getStaticSizes())
               ? at(op.getSource(), keep(inner, op.getDroppedDims()))
               : at(op.getDest(), index);
  });
}

Elements Evaluator::permute(linalg::LinalgOp op) {
  AffineMap in = op.getIndexingMapsArray()[0], out = op.getIndexingMapsArray()[1];
  return generate(shapeOf(op->getResult(0)), [&](ArrayRef<int64_t> index) {
    Index loops = inversePermutation(out).compose(index);
    return at(op.getDpsInputs()[0], in.compose(loops));
  });
}

/// The index that a packed one stands for: (outer dimensions, tiles).
Index unpackedIndex(ArrayRef<int64_t> packed, size_t rank, ArrayRef<int64_t> perm,
                    ArrayRef<int64_t> positions, ArrayRef<int64_t> tiles) {
  Index index(rank);
  for (size_t dim = 0; dim < rank; ++dim)
    index[perm.empty() ? dim : perm[dim]] = packed[dim];
  for (size_t tile = 0; tile < tiles.size(); ++tile)
    index[positions[tile]] = index[positions[tile]] * tiles[tile] + packed[rank + tile];
  return index;
}

Elements Evaluator::pack(linalg::PackOp op) {
  ArrayRef<int64_t> shape = shapeOf(op.getSource());
  return generate(shapeOf(op.getResult()), [&](ArrayRef<int64_t> packed) {
    Index index = unpackedIndex(packed, shape.size(), op.getOuterDimsPerm(), op.getInnerDimsPos(),
                                op.getStaticInnerTiles());
    return isWithin(index, shape) ? at(op.getSource(), index) : values[op.getPaddingValue()][0];
  });
}

Elements Evaluator::unpack(linalg::UnPackOp op) {
  ArrayRef<int64_t> shape = shapeOf(op.getResult());
  Elements elements(std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>()));
  generate(shapeOf(op.getSource()), [&](ArrayRef<int64_t> packed) {
    Index index = unpackedIndex(packed, shape.size(), op.getOuterDimsPerm(), op.getInnerDimsPos(),
                                op.getStaticInnerTiles());
    if (isWithin(index, shape))
      elements[flatten(shape, index)] = at(op.getSource(), packed);
    return 0;
  });
  return elements;
}

Elements Evaluator::rearrange(RearrangementOpInterface op) {
  int32_t fill = cast<IntegerAttr>(op.getPadValueOrZero()).getInt();
  Elements elements;
  for (int64_t source : referenceMap(*op.getRearrangement()))
    elements.push_back(source < 0 ? fill : values[op.getSource()][source]);
  return elements;
}

std::optional<Elements> Evaluator::run(Operation *op) {
  using Known = std::optional<Elements>;
  return llvm::TypeSwitch<Operation *, Known>(op)
      .Case([&](arith::ConstantOp o) -> Known {
        if (auto scalar = dyn_cast<IntegerAttr>(o.getValue()))
          return Elements{static_cast<int32_t>(scalar.getInt())};
        auto dense = cast<DenseElementsAttr>(o.getValue());
        return Elements(dense.value_begin<int32_t>(), dense.value_end<int32_t>());
      })
      .Case([&](tensor::EmptyOp o) -> Known {
        return generate(shapeOf(o), [](ArrayRef<int64_t>) { return 0; });
      })
      .Case([&](linalg::FillOp o) -> Known {
        return generate(shapeOf(o.getResult(0)),
                        [&](ArrayRef<int64_t>) { return values[o.getInputs()[0]][0]; });
      })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](auto o) -> Known { return values[o.getSrc()]; })
      .Case([&](tensor::CastOp o) -> Known { return values[o.getSource()]; })
      .Case([&](tensor::PadOp o) -> Known { return pad(o); })
      .Case([&](tensor::ExtractSliceOp o) -> Known {
        // Dropped dimensions have extent 1, so the elements are those of the whole slice.
        return generate(o.getStaticSizes(), [&](ArrayRef<int64_t> index) {
          Index outer;
          for (auto [place, offset] : llvm::zip_equal(index, o.getStaticOffsets()))
            outer.push_back(place + offset);
          return at(o.getSource(), outer);
        });
      })
      .Case([&](tensor::InsertSliceOp o) -> Known { return insert(o); })
      .Case([&](linalg::PackOp o) -> Known { return pack(o); })
      .Case([&](linalg::UnPackOp o) -> Known { return unpack(o); })
      .Case([&](RearrangementOpInterface o) -> Known { return rearrange(o); })
      .Case<linalg::TransposeOp, linalg::GenericOp, linalg::CopyOp>(
          [&](auto o) -> Known { return permute(cast<linalg::LinalgOp>(o.getOperation())); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace

std::vector<Elements> relayout::test::evaluate(func::FuncOp function) {
  Evaluator evaluator;
  Value argument = function.getArgument(0);
  int32_t next = 0;
  evaluator.values[argument] =
      generate(shapeOf(argument), [&](ArrayRef<int64_t>) { return ++next; });
  for (Operation &op : function.getBody().front().without_terminator()) {
    std::optional<Elements> result = evaluator.run(&op);
    if (!result)
      return {};
    evaluator.values[op.getResult(0)] = std::move(*result);
  }
  std::vector<Elements> results;
  for (Value value : function.getBody().front().getTerminator()->getOperands())
    results.push_back(evaluator.values[value]);
  return results;
}
