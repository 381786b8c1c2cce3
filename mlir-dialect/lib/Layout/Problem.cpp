// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Layout/Problem.h"

#include "Boxes.h"
#include "Reduce.h"
#include "Text.h"
#include "relayout/Layout/CheckedMath.h"

#include <algorithm>
#include <cstdlib>

using namespace relayout;

using Group = Rearrangement::Group;

bool Problem::operator==(const Problem &o) const {
  return width == o.width && digits == o.digits && inOffset == o.inOffset &&
         outOffset == o.outOffset && read == o.read && written == o.written;
}

static std::string rangesText(const char *word, const std::vector<DigitRange> &ranges) {
  std::string text;
  for (const DigitRange &range : ranges) {
    std::vector<std::string> terms;
    for (auto [digit, coefficient] : range.terms)
      terms.push_back(coefficient == 1 ? cat("d", digit) : cat(coefficient, "*d", digit));
    text += cat(" ", word, " ", range.low, "<=", terms.empty() ? "0" : join(terms, "+"), "<",
                range.high);
  }
  return text;
}

std::string Problem::str() const {
  std::vector<std::string> list;
  for (const Digit &digit : digits)
    list.push_back(cat(digit.extent, ":", digit.inStride, ":", digit.outStride));
  return cat("w", width, " [", join(list, " "), "]", inOffset ? cat(" in ", inOffset) : "",
             outOffset ? cat(" out ", outOffset) : "", rangesText("read", read),
             rangesText("written", written));
}

std::vector<int64_t> relayout::rowMajorStrides(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * std::max<int64_t>(shape[dim], 1);
  return strides;
}

/// The strides must be as many as there are dimensions, none negative, and the last
/// element must lie within 2^60 elements.
static Status checkStrides(const std::vector<int64_t> &shape, const std::vector<int64_t> &strides,
                           const char *side) {
  if (strides.size() != shape.size())
    return makeError(ErrorCode::Shape, "expects one stride for each of the ", shape.size(),
                     " dimensions of the ", side, ", but got ", strides.size());
  int64_t last = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (strides[dim] < 0)
      return makeError(ErrorCode::Shape, "expects strides of 0 or more, but that of dimension ",
                       dim, " of the ", side, " is ", strides[dim]);
    std::optional<int64_t> span = checkedMul(std::max<int64_t>(shape[dim] - 1, 0), strides[dim]);
    span = span ? checkedAdd(*span, last) : span;
    if (!span || *span > kMaxWindow)
      return makeError(ErrorCode::Overflow, "expects the elements of the ", side,
                       " to lie within 2^60 places, but the strides are [", join(strides, ","),
                       "]");
    last = *span;
  }
  return Status::success();
}

bool relayout::arePlacesDistinct(const std::vector<int64_t> &shape,
                                 const std::vector<int64_t> &strides) {
  std::vector<std::pair<int64_t, int64_t>> dims; // stride, extent
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (shape[dim] == 0)
      return true;
    if (shape[dim] > 1)
      dims.push_back({strides[dim], shape[dim]});
  }
  std::sort(dims.begin(), dims.end());
  int64_t span = 0; // of the dimensions with smaller strides
  for (auto [stride, extent] : dims) {
    if (stride <= span)
      return false;
    span += (extent - 1) * stride;
  }
  return true;
}

/// A dimension of one element has no use for its stride, however large.
static std::vector<int64_t> usedStrides(const std::vector<int64_t> &shape,
                                        std::vector<int64_t> strides) {
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] == 1)
      strides[dim] = 0;
  return strides;
}

namespace {

/// The problem of a rearrangement in normal form that has elements.
class ProblemBuilder {
public:
  ProblemBuilder(const Rearrangement &r, const std::vector<int64_t> &operandStrides,
                 const std::vector<int64_t> &resultStrides)
      : r(r), operandStrides(usedStrides(r.operandShape, operandStrides)),
        resultStrides(usedStrides(r.resultShape(), resultStrides)), first(r.digits.size(), 0) {}

  /// Empty if an offset leaves 64 bits, or a range what `isInReach` allows.
  std::optional<Problem> build();

private:
  bool addDigits();
  bool boundResult(unsigned dim);
  void boundOperand(unsigned dim);
  DigitRange rangeOf(const Group &group, Interval interval) const;
  bool applyOffsets();

  const Rearrangement &r;
  std::vector<int64_t> operandStrides, resultStrides;
  Problem problem;
  std::vector<int64_t> first; ///< first value of each digit, before it is counted from 0
};

/// Sets one side's strides of the digits; false if one leaves 64 bits.
bool setStrides(const Rearrangement &r, const std::vector<Group> &groups,
                const std::vector<int64_t> &strides, int64_t Digit::*side,
                std::vector<Digit> &digits) {
  for (size_t dim = 0; dim < groups.size(); ++dim) {
    std::optional<int64_t> stride = strides[dim];
    for (size_t i = groups[dim].size(); i-- > 0;) {
      if (!stride)
        return false;
      digits[groups[dim][i]].*side = *stride;
      stride = checkedMul(*stride, r.digits[groups[dim][i]].extent);
    }
  }
  return true;
}

bool ProblemBuilder::addDigits() {
  for (const Rearrangement::NamedDigit &digit : r.digits)
    problem.digits.push_back({digit.extent, 0, 0});
  return setStrides(r, r.operandGroups, operandStrides, &Digit::inStride, problem.digits) &&
         setStrides(r, r.resultGroups, resultStrides, &Digit::outStride, problem.digits);
}

DigitRange ProblemBuilder::rangeOf(const Group &group, Interval interval) const {
  DigitRange range{{}, interval.low, interval.high};
  int64_t coefficient = groupExtent(r, group);
  for (unsigned digit : group) {
    coefficient /= r.digits[digit].extent;
    range.terms.push_back({digit, coefficient});
  }
  return range;
}

/// Lets digits run over all of the result's dimension `dim`, which a crop makes
/// shorter and a negative one longer than they are.
bool ProblemBuilder::boundResult(unsigned dim) {
  Interval kept = resultRange(r, dim);
  const Group &group = r.resultGroups[dim];
  int64_t merged = groupExtent(r, group);
  if (kept == Interval{0, merged})
    return true;
  int64_t leaderUnit = group.empty() ? merged : merged / r.digits[group[0]].extent;
  Interval all = {0, merged / leaderUnit}, values = coverOf(kept, leaderUnit);
  DigitRange written = rangeOf(group, kept);
  // A digit that is a low one of the operand must keep its extent there: what is
  // beyond it gets a digit of its own, of which one value is read.
  if (group.empty() || (!all.contains(values) && sharedLeaders(r, dim).empty())) {
    all = {0, 1};
    values = coverOf(kept, merged);
    std::optional<int64_t> stride = checkedMul(resultStrides[dim], merged);
    if (!stride)
      return false;
    written.terms.insert(written.terms.begin(), {problem.digits.size(), merged});
    problem.digits.push_back({1, 0, *stride});
    first.push_back(0);
  }
  unsigned leader = written.terms.front().first;
  problem.digits[leader].extent = values.high - values.low;
  first[leader] = values.low;
  problem.written.push_back(std::move(written));
  if (!all.contains(values))
    problem.read.push_back({{{leader, 1}}, all.low, all.high});
  return true;
}

void ProblemBuilder::boundOperand(unsigned dim) {
  Interval present = operandRange(r, dim);
  const Group &group = r.operandGroups[dim];
  if (present != Interval{0, groupExtent(r, group)})
    problem.read.push_back(rangeOf(group, present));
}

/// Counts every digit from 0 and moves the windows' shifts into the offsets.
bool ProblemBuilder::applyOffsets() {
  auto add = [](int64_t &offset, int64_t count, int64_t stride) {
    std::optional<int64_t> product = checkedMul(count, stride);
    std::optional<int64_t> sum = product ? checkedAdd(offset, *product) : product;
    offset = sum.value_or(0);
    return sum.has_value();
  };
  bool fits = true;
  for (size_t dim = 0; dim < r.pad.size(); ++dim)
    fits &= add(problem.inOffset, -r.pad[dim].low, operandStrides[dim]);
  for (size_t dim = 0; dim < r.crop.size(); ++dim)
    fits &= add(problem.outOffset, -r.crop[dim].low, resultStrides[dim]);
  for (size_t digit = 0; digit < first.size(); ++digit) {
    fits &= add(problem.inOffset, first[digit], problem.digits[digit].inStride);
    fits &= add(problem.outOffset, first[digit], problem.digits[digit].outStride);
  }
  for (std::vector<DigitRange> *ranges : {&problem.read, &problem.written})
    for (DigitRange &range : *ranges)
      for (auto [digit, coefficient] : range.terms) {
        fits &= add(range.low, -first[digit], coefficient);
        fits &= add(range.high, -first[digit], coefficient);
      }
  return fits;
}

/// True if the bounds of `range` and its sums are so small that boxes can be split along it:
/// differences of them, rounded to a coefficient, fit 64 bits. A negative crop may give the most
/// significant digit of the result, which may have any coefficient in the operand, 2^60 values.
bool isInReach(const Problem &problem, const DigitRange &range) {
  constexpr int64_t kMaxSum = 2 * kMaxWindow;
  int64_t sum = 0;
  for (auto [digit, coefficient] : range.terms) {
    std::optional<int64_t> most = checkedMul(problem.digits[digit].extent - 1, coefficient);
    most = most ? checkedAdd(sum, *most) : most;
    if (!most || *most > kMaxSum || coefficient > kMaxSum)
      return false;
    sum = *most;
  }
  return std::abs(range.low) <= kMaxSum && std::abs(range.high) <= kMaxSum;
}

std::optional<Problem> ProblemBuilder::build() {
  if (!addDigits())
    return std::nullopt;
  for (unsigned dim = 0; dim < r.resultGroups.size(); ++dim)
    if (!boundResult(dim))
      return std::nullopt;
  for (unsigned dim = 0; dim < r.operandGroups.size(); ++dim)
    boundOperand(dim);
  if (!applyOffsets())
    return std::nullopt;
  for (const std::vector<DigitRange> *ranges : {&problem.read, &problem.written})
    for (const DigitRange &range : *ranges)
      if (!isInReach(problem, range))
        return std::nullopt;
  return problem;
}

/// A problem that fills all of a dense or strided `shape`.
Problem fillProblem(const std::vector<int64_t> &shape, const std::vector<int64_t> &strides) {
  Problem problem;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    problem.digits.push_back({shape[dim], 0, strides[dim]});
  problem.read.push_back({{}, 0, 0});
  return problem;
}

} // namespace

/// True if the windows let no element of the operand through.
static bool readsNothing(const Problem &problem) {
  for (const Piece &piece : splitIntoPieces(problem))
    if (piece.kind == Piece::Kind::Copy)
      return false;
  return true;
}

Result<Problem> relayout::buildProblem(const Rearrangement &r, int64_t width,
                                       const std::vector<int64_t> &operandStrides,
                                       const std::vector<int64_t> &resultStrides) {
  if (Status status = r.verify(); !status)
    return status.error();
  if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16)
    return makeError(ErrorCode::Type, "expects elements of 1, 2, 4, 8 or 16 bytes, but got ",
                     width);
  std::vector<int64_t> shape = r.resultShape();
  if (Status status = checkStrides(r.operandShape, operandStrides, "operand"); !status)
    return status.error();
  if (Status status = checkStrides(shape, resultStrides, "result"); !status)
    return status.error();
  if (!arePlacesDistinct(shape, resultStrides))
    return makeError(ErrorCode::Shape, "expects strides of the result that keep its elements ",
                     "apart, each larger than the span of those below it, but they are [",
                     join(resultStrides, ","), "] for shape [", join(shape, ","), "]");
  std::optional<Problem> problem = fillProblem(shape, resultStrides);
  Rearrangement normal = normalize(r);
  if (!movesNothing(normal))
    problem = ProblemBuilder(normal, operandStrides, resultStrides).build();
  if (!problem)
    return makeError(ErrorCode::Overflow,
                     "expects the windows times the strides and the digits to fit 63 bits");
  problem->width = width;
  reduceProblem(*problem);
  if (hasFewPieces(*problem) && readsNothing(*problem)) {
    problem = fillProblem(shape, resultStrides);
    problem->width = width;
    reduceProblem(*problem);
  }
  if (!hasFewPieces(*problem))
    return makeError(ErrorCode::Unsupported, "expects windows that cut the tensor into at most ",
                     kMaxPieces, " boxes, but those within the digits of many dimensions cut it ",
                     "into more");
  return *problem;
}

Result<Problem> relayout::buildProblem(const Rearrangement &r, int64_t width) {
  if (Status status = r.verify(); !status)
    return status.error();
  return buildProblem(r, width, rowMajorStrides(r.operandShape), rowMajorStrides(r.resultShape()));
}

bool relayout::isPlainCopy(const Problem &problem) {
  if (problem.hasWindows())
    return false;
  if (problem.digits.empty())
    return true;
  return problem.digits.size() == 1 && problem.digits[0].inStride == 1 &&
         problem.digits[0].outStride == 1;
}
