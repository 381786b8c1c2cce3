# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the numbers of a locale to FILE, with a comma for the point, as glibc reads them.

A test cannot know which locales a machine has. The form is that of glibc's locale/loadlocale.c:
magic, count and offsets of the values of LC_NUMERIC, then the values: point and separator of
thousands, sizes of groups, the first two as wide characters, the name of the character set.
"""

import struct
import sys

LC_NUMERIC = 1
values = [b",\0\0\0", b"\0\0\0\0", b"\0\0\0\0", struct.pack("=I", ord(",")), struct.pack("=I", 0),
          b"ASCII\0"]
offset = 4 * (2 + len(values))
head = [0x20031115 ^ LC_NUMERIC, len(values)]
for value in values:
    head.append(offset)
    offset += len(value)
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack(f"={len(head)}I", *head) + b"".join(values))
