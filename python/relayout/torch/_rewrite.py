# Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replaces operators of PyTorch in a graph by those of Relayout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import fx, nn

from .._errors import ErrorCode, make_error

_FUNCTIONS: dict[Any, str] = {
    torch.pixel_shuffle: "pixel_shuffle",
    torch.pixel_unshuffle: "pixel_unshuffle",
    torch.channel_shuffle: "channel_shuffle",
    nn.functional.pixel_shuffle: "pixel_shuffle",
    nn.functional.pixel_unshuffle: "pixel_unshuffle",
    nn.functional.channel_shuffle: "channel_shuffle",
}
_MODULES: dict[type[nn.Module], tuple[str, str]] = {
    nn.PixelShuffle: ("pixel_shuffle", "upscale_factor"),
    nn.PixelUnshuffle: ("pixel_unshuffle", "downscale_factor"),
    nn.ChannelShuffle: ("channel_shuffle", "groups"),
}
Replacement = tuple[str, fx.Node, tuple[Any, ...]]


def _has_hooks(module: nn.Module) -> bool:
    return any((module._forward_pre_hooks, module._forward_hooks, module._backward_pre_hooks,
                module._backward_hooks))


class _Tracer(fx.Tracer):  # type: ignore[misc]
    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        return _has_hooks(m) or super().is_leaf_module(m, module_qualified_name)


def _shuffle(graph: fx.GraphModule, node: fx.Node) -> Replacement | None:
    """A call of a shuffle, by function or by module: name, operand, arguments."""
    if node.op == "call_function" and node.target in _FUNCTIONS:
        given = [*node.args, *node.kwargs.values()]  # (input, factor) in any spelling
        named = node.kwargs.get("input")
        operand = named if named is not None else given[0]
        rest = [value for value in given if value is not operand]
        if isinstance(operand, fx.Node) and len(rest) == 1:
            return _FUNCTIONS[node.target], operand, tuple(rest)
    if node.op == "call_module":
        module = graph.get_submodule(str(node.target))
        operand = next(iter([*node.args, *node.kwargs.values()]), None)
        if type(module) in _MODULES and isinstance(operand, fx.Node) and not _has_hooks(module):
            name, attribute = _MODULES[type(module)]
            return name, operand, (getattr(module, attribute),)
    return None


def _permute(node: fx.Node) -> Replacement | None:
    """`permute(...).contiguous()`, the permuted view used by nothing else."""
    source = node.args[0] if node.args else None
    if (node.op, node.target) != ("call_method", "contiguous") or len(node.args) != 1:
        return None
    if node.kwargs or not isinstance(source, fx.Node) or len(source.users) != 1:
        return None
    if (source.op, source.target) != ("call_method", "permute") and source.target not in (
            torch.permute,):
        return None
    given: list[Any] = [*source.args, *source.kwargs.values()]
    operand, dims = given[0], given[1:]
    if len(dims) == 1 and isinstance(dims[0], (list, tuple)):
        dims = list(dims[0])
    rank = len(dims)
    if not isinstance(operand, fx.Node) or not all(
            isinstance(dim, int) and -rank <= dim < rank for dim in dims):
        return None
    return "transpose", operand, ([dim % rank for dim in dims],)


def _as_pattern(name: str, rank: int, axis: Any) -> tuple[list[str], list[str], list[str]]:
    """A shuffle of `rank` dimensions as the two sides of a pattern, and its sizes'
    names. `axis` is that of a shuffle of channels."""
    if name == "channel_shuffle":
        names = [f"d{i}" for i in range(rank)]
        left, right = [[*names[:axis], pair, *names[axis + 1:]] for pair in ("(g c)", "(c g)")]
        return left, right, ["g"]
    lead = [f"d{i}" for i in range(rank - 3)]
    deep, wide = [*lead, "(c a b)", "h", "w"], [*lead, "c", "(h a)", "(w b)"]
    return (deep, wide, ["a", "b"]) if name == "pixel_shuffle" else (wide, deep, ["a", "b"])


def _fused(node: fx.Node) -> Replacement | None:
    """A shuffle whose result is only transposed: one movement in place of two."""
    if node.target is not torch.ops.relayout.transpose or len(node.args) < 2:
        return None
    source, perm = node.args[0], node.args[1]
    names = {getattr(torch.ops.relayout, name): name for name in set(_FUNCTIONS.values())}
    if (not isinstance(source, fx.Node) or len(source.users) != 1 or source.target not in names
            or len(source.args) < 3 or not isinstance(perm, (list, tuple)) or len(perm) < 3):
        return None
    operand, factor, axis = source.args[:3]  # of a pixel shuffle, the third are threads
    order = [dim for dim in perm if isinstance(dim, int)]
    if (not isinstance(operand, fx.Node) or not isinstance(factor, int)
            or sorted(order) != list(range(len(perm)))):
        return None
    left, right, sizes = _as_pattern(names[source.target], len(perm), axis)
    pattern = f"{' '.join(left)} -> {' '.join(right[i] for i in order)}"
    return "rearrange", operand, (pattern, sizes, [factor] * len(sizes), [], [], None)


def rewrite(graph: fx.GraphModule, threads: int) -> int:
    """Replaces what it finds in `graph`; how many calls that were."""
    count = 0
    finders: list[Callable[[fx.Node], Replacement | None]] = [
        lambda node: _shuffle(graph, node), _permute, _fused]
    for find in finders:
        for node in list(graph.graph.nodes):
            found = find(node)
            if found is not None:
                _replace(graph, node, found, threads)
                count += 1
        graph.graph.eliminate_dead_code()
    if count:
        graph.recompile()
    return count


def _replace(graph: fx.GraphModule, node: fx.Node, found: Replacement, threads: int) -> None:
    name, operand, arguments = found
    if name == "channel_shuffle":
        arguments += (1,)
    operator = getattr(torch.ops.relayout, name)
    with graph.graph.inserting_before(node):
        new = graph.graph.call_function(operator, (operand, *arguments, threads))
    new.meta = node.meta
    node.replace_all_uses_with(new)
    graph.graph.erase_node(node)


def optimize(module: nn.Module, threads: int | None = None) -> fx.GraphModule:
    """`module`, traced by torch.fx, with `pixel_shuffle`, `pixel_unshuffle`,
    `channel_shuffle` and `permute().contiguous()` done by Relayout, a shuffle and a
    permutation of its result as one movement, on as many threads as PyTorch uses
    unless given. It shares the parameters of `module`, gives the same
    results and has the same gradients; it runs on the CPU only.
    """
    if _has_hooks(module):
        raise make_error(ErrorCode.UNSUPPORTED, "expects a module without hooks of its own, which "
                         "a trace would lose")
    graph = fx.GraphModule(module, _Tracer().trace(module), type(module).__name__)
    rewrite(graph, threads or torch.get_num_threads())
    return graph


def backend(graph: fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
    """For `torch.compile(module, backend=backend)`: as `optimize`, for whatever
    TorchDynamo traces."""
    rewrite(graph, torch.get_num_threads())
    return graph.forward
