"""How evidence is found."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Device = Literal["auto", "cpu", "cuda"]
Precision = Literal["auto", "float32", "bfloat16"]


class RetrievalSettings(BaseModel):
    """Finding evidence: what is searched, how it is ordered, what is given to the answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    candidates: int = Field(50, ge=1, le=1000, description="Chunks taken from each search before fusion.")
    understand: bool = Field(
        True, description="Honour names of documents, numbered parts, quotes, dates and codes in a question."
    )
    dense: bool = Field(True, description="Search by meaning.")
    lexical: bool = Field(True, description="Search by words.")
    sentences: bool = Field(True, description="Judge a chunk by its best sentence as well as whole.")
    expand: bool = Field(True, description="Let passages grow to their neighbours inside the section.")
    rrf_k: int = Field(10, ge=0, le=1000, description="Constant k of reciprocal rank fusion.")
    parent_weight: float = Field(
        0.0, ge=0, le=10, description="Weight of the search over parents (sections) beside that over chunks."
    )
    passages: int = Field(16, ge=1, le=50, description="Most passages given to the answer.")
    max_tokens: int = Field(3000, ge=50, le=200000, description="Token budget of all passages together.")
    core_share: float = Field(
        0.85,
        gt=0,
        le=1,
        description="Share of the budget for what was found; the rest is for what stands around it.",
    )
    max_passages_per_document: int = Field(
        8, ge=1, le=50, description="Cap so that one source cannot fill all."
    )
    reranker: str = Field(
        "builtin",
        description="Reranker: builtin (no model of its own), none, cross-encoder (extra local-models), api (a "
        "rerank endpoint) or llm (the chat model).",
    )
    reranker_model: str = Field(
        "BAAI/bge-reranker-v2-m3", description="Cross-encoder name or folder, or the endpoint's model."
    )
    reranker_url: str = Field(
        "", description="Rerank endpoint (api), for example https://api.siliconflow.cn/v1; /rerank is added."
    )
    reranker_timeout_s: float = Field(
        30.0, gt=0, le=600, description="Seconds until reranking is given up (api, llm)."
    )
    reranker_batch_size: int = Field(64, ge=1, le=1000, description="Texts a call (api).")
    reranker_max_chars: int = Field(
        2000, ge=50, le=100_000, description="Characters of a text that are read (api, llm)."
    )
    reranker_device: Device = Field("auto", description="Where the reranker runs: cpu, cuda or auto.")
    reranker_precision: Precision = Field(
        "auto", description="How it computes: float32, bfloat16, or auto (bfloat16 where that is fast)."
    )
    rerank_candidates: int = Field(20, ge=1, le=200, description="Chunks given to the reranker.")
    rewrite: bool = Field(
        True, description="Rewrite a doubtful question once and search again; needs a chat model."
    )
    multi_query: int = Field(
        0, ge=0, le=8, description="Other wordings of the question to search as well; needs a chat model."
    )
    hyde: bool = Field(
        False, description="Search also by a passage that the chat model thinks up as an answer (HyDE)."
    )
    whole_tokens: int = Field(
        100_000,
        ge=500,
        le=10_000_000,
        description="Most tokens of a document that the chat model reads for one list, count or summary.",
    )
    max_question_chars: int = Field(4000, ge=1, le=100000, description="Longest question in characters.")
