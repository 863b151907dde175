"""``youju doctor``: in plain words what is configured, what works, what is missing and how to get it."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from app.doctor.chat import chat_findings
from app.doctor.faults import Called, Finding, Say, failed
from core.chat.profiles import endpoint_of
from core.errors import EmbeddingError, ModelError, YoujuError
from core.settings import Settings
from ingest.check import problems
from retrieval.knowledge_base import KnowledgeBase

_EMBEDDING_TIMEOUT_S: Final = 20.0


def findings(settings: Settings) -> Iterator[Finding]:
    """The report line by line; every configured model is really called once, without retries."""
    say = Say(language=settings.interface_language)
    once = settings.chat.model_copy(update={"max_retries": 0})
    # An endpoint that is slow to reply is not waited for as long as in an ingest.
    timeout_s = min(settings.embedding.timeout_s, _EMBEDDING_TIMEOUT_S)
    embedding = settings.embedding.model_copy(update={"max_retries": 0, "timeout_s": timeout_s})
    base = KnowledgeBase(settings.model_copy(update={"chat": once, "embedding": embedding}))
    yield say(True, "home", home=settings.home.resolve())
    for check in (_store, _embedder, _chat, _reranker):
        try:
            for finding in check(base, say):
                yield _without_keys(finding, settings)
        except YoujuError as exc:
            yield _without_keys(Finding(good=False, text=exc.message(say.language)), settings)
    installed = importlib.util.find_spec("sentence_transformers") is not None
    yield say(True if installed else None, "local" if installed else "local_none")


def _without_keys(finding: Finding, settings: Settings) -> Finding:
    """The finding with every configured key blotted out: servers may repeat them in what they say."""
    secrets = (settings.openai_api_key, settings.deepseek_api_key, settings.dashscope_api_key)
    for secret in filter(None, secrets):
        value = secret.get_secret_value().strip()
        # A placeholder such as "none" is no secret, and a word of the language.
        if len(value) > 6:
            finding = replace(
                finding, text=finding.text.replace(value, "***"), mend=finding.mend.replace(value, "***")
            )
    return finding


def _store(base: KnowledgeBase, say: Say) -> Iterator[Finding]:
    store = base.workspace.store
    with store.read() as reader:
        documents, chunks = reader.count("documents"), reader.count("chunks")
    if not documents:
        yield say(None, "store_empty")
        return
    found = problems(store)
    if found:
        yield say(
            False, "problems", say.text("mend_problems"), count=len(found), first=found[0].text(say.language)
        )
    else:
        yield say(True, "store", documents=documents, chunks=chunks)


def _embedder(base: KnowledgeBase, say: Say) -> Iterator[Finding]:
    options = base.settings.embedding
    try:
        embedder = base.workspace.embedder
        embedder.queries(["ping"])
    except EmbeddingError as exc:
        if options.name == "openai":
            yield _embedding_failed(base.settings, say, exc)
        else:
            yield Finding(good=False, text=exc.message(say.language), mend=say.text("mend_local_model"))
        return
    name = options.model or options.name
    yield say(True, "embedder", name=name, dimension=embedder.dimension, window=embedder.max_tokens)
    with base.workspace.store.read() as reader:
        base.workspace.indexes.at(reader)


def _embedding_failed(settings: Settings, say: Say, exc: EmbeddingError) -> Finding:
    from core.chat.faults import fault_of
    from core.chat.server import ChatServer

    options = settings.embedding
    # The embedder knows one key and one address: those of OPENAI_*, or its own address.
    plain = settings.chat.model_copy(update={"profile": "", "base_url": options.base_url})
    endpoint = endpoint_of(settings.model_copy(update={"chat": plain}))
    called = Called(
        kind="embedding",
        name=options.model,
        endpoint=endpoint,
        key_variable="OPENAI_API_KEY",
        model_setting="YOUJU_EMBEDDING__MODEL",
        timeout_setting="YOUJU_EMBEDDING__TIMEOUT_S",
        timeout_s=options.timeout_s,
        offered=ChatServer(endpoint).models,
    )
    return failed(say, called, fault_of(exc).value, str(exc.details["reason"]))


def _chat(base: KnowledgeBase, say: Say) -> Iterator[Finding]:
    yield from chat_findings(base.settings, base.chat_model, say)


def _reranker(base: KnowledgeBase, say: Say) -> Iterator[Finding]:
    if base.settings.retrieval.reranker == "none":
        yield say(None, "reranker_none")
        return
    try:
        base.reranker.rerank("ping", ["pong"])
    except ModelError as exc:
        yield Finding(good=False, text=exc.message(say.language), mend=say.text("mend_local_model"))
        return
    yield say(True, "reranker", name=base.settings.retrieval.reranker_model)
