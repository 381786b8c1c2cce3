# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the answers of `relayout-bench --format=jsonl` as SVG: one bar a case.

    python3 docs/figures/plot.py docs/figures/suite.jsonl > docs/figures/suite.svg

A bar is the share of the copy bound that the kernel reaches, the line on it the share
of the same loads and stores without shuffles. Cases are sorted by their share.
"""

import json
import sys

BAR, GAP, HEIGHT, LEFT, TOP = 9, 2, 300, 40, 20


def y(ratio):
    return TOP + HEIGHT * (1 - min(ratio, 1.2) / 1.2)


def draw(cases):
    width = LEFT + len(cases) * (BAR + GAP) + 10
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT + TOP + 60}" '
        'font-family="sans-serif" font-size="9">',
        f'<rect width="{width}" height="{HEIGHT + TOP + 60}" fill="white"/>',
    ]
    for tick in (0, 0.25, 0.5, 0.75, 1.0):
        lines.append(f'<line x1="{LEFT}" x2="{width}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="#ccc"/>')
        lines.append(f'<text x="{LEFT - 6}" y="{y(tick) + 3:.1f}" text-anchor="end">{tick:g}</text>')
    for i, case in enumerate(cases):
        x, top = LEFT + i * (BAR + GAP), y(case["ratio"])
        lines.append(f'<rect x="{x}" y="{top:.1f}" width="{BAR}" height="{y(0) - top:.1f}" fill="#4477aa"/>')
        if case["pattern_ratio"]:
            at = y(case["pattern_ratio"])
            lines.append(f'<line x1="{x}" x2="{x + BAR}" y1="{at:.1f}" y2="{at:.1f}" stroke="#cc3311" stroke-width="2"/>')
        lines.append(f'<text transform="translate({x + BAR - 1},{y(0) + 6:.1f}) rotate(90)">{case["id"]}</text>')
    return "\n".join(lines + ["</svg>"])


with open(sys.argv[1]) as answers:
    cases = [line for line in map(json.loads, answers) if "ratio" in line]
print(draw(sorted(cases, key=lambda case: case["ratio"])))
