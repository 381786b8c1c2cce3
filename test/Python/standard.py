# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package with nothing but the standard library: buffers, kernels, threads."""

import array
import copy
import ctypes
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import unittest

import relayout


def planes(pixels, height, width, channels):
    """'h w c -> c h w' by its definition, on a flat sequence."""
    return [pixels[(y * width + x) * channels + c]
            for c in range(channels) for y in range(height) for x in range(width)]


PATTERN, SIZES = "(h w c) -> (c h w)", {"h": 3, "w": 5, "c": 2}
COUNT = 30


class Kinds(unittest.TestCase):
    def test_array_of_every_type(self):
        for code in "bBhHiIlLqQfd":
            x = array.array(code, range(COUNT))
            y = relayout.rearrange(x, PATTERN, **SIZES)
            self.assertIs(type(y), array.array)
            self.assertEqual(y.typecode, code)
            self.assertEqual(list(y), planes(x, 3, 5, 2))

    def test_bytes(self):
        x = bytes(range(COUNT))
        for kind in (bytes, bytearray):
            y = relayout.rearrange(kind(x), PATTERN, **SIZES)
            self.assertIs(type(y), kind)
            self.assertEqual(list(y), planes(x, 3, 5, 2))

    def test_one_byte_and_no_byte(self):
        x = b"q"
        self.assertEqual(relayout.rearrange(x, "(a b) -> (b a)", a=1), b"q")
        self.assertEqual(relayout.rearrange(b"", "(a b) -> (b a)", a=1), b"")
        self.assertEqual(x, b"q")

    def test_memoryview(self):
        x = memoryview(array.array("h", range(COUNT))).cast("B").cast("h", (3, 5, 2))
        y = relayout.transpose(x, (2, 0, 1))
        self.assertIsInstance(y, memoryview)
        self.assertEqual((y.shape, y.format), ((2, 3, 5), "h"))
        self.assertEqual(list(y.cast("B").cast("h")), planes(range(COUNT), 3, 5, 2))

    def test_transpose_reverses_the_dimensions(self):
        x = ((ctypes.c_int32 * 3) * 2)((1, 2, 3), (4, 5, 6))  # has no attribute `shape`
        self.assertEqual(relayout.transpose(x).tolist(), [[1, 4], [2, 5], [3, 6]])
        for flat in (b"abc", bytearray(b"abc"), array.array("i", (1, 2, 3))):
            self.assertEqual(relayout.transpose(flat), flat)

    def test_ctypes_array(self):
        x = ((ctypes.c_int32 * 3) * 2)((1, 2, 3), (4, 5, 6))
        y = relayout.transpose(x, (1, 0))
        self.assertEqual(y.tolist(), [[1, 4], [2, 5], [3, 6]])

    def test_strided_memoryviews(self):
        x = memoryview(array.array("i", range(24)))
        for view in (x[::2], x[5::3], x[::-1], x[20:3:-4]):
            count = len(view) // 2 * 2
            view = view[:count]
            y = relayout.rearrange(view, "(a b) -> (b a)", a=2)
            expected = [view[a * (count // 2) + b] for b in range(count // 2) for a in range(2)]
            self.assertEqual(y.tolist(), expected)

    def test_read_only_input_is_left_alone(self):
        x = memoryview(bytes(range(COUNT)))
        self.assertTrue(x.readonly)
        self.assertEqual(list(relayout.rearrange(x, PATTERN, **SIZES)), planes(x, 3, 5, 2))
        self.assertEqual(bytes(x), bytes(range(COUNT)))

    def test_misaligned_buffer_is_copied(self):
        x = memoryview(bytearray(4 * 6 + 1))[1:].cast("i", (2, 3))
        for i in range(6):
            x[i // 3, i % 3] = i
        self.assertEqual(relayout.transpose(x, (1, 0)).tolist(), [[0, 3], [1, 4], [2, 5]])

    def test_buffer_is_released(self):
        x = bytearray(range(6))
        relayout.rearrange(x, "(a b) -> (b a)", a=2)
        with self.assertRaises(relayout.Error):
            relayout.rearrange(x, "(a b) -> (b a)", a=4)
        x.append(1)  # a BufferError if a view of it were still out

    def test_objects_are_refused(self):
        for x in ([1, 2], 3, "text", None, object()):
            with self.assertRaisesRegex(TypeError, "expects an array"):
                relayout.transpose(x, (0,))


class Out(unittest.TestCase):
    def test_out_is_filled_and_returned(self):
        x, out = array.array("d", range(COUNT)), array.array("d", bytes(8 * COUNT))
        self.assertIs(relayout.rearrange(x, PATTERN, out=out, **SIZES), out)
        self.assertEqual(list(out), planes(x, 3, 5, 2))

    def test_strided_out_keeps_what_lies_between(self):
        x, memory = array.array("i", range(6)), array.array("i", [-1] * 12)
        relayout.rearrange(x, "(a b) -> (b a)", a=2, out=memoryview(memory)[::2])
        self.assertEqual(list(memory), [0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1])

    def test_refused_outs(self):
        x = array.array("i", range(6))
        memory = bytearray(48)
        refusals = [
            (memoryview(bytes(24)).cast("i"), BufferError, "writable"),
            (array.array("i", bytes(20)), ValueError, "shape"),
            (array.array("f", bytes(24)), TypeError, "type"),
            (memoryview(memory)[1:25].cast("i"), ValueError,
             "^expects an address that is a multiple of 4, but it is 0x[0-9a-f]+$"),
            (x, BufferError, "overlap"),
            (memoryview(array.array("i", bytes(24)))[::-1], ValueError,
             r"^expects strides of 0 or more whole elements, but those of the buffer are \(-4,\) "),
        ]
        for out, kind, text in refusals:
            with self.assertRaisesRegex(kind, text):
                relayout.rearrange(x, "(a b) -> (b a)", a=2, out=out)
        self.assertEqual(list(x), list(range(6)))
        self.assertEqual(memory, bytearray(48))


class Kernels(unittest.TestCase):
    def test_compile(self):
        k = relayout.compile("n c h w -> n h w c", shape=(2, 3, 5, 7), dtype="f32")
        self.assertEqual((k.spec.shape, k.result_shape), ((2, 3, 5, 7), (2, 5, 7, 3)))
        self.assertEqual(k.spec.dtype, "f32")
        self.assertIn("n c h w -> n h w c", k.spec.json)
        self.assertTrue(k.explain())
        k.verify()
        x = array.array("f", range(210))
        y = k(x)
        expected = [((n * 3 + c) * 5 + h) * 7 + w for n in range(2) for h in range(5)
                    for w in range(7) for c in range(3)]
        self.assertEqual(list(y), expected)
        out = array.array("f", bytes(840))
        self.assertIs(k(x, out), out)
        self.assertEqual(out, y)

    def test_sizes_that_collide_with_keywords(self):
        k = relayout.compile("(shape out) dtype -> out dtype shape", shape=(6, 5), dtype="u8",
                             sizes={"shape": 2})
        self.assertEqual(k.result_shape, (3, 5, 2))
        x = memoryview(bytes(range(30))).cast("B", (6, 5))
        self.assertEqual(relayout.rearrange(x, "(out pad) b -> pad b out", sizes={"out": 2}).shape,
                         (3, 5, 2))
        with self.assertRaisesRegex(ValueError, "one size of 'a', but got two"):
            relayout.rearrange(x, "(a b) c -> b c a", sizes={"a": 2}, a=2)

    def test_types_by_name(self):
        named = {bool: "bool", int: "i64", float: "f64", complex: "c128", "double": "f64",
                 "half": "f16", "f4": "f32", "<f4": "f32", "=f8": "f64", "|u1": "u8", "<i8": "i64",
                 "i8": "i8", "u8": "u8", "f16": "f16", "i4": "i32", "u2": "u16", "c8": "c64",
                 "c16": "c128", "?": "bool", "b1": "bool", "e": "f16", "f": "f32", "d": "f64",
                 "F": "c64", "D": "c128", "b": "i8", "Q": "u64", "bfloat16": "bf16"}
        for dtype, word in named.items():
            k = relayout.compile("a b -> b a", shape=(2, 3), dtype=dtype)
            self.assertEqual((dtype, k.spec.dtype), (dtype, word))

    def test_refused_names_of_types(self):
        for name, narrow, wide in (("float", "float32", "float64"), ("int", "int32", "int64"),
                                   ("uint", "uint32", "uint64"),
                                   ("complex", "complex64", "complex128")):
            with self.assertRaises(relayout.InvalidTypeError) as caught:
                relayout.compile("a b -> b a", shape=(2, 3), dtype=name)
            self.assertEqual(str(caught.exception),
                             f"expects an element type of one width, but '{name}' is {wide} in "
                             f"NumPy and {narrow} in others; '{narrow}' and '{wide}' are possible")
        for name in (">i4", "<float32", "<i3", "", "<", "O", "S3", str, list, None, []):
            with self.assertRaisesRegex(relayout.InvalidTypeError, "expects an element type among"):
                relayout.compile("a b -> b a", shape=(2, 3), dtype=name)

    def test_windows(self):
        x = array.array("i", range(1, 7))
        k = relayout.compile("h w -> w h", shape=(2, 3), dtype="i32", pad=[(1, 0), (0, 2)],
                             crop=[(1, 1), (0, 0)], pad_value=-9)
        self.assertEqual(k.result_shape, (3, 3))
        # Widened to [[-9] * 5, [1, 2, 3, -9, -9], [4, 5, 6, -9, -9]], columns 1 to 3.
        self.assertEqual(list(k(x)), [-9, 2, 5, -9, 3, 6, -9, -9, -9])
        for wrong in ([(1, 0)], [(1, 0, 0), (0, 2)], [(0, 0)] * 3):
            with self.assertRaises(ValueError):
                relayout.compile("h w -> w h", shape=(2, 3), dtype="i32", pad=wrong)
            with self.assertRaises(ValueError):
                relayout.compile("h w -> w h", shape=(2, 3), dtype="i32", crop=wrong)

    def test_pads_of_bits(self):
        # Who asks for bits gives bits.
        k = relayout.compile("a -> a", shape=(2,), dtype="b32", pad=[(1, 0)], pad_value=0x40000000)
        self.assertEqual(list(k(array.array("f", [3, 5]))), [2, 3, 5])
        # Numbers of the other byte order, of which there are none without NumPy.
        x = (ctypes.c_uint32.__ctype_be__ * 2)(3, 5)
        for pads in ({}, {"pad_value": None}):
            out = bytearray(12)
            relayout.rearrange(x, "a -> a", pad=[(1, 0)], out=memoryview(out).cast("I"), **pads)
            self.assertEqual(out, bytes([0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 5]))
        with self.assertRaises(relayout.InvalidTypeError) as caught:
            relayout.rearrange(x, "a -> a", pad=[(1, 0)], pad_value=2)
        self.assertEqual(str(caught.exception), "expects no pad_value for elements that are moved "
                         "as b32, but got 2; pads of zero bits are possible")

    def test_pinned_strides(self):
        x = memoryview(array.array("i", range(24)))[::2]
        k = relayout.compile("(a b) -> (b a)", shape=(12,), dtype="i32", a=3, strides=((2,), None))
        self.assertEqual((k.spec.strides, k.spec.result_strides), ((2,), (1,)))
        self.assertEqual(k(x).tolist(), [x[a * 4 + b] for b in range(4) for a in range(3)])
        with self.assertRaisesRegex(ValueError, r"expects x of strides \[2\], but got \[1\]"):
            k(array.array("i", range(12)))
        with self.assertRaises(ValueError):
            relayout.compile("a b -> b a", shape=(2, 3), dtype="i32", strides=(None, (1, 1)))
        with self.assertRaises(ValueError):
            relayout.compile("a b -> b a", shape=(2, 3), dtype="i32", strides=((3,), None))

    def test_kernel_takes_other_strides(self):
        k = relayout.compile("(a b) -> (b a)", shape=(12,), dtype="i32", a=3)
        x = memoryview(array.array("i", range(24)))[::2]
        self.assertEqual(k(x).tolist(), [x[a * 4 + b] for b in range(4) for a in range(3)])

    def test_kernel_refuses_other_operands(self):
        k = relayout.compile("a b -> b a", shape=(2, 3), dtype="i32")
        with self.assertRaisesRegex(ValueError, r"expects x of shape \[2, 3\]"):
            k(array.array("i", range(5)))
        with self.assertRaisesRegex(TypeError, "expects x of type i32, but got f32"):
            k(array.array("f", range(6)))
        opaque = relayout.compile("a b -> b a", shape=(2, 3), dtype="b32")
        self.assertEqual(list(opaque(array.array("f", range(6)))), [0, 3, 1, 4, 2, 5])

    def test_inverse(self):
        k = relayout.compile("(h b) c -> (b c) h", shape=(6, 5), dtype="f64", b=2)
        x = array.array("d", range(30))
        back = relayout.Kernel(k.spec.inverse())
        self.assertEqual(back(k(x)), x)
        cropped = relayout.compile("a b -> b a", shape=(4, 5), dtype="u8", crop=[(1, 0), (0, 0)])
        with self.assertRaises(relayout.Error):
            cropped.spec.inverse()

    def test_one_window_for_each_dimension(self):
        pattern, shape = "a b c d e f -> f e d c b a", (2, 3, 4, 5, 6, 7)
        for word in ("pad", "crop"):
            for windows in ([], (), [(0, 0)] * 5, [(0, 0)] * 7):
                with self.assertRaisesRegex(ValueError, "one window for each of 6 dimensions, but "
                                            f"got {len(windows)}$"):
                    relayout.compile(pattern, shape=shape, dtype="u8", **{word: windows})

    def test_one_window_for_each_block(self):
        x = memoryview(bytes(16)).cast("B", (4, 2, 2))
        for function, code in ((relayout.space_to_batch, "PAD"), (relayout.batch_to_space, "CROP")):
            with self.assertRaises(relayout.InvalidError) as caught:
                function(x, (2, 2), [(0, 0)])
            self.assertEqual(str(caught.exception),
                             "expects one window for each of 2 dimensions, but got 1")
            self.assertEqual(caught.exception.code.name, code)

    def test_kernel_of_a_spec_with_strides(self):
        k = relayout.compile("a b -> b a", shape=(2, 3), dtype="i32", strides=((5, 1), None))
        rows = memoryview(array.array("i", range(6))).cast("B").cast("i", (2, 3))
        expected = [[0, 3], [1, 4], [2, 5]]
        for spec in (k.spec, relayout.Spec.from_json(k.spec.json)):
            self.assertEqual(spec.strides, (5, 1))
            own = relayout.Kernel(spec)
            for taken in (own, pickle.loads(pickle.dumps(own))):
                self.assertEqual(memoryview(taken(rows)).tolist(), expected)
        # Its result lies apart: rows of 5 elements, of which a new one has 3.
        back = relayout.Kernel(k.spec.inverse())
        self.assertEqual(back.spec.result_strides, (5, 1))
        columns = memoryview(array.array("i", range(6))).cast("B").cast("i", (3, 2))
        self.assertEqual(memoryview(back(columns)).tolist(), [[0, 2, 4], [1, 3, 5]])

    def test_json_round_trip(self):
        spec = relayout.compile("a b -> b a", shape=(2, 3), dtype="u8").spec
        self.assertEqual(relayout.Spec.from_json(spec.json), spec)
        with self.assertRaises(relayout.Error):
            relayout.Spec.from_json("{")

    def test_copies_and_pickles(self):
        ways = (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x)))
        x = memoryview(array.array("i", range(24)))[::2]
        pinned = relayout.compile("(a b) -> (b a)", shape=(12,), dtype="i32", a=3, threads=2,
                                  strides=((2,), None))
        free = relayout.compile("(a b) -> (b a)", shape=(12,), dtype="i32", a=3)
        expected = [x[a * 4 + b] for b in range(4) for a in range(3)]
        for way in ways:
            for k in (pinned, free):
                self.assertEqual(way(k.spec), k.spec)
                back = way(k)  # and is gone at the next turn: k keeps what is its own
                self.assertEqual((back.spec, back.threads), (k.spec, k.threads))
                self.assertEqual((back(x).tolist(), k(x).tolist()), (expected, expected))
            with self.assertRaisesRegex(ValueError, r"expects x of strides \[2\], but got \[1\]"):
                way(pinned)(array.array("i", range(12)))

    def test_statistics(self):
        ways = ("memory_hits", "disk_hits", "compiles")
        counts = [relayout.cache_statistics()]
        for _ in range(2):
            relayout.compile("a b -> b a", shape=(11, 13), dtype="u16")
            counts.append(relayout.cache_statistics())
        totals = [sum(count[way] for way in ways) for count in counts]
        self.assertEqual([total - totals[0] for total in totals], [0, 1, 2])
        self.assertEqual(min(counts[-1].values()), 0)

    def test_bench(self):
        k = relayout.compile("a b -> b a", shape=(64, 48), dtype="f32")
        for warm in (False, True):
            found = k.bench(warm=warm)
            self.assertGreater(min(found.gbps, found.bound_gbps, found.memcpy_gbps), 0)
            self.assertAlmostEqual(found.ratio, found.gbps / found.bound_gbps, delta=0.5)


class Threads(unittest.TestCase):
    def test_same_result_on_any_number(self):
        x = bytes(i * 7 % 251 for i in range(96 * 80 * 30))
        expected = relayout.rearrange(x, "(a b c) -> (c b a)", a=96, b=80)
        for threads in (2, 3, 5):
            self.assertEqual(relayout.rearrange(x, "(a b c) -> (c b a)", a=96, b=80,
                                                threads=threads), expected)
        with self.assertRaisesRegex(ValueError, "^expects threads from 1 to 1024, but got 0$"):
            relayout.rearrange(x, "(a b) -> (b a)", a=96, threads=0)

    def test_most_threads_are_the_library_s(self):
        k = relayout.compile("a b -> b a", shape=(2, 3), dtype="u8", threads=1024)
        self.assertEqual(list(k(bytes(range(6)))), [0, 3, 1, 4, 2, 5])
        for threads in (-1, 0, 1025, 10**9):
            text = f"^expects threads from 1 to 1024, but got {threads}$"
            for call in (lambda: relayout.transpose(b"ab", threads=threads),
                         lambda: relayout.Kernel(k.spec, threads)):
                with self.assertRaisesRegex(relayout.InvalidError, text):
                    call()
        c = relayout._library
        options = c.PlanOptions(struct_size=ctypes.sizeof(c.PlanOptions), threads=1025)
        with self.assertRaisesRegex(relayout.InvalidError, "threads from 0 to 1024, but got 1025"):
            c.create(c.plan_create, relayout._kernel._compiler(), k.spec._handle,
                     ctypes.byref(options))

    def test_one_kernel_by_many_threads(self):
        k = relayout.compile("a b -> b a", shape=(30, 70), dtype="u8")
        xs = [bytes((i + j) % 256 for j in range(2100)) for i in range(8)]
        expected = [bytes(x[a * 70 + b] for b in range(70) for a in range(30)) for x in xs]
        wrong = []

        def work(index):
            for _ in range(200):
                if k(xs[index]) != expected[index]:
                    wrong.append(index)

        workers = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(wrong, [])

    def test_forked_child(self):
        x = bytes(i * 5 % 251 for i in range(64 * 90 * 40))

        def move(threads, height=64):
            return relayout.rearrange(x, "(a b c) -> (c b a)", a=height, b=90, threads=threads)

        expected = move(1)
        self.assertEqual(move(2), expected)
        child = os.fork()
        if child == 0:  # a kernel and a pool of the parent, and a new kernel
            os._exit(0 if move(2) == expected and move(2, 32) == move(1, 32) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(move(2), expected)

    def test_child_forked_while_its_kernel_is_compiled(self):
        for extent in range(40, 48):
            x = bytes(i * 5 % 251 for i in range(4 * extent * 5 * 3 * 7))
            expected = bytes(x[(((a * extent + b) * 5 + c) * 3 + d) * 7 + e] for e in range(7)
                             for c in range(5) for b in range(extent) for d in range(3)
                             for a in range(4))

            def move():
                return relayout.rearrange(x, "(a b c d e) -> (e c b d a)", a=4, b=extent, c=5, d=3)

            worker = threading.Thread(target=move)
            worker.start()
            time.sleep(0.003)
            child = os.fork()
            if child == 0:
                signal.alarm(60)  # ends one that hangs
                os._exit(0 if move() == expected else 1)
            worker.join()
            self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_child_forked_in_the_first_compile(self):
        for delay in range(2, 10):
            code = f"""
import os, signal, threading, time, relayout
move = lambda: relayout.transpose(memoryview(bytes(range(6))).cast("B", (2, 3)))
worker = threading.Thread(target=move)
worker.start()
time.sleep({delay} / 10000)
child = os.fork()
if child == 0:
    signal.alarm(60)
    os._exit(memoryview(move()).tobytes() != bytes((0, 3, 1, 4, 2, 5)))
worker.join()
assert os.waitpid(child, 0)[1] == 0
"""
            subprocess.run([sys.executable, "-c", code], check=True)

    def test_other_threads_run_meanwhile(self):
        """The GIL is released: this thread counts while another one measures, which
        takes the library about a second in one call."""
        k = relayout.compile("a b -> b a", shape=(64, 48), dtype="f64")
        worker = threading.Thread(target=k.bench)
        worker.start()
        longest, last = 0.0, time.monotonic()
        while worker.is_alive():
            now = time.monotonic()
            longest, last = max(longest, now - last), now
            time.sleep(0.001)
        worker.join()
        self.assertLess(longest, 0.3)


if __name__ == "__main__":
    unittest.main()
