"""The weights of a network that was shipped, so that teaching can go on from it.

Its numbers have eight bits and its normalisations are part of its convolutions; both are undone, the first as far as
that can be.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from .crops import load, whole
from .model import Reader

SHOWN = 12
"""So many lessons show how the numbers in the network are spread."""


def restored(file: Path, lessons: list[Path]) -> Reader:
    """The network in `file` (ONNX), which says what it said; some of `lessons` show how its numbers are spread."""
    stored = _stored(file)
    model = Reader(stored["see.0"][0].shape[0], stored["down.0"][0].shape[0])
    modules = dict(model.named_modules())
    for name, (weight, bias) in stored.items():
        convolution = modules[name]
        assert isinstance(convolution, nn.Conv2d)
        convolution.weight.data = weight
        if bias is not None:
            holder = modules.get(_norm_after(name), convolution)
            assert isinstance(holder, nn.Conv2d | nn.BatchNorm2d)
            holder.bias = nn.Parameter(bias)
    norms = [module for module in modules.values() if isinstance(module, nn.BatchNorm2d)]
    for norm in norms:
        assert norm.running_var is not None
        norm.running_var.fill_(1 - norm.eps)
    _spread_out(model, norms, lessons[:: max(1, len(lessons) // SHOWN)])
    return model


def _norm_after(name: str) -> str:
    """The name of the normalisation that was folded into a convolution; what has none has no such module."""
    before, _, last = name.rpartition(".")
    return f"{before}.{int(last) + 1}" if last.isdigit() else {"print": "start.0"}.get(name, name)


def _stored(file: Path) -> dict[str, tuple[Tensor, Tensor | None]]:
    """Weight and bias of every convolution by the name of its module."""
    graph = onnx.load(str(file)).graph
    graphs = [graph, *(part.g for node in graph.node for part in node.attribute if part.HasField("g"))]
    nodes = [node for graph in graphs for node in graph.node]
    arrays = {array.name: numpy_helper.to_array(array) for graph in graphs for array in graph.initializer}
    made_by = {output: node for node in nodes for output in node.output}

    def exact(name: str) -> Tensor:
        if name in arrays:
            return torch.tensor(arrays[name].astype(np.float32))
        whole, scale, zero = (arrays[part].astype(np.float32) for part in made_by[name].input)
        shape = (-1, *[1] * (whole.ndim - 1))
        return torch.tensor((whole - zero.reshape(shape)) * scale.reshape(shape))

    return {
        _module(node.name): (exact(node.input[1]), exact(node.input[2]) if len(node.input) > 2 else None)
        for node in nodes
        if node.op_type == "Conv"
    }


def _module(node: str) -> str:
    """The module's name in that of its step: "/body/body.0/step/step.0/Conv" is that of body.0.step.0."""
    parts = node.strip("/").split("/")
    return ".".join(part for part, after in pairwise(parts) if not after.startswith(f"{part}."))


def _spread_out(model: Reader, norms: list[nn.BatchNorm2d], lessons: list[Path]) -> None:
    """Have the normalisations normalise what the lessons send through them, and undo it, so that nothing changes."""
    sums: dict[nn.BatchNorm2d, list[Tensor]] = {norm: [] for norm in norms}

    def note(norm: nn.Module, shown: tuple[Tensor, ...]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        x = shown[0].double().transpose(0, 1).flatten(1)
        sums[norm].append(torch.stack([x.mean(1), (x * x).mean(1)]))

    hooks = [norm.register_forward_pre_hook(note) for norm in norms]
    model.eval()
    with torch.no_grad():
        for file in lessons:
            model.odds([whole(load(file))])
        for norm, seen in sums.items():
            mean, square = torch.stack(seen).mean(0).float()
            variance = (square - mean * mean).clamp(min=1e-6)
            assert norm.running_mean is not None and norm.running_var is not None
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.copy_((variance + norm.eps).sqrt())
            norm.bias.add_(mean)
    for hook in hooks:
        hook.remove()
