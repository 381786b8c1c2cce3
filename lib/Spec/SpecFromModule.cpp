// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/IR/Relayout.h"
#include "relayout/Spec/Module.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace relayout;

static Error refused(const std::string &found) {
  return Error{ErrorCode::Unsupported,
               "expects a module of one function that returns one rearrangement of its argument, "
               "but " +
                   found};
}

/// The one function, of one block and one argument, or an error.
static Result<mlir::func::FuncOp> findFunction(mlir::ModuleOp module) {
  auto functions = llvm::to_vector(module.getOps<mlir::func::FuncOp>());
  if (functions.size() != 1)
    return refused("it has " + std::to_string(functions.size()) + " functions");
  mlir::func::FuncOp function = functions.front();
  if (function.isExternal())
    return refused("the function has no body");
  if (!llvm::hasSingleElement(function.getBody()) || function.getNumArguments() != 1)
    return refused("the function has branches or another number of arguments");
  return function;
}

/// The one operation between argument and return, null where the argument is returned, or
/// an error.
static Result<RearrangementOpInterface> findOperation(mlir::func::FuncOp function) {
  RearrangementOpInterface found;
  auto holds = [](mlir::Operation &operation) {
    return refused("it holds " + operation.getName().getStringRef().str());
  };
  mlir::Operation *origin = nullptr; // of a tensor or a number; what takes it says more
  for (mlir::Operation &operation : function.getBody().front().without_terminator()) {
    if (operation.getNumOperands() == 0) {
      origin = &operation;
      continue;
    }
    auto rearrangement = llvm::dyn_cast<RearrangementOpInterface>(operation);
    if (!rearrangement || !rearrangement.hasTensorForm())
      return holds(operation);
    if (found)
      return refused("more than one remains after fusion");
    found = rearrangement;
  }
  if (origin)
    return holds(*origin);
  mlir::Value argument = function.getArgument(0);
  mlir::Operation *terminator = function.getBody().front().getTerminator();
  if ((found && found.getSource() != argument) || terminator->getNumOperands() != 1 ||
      terminator->getOperand(0) != (found ? found->getResult(0) : argument))
    return refused("the function returns something else");
  return found;
}

/// What it means to return `argument` as it is: what operations fold to that undo each other.
static Result<Rearrangement> identityOf(mlir::Value argument) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(argument.getType());
  if (!type || !type.hasStaticShape() || type.getEncoding())
    return refused("it returns an argument that is no tensor of a static shape");
  std::vector<int64_t> perm(type.getRank());
  std::iota(perm.begin(), perm.end(), 0);
  return permutation(type.getShape().vec(), perm);
}

Result<Spec> relayout::specFromModule(mlir::ModuleOp module) {
  Result<mlir::func::FuncOp> function = findFunction(module);
  if (!function)
    return function.error();
  Result<RearrangementOpInterface> operation = findOperation(*function);
  if (!operation)
    return operation.error();
  mlir::Value argument = function->getArgument(0);
  Result<Rearrangement> rearrangement =
      *operation ? operation->getRearrangement() : identityOf(argument);
  if (!rearrangement)
    return rearrangement.error();
  Result<const ElementType *> dtype =
      getElementTypeInfo(mlir::getElementTypeOrSelf(argument.getType()));
  if (!dtype)
    return dtype.error();
  Spec spec;
  spec.operation = Operation::Rearrange;
  spec.dtype = *dtype;
  spec.shape = rearrangement->operandShape;
  spec.pattern = printPattern(rearrangement->pattern());
  spec.sizes = rearrangement->sizes();
  spec.pad = rearrangement->pad;
  spec.crop = rearrangement->crop;
  mlir::TypedAttr value = *operation ? operation->getPadValue() : mlir::TypedAttr();
  if (value) {
    llvm::APInt bits = *getElementBits(value);
    llvm::StoreIntToMemory(bits, spec.padValue.emplace().data(),
                           llvm::divideCeil(bits.getBitWidth(), 8));
  }
  return spec;
}
