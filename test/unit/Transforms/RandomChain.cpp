// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RandomChain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "relayout/IR/Relayout.h"

#include <numeric>

using namespace mlir;
using namespace relayout;
using namespace relayout::test;

namespace {

constexpr int64_t kMaxElements = 3000;

class ChainBuilder {
public:
  ChainBuilder(ImplicitLocOpBuilder &builder, Random &random) : b(builder), random(random) {}

  /// `source` or the result of one more operation on it.
  Value step(Value source);

private:
  static SmallVector<int64_t> shapeOf(Value value) {
    return SmallVector<int64_t>(cast<RankedTensorType>(value.getType()).getShape());
  }
  RankedTensorType typeOf(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, b.getI32Type());
  }
  Value empty(ArrayRef<int64_t> shape) { return tensor::EmptyOp::create(b, shape, b.getI32Type()); }
  Value fill() {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(random.chance(90) ? -1 : -2));
  }
  SmallVector<int64_t> perm(size_t rank);

  Value expand(Value source);
  Value collapse(Value source);
  Value transpose(Value source);
  Value transposeBack(Value source);
  Value generic(Value source);
  Value pad(Value source);
  Value slice(Value source);
  Value insert(Value source);
  Value pack(Value source);
  Value unpack(Value source);
  Value rearrange(Value source);

  ImplicitLocOpBuilder &b;
  Random &random;
};

SmallVector<int64_t> ChainBuilder::perm(size_t rank) {
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(rank));
  for (size_t i = rank; i > 1; --i)
    std::swap(perm[i - 1], perm[random.between(0, i - 1)]);
  return perm;
}

Value ChainBuilder::expand(Value source) {
  SmallVector<int64_t> shape = shapeOf(source), result;
  SmallVector<ReassociationIndices> groups;
  if (shape.size() > 6)
    return source;
  for (int64_t extent : shape) {
    ReassociationIndices &group = groups.emplace_back();
    int64_t low = extent == 0 ? 1 : random.between(1, extent);
    while (extent % low != 0)
      --low;
    SmallVector<int64_t> parts = {extent};
    if (random.chance(40))
      parts = {extent / low, low};
    for (int64_t part : parts) {
      group.push_back(result.size());
      result.push_back(part);
    }
  }
  if (shape.empty())
    result = {1, 1};
  if (result.size() == shape.size())
    return source;
  return tensor::ExpandShapeOp::create(b, typeOf(result), source, groups);
}

Value ChainBuilder::collapse(Value source) {
  SmallVector<int64_t> shape = shapeOf(source);
  if (shape.size() < 2)
    return source;
  SmallVector<ReassociationIndices> groups;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (dim == 0 || random.chance(60))
      groups.emplace_back();
    groups.back().push_back(dim);
  }
  if (groups.size() == shape.size())
    return source;
  return tensor::CollapseShapeOp::create(b, source, groups);
}

Value ChainBuilder::transpose(Value source) {
  SmallVector<int64_t> shape = shapeOf(source);
  if (shape.empty()) // MLIR's verifier does not survive a transpose of rank 0
    return source;
  SmallVector<int64_t> order = perm(shape.size());
  Value init = empty(mlir::applyPermutation(ArrayRef(shape), order));
  return linalg::TransposeOp::create(b, source, init, order)->getResult(0);
}

/// The inverse of the transpose right above, if there is one: a round trip.
Value ChainBuilder::transposeBack(Value source) {
  auto above = source.getDefiningOp<linalg::TransposeOp>();
  if (!above)
    return source;
  Value init = empty(shapeOf(above.getInput()));
  return linalg::TransposeOp::create(b, source, init,
                                     invertPermutationVector(above.getPermutation()))
      ->getResult(0);
}

Value ChainBuilder::generic(Value source) {
  SmallVector<int64_t> shape = shapeOf(source);
  size_t rank = shape.size();
  AffineMap in = AffineMap::getPermutationMap(perm(rank), b.getContext());
  AffineMap out = AffineMap::getPermutationMap(perm(rank), b.getContext());
  if (rank == 0)
    return source;
  SmallVector<int64_t> loops = inversePermutation(in).compose(shape);
  Value init = empty(out.compose(loops));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  auto body = [](OpBuilder &builder, Location loc, ValueRange arguments) {
    linalg::YieldOp::create(builder, loc, arguments[0]);
  };
  return linalg::GenericOp::create(b, init.getType(), source, init, ArrayRef{in, out}, iterators,
                                   body)
      ->getResult(0);
}

Value ChainBuilder::pad(Value source) {
  SmallVector<int64_t> shape = shapeOf(source);
  SmallVector<OpFoldResult> low, high;
  for (int64_t &extent : shape) {
    int64_t before = random.chance(30) ? random.between(0, 3) : 0;
    int64_t after = random.chance(30) ? random.between(0, 3) : 0;
    low.push_back(b.getIndexAttr(before));
    high.push_back(b.getIndexAttr(after));
    extent += before + after;
  }
  return tensor::PadOp::create(b, typeOf(shape), source, low, high, fill());
}

Value ChainBuilder::slice(Value source) {
  SmallVector<int64_t> shape = shapeOf(source), result;
  SmallVector<OpFoldResult> offsets, sizes, strides;
  if (llvm::is_contained(shape, 0)) // a slice of no elements does not verify
    return source;
  for (int64_t extent : shape) {
    int64_t size = random.chance(40) ? random.between(random.chance(5) ? 0 : 1, extent) : extent;
    int64_t offset = size == 0 ? 0 : random.between(0, extent - size);
    offsets.push_back(b.getIndexAttr(offset));
    sizes.push_back(b.getIndexAttr(size));
    strides.push_back(b.getIndexAttr(1));
    if (size != 1 || random.chance(50))
      result.push_back(size);
  }
  return tensor::ExtractSliceOp::create(b, typeOf(result), source, offsets, sizes, strides);
}

Value ChainBuilder::insert(Value source) {
  SmallVector<int64_t> shape = shapeOf(source), whole;
  SmallVector<OpFoldResult> offsets, sizes, strides;
  if (llvm::is_contained(shape, 0))
    return source;
  auto add = [&](int64_t size) {
    int64_t offset = random.chance(50) ? random.between(0, 3) : 0;
    whole.push_back(offset + size + (random.chance(50) ? random.between(0, 3) : 0));
    offsets.push_back(b.getIndexAttr(offset));
    sizes.push_back(b.getIndexAttr(size));
    strides.push_back(b.getIndexAttr(1));
  };
  for (int64_t extent : shape) {
    if (random.chance(10))
      add(1);
    add(extent);
  }
  Value dest;
  if (random.chance(50))
    dest = linalg::FillOp::create(b, fill(), empty(whole))->getResult(0);
  else
    dest = arith::ConstantOp::create(b, DenseElementsAttr::get(typeOf(whole), -1));
  return tensor::InsertSliceOp::create(b, source, dest, offsets, sizes, strides);
}

Value ChainBuilder::pack(Value source) {
  SmallVector<int64_t> shape = shapeOf(source);
  SmallVector<int64_t> positions = perm(shape.size()), order = perm(shape.size());
  positions.resize(shape.empty() ? 0 : random.between(1, std::min<int64_t>(shape.size(), 3)));
  SmallVector<OpFoldResult> tiles;
  for ([[maybe_unused]] int64_t dim : positions)
    tiles.push_back(b.getIndexAttr(random.between(1, 5)));
  if (positions.empty() || llvm::is_contained(shape, 0))
    return source;
  Value dest =
      linalg::PackOp::createDestinationTensor(b, b.getLoc(), source, tiles, positions, order);
  return linalg::PackOp::create(b, source, dest, positions, tiles, fill(), order)->getResult(0);
}

Value ChainBuilder::unpack(Value source) {
  SmallVector<int64_t> shape = shapeOf(source);
  if (shape.size() < 2 || llvm::is_contained(shape, 0))
    return source;
  size_t rank = random.between((shape.size() + 1) / 2, shape.size() - 1);
  SmallVector<int64_t> positions = perm(rank), order = perm(rank);
  positions.resize(shape.size() - rank);
  SmallVector<int64_t> result(rank);
  for (size_t dim = 0; dim < rank; ++dim)
    result[order[dim]] = shape[dim];
  SmallVector<OpFoldResult> tiles;
  for (size_t tile = 0; tile < positions.size(); ++tile) {
    int64_t &extent = result[positions[tile]];
    extent = extent * shape[rank + tile] - random.between(0, shape[rank + tile] - 1);
    tiles.push_back(b.getIndexAttr(shape[rank + tile]));
  }
  return linalg::UnPackOp::create(b, source, empty(result), positions, tiles, order)->getResult(0);
}

Value ChainBuilder::rearrange(Value source) {
  SmallVector<int64_t> shape = shapeOf(source);
  Rearrangement r = random.rearrangement({shape.begin(), shape.end()}, Options());
  return RearrangeOp::create(b, typeOf(r.resultShape()), source, Value(), r,
                             b.getI32IntegerAttr(-1))
      ->getResult(0);
}

Value ChainBuilder::step(Value source) {
  switch (random.between(0, 13)) {
  case 0:
  case 1:
    return expand(source);
  case 2:
  case 3:
    return collapse(source);
  case 4:
  case 5:
    return transpose(source);
  case 6:
    return transposeBack(source);
  case 7:
    return generic(source);
  case 8:
    return pad(source);
  case 9:
    return slice(source);
  case 10:
    return insert(source);
  case 11:
    return pack(source);
  case 12:
    return unpack(source);
  default:
    return rearrange(source);
  }
}

/// An empty function from a tensor of `shape`, with the builder inside.
func::FuncOp beginKernel(ImplicitLocOpBuilder &builder, ModuleOp module, ArrayRef<int64_t> shape) {
  builder.setInsertionPointToEnd(module.getBody());
  Type type = RankedTensorType::get(shape, builder.getI32Type());
  auto function = func::FuncOp::create(builder, "kernel", builder.getFunctionType(type, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  return function;
}

void endKernel(ImplicitLocOpBuilder &builder, func::FuncOp function, ValueRange results) {
  func::ReturnOp::create(builder, results);
  function.setFunctionType(
      builder.getFunctionType(function.getArgumentTypes(), results.getTypes()));
}

} // namespace

OwningOpRef<ModuleOp> relayout::test::randomChain(MLIRContext &context, Random &random,
                                                  int64_t length) {
  ImplicitLocOpBuilder builder(UnknownLoc::get(&context), &context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getLoc());
  Options options;
  options.maxElements = 300;
  std::vector<int64_t> shape = random.shape(options);
  func::FuncOp function = beginKernel(builder, *module, shape);
  ChainBuilder chain(builder, random);
  SmallVector<Value> results = {function.getArgument(0)};
  Block &block = function.getBody().front();
  while (length-- > 0) {
    Value next = chain.step(results.front());
    auto type = cast<RankedTensorType>(next.getType());
    if (type.getNumElements() > kMaxElements || type.getRank() > 8) {
      while (!block.empty() && &block.back() != results.front().getDefiningOp())
        block.back().erase();
      continue;
    }
    if (random.chance(10))
      results.push_back(results.front());
    results.front() = next;
  }
  endKernel(builder, function, results);
  return module;
}

OwningOpRef<ModuleOp> relayout::test::kernelOf(MLIRContext &context,
                                               const Rearrangement &rearrangement) {
  ImplicitLocOpBuilder builder(UnknownLoc::get(&context), &context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getLoc());
  func::FuncOp function = beginKernel(builder, *module, rearrangement.operandShape);
  Type type = RankedTensorType::get(rearrangement.resultShape(), builder.getI32Type());
  auto op = RearrangeOp::create(builder, type, function.getArgument(0), Value(), rearrangement,
                                builder.getI32IntegerAttr(-1));
  endKernel(builder, function, op->getResults());
  return module;
}
