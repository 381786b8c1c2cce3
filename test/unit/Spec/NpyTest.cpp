// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Spec/Npy.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstring>
#include <numeric>
#include <random>

using namespace relayout;

namespace {

const ElementType &type(const char *name) { return **parseElementType(name); }

/// A file of version `major` with `header` as its dictionary.
std::string file(const std::string &header, const std::string &data, char major = 1) {
  std::string text = std::string("\x93NUMPY") + major + '\0';
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  if (major > 1)
    text += std::string(2, '\0');
  return text + header + data;
}

std::string dictionary(const std::string &descr, const std::string &shape,
                       const char *fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

template <typename T> std::string bytesOf(const std::vector<T> &values) {
  return std::string(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
}

template <typename T> std::vector<T> valuesOf(const HostTensor &tensor) {
  std::vector<T> values(tensor.elements());
  std::memcpy(values.data(), tensor.data(), tensor.bytes());
  return values;
}

const std::vector<int16_t> kSix = {1, 2, 3, 4, 5, 6};

TEST(ReadNpy, ReadsEveryVersion) {
  for (char major : {1, 2, 3}) {
    auto tensor = readNpy(file(dictionary("<i2", "(2, 3)"), bytesOf(kSix), major), type("i16"), {});
    ASSERT_TRUE(tensor) << tensor.error().message;
    EXPECT_EQ(tensor->shape(), (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(valuesOf<int16_t>(*tensor), kSix);
  }
}

TEST(ReadNpy, ReadsKeysInAnyOrderAndSpacing) {
  std::string header = "{\"shape\":(6,),'fortran_order' :False,  'descr':'<i2'}";
  auto tensor = readNpy(file(header, bytesOf(kSix)), type("i16"), nullptr);
  ASSERT_TRUE(tensor) << tensor.error().message;
  EXPECT_EQ(tensor->shape(), std::vector<int64_t>{6});
}

TEST(ReadNpy, ConvertsFortranOrder) {
  // [[1, 3, 5], [2, 4, 6]] by columns is 1, 2, 3 ...
  auto tensor = readNpy(file(dictionary("<i2", "(2, 3)", "True"), bytesOf(kSix)), type("i16"), {});
  ASSERT_TRUE(tensor) << tensor.error().message;
  EXPECT_EQ(valuesOf<int16_t>(*tensor), (std::vector<int16_t>{1, 3, 5, 2, 4, 6}));
}

TEST(ReadNpy, ConvertsFortranOrderOfThreeDimensions) {
  std::vector<uint8_t> values(24);
  std::iota(values.begin(), values.end(), 0);
  auto tensor =
      readNpy(file(dictionary("|u1", "(2, 3, 4)", "True"), bytesOf(values)), type("u8"), nullptr);
  ASSERT_TRUE(tensor);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k)
        EXPECT_EQ(tensor->data()[(i * 3 + j) * 4 + k], i + 2 * j + 6 * k);
}

TEST(ReadNpy, ConvertsBigEndian) {
  auto tensor = readNpy(file(dictionary(">i2", "(2,)"), std::string("\x01\x02\x03\x04")),
                        type("i16"), nullptr);
  ASSERT_TRUE(tensor);
  EXPECT_EQ(valuesOf<int16_t>(*tensor), (std::vector<int16_t>{0x0102, 0x0304}));
  // The parts of a complex number are turned each for itself.
  std::string one("\x3f\x80\x00\x00\x40\x00\x00\x00", 8);
  auto complex = readNpy(file(dictionary(">c8", "(1,)"), one), type("c64"), nullptr);
  ASSERT_TRUE(complex);
  EXPECT_EQ(std::memcmp(complex->data(), "\x00\x00\x80\x3f\x00\x00\x00\x40", 8), 0);
}

TEST(ReadNpy, ReadsRankZeroAndNoElements) {
  auto scalar = readNpy(file(dictionary("<i2", "()"), bytesOf<int16_t>({7})), type("i16"), nullptr);
  ASSERT_TRUE(scalar);
  EXPECT_TRUE(scalar->shape().empty());
  auto empty = readNpy(file(dictionary("<i2", "(2, 0, 3)"), ""), type("i16"), nullptr);
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->elements(), 0);
}

TEST(ReadNpy, TakesTypesThatNumPyLacks) {
  struct {
    const char *descr, *type;
    bool accepted;
  } cases[] = {
      {"|V2", "bf16", true},     {"<V2", "bf16", true},   {"<u2", "bf16", true},
      {"<f2", "bf16", false},    {"<f2", "f16", true},    {"<u2", "f16", false},
      {"|V1", "f8E4M3FN", true}, {"|u1", "f8E5M2", true}, {"<f1", "f8E5M2", true},
      {"|b1", "bool", true},     {"|u1", "bool", false},  {"|i1", "u8", false},
      {"<f4", "b32", true},      {"<c8", "b64", true},    {"<f4", "i32", false},
      {"<f8", "f32", false},     {">V2", "bf16", false},  {"|V16", "b128", true},
  };
  for (const auto &test : cases) {
    auto tensor = readNpy(file(dictionary(test.descr, "(0,)"), ""), type(test.type), nullptr);
    EXPECT_EQ(static_cast<bool>(tensor), test.accepted) << test.descr << ' ' << test.type;
  }
}

TEST(ReadNpy, RefusesAnotherShape) {
  std::vector<int64_t> shape = {3, 2};
  auto tensor = readNpy(file(dictionary("<i2", "(2, 3)"), bytesOf(kSix)), type("i16"), &shape);
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().message, "expects a .npy file of shape [3, 2], but it holds [2, 3]");
}

/// NumPy counts bytes and the project bits: a long double is no f16.
TEST(ReadNpy, SaysInWordsWhatAFileHolds) {
  struct {
    const char *descr, *held;
  } cases[] = {{"<f16", "floats of 16 bytes"},        {"|b1", "booleans of 1 byte"},
               {"<i8", "integers of 8 bytes"},        {"<u4", "unsigned integers of 4 bytes"},
               {"<c8", "complex numbers of 8 bytes"}, {"|V4", "raw elements of 4 bytes"}};
  for (const auto &test : cases) {
    std::string bytes = file(dictionary(test.descr, "(0,)"), "");
    auto tensor = readNpy(bytes, type("f16"), nullptr);
    ASSERT_FALSE(tensor) << test.descr;
    EXPECT_EQ(tensor.error().message,
              std::string("expects a .npy file of f16, but it holds ") + test.held);
  }
  auto unknown = npyElementType(*parseNpyHeader(file(dictionary("<f16", "(0,)"), "")));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "expects --shape or --dtype to name the element type, which "
                                     "the floats of 16 bytes of the .npy file do not tell");
}

void expectRefusal(const std::string &bytes, const std::string &problem) {
  auto tensor = readNpy(bytes, type("i16"), nullptr);
  ASSERT_FALSE(tensor) << bytes;
  EXPECT_EQ(tensor.error().message, "expects a .npy file, but " + problem);
}

TEST(ReadNpy, RefusesBrokenHeaders) {
  const std::pair<const char *, const char *> cases[] = {
      {"", "its header is no dictionary"},
      {"{", "its header has no string as a key"},
      {"}", "its header is no dictionary"},
      {"[]", "its header is no dictionary"},
      {"{'descr': '<i2'}", "its header lacks descr, fortran_order or shape"},
      {"{'descr': '<i2', 'fortran_order': False}",
       "its header lacks descr, fortran_order or shape"},
      {"{'descr': '<i2' 'shape': (6,)}", "its header lacks a comma or the closing brace"},
      {"{'fortran_order': 0, 'shape': (6,)}", "its fortran_order is neither True nor False"},
      {"{'shape': 6}", "its shape is no tuple"},
      {"{'shape': (-6,)}", "its shape holds what is no extent of 64 bits"},
      {"{'shape': (6 1)}", "its shape lacks a comma or the closing bracket"},
      {"{'shape': (99999999999999999999,)}", "its shape holds what is no extent of 64 bits"},
      {"{'descr': '<i2', 'fortran_order': False, 'shape': (6,)} x",
       "text follows the dictionary of its header"},
      {"{'descr': '<i2', 'descr': '<i2'}",
       "its header has the key 'descr' too often or without meaning"},
      {"{'other': 1}", "its header has the key 'other' too often or without meaning"},
      {"{'descr': [('a', '<i2')]}", "its descr is no string; structured types are not read"},
      {"{'descr': '<U2'}",
       "its descr '<U2' is no type of bool, integers, floats, complex or raw bytes"},
      {"{'descr': '|O'}",
       "its descr '|O' is no type of bool, integers, floats, complex or raw bytes"},
      {"{'descr': ''}", "its descr '' is no type of bool, integers, floats, complex or raw bytes"},
      {"{'descr': '<i0'}", "its descr '<i0' states no width from 1 to 16 bytes"},
      {"{'descr': '<i99999999999999999999'}",
       "its descr '<i99999999999999999999' states no width from 1 to 16 bytes"},
      {"{'descr': '<i2, 'fortran_order': False}",
       "its descr '<i2, ' states no width from 1 to 16 bytes"}};
  for (auto [header, problem] : cases)
    expectRefusal(file(header, bytesOf(kSix)), problem);
  std::string wide =
      "{'descr': '<i2', 'fortran_order': False, 'shape': (4294967296, 4294967296, 0)}";
  EXPECT_FALSE(readNpy(file(wide, ""), type("i16"), nullptr));
}

TEST(ReadNpy, RefusesEveryTruncationAndATail) {
  for (char major : {1, 2}) {
    std::string whole = file(dictionary("<i2", "(2, 3)"), bytesOf(kSix), major);
    ASSERT_TRUE(readNpy(whole, type("i16"), nullptr));
    for (size_t size = 0; size < whole.size(); ++size)
      EXPECT_FALSE(readNpy(whole.substr(0, size), type("i16"), nullptr)) << size;
    expectRefusal(whole.substr(0, 5), "it does not start with \\x93NUMPY");
    for (size_t size : {6, 9, 20})
      expectRefusal(whole.substr(0, size), "it ends inside of its header");
    auto longer = readNpy(whole + "x", type("i16"), nullptr);
    ASSERT_FALSE(longer);
    EXPECT_EQ(longer.error().message,
              "expects 12 bytes of elements in the .npy file, but it has 13");
  }
  expectRefusal(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12),
                "its header has 4294967295 bytes; at most 65535 are read");
  expectRefusal(file(dictionary("<i2", "(6,)"), bytesOf(kSix), 4),
                "its version is 4; 1 to 3 are read");
}

TEST(ReadNpy, RefusesRawBytesOfTheOtherOrder) {
  auto tensor = readNpy(file(dictionary(">V2", "(6,)"), bytesOf(kSix)), type("i16"), nullptr);
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().message, "expects raw bytes of a .npy file to be little endian");
}

/// Any one byte changed gives a tensor or an error.
TEST(ReadNpy, SurvivesChangedBytes) {
  std::string whole = file(dictionary("<i2", "(2, 3)"), bytesOf(kSix));
  for (size_t i = 0; i < whole.size(); ++i)
    for (int change : {1, 2, 4, 8, 16, 32, 64, 128}) {
      std::string changed = whole;
      changed[i] ^= change;
      auto tensor = readNpy(changed, type("i16"), nullptr);
      if (tensor)
        EXPECT_LE(static_cast<size_t>(tensor->bytes()), whole.size());
    }
}

TEST(WriteNpy, ReadsBack) {
  std::mt19937_64 engine(3);
  for (const ElementType &type : elementTypes())
    for (const std::vector<int64_t> &shape :
         {std::vector<int64_t>{}, {5}, {2, 3}, {0, 4}, std::vector<int64_t>(16, 1)}) {
      Result<HostTensor> tensor = HostTensor::allocate(type, shape);
      ASSERT_TRUE(tensor);
      for (int64_t i = 0; i < tensor->bytes(); ++i)
        tensor->data()[i] = static_cast<unsigned char>(engine());
      std::string text;
      llvm::raw_string_ostream out(text);
      writeNpy(out, *tensor);
      Result<NpyHeader> header = parseNpyHeader(text);
      ASSERT_TRUE(header) << header.error().message;
      EXPECT_EQ(header->dataOffset % 64, 0u);
      Result<HostTensor> back = readNpy(text, type, &shape);
      ASSERT_TRUE(back) << back.error().message;
      EXPECT_EQ(std::memcmp(back->data(), tensor->data(), tensor->bytes()), 0);
    }
}

TEST(HostTensor, RefusesBeforeItAllocates) {
  EXPECT_FALSE(HostTensor::allocate(type("f32"), {int64_t(1) << 40, int64_t(1) << 40}));
  EXPECT_FALSE(HostTensor::allocate(type("f32"), {-1}));
  Result<HostTensor> huge = HostTensor::allocate(type("u8"), {int64_t(1) << 60});
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().code, ErrorCode::Environment);
}

} // namespace
