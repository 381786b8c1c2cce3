# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX arrays on the CPU against einops: equal in every bit."""

import os
import unittest

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import einops
import jax
import jax.numpy as jnp
import numpy as np

import relayout
from patterns import PATTERNS

jax.config.update("jax_enable_x64", True)
DTYPES = ["bool_", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
          "float16", "bfloat16", "float32", "float64", "complex64", "complex128", "float8_e5m2",
          "float8_e4m3fn", "float8_e4m3", "float8_e3m4", "float8_e8m0fnu", "float8_e4m3b11fnuz"]


def random(shape, dtype="float32"):
    dtype = np.dtype(getattr(jnp, dtype))
    size = int(np.prod(shape)) * dtype.itemsize
    data = np.random.default_rng(2).integers(0, 256, size, "u1")
    return jnp.asarray((data & 1 if dtype == bool else data).view(dtype).reshape(shape))


class Arrays(unittest.TestCase):
    def same(self, got, expected):
        self.assertIsInstance(got, jax.Array)
        self.assertEqual((got.dtype, got.shape), (expected.dtype, expected.shape))
        self.assertEqual(np.asarray(got).tobytes(), np.asarray(expected).tobytes())

    def test_patterns(self):
        for shape, pattern, sizes in PATTERNS:
            x = random(shape)
            self.same(relayout.rearrange(x, pattern, **sizes),
                      einops.rearrange(x, pattern, **sizes))

    def test_types(self):
        for name in DTYPES:
            with self.subTest(dtype=name):
                x = random((2, 12, 3, 5), name)
                self.same(relayout.pixel_shuffle(x, 2),
                          einops.rearrange(x, "n (c a b) h w -> n c (h a) (w b)", a=2, b=2))

    def test_result_is_an_operand(self):
        x = random((6, 35))
        self.same(relayout.transpose(relayout.transpose(x)) + 1, x + 1)

    def test_result_outlives_everything(self):
        results = [relayout.transpose(random((i + 2, 5))) for i in range(50)]
        for i, result in enumerate(results):
            self.same(result, random((i + 2, 5)).T)

    def test_64_bits_where_32_are_the_default(self):
        for name in ("int64", "uint64", "float64", "complex128"):
            x = random((2, 3), name)
            with jax.enable_x64(False):
                self.same(relayout.transpose(x), x.T)

    def test_device(self):
        for device in jax.devices():
            x = jax.device_put(random((2, 3), "float64"), device)
            got = relayout.transpose(x)
            self.assertEqual(got.devices(), {device})
            self.same(got + x.T, x.T + x.T)

    def test_refusals(self):
        x = random((2, 3))
        gone = random((2, 3))
        gone.delete()
        with self.assertRaisesRegex(relayout.InvalidBufferError, "not deleted or donated"):
            relayout.transpose(gone)
        mesh = jax.sharding.Mesh(jax.devices(), "i")
        parted = jax.device_put(x, jax.NamedSharding(mesh, jax.P("i")))
        with self.assertRaisesRegex(relayout.InvalidBufferError, "on one device, but got one on 2"):
            relayout.transpose(parted)
        with self.assertRaisesRegex(BufferError, "arrays of JAX are read-only"):
            relayout.transpose(x, out=random((3, 2)))
        with self.assertRaisesRegex(relayout.InvalidTypeError, "of whole bytes, but got int4$"):
            relayout.transpose(x.astype("int4"))
        with self.assertRaisesRegex(TypeError, "pure_callback"):
            jax.jit(relayout.transpose)(x)

    def test_inside_jit_by_callback(self):
        x = random((2, 3, 5))
        shape = jax.ShapeDtypeStruct((5, 3, 2), x.dtype)
        call = jax.jit(lambda x: 2 * jax.pure_callback(relayout.transpose, shape, x))
        self.same(call(x), 2 * x.T)


if __name__ == "__main__":
    unittest.main()
