"""What a sentence-transformers model's own files say of it, read without loading torch."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.errors import EmbeddingError

# Files that shape a vector: weights, configurations, vocabularies.
_SHAPING: Final = {".safetensors", ".bin", ".json", ".model", ".txt"}
# Other renderings of the same weights, which are not loaded.
_UNUSED: Final = {"onnx", "openvino"}
# Larger than any window: "no limit" in tokenizers' files.
_NO_LIMIT: Final = 1_000_000
# Families whose files do not name their prefixes; from the models' own pages (intfloat/e5, BAAI/bge v1.5).
_FAMILIES: Final = (
    (r"(multilingual-)?e5-(small|base|large)(-v2|-unsupervised)?", "query: ", "passage: "),
    (r"bge-(small|base|large)-zh(-v1\.5)?", "为这个句子生成表示以用于检索相关文章：", ""),
    (r"bge-(small|base|large)-en(-v1\.5)?", "Represent this sentence for searching relevant passages: ", ""),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """``revision`` is a commit of the hub or a hash of the folder; ``None``: only the model can tell."""

    name: str
    source: str
    commit: str | None
    revision: str
    dimension: int | None
    max_tokens: int | None
    query_prefix: str
    passage_prefix: str


def read_card(model: str) -> ModelCard:
    """The card of a folder, or of a model of the Hugging Face hub, whose small files are fetched once.

    Raises ``EmbeddingError`` when there is no such model.
    """
    folder = Path(model).expanduser()
    commit = None
    if not folder.is_dir():
        folder = _from_hub(model)
        commit = folder.name
    try:
        return _card(model, folder, commit)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as exc:
        raise EmbeddingError(name=model, reason=f"its configuration cannot be read: {exc!r}") from exc


def _from_hub(model: str) -> Path:
    """The folder of a snapshot, named by its commit; a stored one is taken as it is, so it stays the same."""
    if model.startswith(("/", ".", "~")):
        raise EmbeddingError(name=model, reason="expected a folder, found none there")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        try:
            return Path(snapshot_download(model, allow_patterns=["*.json"], local_files_only=True))
        except LocalEntryNotFoundError:
            return Path(snapshot_download(model, allow_patterns=["*.json"]))
    except (OSError, ValueError) as exc:
        raise EmbeddingError(name=model, reason=str(exc).strip().splitlines()[0]) from exc


def _card(model: str, folder: Path, commit: str | None) -> ModelCard:
    name = model if commit else folder.resolve().name
    options = _read(folder / "config_sentence_transformers.json")
    query, passage = _prefixes(options, name, _read(folder / "config.json"))
    return ModelCard(
        name=name,
        source=model if commit else str(folder),
        commit=commit,
        revision=(commit or _hash(folder))[:12],
        dimension=None if options.get("truncate_dim") else _dimension(folder),
        max_tokens=_window(folder),
        query_prefix=query,
        passage_prefix=passage,
    )


def _read(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found if isinstance(found, dict) else {}


def _prefixes(options: dict[str, Any], name: str, config: dict[str, Any]) -> tuple[str, str]:
    """Those of the model's prompts, or of its default prompt, or of its family."""
    prompts: dict[str, str] = options.get("prompts") or {}
    default = prompts.get(options.get("default_prompt_name") or "", "")
    query = prompts.get("query") or default
    passage = prompts.get("passage") or prompts.get("document") or default
    if query or passage:
        return query, passage
    known = (name.rpartition("/")[2], str(config.get("_name_or_path", "")).rpartition("/")[2])
    for pattern, family_query, family_passage in _FAMILIES:
        if any(re.fullmatch(pattern, candidate) for candidate in known):
            return family_query, family_passage
    return "", ""


def _dimension(folder: Path) -> int | None:
    """The size that pooling or the last dense layer gives."""
    path = folder / "modules.json"
    modules: list[dict[str, str]] = json.loads(path.read_text("utf-8")) if path.is_file() else []
    dimension: int | None = None
    for module in modules:
        kind = module["type"].rpartition(".")[2]
        options = _read(folder / module["path"] / "config.json")
        if kind == "Pooling":
            dimension = _pooled(options)
        elif kind == "Dense":
            dimension = options.get("out_features")
        elif kind not in ("Transformer", "Normalize"):
            return None
    return dimension


def _pooled(options: dict[str, Any]) -> int | None:
    """One pooling's size; several side by side are left to the model."""
    older = sum(1 for name, value in options.items() if name.startswith("pooling_mode_") and value is True)
    if older > 1 or not isinstance(options.get("pooling_mode", ""), str):
        return None
    return options.get("embedding_dimension") or options.get("word_embedding_dimension")


def _window(folder: Path) -> int | None:
    own = _read(folder / "sentence_bert_config.json").get("max_seq_length")
    found = own or _read(folder / "tokenizer_config.json").get("model_max_length")
    return int(found) if found and found < _NO_LIMIT else None


def _hash(folder: Path) -> str:
    """The sha256 of everything that shapes a vector, by relative path."""
    total = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in _SHAPING and path.is_file()):
        relative = path.relative_to(folder)
        if relative.parts[0] not in _UNUSED:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            total.update(f"{relative.as_posix()}:{digest}\n".encode())
    return total.hexdigest()
