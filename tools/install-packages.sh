#!/bin/sh
# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs those of the named Debian packages that are missing, with sudo where
# the user is not root. Does nothing, at once, if all are there.
set -eu

missing=
for package in "$@"; do
  state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

run() {
  if [ "$(id -u)" -eq 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  elif command -v sudo >/dev/null; then
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  else
    echo "error: expects root or sudo to install:$missing" >&2
    exit 3
  fi
}

# shellcheck disable=SC2086 # the list is words
install() { run apt-get install -y -q --no-install-recommends $missing </dev/null; }

echo "Installing$missing"
# An old package list names files that the mirror no longer has.
# shellcheck disable=SC2086
apt-cache show $missing >/dev/null 2>&1 || run apt-get update -q </dev/null
install || { run apt-get update -q </dev/null && install; }
