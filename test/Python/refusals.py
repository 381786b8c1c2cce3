# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the package refuses, in which words and as which exceptions."""

import copy
import gc
import pathlib
import pickle
import re
import unittest
import weakref

import relayout
from relayout import _errors


class Errors(unittest.TestCase):
    def test_codes_and_classes(self):
        x = bytes(6)
        refusals = [
            (lambda: relayout.rearrange(x, "(a b) -> (b a)", a=4), ValueError, "DIVISIBLE"),
            (lambda: relayout.rearrange(x, "a b -> a"), ValueError, "PATTERN"),
            (lambda: relayout.rearrange(x, "a -> b"), ValueError, "PATTERN"),
            (lambda: relayout.transpose(x, (0, 0)), ValueError, "PERMUTATION"),
            (lambda: relayout.transpose(x, (1,)), ValueError, "PERMUTATION"),
            (lambda: relayout.compile("a -> a", shape=(3,), dtype="f33"), TypeError, "TYPE"),
            (lambda: relayout.compile("a -> a", shape=(2**64,), dtype="f32"), OverflowError,
             "OVERFLOW"),
            (lambda: relayout.compile("a b -> b a", shape=(2**40, 2**40), dtype="f32"),
             OverflowError, "OVERFLOW"),
            (lambda: relayout.rearrange(x, "a\0 -> a"), ValueError, "SYNTAX"),
        ]
        for call, kind, code in refusals:
            with self.assertRaises(relayout.Error) as caught:
                call()
            self.assertIsInstance(caught.exception, kind)
            self.assertEqual(caught.exception.code.name, code)
            self.assertTrue(str(caught.exception))

    def test_round_trips(self):
        classes = {type(relayout._errors.make_error(code, "")) for code in relayout.ErrorCode}
        self.assertEqual(classes, set(relayout.Error.__subclasses__()))
        ways = [copy.copy, copy.deepcopy]
        ways += [lambda error, protocol=protocol: pickle.loads(pickle.dumps(error, protocol))
                 for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
        for code in [*relayout.ErrorCode, 99]:
            error = relayout._errors.make_error(code, "expects 'ü', but got 3")
            error.add_note("of the caller")
            for way in ways:
                back = way(error)
                self.assertIsNot(back, error)
                self.assertIs(type(back), type(error))
                self.assertIs(back.code, error.code)
                self.assertEqual((str(back), back.args, back.__notes__),
                                 (str(error), error.args, ["of the caller"]))

    def refuse(self, call, text):
        with self.assertRaises(relayout.InvalidTypeError) as caught:
            call()
        self.assertEqual((str(caught.exception), caught.exception.code),
                         (text, relayout.ErrorCode.TYPE))

    def test_arguments_of_other_types(self):
        x = memoryview(bytes(24)).cast("B", (2, 3, 4))
        windows = {1: "pad to be a list of pairs, but got 1",
                   (1, 2): "a window of pad to be a list of integers, but got 1",
                   ((0.5, 1),): "each number of a window of pad to be an integer, but got 0.5"}
        for pad, text in windows.items():
            self.refuse(lambda: relayout.rearrange(x, "a b c -> c a b", pad=pad), "expects " + text)
        for wrong in (None, b"a -> a", ["a"], 3):
            text = f"to be a text, but got {wrong!r}"
            calls = {"pattern": lambda: relayout.rearrange(x, wrong),
                     "layout": lambda: relayout.depth_to_space(x, 2, layout=wrong, mode="DCR"),
                     "mode": lambda: relayout.space_to_depth(x, 2, layout="NWC", mode=wrong),
                     "the JSON of a spec": lambda: relayout.Spec.from_json(wrong)}
            for name, call in calls.items():
                self.refuse(call, f"expects {name} {text}")
            self.refuse(lambda: relayout.rearrange(x, wrong, pad=[(0, 0)] * 3),
                        f"expects pattern {text}")
            self.refuse(lambda: relayout.compile(wrong, shape=(2,), dtype="u8"),
                        f"expects pattern {text}")
            self.refuse(lambda: relayout.Kernel(wrong), f"expects a Spec, but got {wrong!r}")

    def test_numbers_of_other_types(self):
        x = memoryview(bytes(24)).cast("B", (2, 3, 4))
        calls = {
            "block_size": lambda v: relayout.depth_to_space(x, v, layout="NWC", mode="DCR"),
            "upscale_factor": lambda v: relayout.pixel_shuffle(x, v),
            "downscale_factor": lambda v: relayout.pixel_unshuffle(x, v),
            "groups": lambda v: relayout.channel_shuffle(x, v),
            "axis": lambda v: relayout.channel_shuffle(x, 3, v),
            "threads": lambda v: relayout.transpose(x, threads=v),
            "h": lambda v: relayout.rearrange(x, "(h a) b c -> c (a h) b", h=v),
            "each number of perm": lambda v: relayout.transpose(x, [v, 1, 0]),
            "each number of shape": lambda v: relayout.compile("a -> a", shape=(v,), dtype="u8"),
            "each number of block_shape": lambda v: relayout.batch_to_space(x, [v])}
        for name, call in calls.items():
            for value in (2.0, None):
                self.refuse(lambda: call(value),
                            f"expects {name} to be an integer, but got {value}")

    def test_addresses_of_other_types(self):
        kernel = relayout.compile("a b -> b a", shape=(2, 3), dtype="u8")
        self.refuse(lambda: kernel.run(bytes(6), bytearray(6)),
                    "expects two addresses, integers such as x.ctypes.data, but got bytes and "
                    "bytearray")
        self.refuse(lambda: kernel.run(4096, 8192.0),
                    "expects two addresses, integers such as x.ctypes.data, but got int and float")

    def test_lists_of_other_types(self):
        x = memoryview(bytes(24)).cast("B", (2, 3, 4))
        named = {"perm": lambda: relayout.transpose(x, 2),
                 "block_shape": lambda: relayout.space_to_batch(x, 2),
                 "shape": lambda: relayout.compile("a -> a", shape=2, dtype="u8"),
                 "a side of strides": lambda: relayout.compile("a -> a", shape=(2,), dtype="u8",
                                                               strides=(None, 2))}
        for name, call in named.items():
            self.refuse(call, f"expects {name} to be a list of integers, but got 2")
        for strides in (2, (None, None, None)):
            self.refuse(lambda: relayout.compile("a -> a", shape=(2,), dtype="u8", strides=strides),
                        f"expects strides to be a pair, of operand and result, but got {strides}")
        self.refuse(lambda: relayout.rearrange(x, "a b c -> c a b", sizes=2),
                    "expects sizes to be a mapping of names to integers, but got 2")
        self.refuse(lambda: relayout.rearrange(x, "a b c -> c a b", sizes={2: 2}),
                    "expects each name of sizes to be a text, but got 2")

    def test_layout_and_mode_have_no_default(self):
        with self.assertRaises(TypeError):
            relayout.depth_to_space(bytes(16), 2)

    def test_no_reference_to_the_operand_is_left(self):
        class Buffer(bytearray):
            pass

        x = Buffer(range(6))
        gone = weakref.ref(x)
        with self.assertRaises(relayout.Error):
            relayout.rearrange(x, "(a b) -> (b a)", a=4)
        self.assertEqual(len(relayout.rearrange(x, "(a b) -> (b a)", a=2)), 6)
        del x
        gc.collect()
        self.assertIsNone(gone())


class Codes(unittest.TestCase):
    def test_page_has_every_code(self):
        """The table of docs/spec.md: the word in JSON, the number in C, the class here."""
        page = pathlib.Path(__file__).parents[2] / "docs" / "spec.md"
        rows = re.findall(r"^\| `(\w+)` \| (\d+) \| `(\w+)` \|", page.read_text(encoding="utf-8"),
                          re.MULTILINE)
        self.assertEqual([int(row[1]) for row in rows], list(relayout.ErrorCode))
        for word, number, name in rows:
            code = relayout.ErrorCode(int(number))
            self.assertEqual("permutation" if word == "perm" else word, code.name.lower())
            self.assertIs(type(_errors.make_error(code, "")), getattr(relayout, name))


if __name__ == "__main__":
    unittest.main()
