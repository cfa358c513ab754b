"""Has an exported network do the first steps of the kinds' branch for one kind after the other.

What these steps hold takes more memory than anything else in reading a photo, so it is held for one kind at a time.
The result is the same to the last bit, and no slower.
"""

from itertools import chain

import onnx
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper
from onnx.shape_inference import infer_shapes
from onnx.utils import Extractor

SHARED = "/print/Conv_output_0_QuantizeLinear_Output"
"""What the kinds' branch sees of photo and print, the same for every kind."""
FIRST = "/down_kind/down_kind.2/Relu_output_0_QuantizeLinear_Output"
"""What the first steps give, on the grid of the output."""
ONE = "one_kind"
# Between the steps the runtime has the channels last; where it need not turn them, it is faster.
CHANNELS_LAST, CHANNELS_FIRST = (0, 2, 3, 1), (0, 3, 1, 2)


def in_turn(model: ModelProto) -> None:
    """Rewrite an exported network (`export.py`)."""
    graph = model.graph
    steps = Extractor(infer_shapes(model)).extract_model(["kinds", SHARED], [FIRST]).graph
    names = {node.name for node in steps.node}
    place = next(n for n, node in enumerate(graph.node) if FIRST in node.output)
    after = [node for node in graph.node[place + 1 :] if node.name not in names]
    before = [node for node in graph.node[:place] if node.name not in names]
    del graph.node[:]
    graph.node.extend([*before, *_for_each_kind(steps), *after])
    graph.initializer.append(helper.make_tensor("second", TensorProto.INT64, [1], [1]))
    _without_unused(graph)
    onnx.checker.check_model(model)


def _for_each_kind(steps: GraphProto) -> list[NodeProto]:
    """The steps in a scan over the kinds (count, 3, h, w)."""
    for node in steps.node:
        node.input[:] = [ONE if name == "kinds" else name for name in node.input]
    turned = helper.make_node("Transpose", [FIRST], ["one_told"], perm=CHANNELS_LAST)
    body = helper.make_graph(
        [*steps.node, turned],
        "one_kind_first",
        [helper.make_tensor_value_info(ONE, TensorProto.FLOAT, [1, 3, "height", "width"])],
        [helper.make_tensor_value_info("one_told", TensorProto.UINT8, None)],
        steps.initializer,
    )
    return [
        helper.make_node("Unsqueeze", ["kinds", "second"], ["each_kind"]),
        helper.make_node("Scan", ["each_kind"], ["each_told"], "kinds_in_turn", body=body, num_scan_inputs=1),
        helper.make_node("Squeeze", ["each_told", "second"], ["all_told"]),
        helper.make_node("Transpose", ["all_told"], [FIRST], perm=CHANNELS_FIRST),
    ]


def _without_unused(graph: GraphProto) -> None:
    used = {*chain.from_iterable(node.input for node in graph.node)}
    kept = [array for array in graph.initializer if array.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)
