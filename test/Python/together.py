# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Relayout beside all frameworks in one process, loaded first and loaded last.

TensorFlow and JAX bring an LLVM each, and TensorFlow's symbols are the process's.
"""

import os
import subprocess
import sys
import unittest

PROGRAM = """
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

def use_relayout():
    import relayout
    for width in (8, 24, 40):
        x = bytes(i % 251 for i in range(width * 12 * 7))
        y = relayout.rearrange(x, "(h w c) -> (c h w)", w=12, c=7)
        assert y == bytes(x[i * 7 + c] for c in range(7) for i in range(width * 12))

def use_frameworks():
    import tensorflow as tf
    import jax, jax.numpy as jnp
    import numpy as np
    import torch
    x = np.arange(210, dtype=np.float32).reshape(5, 6, 7)
    compiled = [tf.function(lambda x: tf.transpose(x * 2, (2, 0, 1)), jit_compile=True)(x),
                jax.jit(lambda x: jnp.transpose(x * 2, (2, 0, 1)))(x),
                (torch.from_numpy(x) * 2).permute(2, 0, 1)]
    for y in compiled:
        assert (np.asarray(y) == x.transpose(2, 0, 1) * 2).all()

def use_both():
    import relayout, tensorflow as tf, jax.numpy as jnp, numpy as np, torch
    x = np.arange(210, dtype=np.float32).reshape(5, 6, 7)
    for y in (tf.constant(x), jnp.asarray(x), torch.from_numpy(x)):
        z = relayout.transpose(y, (2, 0, 1))
        assert type(z) is type(y) and (np.asarray(z) == x.transpose(2, 0, 1)).all()
"""


class Together(unittest.TestCase):
    def run_in_order(self, *steps):
        program = PROGRAM + "".join(f"{step}()\n" for step in steps) + "print('done')\n"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              check=False, env=os.environ)
        self.assertEqual((done.returncode, done.stdout), (0, "done\n"), done.stderr)

    def test_relayout_first(self):
        self.run_in_order("use_relayout", "use_frameworks", "use_both", "use_relayout")

    def test_relayout_last(self):
        self.run_in_order("use_frameworks", "use_relayout", "use_both", "use_frameworks")


if __name__ == "__main__":
    unittest.main()
