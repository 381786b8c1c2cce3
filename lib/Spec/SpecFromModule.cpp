// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/IR/Relayout.h"
#include "relayout/Spec/Module.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace relayout;
using llvm::APInt;

static void storeBits(const APInt &value, unsigned char *to) {
  APInt whole = value.zext(llvm::alignTo(value.getBitWidth(), 8));
  for (unsigned i = 0; i < whole.getBitWidth() / 8; ++i)
    to[i] = static_cast<unsigned char>(whole.extractBitsAsZExtValue(8, 8 * i));
}

/// The bits of a fill value, or an error where its kind is not known.
static Result<ElementBits> elementBits(mlir::Attribute value, const ElementType &type) {
  ElementBits bits{};
  if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(value)) {
    storeBits(integer.getValue(), bits.data());
  } else if (auto number = llvm::dyn_cast<mlir::FloatAttr>(value)) {
    storeBits(number.getValue().bitcastToAPInt(), bits.data());
  } else if (auto complex = llvm::dyn_cast<mlir::complex::NumberAttr>(value)) {
    storeBits(complex.getReal().bitcastToAPInt(), bits.data());
    storeBits(complex.getImag().bitcastToAPInt(), bits.data() + type.width / 2);
  } else {
    return Error{ErrorCode::Unsupported,
                 "expects a fill value to be an integer, a float or a complex number"};
  }
  return bits;
}

static Error refused(const std::string &found) {
  return Error{ErrorCode::Unsupported,
               "expects a module of one function that returns one rearrangement of its argument, "
               "but " +
                   found};
}

/// The one operation between argument and return, or an error.
static Result<RearrangementOpInterface> findOperation(mlir::ModuleOp module) {
  auto functions = llvm::to_vector(module.getOps<mlir::func::FuncOp>());
  if (functions.size() != 1 || functions.front().isExternal())
    return refused("it has " + std::to_string(functions.size()) + " functions");
  mlir::func::FuncOp function = functions.front();
  if (!llvm::hasSingleElement(function.getBody()) || function.getNumArguments() != 1)
    return refused("the function has branches or another number of arguments");
  RearrangementOpInterface found;
  for (mlir::Operation &operation : function.getBody().front().without_terminator()) {
    auto rearrangement = llvm::dyn_cast<RearrangementOpInterface>(operation);
    if (!rearrangement || !rearrangement.hasTensorForm())
      return refused("it holds " + operation.getName().getStringRef().str());
    if (found)
      return refused("more than one remains after fusion");
    found = rearrangement;
  }
  mlir::Operation *terminator = function.getBody().front().getTerminator();
  if (!found || found.getSource() != function.getArgument(0) || terminator->getNumOperands() != 1 ||
      terminator->getOperand(0) != found->getResult(0))
    return refused("the function returns something else");
  return found;
}

Result<Spec> relayout::specFromModule(mlir::ModuleOp module) {
  Result<RearrangementOpInterface> operation = findOperation(module);
  if (!operation)
    return operation.error();
  Result<const ElementType *> dtype = getElementTypeInfo(operation->getElementType());
  if (!dtype)
    return dtype.error();
  Result<Rearrangement> rearrangement = operation->getRearrangement();
  if (!rearrangement)
    return rearrangement.error();
  Spec spec;
  spec.operation = Operation::Rearrange;
  spec.dtype = *dtype;
  spec.shape = rearrangement->operandShape;
  spec.pattern = printPattern(rearrangement->pattern());
  spec.sizes = rearrangement->sizes();
  spec.pad = rearrangement->pad;
  spec.crop = rearrangement->crop;
  if (mlir::TypedAttr value = operation->getPadValue()) {
    Result<ElementBits> bits = elementBits(value, **dtype);
    if (!bits)
      return bits.error();
    spec.padValue = *bits;
  }
  return spec;
}
