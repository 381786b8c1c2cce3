// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The loops of a schedule around boxes of one piece, and where in them each box starts.

#ifndef RELAYOUT_LIB_CONVERSION_NESTEMITTER_H
#define RELAYOUT_LIB_CONVERSION_NESTEMITTER_H

#include "relayout/Layout/Problem.h"
#include "relayout/Schedule/Schedule.h"

#include "mlir/IR/Builders.h"

#include <functional>
#include <optional>
#include <vector>

namespace relayout {

/// The values of one digit of a piece that the units to do perform.
struct Cut {
  std::optional<unsigned> digit; ///< none: the piece as a whole, once or not at all
  mlir::Value begin, end;
};

/// An index that grows from loop to loop: what a loop does not change is computed outside
/// of it, and its own part is one term for the code generator to follow.
class Subscript {
public:
  /// Grows from `index` (null: 0) plus `constant`.
  Subscript(mlir::Value index, int64_t constant) : index(index), constant(constant) {}

  /// Adds `start` (null: 0) times `stride`.
  void add(mlir::OpBuilder &b, mlir::Location loc, mlir::Value start, int64_t stride);
  mlir::Value get(mlir::OpBuilder &b, mlir::Location loc);

private:
  void apply(mlir::OpBuilder &b, mlir::Location loc, std::pair<mlir::Value, int64_t> term);

  mlir::Value index;
  int64_t constant;
};

/// Where boxes start on both sides of a movement.
struct Places {
  std::optional<Subscript> in; ///< none for a fill
  Subscript out;
};

/// Emits the loops around boxes of `tile` values, and in the innermost one a body.
class NestEmitter {
public:
  /// Makes the body, given where the box starts; `in` is null for a fill.
  using Body = llvm::function_ref<void(mlir::Value in, mlir::Value out)>;

  NestEmitter(mlir::OpBuilder &b, mlir::Location loc, const Problem &piece,
              llvm::ArrayRef<Loop> loops, llvm::ArrayRef<int64_t> tile, Places places)
      : b(b), loc(loc), piece(piece), loops(loops), tile(tile), places(places),
        ranges(piece.digits.size()) {}

  /// Cuts the piece to the units of the kernel.
  void clip(const Cut &cut);
  /// Leaves out the boxes beyond `window`, of whose digits each box has one value.
  void keepWithin(const DigitRange &window) { windows.push_back(&window); }
  /// Leaves out the values of digit `d` that the box of `outer`, in whose body this is, repeats
  /// of its digit `outerDigit`.
  void leaveOut(unsigned d, const NestEmitter &outer, unsigned outerDigit);

  /// Lets boxes start `value` times `stride` before where they would in the input.
  void moveBack(mlir::Value value, int64_t stride) { places.in->add(b, loc, value, -stride); }

  /// Emits the body of the loop before `depth` by `body` as well, ahead of the loops inside.
  void emitAt(size_t depth, std::function<void()> body) { outside = {depth, std::move(body)}; }

  void emit(Body body);

  // In the body:

  /// The variable of the loop `loops[i]`; of one over segments, where in the digit it is.
  mlir::Value variable(size_t i) const { return variables[i]; }
  size_t depth() const { return variables.size(); }
  /// Values of digit `d` of the box that the box before it has, where the last one is shifted
  /// back; null where none is.
  mlir::Value repeated(unsigned d);
  /// Where the segment of digit `d` in which the box lies starts, after the first one; null: there
  /// are none.
  mlir::Value segment(unsigned d) const { return ranges[d].segment; }
  /// Where the box starts along digit `d`; null: at 0.
  mlir::Value start(unsigned d);
  /// The sum of the terms of `window` where the box starts, which has one value of each digit.
  mlir::Value sumOf(const DigitRange &window);
  /// The first value of digit `d` inside the loops before `depth`; null: 0.
  mlir::Value lowest(unsigned d, size_t depth) const;
  /// One more than the last value of digit `d` inside the loops before `depth`.
  mlir::Value end(unsigned d, size_t depth);

private:
  /// One digit of the piece while its loops are built.
  struct Range {
    mlir::Value begin, end; ///< the values to do; null: all of them
    mlir::Value block;      ///< of the next outer loop over the digit; null: none yet
    int64_t blockStep = 0;
    mlir::Value segment; ///< the variable of the loop over segments; null: none yet
    mlir::Value repeats; ///< values before this less `repeatsFrom` are left out
    int64_t repeatsFrom = 0;
  };

  /// The largest or the least of some values, where a loop begins or ends.
  class Bound;

  /// What is emitted ahead of the loops from that depth on.
  std::pair<size_t, std::function<void()>> outside;

  /// Moves the places to where the box starts along digit `d`.
  void advance(unsigned d);
  void enter(mlir::Operation *loop);
  /// The loop `all[i]`: over all of a digit, or over a block of it.
  mlir::Value addLoop(const std::vector<Loop> &all, size_t i);
  Bound lowerBound(const Range &range);
  /// Where the loop `all[i]` ends.
  Bound upperBound(const std::vector<Loop> &all, size_t i);
  /// Adds where `window` begins and ends at the values of its digits that loops outside have, if
  /// `all[i]` is the innermost loop over them.
  void addWindow(const DigitRange &window, const std::vector<Loop> &all, size_t i, Bound &lower,
                 Bound &upper);
  /// The loop over the segments that have values at the block's place.
  mlir::Value addSegments(const Loop &loop);
  /// The loop before `depth` that is the innermost one over `d`.
  std::optional<size_t> blockBefore(unsigned d, size_t depth) const;

  mlir::OpBuilder &b;
  mlir::Location loc;
  const Problem &piece;
  llvm::ArrayRef<Loop> loops;
  llvm::ArrayRef<int64_t> tile;
  Places places;
  std::vector<Range> ranges;
  std::vector<mlir::Value> variables;
  mlir::Value guardBegin, guardEnd;              ///< null: none
  llvm::SmallVector<const DigitRange *> windows; ///< within which boxes lie
};

} // namespace relayout

#endif // RELAYOUT_LIB_CONVERSION_NESTEMITTER_H
