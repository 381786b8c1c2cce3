// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What each unit of a kernel writes, byte by byte, as memory shows it.

#include "relayout/JIT/Compiler.h"
#include "relayout/Layout/KernelForm.h"
#include "relayout/Schedule/Schedule.h"
#include "relayout/Spec/Module.h"
#include "relayout/Spec/Spec.h"

#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <set>

using namespace relayout;

namespace {

constexpr int64_t kLine = 64;

/// Memory that begins on a line.
struct Lines {
  explicit Lines(int64_t bytes) : memory(bytes / kLine + 2) {}
  struct alignas(kLine) Line {
    unsigned char bytes[kLine];
  };
  unsigned char *data() { return memory.front().bytes; }
  std::vector<Line> memory;
};

struct Subject {
  Spec spec;
  Problem problem;
  Schedule schedule;
  std::optional<Kernel> kernel;
};

void prepare(const FlagList &flags, llvm::StringRef operation, int64_t threads, Subject &subject) {
  CompilerOptions options;
  options.threads = threads;
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
  ASSERT_TRUE(compiler) << compiler.error().message;
  Result<Spec> spec = parseSpecFlags(operation.str(), flags);
  ASSERT_TRUE(spec) << spec.error().message;
  subject.spec = *spec;
  Result<Kernel> kernel = (*compiler)->compile(
      [&](mlir::MLIRContext &context) { return buildModule(subject.spec, context); });
  ASSERT_TRUE(kernel) << kernel.error().message;
  subject.kernel = *kernel;
  Result<Rearrangement> r = toRearrangement(subject.spec);
  Result<Problem> problem = buildKernelProblem(*r, subject.spec.dtype->width, nullptr);
  ASSERT_TRUE(problem) << problem.error().message;
  subject.problem = *problem;
  if (kernel->isCopy())
    return;
  Result<Schedule> schedule = parseSchedule((*compiler)->schedule());
  ASSERT_TRUE(schedule) << schedule.error().message;
  subject.schedule = *schedule;
}

/// The unit that writes each byte of an output on a line; adds a failure where none does,
/// or several do. A byte is written if it changes what either of two fillings left there.
std::vector<int64_t> ownersOf(const Kernel &kernel) {
  const KernelInfo &info = kernel.info();
  Lines in(info.inputBytes), scratch(info.scratchBytes);
  for (int64_t i = 0; i < info.inputBytes; ++i)
    in.data()[i] = static_cast<unsigned char>(i * 37 + i / 251);
  std::vector<int64_t> owners(info.outputBytes, -1);
  Lines zeros(info.outputBytes), ones(info.outputBytes);
  for (int64_t unit = 0; unit < info.units; ++unit) {
    std::memset(zeros.data(), 0x00, info.outputBytes);
    std::memset(ones.data(), 0xff, info.outputBytes);
    for (Lines *out : {&zeros, &ones})
      kernel.runUnits(in.data(), out->data(), scratch.data(), unit, unit + 1);
    for (int64_t i = 0; i < info.outputBytes; ++i) {
      if (zeros.data()[i] == 0x00 && ones.data()[i] == 0xff)
        continue;
      if (owners[i] != -1)
        ADD_FAILURE() << "byte " << i << " is written by units " << owners[i] << " and " << unit;
      owners[i] = unit;
    }
    if (testing::Test::HasFailure())
      break;
  }
  return owners;
}

/// Lines that two units write.
int64_t sharedLines(const std::vector<int64_t> &owners) {
  int64_t shared = 0;
  for (size_t line = 0; line < owners.size(); line += kLine) {
    size_t end = std::min(owners.size(), line + kLine);
    shared += std::set<int64_t>(owners.begin() + line, owners.begin() + end).size() > 1;
  }
  return shared;
}

/// Values of the digits outside of that of the units, each of which is cut anew.
int64_t timesCut(const Subject &s) {
  int64_t times = 1;
  for (unsigned d = 0; d < s.schedule.unitDigit; ++d)
    times *= s.problem.digits[d].extent;
  return times;
}

/// True if a unit ends on a line, and what lies outside of its digit begins on one.
bool bordersLieOnLines(const Subject &s) {
  const Digit &cut = s.problem.digits[s.schedule.unitDigit];
  bool onLines = s.schedule.unitStep * cut.outStride * s.problem.width % kLine == 0;
  for (unsigned d = 0; d < s.schedule.unitDigit; ++d)
    onLines &= s.problem.digits[d].outStride * s.problem.width % kLine == 0;
  return onLines;
}

std::string join(const std::vector<int64_t> &values, const char *separator) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : separator) + std::to_string(value);
  return text;
}

/// A transpose of 2 to 4 dimensions; rows of the result are whole lines in half of them.
FlagList randomTranspose(std::mt19937 &random) {
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  const char *types[] = {"u8", "f16", "f32", "f64", "c128"};
  size_t rank = pick(2, 4);
  std::set<int64_t> extents;
  while (extents.size() < rank)
    extents.insert(rank == 2 ? pick(20, 200) : rank == 3 ? pick(3, 30) : pick(2, 9));
  std::vector<int64_t> shape(extents.begin(), extents.end()), perm(rank);
  std::iota(perm.begin(), perm.end(), 0);
  std::shuffle(shape.begin(), shape.end(), random);
  while (std::is_sorted(perm.begin(), perm.end()))
    std::shuffle(perm.begin(), perm.end(), random);
  if (pick(0, 1))
    shape[perm.back()] = 64 * pick(1, 2);
  return {{"shape", join(shape, "x") + "x" + types[pick(0, 4)]}, {"perm", join(perm, ",")}};
}

TEST(Units, WriteEveryByteOnceAndShareALineOnlyAtABorder) {
  std::mt19937 random(20240607);
  int onLines = 0, offLines = 0;
  for (int round = 0; round < 60 && !HasFailure(); ++round) {
    FlagList flags = randomTranspose(random);
    int64_t threads = 1 + round % 16;
    SCOPED_TRACE(flags[0].second + " " + flags[1].second + " threads " + std::to_string(threads));
    Subject s;
    prepare(flags, "transpose", threads, s);
    if (HasFatalFailure() || s.kernel->isCopy())
      continue;
    SCOPED_TRACE(s.schedule.str());
    std::vector<int64_t> owners = ownersOf(*s.kernel);
    EXPECT_EQ(std::count(owners.begin(), owners.end(), -1), 0) << "bytes are not written";
    int64_t units = s.kernel->info().units, shared = sharedLines(owners);
    if (units == 1)
      continue;
    if (bordersLieOnLines(s)) {
      EXPECT_EQ(shared, 0);
      ++onLines;
    } else {
      // A border lies within a line, and so may the end of what is cut.
      EXPECT_LE(shared, units * timesCut(s));
      ++offLines;
    }
  }
  // Neither is for show.
  EXPECT_GE(onLines, 10);
  EXPECT_GE(offLines, 10);
}

/// Where rows are whole lines, no two threads meet in one.
TEST(Units, OfLongRowsOfWholeLinesShareNone) {
  for (const char *shape : {"320x250xf32", "3x128x70xf64", "5x192x33x7xu8"}) {
    bool is2D = llvm::StringRef(shape).count('x') == 2;
    bool is3D = llvm::StringRef(shape).count('x') == 3;
    FlagList flags = {{"shape", shape}, {"perm", is2D ? "1,0" : is3D ? "0,2,1" : "0,2,3,1"}};
    for (int64_t threads : {2, 5, 16}) {
      SCOPED_TRACE(std::string(shape) + " " + std::to_string(threads));
      Subject s;
      prepare(flags, "transpose", threads, s);
      if (HasFatalFailure())
        return;
      EXPECT_GE(s.kernel->info().units, 2);
      EXPECT_EQ(sharedLines(ownersOf(*s.kernel)), 0) << s.schedule.str();
    }
  }
}

/// Windows: pieces meet in lines, but each byte has one unit.
TEST(Units, OfPiecesWriteEveryByteOnce) {
  for (int64_t threads : {1, 3, 16}) {
    Subject s;
    prepare({{"shape", "3x33x35x7xf32"},
             {"block-shape", "2,4"},
             {"paddings", "1:0,2:3"},
             {"pad-value", "-1.5"}},
            "space_to_batch", threads, s);
    if (HasFatalFailure())
      return;
    std::vector<int64_t> owners = ownersOf(*s.kernel);
    EXPECT_EQ(std::count(owners.begin(), owners.end(), -1), 0) << s.schedule.str();
    EXPECT_GT(s.kernel->info().units, 1);
  }
}

} // namespace
