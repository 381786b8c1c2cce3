# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs that some framework refuses and this project takes, or the other way round.
The labels are those of "Where frameworks disagree" in mlir-dialect/Spec.md."""

import pathlib
import re

from frameworks import ALIASES, plain

# Ranks that a framework's operation takes, where ours takes more.
FIXED_RANKS = {
    ("tensorflow", "spacetobatch"): (4,),
    ("tensorflow", "batchtospace"): (4,),
    ("tflite", "spacetobatchnd"): (3, 4),
    ("tflite", "batchtospacend"): (3, 4),
    ("coreml", "spacetobatch"): (4,),
    ("coreml", "batchtospace"): (4,),
}
NEEDS_BLOCK_OF_TWO = {
    "tensorflow": ("depthtospace", "spacetodepth", "spacetobatch", "batchtospace"),
    "xnnpack": ("depthtospacenhwc", "depthtospacenchw2nhwc", "spacetodepthnhwc"),
    "acl": ("depthtospace", "spacetodepth"),
    "coreml": ("depthtospace", "spacetodepth", "pixelshuffle", "pixelunshuffle"),
}
OPERAND_TYPES = ("block_shape_dtype", "crops_begin_dtype", "crops_end_dtype", "pads_begin_dtype",
                 "pads_end_dtype")


def block_one(framework, op, case):
    block = case["attrs"].get("block_size", case["attrs"].get("block"))
    return block == 1 and op in NEEDS_BLOCK_OF_TWO.get(framework, ())


def zero_size(framework, op, case):
    return 0 in case["input_shape"]


def other_rank(framework, op, case):
    ranks = FIXED_RANKS.get((framework, op))
    return ranks is not None and len(case["input_shape"]) not in ranks


def blocks_per_rank(framework, op, case):
    block = case["attrs"].get("block_shape")
    return (framework == "tflite" and isinstance(block, list)
            and len(block) != len(case["input_shape"]) - 2)


def operand_types(framework, op, case):
    return any(key in case["attrs"] for key in OPERAND_TYPES)


def shuffle_rank(framework, op, case):
    return op == "channelshuffle" and len(case["input_shape"]) < 3


ACCEPTED = (
    (block_one, "X1: a block size of 1 moves nothing, and is no error"),
    (zero_size, "X2: an extent of 0 gives an empty result"),
    (other_rank, "X3: any rank, not that of one framework's kernel"),
    (blocks_per_rank, "X3: any number of blocked dimensions"),
    (shuffle_rank, "X4: any rank that has the axis"),
    (operand_types, "X6: blocks and windows are attributes, numbers without a type"),
)
# By the code of the error.
REFUSED = {
    "divisible": "X5: a block that does not divide is refused, nothing is rounded down",
    "pad": "X9: space_to_batch takes no negative padding, rearrange does",
    "type": "X17: not an element type of the project",
}
ROUNDING = ("onnx", "coreml", "tvm")


def canonical(case):
    framework = plain(case["framework"])
    return ALIASES.get(framework, framework), plain(case["op"])


def why_accepted(case):
    """Why an input that the framework refuses is accepted here, or None."""
    for applies, text in ACCEPTED:
        if applies(*canonical(case), case):
            return text
    return None


def why_refused(case, code):
    """Why an input that the framework takes is refused here, or None."""
    framework, _ = canonical(case)
    windows = case["attrs"].get("paddings") or []
    if code == "divisible" and framework not in ROUNDING:
        return None
    if code == "pad" and not any(number < 0 for pair in windows for number in pair):
        return None
    return REFUSED.get(code)


def labels(spec_page):
    """The labels that Spec.md states."""
    text = pathlib.Path(spec_page).read_text(encoding="utf-8")
    return set(re.findall(r"^\| (X\d+) \|", text, re.MULTILINE))
