// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Spec/Element.h"
#include "relayout/Spec/GuardedJson.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstring>
#include <random>

using namespace relayout;

namespace {

const ElementType &type(const char *name) { return **parseElementType(name); }

/// The low bytes of an element as one number.
uint64_t bits(const ElementBits &element) {
  uint64_t value;
  std::memcpy(&value, element.data(), sizeof(value));
  return value;
}

std::string printed(const ElementType &type, const void *bytes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printElement(out, type, bytes);
  return text;
}

TEST(ElementText, WritesIntegersAsIntegers) {
  auto text = [](llvm::StringRef json) { return elementText(*parseGuardedJson(json)).take(); };
  EXPECT_EQ(text("1e17"), "100000000000000000");
  EXPECT_EQ(text("-2.0"), "-2");
  EXPECT_EQ(text("1e19"), "10000000000000000000");
  EXPECT_EQ(text("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(text("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(text("9007199254740993.0"), "9007199254740993");
  EXPECT_EQ(text("1e20"), "1e+20");
  EXPECT_EQ(text("2.5"), "2.5");
  EXPECT_EQ(text("-0.0"), "-0");
}

TEST(ElementText, RefusesWhatIsNoElement) {
  for (llvm::StringRef json : {"{}", "null", "[1]", "[1,2,3]", "[[1,2],3]", "[1,{}]"}) {
    Result<std::string> text = elementText(*llvm::json::parse(json));
    ASSERT_FALSE(text) << json.str();
    EXPECT_EQ(text.error().message,
              "expects an element to be a number, a boolean, a string or [re, im]");
  }
}

TEST(ParseElement, HasTheBitsOfTheFormat) {
  struct {
    const char *type, *text;
    uint64_t bits;
  } cases[] = {
      {"bool", "true", 1},
      {"bool", "0", 0},
      {"i8", "-128", 0x80},
      {"u8", "255", 0xff},
      {"i16", "-2", 0xfffe},
      {"u64", "18446744073709551615", ~uint64_t(0)},
      {"f16", "1.5", 0x3e00},
      {"bf16", "1.5", 0x3fc0},
      {"f32", "-1.5", 0xbfc00000},
      {"f32", "inf", 0x7f800000},
      {"f32", "nan", 0x7fc00000},
      {"f32", "-nan", 0xffc00000},
      {"f32", "0x7fc00001", 0x7fc00001},
      {"f32", "0XFF800001", 0xff800001},
      {"f32", "0x3FC00000", 0x3fc00000},
      {"f32", "-0.0", 0x80000000},
      {"f32", "0.1", 0x3dcccccd},
      {"f64", "0.1", 0x3fb999999999999a},
      {"f16", "65504", 0x7bff},
      {"f8E5M2", "1.5", 0x3e},
      {"f8E4M3FN", "448", 0x7e},
      {"f8E4M3FN", "1.5", 0x3c},
      {"f8E8M0FNU", "1", 0x7f},
      {"f8E4M3FNUZ", "nan", 0x80},
      {"f8E5M2", "0x7F", 0x7f},
      {"f8E8M0FNU", "0xff", 0xff},
      {"f64", "0x7ff8000000000001", 0x7ff8000000000001},
      {"c64", "0x7FC00001,-nan", 0xffc000007fc00001},
      {"c64", "1.5,-2", 0xc00000003fc00000},
      {"c64", "1.5", 0x3fc00000},
      {"b32", "4294967295", 0xffffffff},
  };
  for (const auto &test : cases) {
    Result<ElementBits> element = parseElement(type(test.type), test.text);
    ASSERT_TRUE(element) << test.type << ' ' << test.text << ": " << element.error().message;
    EXPECT_EQ(bits(*element), test.bits) << test.type << ' ' << test.text;
  }
}

TEST(ParseElement, RefusesWhatTheTypeCannotHold) {
  struct {
    const char *type, *text;
  } cases[] = {
      {"bool", "2"},
      {"i8", "128"},
      {"i8", "-129"},
      {"u8", "-1"},
      {"u8", "256"},
      {"i32", "6277101735386680763835789423207666416102355444464034512901"}, // 2^192 + 5
      {"i32", "1.0"},
      {"i32", "1e3"},
      {"i32", ""},
      {"i32", "--1"},
      {"i32", "0x10"},
      {"f16", "65536"},
      {"f16", "1e999999999"},
      {"f32", "1e39"},
      {"f32", ""},
      {"f32", "-"},
      {"f32", "abc"},
      {"f32", "1.5x"},
      {"f32", "0x1p3"},
      {"f32", "-0x1p3"},
      {"f32", "0x"},
      {"f32", "0x7FC0001"},
      {"f32", "0x07FC00001"},
      {"f32", "-0x7FC00001"},
      {"f32", "0x7FC0000G"},
      {"f8E8M0FNU", "-nan"},
      {"f8E4M3FN", "inf"},
      {"f8E4M3FN", "500"},
      {"f8E8M0FNU", "-1"},
      {"f8E8M0FNU", "0"},
      {"f8E8M0FNU", "inf"},
      {"c64", "1,2,3"},
      {"c64", "1,"},
      {"f64", "1e400"},
      {"f32", "nan(1)"},
      {"i64", "99999999999999999999999999999999999999999999999999999999999999999999"},
  };
  for (const auto &test : cases)
    EXPECT_FALSE(parseElement(type(test.type), test.text)) << test.type << " '" << test.text << "'";
  Result<ElementBits> many = parseElement(type("f32"), std::string(2000, '1'));
  EXPECT_EQ(many.error().code, ErrorCode::Limit);
  EXPECT_EQ(many.error().message, "expects an element of at most 1200 characters, but it has 2000");
}

TEST(ParseElement, NamesTheRangeThatIsAccepted) {
  EXPECT_EQ(parseElement(type("i8"), "300").error().message,
            "expects an element of i8, an integer from -128 to 127, but got '300'");
  EXPECT_EQ(parseElement(type("f16"), "0x7E").error().message,
            "expects an element of f16, a number up to 65504, inf, nan, or 0x and the 4 digits of "
            "its bits, but got '0x7E'");
}

/// Every value of the narrow types, and random ones of the wide, survive being printed.
TEST(PrintElement, ReadsBackExactly) {
  std::mt19937_64 engine(11);
  for (const ElementType &type : elementTypes()) {
    uint64_t count = type.width == 1 ? 256 : type.width == 2 ? 65536 : 20000;
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t words[2] = {type.width <= 2 ? i : engine(), engine()};
      ElementBits element{};
      std::memcpy(element.data(), words, type.width);
      if (type.kind == ElementKind::Bool)
        element[0] &= 1;
      std::string text = printed(type, element.data());
      llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
      ASSERT_TRUE(static_cast<bool>(value)) << type.name << ' ' << text;
      Result<std::string> again = elementText(*value);
      ASSERT_TRUE(again) << text;
      Result<ElementBits> back = parseElement(type, *again);
      ASSERT_TRUE(back) << type.name << ' ' << text << ": " << back.error().message;
      ASSERT_EQ(*back, element) << type.name << ' ' << text;
    }
  }
}

TEST(PrintElement, ShowsWhichNaNItIs) {
  const std::pair<uint32_t, const char *> cases[] = {{0x7fc00000, "\"nan\""},
                                                     {0xffc00000, "\"-nan\""},
                                                     {0x7fc00001, "\"0x7FC00001\""},
                                                     {0xff800001, "\"0xFF800001\""}};
  for (auto [bits, text] : cases)
    EXPECT_EQ(printed(type("f32"), &bits), text);
  uint16_t half = 0x7e01;
  EXPECT_EQ(printed(type("f16"), &half), "\"0x7E01\"");
  uint8_t unsignedZero = 0x80;
  EXPECT_EQ(printed(type("f8E4M3FNUZ"), &unsignedZero), "\"nan\"");
  uint32_t pair[2] = {0x7fc00001, 0xffc00000};
  EXPECT_EQ(printed(type("c64"), pair), "[\"0x7FC00001\",\"-nan\"]");
}

TEST(PrintElement, IsShort) {
  float tenth = 0.1f;
  EXPECT_EQ(printed(type("f32"), &tenth), "0.1");
  uint16_t halfTenth = 0x2e66;
  EXPECT_EQ(printed(type("f16"), &halfTenth), "0.1");
  double negativeZero = -0.0;
  EXPECT_EQ(printed(type("f64"), &negativeZero), "-0.0");
  float pair[2] = {1.5f, -2.0f};
  EXPECT_EQ(printed(type("c64"), pair), "[1.5,-2]");
  uint64_t large[2] = {0, 1};
  EXPECT_EQ(printed(type("b128"), large), "\"18446744073709551616\"");
}

TEST(FillIota, StaysIn64Bits) {
  EXPECT_TRUE(checkIota(INT64_MAX, 0));
  EXPECT_TRUE(checkIota(INT64_MAX, 1));
  EXPECT_TRUE(checkIota(INT64_MIN, INT64_MAX));
  Status status = checkIota(INT64_MAX - 1, 3);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::Overflow);
  EXPECT_EQ(status.error().message,
            "expects integers that 64 bits hold, but 3 from 9223372036854775806 are more");
}

TEST(FillIota, ConvertsAsACastDoes) {
  uint8_t bytes[4];
  fillIota(type("u8"), 254, 4, bytes);
  EXPECT_EQ(std::vector<int>(bytes, bytes + 4), (std::vector<int>{254, 255, 0, 1}));
  fillIota(type("bool"), -1, 4, bytes);
  EXPECT_EQ(std::vector<int>(bytes, bytes + 4), (std::vector<int>{1, 0, 1, 1}));
  int64_t wide[2];
  fillIota(type("i64"), INT64_MAX - 1, 2, wide);
  EXPECT_EQ(wide[1], INT64_MAX);
  float floats[3];
  fillIota(type("f32"), (1 << 24) - 1, 3, floats);
  EXPECT_EQ(floats[1], 16777216.0f);
  EXPECT_EQ(floats[2], 16777216.0f); // 16777217 is a tie, rounded to even
  uint16_t halves[2];
  fillIota(type("f16"), 65519, 2, halves);
  EXPECT_EQ(halves[0], 0x7bff);
  EXPECT_EQ(halves[1], 0x7c00); // 65520 rounds to infinity
  double parts[4];
  fillIota(type("c128"), 3, 2, parts);
  EXPECT_EQ(std::vector<double>(parts, parts + 4), (std::vector<double>{3, 0, 4, 0}));
  int64_t untyped[2];
  fillIota(type("b128"), -2, 1, untyped);
  EXPECT_EQ(untyped[1], -1);
}

} // namespace
