# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TensorFlow's tensors against einops and TensorFlow's own operations."""

import os
import unittest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import einops
import numpy as np
import tensorflow as tf

import relayout
from patterns import PATTERNS

DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
          "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
EIGHT_BITS = [tf.dtypes.experimental.float8_e5m2, tf.dtypes.experimental.float8_e4m3fn]


def random(shape, dtype="float32"):
    dtype = tf.as_dtype(dtype).as_numpy_dtype
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    data = np.random.default_rng(3).integers(0, 256, size, "u1")
    return tf.constant((data & 1 if dtype == np.bool_ else data).view(dtype).reshape(shape))


class Tensors(unittest.TestCase):
    def same(self, got, expected):
        self.assertIsInstance(got, tf.Tensor)
        self.assertEqual((got.dtype, got.shape), (expected.dtype, expected.shape))
        self.assertEqual(got.numpy().tobytes(), expected.numpy().tobytes())

    def test_patterns(self):
        for shape, pattern, sizes in PATTERNS:
            x = random(shape)
            self.same(relayout.rearrange(x, pattern, **sizes),
                      einops.rearrange(x, pattern, **sizes))

    def test_types(self):
        for dtype in DTYPES + EIGHT_BITS:
            with self.subTest(dtype=dtype):
                x = random((2, 12, 3, 5), dtype)
                expected = x.numpy().reshape(2, 3, 2, 2, 3, 5).transpose(0, 1, 4, 2, 5, 3)
                self.same(relayout.pixel_shuffle(x, 2), tf.constant(expected.reshape(2, 3, 6, 10)))

    def test_own_operations(self):
        x = random((2, 3, 5, 24))
        up = tf.nn.depth_to_space(x, 2)
        self.same(relayout.depth_to_space(x, 2, layout="NHWC", mode="DCR"), up)
        self.same(relayout.space_to_depth(up, 2, layout="NHWC", mode="DCR"), x)
        paddings = [[1, 2], [0, 1]]
        moved = tf.space_to_batch_nd(x, [2, 3], paddings)
        self.same(relayout.space_to_batch(x, [2, 3], paddings), moved)
        self.same(relayout.batch_to_space(moved, [2, 3], paddings), x)

    def test_quantized_types(self):
        for plain, dtype, value in ((tf.int8, tf.qint8, -3), (tf.uint8, tf.quint8, 200),
                                    (tf.int16, tf.qint16, -300), (tf.uint16, tf.quint16, 60000),
                                    (tf.int32, tf.qint32, -70000)):
            x = random((2, 3), plain)
            got = relayout.rearrange(tf.bitcast(x, dtype), "a b -> b a", pad=[(0, 0), (1, 0)],
                                     pad_value=value)
            self.assertEqual(got.dtype, dtype)
            expected = tf.transpose(tf.pad(x, [[0, 0], [1, 0]], constant_values=value))
            self.same(tf.bitcast(got, plain), expected)

    def test_result_is_an_operand(self):
        x = random((6, 35))
        self.same(relayout.transpose(relayout.transpose(x)) + 1, x + 1)

    def test_refusals(self):
        x = random((2, 3))
        with self.assertRaisesRegex(BufferError, "arrays of TensorFlow are read-only"):
            relayout.transpose(x, out=random((3, 2)))
        with self.assertRaisesRegex(TypeError, "string"):
            relayout.transpose(tf.constant([["a", "b"]]))
        with self.assertRaisesRegex(TypeError, "py_function"):
            tf.function(relayout.transpose, autograph=False)(x)


if __name__ == "__main__":
    unittest.main()
