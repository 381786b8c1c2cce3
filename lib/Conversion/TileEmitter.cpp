// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileEmitter.h"

#include "Address.h"
#include "LineWriter.h"
#include "NearLines.h"
#include "TurnedLine.h"

#include "relayout/Support/CacheLine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>
#include <set>

using namespace mlir;
using namespace relayout;

namespace {

using Instruction = TileProgram::Instruction;

/// Emits one program. Registers hold vectors of lanes; memory holds vectors of the
/// memref's elements, whose width may differ from a lane's.
class Emitter {
public:
  Emitter(OpBuilder &b, TileOp tile, const TileProgram &program, const TileEmission &emission)
      : b(b), loc(tile.getLoc()), tile(tile), program(program), emission(emission),
        element(cast<IntegerType>(getElementTypeOrSelf(tile.getDest().getType()))),
        width(element.getWidth() / 8) {}

  void emit() {
    findBorder();
    findKeptLines();
    prefetch();
    NearLines near = nearLines(b, tile);
    for (auto [at, op] : llvm::enumerate(program.code)) {
      askFor(near, at);
      Value result;
      if (op.op == TileProgram::Op::Load)
        result = load(op);
      else if (op.op == TileProgram::Op::Shuffle && !emission.patternOnly)
        result = shuffle(op);
      else if (op.op == TileProgram::Op::Store && !emission.patternOnly)
        store(op, registers[op.a]);
      registers.push_back(result);
    }
    if (emission.patternOnly)
      storeLoaded();
    flush();
    if (writer)
      writer->flush();
  }

  /// The stores alone, of a vector that holds the fill value in every element.
  void emitFill() {
    for (const Instruction &op : program.code) {
      if (op.op != TileProgram::Op::Store)
        continue;
      Value splat = arith::ConstantOp::create(
          b, loc, DenseElementsAttr::get(memoryType(program.lanes), tile.getFillAttr()));
      storeMemory(op, splat);
    }
    flush();
  }

private:
  /// `count` lanes as memory holds them.
  VectorType memoryType(unsigned count) const {
    return VectorType::get({int64_t(count) * program.laneBytes / width}, element);
  }
  VectorType laneType(unsigned count) const {
    return VectorType::get({int64_t(count)}, b.getIntegerType(program.laneBytes * 8));
  }
  Value toLanes(Value memory, unsigned count) {
    return memory.getType() == laneType(count)
               ? memory
               : vector::BitCastOp::create(b, loc, laneType(count), memory).getResult();
  }
  Value toMemory(Value lanes, unsigned count) {
    return lanes.getType() == memoryType(count)
               ? lanes
               : vector::BitCastOp::create(b, loc, memoryType(count), lanes).getResult();
  }
  Value index(Value base, int64_t offset) {
    if (offset == 0)
      return base;
    Value constant = arith::ConstantIndexOp::create(b, loc, offset);
    return arith::AddIOp::create(b, loc, base, constant);
  }
  /// The index of the first active lane where `op` is a narrow access, else of lane 0.
  int64_t memoryOffset(const Instruction &op) const {
    return op.masked ? op.offset : op.offset + int64_t(op.firstLane) * program.laneBytes / width;
  }
  bool isWhole(const Instruction &op) const { return op.laneCount == program.lanes; }
  llvm::MaybeAlign alignment() const { return llvm::Align(std::min<int64_t>(width, 8)); }

  /// The active lanes of `op` among those of a vector of `lanes`.
  Value mask(const Instruction &op, unsigned lanes) {
    VectorType type = memoryType(lanes).clone(b.getI1Type());
    int64_t first = int64_t(op.firstLane) * program.laneBytes / width;
    int64_t count = int64_t(op.laneCount) * program.laneBytes / width;
    SmallVector<bool> bits(type.getNumElements(), false);
    std::fill_n(bits.begin() + first, count, true);
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, bits));
  }

  /// The register whose lanes show through, or lanes of any value.
  Value passThrough(const Instruction &op) {
    if (op.a >= 0)
      return registers[op.a];
    return ub::PoisonOp::create(b, loc, laneType(program.lanes));
  }

  /// Places of the source, from the tile's base on, and whether they are read or lie
  /// beyond the border.
  void findBorder() {
    if (!tile.getBorder())
      return;
    std::vector<Digit> digits = tile.getDigitVector();
    SmallVector<int64_t> values(digits.size(), 0);
    while (true) {
      int64_t place = 0;
      for (auto [digit, value] : llvm::zip_equal(digits, values))
        place += value * digit.inStride;
      isRead[place] = tile.isRead(values);
      size_t d = 0;
      for (; d < digits.size() && ++values[d] == digits[d].extent; ++d)
        values[d] = 0;
      if (d == digits.size())
        return;
    }
  }

  /// The active elements of a load: those to read, and those that become the fill value.
  struct Bordered {
    SmallVector<bool> read, filled;
    bool reads() const { return llvm::is_contained(read, true); }
    bool fills() const { return llvm::is_contained(filled, true); }
  };

  /// `count` elements of memory from `offset` on, of which [first, first + active) are active.
  Bordered borderAt(int64_t offset, int64_t count, int64_t first, int64_t active) const {
    Bordered at{SmallVector<bool>(count, false), SmallVector<bool>(count, false)};
    for (int64_t i = first; i < first + active; ++i)
      if (auto place = isRead.find(offset + i); place != isRead.end())
        (place->second ? at.read : at.filled)[i] = true;
    return at;
  }

  Value boolConstant(ArrayRef<bool> bits) {
    auto type = VectorType::get({int64_t(bits.size())}, b.getI1Type());
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, bits));
  }

  /// What `border` leaves to read at `at`, with the fill value beyond it and `through`
  /// (null: anything) elsewhere.
  Value loadInBorder(Value at, const Bordered &border, Value through) {
    auto type = VectorType::get({int64_t(border.read.size())}, element);
    Value fill =
        arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, tile.getFillAttr()));
    if (through)
      fill = arith::SelectOp::create(b, loc, boolConstant(border.filled), fill, through);
    if (!border.reads())
      return fill;
    return vector::MaskedLoadOp::create(b, loc, type, tile.getSource(), ValueRange{at},
                                        boolConstant(border.read), fill, alignment());
  }

  /// A load of elements of which some lie beyond the border.
  Value loadBordered(const Instruction &op, const Bordered &border) {
    Value at = index(tile.getSourceIndex(), memoryOffset(op));
    if (!op.masked && !isWhole(op))
      return insertNarrow(op, toLanes(loadInBorder(at, border, Value()), op.laneCount));
    Value through = op.a >= 0 ? toMemory(registers[op.a], program.lanes) : Value();
    return toLanes(loadInBorder(at, border, through), program.lanes);
  }

  /// The elements of a load by what the border says of them.
  Bordered borderOf(const Instruction &op) const {
    auto elements = [&](unsigned lanes) { return int64_t(lanes) * program.laneBytes / width; };
    if (op.masked)
      return borderAt(op.offset, elements(program.lanes), elements(op.firstLane),
                      elements(op.laneCount));
    return borderAt(memoryOffset(op), elements(op.laneCount), 0, elements(op.laneCount));
  }

  Value load(const Instruction &op) {
    if (!isRead.empty())
      if (Bordered border = borderOf(op); border.fills())
        return loadBordered(op, border);
    Value at = index(tile.getSourceIndex(), memoryOffset(op));
    if (op.masked) {
      Value through = toMemory(passThrough(op), program.lanes);
      Value loaded = vector::MaskedLoadOp::create(b, loc, memoryType(program.lanes),
                                                  tile.getSource(), ValueRange{at},
                                                  mask(op, program.lanes), through, alignment());
      return toLanes(loaded, program.lanes);
    }
    Value loaded = vector::LoadOp::create(b, loc, memoryType(op.laneCount), tile.getSource(),
                                          ValueRange{at}, /*nontemporal=*/false, alignment());
    Value narrow = toLanes(loaded, op.laneCount);
    return isWhole(op) ? narrow : insertNarrow(op, narrow);
  }

  /// Widens a narrow vector to a register and puts it at its first lane.
  Value insertNarrow(const Instruction &op, Value narrow) {
    SmallVector<int64_t> widen(program.lanes, -1);
    for (unsigned i = 0; i < op.laneCount; ++i)
      widen[op.firstLane + i] = i;
    Value wide = vector::ShuffleOp::create(b, loc, narrow, narrow, widen);
    if (op.a < 0)
      return wide;
    SmallVector<int64_t> blend(program.lanes);
    for (unsigned i = 0; i < program.lanes; ++i) {
      bool isNew = i >= op.firstLane && i < op.firstLane + op.laneCount;
      blend[i] = isNew ? program.lanes + i : i;
    }
    return vector::ShuffleOp::create(b, loc, registers[op.a], wide, blend);
  }

  Value shuffle(const Instruction &op) {
    SmallVector<int64_t> mask(op.mask.begin(), op.mask.end());
    Value first = registers[op.a];
    return vector::ShuffleOp::create(b, loc, first, op.b < 0 ? first : registers[op.b], mask);
  }

  void store(const Instruction &op, Value lanes) {
    if (isWhole(op))
      return storeMemory(op, toMemory(lanes, program.lanes));
    unsigned first = op.masked ? 0 : op.firstLane;
    unsigned count = op.masked ? maskedLanes(op) : op.laneCount;
    SmallVector<int64_t> extract;
    for (unsigned i = 0; i < count; ++i)
      extract.push_back(first + i);
    if (count < program.lanes)
      lanes = vector::ShuffleOp::create(b, loc, lanes, lanes, extract);
    storeMemory(op, toMemory(lanes, count));
  }

  /// Lanes of the least vector that has the active ones: half a vector seldom lies in two lines.
  unsigned maskedLanes(const Instruction &op) const {
    constexpr unsigned kLeastBytes = 16;
    unsigned lanes = program.lanes;
    while (lanes / 2 >= op.firstLane + op.laneCount && lanes / 2 * program.laneBytes >= kLeastBytes)
      lanes /= 2;
    return lanes;
  }

  /// The stores of the program, of what was loaded: every load is used, so that none
  /// is taken out as dead.
  void storeLoaded() {
    std::vector<bool> isComplete(program.code.size(), true);
    size_t stores = 0;
    for (const Instruction &op : program.code) {
      if (op.op == TileProgram::Op::Load && op.a >= 0)
        isComplete[op.a] = false; // this one inserts into it
      stores += op.op == TileProgram::Op::Store;
    }
    SmallVector<Value> loaded;
    for (auto [i, op] : llvm::enumerate(program.code))
      if (op.op == TileProgram::Op::Load && isComplete[i])
        loaded.push_back(registers[i]);
    size_t next = 0;
    for (const Instruction &op : program.code) {
      if (op.op != TileProgram::Op::Store)
        continue;
      Value value = loaded[next % loaded.size()];
      for (size_t more = next + stores; more < loaded.size(); more += stores)
        value = arith::OrIOp::create(b, loc, value, loaded[more]);
      store(op, value);
      ++next;
    }
  }

  /// Where the line that waits for each place of the destination is among the kept ones.
  void findKeptLines() {
    if (!tile.getKept())
      return;
    keptLines[0] = 0;
    for (auto [digit, stride] : llvm::zip_equal(tile.getDigitVector(), *tile.getLines())) {
      llvm::DenseMap<int64_t, int64_t> known = keptLines;
      for (auto [place, line] : known)
        for (int64_t value = 1; value < digit.extent; ++value)
          keptLines[place + value * digit.outStride] = line + value * stride;
    }
    std::set<int64_t> lines;
    for (auto [place, line] : keptLines)
      lines.insert(line);
    vectorsOfRow = keptLines.size() / lines.size() * width / kLineBytes;
    writer.emplace(b, loc, tile.getDest(), emission.alignment);
  }

  /// Takes a whole vector of one of the rows, and writes the row once it has all of them.
  void storeCarried(const Instruction &op, Value value) {
    int64_t line = keptLines.lookup(op.offset);
    std::map<int64_t, Value> &row = rows[line];
    row[op.offset] = value;
    if (row.size() == vectorsOfRow)
      writeRow(row, index(tile.getKeptIndex(), line));
  }

  /// Writes the lines in which the vectors of a row begin: the first joined with what waits for it
  /// at `place`, where the rest of the last one waits then.
  void writeRow(const std::map<int64_t, Value> &row, Value place) {
    Value to = index(tile.getDestIndex(), row.begin()->first);
    Value phase = phaseInLine(b, loc, tile.getDest(), to);
    Value lineStart = arith::SubIOp::create(b, loc, to, phase);
    auto type = cast<VectorType>(row.begin()->second.getType());
    LineTurn turn(b, loc, type, phase, emission.permutesBytes);
    Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    Value waited = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, turn.lanes(), zeros);
    llvm::MaybeAlign aligned = llvm::Align(kLineBytes);
    Value before = vector::LoadOp::create(b, loc, type, tile.getKept(), ValueRange{place},
                                          /*nontemporal=*/false, aligned);
    for (auto [offset, value] : row) {
      Value turned = turn.turn(value);
      Value line = arith::SelectOp::create(b, loc, waited, before, turned);
      Value at = index(lineStart, offset - row.begin()->first);
      writer->store(line, at);
      before = turned;
    }
    vector::StoreOp::create(b, loc, before, tile.getKept(), ValueRange{place},
                            /*nontemporal=*/false, aligned);
  }

  /// Stores a vector as memory holds it; a splat may be wider than the access.
  void storeMemory(const Instruction &op, Value value) {
    if (tile.getKept())
      return storeCarried(op, value);
    if (op.masked) {
      Value at = index(tile.getDestIndex(), memoryOffset(op));
      int64_t bytes = cast<VectorType>(value.getType()).getNumElements() * width;
      vector::MaskedStoreOp::create(b, loc, tile.getDest(), ValueRange{at},
                                    mask(op, bytes / program.laneBytes), value, alignment());
      return;
    }
    if (value.getType() != memoryType(op.laneCount)) {
      auto splat = cast<DenseElementsAttr>(value.getDefiningOp<arith::ConstantOp>().getValue());
      value = arith::ConstantOp::create(b, loc, splat.resizeSplat(memoryType(op.laneCount)));
    }
    if (!tile.getNonTemporal() || !isWhole(op)) {
      storeVector(op, value, /*stream=*/false);
      return;
    }
    waiting.push_back({&op, value});
    if (waiting.size() == emission.storesAtOnce)
      flush();
  }

  void storeVector(const Instruction &op, Value value, bool stream) {
    Value at = index(tile.getDestIndex(), memoryOffset(op));
    auto bytes = llvm::Align(int64_t(program.lanes) * program.laneBytes);
    vector::StoreOp::create(b, loc, value, tile.getDest(), ValueRange{at}, stream,
                            stream ? llvm::MaybeAlign(bytes) : alignment());
  }

  /// Performs the stores that wait. The choice stands here, so that loads and shuffles are
  /// there once, and for a few stores at a time, since their vectors all stay in registers.
  void flush() {
    if (waiting.empty())
      return;
    auto choice = scf::IfOp::create(b, loc, tile.getNonTemporal(), /*withElseRegion=*/true);
    OpBuilder::InsertionGuard insertion(b);
    for (Block *block : {choice.thenBlock(), choice.elseBlock()}) {
      b.setInsertionPointToStart(block);
      for (auto [op, value] : waiting)
        storeVector(*op, value, block == choice.thenBlock());
    }
    waiting.clear();
  }

  /// Asks for the share of `lines` that belongs to the instruction at `at`: all at once, they would
  /// hold up the tile's own loads.
  void askFor(const NearLines &lines, size_t at) {
    size_t count = lines.distances.size(), all = program.code.size();
    for (size_t i = count * at / all; i < count * (at + 1) / all; ++i)
      memref::PrefetchOp::create(b, loc, tile.getSource(),
                                 ValueRange{index(lines.base, lines.distances[i])},
                                 /*isWrite=*/false, localityOf(/*cache=*/1), /*isDataCache=*/true);
  }

  /// Fetches each line that a later tile touches, once.
  void prefetch() {
    if (!tile.getPrefetch())
      return;
    int64_t ahead[] = {(*tile.getPrefetch())[0], (*tile.getPrefetch())[1]};
    int32_t locality[] = {localityOf(tile.getCache().value_or(1)), localityOf(1)};
    std::set<int64_t> lines[2];
    for (const Instruction &op : program.code) {
      bool isStore = op.op == TileProgram::Op::Store;
      if (op.op == TileProgram::Op::Shuffle || ahead[isStore] == 0)
        continue;
      if (!lines[isStore].insert(floorDiv(op.offset * width, kLineBytes)).second)
        continue;
      Value at =
          index(isStore ? tile.getDestIndex() : tile.getSourceIndex(), op.offset + ahead[isStore]);
      memref::PrefetchOp::create(b, loc, isStore ? tile.getDest() : tile.getSource(),
                                 ValueRange{at}, /*isWrite=*/isStore, locality[isStore],
                                 /*isDataCache=*/true);
    }
  }

  OpBuilder &b;
  Location loc;
  TileOp tile;
  const TileProgram &program;
  const TileEmission &emission;
  IntegerType element;
  int64_t width;
  SmallVector<Value> registers;
  SmallVector<std::pair<const Instruction *, Value>> waiting; ///< stores of whole vectors
  llvm::DenseMap<int64_t, bool> isRead;                       ///< empty without a border
  llvm::DenseMap<int64_t, int64_t> keptLines;                 ///< by places of the destination
  llvm::DenseMap<int64_t, std::map<int64_t, Value>> rows;     ///< with kept lines, by those
  size_t vectorsOfRow = 0;                                    ///< with kept lines
  std::optional<LineWriter> writer;                           ///< with kept lines
};

} // namespace

void relayout::emitTile(OpBuilder &b, TileOp tile, const TileProgram &program,
                        const TileEmission &emission) {
  Emitter(b, tile, program, emission).emit();
}

void relayout::emitFillTile(OpBuilder &b, TileOp tile, const TileProgram &program,
                            const TileEmission &emission) {
  Emitter(b, tile, program, emission).emitFill();
}
