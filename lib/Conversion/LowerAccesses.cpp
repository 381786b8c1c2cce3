// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Address.h"
#include "EraseUnused.h"

#include "relayout/Conversion/KernelAbi.h"
#include "relayout/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace relayout {
#define GEN_PASS_DEF_LOWERACCESSESPASS
#include "relayout/Conversion/Passes.h.inc"
} // namespace relayout

using namespace mlir;
using namespace relayout;

namespace {

/// An access to memory, of vectors that LLVM has where it is of vectors.
bool isAccess(Operation *op) {
  bool isVectorAccess =
      isa<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp, vector::MaskedStoreOp>(op);
  auto isKnown = [](Type type) { return !isa<VectorType>(type) || LLVM::isCompatibleType(type); };
  return isa<memref::LoadOp, memref::StoreOp, memref::PrefetchOp,
             memref::ExtractAlignedPointerAsIndexOp>(op) ||
         (isVectorAccess && llvm::all_of(op->getOperandTypes(), isKnown) &&
          llvm::all_of(op->getResultTypes(), isKnown));
}

/// Flat memory of some elements, the first of which is `offset` from a parameter.
struct View {
  Value memref;
  Type element;
  int64_t offset;
};

/// The views of a parameter, itself among them; failure if it is used for more than
/// accesses to flat memory of LLVM's types.
FailureOr<SmallVector<View>> findViews(BlockArgument parameter) {
  SmallVector<View> views;
  auto whole = cast<MemRefType>(parameter.getType());
  if (whole.getMemorySpace() || !LLVM::isCompatibleType(whole.getElementType()))
    return failure();
  if (whole.getRank() == 1 && whole.getLayout().isIdentity())
    views.push_back({parameter, whole.getElementType(), 0});
  for (Operation *user : parameter.getUsers()) {
    auto cast = dyn_cast<memref::ReinterpretCastOp>(user);
    if (!cast && !(isAccess(user) && !views.empty()))
      return failure();
    if (!cast)
      continue;
    MemRefType type = cast.getType();
    if (type.getRank() != 1 || !type.hasStaticShape() || cast.getStaticStrides()[0] != 1 ||
        ShapedType::isDynamic(cast.getStaticOffsets()[0]) ||
        !llvm::all_of(cast->getUsers(), isAccess))
      return failure();
    views.push_back({cast, type.getElementType(), cast.getStaticOffsets()[0]});
  }
  return views;
}

class Accesses {
public:
  explicit Accesses(BlockArgument pointer) : pointer(pointer) {}

  /// Replaces `op`, whose operand is `view`.
  void lower(Operation *op, const View &view) {
    OpBuilder b(op);
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](vector::LoadOp load) {
          replace(load, LLVM::LoadOp::create(b, loc(op), load.getType(), at(b, load, view),
                                             alignment(load, view)));
        })
        .Case([&](vector::StoreOp store) {
          LLVM::StoreOp::create(b, loc(op), store.getValueToStore(), at(b, store, view),
                                alignment(store, view), /*isVolatile=*/false,
                                store.getNontemporal());
          store.erase();
        })
        .Case([&](memref::LoadOp load) {
          replace(load, LLVM::LoadOp::create(b, loc(op), load.getType(), at(b, load, view)));
        })
        .Case([&](memref::StoreOp store) {
          LLVM::StoreOp::create(b, loc(op), store.getValueToStore(), at(b, store, view));
          store.erase();
        })
        .Case([&](vector::MaskedLoadOp load) {
          replace(load, LLVM::MaskedLoadOp::create(b, loc(op), load.getType(), at(b, load, view),
                                                   load.getMask(), load.getPassThru(),
                                                   load.getAlignment().value_or(1)));
        })
        .Case([&](vector::MaskedStoreOp store) {
          LLVM::MaskedStoreOp::create(b, loc(op), store.getValueToStore(), at(b, store, view),
                                      store.getMask(), store.getAlignment().value_or(1));
          store.erase();
        })
        .Case([&](memref::PrefetchOp prefetch) {
          LLVM::Prefetch::create(b, loc(op), at(b, prefetch, view), prefetch.getIsWrite(),
                                 prefetch.getLocalityHint(), prefetch.getIsDataCache());
          prefetch.erase();
        })
        .Case([&](memref::ExtractAlignedPointerAsIndexOp extract) {
          Value number = LLVM::PtrToIntOp::create(b, loc(op), b.getI64Type(), pointer);
          replace(extract, arith::IndexCastOp::create(b, loc(op), b.getIndexType(), number));
        });
  }

private:
  static Location loc(Operation *op) { return op->getLoc(); }

  static void replace(Operation *op, Operation *by) {
    op->replaceAllUsesWith(by);
    op->erase();
  }

  /// What is not said is that of an element: vectors lie at any.
  template <typename Access> static unsigned alignment(Access op, const View &view) {
    return op.getAlignment().value_or(DataLayout::closest(op).getTypeABIAlignment(view.element));
  }

  /// The address that `op` accesses; what adds a constant to its index goes with it.
  template <typename Access> Value at(OpBuilder &b, Access op, const View &view) {
    Value index = op.getIndices().front();
    int64_t offset = view.offset;
    if (auto sum = index.template getDefiningOp<arith::AddIOp>()) {
      IntegerAttr constant;
      if (matchPattern(sum.getRhs(), m_Constant(&constant))) {
        index = sum.getLhs();
        offset += constant.getInt();
      }
    }
    Value base = baseOf(index, view.element);
    return offset == 0 ? base : advance(b, op.getLoc(), view.element, base, offset);
  }

  /// The address of the element at `index`, known where the index is.
  Value baseOf(Value index, Type element) {
    Value &base = bases[{index, element}];
    if (!base) {
      OpBuilder b(index.getContext());
      b.setInsertionPointAfterValue(index);
      Value number = arith::IndexCastOp::create(b, index.getLoc(), b.getI64Type(), index);
      base = LLVM::GEPOp::create(b, index.getLoc(), pointer.getType(), element, pointer, number);
    }
    return base;
  }

  BlockArgument pointer;
  llvm::DenseMap<std::pair<Value, Type>, Value> bases;
};

/// A parameter of a kernel and its views.
struct Parameter {
  BlockArgument argument;
  SmallVector<View> views;
};

/// Those of memory, if all of them are used for accesses to flat memory alone.
FailureOr<SmallVector<Parameter>> findParameters(func::FuncOp function) {
  SmallVector<Parameter> parameters;
  for (BlockArgument argument : function.getArguments()) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    FailureOr<SmallVector<View>> views = findViews(argument);
    if (failed(views))
      return failure();
    parameters.push_back({argument, *views});
  }
  return parameters;
}

void lowerParameter(const Parameter &parameter) {
  Accesses accesses(parameter.argument);
  for (const View &view : parameter.views) {
    for (Operation *user : llvm::make_early_inc_range(view.memref.getUsers()))
      if (isAccess(user))
        accesses.lower(user, view);
  }
  for (const View &view : parameter.views)
    if (Operation *cast = view.memref.getDefiningOp())
      cast->erase();
}

struct LowerAccesses : relayout::impl::LowerAccessesPassBase<LowerAccesses> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!isKernel(function))
      return;
    FailureOr<SmallVector<Parameter>> parameters = findParameters(function);
    if (failed(parameters))
      return;
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    for (Parameter &parameter : *parameters) {
      parameter.argument.setType(pointer);
      lowerParameter(parameter);
    }
    function.setType(FunctionType::get(&getContext(), function.getBody().getArgumentTypes(),
                                       function.getResultTypes()));
    // The sums, and their constants, that went into addresses.
    eraseUnused(function.getBody());
  }
};

} // namespace
