# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operators of PyTorch: shapes, gradients, torch.compile, channels_last."""

import pathlib
import sys
import unittest
import warnings

import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.library import opcheck

import relayout
import relayout.torch as ops
from relayout.torch._operations import KINDS

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python" / "examples"))
from espcn import Espcn

SAMPLES = [
    ("rearrange", (2, 12, 3, 5), ("n (a b c) h w -> n c (h a) (w b)", ["a", "b"], [2, 3], [], [],
                                  None)),
    ("rearrange", (2, 3, 5, 7), ("b ... c -> (c b) ...", [], [], [], [], None)),
    ("rearrange", (2, 3, 5, 7), ("b ... e -> (... e) b", [], [], [], [], None)),
    ("rearrange", (3, 2), ("a b ... -> b (a ...)", [], [], [], [], None)),
    ("rearrange", (2, 7, 5), ("a (b c) d -> d 1 c (a b)", ["c"], [3], [0, 0, 1, 1, 0, 2],
                              [1, 2, 0, 0, 0, 1, 1, -2], "0.5")),
    ("depth_to_space", (2, 24, 3, 5), ([2, 3], "NCHW", "DCR")),
    ("depth_to_space", (2, 3, 5, 16), ([2], "NHWC", "CRD")),
    ("depth_to_space", (2, 24, 5), ([3], "NCW", "DCR")),
    ("depth_to_space", (2, 16, 3, 5, 7), ([2], "NCDHW", "CRD")),
    ("depth_to_space", (2, 8, 3, 5, 4), ([2], "NCHW_VECT_C", "DCR")),
    ("space_to_depth", (2, 3, 8, 10), ([2], "channels_first", "DCR")),
    ("space_to_depth", (2, 8, 15, 3), ([4, 5], "channels_last", "DCR")),
    ("space_to_batch", (2, 3, 5, 7), ([2, 3], [1, 0, 0, 1], "-1.5")),
    ("space_to_batch", (2, 4, 6, 7), ([2, 3], [], None)),
    ("space_to_batch", (2, 3, 5, 7), ([1, 2, 3, 1], [0, 0, 1, 0, 0, 1, 0, 0], None)),
    ("batch_to_space", (12, 3, 5, 7), ([2, 3], [1, 0, 0, 2])),
    ("batch_to_space", (12, 3, 5, 7), ([1, 2, 3, 1], [])),
    ("pixel_shuffle", (2, 3, 12, 5, 7), (2,)),
    ("pixel_unshuffle", (2, 3, 6, 9), (3,)),
    ("channel_shuffle", (2, 12, 5), (3, 1)),
    ("channel_shuffle", (2, 3, 5, 8), (2, 3)),
    ("transpose", (2, 3, 5, 7), ([2, 0, 3, 1],)),
]
# Their crops lose elements.
LOSSY = [sample for sample in SAMPLES if sample[2][-2:] in (
    ([1, 2, 0, 0, 0, 1, 1, -2], "0.5"), ([2, 3], [1, 0, 0, 2]))]


def tensor(shape, grad=False, dtype=torch.float64):
    made = torch.arange(1.0, 1 + torch.Size(shape).numel(), dtype=dtype).reshape(shape)
    return made.requires_grad_(grad)


class Operators(unittest.TestCase):
    def test_opcheck(self):
        for name, shape, arguments in SAMPLES:
            operator = getattr(torch.ops.relayout, name).default
            formats = [torch.contiguous_format]
            formats += [torch.channels_last] if len(shape) == 4 else []
            for form in formats:
                with self.subTest(name=name, arguments=arguments, form=form):
                    x = tensor(shape).to(memory_format=form).requires_grad_()
                    opcheck(operator, (x, *arguments, 1))

    def test_every_operator_is_checked(self):
        self.assertEqual({name for name, _, _ in SAMPLES}, set(KINDS))

    def test_shapes_are_the_library_s(self):
        for name, shape, arguments in SAMPLES:
            operation = KINDS[name].operation(*arguments, 1)
            expected = relayout.Spec.of(operation, shape, "f64").result_shape
            self.assertEqual(tuple(KINDS[name].shape(shape, *arguments, 1)), expected)

    def test_gradients(self):
        for name, shape, arguments in SAMPLES:
            with self.subTest(name=name, arguments=arguments):
                small = tensor(shape, grad=True)

                def call(x):
                    return getattr(torch.ops.relayout, name)(x, *arguments, 1)

                # A movement is linear: its Jacobian has one 1 a row, or none for a pad.
                weights = torch.randn(call(small).shape, dtype=torch.float64)
                gradient, = torch.autograd.grad((call(small) * weights).sum(), small)
                moved = call(small.detach())
                pick = (moved > 0) & (call(torch.zeros_like(small)) == 0)
                expected = torch.zeros(small.numel(), dtype=torch.float64)
                expected[moved[pick].long() - 1] = weights[pick]
                self.assertTrue(torch.equal(gradient, expected.reshape(shape)))

    def test_gradients_of_no_elements(self):
        for shape, axis in (((2, 0, 3), 1), ((2, 4, 0), 2), ((0, 4, 3), 1)):
            x = tensor(shape, grad=True)
            ops.channel_shuffle(x, 2, axis=axis).sum().backward()
            self.assertEqual(x.grad.shape, shape)

    def test_second_derivatives(self):
        for name, shape, arguments in [SAMPLES[1], SAMPLES[4], SAMPLES[-3]]:
            x = tensor(shape, grad=True)
            y = getattr(torch.ops.relayout, name)(x, *arguments, 1)
            first, = torch.autograd.grad((y ** 3).sum(), x, create_graph=True)
            second, = torch.autograd.grad(first.sum(), x)
            # 3 y^2 and 6 y where an element is moved, 0 where it is cropped off.
            self.assertTrue(torch.equal(second * x, 2 * first))
            self.assertTrue(second.any())

    def test_adjoint_is_the_library_s_inverse(self):
        for sample in SAMPLES:
            if sample in LOSSY:
                continue
            name, shape, arguments = sample
            spec = relayout.Spec.of(KINDS[name].operation(*arguments, 1), shape, "f64")
            adjoint, rest = KINDS[name].adjoint(shape, *arguments, 1)
            x = tensor(shape)
            y = getattr(torch.ops.relayout, name)(x, *arguments, 1)
            got = getattr(torch.ops.relayout, adjoint)(y, *rest)
            self.assertTrue(torch.equal(got, x))
            if y.numel() == x.numel():  # the library inverts what has no pads
                self.assertTrue(torch.equal(relayout.Kernel(spec.inverse())(y), x))

    def test_errors_are_the_library_s(self):
        with self.assertRaisesRegex(ValueError, "expects"):
            ops.rearrange(tensor((2, 3)), "a (b c) -> a b c", b=2)
        with self.assertRaisesRegex(Exception, "expects"):
            torch.compile(lambda x: ops.pixel_shuffle(x, 2), backend="eager")(tensor((2, 3, 5, 7)))

    def test_arguments_are_checked_as_those_of_the_plain_functions(self):
        pattern, x = "h (a b) -> h a b", tensor((2, 6))
        layout = {"layout": "NCHW", "mode": "DCR"}
        calls = {
            "one size of 'a', but got two": lambda f: f.rearrange(x, pattern, sizes={"a": 3}, a=2),
            "sizes to be a mapping of names to integers, but got 2":
                lambda f: f.rearrange(x, pattern, sizes=2),
            "pattern to be a text, but got 5": lambda f: f.rearrange(x, 5),
            "a to be an integer, but got 3.0": lambda f: f.rearrange(x, pattern, a=3.0),
            f"integers of 64 bits, but got {2**63}": lambda f: f.rearrange(x, pattern, a=2**63),
            "layout to be a text, but got None":
                lambda f: f.depth_to_space(x, 2, **{**layout, "layout": None}),
            "mode to be a text, but got 2":
                lambda f: f.space_to_depth(x, 2, **{**layout, "mode": 2}),
            "block_size to be an integer, but got 2.0":
                lambda f: f.space_to_depth(x, 2.0, **layout),
            "upscale_factor to be an integer, but got 2.0": lambda f: f.pixel_shuffle(x, 2.0),
            "downscale_factor to be an integer, but got 2.0": lambda f: f.pixel_unshuffle(x, 2.0),
            "groups to be an integer, but got 2.0": lambda f: f.channel_shuffle(x, 2.0),
            "axis to be an integer, but got None": lambda f: f.channel_shuffle(x, 2, None),
            "threads to be an integer, but got 1.5": lambda f: f.transpose(x, threads=1.5),
            "threads from 1 to 1024, but got 1025":
                lambda f: f.space_to_batch(x, [1], threads=1025)}
        for text, call in calls.items():
            for functions in (relayout, ops):
                with self.subTest(text=text, functions=functions):
                    with self.assertRaises(relayout.Error) as caught:
                        call(functions)
                    self.assertEqual(str(caught.exception), "expects " + text)

    def test_quantized_tensors_are_refused(self):
        with warnings.catch_warnings(action="ignore"):  # PyTorch's, that they are to go
            x = torch.quantize_per_tensor(torch.ones(2, 4, 6, 6), 0.1, 3, torch.qint8)
        layout = {"layout": "NCHW", "mode": "DCR"}
        for call in (lambda: ops.rearrange(x, "a ... -> ... a"), lambda: ops.transpose(x),
                     lambda: ops.depth_to_space(x, 2, **layout),
                     lambda: ops.space_to_depth(x, 2, **layout),
                     lambda: ops.space_to_batch(x, [1]), lambda: ops.batch_to_space(x, [1]),
                     lambda: ops.pixel_shuffle(x, 2), lambda: ops.pixel_unshuffle(x, 2),
                     lambda: ops.channel_shuffle(x, 2)):
            with self.assertRaises(relayout.InvalidTypeError) as caught:
                call()
            self.assertEqual(str(caught.exception), "expects elements that have no scale, but those "
                             "of torch.qint8 are quantized; x.int_repr() is possible")


class Formats(unittest.TestCase):
    def test_channels_last_stays(self):
        x = tensor((2, 12, 3, 5)).to(memory_format=torch.channels_last)
        for got, expected in [(ops.pixel_shuffle(x, 2), torch.pixel_shuffle(x, 2)),
                              (ops.channel_shuffle(x, 3), torch.channel_shuffle(x, 3)),
                              (ops.depth_to_space(x, 2, layout="NCHW", mode="CRD"),
                               torch.pixel_shuffle(x, 2))]:
            self.assertTrue(got.is_contiguous(memory_format=torch.channels_last))
            self.assertTrue(torch.equal(got, expected))
        back = ops.pixel_unshuffle(torch.pixel_shuffle(x, 2), 2)
        self.assertTrue(torch.equal(back, x))

    def test_patterns_are_row_major(self):
        x = tensor((2, 12, 3, 5)).to(memory_format=torch.channels_last)
        got = ops.rearrange(x, "n c h w -> n h w c")
        self.assertTrue(got.is_contiguous())
        self.assertTrue(torch.equal(got, x.permute(0, 2, 3, 1)))


class Compiled(unittest.TestCase):
    @staticmethod
    def network(x):
        y = ops.pixel_shuffle(x.sin(), 2) * 2
        return ops.rearrange(y, "n c (h a) w -> n (a c) h w", a=3).cos()

    def check(self, **options):
        torch.compiler.reset()
        compiled = torch.compile(self.network, fullgraph=True, **options)
        for batch in (2, 3, 4):
            x = tensor((batch, 12, 6, 5), grad=True, dtype=torch.float32)
            y = tensor((batch, 12, 6, 5), grad=True, dtype=torch.float32)
            got, expected = compiled(x), self.network(y)
            torch.testing.assert_close(got, expected)
            got.sum().backward()
            expected.sum().backward()
            torch.testing.assert_close(x.grad, y.grad)

    def test_eager(self):
        self.check(backend="eager")

    def test_aot_eager(self):
        self.check(backend="aot_eager")
        self.check(backend="aot_eager", dynamic=True)

    def test_inductor(self):
        self.check(backend="inductor")

    def test_sizes_stay_symbols(self):
        graphs = []

        def backend(graph, inputs):
            graphs.append(graph)
            return graph

        def move(x, **sizes):
            return ops.rearrange(x, "h (a b) c -> a (h b) c", a=x.shape[1] // 2, **sizes)

        for sizes in ({}, {"sizes": {"c": 3}}):
            torch.compiler.reset()
            graphs.clear()
            compiled = torch.compile(move, backend=backend, fullgraph=True, dynamic=True)
            for extent in (6, 8, 10):
                x = tensor((4, extent, 3))
                expected = x.reshape(4, extent // 2, 2, 3).transpose(0, 1).reshape(-1, 8, 3)
                self.assertTrue(torch.equal(compiled(x, **sizes), expected))
            self.assertEqual(len(graphs), 1)
        x = tensor((4, 6, 3))
        traced = make_fx(move, tracing_mode="symbolic")(x)
        self.assertEqual(traced(tensor((4, 10, 3))).shape, (5, 8, 3))

    def test_fx(self):
        traced = torch.fx.symbolic_trace(
            lambda x: ops.pixel_shuffle(ops.rearrange(x, "n c h w -> n c w h"), 2))
        x = tensor((2, 12, 6, 5))
        self.assertTrue(torch.equal(traced(x), torch.pixel_shuffle(x.transpose(2, 3), 2)))


class Replaced(unittest.TestCase):
    def targets(self, graph):
        return [node.target for node in graph.graph.nodes if node.op.startswith("call")]

    def test_espcn(self):
        torch.manual_seed(5)
        model = Espcn()
        fast = ops.optimize(model, threads=2)
        used = self.targets(fast)
        self.assertEqual(used[-1], torch.ops.relayout.rearrange)
        self.assertEqual(len(used), 6)  # five layers and one movement
        for form in (torch.contiguous_format, torch.channels_last):
            x = torch.randn(2, 3, 24, 40).to(memory_format=form)
            with torch.no_grad():
                self.assertTrue(torch.equal(fast(x), model(x)))
        gradients = []
        for net in (model, fast):
            model.zero_grad()
            net(x).square().sum().backward()
            gradients.append([p.grad.clone() for p in model.parameters()])
        for a, b in zip(*gradients):
            torch.testing.assert_close(a, b)

    def test_every_form(self):
        class All(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.shuffle = torch.nn.PixelShuffle(2)
                self.unshuffle = torch.nn.PixelUnshuffle(3)
                self.channels = torch.nn.ChannelShuffle(3)

            def forward(self, x):
                y = self.channels(self.unshuffle(self.shuffle(x)))
                z = torch.pixel_unshuffle(torch.nn.functional.pixel_shuffle(
                    input=x, upscale_factor=2), 2)
                z = torch.channel_shuffle(z, groups=4)
                return (y.permute((0, 2, -1, 1)).contiguous(),
                        torch.permute(z, (1, 0, 3, 2)).contiguous())

        model, x = All(), tensor((2, 12, 6, 9))
        fast = ops.optimize(model)
        used = self.targets(fast)
        self.assertEqual(len(used), 6)  # the two permutations go into what they follow
        for target in used:
            self.assertTrue(str(target).startswith("relayout."))
        for a, b in zip(fast(x), model(x)):
            self.assertTrue(torch.equal(a, b))

    def test_fused(self):
        class Both(torch.nn.Module):
            def forward(self, x):
                return (torch.pixel_shuffle(x, 2).permute(2, 0, 3, 1).contiguous(),
                        torch.pixel_unshuffle(x, 3).permute(3, 1, 2, 0).contiguous(),
                        torch.channel_shuffle(x, 4).permute(3, 0, 1, 2).contiguous(),
                        torch.channel_shuffle(x[0], 3).permute(2, 1, 0).contiguous(),
                        torch.pixel_shuffle(x[0], 2).permute(0, 2, 1).contiguous())

        model, x = Both(), tensor((2, 12, 6, 9))
        fast = ops.optimize(model)
        used = [t for t in self.targets(fast) if str(t).startswith("relayout.")]
        self.assertEqual(used, [torch.ops.relayout.rearrange] * 5)
        for a, b in zip(fast(x), model(x), strict=True):
            self.assertTrue(torch.equal(a, b) and a.is_contiguous())

    def test_operators_of_relayout(self):
        class Own(torch.nn.Module):
            def forward(self, x):
                return (ops.transpose(ops.pixel_shuffle(x, 2), (0, 2, 3, 1)),
                        ops.transpose(ops.channel_shuffle(x, 3, axis=2), [3, 1, 0, 2], threads=2),
                        ops.channel_shuffle(x, 3, axis=3).permute(0, 2, 3, 1).contiguous())

        model, x = Own(), tensor((2, 12, 6, 9))
        fast = ops.optimize(model)
        self.assertEqual(self.targets(fast), [torch.ops.relayout.rearrange] * 3)
        for a, b in zip(fast(x), model(x), strict=True):
            self.assertTrue(torch.equal(a, b))

    def test_operators_that_are_called_by_name(self):
        class Named(torch.nn.Module):
            def forward(self, x):
                own = torch.ops.relayout
                y = own.transpose(own.pixel_shuffle(x=x, factor=2, threads=1), perm=(0, 2, 3, 1),
                                  threads=1)
                return own.transpose(own.pixel_unshuffle(y, factor=3, threads=1), (0, 3, 1, 2), 1)

        model, x = Named(), tensor((2, 12, 6, 9))
        fast = ops.optimize(model)
        self.assertEqual(len(self.targets(fast)), 4)
        self.assertTrue(torch.equal(fast(x), model(x)))

    def test_dimensions_that_are_none_stay_none(self):
        class Net(torch.nn.Module):
            def forward(self, x):
                return x.permute(4, 1, 2, 3).contiguous()

        x = tensor((2, 3, 4, 5))
        for call in (Net(), ops.optimize(Net())):
            with self.assertRaises(IndexError):
                call(x)

    def test_modules(self):
        class Named(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.shuffle = torch.nn.PixelShuffle(2)

            def forward(self, x):
                return self.shuffle(input=x)

        model, x = Named(), tensor((2, 12, 6, 9))
        fast = ops.optimize(model)
        self.assertEqual(self.targets(fast), [torch.ops.relayout.pixel_shuffle])
        self.assertTrue(torch.equal(fast(x), model(x)))
        with self.assertRaisesRegex(relayout.UnsupportedError, "expects a module without hooks"):
            watched = Named()
            watched.register_forward_hook(lambda module, given, result: result * 2)
            ops.optimize(watched)
        model.shuffle.register_forward_hook(lambda module, given, result: result * 2)
        fast = ops.optimize(model)  # and leaves the hook where it is
        self.assertEqual(self.targets(fast), ["shuffle"])
        self.assertTrue(torch.equal(fast(x), 2 * torch.pixel_shuffle(x, 2)))

    def test_modules_inside(self):
        class Halved(torch.nn.Module):  # a leaf that is called without operands
            def forward(self, weight):
                return weight / 2

        class Outer(torch.nn.Module):
            def __init__(self, inner):
                super().__init__()
                self.inner, self.weight = inner, torch.nn.Parameter(tensor((1,)))

            def forward(self, x):
                return torch.pixel_unshuffle(self.inner(x), 2) * self.weight

        model = Outer(Outer(torch.nn.Upsample(scale_factor=4)))
        torch.nn.utils.parametrize.register_parametrization(model, "weight", Halved())
        x = tensor((2, 3, 6, 9), grad=True)
        fast = ops.optimize(model)
        self.assertTrue(torch.equal(fast(x), model(x)))
        model.inner.register_full_backward_hook(lambda module, back, grad: (back[0] * 3,))
        fast = ops.optimize(model)
        self.assertIn("inner", self.targets(fast))
        wanted, got = [torch.autograd.grad(net(x).sum(), x)[0] for net in (model, fast)]
        self.assertTrue(torch.equal(got, wanted) and wanted.any())

    def test_what_stays(self):
        def keep(x):
            y = x.permute(0, 2, 1)
            z = y.contiguous()  # y lives on
            w = x.permute(0, 2, 1).contiguous(memory_format=torch.preserve_format)
            return y, z, w, x.contiguous()

        class Keep(torch.nn.Module):
            def forward(self, x):
                return keep(x)

        fast = ops.optimize(Keep())
        self.assertFalse([t for t in self.targets(fast) if not isinstance(t, str)])

    def test_backend(self):
        torch.manual_seed(6)
        model = Espcn()
        seen = []

        def watch(graph, inputs):
            run = ops.backend(graph, inputs)
            seen.extend(self.targets(graph))
            return run

        torch.compiler.reset()
        compiled = torch.compile(model, backend=watch)
        x = torch.randn(2, 3, 10, 14)
        self.assertTrue(torch.equal(compiled(x), model(x)))
        self.assertIn(torch.ops.relayout.rearrange, seen)
        compiled(x).sum().backward()


if __name__ == "__main__":
    unittest.main()
