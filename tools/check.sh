#!/bin/sh
# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what the tests need, builds everything and runs every test. The last
# line is `N passed, N failed, N skipped`; the exit status is 0 if none failed.
set -eu
cd "$(dirname "$0")/.."
dir=${RELAYOUT_BUILD_DIR:-build}

tools/install-packages.sh python3 python3-numpy libgtest-dev clang-format-22 \
  g++ git python3-venv python3-dev abigail-tools pkg-config qemu-user
tools/build.sh ON all
# A sanitized library cannot be loaded into Python.
case ${RELAYOUT_CMAKE_ARGS:-} in
  *RELAYOUT_SANITIZE=ON*) ;;
  *) tools/install-frameworks.sh "$dir/frameworks" ;;
esac

# Every relayout-opt of the suite also checks that its input prints and parses back.
export RELAYOUT_CHECK_ROUNDTRIP=1
rm -f "$dir/test/results.xml"
/usr/bin/python3 /usr/lib/llvm-22/bin/lit -s -v -j2 --xunit-xml-output="$dir/test/results.xml" \
  "$dir/test" </dev/null || true
if [ -f "$dir/frameworks/missing" ]; then
  echo "frameworks: pip did not get them: $(cat "$dir/frameworks/missing")"
fi
exec /usr/bin/python3 tools/summarize-tests.py "$dir/test/results.xml"
