# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arrows between the folders: who may include what."""

import re
import sys

import tree

# A folder may use these and whatever they may use. Support is for all.
USES = {
    "Support": (),
    "Layout": (),
    "IR": ("Layout",),
    "Schedule": ("Layout",),
    "Transforms": ("IR", "Schedule"),
    "Conversion": ("Transforms",),
    "Spec": ("IR", "Runtime"),
    "Pipelines": ("Conversion",),
    "Runtime": (),
    "JIT": ("Pipelines", "Runtime"),
    "Cache": ("Runtime",),
    "CAPI": ("Cache", "JIT", "Spec"),
}
# Headers of LLVM and MLIR that these folders may include at all.
FOREIGN = {
    "Support": None,
    "Layout": re.compile(r"llvm/ADT/"),
    "Schedule": re.compile(r"llvm/(ADT|Support|TargetParser)/"),
    "Runtime": None,
    "Cache": None,
}
SLOW = re.compile(r"mlir/(InitAll\w+|Conversion/Passes)\.h$")
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]|include "([^"]+\.td)"')
# What libraries never do: print, exit, read global flags.
NEVER = re.compile(r"\b(std::cerr|std::cout|printf|fprintf|llvm::errs|llvm::outs|errs\(\)|"
                   r"std::exit|std::abort|report_fatal_error|llvm::cl::|cl::opt)\b")


def allowed(folder):
    """`folder`, all that it may use, and Support."""
    found, todo = {"Support"}, [folder]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += USES[name]
    return found


def library_of(path):
    """The folder of the architecture that a file belongs to, or None."""
    parts = path.parts
    for start in (("mlir-dialect", "lib"), ("mlir-dialect", "include", "relayout"), ("lib",),
                  ("include", "relayout")):
        if parts[:len(start)] == start and len(parts) > len(start) + 1:
            return parts[len(start)]
    return None


def check_include(folder, header):
    """What is wrong with a file of `folder` that includes `header`, or None."""
    if header.startswith("relayout/"):
        used = header.split("/")[1]
        if used not in allowed(folder):
            return f"{folder} may not use {used}"
    elif header.startswith(("llvm/", "llvm-c/", "mlir/", "mlir-c/")):
        if folder in FOREIGN and not (FOREIGN[folder] and FOREIGN[folder].match(header)):
            return f"{folder} may not use this header"
        if SLOW.match(header):
            return "libraries include the headers that they need, not all of MLIR"
    elif "/" in header and header.startswith("."):
        return "includes are relative to an include root"
    return None


def check_file(root, path):
    folder = library_of(path)
    if folder is None or path.suffix not in (".h", ".cpp", ".td"):
        return
    if folder not in USES:
        yield f"{path}: {folder} is not a folder of the architecture"
        return
    for number, line in enumerate((root / path).read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        fault = check_include(folder, match[1] or match[2]) if match else None
        if fault:
            yield f"{path}:{number}: {line.strip()}: {fault}"
        if NEVER.search(line.split("//")[0]):
            yield f"{path}:{number}: {line.strip()}: a library never prints, exits or reads flags"


def main(root):
    return tree.report([f for p in tree.tracked_files(root) for f in check_file(root, p)])


sys.exit(main(tree.root_from_arguments()))
