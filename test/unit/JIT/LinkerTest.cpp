// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Linker.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"

#include <gtest/gtest.h>

using namespace relayout;

namespace {

/// The object of `ir` for the host.
std::string objectOf(const std::string &ir, llvm::Reloc::Model relocation = llvm::Reloc::PIC_,
                     llvm::CodeModel::Model code = llvm::CodeModel::Small) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(ir, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, "", "", llvm::TargetOptions(), relocation, code));
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager manager;
  EXPECT_FALSE(
      machine->addPassesToEmitFile(manager, os, nullptr, llvm::CodeGenFileType::ObjectFile));
  manager.run(*module);
  return bytes.str().str();
}

std::string refusal(const std::string &object) {
  Result<FlatCode> code = linkFlat(object, "kernel");
  EXPECT_FALSE(code);
  if (code)
    return "";
  EXPECT_EQ(code.error().code, ErrorCode::Internal);
  return code.error().message;
}

const std::string kPrefix = "the object of the kernel cannot be made flat: ";

TEST(Linker, KeepsWhatTheFunctionNeedsAndItsAlignment) {
  std::string object = objectOf(R"(
    @table = private constant [3 x i32] [i32 1020304050, i32 7, i32 9], align 64
    @unused = constant [3 x i32] [i32 1020304051, i32 7, i32 9]
    define i32 @other() nounwind { ret i32 1020304052 }
    define i32 @kernel(i64 %i) nounwind {
      %p = getelementptr [3 x i32], ptr @table, i64 0, i64 %i
      %v = load i32, ptr %p
      ret i32 %v
    })");
  Result<FlatCode> code = linkFlat(object, "kernel");
  ASSERT_TRUE(code) << code.error().message;
  auto offsetOf = [&](uint32_t word) {
    return code->bytes.find(std::string(reinterpret_cast<char *>(&word), 4));
  };
  EXPECT_EQ(offsetOf(1020304050) % 64, 0u);
  EXPECT_NE(offsetOf(1020304050), std::string::npos);
  EXPECT_LT(static_cast<size_t>(code->entry), offsetOf(1020304050));
  EXPECT_EQ(linkFlat(object, "kernel")->bytes, code->bytes);
}

TEST(Linker, AlignsConstantsToLinesAndNoFurtherThanPages) {
  auto withAlignment = [](int bytes) {
    return objectOf("@table = private constant [3 x i32] [i32 1020304050, i32 7, i32 9], align " +
                    std::to_string(bytes) + R"(
      define i32 @kernel(i64 %i) nounwind {
        %p = getelementptr [3 x i32], ptr @table, i64 0, i64 %i
        %v = load i32, ptr %p
        ret i32 %v
      })");
  };
  for (int bytes : {4, 4096}) {
    Result<FlatCode> code = linkFlat(withAlignment(bytes), "kernel");
    ASSERT_TRUE(code) << code.error().message;
    uint32_t word = 1020304050;
    size_t offset = code->bytes.find(std::string(reinterpret_cast<char *>(&word), 4));
    ASSERT_NE(offset, std::string::npos);
    EXPECT_EQ(offset % std::max(bytes, 64), 0u) << bytes;
  }
  EXPECT_EQ(refusal(withAlignment(8192)),
            kPrefix + "it has data aligned to 8192 bytes, more than a page");
}

TEST(Linker, RefusesWhatIsElsewhere) {
  EXPECT_EQ(refusal(objectOf("declare void @missing()\n"
                             "define void @kernel() { call void @missing() ret void }")),
            kPrefix + "it needs the symbol missing");
  EXPECT_EQ(refusal(objectOf("define void @other() { ret void }")),
            kPrefix + "it defines no symbol kernel");
}

TEST(Linker, RefusesDataThatCanBeWritten) {
  for (const char *global :
       {"@g = internal global i32 7", "@g = internal global i32 0",
        "@f = internal constant ptr @kernel\n@g = internal constant ptr @f, align 8"})
    EXPECT_EQ(refusal(objectOf(std::string(global) +
                               "\ndefine i32 @kernel() nounwind {\n"
                               "  %v = load volatile i32, ptr @g\n  ret i32 %v\n}")),
              kPrefix + "it has data that can be written")
        << global;
}

TEST(Linker, RefusesAddressesThatAreKnownOnlyLater) {
  std::string ir = "@table = internal constant i32 7\n"
                   "define i32 @kernel() nounwind {\n"
                   "  %v = load volatile i32, ptr @table\n  ret i32 %v\n}";
  EXPECT_TRUE(linkFlat(objectOf(ir), "kernel"));
  EXPECT_EQ(refusal(objectOf(ir, llvm::Reloc::Static, llvm::CodeModel::Large)),
            kPrefix + "it depends on the address where it is loaded");
}

TEST(Linker, RefusesWhatIsNoObject) {
  for (std::string bytes : {std::string(), std::string("object"), std::string("\177ELF")})
    EXPECT_EQ(refusal(bytes).find(kPrefix), 0u);
  std::string object = objectOf("define void @kernel() { ret void }");
  EXPECT_EQ(refusal(object.substr(0, object.size() / 2)).find(kPrefix), 0u);
}

} // namespace
