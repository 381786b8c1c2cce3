# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit suite over everything but the unit tests, which test/unit configures."""

import importlib.util
import os
import shutil

import lit.formats

config.name = "Relayout"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_root, "test")

tools = os.path.join(config.build_root, "bin")
path = [tools, config.llvm_tools_dir, config.environment.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(path)
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
# Nothing from the caller's environment may change what a test sees.
for name in [n for n in os.environ if n.startswith("RELAYOUT_")]:
    config.environment.pop(name, None)

# Nor does a test leave anything in the caller's cache; those of the cache name a folder.
config.environment["RELAYOUT_CACHE"] = "off"

# Every relayout-opt of the suite also checks that its input survives printing
# and parsing, as text and as bytecode.
opt = os.path.join(tools, "relayout-opt")
if os.environ.get("RELAYOUT_CHECK_ROUNDTRIP", "0") not in ("", "0"):
    opt += " --verify-roundtrip"
    config.available_features.add("roundtrip")

config.substitutions += [
    ("%source_root", config.source_root),
    ("%build_root", config.build_root),
    ("%python", config.python),
    ("%lit", config.python + " " + os.path.join(config.llvm_tools_dir, "lit")),
    ("%cmake", config.cmake),
    ("%cc", config.cc),
    ("%cxx", config.cxx),
    ("%plugin", os.path.join(config.build_root, "lib", "relayout-plugin.so")),
    # Neither a file name nor part of another word.
    (r"(?<![-\w./])relayout-opt(?![-\w.])", opt),
]

config.available_features.add("cpu-" + config.processor)
config.available_features.update("backend-" + name for name in config.backends.split(";"))
# To link a program for AArch64 that needs no library, and to run it.
if all(os.path.exists(os.path.join(config.llvm_tools_dir, tool)) for tool in ("clang", "ld.lld")):
    if shutil.which("qemu-aarch64"):
        config.available_features.add("qemu-aarch64")
if config.sanitize.upper() in ("ON", "1", "TRUE", "YES"):
    config.available_features.add("sanitize")
    # MLIR's libraries are not instrumented, so containers that they fill look
    # overflowed, arenas that they share with us look poisoned, and they keep what
    # they have uniqued.
    config.environment["ASAN_OPTIONS"] = ":".join(
        ["detect_container_overflow=0", "allow_user_poisoning=0", "detect_leaks=0"])
    config.environment["UBSAN_OPTIONS"] = "halt_on_error=1:print_stacktrace=1"
# The Python package, from the source tree; tests against other libraries run in the
# environment of tools/install-frameworks.sh.
frameworks = os.path.join(config.build_root, "frameworks")
library = os.path.join(config.build_root, "lib", "librelayout.so.0")
config.substitutions += [
    ("%frameworks", os.path.join(frameworks, "bin", "python")),
    ("%package", " ".join([
        "env", "PYTHONPATH=" + os.path.join(config.source_root, "python"),
        "RELAYOUT_LIBRARY=" + library, "RELAYOUT_CACHE=off", "PYTHONDONTWRITEBYTECODE=1"])),
]
if os.path.exists(os.path.join(frameworks, "installed")):
    config.available_features.add("frameworks")
if importlib.util.find_spec("numpy"):
    config.available_features.add("numpy")
if os.path.exists("/sys/kernel/mm/transparent_hugepage"):
    config.available_features.add("huge-pages")
if os.path.exists(os.path.join(config.build_root, "lib/self-contained")):
    config.available_features.add("self-contained")
for tool in ("abidiff", "pkg-config"):
    if shutil.which(tool):
        config.available_features.add(tool)
if shutil.which("clang-format-22"):
    config.available_features.add("clang-format")
