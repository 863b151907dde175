"""Builds the ONNX model of multilingual-e5-small: BERT with layer norms after the sums and exact GELU.

All texts of one call have the same number of tokens, so there is no attention mask: it alone costs a
tenth on paragraphs, padding more, and without it no vector depends on the batch it came in.

int8: each token's activations are scaled by their own largest value (the rows of LLM.int8, Dettmers et
al. 2022), weights by their column's. One scale for a whole call, as ``quantize_dynamic`` takes it, loses
more than twice as much (cosine with float32 0.9974 against 0.9989, and that with one bit more for the
weights) and makes a vector depend on its neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from ingest.embedders.e5_weights import E5Weights, Floats

Precision = Literal["int8", "float32"]
INPUT: Final = "input_ids"
TOKEN_VECTORS: Final = "last_hidden_state"
TEXT_VECTORS: Final = "sentence_embedding"

_MICROSOFT = "com.microsoft"
# Seven bits: on processors without VNNI, pairs of products are summed in 16 bits, and 2 * 255 * 63 still
# fits. So all machines compute the same integers.
_WEIGHT_LIMIT = 63
_ACTIVATION_LIMIT = 127
_ZERO_POINT = 128


@dataclass(slots=True)
class _Graph:
    """Nodes and constants in the order they were added; names are numbers."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)

    def constant(self, value: npt.NDArray[np.generic]) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def number(self, value: float) -> str:
        return self.constant(np.asarray(value, dtype=np.float32))

    def shape(self, *sizes: int) -> str:
        return self.constant(np.asarray(sizes, dtype=np.int64))

    def add(self, kind: str, *inputs: str, domain: str = "", name: str = "", **attributes: Any) -> str:
        """Append a node with one output and return that output's name."""
        output = name or f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], domain=domain, **attributes))
        return output

    def split(self, source: str, parts: int) -> list[str]:
        """Cut the last axis into equal parts."""
        outputs = [f"n{len(self.nodes)}_{part}" for part in range(parts)]
        self.nodes.append(helper.make_node("Split", [source], outputs, axis=-1, num_outputs=parts))
        return outputs


def build_model(weights: E5Weights, precision: Precision) -> bytes:
    """The serialised model.

    Input ``input_ids`` ``(batch, tokens) int64``; outputs ``last_hidden_state``
    ``(batch, tokens, hidden) float32`` and ``sentence_embedding`` ``(batch, hidden) float32``, the
    tokens' mean, L2-normalised. Raises ``EmbeddingError`` when a tensor is missing.
    """
    hidden = weights.config.hidden
    graph = _Graph()
    encoder = _Encoder(graph, weights, precision)
    states = encoder.embeddings()
    for layer in range(weights.config.layers):
        states = encoder.layer(states, f"l{layer}")
    tokens = graph.add("Reshape", states, encoder.sizes(hidden), name=TOKEN_VECTORS)
    mean = graph.add("ReduceMean", tokens, graph.shape(1), keepdims=0)
    graph.add("LpNormalization", mean, axis=-1, p=2, name=TEXT_VECTORS)
    proto = helper.make_graph(
        graph.nodes,
        "multilingual-e5-small",
        [helper.make_tensor_value_info(INPUT, TensorProto.INT64, ["batch", "tokens"])],
        [
            helper.make_tensor_value_info(TOKEN_VECTORS, TensorProto.FLOAT, ["batch", "tokens", hidden]),
            helper.make_tensor_value_info(TEXT_VECTORS, TensorProto.FLOAT, ["batch", hidden]),
        ],
        graph.constants,
    )
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid(_MICROSOFT, 1)]
    # The oldest format that knows opset 20, so that older runtimes can read the file too.
    model = helper.make_model(proto, opset_imports=opsets, ir_version=9, producer_name="youju")
    return bytes(model.SerializeToString())


class _Encoder:
    """Adds the network part by part; between attentions, states are ``(batch * tokens, hidden)``."""

    def __init__(self, graph: _Graph, weights: E5Weights, precision: Precision) -> None:
        self._graph = graph
        self._weights = weights
        self._precision = precision
        self._batch_and_tokens = graph.add("Shape", INPUT)
        count = graph.add("ReduceProd", self._batch_and_tokens, keepdims=1)
        self._zero_points = graph.add("Expand", graph.constant(np.array([_ZERO_POINT], np.uint8)), count)

    def sizes(self, last: int) -> str:
        """The shape ``(batch, tokens, last)``."""
        return self._graph.add("Concat", self._batch_and_tokens, self._graph.shape(last), axis=0)

    def embeddings(self) -> str:
        """Words, positions from 0 and token type 0, summed and normalised."""
        graph, hidden = self._graph, self._weights.config.hidden
        words = graph.add("Reshape", self._words(), self.sizes(hidden))
        tokens = graph.add("Shape", INPUT, start=1, end=2)
        table = graph.constant(self._weights.table("emb.pos") + self._weights.table("emb.type")[0])
        positions = graph.add("Slice", table, graph.shape(0), tokens, graph.shape(0))
        summed = graph.add("Add", words, positions)
        return self._normalised(graph.add("Reshape", summed, graph.shape(-1, hidden)), "emb.ln")

    def layer(self, states: str, name: str) -> str:
        """Self-attention and the feed-forward pair, each added to its input and normalised."""
        graph, config = self._graph, self._weights.config
        fused, bias = self._linear(states, [f"{name}.{part}" for part in "qkv"], config.hidden)
        query, key, value = graph.split(graph.add("Reshape", fused, self.sizes(3 * config.hidden)), 3)
        # Scales by 1 / sqrt(hidden / heads), adds the bias, softmax over the text's own tokens.
        context = graph.add(
            "MultiHeadAttention", query, key, value, bias, domain=_MICROSOFT, num_heads=config.heads
        )
        context = graph.add("Reshape", context, graph.shape(-1, config.hidden))
        attended = self._biased(context, f"{name}.ao", config.hidden)
        states = self._normalised(graph.add("Add", attended, states), f"{name}.aln")
        wide = graph.add("Gelu", self._biased(states, f"{name}.fi", config.hidden))
        narrow = self._biased(wide, f"{name}.fo", config.feed_forward)
        return self._normalised(graph.add("Add", narrow, states), f"{name}.oln")

    def _words(self) -> str:
        """The word table stays in its 4-bit blocks (55 MB, not 384); rows are unpacked as they are read."""
        graph = self._graph
        nibbles, scales = self._weights.packed("emb.word", self._weights.config.hidden)
        packed = graph.add("Gather", graph.constant(nibbles), INPUT, axis=0)
        low = graph.add("BitwiseAnd", packed, graph.constant(np.asarray(15, np.uint8)))
        high = graph.add("BitShift", packed, graph.constant(np.asarray(4, np.uint8)), direction="RIGHT")
        codes = graph.add("Cast", graph.add("Concat", low, high, axis=-1), to=TensorProto.FLOAT)
        rows = graph.add("Gather", graph.constant(scales[:, :, None]), INPUT, axis=0)
        scale = graph.add("Cast", rows, to=TensorProto.FLOAT)
        return graph.add("Mul", graph.add("Sub", codes, graph.number(8)), scale)

    def _normalised(self, states: str, name: str) -> str:
        gain, shift = (self._graph.constant(self._weights.vector(f"{name}.{part}")) for part in "wb")
        return self._graph.add(
            "LayerNormalization", states, gain, shift, axis=-1, epsilon=self._weights.config.epsilon
        )

    def _biased(self, states: str, name: str, inputs: int) -> str:
        product, bias = self._linear(states, [name], inputs)
        return self._graph.add("Add", product, bias)

    def _linear(self, states: str, names: list[str], inputs: int) -> tuple[str, str]:
        """The product with the named matrices side by side, and their biases, not yet added."""
        matrix = np.concatenate([self._weights.matrix(f"{name}.w", inputs) for name in names]).T
        bias = np.concatenate([self._weights.vector(f"{name}.b") for name in names])
        product = (
            self._int8_product(states, matrix)
            if self._precision == "int8"
            else (self._graph.add("MatMul", states, self._graph.constant(matrix)))
        )
        return product, self._graph.constant(bias)

    def _int8_product(self, states: str, matrix: Floats) -> str:
        """States as uint8 around 128 and a scale a row, ``matrix`` as int8 and a scale a column."""
        graph = self._graph
        # Never zero: a layer norm, a mean of values or a GELU would have to be zero in every place.
        largest = graph.add("ReduceMax", graph.add("Abs", states), graph.shape(-1), keepdims=1)
        scales = graph.add("Mul", largest, graph.number(1 / _ACTIVATION_LIMIT))
        row_scales = graph.add("Reshape", scales, graph.shape(-1))
        codes = graph.add("QuantizeLinear", states, row_scales, self._zero_points, axis=0)
        columns = np.maximum(np.abs(matrix).max(axis=0) / _WEIGHT_LIMIT, np.finfo(np.float32).tiny)
        product = graph.add(
            "MatMulIntegerToFloat",
            codes,
            graph.constant(np.rint(matrix / columns).astype(np.int8)),
            graph.number(1),
            graph.constant(columns.astype(np.float32)),
            graph.constant(np.asarray(_ZERO_POINT, np.uint8)),
            domain=_MICROSOFT,
        )
        return graph.add("Mul", product, scales)
