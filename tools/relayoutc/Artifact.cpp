// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Artifact.h"

#include "Answer.h"

#include "relayout/JIT/SharedObject.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Support/Regex.h"
#include "llvm/TargetParser/Triple.h"

using namespace relayout;
using namespace relayout::driver;
using llvm::StringRef;

llvm::ArrayRef<const char *> driver::artifacts() {
  static constexpr const char *kWords[] = {"image", "shared", "header"};
  return kWords;
}

/// The words of C23 and C++23 that look like names and are none.
static constexpr StringRef kKeywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t "
    "char32_t char8_t class co_await co_return co_yield compl concept const const_cast "
    "consteval constexpr constinit continue decltype default delete do double dynamic_cast "
    "else enum explicit export extern false float for friend goto if inline int long "
    "mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected "
    "public register reinterpret_cast requires restrict return short signed sizeof static "
    "static_assert static_cast struct switch template this thread_local throw true try "
    "typedef typeid typename typeof typeof_unqual union unsigned using virtual void volatile "
    "wchar_t while xor xor_eq";

/// The names that <stdint.h> has and those that C lets it gain: the header includes it.
static constexpr const char *kIntegerNames =
    "^(u?int[a-z0-9_]*_t|(U?INT|PTRDIFF|SIG_ATOMIC|SIZE|WCHAR|WINT)[A-Z0-9_]*_(C|MAX|MIN|WIDTH))$";

/// `main` and macros that are there in many programs without a header of ours.
static constexpr StringRef kTaken = "main linux unix NULL EOF NAN INFINITY assert errno offsetof "
                                    "stdin stdout stderr va_arg va_copy va_end va_start";

/// True for functions that a kernel of the same name would replace in a whole program.
static bool isLibraryFunction(StringRef name) {
  llvm::LibFunc function;
  return llvm::TargetLibraryInfoImpl(llvm::Triple()).getLibFunc(name, function);
}

Status driver::checkSymbol(StringRef name) {
  bool good = !name.empty() && !llvm::isDigit(name.front()) &&
              llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!good)
    return Error{ErrorCode::Usage,
                 "symbol expects the name of a function in C, but got '" + name.str() + "'"};
  if (llvm::is_contained(llvm::split(kKeywords, ' '), name))
    return Error{ErrorCode::Usage, "symbol expects the name of a function in C and C++, but '" +
                                       name.str() + "' is a word of the language"};
  // The languages' implementations have these, some as keywords, some as macros around a header.
  if (name.front() == '_' || name.contains("__"))
    return Error{ErrorCode::Usage, "symbol expects a name that neither begins with _ nor holds "
                                   "__, which C and C++ reserve, but got '" +
                                       name.str() + "'"};
  if (llvm::Regex(kIntegerNames).match(name))
    return Error{ErrorCode::Usage,
                 "symbol expects a name that <stdint.h> does not define, which the header "
                 "includes, but got '" +
                     name.str() + "'"};
  if (llvm::is_contained(llvm::split(kTaken, ' '), name))
    return Error{ErrorCode::Usage, "symbol expects a name that is none of " + kTaken.str() +
                                       ", but got '" + name.str() + "'"};
  if (isLibraryFunction(name))
    return Error{ErrorCode::Usage, "symbol expects a name that no function of C's libraries that "
                                   "LLVM knows has, but got '" +
                                       name.str() + "'"};
  return Status::success();
}

static Result<std::string> makeImage(const Subject &subject, const CompilerOptions &options) {
  Image image;
  for (StringRef cpu : llvm::split(options.cpu, ',')) {
    if (cpu.empty() && !options.cpu.empty())
      return Error{ErrorCode::Usage,
                   "expects processors between the commas of mcpu, but got '" + options.cpu + "'"};
    CompilerOptions level = options;
    level.cpu = cpu.str();
    Result<std::unique_ptr<Compiler>> compiler = Compiler::create(level);
    if (!compiler)
      return compiler.error();
    if (image.variants.empty()) {
      image = (*compiler)->emptyImage();
      Result<Spec> spec = subject.resolve(**compiler);
      if (!spec)
        return spec.error();
      image.spec = printSpecJson(*spec);
    }
    Result<ImageVariant> variant = (*compiler)->compileVariant(
        [&](mlir::MLIRContext &context) { return subject.build(context); });
    if (!variant)
      return variant.error();
    image.variants.push_back(variant.take());
  }
  return encodeImage(image);
}

/// `#define NAME_WORD {2, 3}`
static void defineList(llvm::raw_ostream &os, const std::string &name,
                       const std::vector<int64_t> &values) {
  os << "#define " << name << " {"
     << llvm::join(llvm::map_range(values, [](int64_t value) { return std::to_string(value); }),
                   ", ")
     << "}\n";
}

static Result<std::string> makeHeader(const Subject &subject, Compiler &compiler,
                                      const FlatKernel &kernel, const std::string &symbol) {
  Result<Meaning> meaning = resolveMeaning(subject, compiler);
  if (!meaning)
    return meaning.error();
  const SpecSide &operand = meaning->operand, &result = meaning->result;
  const std::string upper = StringRef(symbol).upper();
  const KernelInfo &info = kernel.info;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* " << printSpecFlags(meaning->spec) << "\n *\n * Made for " << compiler.cpu() << " ("
     << compiler.arch() << ")"
     << "; the processor must have: "
     << (compiler.requirements().empty() ? "what all have"
                                         : llvm::join(compiler.requirements(), " "))
     << ". */\n\n#ifndef " << upper << "_H\n#define " << upper
     << "_H\n\n#include <stdint.h>\n\n/* Sizes in bytes, strides in elements. */\n";
  for (auto [name, value] : {std::pair<const char *, int64_t>{"_INPUT_SIZE", info.inputBytes},
                             {"_OUTPUT_SIZE", info.outputBytes},
                             {"_ALIGNMENT", info.alignment},
                             {"_SCRATCH_SIZE", info.scratchBytes},
                             {"_UNITS", info.units},
                             {"_ELEMENT_SIZE", meaning->spec.dtype->width},
                             {"_INPUT_RANK", static_cast<int64_t>(operand.shape.size())},
                             {"_OUTPUT_RANK", static_cast<int64_t>(result.shape.size())}})
    os << "#define " << upper << name << " INT64_C(" << value << ")\n";
  // C has no empty lists.
  for (auto [name, side] : {std::pair("_INPUT", &operand), {"_OUTPUT", &result}})
    if (!side->shape.empty()) {
      defineList(os, upper + name + "_SHAPE", side->shape);
      defineList(os, upper + name + "_STRIDES", side->strides);
    }
  os << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
        "/* Moves units `begin` to `end - 1` of "
     << upper
     << "_UNITS. Any partition of the units, in any\n"
        " * order and on any threads, writes every byte of `out` once. `in` and `out` are\n"
        " * aligned to "
     << upper << "_ALIGNMENT and do not overlap; `scratch` has " << upper
     << "_SCRATCH_SIZE bytes\n * of the calling thread alone, aligned to 64 (a page is faster).\n"
        " * Nothing is checked. */\n"
        "void "
     << symbol
     << "(const void *in, void *out, void *scratch, int64_t begin, int64_t end);\n\n"
        "#ifdef __cplusplus\n}\n#endif\n\n#endif /* "
     << upper << "_H */\n";
  return text;
}

Result<std::string> driver::makeArtifact(StringRef word, const Subject &subject,
                                         const CompilerOptions &given) {
  if (word == "image")
    return makeImage(subject, given);
  CompilerOptions options = given;
  options.copiesAsCode = true;
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
  if (!compiler)
    return compiler.error();
  Result<FlatKernel> kernel =
      (*compiler)->compileFlat([&](mlir::MLIRContext &context) { return subject.build(context); });
  if (!kernel)
    return kernel.error();
  if (word == "shared")
    return makeSharedObject(*kernel, (*compiler)->arch(), options.symbol);
  return makeHeader(subject, **compiler, *kernel, options.symbol);
}
