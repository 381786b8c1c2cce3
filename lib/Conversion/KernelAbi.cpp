// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Conversion/KernelAbi.h"

#include "StridedView.h"

#include "relayout/Conversion/Passes.h"
#include "relayout/IR/Relayout.h"
#include "relayout/Layout/KernelForm.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

#include <algorithm>

namespace relayout {
#define GEN_PASS_DEF_KERNELABIPASS
#include "relayout/Conversion/Passes.h.inc"
} // namespace relayout

using namespace mlir;
using namespace relayout;

std::optional<int64_t> relayout::getKernelFact(Operation *function, StringRef name) {
  auto facts = function->getAttrOfType<DictionaryAttr>(kKernelAttrName);
  auto value = facts ? facts.getAs<IntegerAttr>(name) : IntegerAttr();
  return value ? value.getValue().trySExtValue() : std::nullopt;
}

FailureOr<std::optional<int64_t>> relayout::getKernelAlignment(Operation *function) {
  constexpr int64_t kMost = 4096;
  std::optional<int64_t> bytes = getKernelFact(function, fact::kAlignment);
  if (bytes && (*bytes < 1 || *bytes > kMost || !llvm::isPowerOf2_64(*bytes)))
    return function->emitOpError("expects an alignment of a power of two of bytes, at most ")
           << kMost << ", but got " << *bytes;
  return bytes;
}

void relayout::setKernelFact(Operation *function, StringRef name, int64_t value) {
  NamedAttrList facts(function->getAttrOfType<DictionaryAttr>(kKernelAttrName));
  facts.set(name, Builder(function->getContext()).getI64IntegerAttr(value));
  function->setAttr(kKernelAttrName, facts.getDictionary(function->getContext()));
}

namespace {

/// What the body of a function that is one rearrangement comes to.
struct Body {
  Operation *op;
  Rearrangement rearrangement;
  TypedAttr padValue; ///< null for zero
  ShapedType in;
  ShapedType out;
};

/// One side of a kernel: its memref of signless integers and its size.
struct Side {
  MemRefType type;
  int64_t bytes;
};

/// The only operation of `function`. Where there are more, the error is of the one
/// that tells a reader most: work of another kind, or the second rearrangement,
/// rather than the buffer between two operations, or a constant, which has no place in a file.
FailureOr<Operation *> findOnlyOperation(func::FuncOp function) {
  SmallVector<Operation *> moves, operands, others;
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (isa<RearrangementOpInterface, memref::CopyOp>(op))
      moves.push_back(&op);
    else if (isa<memref::AllocOp>(op) || op.hasTrait<OpTrait::ConstantLike>())
      operands.push_back(&op);
    else
      others.push_back(&op);
  }
  Operation *left = !others.empty()     ? others.front()
                    : moves.size() > 1  ? moves[1]
                    : !operands.empty() ? operands.front()
                                        : nullptr;
  if (left)
    return left->emitOpError("is left in a kernel, which expects one rearrangement from its "
                             "operand to its result and nothing else");
  if (moves.empty())
    return function.emitOpError("expects one rearrangement in a kernel, but there is none");
  return moves.front();
}

/// The two sides of `function`, if it was a copy of no elements: upstream folds it away.
std::optional<std::pair<MemRefType, MemRefType>> matchEmptyCopy(func::FuncOp function) {
  if (function.getNumArguments() != 2 || function.getNumResults() != 0 ||
      !isa<func::ReturnOp>(function.getBody().front().front()))
    return std::nullopt;
  auto in = dyn_cast<MemRefType>(function.getArgumentTypes()[0]);
  auto out = dyn_cast<MemRefType>(function.getArgumentTypes()[1]);
  if (!in || !out || in.getShape() != out.getShape() ||
      in.getElementType() != out.getElementType() || !llvm::is_contained(in.getShape(), 0))
    return std::nullopt;
  return std::pair(in, out);
}

/// The operation and the values that it joins, if `function` has the right form.
FailureOr<Body> matchBody(func::FuncOp function) {
  if (auto sides = matchEmptyCopy(function)) {
    auto [in, out] = *sides;
    return Body{function, identityRearrangement(in.getShape().vec()), {}, in, out};
  }
  FailureOr<Operation *> found = findOnlyOperation(function);
  if (failed(found))
    return failure();
  Operation *op = *found;
  Operation *terminator = function.getBody().front().getTerminator();
  Value source = op->getOperand(0), target;
  auto rearrangement = dyn_cast<RearrangementOpInterface>(op);
  bool onTensors = rearrangement && rearrangement.hasTensorForm();
  unsigned arguments = onTensors && !rearrangement.getDest() ? 1 : 2;
  target = onTensors ? op->getResult(0) : op->getOperand(1);
  bool joined = isa<func::ReturnOp>(terminator) && function.getNumArguments() == arguments &&
                source == function.getArgument(0) &&
                (arguments == 1 || op->getOperand(1) == function.getArgument(1)) &&
                function.getNumResults() == (onTensors ? 1 : 0) &&
                (!onTensors || terminator->getOperand(0) == target);
  if (!joined)
    return op->emitOpError("expects to lead from the only operand of its function to the only "
                           "result");
  for (Type side : {source.getType(), target.getType()})
    if (!cast<ShapedType>(side).hasStaticShape())
      return op->emitOpError("expects static extents, strides and offset, but got ") << side;

  Body body{op, {}, {}, cast<ShapedType>(source.getType()), cast<ShapedType>(target.getType())};
  if (!rearrangement) {
    body.rearrangement = identityRearrangement(body.in.getShape().vec());
    return body;
  }
  Result<Rearrangement> meaning = rearrangement.getRearrangement();
  if (!meaning)
    return op->emitOpError(meaning.error().message);
  body.rearrangement = meaning.take();
  body.padValue = rearrangement.getPadValue();
  return body;
}

/// `type` in the parts of `form`, and the bytes that it spans.
FailureOr<Side> convertSide(Operation *op, ShapedType type, const KernelForm &form) {
  Type element = IntegerType::get(op->getContext(), form.width * 8);
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    memref = MemRefType::get(type.getShape(), type.getElementType());
  FailureOr<StridedView> view = getStridedView(op, memref);
  if (failed(view))
    return failure();
  SmallVector<int64_t> shape(memref.getShape());
  if (form.parts > 1)
    shape.push_back(form.parts);
  MemRefLayoutAttrInterface layout;
  if (view->span == 0) {
    // The lowering of bare pointers needs strides, which upstream finds in a type
    // without elements only if they are spelled out.
    layout = StridedLayoutAttr::get(op->getContext(), 0, SmallVector<int64_t>(shape.size(), 1));
  } else if (!memref.getLayout().isIdentity()) {
    auto [strides, offset] = memref.getStridesAndOffset();
    layout = StridedLayoutAttr::get(op->getContext(), offset * form.parts,
                                    stridesOfParts(form, {strides.begin(), strides.end()}));
  }
  return Side{MemRefType::get(shape, element, layout, memref.getMemorySpace()),
              (view->offset + view->span) * form.width * form.parts};
}

/// Replaces signature and body of `function`.
void rebuild(func::FuncOp function, const Rearrangement &rearrangement, Location loc,
             const Side &in, const Side &out, IntegerAttr padValue) {
  OpBuilder b(function.getContext());
  Type scratch = MemRefType::get({0}, b.getI8Type());
  Type index = b.getIndexType();
  SmallVector<Type> inputs = {in.type, out.type, scratch, index, index};
  function.getBody().dropAllReferences();
  function.getBody().getBlocks().clear();
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();
  function.setFunctionType(b.getFunctionType(inputs, {}));
  Block *block = function.addEntryBlock();
  b.setInsertionPointToStart(block);
  RearrangeOp::create(b, loc, Type(), block->getArgument(kIn), block->getArgument(kOut),
                      rearrangement, padValue);
  func::ReturnOp::create(b, loc);
}

struct KernelAbi : relayout::impl::KernelAbiPassBase<KernelAbi> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isDeclaration() || isKernel(function))
      return;
    if (failed(convert(function)))
      signalPassFailure();
  }

  LogicalResult convert(func::FuncOp function) {
    if (!function.getBody().hasOneBlock())
      return function.emitOpError("expects one block in a kernel, but there are ")
             << function.getBody().getBlocks().size();
    FailureOr<Body> body = matchBody(function);
    if (failed(body))
      return failure();
    Result<const ElementType *> element = getElementTypeInfo(body->in.getElementType());
    if (!element)
      return body->op->emitOpError(element.error().message);
    int64_t width = (*element)->width;
    std::optional<APInt> fill;
    if (body->padValue && !isZeroElement(body->padValue))
      fill = getElementBits(body->padValue)->zextOrTrunc(width * 8);
    KernelForm form = kernelForm(body->rearrangement, width, fill ? fill->getRawData() : nullptr);
    FailureOr<Side> in = convertSide(body->op, body->in, form);
    FailureOr<Side> out = convertSide(body->op, body->out, form);
    if (failed(in) || failed(out))
      return failure();
    IntegerAttr padValue;
    if (fill)
      padValue = IntegerAttr::get(in->type.getElementType(), fill->trunc(form.width * 8));
    int64_t alignment =
        (*element)->kind == ElementKind::Complex ? width / 2 : std::min<int64_t>(width, 8);
    rebuild(function, form.rearrangement, body->op->getLoc(), *in, *out, padValue);
    setKernelFact(function, fact::kAlignment, alignment);
    setKernelFact(function, fact::kInputBytes, in->bytes);
    setKernelFact(function, fact::kOutputBytes, out->bytes);
    setKernelFact(function, fact::kScratchBytes, 0);
    return success();
  }
};

} // namespace
