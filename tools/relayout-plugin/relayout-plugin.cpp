// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The dialect and the passes as a plugin of mlir-opt.

#include "relayout/IR/Relayout.h"
#include "relayout/Pipelines/Register.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Relayout", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) { registry->insert<relayout::RelayoutDialect>(); }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Relayout", LLVM_VERSION_STRING,
          [] { relayout::registerAllPasses(); }};
}
