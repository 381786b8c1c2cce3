# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts lit's results (its --output file) in one line; exits with 1 if a test failed."""

import collections
import json
import sys

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main(path):
    try:
        with open(path, encoding="utf-8") as file:
            tests = json.load(file)["tests"]
    except (OSError, ValueError) as error:
        print(f"lit left no results: {error}\n0 passed, 1 failed, 0 skipped")
        return 1
    count = collections.Counter()
    for test in tests:
        if test["code"] in PASSED:
            count["passed"] += 1
        elif test["code"] in SKIPPED:
            count["skipped"] += 1
            print(f"skipped: {test['name']}: {test.get('output', '').strip()}")
        else:
            count["failed"] += 1
            print(f"failed: {test['name']} ({test['code']})")
    if not tests:
        print("no test was found")
        count["failed"] += 1
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] else 0


sys.exit(main(sys.argv[1]))
