"""What a chat model's server tells of itself: the models it offers, and the window of one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import openai

from core.chat.profiles import Endpoint

# Asked on the way to an answer, so it must not be felt.
_TIMEOUT_S: Final = 2.0
# Ollama reads this many tokens unless told otherwise, and cuts longer prompts in silence.
_OLLAMA_WINDOW: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The model's window in tokens and who says so; ``assumed`` may change once the model is loaded."""

    tokens: int
    source: Literal["set", "server", "known", "assumed"]


class ChatServer:
    """Asks beside the chat itself. A server that does not answer, or not so, has told nothing.

    ``answered`` says whether it ever did: one that is still starting may tell more later.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._client = openai.OpenAI(
            base_url=endpoint.base_url, api_key=endpoint.key or "none", timeout=_TIMEOUT_S, max_retries=0
        )
        self._base = endpoint.base_url.rstrip("/")
        self._root = self._base.removesuffix("/v1")
        self._profile = endpoint.profile.name if endpoint.profile else ""
        self.answered = False

    def models(self) -> list[str]:
        """The names it offers, in its order; empty when it does not tell."""
        return [str(row["id"]) for row in self._rows() if row.get("id")]

    def window(self, model: str) -> Window | None:
        """The window of ``model``, or ``None`` when the server does not tell."""
        rows = self._rows()
        named = [row for row in rows if row.get("id") == model]
        row = next(iter(named or (rows if len(rows) == 1 else [])), {})
        if self._profile == "ollama" or row.get("owned_by") == "library":
            return self._ollama_window(model)
        if self._profile == "llamacpp" or row.get("owned_by") == "llamacpp":
            return self._llamacpp_window(row)
        # vLLM; OpenRouter and others; LM Studio.
        return _told(row, "max_model_len", "context_length", "max_context_length")

    def _llamacpp_window(self, row: Mapping[str, Any]) -> Window | None:
        """What one slot really holds, else what the model was trained for."""
        running = _mapping(self._get(f"{self._root}/props"), "default_generation_settings")
        return _told(running, "n_ctx") or _told(_mapping(row, "meta"), "n_ctx", "n_ctx_train")

    def _ollama_window(self, model: str) -> Window | None:
        """That of the loaded model, else what its file sets, else Ollama's own default."""
        for running in _rows_of(self._get(f"{self._root}/api/ps"), "models"):
            if running.get("name") == model or running.get("model") == model:
                told = _told(running, "context_length")
                if told:
                    return told
        shown = self._get(f"{self._root}/api/show", {"model": model})
        for line in str(shown.get("parameters", "")).splitlines():
            name, _, value = line.strip().partition(" ")
            if name == "num_ctx" and value.strip().isdigit():
                return Window(tokens=int(value), source="server")
        info = _mapping(shown, "model_info")
        trained = next((_told(info, name) for name in info if name.endswith(".context_length")), None)
        if not trained:
            return None
        return Window(tokens=min(trained.tokens, _OLLAMA_WINDOW), source="assumed")

    def _rows(self) -> list[Mapping[str, Any]]:
        return _rows_of(self._get(f"{self._base}/models"), "data")

    def _get(self, url: str, body: Mapping[str, object] | None = None) -> Mapping[str, Any]:
        try:
            if body is None:
                value = self._client.get(url, cast_to=object)
            else:
                value = self._client.post(url, cast_to=object, body=dict(body))
        except (openai.OpenAIError, ValueError) as exc:
            self.answered |= isinstance(exc, openai.APIStatusError) and exc.status_code < 500
            return {}
        self.answered = True
        return value if isinstance(value, dict) else {}


def _told(values: Mapping[str, Any], *names: str) -> Window | None:
    for name in names:
        value = values.get(name)
        if isinstance(value, int) and value > 0:
            return Window(tokens=value, source="server")
    return None


def _mapping(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = values.get(name)
    return value if isinstance(value, dict) else {}


def _rows_of(values: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    rows = values.get(name)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
