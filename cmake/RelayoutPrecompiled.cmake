# RELAYOUT_PRECOMPILE: parses MLIR's headers once for all libraries that use MLIR,
# which halves a build from nothing and more. Off by default: a header that forgets
# an include is noticed without it only.
option(RELAYOUT_PRECOMPILE "Precompile the headers of MLIR" OFF)
if(NOT RELAYOUT_PRECOMPILE)
  return()
endif()

file(WRITE "${PROJECT_BINARY_DIR}/cmake/Precompiled.cpp" "")
add_library(RelayoutPrecompiled OBJECT "${PROJECT_BINARY_DIR}/cmake/Precompiled.cpp")
target_precompile_headers(RelayoutPrecompiled PRIVATE
  <mlir/Dialect/Affine/IR/AffineOps.h>
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h>
  <mlir/Dialect/Complex/IR/Complex.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Dialect/UB/IR/UBOps.h>
  <mlir/Dialect/Vector/IR/VectorOps.h>
  <mlir/IR/Builders.h>
  <mlir/IR/BuiltinOps.h>
  <mlir/IR/PatternMatch.h>
  <mlir/Pass/PassManager.h>
  <llvm/Support/JSON.h>)
