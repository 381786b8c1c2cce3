// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RELAYOUT_IR_RELAYOUTTILE
#define RELAYOUT_IR_RELAYOUTTILE

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "relayout/IR/RelayoutAttrs.td"

def Relayout_TileOp : Op<Relayout_Dialect, "tile", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "moves or fills one register tile";
  let description = [{
    For every combination of the values of `digits`, the element of `source` at
    `sourceIndex + sum(value * inStride)` is moved to `dest` at
    `destIndex + sum(value * outStride)`; without a source that element of `dest`
    becomes `fill`. Both sides are seen as flat memory, from a static offset on. With `border [low, high, c...]`
    only the values with `low <= sum(c * value) < high` are read from the source (a
    coefficient for each digit), and the others become `fill`: no place of the source
    is read that no such element has.

    `vector` is the number of bytes of the vectors to use, of elements of a power of two of bytes;
    without it the tile is for scalar code. `non_temporal if %c` promises that the destination's whole vectors
    are aligned where `%c` holds, and asks for stores that bypass the caches then, and
    for ordinary ones otherwise. `prefetch [d, e]` asks for the lines of the source `d` elements ahead to be fetched, and for those of
    the destination `e` elements ahead to be fetched for writing; 0 asks for
    neither. The source's go to the first cache, with `cache 2` to the second. `near d` asks for lines
    of the source `d` elements ahead, which are in the second cache already, to come to the first:
    where the tile reads a part of a line of each row, tiles side by side along the rows ask for
    those of some rows each, and all for each line once. `relayout-vectorize` makes vector code of
    a tile, `relayout-expand-tiles` loops over its elements.

    With `keep`, each row that the tile writes, some lines long, is a part of a longer run of
    the destination that goes on at both sides, as of a `relayout.run`: it is written in whole
    lines, the first joined with what waits in the line of `kept` at
    `keptIndex + sum(value * line)`, where the row's end waits then, with a `line` for each
    digit: 0 for those along a row. Kept lines begin at multiples of 64 bytes.

    Example:

    ```mlir
    relayout.tile %in[%i] to %out[%j] digits [16:1:640, 32:480:1] vector 64 prefetch [32, 0] cache 2
        non_temporal if %aligned : memref<307200xi32> from memref<307200xi32>
    relayout.tile %in[%i] to %out[%j] digits [16:1:640, 32:480:1] vector 64 near 32
        : memref<307200xi32> from memref<307200xi32>
    relayout.tile fill 7 : i32 to %out[%j] digits [32:0:1] vector 64 : memref<307200xi32>
    relayout.tile %in[%i] fill 7 : i32 border [2, 33, 1] to %out[%j] digits [33:1:1] vector 64
        : memref<307200xi32> from memref<307200xi32>
    relayout.tile %in[%i] to %out[%j] keep %scratch[%k] lines [16, 0] digits [16:1:99, 16:480:1]
        vector 64 : memref<307200xi32> from memref<307200xi32> keep memref<4096xi32>
    ```
  }];
  let arguments = (ins Optional<AnyStridedMemRef>:$source,
                       Optional<Index>:$sourceIndex,
                       AnyStridedMemRef:$dest,
                       Index:$destIndex,
                       Optional<I1>:$nonTemporal,
                       Optional<AnyStridedMemRef>:$kept,
                       Optional<Index>:$keptIndex,
                       OptionalAttr<TypedAttrInterface>:$fill,
                       OptionalAttr<DenseI64ArrayAttr>:$border,
                       Relayout_DigitsAttr:$digits,
                       OptionalAttr<I64Attr>:$vectorBytes,
                       OptionalAttr<DenseI64ArrayAttr>:$prefetch,
                       OptionalAttr<I64Attr>:$cache,
                       OptionalAttr<I64Attr>:$near,
                       OptionalAttr<DenseI64ArrayAttr>:$lines);
  let assemblyFormat = [{
    ($source^ `[` $sourceIndex `]`)? (`fill` $fill^)? (`border` $border^)? `to` $dest `[` $destIndex `]`
    (`keep` $kept^ `[` $keptIndex `]` `lines` $lines)? `digits` `` $digits
    (`vector` $vectorBytes^)? (`prefetch` $prefetch^)? (`cache` $cache^)? (`near` $near^)?
    (`non_temporal` `if` $nonTemporal^)? attr-dict
    `:` type($dest) (`from` type($source)^)? (`keep` type($kept)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The tile as the algebra sees it.
    ::std::vector<::relayout::Digit> getDigitVector() { return getDigits().toVector(); }
    bool isFill() { return !getSource(); }
    /// True if the element with these values of the digits is read from the source.
    bool isRead(::llvm::ArrayRef<int64_t> values);
  }];
}

def Relayout_RunOp : Op<Relayout_Dialect, "run", [
    AttrSizedOperandSegments, AffineScope, SingleBlock, NoTerminator,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "copies one contiguous run";
  let description = [{
    The `count` elements of `source` from `sourceIndex` on are copied to `dest` from
    `destIndex` on. `vector` is the number of bytes of the vectors to use, as of a tile. With
    `non_temporal`, the whole lines that the run covers in `dest`, wherever it starts,
    are stored past the caches, and the rest by ordinary stores. At least a line may
    be read from `source` at the run's last element. `relayout-vectorize` makes
    vector code of a run, `relayout-expand-tiles` a loop over its elements.

    With `keep`, the run is a part of a longer one, whose parts are performed one after the
    other, not always at once: what a part covers of its last line waits in a line of
    `kept`, and is written with what the next part adds to it. The `first` part of all has
    none to add to, the `last` one writes its end. A part may begin with elements that the
    part before has written, `repeated` of them. At least a line may then be read before
    the run's first element too. With `heads`, longer runs may meet in lines: the first part
    of one that goes on `behind` another keeps its line there, and the last part of one
    `before` another writes it with its own, from what that one keeps at `next`. With
    `exact`, no element but the run's own is read from `source`; what lies within a line of a
    kept one may be written then. `prefetch` is how many elements ahead the source is fetched, `cache`
    into which cache, the first if it is not given.

    With `every`, a body of prefetches is performed beside each so many elements of the run's
    whole lines; its argument is which element of the run that is. A loop over elements leaves
    it out.

    Example:

    ```mlir
    relayout.run %scratch[%i] to %out[%j] count 508 vector 64 non_temporal
        : memref<4096xi32> to memref<307200xi32>
    relayout.run %scratch[%i] to %out[%j] keep %scratch[%k] repeated %n first %f last %l
        heads [%h] behind %x before %y next [%m] count 32 vector 64 non_temporal
        : memref<4096xi32> to memref<307200xi32> keep memref<4096xi32>
    relayout.run %scratch[%i] to %out[%j] count 508 vector 64 non_temporal every 128 {
    ^bb0(%element: index):
      memref.prefetch %in[%element], read, locality<2>, data : memref<307200xi32>
    } : memref<4096xi32> to memref<307200xi32>
    ```
  }];
  let arguments = (ins AnyStridedMemRef:$source,
                       Index:$sourceIndex,
                       AnyStridedMemRef:$dest,
                       Index:$destIndex,
                       Optional<AnyStridedMemRef>:$kept,
                       Optional<Index>:$keptIndex,
                       Optional<Index>:$repeated,
                       Optional<I1>:$first,
                       Optional<I1>:$last,
                       Optional<Index>:$head,
                       Optional<I1>:$behind,
                       Optional<I1>:$before,
                       Optional<Index>:$next,
                       I64Attr:$count,
                       OptionalAttr<I64Attr>:$vectorBytes,
                       UnitAttr:$nonTemporal,
                       UnitAttr:$exact,
                       OptionalAttr<I64Attr>:$prefetch,
                       OptionalAttr<I64Attr>:$cache,
                       OptionalAttr<I64Attr>:$every);
  let regions = (region MaxSizedRegion<1>:$beside);
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$sourceIndex,
                                 "::mlir::Value":$dest, "::mlir::Value":$destIndex,
                                 "int64_t":$count, "int64_t":$vectorBytes, "bool":$nonTemporal), [{
    $_state.addOperands({source, sourceIndex, dest, destIndex});
    auto &properties = $_state.getOrAddProperties<Properties>();
    llvm::copy(::llvm::ArrayRef<int32_t>{1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0},
               properties.operandSegmentSizes.begin());
    properties.count = $_builder.getI64IntegerAttr(count);
    properties.vectorBytes = $_builder.getI64IntegerAttr(vectorBytes);
    if (nonTemporal)
      properties.nonTemporal = $_builder.getUnitAttr();
    $_state.addRegion();
  }]>];
  let assemblyFormat = [{
    $source `[` $sourceIndex `]` `to` $dest `[` $destIndex `]`
    (`keep` $kept^ `[` $keptIndex `]` `repeated` $repeated `first` $first `last` $last)?
    (`heads` `[` $head^ `]` `behind` $behind `before` $before `next` `[` $next `]`)?
    `count` $count (`vector` $vectorBytes^)? (`non_temporal` $nonTemporal^)?
    (`exact` $exact^)? (`prefetch` $prefetch^)? (`cache` $cache^)? (`every` $every^ $beside)? attr-dict
    `:` type($source) `to` type($dest) (`keep` type($kept)^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::LogicalResult verifyBeside();
  }];
}

def Relayout_TouchOp : Op<Relayout_Dialect, "touch", []> {
  let summary = "reads the lines of a stretch of memory, one after the other";
  let description = [{
    Of each line of the `count` elements of `source` from `sourceIndex` on an element is read,
    in the order of the addresses. What is read is not used: the lines are in the first cache
    then, for tiles that need them in another order, in which the processor would not foresee
    the next ones. Unlike a prefetch this cannot be left undone by the processor, and waits
    for the memory. `relayout-vectorize` makes loads of it, with prefetches of lines that come
    soon, some of them behind the stretch; `relayout-expand-tiles` nothing.

    Example:

    ```mlir
    relayout.touch %in[%i] count 640 : memref<307200xi32>
    ```
  }];
  let arguments = (ins AnyStridedMemRef:$source, Index:$sourceIndex, I64Attr:$count);
  let assemblyFormat = [{
    $source `[` $sourceIndex `]` `count` $count attr-dict `:` type($source)
  }];
  let hasVerifier = 1;
}

def Relayout_SweepOp : Op<Relayout_Dialect, "sweep", [
    AffineScope, RecursiveMemoryEffects, SingleBlock, NoTerminator]> {
  let summary = "performs a few units at a time";
  let description = [{
    The body is performed for the units from `begin` to `end - 1`, `step` of them at a
    time: its arguments are the first and one more than the last of them. It holds the
    nests of several pieces that meet in lines of the output, whose values they bound; or
    the lines of a run, whose elements are its units, and what is done beside them.
    `relayout-lower-sweeps` makes a loop of it.

    Example:

    ```mlir
    relayout.sweep %begin to %end step 4 {
    ^bb0(%first: index, %last: index):
      affine.for %i = %first to %last {
        relayout.tile fill 7 : i32 to %out[%i] digits [32:0:1] vector 64 : memref<307200xi32>
      }
    }
    ```
  }];
  let arguments = (ins Index:$begin, Index:$end, I64Attr:$step);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$begin `to` $end `step` $step $body attr-dict";
  let hasVerifier = 1;
}

#endif // RELAYOUT_IR_RELAYOUTTILE
