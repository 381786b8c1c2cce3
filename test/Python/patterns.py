# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Patterns that every framework's test runs: shape, pattern, sizes."""

PATTERNS = [
    ((2, 12, 3, 5), "n (by bx c) h w -> n c (h by) (w bx)", {"by": 2, "bx": 3}),
    ((2, 12, 3, 5), "n (c by bx) h w -> n c (h by) (w bx)", {"by": 3, "bx": 2}),
    ((3, 5, 7, 24), "n h w (by bx c) -> n (h by) (w bx) c", {"by": 2, "bx": 4}),
    ((2, 3, 8, 15), "n c (h by) (w bx) -> n (c by bx) h w", {"by": 4, "bx": 3}),
    ((2, 3, 5, 7), "n c h w -> n h w c", {}),
    ((2, 6, 20, 3), "n (oh bh) (ow bw) c -> (bh bw n) oh ow c", {"bh": 3, "bw": 5}),
    ((30, 7, 2, 3), "(bh bw n) h w c -> n (h bh) (w bw) c", {"bh": 3, "bw": 5}),
    ((2, 21, 5), "n (g c) w -> n (c g) w", {"g": 3}),
    ((2, 3, 5, 7), "b ... c -> ... (b c)", {}),
    ((37, 53), "h w -> w h", {}),
    ((6, 35), "(a b) (c d) -> d b c a", {"b": 3, "c": 5}),
    ((64,), "(a b) -> (b a)", {"a": 4}),
    ((2, 3, 1, 5), "a b 1 c -> c (a b) 1", {}),
]
