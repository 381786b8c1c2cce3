#!/bin/sh
# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# From a clone on Debian 12 to a checked kernel: installs the packages, builds the
# driver, then compiles, runs, verifies and shows depth_to_space on a tensor of the
# size of a picture.
set -eu
cd "$(dirname "$0")/.."

tools/build.sh OFF relayoutc
PATH="$PWD/build/bin:$PATH"
out=build/quickstart
mkdir -p "$out"

# Shows a command, then runs it.
show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

picture="depth_to_space --shape=1x360x640x12xf32 --layout=NHWC --mode=blocks_first --block-size=2"
# shellcheck disable=SC2086 # the spec is words
{
  show relayoutc explain $picture
  show relayoutc compile $picture --dump-to="$out/stages"
  show relayoutc run $picture --iota --output="$out/picture.npy"
  show relayoutc verify $picture
}
printf '\nThe same on a tensor that fits a screen:\n'
show relayoutc run depth_to_space --shape=1x2x3x12xf32 --layout=NHWC --mode=blocks_first \
  --block-size=2 --iota
printf '\nThe picture is in %s, each stage of the compiler in %s:\n' "$out/picture.npy" "$out/stages"
ls "$out/stages"
