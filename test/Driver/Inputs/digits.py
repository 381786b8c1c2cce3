# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""digits.py FILE.jsonl: no figure has more digits than a timing is good for."""

import json
import sys

MOST = {"gbps": 3, "bound_gbps": 3, "compile_ms": 3, "compile_ms_p50": 3, "compile_ms_p95": 3}
COUNTS = {"bytes", "cases", "errors"}


def digits(text):
    """Significant digits of a number of JSON."""
    mantissa = text.lower().split("e")[0].lstrip("-").replace(".", "").lstrip("0")
    return len(mantissa if "." in text else mantissa.rstrip("0"))


found = 0
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        for name, text in json.loads(line, parse_float=str, parse_int=str).items():
            if name in COUNTS or not text or not text[0].isdigit() or name.endswith("id"):
                continue
            found += 1
            assert digits(text) <= MOST.get(name, 4), (name, text)
assert found >= 20, found
