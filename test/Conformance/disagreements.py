# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs that some framework refuses and this project takes. The labels are those
of the section "Where frameworks disagree" of mlir-dialect/Spec.md."""

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


RULES = (
    (block_one, "W1: a block size of 1 is the identity, not an error"),
    (zero_size, "W2: an extent of 0 gives an empty result, not an error"),
    (other_rank, "W3: ranks are not limited to those of one framework's kernel"),
    (blocks_per_rank, "W3: block_shape may cover any number of leading axes"),
    (shuffle_rank, "W3: channel_shuffle takes any rank that has the axis"),
    (operand_types, "W4: block shapes and windows are attributes: integers without a type"),
)


def reason(case):
    """Why an input that the framework refuses is accepted here, or None."""
    framework = plain(case["framework"])
    framework = ALIASES.get(framework, framework)
    for applies, text in RULES:
        if applies(framework, plain(case["op"]), case):
            return text
    return None
