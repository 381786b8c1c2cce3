// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileSimulator.h"

#include <cstring>
#include <set>

namespace relayout::test {

namespace {

struct Register {
  std::vector<unsigned char> bytes;
  std::vector<bool> defined; ///< of each lane
};

class Simulator {
public:
  Simulator(const TileProgram &program, const Tile &tile, const void *in, void *out)
      : program(program), tile(tile), in(static_cast<const char *>(in)),
        out(static_cast<char *>(out)), registers(program.code.size()) {}
  Status run();

private:
  void findFootprints();
  Status checkShape(const TileProgram::Instruction &code, size_t at) const;
  Status checkBytes(const std::set<int64_t> &footprint, int64_t first, const char *what) const;
  Status load(const TileProgram::Instruction &code, Register &result);
  Status shuffle(const TileProgram::Instruction &code, Register &result);
  Status store(const TileProgram::Instruction &code);
  int64_t laneByte(const TileProgram::Instruction &code, unsigned lane) const {
    return code.offset * tile.width + static_cast<int64_t>(lane) * program.laneBytes;
  }

  const TileProgram &program;
  const Tile &tile;
  const char *in;
  char *out;
  std::vector<Register> registers;
  std::set<int64_t> inElements, outElements;
};

} // namespace

static Error mismatch(std::string message) { return {ErrorCode::Mismatch, std::move(message)}; }

void Simulator::findFootprints() {
  std::vector<int64_t> values(tile.digits.size(), 0);
  for (;;) {
    int64_t inOffset = 0, outOffset = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      inOffset += values[i] * tile.digits[i].inStride;
      outOffset += values[i] * tile.digits[i].outStride;
    }
    inElements.insert(inOffset);
    outElements.insert(outOffset);
    size_t digit = 0;
    while (digit < values.size() && ++values[digit] == tile.digits[digit].extent)
      values[digit++] = 0;
    if (digit == values.size())
      return;
  }
}

Status Simulator::checkShape(const TileProgram::Instruction &code, size_t at) const {
  auto isRegister = [&](int value) {
    return value >= 0 && value < static_cast<int>(at) && !registers[value].bytes.empty();
  };
  std::string where = "instruction " + std::to_string(at);
  bool needsA = code.op != TileProgram::Op::Load;
  if ((needsA || code.a != -1) && !isRegister(code.a))
    return mismatch(where + " expects a register defined before it, but got " +
                    std::to_string(code.a));
  if (code.b != -1 && !isRegister(code.b))
    return mismatch(where + " expects a register defined before it, but got " +
                    std::to_string(code.b));
  if (code.op == TileProgram::Op::Shuffle)
    return code.mask.size() == program.lanes
               ? Status::success()
               : mismatch(where + " expects a mask of " + std::to_string(program.lanes) + " lanes");
  if (code.laneCount < 1 || code.laneCount > program.lanes ||
      code.firstLane > program.lanes - code.laneCount)
    return mismatch(where + " expects lanes within the vector");
  if (!code.masked && (code.laneCount & (code.laneCount - 1)))
    return mismatch(where + " expects a narrower vector of a power of two of lanes, but got " +
                    std::to_string(code.laneCount));
  return Status::success();
}

/// Checks that the lane of bytes from `first` on lies in elements of `footprint`.
Status Simulator::checkBytes(const std::set<int64_t> &footprint, int64_t first,
                             const char *what) const {
  for (int64_t byte = first; byte < first + program.laneBytes; ++byte) {
    int64_t element = byte / tile.width - (byte % tile.width < 0);
    if (!footprint.count(element))
      return mismatch(std::string(what) + " byte " + std::to_string(byte) +
                      ", which is not the tile's");
  }
  return Status::success();
}

Status Simulator::load(const TileProgram::Instruction &code, Register &result) {
  result.bytes.assign(program.lanes * program.laneBytes, 0);
  result.defined.assign(program.lanes, false);
  if (code.a >= 0)
    result = registers[code.a];
  for (unsigned lane = code.firstLane; lane < code.firstLane + code.laneCount; ++lane) {
    int64_t byte = laneByte(code, lane);
    if (Status status = checkBytes(inElements, byte, "reads"); !status)
      return status;
    std::memcpy(&result.bytes[lane * program.laneBytes], in + byte, program.laneBytes);
    result.defined[lane] = true;
  }
  return Status::success();
}

Status Simulator::shuffle(const TileProgram::Instruction &code, Register &result) {
  result.bytes.assign(program.lanes * program.laneBytes, 0);
  result.defined.assign(program.lanes, false);
  int lanes = static_cast<int>(program.lanes);
  for (int lane = 0; lane < lanes; ++lane) {
    int from = code.mask[lane];
    if (from == -1)
      continue;
    if (from < 0 || from >= (code.b < 0 ? lanes : 2 * lanes))
      return mismatch("shuffles lane " + std::to_string(from) + ", which is none");
    const Register &source = registers[from < lanes ? code.a : code.b];
    if (!source.defined[from % lanes])
      return mismatch("shuffles lane " + std::to_string(from) + ", which is undefined");
    std::memcpy(&result.bytes[lane * program.laneBytes],
                &source.bytes[from % lanes * program.laneBytes], program.laneBytes);
    result.defined[lane] = true;
  }
  return Status::success();
}

Status Simulator::store(const TileProgram::Instruction &code) {
  const Register &value = registers[code.a];
  for (unsigned lane = code.firstLane; lane < code.firstLane + code.laneCount; ++lane) {
    int64_t byte = laneByte(code, lane);
    if (Status status = checkBytes(outElements, byte, "writes"); !status)
      return status;
    if (!value.defined[lane])
      return mismatch("stores lane " + std::to_string(lane) + ", which is undefined");
    std::memcpy(out + byte, &value.bytes[lane * program.laneBytes], program.laneBytes);
  }
  return Status::success();
}

Status Simulator::run() {
  findFootprints();
  for (size_t at = 0; at < program.code.size(); ++at) {
    const TileProgram::Instruction &code = program.code[at];
    Status status = checkShape(code, at);
    if (!status)
      return status;
    Register result;
    if (code.op == TileProgram::Op::Store)
      status = store(code);
    else
      status = code.op == TileProgram::Op::Load ? load(code, result) : shuffle(code, result);
    if (!status)
      return status;
    registers[at] = std::move(result);
  }
  return Status::success();
}

Status simulateTile(const TileProgram &program, const Tile &tile, const void *in, void *out) {
  return Simulator(program, tile, in, out).run();
}

} // namespace relayout::test
