"""``youju doctor``: in plain words what is configured, what works, what is missing and how to get it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.errors import YoujuError
from core.settings import Settings
from ingest.check import problems
from retrieval.knowledge_base import KnowledgeBase


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of the report. ``good`` is ``None`` for what is merely not set up."""

    good: bool | None
    text: str


_TEXTS: dict[str, dict[str, str]] = {
    "home": {"zh": "数据目录：{home}", "en": "Data folder: {home}"},
    "store": {
        "zh": "知识库：{documents} 份文档，{chunks} 个知识块",
        "en": "Knowledge base: {documents} documents, {chunks} chunks",
    },
    "store_empty": {
        "zh": "知识库是空的。添加文档：python -m ingest add 文件或目录",
        "en": "The knowledge base is empty. Add documents: python -m ingest add PATH",
    },
    "problems": {
        "zh": "知识库有 {count} 个问题，第一个：{first}。修复：python -m ingest rebuild",
        "en": "The knowledge base has {count} problems, the first: {first}. Mend: python -m ingest rebuild",
    },
    "embedder": {
        "zh": "向量模型 {name}：可用（{dimension} 维，窗口 {window} 个词元）",
        "en": "Embedding model {name}: works ({dimension} dimensions, window of {window} tokens)",
    },
    "chat_none": {
        "zh": "没有设置对话模型，答案为原文摘录。设置 OPENAI_API_KEY（或 OPENAI_BASE_URL）和 YOUJU_CHAT__MODEL 即可启用，"
        "写法见 .env.example。",
        "en": "No chat model is set; answers are extracted verbatim. Set OPENAI_API_KEY (or OPENAI_BASE_URL) and "
        "YOUJU_CHAT__MODEL to have them written, as .env.example shows.",
    },
    "chat": {"zh": "对话模型 {name}：可用", "en": "Chat model {name}: works"},
    "reranker_none": {
        "zh": "没有设置重排模型（可选：YOUJU_RETRIEVAL__RERANKER=cross-encoder，需要 pip install 'youju[local-models]'）",
        "en": "No reranker is set (optional: YOUJU_RETRIEVAL__RERANKER=cross-encoder, "
        "needs pip install 'youju[local-models]')",
    },
    "reranker": {"zh": "重排模型 {name}：可用", "en": "Reranker {name}: works"},
    "local": {
        "zh": "本地模型组件 sentence-transformers：已安装",
        "en": "Local models (sentence-transformers): installed",
    },
    "local_none": {
        "zh": "未安装本地模型组件（可选）：pip install 'youju[local-models]'",
        "en": "Local models are not installed (optional): pip install 'youju[local-models]'",
    },
}


def findings(settings: Settings) -> Iterator[Finding]:
    """The report line by line; every configured model is really called once."""
    language = settings.interface_language

    def say(good: bool | None, key: str, **values: object) -> Finding:
        return Finding(good=good, text=_TEXTS[key][language].format(**values))

    base = KnowledgeBase(settings)
    yield say(True, "home", home=settings.home.resolve())
    for check in (_store, _embedder, _chat, _reranker):
        try:
            yield from check(base, say)
        except YoujuError as exc:
            yield Finding(good=False, text=exc.message(language))
    installed = importlib.util.find_spec("sentence_transformers") is not None
    yield say(True if installed else None, "local" if installed else "local_none")


Say = Callable[..., Finding]


def _store(base: KnowledgeBase, say: Say) -> Iterator[Finding]:
    store = base.workspace.store
    with store.read() as reader:
        documents, chunks = reader.count("documents"), reader.count("chunks")
    if not documents:
        yield say(None, "store_empty")
        return
    found = problems(store)
    if found:
        yield say(False, "problems", count=len(found), first=found[0])
    else:
        yield say(True, "store", documents=documents, chunks=chunks)


def _embedder(base: KnowledgeBase, say: Say) -> Iterator[Finding]:
    embedder = base.workspace.embedder
    embedder.queries(["ping"])
    name = base.settings.embedding.model or base.settings.embedding.name
    yield say(True, "embedder", name=name, dimension=embedder.dimension, window=embedder.max_tokens)
    with base.workspace.store.read() as reader:
        base.workspace.indexes.at(reader)


def _chat(base: KnowledgeBase, say: Say) -> Iterator[Finding]:
    if base.chat_model is None:
        yield say(None, "chat_none")
        return
    base.chat_model.stream("Reply with the word ok.", "ok?", lambda text: None)
    yield say(True, "chat", name=base.chat_model.name)


def _reranker(base: KnowledgeBase, say: Say) -> Iterator[Finding]:
    if base.settings.retrieval.reranker == "none":
        yield say(None, "reranker_none")
        return
    base.reranker.rerank("ping", ["pong"])
    yield say(True, "reranker", name=base.settings.retrieval.reranker_model)
