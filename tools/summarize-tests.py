# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts lit's results (its --xunit-xml-output file, since its --output file leaves out
what a GoogleTest program skips) in one line; exits with 1 if a test failed."""

import collections
import sys
import xml.etree.ElementTree

# What lit says of all that it did not run, and of what a program skipped by itself.
INTERRUPTED = "User interrupt"


def judge(case):
    """(passed, failed or skipped, why) of one test."""
    if case.find("failure") is not None:
        return "failed", ""
    skipped = case.find("skipped")
    if skipped is None:
        return "passed", ""
    reason = skipped.get("message", "")
    if reason != INTERRUPTED:
        return "skipped", reason
    # What lit runs is a file with a suffix or a number; tests of a program have names.
    name = case.get("name")
    if "." not in name and not name.isdigit():
        return "skipped", "by the test itself"
    return "failed", "lit did not run it"


def main(path):
    try:
        cases = list(xml.etree.ElementTree.parse(path).iter("testcase"))
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        print(f"lit left no results: {error}\n0 passed, 1 failed, 0 skipped")
        return 1
    count = collections.Counter()
    for case in cases:
        result, reason = judge(case)
        count[result] += 1
        if result != "passed":
            name = f"{case.get('classname')}/{case.get('name')}"
            print(f"{result}: {name}" + (f": {reason}" if reason else ""))
    if not cases:
        print("no test was found")
        count["failed"] += 1
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] else 0


sys.exit(main(sys.argv[1]))
