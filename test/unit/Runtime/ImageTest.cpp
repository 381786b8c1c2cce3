// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/Image.h"

#include "relayout/Runtime/Digest.h"

#include "relayout/Runtime/HostFeatures.h"

#include <gtest/gtest.h>
#include <random>

using namespace relayout;

namespace {

ImageVariant makeVariant(const std::string &cpu, std::vector<std::string> features,
                         const std::string &code) {
  ImageVariant variant;
  variant.cpu = cpu;
  variant.features = std::move(features);
  variant.kernel.info = {720, 1440, 4, 192, 15};
  variant.kernel.schedule = "schedule of " + cpu;
  variant.kernel.code = code;
  variant.kernel.entry = code.empty() ? 0 : 2;
  return variant;
}

Image makeImage() {
  Image image;
  image.arch = hostArch();
  image.build = "build 7";
  image.key = "key";
  image.spec = "{\"op\": \"transpose\"}";
  image.variants = {makeVariant("small", {}, "SMALL"), makeVariant("large", {}, "LARGER")};
  image.variants[1].kernel.copy = {3, 5, 7};
  return image;
}

void expectSame(const Image &a, const Image &b) {
  EXPECT_EQ(a.arch, b.arch);
  EXPECT_EQ(a.build, b.build);
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.spec, b.spec);
  ASSERT_EQ(a.variants.size(), b.variants.size());
  for (size_t i = 0; i < a.variants.size(); ++i) {
    const ImageVariant &v = a.variants[i], &w = b.variants[i];
    EXPECT_EQ(v.cpu, w.cpu);
    EXPECT_EQ(v.features, w.features);
    EXPECT_EQ(v.kernel.info.inputBytes, w.kernel.info.inputBytes);
    EXPECT_EQ(v.kernel.info.outputBytes, w.kernel.info.outputBytes);
    EXPECT_EQ(v.kernel.info.alignment, w.kernel.info.alignment);
    EXPECT_EQ(v.kernel.info.scratchBytes, w.kernel.info.scratchBytes);
    EXPECT_EQ(v.kernel.info.units, w.kernel.info.units);
    EXPECT_EQ(v.kernel.copy.from, w.kernel.copy.from);
    EXPECT_EQ(v.kernel.copy.to, w.kernel.copy.to);
    EXPECT_EQ(v.kernel.copy.bytes, w.kernel.copy.bytes);
    EXPECT_EQ(v.kernel.entry, w.kernel.entry);
    EXPECT_EQ(v.kernel.schedule, w.kernel.schedule);
    EXPECT_EQ(v.kernel.code, w.kernel.code);
  }
}

std::string encoded(const Image &image) {
  Result<std::string> bytes = encodeImage(image);
  return bytes ? bytes.take() : bytes.error().message;
}

std::string refusal(std::string_view bytes) {
  Result<Image> image = decodeImage(bytes);
  if (image)
    return "";
  EXPECT_EQ(image.error().code, ErrorCode::Input);
  return image.error().message;
}

TEST(Image, GivesBackWhatWasPutIn) {
  Image image = makeImage();
  image.variants[0].features = {"one", "two"};
  Result<Image> decoded = decodeImage(encoded(image));
  ASSERT_TRUE(decoded) << decoded.error().message;
  expectSame(*decoded, image);
  EXPECT_EQ(encoded(*decoded), encoded(image));
}

TEST(Image, RefusesEveryTruncation) {
  std::string bytes = encoded(makeImage());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(refusal(std::string_view(bytes).substr(0, size)), "") << size;
  EXPECT_EQ(refusal(bytes + '\0'), "expects an image of " + std::to_string(bytes.size()) +
                                       " bytes, but got " + std::to_string(bytes.size() + 1));
  EXPECT_EQ(refusal(""), "expects an image, but got 0 bytes that do not begin as one");
  EXPECT_EQ(refusal(bytes.substr(0, 20)), "expects a whole image, but it ends after 20 bytes");
}

TEST(Image, RefusesEveryFlippedBit) {
  const std::string bytes = encoded(makeImage());
  for (size_t i = 0; i < 8 * bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i / 8] ^= 1 << (i % 8);
    EXPECT_NE(refusal(changed), "") << i;
  }
  std::string other = bytes;
  other[8] = 2;
  EXPECT_EQ(refusal(other), "expects an image of format 1.0, but got format 2.0");
  other = bytes;
  other.back() ^= 1;
  EXPECT_EQ(refusal(other), "expects an image as it was written, but its digest differs");
}

/// What is written can be read.
TEST(Image, RefusesToWriteMoreThanIsRead) {
  Image image = makeImage();
  image.variants.assign(64, makeVariant("small", {}, "SMALL"));
  EXPECT_EQ(refusal(encoded(image)), "");
  image.variants.push_back(image.variants[0]);
  Result<std::string> bytes = encodeImage(image);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::Limit);
  EXPECT_EQ(bytes.error().message,
            "expects an image with at most 64 processors to have code for, but got 65");

  image = makeImage();
  image.variants[1].features.assign(256, "feature");
  EXPECT_EQ(refusal(encoded(image)), "");
  image.variants[1].features.push_back("another");
  EXPECT_EQ(encoded(image), "expects an image with at most 256 features of large, but got 257");

  image = makeImage();
  size_t without = encoded(image).size() - image.variants[0].kernel.code.size();
  image.variants[0].kernel.code.assign((64 << 20) - without, 'C');
  EXPECT_EQ(encoded(image).size(), 64u << 20);
  image.variants[0].kernel.code += 'C';
  EXPECT_EQ(encoded(image), "expects an image of at most 67108864 bytes, but got 67108865");
}

/// Bytes whose digest is right but whose parts may not fit: an attacker can make them,
/// and a reader must survive them.
TEST(Image, SurvivesAnythingUnderARightDigest) {
  constexpr size_t kHead = 24, kBody = kHead + kDigestBytes;
  const std::string bytes = encoded(makeImage());
  std::mt19937 random(20261107);
  int accepted = 0, refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string changed = bytes;
    for (unsigned n = 1 + random() % 3; n-- > 0;)
      changed[kBody + random() % (changed.size() - kBody)] =
          random() % 2 ? static_cast<char>(random()) : '\xff';
    changed.replace(kHead, kDigestBytes, digestOf(changed.substr(0, kHead), changed.substr(kBody)));
    Result<Image> image = decodeImage(changed);
    ++(image ? accepted : refused);
    if (!image)
      continue;
    EXPECT_EQ(encoded(*image), changed);
    for (const ImageVariant &variant : image->variants)
      EXPECT_TRUE(variant.kernel.isCopy() ||
                  size_t(variant.kernel.entry) < variant.kernel.code.size());
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 100);
}

TEST(Image, RefusesNumbersThatNoKernelHas) {
  const char *const kMessage = "expects an image that a compiler wrote, but its parts do not fit";
  auto refusalOf = [](auto change) {
    Image image = makeImage();
    change(image.variants[1].kernel);
    return refusal(encoded(image));
  };
  EXPECT_EQ(refusalOf([](FlatKernel &) {}), "");
  EXPECT_EQ(refusalOf([](FlatKernel &k) { k.entry = -1; }), kMessage);
  EXPECT_EQ(refusalOf([](FlatKernel &k) { k.entry = k.code.size(); }), kMessage);
  EXPECT_EQ(refusalOf([](FlatKernel &k) { k.info.inputBytes = -1; }), kMessage);
  EXPECT_EQ(refusalOf([](FlatKernel &k) { k.info.outputBytes = -1; }), kMessage);
  EXPECT_EQ(refusalOf([](FlatKernel &k) { k.info.units = -1; }), kMessage);
  EXPECT_EQ(refusalOf([](FlatKernel &k) { k.info.scratchBytes = -1; }), kMessage);
  EXPECT_EQ(refusalOf([](FlatKernel &k) { k.info.scratchBytes = 64 << 20; }), "");
  EXPECT_EQ(refusalOf([](FlatKernel &k) { k.info.scratchBytes = (64 << 20) + 1; }), kMessage);
  for (int64_t alignment : {0, -4, 3, 32})
    EXPECT_EQ(refusalOf([&](FlatKernel &k) { k.info.alignment = alignment; }), kMessage);
  // 720 bytes in, 1440 out.
  auto copy = [&](PlainCopy copy) {
    return refusalOf([&](FlatKernel &k) {
      k.code.clear();
      k.copy = copy;
    });
  };
  EXPECT_EQ(copy({0, 720, 720}), "");
  EXPECT_EQ(copy({700, 1420, 20}), "");
  EXPECT_EQ(copy({1, 0, 720}), kMessage);
  EXPECT_EQ(copy({0, 721, 720}), kMessage);
  EXPECT_EQ(copy({0, 0, 721}), kMessage);
  EXPECT_EQ(copy({-1, 0, 1}), kMessage);
  EXPECT_EQ(copy({0, -1, 1}), kMessage);
  EXPECT_EQ(copy({0, 0, -1}), kMessage);
  EXPECT_EQ(copy({INT64_MAX, INT64_MAX, INT64_MAX}), kMessage);
  Image image = makeImage();
  image.variants.clear();
  EXPECT_EQ(refusal(encoded(image)), kMessage);
}

TEST(Image, TakesTheMostThatTheHostCanRun) {
  std::vector<std::string> had;
  for (std::string_view name : optionalFeatures(hostArch()))
    if (hostHas(name) && had.size() < 2)
      had.emplace_back(name);
  if (had.size() < 2)
    GTEST_SKIP() << "needs a processor with two optional features";
  Image image = makeImage();
  image.variants = {makeVariant("one", {had[0]}, "ONE.."), makeVariant("two", had, "TWO.."),
                    makeVariant("none", {}, "NONE."),
                    makeVariant("future", {had[0], had[1], "wings"}, "WINGS")};
  Result<const ImageVariant *> chosen = chooseVariant(image);
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_EQ((*chosen)->cpu, "two");
  image.variants.erase(image.variants.begin() + 1);
  EXPECT_EQ((*chooseVariant(image))->cpu, "one");
}

TEST(Image, SaysWhatTheHostLacks) {
  Image image = makeImage();
  image.variants = {makeVariant("bird", {"wings", "beak"}, "BIRD."),
                    makeVariant("fish", {"fins"}, "FISH.")};
  Result<const ImageVariant *> chosen = chooseVariant(image);
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::Environment);
  EXPECT_EQ(chosen.error().message, "expects an image for this processor, but it has code for "
                                    "others: bird needs wings,beak; fish needs fins");
  image.arch = "vax";
  chosen = chooseVariant(image);
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().message,
            std::string("expects an image for ") + hostArch() + ", but it is for vax");
}

/// The bytes of an image are a promise to files that exist. The digest is that of an
/// independent implementation, the program xxhsum.
TEST(Image, DigestIsXXH3) {
  auto hex = [](const std::string &digest) {
    std::string text;
    for (unsigned char byte : digest)
      for (int digit : {byte >> 4, byte & 15})
        text += "0123456789abcdef"[digit];
    return text;
  };
  EXPECT_EQ(hex(digestOf("")), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hex(digestOf("re", "layout")), hex(digestOf("relayout")));
}

} // namespace
