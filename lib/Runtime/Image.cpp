// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/Image.h"

#include "relayout/Runtime/Digest.h"
#include "relayout/Runtime/File.h"
#include "relayout/Runtime/HostFeatures.h"

#include <algorithm>

namespace relayout {
namespace {

// magic, format, ABI, size: 8 + 4 + 4 + 8 bytes; then the digest of all else.
constexpr std::string_view kMagic("\x7frelayo\n", 8);
constexpr size_t kHeadBytes = 24, kBodyStart = kHeadBytes + kDigestBytes;
constexpr uint64_t kMaxVariants = 64, kMaxFeatures = 256;
constexpr int64_t kMaxAlignment = 16;
/// Of each task; schedules take 8 MiB at most.
constexpr int64_t kMaxScratchBytes = 64 << 20;

class Writer {
public:
  void number(uint64_t value, int width = 8) {
    for (int i = 0; i < width; ++i)
      bytes += static_cast<char>(value >> (8 * i));
  }
  void text(std::string_view value) {
    number(value.size());
    bytes += value;
  }
  std::string bytes;
};

/// Reads what Writer wrote. What lies beyond the end reads as nothing, and is
/// remembered.
class Reader {
public:
  explicit Reader(std::string_view bytes) : bytes(bytes) {}

  uint64_t number(int width = 8) {
    std::string_view digits = take(width);
    uint64_t value = 0;
    for (size_t i = 0; i < digits.size(); ++i)
      value |= uint64_t(static_cast<unsigned char>(digits[i])) << (8 * i);
    return value;
  }
  int64_t integer() { return static_cast<int64_t>(number()); }
  std::string text() { return std::string(take(number())); }
  /// A number of things, none of which is shorter than a number.
  uint64_t count(uint64_t most) {
    uint64_t value = number();
    failed |= value > most;
    return failed ? 0 : value;
  }
  /// Everything was there, and there is no more.
  bool isDone() const { return !failed && bytes.empty(); }

private:
  std::string_view take(uint64_t count) {
    failed |= count > bytes.size();
    if (failed)
      return {};
    std::string_view taken = bytes.substr(0, count);
    bytes.remove_prefix(count);
    return taken;
  }

  std::string_view bytes;
  bool failed = false;
};

void writeVariant(Writer &out, const ImageVariant &variant) {
  const FlatKernel &kernel = variant.kernel;
  out.text(variant.cpu);
  out.number(variant.features.size());
  for (const std::string &feature : variant.features)
    out.text(feature);
  for (int64_t value : {kernel.info.inputBytes, kernel.info.outputBytes, kernel.info.alignment,
                        kernel.info.scratchBytes, kernel.info.units, kernel.copy.from,
                        kernel.copy.to, kernel.copy.bytes, kernel.entry})
    out.number(static_cast<uint64_t>(value));
  out.text(kernel.schedule);
  out.text(kernel.code);
}

ImageVariant readVariant(Reader &in) {
  ImageVariant variant;
  FlatKernel &kernel = variant.kernel;
  variant.cpu = in.text();
  variant.features.resize(in.count(kMaxFeatures));
  for (std::string &feature : variant.features)
    feature = in.text();
  for (int64_t *value : {&kernel.info.inputBytes, &kernel.info.outputBytes, &kernel.info.alignment,
                         &kernel.info.scratchBytes, &kernel.info.units, &kernel.copy.from,
                         &kernel.copy.to, &kernel.copy.bytes, &kernel.entry})
    *value = in.integer();
  kernel.schedule = in.text();
  kernel.code = in.text();
  return variant;
}

/// Whether the numbers can be those of a kernel.
bool isSound(const FlatKernel &kernel) {
  const KernelInfo &info = kernel.info;
  const PlainCopy &copy = kernel.copy;
  if (info.inputBytes < 0 || info.outputBytes < 0 || info.scratchBytes < 0 ||
      info.scratchBytes > kMaxScratchBytes || info.units < 0 || info.alignment < 1 ||
      info.alignment > kMaxAlignment || (info.alignment & (info.alignment - 1)) != 0)
    return false;
  if (!kernel.isCopy())
    return kernel.entry >= 0 && static_cast<size_t>(kernel.entry) < kernel.code.size();
  return copy.from >= 0 && copy.to >= 0 && copy.bytes >= 0 && copy.bytes <= info.inputBytes &&
         copy.bytes <= info.outputBytes && copy.from <= info.inputBytes - copy.bytes &&
         copy.to <= info.outputBytes - copy.bytes;
}

Error inputError(const std::string &text) { return {ErrorCode::Input, text}; }

/// Head and digest: whether these are the bytes that someone wrote as an image.
Status checkHead(std::string_view bytes) {
  if (bytes.substr(0, kMagic.size()) != kMagic)
    return inputError("expects an image, but got " + std::to_string(bytes.size()) +
                      " bytes that do not begin as one");
  Reader head(bytes.substr(kMagic.size()));
  uint64_t format = head.number(4), abi = head.number(4), size = head.number();
  if (bytes.size() < kBodyStart)
    return inputError("expects a whole image, but it ends after " + std::to_string(bytes.size()) +
                      " bytes");
  if (format != kImageFormat || abi != kKernelAbi)
    return inputError("expects an image of format " + std::to_string(kImageFormat) + "." +
                      std::to_string(kKernelAbi) + ", but got format " + std::to_string(format) +
                      "." + std::to_string(abi));
  if (size != bytes.size())
    return inputError("expects an image of " + std::to_string(size) + " bytes, but got " +
                      std::to_string(bytes.size()));
  if (digestOf(bytes.substr(0, kHeadBytes), bytes.substr(kBodyStart)) !=
      bytes.substr(kHeadBytes, kDigestBytes))
    return inputError("expects an image as it was written, but its digest differs");
  return Status::success();
}

/// Whether there is as much of everything as a reader takes.
Status checkCounts(const Image &image) {
  auto check = [](const std::string &of, size_t found, uint64_t most) -> Status {
    if (found <= most)
      return Status::success();
    return Error{ErrorCode::Limit, "expects an image with at most " + std::to_string(most) + " " +
                                       of + ", but got " + std::to_string(found)};
  };
  if (Status status = check("processors to have code for", image.variants.size(), kMaxVariants);
      !status)
    return status;
  for (const ImageVariant &variant : image.variants)
    if (Status status = check("features of " + variant.cpu, variant.features.size(), kMaxFeatures);
        !status)
      return status;
  return Status::success();
}

} // namespace

Result<std::string> encodeImage(const Image &image) {
  if (Status status = checkCounts(image); !status)
    return status.error();
  Writer body;
  for (const std::string *text : {&image.arch, &image.build, &image.key, &image.spec})
    body.text(*text);
  body.number(image.variants.size());
  for (const ImageVariant &variant : image.variants)
    writeVariant(body, variant);
  size_t size = kBodyStart + body.bytes.size();
  if (size > kMaxImageBytes)
    return Error{ErrorCode::Limit, "expects an image of at most " + std::to_string(kMaxImageBytes) +
                                       " bytes, but got " + std::to_string(size)};

  Writer head;
  head.bytes = kMagic;
  head.number(kImageFormat, 4);
  head.number(kKernelAbi, 4);
  head.number(size);
  return head.bytes + digestOf(head.bytes, body.bytes) + body.bytes;
}

Result<Image> decodeImage(std::string_view bytes) {
  if (Status status = checkHead(bytes); !status)
    return status.error();
  Reader in(bytes.substr(kBodyStart));
  Image image;
  for (std::string *text : {&image.arch, &image.build, &image.key, &image.spec})
    *text = in.text();
  image.variants.resize(in.count(kMaxVariants));
  for (ImageVariant &variant : image.variants)
    variant = readVariant(in);
  if (!in.isDone() || image.variants.empty() ||
      !std::all_of(image.variants.begin(), image.variants.end(),
                   [](const ImageVariant &variant) { return isSound(variant.kernel); }))
    return inputError("expects an image that a compiler wrote, but its parts do not fit");
  return image;
}

Result<const ImageVariant *> chooseVariant(const Image &image) {
  if (image.arch != hostArch())
    return Error{ErrorCode::Environment, std::string("expects an image for ") + hostArch() +
                                             ", but it is for " + image.arch};
  const ImageVariant *best = nullptr;
  std::string reasons;
  for (const ImageVariant &variant : image.variants) {
    std::string missing = missingFeatures(variant.features);
    if (!missing.empty())
      reasons += (reasons.empty() ? "" : "; ") + variant.cpu + " needs " + missing;
    else if (!best || variant.features.size() > best->features.size())
      best = &variant;
  }
  if (!best)
    return Error{ErrorCode::Environment,
                 "expects an image for this processor, but it has code for others: " + reasons};
  return best;
}

} // namespace relayout
