# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses the package that is installed in the folder that the command line names."""

import pathlib
import sys

import numpy as np
import torch

import relayout
import relayout.torch

home = pathlib.Path(relayout.__file__).parent
assert home.parent == pathlib.Path(sys.argv[1]).resolve(), home
assert (home / "py.typed").exists()
x = np.arange(60, dtype=np.uint16).reshape(3, 4, 5)
assert (relayout.transpose(x) == x.T).all()
assert (relayout.torch.transpose(torch.from_numpy(x)).numpy() == x.T).all()
