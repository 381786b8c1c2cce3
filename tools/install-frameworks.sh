#!/bin/sh
# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# install-frameworks.sh DIR: a virtual environment in DIR with what the Python tests
# compare against (python/test-requirements.txt), some 3 GB. Does nothing if it is
# there. Where pip cannot get the packages, says so and leaves DIR/missing with the
# reason; the tests that need them are then skipped.
set -eu
dir=$1
list=$(dirname "$0")/../python/test-requirements.txt

cmp -s "$list" "$dir/installed" && exit 0
mkdir -p "$dir"
rm -f "$dir/installed" "$dir/missing"
echo "Installing NumPy, PyTorch, JAX, TensorFlow and einops into $dir"
if /usr/bin/python3 -m venv "$dir" >"$dir/log" 2>&1 &&
  "$dir/bin/python" -m pip install -q --disable-pip-version-check --retries 2 --timeout 60 \
    -r "$list" >>"$dir/log" 2>&1 </dev/null; then
  cp "$list" "$dir/installed"
else
  tail -n 1 "$dir/log" >"$dir/missing"
  echo "Tests against them are skipped: $(cat "$dir/missing")"
fi
