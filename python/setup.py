# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a wheel one of a platform where it brings the library along; the rest is in pyproject.toml."""

from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class Package(Distribution):
    def has_ext_modules(self):
        return any(Path(__file__).parent.glob("relayout/_lib/*.so*"))


class Wheel(bdist_wheel):
    def get_tag(self):
        # ctypes loads the library, so that it is of a platform, but of no version of Python.
        _, _, platform = super().get_tag()
        return "py3", "none", platform


setup(distclass=Package, cmdclass={"bdist_wheel": Wheel})
