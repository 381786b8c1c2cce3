# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names a wheel by its platform where it brings the library along; the rest is in pyproject.toml."""

from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel


class Wheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = not any(Path(__file__).parent.glob("relayout/_lib/*.so*"))

    def get_tag(self):
        # ctypes loads the library, so that it is of a platform, but of no version of Python.
        _, _, platform = super().get_tag()
        return "py3", "none", platform


setup(cmdclass={"bdist_wheel": Wheel})
