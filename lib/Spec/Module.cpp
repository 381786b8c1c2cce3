// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Spec/Module.h"

#include "relayout/IR/DiagnosticText.h"
#include "relayout/IR/Relayout.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/APFloat.h"

using namespace relayout;
using llvm::APFloat;
using llvm::APInt;

/// The fill value as an attribute of the element's type; null if there is none.
static mlir::TypedAttr padAttribute(const Spec &spec, mlir::MLIRContext *context) {
  if (!spec.padValue)
    return {};
  const unsigned char *bits = spec.padValue->data();
  mlir::Type type = getMLIRElementType(*spec.dtype, context);
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type)) {
    int64_t part = spec.dtype->width / 2;
    const llvm::fltSemantics &semantics = floatSemantics(*spec.dtype);
    APFloat real(semantics, loadBits(bits, part)),
        imaginary(semantics, loadBits(bits + part, part));
    return getComplexElement(complex, real, imaginary);
  }
  if (llvm::isa<mlir::FloatType>(type))
    return mlir::FloatAttr::get(
        type, APFloat(floatSemantics(*spec.dtype), loadBits(bits, spec.dtype->width)));
  APInt value = loadBits(bits, spec.dtype->width);
  return mlir::IntegerAttr::get(type, value.trunc(type.getIntOrFloatBitWidth()));
}

namespace {
/// Builds the operation of a spec on the argument of its function.
struct OperationBuilder {
  const Spec &spec;
  const Rearrangement &rearrangement;
  mlir::OpBuilder &builder;
  mlir::Value source;
  mlir::Value dest;      ///< null for the form on tensors
  mlir::Type resultType; ///< null for the form on memrefs

  mlir::Location location() { return source.getLoc(); }
  mlir::MLIRContext *context() { return builder.getContext(); }

  WindowsAttr windows(const std::vector<Window> &windows) {
    return windows.empty() ? WindowsAttr() : WindowsAttr::get(context(), windows);
  }

  template <typename Op> mlir::Operation *depthSpace() {
    LayoutAttr resultLayout =
        spec.resultLayout ? LayoutAttr::get(context(), *spec.resultLayout) : LayoutAttr();
    return Op::create(builder, location(), resultType, source, dest, spec.blockSize,
                      ModeAttr::get(context(), *spec.mode),
                      LayoutAttr::get(context(), *spec.layout), resultLayout);
  }

  mlir::Operation *rearrange() {
    // What the user wrote stays as it is; the names of others are made from the algebra.
    if (spec.operation != Operation::Rearrange)
      return RearrangeOp::create(builder, location(), resultType, source, dest, rearrangement,
                                 mlir::TypedAttr());
    SizesAttr sizes = spec.sizes.empty() ? SizesAttr() : SizesAttr::get(context(), spec.sizes);
    return RearrangeOp::create(builder, location(), resultType, source, dest,
                               PatternAttr::get(context(), *parsePattern(spec.pattern)), sizes,
                               windows(spec.pad), windows(spec.crop),
                               padAttribute(spec, context()));
  }

  mlir::Operation *build() {
    switch (spec.operation) {
    case Operation::DepthToSpace:
      return depthSpace<DepthToSpaceOp>();
    case Operation::SpaceToDepth:
      return depthSpace<SpaceToDepthOp>();
    case Operation::SpaceToBatch:
      return SpaceToBatchOp::create(builder, location(), resultType, source, dest, spec.blockShape,
                                    windows(spec.paddings), padAttribute(spec, context()));
    case Operation::BatchToSpace:
      return BatchToSpaceOp::create(builder, location(), resultType, source, dest, spec.blockShape,
                                    windows(spec.crops));
    default:
      return rearrange();
    }
  }
};
} // namespace

/// The memref of one side of a strided spec.
static mlir::Type memRefOf(const SpecSide &side, mlir::Type element) {
  auto layout = mlir::StridedLayoutAttr::get(element.getContext(), 0, side.strides);
  return mlir::MemRefType::get(side.shape, element, layout);
}

/// `func.func @kernel` with the operation of `spec`: from a tensor to a tensor, or, where
/// a side has strides, from one memref to another.
static void buildKernel(const Spec &spec, const Rearrangement &r,
                        const std::pair<SpecSide, SpecSide> &sides, mlir::OpBuilder &builder) {
  mlir::Location location = builder.getUnknownLoc();
  mlir::Type element = getMLIRElementType(*spec.dtype, builder.getContext());
  llvm::SmallVector<mlir::Type, 2> inputs;
  mlir::Type resultType;
  if (spec.isStrided()) {
    inputs = {memRefOf(sides.first, element), memRefOf(sides.second, element)};
  } else {
    inputs = {mlir::RankedTensorType::get(sides.first.shape, element)};
    resultType = mlir::RankedTensorType::get(sides.second.shape, element);
  }
  auto type =
      builder.getFunctionType(inputs, resultType ? mlir::TypeRange(resultType) : mlir::TypeRange());
  auto function = mlir::func::FuncOp::create(builder, location, "kernel", type);
  builder.setInsertionPointToEnd(function.addEntryBlock());
  mlir::Value dest = resultType ? mlir::Value() : function.getArgument(1);
  OperationBuilder operation{spec, r, builder, function.getArgument(0), dest, resultType};
  mlir::func::ReturnOp::create(builder, location, operation.build()->getResults());
}

Result<mlir::OwningOpRef<mlir::ModuleOp>> relayout::buildModule(const Spec &spec,
                                                                mlir::MLIRContext &context) {
  Result<Rearrangement> rearrangement = toRearrangement(spec);
  if (!rearrangement)
    return rearrangement.error();
  if (Status status = checkShape(rearrangement->resultShape(), spec.dtype->width); !status)
    return status.error();
  Result<std::pair<SpecSide, SpecSide>> sides = specSides(spec, *rearrangement);
  if (!sides)
    return sides.error();
  context.loadDialect<RelayoutDialect, mlir::func::FuncDialect, mlir::complex::ComplexDialect>();
  mlir::OpBuilder builder(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module->getBody());
  buildKernel(spec, *rearrangement, *sides, builder);
  return std::move(module);
}

Result<mlir::OwningOpRef<mlir::ModuleOp>>
relayout::parseModule(llvm::StringRef text, llvm::StringRef fileName, mlir::MLIRContext &context) {
  if (Status status = checkModuleText(text); !status)
    return status.error();
  DiagnosticText diagnostics(context);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context), fileName);
  if (!module)
    return diagnostics.error(ErrorCode::Syntax, "expects a module of MLIR");
  return std::move(module);
}
