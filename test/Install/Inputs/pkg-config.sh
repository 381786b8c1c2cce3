# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles and runs the C programs of the current folder with what pkg-config says.
set -eu
export PKG_CONFIG_PATH="$(cat folder)"
for pair in main:relayout runner:relayout-runtime; do
  package=${pair#*:}
  libraries=$(pkg-config --variable=libdir "$package")
  gcc -std=c99 -Wall -Wextra -pedantic -Werror "${pair%:*}.c" -o "${pair%:*}" \
    $(pkg-config --cflags --libs "$package") -Wl,-rpath,"$libraries"
  "./${pair%:*}"
done
