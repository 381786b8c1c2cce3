#!/bin/sh
# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# build.sh TESTS TARGET...: installs what a build needs, configures build/ with
# the tests ON or OFF, and builds the targets. RELAYOUT_BUILD_DIR names another
# folder; CC and CXX name other compilers than clang 22; RELAYOUT_PRECOMPILE=OFF
# parses MLIR's headers in each file.
set -eu
cd "$(dirname "$0")/.."
tests=$1
shift
dir=${RELAYOUT_BUILD_DIR:-build}
CC=${CC:-clang-22} CXX=${CXX:-clang++-22}

tools/install-packages.sh clang-22 lld-22 cmake ninja-build ccache \
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools libzstd-dev zlib1g-dev \
  libxxhash-dev

# A folder that was configured with the tests keeps them.
if [ ! -f "$dir/build.ninja" ] || [ "$tests" = ON ]; then
  cmake -S . -B "$dir" -G Ninja -DRELAYOUT_BUILD_TESTS="$tests" \
    -DPython3_EXECUTABLE=/usr/bin/python3 \
    -DRELAYOUT_PRECOMPILE="${RELAYOUT_PRECOMPILE:-ON}" \
    -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" ${RELAYOUT_CMAKE_ARGS:-} >"$dir.log" 2>&1 ||
    { cat "$dir.log" >&2; rm -f "$dir.log"; exit 1; }
  rm -f "$dir.log"
fi
cmake --build "$dir" --target "$@"
