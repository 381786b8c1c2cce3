// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The header of a .npy file: a Python dictionary of three keys, of which only
/// the form that NumPy writes (in any order and spacing) is read.

#include "relayout/Layout/NamedOperations.h"
#include "relayout/Spec/Npy.h"
#include "relayout/Support/Text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace relayout;
using llvm::StringRef;

/// The longest header that is read; NumPy itself stops at 10000.
static constexpr size_t kMaxHeaderBytes = 65535;

static Error malformed(const std::string &text) {
  return Error{ErrorCode::Input, "expects a .npy file, but " + text};
}

namespace {
class HeaderParser {
public:
  HeaderParser(StringRef text, NpyHeader &header) : rest(text), header(header) {}

  Status parse() {
    if (!consume("{"))
      return malformed("its header is no dictionary");
    bool seen[3] = {false, false, false};
    while (!consume("}")) {
      if (Status status = parseEntry(seen); !status)
        return status;
      if (!consume(",") && !rest.starts_with("}"))
        return malformed("its header lacks a comma or the closing brace");
    }
    if (!rest.trim().empty())
      return malformed("text follows the dictionary of its header");
    if (!seen[0] || !seen[1] || !seen[2])
      return malformed("its header lacks descr, fortran_order or shape");
    return Status::success();
  }

private:
  bool consume(StringRef token) {
    if (!rest.consume_front(token))
      return false;
    rest = rest.ltrim();
    return true;
  }

  std::optional<StringRef> parseString() {
    for (StringRef quote : {"'", "\""})
      if (rest.starts_with(quote)) {
        size_t end = rest.find(quote, 1);
        if (end == StringRef::npos)
          return std::nullopt;
        StringRef text = rest.slice(1, end);
        rest = rest.drop_front(end + 1).ltrim();
        return text;
      }
    return std::nullopt;
  }

  Status parseEntry(bool (&seen)[3]) {
    std::optional<StringRef> key = parseString();
    if (!key || !consume(":"))
      return malformed("its header has no string as a key");
    int index = *key == "descr" ? 0 : *key == "fortran_order" ? 1 : *key == "shape" ? 2 : -1;
    if (index < 0 || seen[index])
      return malformed("its header has the key '" + beginning(*key) +
                       "' too often or without meaning");
    seen[index] = true;
    if (index == 0)
      return parseDescr();
    if (index == 2)
      return parseShape();
    header.fortranOrder = consume("True");
    return header.fortranOrder || consume("False")
               ? Status::success()
               : Status(malformed("its fortran_order is neither True nor False"));
  }

  Status parseDescr() {
    std::optional<StringRef> descr = parseString();
    if (!descr)
      return malformed("its descr is no string; structured types are not read");
    StringRef width = *descr;
    header.byteOrder = '|';
    if (!width.empty() && StringRef("<>|=").contains(width.front())) {
      header.byteOrder = width.front() == '=' ? '<' : width.front();
      width = width.drop_front();
    }
    if (width.empty() || !StringRef("?biufcV").contains(width.front()))
      return malformed("its descr '" + beginning(*descr) +
                       "' is no type of bool, integers, floats, complex or raw bytes");
    header.kind = width.front() == '?' ? 'b' : width.front();
    if (*descr == "?" || *descr == "|?")
      header.width = 1;
    else if (width.drop_front().getAsInteger(10, header.width) || header.width < 1 ||
             header.width > 16)
      return malformed("its descr '" + beginning(*descr) + "' states no width from 1 to 16 bytes");
    return Status::success();
  }

  Status parseShape() {
    if (!consume("("))
      return malformed("its shape is no tuple");
    while (!consume(")")) {
      int64_t extent;
      if (rest.consumeInteger(10, extent) || extent < 0)
        return malformed("its shape holds what is no extent of 64 bits");
      rest = rest.ltrim();
      header.shape.push_back(extent);
      if (!consume(",") && !rest.starts_with(")"))
        return malformed("its shape lacks a comma or the closing bracket");
    }
    return Status::success();
  }

  StringRef rest;
  NpyHeader &header;
};
} // namespace

Result<NpyHeader> relayout::parseNpyHeader(StringRef bytes) {
  StringRef rest = bytes;
  if (!rest.consume_front("\x93NUMPY"))
    return malformed("it does not start with \\x93NUMPY");
  if (rest.size() < 2)
    return malformed("it ends inside of its header");
  unsigned major = static_cast<unsigned char>(rest[0]);
  rest = rest.drop_front(2);
  if (major < 1 || major > 3)
    return malformed("its version is " + llvm::utostr(major) + "; 1 to 3 are read");
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (rest.size() < lengthBytes)
    return malformed("it ends inside of its header");
  size_t length = major == 1 ? llvm::support::endian::read16le(rest.data())
                             : llvm::support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (length > kMaxHeaderBytes)
    return malformed("its header has " + llvm::utostr(length) + " bytes; at most " +
                     llvm::utostr(kMaxHeaderBytes) + " are read");
  if (rest.size() < length)
    return malformed("it ends inside of its header");
  NpyHeader header;
  if (Status status = HeaderParser(rest.take_front(length).trim(), header).parse(); !status)
    return status.error();
  header.dataOffset = rest.data() + length - bytes.data();
  return header;
}

std::string relayout::describeElements(const NpyHeader &header) {
  const char *what = header.kind == 'b'   ? "booleans"
                     : header.kind == 'i' ? "integers"
                     : header.kind == 'u' ? "unsigned integers"
                     : header.kind == 'f' ? "floats"
                     : header.kind == 'c' ? "complex numbers"
                                          : "raw elements";
  return std::string(what) + " of " + llvm::itostr(header.width) +
         (header.width == 1 ? " byte" : " bytes");
}

/// NumPy's word for `type`; raw bytes for types that NumPy lacks.
static std::string numpyDescr(const ElementType &type) {
  StringRef name = type.name;
  std::string width = llvm::itostr(type.width);
  if (type.kind == ElementKind::Bool)
    return "|b1";
  if (type.kind == ElementKind::Complex)
    return "<c" + width;
  if (name == "f16" || name == "f32" || name == "f64")
    return "<f" + width;
  if (type.kind == ElementKind::Float || name == "b128")
    return "|V" + width;
  return (type.width == 1 ? "|" : "<") + std::string(type.kind == ElementKind::Signed ? "i" : "u") +
         width;
}

void relayout::writeNpyHeader(llvm::raw_ostream &out, const ElementType &type,
                              const std::vector<int64_t> &shape) {
  std::string text = "{'descr': '" + numpyDescr(type) + "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : shape)
    text += llvm::itostr(extent) + (shape.size() == 1 ? "," : ", ");
  if (shape.size() > 1)
    text.resize(text.size() - 2);
  text += "), }";
  // The elements start at a multiple of 64.
  constexpr size_t preamble = 10;
  text.append(63 - (preamble + text.size()) % 64, ' ');
  text += '\n';
  out << StringRef("\x93NUMPY\x01\x00", 8);
  out << static_cast<char>(text.size() & 0xff) << static_cast<char>(text.size() >> 8) << text;
}

void relayout::writeNpy(llvm::raw_ostream &out, const HostTensor &tensor) {
  writeNpyHeader(out, tensor.type(), tensor.shape());
  out.write(reinterpret_cast<const char *>(tensor.data()), tensor.bytes());
}

Result<const ElementType *> relayout::npyElementType(const NpyHeader &header) {
  if (header.kind != 'V')
    for (const ElementType &type : elementTypes()) {
      // The byte order, the kind, the width.
      if (numpyDescr(type)[1] == header.kind && type.width == header.width)
        return &type;
    }
  return Error{ErrorCode::Type, "expects --shape or --dtype to name the element type, which the " +
                                    describeElements(header) + " of the .npy file do not tell"};
}
