"""Writes the network as ONNX with whole numbers of eight bits: half the time and a third of the size, and no worse.

python -m vision.training.export WEIGHTS.pt LESSONS OUT.onnx
"""

import argparse
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
import torch
from onnxruntime.quantization import CalibrationDataReader, QuantType, quant_pre_process, quantize_static
from torch import nn

from vision.cells.network import kind_layers

from .crops import COMMON, KEPT_OUT, KINDS, load, taught
from .in_turn import in_turn
from .model import Reader

SHOWN = 24
"""So many lessons show how large the numbers in the network get."""
MADE_SMALL = ["Conv", "Add", "Relu", "Concat"]


class Shown(CalibrationDataReader):
    """Whole lessons as the network sees them."""

    def __init__(self, files: list[Path]) -> None:
        self.shown = self._shown(files)

    @staticmethod
    def _shown(files: list[Path]) -> Iterator[dict[str, np.ndarray]]:
        for file in files:
            lesson = load(file)
            height, width = (size // 8 * 8 for size in lesson["layers"].shape[1:])
            layers = lesson["layers"][:, :height, :width].astype(np.float32)
            kinds = kind_layers(layers[:3], np.nan_to_num(lesson["guess"]))
            yield {"common": layers[None], "kinds": kinds}

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self.shown, None)


def export(model: Reader, files: list[Path], out: Path) -> None:
    """Write `model` to `out`; some of `files` show how large its numbers get.

    The first layers, whose input is finer than eight bits, and the last, whose log odds are summed up, stay as exact as
    they are. Weights have seven bits, for processors that add up products of eight in sixteen.
    """
    rng = np.random.default_rng(1)
    shown = rng.choice(np.array(files), min(SHOWN, len(files)), replace=False).tolist()
    with TemporaryDirectory() as work:
        exact, ready = Path(work) / "exact.onnx", Path(work) / "ready.onnx"
        _export_exact(_folded(model), exact)
        quant_pre_process(str(exact), str(ready), skip_symbolic_shape=True)
        steps = [node for node in onnx.load(str(ready)).graph.node if node.op_type == "Conv"]
        first = [node.name for node in steps if node.input[0] in ("common", "kinds")]
        last = [node.name for node in steps[-2:]]
        quantize_static(
            str(ready),
            str(out),
            Shown(shown),
            op_types_to_quantize=MADE_SMALL,
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_exclude=[*first, *last],
        )
    made = onnx.load(str(out))
    in_turn(made)
    onnx.save(made, str(out))


def _folded(model: Reader) -> Reader:
    """The same with the first normalisation of the kinds' branch inside the convolutions before it."""
    model = deepcopy(model).eval()
    norm = model.start[0]
    scale = norm.weight / (norm.running_var + norm.eps).sqrt()
    for convolution in (model.kind, model.print):
        convolution.weight = nn.Parameter(convolution.weight * scale[:, None, None, None])
    model.print.bias = nn.Parameter(norm.bias - norm.running_mean * scale)
    model.start = nn.Sequential(nn.ReLU())
    return model


def _export_exact(model: Reader, out: Path) -> None:
    layers = torch.zeros(1, COMMON, 544, 788), torch.zeros(KINDS, 3, 544, 788)
    names = {"input_names": ["common", "kinds"], "output_names": ["of_kinds", "rest"]}
    axes = {"common": {2: "height", 3: "width"}, "kinds": {0: "count", 2: "height", 3: "width"}}
    axes |= {"of_kinds": {0: "count", 2: "tall", 3: "wide"}, "rest": {2: "tall", 3: "wide"}}
    torch.onnx.export(model, layers, str(out), dynamo=False, dynamic_axes=axes, **names)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("lessons", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--keep-out", nargs="*", default=KEPT_OUT)
    wanted = parser.parse_args()
    export(Reader.of(torch.load(wanted.weights)), taught(wanted.lessons, wanted.keep_out), wanted.out)


if __name__ == "__main__":
    main()
