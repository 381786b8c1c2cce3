# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DLPack against producers that this file writes, also faulty ones (B06 to B11)."""

import copy
import ctypes
import gc
import pickle
import unittest

import relayout


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Old(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", DLTensor)]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
name_of = ctypes.pythonapi.PyCapsule_GetName
name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype = ctypes.c_void_p
pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]
NAMES = {Old: b"dltensor", Versioned: b"dltensor_versioned"}
UNSET = object()


class Producer:
    """int32 elements 0, 1, 2 ... in `count` places, seen as `shape`."""

    def __init__(self, shape=(2, 3), strides=UNSET, form=Versioned, device=1, type=(0, 32, 1),
                 major=1, minor=3, flags=0, offset=0, count=64, stated_device=None):
        self.memory = (ctypes.c_int32 * count)(*range(count))
        self.shape = (ctypes.c_int64 * len(shape))(*shape)
        if strides is UNSET:
            strides = [6 // shape[0], 1] if len(shape) == 2 else None
        self.strides = strides and (ctypes.c_int64 * len(strides))(*strides)
        self.form, self.deleted, self.calls = form, [], []
        self.deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.deleted.append)
        self.managed = form()
        if form is Versioned:
            self.managed.major, self.managed.minor, self.managed.flags = major, minor, flags
        self.managed.deleter = ctypes.cast(self.deleter, ctypes.c_void_p).value
        tensor = self.managed.tensor
        tensor.data, tensor.byte_offset = ctypes.addressof(self.memory), offset
        tensor.device_type, tensor.ndim = device, len(shape)
        tensor.code, tensor.bits, tensor.lanes = type
        tensor.shape = self.shape
        if self.strides:
            tensor.strides = self.strides
        self.stated_device = device if stated_device is None else stated_device
        self.capsule = new_capsule(ctypes.addressof(self.managed), NAMES[form], None)

    def __dlpack_device__(self):
        return self.stated_device, 0

    def __dlpack__(self, **arguments):
        self.calls.append(arguments)
        if self.form is Old and arguments:
            raise TypeError("unexpected keyword argument 'max_version'")
        return self.capsule


def elements(result):
    """Shape and elements of a result of unknown kind, through its own capsule."""
    capsule = result.__dlpack__()
    tensor = Old.from_address(pointer_of(capsule, b"dltensor")).tensor
    shape = tuple(tensor.shape[:tensor.ndim])
    count = 1
    for extent in shape:
        count *= extent
    strides, dense = tuple(tensor.strides[:tensor.ndim]), 1
    for extent, stride in zip(reversed(shape), reversed(strides)):
        assert stride == dense or not count, strides
        dense *= extent
    memory = (ctypes.c_int32 * count).from_address(tensor.data + tensor.byte_offset)
    return shape, list(memory)


class Taking(unittest.TestCase):
    def check(self, producer, shape, expected):
        before = bytes(producer.memory)
        result = relayout.transpose(producer, tuple(range(len(producer.shape)))[::-1])
        self.assertIsInstance(result, relayout.Tensor)
        self.assertEqual(elements(result), (shape, expected))
        self.assertEqual(producer.deleted, [ctypes.addressof(producer.managed)])
        self.assertEqual(name_of(producer.capsule), b"used_" + NAMES[producer.form])
        self.assertEqual(bytes(producer.memory), before)

    def test_both_forms(self):
        for form in (Old, Versioned):
            self.check(Producer(form=form), (3, 2), [0, 3, 1, 4, 2, 5])

    def test_asks_for_the_newest_version_without_a_stream(self):
        producer = Producer()
        relayout.transpose(producer, (1, 0))
        self.assertEqual(producer.calls, [{"max_version": (1, 3)}])

    def test_old_producer_is_asked_again(self):
        producer = Producer(form=Old)
        relayout.transpose(producer, (1, 0))
        self.assertEqual(producer.calls, [{"max_version": (1, 3)}, {}])

    def test_newer_minor_version(self):
        self.check(Producer(minor=99), (3, 2), [0, 3, 1, 4, 2, 5])

    def test_byte_offset(self):
        self.check(Producer(offset=20), (3, 2), [5, 8, 6, 9, 7, 10])

    def test_pinned_memory_of_a_device(self):
        self.check(Producer(device=3), (3, 2), [0, 3, 1, 4, 2, 5])

    def test_read_only_operand(self):
        self.check(Producer(flags=1), (3, 2), [0, 3, 1, 4, 2, 5])

    def test_no_elements_and_no_data(self):
        producer = Producer(shape=(0, 3), strides=[3, 1])
        producer.managed.tensor.data = None
        self.check(producer, (3, 0), [])

    def test_many(self):
        for _ in range(2000):
            producer = Producer()
            relayout.transpose(producer, (1, 0))
            self.assertEqual(len(producer.deleted), 1)


class Faults(unittest.TestCase):
    def refuse(self, producer, kind, text, **arguments):
        with self.assertRaisesRegex(kind, text) as caught:
            relayout.transpose(producer, (1, 0), **arguments)
        self.assertIsInstance(caught.exception, relayout.Error)

    def test_b06_other_major_version(self):
        for major in (0, 2):
            producer = Producer(major=major)
            # Beyond the header, such a tensor may have any form at all.
            ctypes.memset(ctypes.addressof(producer.managed) + Versioned.flags.offset, 0xA5,
                          ctypes.sizeof(Versioned) - Versioned.flags.offset)
            self.refuse(producer, NotImplementedError, f"major version 1, but got {major}")
            self.assertEqual(producer.deleted, [ctypes.addressof(producer.managed)])
            self.assertEqual(name_of(producer.capsule), b"used_dltensor_versioned")

    def test_b07_capsule_taken_twice(self):
        for form in (Old, Versioned):
            producer = Producer(form=form)
            relayout.transpose(producer, (1, 0))
            self.refuse(producer, BufferError, "nobody has taken")
            self.assertEqual(len(producer.deleted), 1)

    def test_b07_no_capsule(self):
        producer = Producer()
        for capsule in (None, 7, new_capsule(1, b"other", None)):
            producer.capsule = capsule
            self.refuse(producer, BufferError, "capsule")

    def test_b08_no_strides(self):
        for form in (Old, Versioned):
            producer = Producer(strides=None, form=form)
            result = relayout.transpose(producer, (1, 0))
            self.assertEqual(elements(result), ((3, 2), [0, 3, 1, 4, 2, 5]))

    def test_b08_strides(self):
        cases = [([10, 1], [0, 10, 1, 11, 2, 12]), ([1, 2], [0, 1, 2, 3, 4, 5]),
                 ([7, 2], [0, 7, 2, 9, 4, 11]), ([0, 1], [0, 0, 1, 1, 2, 2]),
                 ([1, 0], [0, 1, 0, 1, 0, 1]), ([1, 1], [0, 1, 1, 2, 2, 3])]
        for strides, expected in cases:
            result = relayout.transpose(Producer(strides=strides), (1, 0))
            self.assertEqual(elements(result), ((3, 2), expected))

    def test_b08_negative_strides(self):
        for strides in ([-3, 1], [3, -1]):
            producer = Producer(strides=strides, offset=128)
            self.refuse(producer, ValueError, "expects strides of 0 or more")
            self.assertEqual(len(producer.deleted), 1)

    def test_b09_types(self):
        for type in ((0, 32, 4), (0, 4, 1), (2, 8, 1), (17, 4, 1), (99, 32, 1), (3, 64, 1),
                     (0, 32, 0), (2, 128, 1)):
            producer = Producer(type=type)
            self.refuse(producer, TypeError, f"code {type[0]}, {type[1]} bits, {type[2]} lanes")
            self.assertEqual(len(producer.deleted), 1)

    def test_b10_read_only_out(self):
        out = Producer(shape=(3, 2), strides=[2, 1], flags=1)
        before = bytes(out.memory)
        self.refuse(Producer(), BufferError, "read-only", out=out)
        self.assertEqual(bytes(out.memory), before)
        self.assertEqual(len(out.deleted), 1)

    def test_writable_out(self):
        out = Producer(shape=(3, 2), strides=[2, 1])
        self.assertIs(relayout.transpose(Producer(offset=40), (1, 0), out=out), out)
        self.assertEqual(list(out.memory[:7]), [10, 13, 11, 14, 12, 15, 6])
        self.assertEqual(len(out.deleted), 1)

    def test_b11_device(self):
        stated = Producer(device=2)
        self.refuse(stated, BufferError, "device of DLPack type 2")
        self.assertEqual((stated.calls, stated.deleted), ([], []))
        hidden = Producer(device=2, stated_device=1)
        self.refuse(hidden, BufferError, "device of DLPack type 2")
        self.assertEqual(len(hidden.deleted), 1)

    def test_rank(self):
        producer = Producer()
        for rank in (-1, 2**31 - 1):
            producer = Producer()
            producer.managed.tensor.ndim = rank
            self.refuse(producer, ValueError, f"expects a rank from 0 to 32, but got {rank}")
            self.assertEqual(len(producer.deleted), 1)

    def test_no_extents(self):
        producer = Producer()
        producer.managed.tensor.shape = None
        self.refuse(producer, BufferError, "expects the extents of 2 dimensions, but the tensor has")
        self.assertEqual(len(producer.deleted), 1)

    def test_misaligned(self):
        producer = Producer(offset=2)
        address = ctypes.addressof(producer.memory) + 2
        self.refuse(producer, ValueError,
                    f"^expects an address that is a multiple of 4, but it is {address:#x}$")
        self.assertEqual(len(producer.deleted), 1)


class Handing(unittest.TestCase):
    def test_versioned_capsule(self):
        result = relayout.transpose(Producer(), (1, 0))
        capsule = result.__dlpack__(max_version=(1, 0))
        managed = Versioned.from_address(pointer_of(capsule, b"dltensor_versioned"))
        self.assertEqual((managed.major, managed.flags), (1, 0))
        tensor = managed.tensor
        self.assertEqual(tensor.data % 256, 0)
        self.assertEqual((tensor.code, tensor.bits, tensor.lanes), (0, 32, 1))
        self.assertEqual(tensor.strides[:2], [2, 1])
        self.assertEqual(tensor.device_type, 1)

    def test_once(self):
        result = relayout.transpose(Producer(), (1, 0))
        self.assertEqual(result.__dlpack_device__(), (1, 0))
        capsule = result.__dlpack__()
        with self.assertRaisesRegex(BufferError, "not handed over yet"):
            result.__dlpack__()
        del capsule

    def test_refuses_copies(self):
        result = relayout.transpose(Producer(), (1, 0))
        for way in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "handed over by __dlpack__, but it is copied"):
                way(result)
        self.assertEqual(elements(result), ((3, 2), [0, 3, 1, 4, 2, 5]))

    def test_refuses_streams_and_devices(self):
        result = relayout.transpose(Producer(), (1, 0))
        for arguments in ({"stream": 1}, {"copy": True}, {"dl_device": (2, 0)}):
            with self.assertRaises(BufferError):
                result.__dlpack__(**arguments)

    def test_taken_by_relayout(self):
        once = relayout.transpose(Producer(), (1, 0))
        self.assertEqual(elements(relayout.transpose(once, (1, 0))), ((2, 3), list(range(6))))

    def test_memory_returns(self):
        """Results that nobody takes, capsules that nobody takes, and taken ones."""
        big = bytes(4 << 20)

        def resident():
            gc.collect()
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * 4096

        def once():
            for take in (False, True):
                result = relayout.Tensor((1 << 20,), "i32")
                ctypes.memset(result.pointer, 1, len(big))
                capsule = result.__dlpack__() if take else None
                del result, capsule

        once()
        before = resident()
        for _ in range(50):
            once()
        # 200 MiB if either kind stayed; an allocator may keep a few.
        self.assertLess(resident() - before, 64 << 20)


if __name__ == "__main__":
    unittest.main()
