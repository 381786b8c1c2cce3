#!/usr/bin/env python3
# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speaks as a GoogleTest program whose second test of two calls GTEST_SKIP."""

import json
import os
import sys

if "--gtest_list_tests" in sys.argv:
    print("Kind.\n  Passes\n  SkipsItself")
    sys.exit()
tests = [{"name": name, "result": result, "status": "RUN", "time": "0.25s"}
         for name, result in (("Passes", "COMPLETED"), ("SkipsItself", "SKIPPED"))]
with open(os.environ["GTEST_OUTPUT"].split(":", 1)[1], "w", encoding="utf-8") as file:
    json.dump({"random_seed": 1, "testsuites": [{"name": "Kind", "testsuite": tests}]}, file)
