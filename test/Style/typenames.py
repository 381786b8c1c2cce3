# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No two types of the libraries have one name: where both are linked, which of them a function
means would be up to the linker."""

import re
import sys

import tree

NAMESPACE = re.compile(r"(?:inline )?namespace ?([\w:]*) \{$")
NAMESPACE_END = re.compile(r"\} // (?:anonymous )?namespace")
# At the left margin, as clang-format leaves what stands in a namespace.
TYPE = re.compile(r"(?:struct|class|union|enum(?: class| struct)?) (?:\[\[\w+\]\] )?([\w:]+)\b(?!.*;$)")


def types(text):
    """Number of the line and full name of each type that other files can see."""
    scopes = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := NAMESPACE.match(line):
            scopes.append(match[1])
        elif NAMESPACE_END.match(line):
            scopes.pop()
        elif (match := TYPE.match(line.replace("template <typename T> ", ""))) and "" not in scopes:
            yield number, "::".join(scopes + [match[1]])


def main(root):
    faults, seen = [], {}
    for path in tree.tracked_files(root):
        if path.suffix not in (".h", ".cpp") or path.parts[0] not in ("include", "lib",
                                                                      "mlir-dialect"):
            continue
        for number, name in types((root / path).read_text()):
            if name in seen:
                faults.append(f"{path}:{number}: {name} is a type of {seen[name]} too")
            seen.setdefault(name, path)
    print(f"{len(seen)} types")
    return tree.report(faults)


sys.exit(main(tree.root_from_arguments()))
