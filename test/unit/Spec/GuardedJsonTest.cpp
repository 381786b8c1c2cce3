// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Spec/GuardedJson.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace relayout;

namespace {

std::string complaint(llvm::StringRef text, size_t maxBytes = kMaxSpecBytes) {
  Result<llvm::json::Value> value = parseGuardedJson(text, maxBytes);
  return value ? "none" : value.error().message;
}

ErrorCode refusal(llvm::StringRef text, size_t maxBytes = kMaxSpecBytes) {
  Result<llvm::json::Value> value = parseGuardedJson(text, maxBytes);
  EXPECT_FALSE(value) << text.take_front(80).str();
  return value ? ErrorCode::Internal : value.error().code;
}

TEST(GuardedJson, TakesWhatJsonIs) {
  for (llvm::StringRef text :
       {"{}", "[]", "1", "\"\"", "{\"a\":{\"a\":1},\"b\":[{\"a\":1},{\"a\":2}]}",
        "{\"a\":\"} ] \\\" : {\",\"b\":1}", "[9223372036854775807,-9223372036854775808]",
        "[18446744073709551615]", "[1e308,-0.0,1E-999]", "{\"a:b\":\"a:b\"}"})
    EXPECT_TRUE(parseGuardedJson(text)) << text.str();
}

TEST(GuardedJson, KeepsTheSignOfZero) {
  Result<llvm::json::Value> value = parseGuardedJson("[-0,-0.0,0,{\"a\":-0},\"-0\",-10,-0]");
  ASSERT_TRUE(value) << value.error().message;
  const llvm::json::Array &list = *value->getAsArray();
  EXPECT_TRUE(std::signbit(*list[0].getAsNumber()));
  EXPECT_TRUE(std::signbit(*list[1].getAsNumber()));
  EXPECT_FALSE(std::signbit(*list[2].getAsNumber()));
  EXPECT_TRUE(std::signbit(*list[3].getAsObject()->getNumber("a")));
  EXPECT_EQ(list[4].getAsString(), llvm::StringRef("-0"));
  EXPECT_EQ(list[5].getAsInteger(), -10);
  EXPECT_TRUE(std::signbit(*list[6].getAsNumber()));
}

TEST(GuardedJson, RefusesDepthBeforeItIsParsed) {
  EXPECT_TRUE(parseGuardedJson(std::string(64, '[') + std::string(64, ']')));
  EXPECT_EQ(refusal(std::string(65, '[') + std::string(65, ']')), ErrorCode::Limit);
  EXPECT_EQ(complaint(std::string(65, '[')),
            "expects brackets to be nested at most 64 deep, but byte 65 opens one more");
  EXPECT_EQ(refusal(std::string(200000, '[')), ErrorCode::Limit);
  std::string nested;
  for (int i = 0; i < 100000; ++i)
    nested += "{\"a\":";
  EXPECT_EQ(refusal(nested), ErrorCode::Limit);
}

TEST(GuardedJson, RefusesSize) {
  EXPECT_EQ(refusal("[1,2,3,4]", 8), ErrorCode::Limit);
  EXPECT_EQ(complaint("[1,2,3,4]", 8), "expects at most 8 bytes of JSON, but got 9");
  EXPECT_TRUE(parseGuardedJson("[1,2,3,4]", 9));
}

TEST(GuardedJson, RefusesKeysTwice) {
  EXPECT_EQ(refusal("{\"block\":2,\"block\":0}"), ErrorCode::Syntax);
  EXPECT_EQ(refusal("{\"a\":{\"b\":1,\"c\":[],\"b\":2}}"), ErrorCode::Syntax);
  // The same key in another spelling.
  EXPECT_EQ(refusal("{\"block\":2,\"bloc\\u006b\":0}"), ErrorCode::Syntax);
  EXPECT_EQ(complaint("{\"a\":1,\"a\":2}"), "expects each key once, but 'a' stands twice");
  EXPECT_EQ(complaint("{\"\\u0061\":1}"), "expects keys without escapes, but got '\\u0061'");
}

TEST(GuardedJson, RefusesNumbersThatWouldBeRounded) {
  for (llvm::StringRef text : {"[99999999999999999999]", "[-9223372036854775809]",
                               "[18446744073709551616]", "[1e400]", "[-1e309]"})
    EXPECT_EQ(refusal(text), ErrorCode::Syntax);
  EXPECT_EQ(complaint("18446744073709551616"),
            "expects integers of 64 bits, but got 18446744073709551616; a string may be longer");
  EXPECT_EQ(complaint("1e400"), "expects numbers that a double can hold, but got 1e400");
}

TEST(GuardedJson, RefusesWhatIsNoJson) {
  for (llvm::StringRef text : {"", "{", "}", "]", "[1,]", "{\"a\"}", "{a:1}", "nul", "[01x]", "-",
                               "\"", "\"\\", "[1 2]", "{\"a\":1}}", "\xff\xfe", "[\"\xc0\x80\"]"})
    EXPECT_EQ(refusal(text), ErrorCode::Syntax);
  EXPECT_EQ(complaint("[\"\xc0\x80\"]"), "expects JSON to be UTF-8, but byte 2 is not");
}

TEST(GuardedJson, RefusesNumbersThatJsonHasNot) {
  for (llvm::StringRef text : {"02", "-02", "00", "2.", "-.5", ".5", "+2", "1.5e", "1e+", "1.e2",
                               "--1", "1e2.5", "0x10", "[1,-]", "{\"a\":01}"})
    EXPECT_EQ(refusal(text), ErrorCode::Syntax) << text.str();
  EXPECT_EQ(parseGuardedJson("[02]").error().message,
            "expects numbers as JSON has them, as in -2, 0.5 or 1e3, but got 02");
  for (llvm::StringRef text :
       {"0", "-0", "10", "0.5", "-0.0e-0", "1E+2", "[1e2,1.25e07]", "\"+.02\""})
    EXPECT_TRUE(parseGuardedJson(text)) << text.str();
}

TEST(GuardedJson, TellsPlacesOfTheTextThatWasGiven) {
  for (llvm::StringRef text : {"[-0,-0,-0 x]", "[-1,-2,-3 x]"}) {
    Result<llvm::json::Value> value = parseGuardedJson(text);
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().message,
              "expects JSON: [1:11, byte=11]: Expected , or ] after array element");
  }
}

/// Each prefix of a text is refused, none is a crash.
TEST(GuardedJson, RefusesEveryTruncation) {
  llvm::StringRef text = "{\"op\":\"x\\n\\u00e9\",\"shape\":[1,-2,3.5e1],\"t\":true,\"n\":null}";
  ASSERT_TRUE(parseGuardedJson(text));
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_EQ(refusal(text.take_front(size)), ErrorCode::Syntax);
}

TEST(JsonInteger, IsExact) {
  auto integer = [](llvm::StringRef text) { return jsonInteger(*parseGuardedJson(text)); };
  EXPECT_EQ(integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(integer("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(integer("2.0"), 2);
  EXPECT_EQ(integer("1.5e3"), 1500);
  EXPECT_EQ(integer("9007199254740993.0"), 9007199254740993);
  EXPECT_EQ(integer("-9007199254740993000e-3"), -9007199254740993);
  EXPECT_EQ(integer("9223372036854775807.0"), INT64_MAX);
  EXPECT_EQ(integer("-9.223372036854775808E+18"), INT64_MIN);
  EXPECT_EQ(integer("-0"), 0);
  EXPECT_EQ(integer("9223372036854775808"), std::nullopt);
  EXPECT_EQ(integer("9223372036854775808.0"), std::nullopt);
  EXPECT_EQ(integer("9223372036854775807.5"), std::nullopt);
  EXPECT_EQ(integer("18446744073709551616.0"), std::nullopt);
  EXPECT_EQ(integer("1e20"), std::nullopt);
  EXPECT_EQ(integer("1e300"), std::nullopt);
  EXPECT_EQ(integer("2.5"), std::nullopt);
  EXPECT_EQ(integer("\"2\""), std::nullopt);
  EXPECT_EQ(integer("true"), std::nullopt);
}

} // namespace
