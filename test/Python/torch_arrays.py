# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's tensors through the plain functions, against einops: equal in every bit."""

import unittest
import warnings

import einops
import torch

import relayout
import relayout.torch
from patterns import PATTERNS

DTYPES = [torch.bool, torch.int8, torch.uint8, torch.int16, torch.uint16, torch.int32,
          torch.uint32, torch.int64, torch.uint64, torch.float16, torch.bfloat16, torch.float32,
          torch.float64, torch.complex64, torch.complex128, torch.complex32, torch.float8_e5m2,
          torch.float8_e4m3fn, torch.float8_e5m2fnuz, torch.float8_e4m3fnuz,
          torch.float8_e8m0fnu]


def random(shape, dtype=torch.float32):
    size = torch.Size(shape).numel() * dtype.itemsize
    data = torch.randint(0, 256, (size,), dtype=torch.uint8,
                         generator=torch.Generator().manual_seed(4))
    return (data % 2 if dtype is torch.bool else data).view(dtype).reshape(shape)


def bits(x):
    return x.contiguous().flatten().view(torch.uint8).numpy().tobytes()


class Tensors(unittest.TestCase):
    def same(self, got, expected):
        self.assertIsInstance(got, torch.Tensor)
        self.assertEqual((got.dtype, got.shape), (expected.dtype, expected.shape))
        self.assertEqual(bits(got), bits(expected))

    def test_patterns(self):
        for shape, pattern, sizes in PATTERNS:
            x = random(shape)
            self.same(relayout.rearrange(x, pattern, **sizes),
                      einops.rearrange(x, pattern, **sizes))

    def test_types(self):
        for dtype in DTYPES:
            with self.subTest(dtype=dtype):
                x = random((2, 12, 3, 5), dtype)
                self.same(relayout.pixel_shuffle(x, 2),
                          einops.rearrange(x, "n (c a b) h w -> n c (h a) (w b)", a=2, b=2))

    def test_own_operations(self):
        x = random((2, 12, 3, 5))
        up = torch.pixel_shuffle(x, 2)
        self.same(relayout.pixel_shuffle(x, 2), up)
        self.same(relayout.pixel_unshuffle(up, 2), x)
        self.same(relayout.channel_shuffle(x, 3), torch.channel_shuffle(x, 3))
        self.same(relayout.transpose(x, (0, 2, 3, 1)), x.permute(0, 2, 3, 1))

    def test_views(self):
        base = random((4, 14, 10, 12), torch.int32)
        for view in (base[1:3, 2:14, 1:4, 2:7], base[::2, ::7, :, ::3], base.permute(0, 3, 1, 2),
                     base[:, :, :1, :1].expand(4, 14, 5, 6),
                     base.to(memory_format=torch.channels_last)):
            self.same(relayout.rearrange(view, "n c h w -> h (c n) w"),
                      einops.rearrange(view, "n c h w -> h (c n) w"))

    def test_lazy_views(self):
        x = random((2, 3, 5), torch.complex64)
        self.assertTrue(x.conj().is_conj() and x.conj().imag.is_neg())
        self.same(relayout.transpose(x.conj()), x.conj().permute(2, 1, 0))
        self.same(relayout.transpose(x.conj().imag), x.conj().imag.permute(2, 1, 0))

    def test_out(self):
        x = random((3, 5, 7))
        out = torch.full((7, 6, 10), -1.5)
        part = out[:, ::2, ::2]
        self.assertIs(relayout.transpose(x, (2, 0, 1), out=part), part)
        expected = torch.full((7, 6, 10), -1.5)
        expected[:, ::2, ::2] = x.permute(2, 0, 1)
        self.same(out, expected)

    def test_gradient_that_needs_what_out_held(self):
        p, x = torch.zeros(3, 2, requires_grad=True), random((2, 3))
        for write in (lambda y: relayout.transpose(x, out=y), lambda y: y.copy_(x.T)):
            y = p.exp()  # its gradient is its result
            write(y.detach())
            with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
                y.sum().backward()
        with torch.inference_mode():
            out = torch.zeros(3, 2)
        self.same(relayout.transpose(x, out=out), x.T)

    def test_refused_outs(self):
        memory = torch.zeros(25, dtype=torch.uint8)
        lazy = torch.zeros((3, 2), dtype=torch.complex64).conj()
        outs = [(torch.frombuffer(memory.numpy().data[1:], dtype=torch.float32).reshape(3, 2),
                 f"an address that is a multiple of 4, but it is {memory.data_ptr() + 1:#x}$"),
                (lazy, "out to hold its elements as they are, but it is a conjugate or"),
                (lazy.imag, "out to hold its elements as they are, but it is a conjugate or")]
        for out, text in outs:
            with self.assertRaisesRegex(relayout.InvalidError, "^expects " + text):
                relayout.transpose(torch.ones((2, 3), dtype=out.dtype), out=out)
            self.assertFalse(out.abs().any())

    def test_refusals(self):
        x = random((2, 3))
        with self.assertRaisesRegex(ValueError, "relayout.torch"):
            relayout.transpose(x.requires_grad_())
        with torch.no_grad():
            self.same(relayout.transpose(x), x.detach().T)
        for tensor in (torch.empty((2, 3), device="meta"), torch.eye(3).to_sparse()):
            with self.assertRaisesRegex(BufferError, "dense tensor on the CPU"):
                relayout.transpose(tensor)
        with warnings.catch_warnings(action="ignore"):  # PyTorch's, that they are a prototype
            nested = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)])
        with self.assertRaisesRegex(BufferError, "one tensor, but got a nested one"):
            relayout.transpose(nested)

    def test_pads_of_elements_that_are_moved_as_bits(self):
        x = random((3,), torch.complex32)
        for function in (relayout.rearrange, relayout.torch.rearrange):
            expected = torch.cat([torch.zeros(1, dtype=torch.int32), x.view(torch.int32)])
            self.same(function(x, "a -> a", pad=[(1, 0)]).view(torch.int32), expected)
            with self.assertRaisesRegex(relayout.InvalidTypeError, "moved as b32, but got 1;"):
                function(x, "a -> a", pad=[(1, 0)], pad_value=1)

    def test_kernels_of_types_that_are_moved_as_bits(self):
        x = random((2, 3), torch.complex32)
        k = relayout.compile("a b -> b a", shape=x.shape, dtype=x.dtype)
        self.assertEqual(k.spec.dtype, "b32")
        self.same(k(x).view(torch.int32), x.view(torch.int32).T)
        self.assertEqual(relayout.compile("a -> a", shape=(2,), dtype=torch.int4).spec.dtype, "b8")
        with self.assertRaisesRegex(relayout.InvalidTypeError, "those of torch.qint8 are quantized"):
            relayout.compile("a b -> b a", shape=(2, 3), dtype=torch.qint8)
        for other in (x, bits(x), memoryview(bits(x))):  # what has elements is no type of them
            with self.assertRaisesRegex(relayout.InvalidTypeError, "^expects an element type"):
                relayout.compile("a b -> b a", shape=(2, 3), dtype=other)

    def test_quantized_tensors_are_refused(self):
        for dtype in (torch.qint8, torch.quint8, torch.qint32):
            with warnings.catch_warnings(action="ignore"):  # PyTorch's, that they are to go
                x = torch.quantize_per_tensor(torch.ones(2, 3), 0.1, 3, dtype)
            for _ in range(2):  # nothing is remembered of a type that was refused
                with self.assertRaisesRegex(
                        relayout.InvalidTypeError,
                        rf"those of {dtype} are quantized; x.int_repr\(\) is possible$"):
                    relayout.transpose(x)
            self.same(relayout.transpose(x.int_repr()), x.int_repr().T)
            with self.assertRaisesRegex(relayout.InvalidTypeError, f"those of {dtype} are"):
                relayout.transpose(torch.ones((3, 2)), out=x)


if __name__ == "__main__":
    unittest.main()
