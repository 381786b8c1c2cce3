# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy arrays against einops and NumPy: equal in every bit."""

import datetime
import unittest
import warnings

import einops
import ml_dtypes
import numpy as np

import relayout
from patterns import PATTERNS

DTYPES = [np.dtype(name) for name in
          ("bool", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16",
           "M8[s]", "m8[ms]", ">i4", ">f8", "S2", "U1", "V16", "g")]
DTYPES += [np.dtype(getattr(ml_dtypes, name)) for name in
           ("bfloat16", "float8_e5m2", "float8_e4m3", "float8_e4m3fn", "float8_e5m2fnuz",
            "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e3m4", "float8_e8m0fnu", "int4")]
DTYPES.append(np.dtype([("a", "i4"), ("b", "f4")]))


def random(shape, dtype, seed=1):
    """Elements of random bits; ones that hold a value only, for bool."""
    size = int(np.prod(shape, dtype=int)) * dtype.itemsize
    data = np.random.default_rng(seed).integers(0, 256, size, "u1")
    return (data & 1 if dtype == bool else data).view(dtype).reshape(shape)


def placed(x, place):
    """A copy of `x` at an address that is `place` past a multiple of 64."""
    memory = np.empty(x.nbytes + 128, "u1")
    start = -memory.ctypes.data % 64 + place
    made = memory[start:start + x.nbytes].view(x.dtype).reshape(x.shape)
    made[...] = x
    return made


class Arrays(unittest.TestCase):
    def same(self, got, expected, dtype=None):
        self.assertIs(type(got), np.ndarray)
        self.assertEqual((got.dtype, got.shape), (expected.dtype, expected.shape))
        self.assertTrue(got.flags.c_contiguous)
        self.assertEqual(got.tobytes(), expected.tobytes())

    def test_patterns(self):
        for shape, pattern, sizes in PATTERNS:
            x = random(shape, np.dtype("f4"))
            self.same(relayout.rearrange(x, pattern, **sizes),
                      einops.rearrange(x, pattern, **sizes))

    def test_formats_of_buffers(self):
        for dtype in ("c8", "c16"):  # which memoryview.cast does not know
            x = memoryview(random((2, 3), np.dtype(dtype)))
            with self.assertRaisesRegex(relayout.UnsupportedError, "memoryview.cast knows, or out"):
                relayout.transpose(x)
        letters = memoryview(bytes(range(6))).cast("c", (2, 3))
        got = relayout.transpose(letters)
        self.assertEqual((got.format, got.shape), ("c", (3, 2)))
        self.assertEqual(got.tobytes(), bytes((0, 3, 1, 4, 2, 5)))

    def test_types(self):
        for dtype in DTYPES:
            x = random((2, 12, 3, 5), dtype)
            with self.subTest(dtype=dtype):
                got = relayout.rearrange(x, "n (b c) h w -> n c (h b) w", b=2)
                expected = x.reshape(2, 2, 6, 3, 5).transpose(0, 2, 3, 1, 4).reshape(2, 6, 6, 5)
                self.same(got, expected)

    def test_refused_types(self):
        for dtype in ("O", "S3", "V5", "G", [("a", "O")]):
            with self.assertRaises(TypeError):
                relayout.transpose(np.zeros((2, 3), dtype), (1, 0))
        with self.assertRaisesRegex(TypeError, "mask"):
            relayout.transpose(np.ma.masked_array(np.zeros((2, 3))), (1, 0))

    def test_views(self):
        base = random((4, 14, 10, 12), np.dtype("i4"))
        views = {
            "slice": base[1:3, 2:14, 1:4, 2:7], "steps": base[::2, ::7, :, ::3],
            "channels last": base.transpose(0, 3, 1, 2), "fortran": np.asfortranarray(base),
            "broadcast": np.broadcast_to(base[:, :, :1, :1], (4, 14, 5, 6)),
            "negative": base[::-1, :, ::-2, :],
            "field": base.view([("a", "i2"), ("b", "i2")])["b"],
            "packed field": np.zeros((2, 6, 3, 5), [("a", "i1"), ("b", "<i4")])["b"],
        }
        for name, view in views.items():
            view.flags.writeable = False
            before = view.tobytes()
            with self.subTest(view=name):
                self.same(relayout.rearrange(view, "n c h w -> h (c n) w"),
                          einops.rearrange(view, "n c h w -> h (c n) w"))
                self.assertEqual(view.tobytes(), before)

    def test_views_are_not_copied(self):
        view = random((6, 10, 14), np.dtype("u2"))[:, 1:8:2, 3:9]
        pointer, shape, strides, word, held = relayout._adapters.adapter_of(view).view(view)
        self.assertEqual((pointer, shape, strides), (view.ctypes.data, (6, 4, 6), (140, 28, 1)))
        self.assertEqual((word, held), ("u16", None))
        kernel = relayout.compile("a b c -> c a b", shape=shape, dtype=word,
                                  strides=(strides, None))
        self.same(kernel(view), view.transpose(2, 0, 1).copy())

    def test_out(self):
        x, memory = random((3, 5, 7), np.dtype("f8")), np.full((2, 7, 4, 6), -1.5)
        out = memory[1, :, 1:4, ::2][..., :3]
        with self.assertRaisesRegex(ValueError, "shape"):
            relayout.transpose(x, (2, 0, 1), out=out)
        out = np.full((7, 6, 10), -1.5)
        part = out[:, ::2, ::2]
        self.assertIs(relayout.transpose(x, (2, 0, 1), out=part), part)
        expected = np.full((7, 6, 10), -1.5)
        expected[:, ::2, ::2] = x.transpose(2, 0, 1)
        self.same(out, expected)
        part.flags.writeable = False
        with self.assertRaisesRegex(BufferError, "writable"):
            relayout.transpose(x, (2, 0, 1), out=part)
        with self.assertRaisesRegex(BufferError, "overlap"):
            relayout.transpose(x, (0, 2, 1), out=x.reshape(3, 7, 5))
        other = np.zeros((7, 3, 5), "f4")
        with self.assertRaisesRegex(TypeError, "type"):
            relayout.transpose(x, (2, 0, 1), out=other)
        with self.assertRaisesRegex(ValueError, "strides of 0 or more whole elements, but those of"
                                    r" the array are \(-120, 40, 8\) bytes$"):
            relayout.transpose(x, (2, 0, 1), out=np.zeros((7, 3, 5))[::-1])

    def test_misaligned_out(self):
        for dtype, multiple in (("f8", 8), ("c8", 4), ("c16", 8), (">c8", 8), ("V16", 8)):
            dtype = np.dtype(dtype)
            out = placed(np.zeros((3, 2), dtype), multiple // 2)
            memory = out.view("u1")
            text = f"^expects an address that is a multiple of {multiple}, but it is "
            with self.assertRaisesRegex(relayout.InvalidError, f"{text}{out.ctypes.data:#x}$"):
                relayout.transpose(random((2, 3), dtype), out=out)
            self.assertFalse(memory.any())

    def test_complex_numbers_at_half_their_width(self):
        for dtype in (np.dtype("c8"), np.dtype("c16")):
            x = random((421, 643), dtype)
            near, out = (placed(a, dtype.itemsize // 2) for a in (x, np.zeros_like(x.T, order="C")))
            self.assertTrue(near.flags.aligned and out.flags.aligned)
            view = relayout._adapters.adapter_of(near).view(near)
            self.assertEqual((view[0], view[4]), (near.ctypes.data, None))
            self.assertIs(relayout.transpose(near, out=out), out)
            self.same(out, x.T.copy())
            self.same(relayout.transpose(near), x.T.copy())

    def test_complex_numbers_as_bits(self):
        x = random((2, 3), np.dtype("c8"))
        k = relayout.compile("a b -> b a", shape=(2, 3), dtype="b64")
        self.same(k(placed(x, 4)), x.T.copy())
        out = placed(np.zeros((3, 2), "c8"), 4)
        with self.assertRaisesRegex(relayout.InvalidError, "^expects an address that is a multiple "
                                    f"of 8, but it is {out.ctypes.data:#x}$"):
            k(x, out=out)

    def test_empty_and_scalar_extents(self):
        for shape in ((0, 3), (3, 0), (1, 1), (1, 7)):
            x = random(shape, np.dtype("f4"))
            self.same(relayout.transpose(x), x.T.copy())

    def test_windows(self):
        x = random((2, 3, 5, 7), np.dtype("f4"))
        got = relayout.space_to_batch(x, [2, 3], [(1, 0), (0, 1)], pad_value=2.5)
        wide = np.pad(x, ((0, 0), (1, 0), (0, 1), (0, 0)), constant_values=2.5)
        expected = einops.rearrange(wide, "n (h a) (w b) c -> (a b n) h w c", a=2, b=3)
        self.same(got, expected)
        self.same(relayout.batch_to_space(got, [2, 3], [(1, 0), (0, 1)]), x)
        got = relayout.rearrange(x, "a b c d -> d (c b) a", crop=[(1, 2), (3, 4), (0, -1)],
                                 pad=[(0, 0)] * 3 + [(2, -1)], pad_value=np.float32(7))
        wide = np.pad(x, ((0, 0),) * 3 + ((2, 0),), constant_values=7)[..., :-1]
        cut = einops.rearrange(wide, "a b c d -> d (c b) a")[1:-2, 3:-4]
        self.same(got, np.pad(cut, ((0, 0), (0, 0), (0, 1)), constant_values=7))

    def test_pads_of_nans(self):
        for value, bits in (("nan", 0x7fc00000), ("-nan", 0xffc00000), ("0x7FC00001", 0x7fc00001)):
            k = relayout.compile("a b -> b a", shape=(2, 3), dtype="f32", pad=[(1, 0), (0, 2)],
                                 pad_value=value)
            self.assertEqual(relayout.Spec.from_json(k.spec.json), k.spec)
            got = k(random((2, 3), np.dtype("f4")))
            self.assertEqual(got.view("u4")[0, 0], bits)
            self.assertEqual(got.view("u4")[4, 2], bits)

    def check_pad(self, x, value):
        """By each way to pad: `x` below a row of `value` and beside a column of it."""
        expected = np.empty((3, 4), x.dtype)
        expected[...] = np.array(value, x.dtype)
        expected[1:, 1:] = x
        widen = {"pad": [(1, 0), (1, 0)], "pad_value": value}
        k = relayout.compile("a b -> a b", shape=(2, 3), dtype=x.dtype, **widen)
        batches = relayout.space_to_batch(x[None], [1, 1], widen["pad"], pad_value=value)
        for got in (k(x), relayout.rearrange(x, "a b -> a b", **widen), batches[0]):
            if x.dtype == np.dtype("g"):  # NumPy leaves 6 of 16 bytes unset
                np.testing.assert_array_equal(got, expected, strict=True)
            else:
                self.same(got, expected)

    def test_pads_of_elements_that_are_moved_as_bits(self):
        record = [("a", "i4"), ("b", "f4")]
        pads = [(">i4", 2), (">i4", -7), (">i4", 2.0), (">u2", np.int64(65535)), (">f4", 2),
                (">f4", -0.1), (">f4", "nan"), (">f4", np.inf), (">f2", np.float64(0.1)),
                (">c8", 1 - 2.5j), ("M8[s]", np.datetime64("2020-02-03", "D")), ("M8[D]", "NaT"),
                ("m8[ms]", np.timedelta64(-3, "s")), ("S2", b"ab"), ("U1", "\u00fc"),
                (record, (1, -2.5)), (record, np.array((3, 0.1), record)[()]),
                ("V4", b"\1\2\3\4"), (ml_dtypes.int4, -3)]
        pads += [(">f4", "-Infinity"), ("M8[D]", "2020-02-03 04:05:06.7"), ("M8[s]", np.int8(-7)),
                 ("M8[us]", datetime.datetime(9999, 2, 3, 4, 5, 6, 7)), (">m8[s]", "-7"),
                 ("m8[D]", np.timedelta64(-30, "h")), ("m8[s]", datetime.timedelta(0, -1, 5)),
                 ("M8[ns]", np.datetime64("NaT", "D")), ("m8[s]", np.timedelta64("NaT")),
                 (">M8[Y]", np.datetime64(-2**63 + 1, "ns")), ("M8[ns]", np.datetime64("2262-04"))]
        for dtype, value in pads:
            with self.subTest(dtype=dtype, value=value):
                self.check_pad(random((2, 3), np.dtype(dtype)), value)
        for value in (2, 0.1, np.longdouble("0.1")):
            self.check_pad(np.arange(6, dtype="g").reshape(2, 3), value)

    def test_pads_that_are_no_element(self):
        pads = [(">i4", 2.5), (">i4", 2**40), (">i4", np.int64(2**40)), (">u4", -1), (">i4", "x"),
                (">i4", [1]), (">i4", np.arange(2)), (">f4", 1j), (">f4", 1e300), (">f4", object()),
                ("M8[s]", 2.5), ("S2", b"abc"), ("U1", "ab"), ("V4", b"abcde"), ("V4", 2),
                ([("a", "i4"), ("b", "f4")], (1.5, 0)), (ml_dtypes.int4, 9)]
        self.refuse_pads(pads)

    def test_pads_of_another_kind(self):
        with warnings.catch_warnings(action="error"):
            self.refuse_pads([
                (">f4", np.complex64(1 + 2j)), (">f4", np.complex64(1)), (">i4", np.complex64(1)),
                ("m8[s]", np.complex64(1)), ("m8[s]", np.datetime64("2020-01-01")),
                ("M8[s]", np.timedelta64(5, "s")), ("M8[s]", datetime.timedelta(5)),
                ("m8[s]", datetime.date(2020, 1, 1)), ("m8[s]", np.float64(2)),
                (">f8", np.timedelta64(5, "s")), (">i8", np.datetime64(5, "ns")),
                (">c16", np.datetime64(5, "ns")), ("M8", np.datetime64("2020"))])

    def test_pads_that_numpy_would_wrap(self):
        self.refuse_pads([
            ("M8[ns]", np.datetime64("9999999-01-01")), ("m8[ns]", np.timedelta64(2**40, "h")),
            ("M8[ns]", "9999999-01-01"), ("M8[ns]", datetime.datetime(9999, 1, 1)),
            ("m8[us]", datetime.timedelta.max), ("m8[s]", datetime.timedelta.max),
            ("M8[s]", np.uint64(2**63 + 5)), ("m8[ns]", "9" * 20), ("M8[D]", "9" * 17 + "-01-01"),
            ("M8[as]", "1970-01-01T00:05:00.123456789012345678"),
            ("m8[s]", np.array(1, "m8[Y]")), (">f8", "1e400")])

    def refuse_pads(self, pads):
        for dtype, value in pads:
            dtype = np.dtype(dtype)
            for call in (lambda: relayout.rearrange(np.zeros(2, dtype), "a -> a", pad=[(1, 0)],
                                                    pad_value=value),
                         lambda: relayout.compile("a -> a", shape=(2,), dtype=dtype, pad=[(1, 0)],
                                                  pad_value=value)):
                with self.subTest(dtype=dtype, value=value):
                    with self.assertRaises(relayout.InvalidTypeError) as caught:
                        call()
                    self.assertEqual(
                        str(caught.exception),
                        f"expects pad_value to be an element of {dtype}, but got {value!r:.60}")

    def test_pads_that_are_arrays(self):
        text = r"^expects pad_value to be one value, but got array\(\[0, 1\]\)$"
        with self.assertRaisesRegex(relayout.InvalidTypeError, text):
            relayout.rearrange(np.zeros(2), "a -> a", pad=[(1, 0)], pad_value=np.arange(2))

    def test_named_operations(self):
        x = random((2, 12, 3, 5), np.dtype("f2"))
        back = {"n (a b c) h w -> n c (h a) (w b)": ("NCHW", "DCR"),
                "n (c a b) h w -> n c (h a) (w b)": ("NCHW", "CRD")}
        for pattern, (layout, mode) in back.items():
            got = relayout.depth_to_space(x, 2, layout=layout, mode=mode)
            self.same(got, einops.rearrange(x, pattern, a=2, b=2))
            self.same(relayout.space_to_depth(got, 2, layout=layout, mode=mode), x)
        last = random((2, 3, 5, 24), np.dtype("f2"))
        got = relayout.depth_to_space(last, (2, 4), layout="NHWC", mode="DCR")
        self.same(got, einops.rearrange(last, "n h w (a b c) -> n (h a) (w b) c", a=2, b=4))
        got = relayout.pixel_shuffle(x, 2)
        self.same(got, einops.rearrange(x, "n (c a b) h w -> n c (h a) (w b)", a=2, b=2))
        self.same(relayout.pixel_unshuffle(got, 2), x)
        self.same(relayout.channel_shuffle(x, 3),
                  einops.rearrange(x, "n (g c) h w -> n (c g) h w", g=3))
        self.same(relayout.channel_shuffle(last, 4, 3),
                  einops.rearrange(last, "n h w (g c) -> n h w (c g)", g=4))
        self.same(relayout.transpose(x), x.T.copy())
        self.same(relayout.transpose(x, (2, 0, 3, 1)), x.transpose(2, 0, 3, 1).copy())

    def test_dtypes_as_users_name_them(self):
        for dtype in ("f32", "float32", np.float32, np.dtype("f4"), "b32"):
            k = relayout.compile("a b -> b a", shape=(2, 3), dtype=dtype)
            self.same(k(np.arange(6, dtype="f4").reshape(2, 3)),
                      np.arange(6, dtype="f4").reshape(2, 3).T.copy())
        with self.assertRaises(TypeError):
            relayout.compile("a b -> b a", shape=(2, 3), dtype=object())

    def test_types_by_name_are_those_of_numpy(self):
        names = [bool, int, float, complex, "double", "half", "float32", *"?bBhHiIlLqQefdFD"]
        names += ["b1", "i1", "i2", "i4", "u1", "u2", "u4", "f2", "f4", "f8", "c8", "c16"]
        names += [order + name for name in ("b1", "i8", "u8", "f4", "c16") for order in "=<|"]
        for name in names:
            dtype = np.dtype(name)
            k = relayout.compile("a b -> b a", shape=(2, 3), dtype=name)
            with self.subTest(name=name):
                self.assertEqual(k.spec.dtype, relayout._dtypes.from_numpy(dtype))
                x = random((2, 3), dtype)
                self.same(k(x), x.T.copy())

    def test_scalar_types_are_those_of_numpy(self):
        kinds = [kind for kind in set(np.sctypeDict.values()) if np.dtype(kind).itemsize in
                 (1, 2, 4, 8, 16) and kind is not np.object_]
        self.assertIn(np.longdouble, kinds)
        for kind in [*kinds, ml_dtypes.bfloat16, ml_dtypes.float8_e3m4, ml_dtypes.int4]:
            k = relayout.compile("a b -> b a", shape=(2, 3), dtype=kind)
            with self.subTest(kind=kind):
                self.assertEqual(k.spec.dtype, relayout._dtypes.from_numpy(np.dtype(kind)))
        k = relayout.compile("a -> a", shape=(2,), dtype=np.longdouble, pad=[(1, 0)], pad_value=0.5)
        self.assertEqual(k(np.array([2, 3], "g")).tolist(), [0.5, 2, 3])

    def test_scalar_types_that_name_no_element(self):
        for kind in (np.generic, np.floating, np.integer):
            with self.assertRaises(relayout.InvalidTypeError) as caught:
                relayout.compile("a -> a", shape=(2,), dtype=kind)
            self.assertRegex(str(caught.exception), "^expects an element type among .*, but got "
                             f"{kind!r}$")
        with self.assertRaisesRegex(relayout.InvalidTypeError, "but those of object are objects$"):
            relayout.compile("a -> a", shape=(2,), dtype=np.object_)

    def test_arrays_of_one_number(self):
        x = random((2, 12, 3, 5), np.dtype("f2"))
        up = relayout.depth_to_space(x, 2, layout="NCHW", mode="CRD")
        for two in (np.array(2), np.int8(2), np.array([2]), np.array([2, 2])):
            self.same(relayout.depth_to_space(x, two, layout="NCHW", mode="CRD"), up)
        self.same(relayout.pixel_shuffle(x, np.array(2)), up)

    def test_tensor_goes_to_numpy(self):
        class Producer:
            def __init__(self, x):
                self.x = x

            def __dlpack__(self, **arguments):
                return self.x.__dlpack__(**arguments)

            def __dlpack_device__(self):
                return self.x.__dlpack_device__()

        x = random((2, 3, 5), np.dtype("f8"))
        result = relayout.transpose(Producer(x), (2, 1, 0))
        self.same(np.from_dlpack(result), x.T.copy())


if __name__ == "__main__":
    unittest.main()
