# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the operations of other systems are in the words of a spec.

`to_spec` turns a case into the keys of a spec. Attribute values travel unchecked,
so that a bad one is refused by the project, not by this file.
"""

DTYPES = {
    "qint8": "i8", "quint8": "u8", "qint32": "i32", "complex64": "c64", "complex128": "c128",
    "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "int8": "i8",
    "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
    "uint32": "u32", "uint64": "u64", "boolean": "bool", "i1": "bool",
}


class NotDone(Exception):
    """The project does no such thing; the text is the reason."""


class Attrs:
    """Attributes of a case, by any of their synonyms; knows which were never read."""

    def __init__(self, case):
        self.values = dict(case["attrs"])
        # How operands travel and what a test quantizes does not change the movement.
        for key in ("operands", "opset", "block_shape_dtype", "crops_begin_dtype",
                    "crops_end_dtype", "pads_begin_dtype", "pads_end_dtype"):
            self.values.pop(key, None)
        self.quant = self.values.pop("quant", None)

    def take(self, *names, default=None):
        for name in names:
            if name in self.values:
                return self.values.pop(name)
        return default

    def block(self):
        return self.take("block_size", "blocksize", "blockSize", "BlockSize", "block",
                         "block_shape", "upscale_factor",
                         "downscale_factor", "factor", "factors", "stride", "strides", default=1)

    def layout(self, default):
        word = self.take("data_format", "layout", "data_layout", default=default)
        return {"nhwc": "NHWC", "nchw": "NCHW"}.get(word, word)

    def finish(self):
        if self.values:
            raise NotDone(f"X19: attributes {sorted(self.values)} are not mapped to a spec")


MODES = {"DCR": "blocks_first", "CRD": "depth_first", "CDR": "depth_first",
         "DEPTH_COLUMN_ROW": "blocks_first", "COLUMN_ROW_DEPTH": "depth_first"}


def mode_of(attrs, default):
    word = attrs.take("mode", "order", "Order", default=default)
    return MODES.get(word, word)


def depth(op, layout, mode):
    """depth_to_space and space_to_depth with the framework's defaults."""

    def convert(attrs, case):
        return {"op": op, "block_size": attrs.block(), "layout": attrs.layout(layout),
                "mode": mode_of(attrs, mode)}

    return convert


def pixel(op):
    def convert(attrs, case):
        return {"op": op, "block_size": attrs.block()}

    return convert


def pixel_with_layout(op):
    """Paddle: depth first in either layout, rank 4."""

    def convert(attrs, case):
        return {"op": op, "block_size": attrs.block(), "layout": attrs.layout("NCHW"),
                "mode": "depth_first"}

    return convert


def pixel_factors(attrs, case):
    """MXNet and OneFlow: one factor an axis."""
    if "h_upscale_factor" in attrs.values:
        block = [attrs.take("h_upscale_factor"), attrs.take("w_upscale_factor")]
    else:
        block = attrs.block()
    return {"op": "depth_to_space", "block_size": block, "layout": "channels_first",
            "mode": "depth_first"}


def pairs(attrs, both, begins, ends):
    """Windows given as pairs, or as a list of low and a list of high ends."""
    windows = attrs.take(*both)
    if windows is not None:
        return windows
    low, high = attrs.take(*begins), attrs.take(*ends)
    if low is None and high is None:
        return None
    low, high = low or [0] * len(high), high or [0] * len(low)
    return [list(pair) for pair in zip(low, high)]


def batch(op, key, axes=None):
    """space_to_batch and batch_to_space. `axes` names the blocked axes where they
    are not 1..M: the dimensions before them get a block of 1."""

    def convert(attrs, case):
        block = attrs.take("block_shape", "block_size", "block", "block_dimensions")
        if isinstance(block, int):
            block = [block, block]
        windows = pairs(attrs, ("paddings", "crops", "pads"),
                        ("pads_begin", "crops_begin", "pad_before", "crop_begin_list"),
                        ("pads_end", "crops_end", "pad_after", "crop_end_list"))
        if windows is None:
            windows = [[0, 0] for _ in block]
        if axes:
            lead = axes[0] - 1
            block, windows = [1] * lead + block, [[0, 0]] * lead + windows
        spec = {"op": op, "block_shape": block, key: windows}
        if key == "paddings":
            value = attrs.take("pad_value", default=None)
            if value is None and attrs.quant:
                value = attrs.quant.get("zero_point")
            if value is not None:
                spec["pad_value"] = value
        return spec

    return convert


def shuffle(axis):
    def convert(attrs, case):
        layout = attrs.layout("")
        where = attrs.take("axis", default=len(case["input_shape"]) - 1 if layout == "NHWC" else axis)
        return {"op": "channel_shuffle", "axis": where,
                "groups": attrs.take("groups", "group", "num_groups", default=1)}

    return convert


def shuffle_group_size(attrs, case):
    """oneDNN counts the channels of a group, not the groups."""
    axis, size = attrs.take("axis", default=1), attrs.take("group_size")
    extent = case["input_shape"][axis]
    return {"op": "channel_shuffle", "axis": axis, "groups": extent // size if size else size}


def shuffle_reverse(attrs, case):
    """ncnn, on [C, H, W]; reverse undoes."""
    groups, extent = attrs.take("group", "groups"), case["input_shape"][0]
    if attrs.take("reverse", default=0) and groups:
        groups = extent // groups
    return {"op": "channel_shuffle", "axis": 0, "groups": groups}


def unbatched(pattern_by_mode):
    """ncnn works on [C, H, W]."""

    def convert(attrs, case):
        block = attrs.block()
        return {"op": "rearrange", "pattern": pattern_by_mode[attrs.take("mode", default=0)],
                "sizes": {"by": block, "bx": block}}

    return convert


def focus(attrs, case):
    return {"op": "rearrange", "pattern": "n c (h by) (w bx) -> n (bx by c) h w",
            "sizes": {"by": 2, "bx": 2}}


def unfold(attrs, case):
    """Of blocks that do not overlap, next to each other."""
    kernel, stride = attrs.take("kernel_size"), attrs.take("stride", default=1)
    by, bx = kernel if isinstance(kernel, list) else [kernel, kernel]
    if stride not in (kernel, [by, bx], by if by == bx else None):
        raise NotDone("X19: blocks that overlap or lie apart are no rearrangement")
    return {"op": "rearrange", "pattern": "n c (h by) (w bx) -> n (c by bx) (h w)",
            "sizes": {"by": by, "bx": bx}}


def window_partition(attrs, case):
    size = attrs.take("window_size")
    return {"op": "rearrange", "pattern": "b (h y) (w x) c -> (b h w) y x c",
            "sizes": {"y": size, "x": size}}


def window_reverse(attrs, case):
    size = attrs.take("window_size")
    return {"op": "rearrange", "pattern": "(b h w) y x c -> b (h y) (w x) c",
            "sizes": {"h": attrs.take("H") // size, "w": attrs.take("W") // size}}


def patch_merging(attrs, case):
    attrs.take("channel_axis")
    return {"op": "rearrange", "pattern": "n (h by) (w bx) c -> n h w (bx by c)",
            "sizes": {"by": 2, "bx": 2}}


def einops(attrs, case):
    return {"op": "rearrange", "pattern": attrs.take("pattern"),
            "sizes": attrs.take("axes_lengths", default={})}


def transpose(attrs, case):
    perm = attrs.take("perm", "permutation", "axes", "order")
    if not perm:
        perm = list(reversed(range(len(case["input_shape"]))))
    return {"op": "transpose", "perm": perm}


def tiles_of(attrs, rank):
    """Dimensions, tiles, outer order and pattern sides of linalg.pack."""
    dims = attrs.take("inner_dims_pos", default=[])
    tiles = attrs.take("inner_tiles", default=[])
    outer = attrs.take("outer_dims_perm", default=None) or list(range(rank))
    plain = [f"(d{i} t{i})" if i in dims else f"d{i}" for i in range(rank)]
    packed = [f"d{i}" for i in outer] + [f"t{i}" for i in dims]
    return dims, tiles, " ".join(plain), " ".join(packed)


def pack(attrs, case):
    shape = case["input_shape"]
    dims, tiles, plain, packed = tiles_of(attrs, len(shape))
    spec = {"op": "rearrange", "pattern": f"{plain} -> {packed}",
            "sizes": {f"t{d}": t for d, t in zip(dims, tiles)}}
    value = attrs.take("padding_value")
    if value is not None:
        windows = [[0, 0] for _ in shape]
        for d, t in zip(dims, tiles):
            windows[d][1] = -shape[d] % t
        spec.update(pad=windows, pad_value=value)
    return spec


def unpack(attrs, case):
    rank = len(case["output_shape"])
    outer = attrs.values.get("outer_dims_perm") or list(range(rank))
    dims, tiles, plain, packed = tiles_of(attrs, rank)
    merged = [case["input_shape"][outer.index(i)] for i in range(rank)]
    for d, t in zip(dims, tiles):
        merged[d] *= t
    return {"op": "rearrange", "pattern": f"{packed} -> {plain}",
            "crop": [[0, m - e] for m, e in zip(merged, case["output_shape"])]}


D2S_TF = depth("depth_to_space", "NHWC", "blocks_first")
S2D_TF = depth("space_to_depth", "NHWC", "blocks_first")
D2S_NCHW = depth("depth_to_space", "NCHW", "blocks_first")
S2D_NCHW = depth("space_to_depth", "NCHW", "blocks_first")
S2B, B2S = batch("space_to_batch", "paddings"), batch("batch_to_space", "crops")
# By framework and operation, both in lower case without underscores and dots.
OPERATIONS = {
    "tensorflow": {"depthtospace": D2S_TF, "spacetodepth": S2D_TF, "spacetobatch": S2B,
                   "batchtospace": B2S, "spacetobatchnd": S2B, "batchtospacend": B2S,
                   "transpose": transpose},
    "tflite": {"depthtospace": D2S_TF, "spacetodepth": S2D_TF, "spacetobatchnd": S2B,
               "batchtospacend": B2S, "channelshuffle": shuffle(1), "transpose": transpose},
    "onnx": {"depthtospace": D2S_NCHW, "spacetodepth": S2D_NCHW, "transpose": transpose},
    "directml": {"depthtospace1": D2S_NCHW, "spacetodepth1": S2D_NCHW},
    "acl": {"depthtospace": D2S_NCHW, "spacetodepth": S2D_NCHW, "channelshuffle": shuffle(1),
            "reorg": S2D_NCHW},
    "openvino": {"depthtospace": depth("depth_to_space", "channels_first", None),
                 "spacetodepth": depth("space_to_depth", "channels_first", None),
                 "spacetobatch": S2B, "batchtospace": B2S, "shufflechannels": shuffle(1),
                 "transpose": transpose},
    "pytorch": {"pixelshuffle": pixel("pixel_shuffle"), "pixelunshuffle": pixel("pixel_unshuffle"),
                "channelshuffle": shuffle(1), "permute": transpose, "unfold": unfold},
    "paddle": {"pixelshuffle": pixel_with_layout("depth_to_space"),
               "pixelunshuffle": pixel_with_layout("space_to_depth"),
               "channelshuffle": shuffle(1), "transpose": transpose},
    "oneflow": {"pixelshuffle": pixel_factors},
    "mxnet": {"pixelshuffle": pixel_factors, "depthtospace": D2S_NCHW, "spacetodepth": S2D_NCHW},
    "tvm": {"depthtospace": D2S_NCHW, "spacetodepth": S2D_NCHW, "spacetobatchnd": S2B,
            "batchtospacend": B2S, "transpose": transpose},
    "onednn": {"shuffle": shuffle_group_size},
    "ncnn": {"pixelshuffle": unbatched({0: "(c by bx) h w -> c (h by) (w bx)",
                                        1: "(by bx c) h w -> c (h by) (w bx)"}),
             "reorg": unbatched({0: "c (h by) (w bx) -> (c by bx) h w",
                                 1: "c (h by) (w bx) -> (by bx c) h w"}),
             "shufflechannel": shuffle_reverse},
    "mnn": {"depthtospace": D2S_NCHW, "spacetodepth": S2D_NCHW,
            "spacetobatchnd": batch("space_to_batch", "paddings", axes=(2, 3)),
            "batchtospacend": batch("batch_to_space", "crops", axes=(2, 3))},
    "coreml": {"depthtospace": D2S_NCHW, "spacetodepth": S2D_NCHW,
               "pixelshuffle": pixel("pixel_shuffle"), "pixelunshuffle": pixel("pixel_unshuffle"),
               "spacetobatch": batch("space_to_batch", "paddings", axes=(2, 3)),
               "batchtospace": batch("batch_to_space", "crops", axes=(2, 3))},
    "xnnpack": {"depthtospacenhwc": D2S_TF, "spacetodepthnhwc": S2D_TF, "transposend": transpose,
                "depthtospacenchw2nhwc": lambda attrs, case: {
                    "op": "depth_to_space", "block_size": attrs.block(), "layout": "NCHW",
                    "result_layout": "NHWC", "mode": "blocks_first"}},
    "stablehlo": {"transpose": transpose},
    "mlir": {"linalgpack": pack, "linalgunpack": unpack, "linalgtranspose": transpose,
             "tensorpack": pack, "tensorunpack": unpack},
    "yolov5": {"focusslice": focus, "focus": focus,
               "contract": S2D_NCHW, "expand": D2S_NCHW},
    "swin": {"patchmergingconcat": patch_merging, "windowpartition": window_partition,
             "windowreverse": window_reverse},
    "einops": {"rearrange": einops},
}
ALIASES = {"litert": "tflite", "nnapi": "tflite", "tflm": "tflite", "tf": "tensorflow",
           "topi": "tvm", "onnxruntime": "onnx", "linalg": "mlir"}


def plain(name):
    return "".join(letter for letter in name.lower() if letter.isalnum())


def to_spec(case):
    """The spec of `case` without shape, dtype and input, or NotDone."""
    framework = plain(case["framework"])
    table = OPERATIONS.get(ALIASES.get(framework, framework), {})
    convert = table.get(plain(case["op"]))
    if convert is None and "reorg" in plain(case["op"]):
        raise NotDone("X12: reorg has three meanings, and is not a name here")
    if convert is None:
        raise NotDone(f"X19: {case['framework']} {case['op']} is not mapped to a spec")
    attrs = Attrs(case)
    spec = convert(attrs, case)
    attrs.finish()
    return {key: value for key, value in spec.items() if value is not None}
