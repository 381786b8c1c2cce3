// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Transposes of many images, each of which is one stretch on both sides and three eighths of the
/// second cache or less: it is written straight on, from there, while the next one is fetched
/// (docs/schedules.md, "Images in the second cache").

#include "Pieces.h"

#include "relayout/Support/CacheLine.h"

using namespace relayout;
using namespace relayout::movement;

namespace {

/// The digits of an image, and its bytes. Other digits count the images.
struct Image {
  unsigned read, written; ///< whose values lie side by side in the input, in the output
  int64_t readBytes, writtenBytes, bytes; ///< of a row, of all of it
};

/// The image of `problem`; none unless it has one, and some of them.
std::optional<Image> imageOf(const Problem &problem) {
  constexpr int64_t kFewImages = 4;
  std::vector<unsigned> in = contiguousChain(problem, Side::In),
                        out = contiguousChain(problem, Side::Out);
  if (in.size() < 2 || out.size() < 2 || in[0] != out[1] || in[1] != out[0])
    return std::nullopt;
  int64_t images = 1;
  for (unsigned d = 0; d < problem.digits.size(); ++d)
    if (d != in[0] && d != out[0])
      images = saturatingMul(images, problem.digits[d].extent);
  if (images < kFewImages)
    return std::nullopt;
  int64_t read = saturatingMul(problem.digits[in[0]].extent, problem.width),
          written = saturatingMul(problem.digits[out[0]].extent, problem.width);
  return Image{in[0], out[0], read, written, saturatingMul(read, written) / problem.width};
}

constexpr int64_t kPart = 16; ///< bytes of each row that a tile reads where rows are put together

/// True if rows of the output are long, and those of the input whole lines, or short. Larger images
/// lose, presumably where their pages meet in few sets of the second cache.
bool gainsByLines(const Image &image, int64_t width, const TargetInfo &target) {
  constexpr int64_t kLong = 340, kShortOfBytes = 56;
  bool isOnLines = image.readBytes % kLineBytes == 0;
  bool isShort = image.readBytes <= (width == 1 ? kShortOfBytes : kLineBytes);
  return image.bytes <= target.l2Bytes / 32 * 7 && image.writtenBytes >= kLong &&
         (isShort || (isOnLines && width > 1));
}

/// True if the lines of the next tiles had better come to the first cache, which holds them all.
bool bringsNear(const Image &image, int64_t width) {
  constexpr int64_t kFewRows = 160, kAliased = 1024, kShortPair = 256;
  return (width == 2 && image.readBytes > kShortPair) ||
         (image.writtenBytes / width <= kFewRows && image.readBytes % kAliased != 0);
}

/// True if rows of the output are short, and tiles read parts of lines anyway.
bool gainsByRows(const Image &image, int64_t width, int64_t vectorBytes) {
  constexpr int64_t kShort = 256, kLong = 1000, kMost = 4 << 10;
  const int64_t shortPairs = vectorBytes == kLineBytes ? 48 : 128;
  return width > 1 && image.readBytes % kLineBytes != 0 &&
         image.writtenBytes >= (width == 2 ? shortPairs : kShort) && image.writtenBytes <= kLong &&
         kPart / width * image.writtenBytes <= kMost;
}

/// True if lone lines to all rows of an image, in the order of the input, are slow: to many rows,
/// which lie at multiples of 512 bytes.
bool writesAliased(const Image &image, int64_t width) {
  constexpr int64_t kLong = 512, kAliased = 512, kLeastWidth = 4;
  return width >= kLeastWidth && image.readBytes >= kLong && image.readBytes % kLineBytes == 0 &&
         image.writtenBytes % kAliased == 0;
}

class ImageBuilder {
public:
  ImageBuilder(const Problem &problem, const Image &image, const TargetInfo &target)
      : problem(problem), image(image) {
    piece.tile.assign(problem.digits.size(), 1);
    piece.store = StoreMode::NonTemporal;
    piece.vectorBytes = target.vectorBytes;
    std::vector<unsigned> order = orderByStride(problem, Side::Out);
    for (auto d = order.rbegin(); d != order.rend(); ++d)
      if (*d != image.read && *d != image.written)
        piece.loops.push_back({*d, 1});
    piece.fetch = piece.loops.size();
  }

  /// Tiles turn a line of each row, or all of shorter ones, to a line of each row of the output,
  /// of which parts wait for the next tile.
  PieceSchedule inLines(bool near) {
    const int64_t line = kLineBytes / problem.width;
    const int64_t values = problem.digits[image.read].extent;
    if (values > line)
      add(image.read, line);
    else
      piece.tile[image.read] = values;
    piece.carry = piece.loops.size();
    add(image.written, line);
    piece.stage = piece.loops.size();
    piece.near = near ? line : 0;
    return piece;
  }

  /// The same of rows that are whole lines on both sides.
  PieceSchedule inWholeLines() {
    const int64_t line = kLineBytes / problem.width;
    add(image.read, line);
    add(image.written, line);
    piece.near = line;
    return piece;
  }

  /// A few rows of the output are put together, from parts of all rows of the input.
  PieceSchedule inRows(int64_t values) {
    constexpr int64_t kLittleMore = 5; // quarters of a vector that are one tile
    const int64_t lanes = piece.vectorBytes / problem.width;
    const int64_t rows = problem.digits[image.written].extent;
    piece.carry = piece.loops.size();
    add(image.read, values);
    piece.stage = piece.loops.size();
    if (4 * rows > kLittleMore * lanes)
      add(image.written, lanes);
    else
      piece.tile[image.written] = rows;
    piece.near = kLineBytes / problem.width;
    return piece;
  }

private:
  void add(unsigned digit, int64_t values) {
    piece.tile[digit] = values;
    piece.loops.push_back({digit, values});
  }

  const Problem &problem;
  const Image &image;
  PieceSchedule piece;
};

} // namespace

std::optional<PieceSchedule> relayout::imagePiece(const PieceView &view, const TargetInfo &target,
                                                  const PieceSchedule &piece) {
  constexpr int64_t kLeastBytes = 10 << 10;
  const Problem &problem = view.problem;
  if (!target.memory.losesRows() || !isFromMemory(view) || view.fill || !problem.read.empty() ||
      piece.store != StoreMode::NonTemporal || 2 * piece.vectorBytes < kLineBytes)
    return std::nullopt;
  std::optional<Image> image = imageOf(problem);
  if (!image)
    return std::nullopt;
  if (image->bytes < kLeastBytes || image->bytes > target.l2Bytes / 8 * 3)
    return std::nullopt;
  ImageBuilder builder(problem, *image, target);
  bool isLong = piece.vectorBytes == kLineBytes;
  if (piece.stage && isLong && gainsByLines(*image, problem.width, target))
    return builder.inLines(bringsNear(*image, problem.width));
  if (piece.stage && gainsByRows(*image, problem.width, piece.vectorBytes))
    return builder.inRows(kPart / problem.width);
  if (piece.touch && !piece.stage && isLong && writesAliased(*image, problem.width))
    return builder.inWholeLines();
  return std::nullopt;
}
