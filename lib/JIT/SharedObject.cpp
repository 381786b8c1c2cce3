// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/JIT/SharedObject.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Alignment.h"

#include <vector>

using namespace llvm;
using namespace llvm::ELF;

namespace relayout {
namespace {

/// The largest page of the architectures, and the smallest, at which code may begin.
constexpr uint64_t kSegmentAlignment = 0x10000, kPageSize = 4096;

/// The file: what is only read, the code, what the loader may write. Each part has a
/// page of its own in memory, but lies right behind the one before it in the file.
class Layout {
public:
  /// Appends a section and returns its index.
  template <typename Section>
  unsigned add(const char *name, unsigned type, unsigned flags, const Section &bytes,
               uint64_t alignment, uint64_t entrySize = 0, unsigned link = 0, unsigned info = 0) {
    file.resize(alignTo(file.size(), alignment));
    Elf64_Shdr header = {};
    header.sh_name = names.size();
    header.sh_type = type;
    header.sh_flags = flags;
    header.sh_addr = flags & SHF_ALLOC ? file.size() + shift : 0;
    header.sh_offset = file.size();
    header.sh_size = bytes.size() * sizeof(bytes[0]);
    header.sh_link = link;
    header.sh_info = info;
    header.sh_addralign = alignment;
    header.sh_entsize = entrySize;
    headers.push_back(header);
    names += name + std::string(1, '\0');
    file.append(reinterpret_cast<const char *>(bytes.data()), header.sh_size);
    return headers.size() - 1;
  }
  const Elf64_Shdr &operator[](unsigned index) const { return headers[index]; }

  /// The next section begins another part.
  void addPart() { shift += kSegmentAlignment; }

  std::string file;
  uint64_t shift = 0; ///< from an offset to its address
  std::string names = std::string(1, '\0');
  std::vector<Elf64_Shdr> headers = {{}};
};

Elf64_Phdr segment(unsigned type, unsigned flags, uint64_t offset, uint64_t address, uint64_t size,
                   uint64_t alignment) {
  Elf64_Phdr header = {};
  header.p_type = type;
  header.p_flags = flags;
  header.p_offset = offset;
  header.p_vaddr = header.p_paddr = address;
  header.p_filesz = header.p_memsz = size;
  header.p_align = alignment;
  return header;
}

Elf64_Ehdr fileHeader(std::string_view arch, uint64_t sections, unsigned count, unsigned segments) {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ElfMagic, 4);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN;
  header.e_machine = arch == "aarch64" ? EM_AARCH64 : EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_phoff = header.e_ehsize = sizeof(header);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = segments;
  header.e_shoff = sections;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = count;
  header.e_shstrndx = count - 1;
  return header;
}

std::vector<Elf64_Dyn> dynamicTable(const Layout &layout, unsigned hash, unsigned symbols,
                                    unsigned strings) {
  std::vector<Elf64_Dyn> table;
  auto add = [&](int64_t tag, uint64_t value) {
    Elf64_Dyn entry = {};
    entry.d_tag = tag;
    entry.d_un.d_val = value;
    table.push_back(entry);
  };
  add(DT_HASH, layout[hash].sh_addr);
  add(DT_SYMTAB, layout[symbols].sh_addr);
  add(DT_STRTAB, layout[strings].sh_addr);
  add(DT_STRSZ, layout[strings].sh_size);
  add(DT_SYMENT, sizeof(Elf64_Sym));
  add(DT_NULL, 0);
  return table;
}

} // namespace

std::string makeSharedObject(const FlatKernel &kernel, std::string_view arch,
                             const std::string &symbol) {
  constexpr unsigned kSegments = 5;
  Layout layout;
  layout.file.resize(sizeof(Elf64_Ehdr) + kSegments * sizeof(Elf64_Phdr));
  std::vector<Elf64_Sym> symbols(2);
  // Sections in this order: hash, symbols, strings, code, dynamic.
  enum { kHash = 1, kSymbols, kStrings, kCode, kDynamic };
  // One bucket that begins with symbol 1, whose chain ends.
  std::vector<uint32_t> hash(5);
  hash[0] = 1, hash[1] = 2, hash[2] = 1;
  layout.add(".hash", SHT_HASH, SHF_ALLOC, hash, 8, 4, kSymbols);
  layout.add(".dynsym", SHT_DYNSYM, SHF_ALLOC, symbols, 8, sizeof(symbols[0]), kStrings, 1);
  layout.add(".dynstr", SHT_STRTAB, SHF_ALLOC, std::string(1, '\0') + symbol + '\0', 1);
  uint64_t readOnlyEnd = layout.file.size();
  layout.addPart();
  layout.add(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, kernel.code, kPageSize);
  layout.addPart();
  layout.add(".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE,
             dynamicTable(layout, kHash, kSymbols, kStrings), 8, sizeof(Elf64_Dyn), kStrings);
  unsigned names = layout.names.size();
  layout.add(".shstrtab", SHT_STRTAB, 0, layout.names + ".shstrtab" + '\0', 1);
  layout.headers.back().sh_name = names;

  symbols[1].st_name = 1;
  symbols[1].setBindingAndType(STB_GLOBAL, STT_FUNC);
  symbols[1].st_shndx = kCode;
  symbols[1].st_value = layout[kCode].sh_addr + kernel.entry;
  symbols[1].st_size = kernel.code.size() - kernel.entry;
  std::memcpy(&layout.file[layout[kSymbols].sh_offset], symbols.data(),
              symbols.size() * sizeof(symbols[0]));
  layout.file.resize(alignTo(layout.file.size(), 8));
  auto header = fileHeader(arch, layout.file.size(), layout.headers.size(), kSegments);
  auto segmentOf = [&](unsigned type, unsigned flags, unsigned section, uint64_t alignment) {
    const Elf64_Shdr &part = layout[section];
    return segment(type, flags, part.sh_offset, part.sh_addr, part.sh_size, alignment);
  };
  const Elf64_Phdr segments[kSegments] = {
      segment(PT_LOAD, PF_R, 0, 0, readOnlyEnd, kSegmentAlignment),
      segmentOf(PT_LOAD, PF_R | PF_X, kCode, kSegmentAlignment),
      segmentOf(PT_LOAD, PF_R | PF_W, kDynamic, kSegmentAlignment),
      segmentOf(PT_DYNAMIC, PF_R | PF_W, kDynamic, 8),
      segment(PT_GNU_STACK, PF_R | PF_W, 0, 0, 0, 16)};
  std::memcpy(layout.file.data(), &header, sizeof(header));
  std::memcpy(layout.file.data() + sizeof(header), segments, sizeof(segments));
  layout.file.append(reinterpret_cast<const char *>(layout.headers.data()),
                     layout.headers.size() * sizeof(layout.headers[0]));
  return std::move(layout.file);
}

} // namespace relayout
