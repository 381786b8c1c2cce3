// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BuildId.h"

#include "relayout/JIT/SourceDigest.inc"

#include "mlir/IR/BuiltinDialect.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Alignment.h"

#include <link.h>

using namespace llvm;

namespace relayout {
namespace {

/// The build id that a linker wrote in the notes at `notes`, in hexadecimal.
std::string readNotes(StringRef notes) {
  ElfW(Nhdr) note;
  while (notes.size() >= sizeof(note)) {
    std::memcpy(&note, notes.data(), sizeof(note));
    uint64_t name = alignTo(note.n_namesz, 4), size = alignTo(note.n_descsz, 4);
    StringRef rest = notes.drop_front(sizeof(note));
    if (rest.size() < name + size)
      return "";
    if (note.n_type == NT_GNU_BUILD_ID && rest.starts_with(StringRef("GNU\0", 4)))
      return toHex(rest.substr(name, note.n_descsz), /*LowerCase=*/true);
    notes = rest.drop_front(name + size);
  }
  return "";
}

struct Search {
  uintptr_t address;
  std::string found;
};

int visit(dl_phdr_info *module, size_t, void *argument) {
  auto *search = static_cast<Search *>(argument);
  bool isHere = false;
  std::string id;
  for (const auto &header : ArrayRef(module->dlpi_phdr, module->dlpi_phnum)) {
    uintptr_t begin = module->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD)
      isHere |= search->address - begin < header.p_memsz;
    else if (header.p_type == PT_NOTE && id.empty())
      id = readNotes({reinterpret_cast<const char *>(begin), header.p_memsz});
  }
  if (isHere)
    search->found = id;
  return isHere;
}

/// Of the library or program that `address` lies in; empty if it was linked without.
std::string buildIdAt(const void *address) {
  Search search{reinterpret_cast<uintptr_t>(address), ""};
  dl_iterate_phdr(visit, &search);
  return search.found;
}

} // namespace

const std::string &codeGeneratorBuild() {
  static const auto &text = *new std::string([] {
    unsigned major = 0, minor = 0, patch = 0;
    LLVMGetVersion(&major, &minor, &patch);
    // Data of LLVM and of MLIR: a function's address may be that of a stub of ours.
    const void *inLLVM = nullptr;
    for (const Target &target : TargetRegistry::targets())
      inLLVM = &target;
    const void *inMLIR = mlir::TypeID::get<mlir::BuiltinDialect>().getAsOpaquePointer();
    return "relayout " RELAYOUT_VERSION_TEXT " " RELAYOUT_SOURCE_DIGEST " llvm " +
           std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch) + " " +
           buildIdAt(inLLVM) + " mlir " + buildIdAt(inMLIR);
  }());
  return text;
}

} // namespace relayout
