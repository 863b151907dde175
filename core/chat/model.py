"""The chat model behind LangChain's interface: any OpenAI-compatible endpoint, streamed or asked once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import Final, TypeVar

import openai
from langchain_core.caches import BaseCache
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.outputs import Generation
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from core.chat.again import wait, wait_s
from core.chat.faults import REASONS, Fault, fault_of, fault_of_end, reason_of
from core.chat.forgetting import drop_damaged_decisions
from core.chat.known_models import Price, known_model, price_of
from core.chat.profiles import Endpoint, endpoint_of
from core.chat.server import ChatServer, Window
from core.chat.silence import heard_client
from core.chat.thoughts import Thoughts, spoken
from core.chat.usage import MESSAGE_TOKENS, priced, record, tokens_about
from core.errors import ChatModelError, MissingExtraError
from core.settings import ChatSettings, Settings

_T = TypeVar("_T")
# The last four are what the client raises at replies of another shape than the protocol's.
_FAILURES: Final = (
    openai.OpenAIError,
    OSError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
)
# Parts without a word that every stream has: the role, the reason of its end, the usage.
_SILENT_PARTS: Final = 4


class ChatModel:
    """Thin and synchronous. Every failure is a ``ChatModelError`` with a reason a person understands.

    What each call took goes to ``core.chat.usage.record``. Options that a server refuses (a temperature,
    usage in a stream, a switch of thinking) are left away from then on.
    """

    def __init__(self, chat: ChatSettings, endpoint: Endpoint, cache: BaseCache | None = None) -> None:
        self.name = chat.model
        self.endpoint = endpoint
        self.price: Price | None = price_of(chat, endpoint)
        self._chat = chat
        self._options = _options(chat, endpoint)
        # Decisions (rewriting, judging) are cached; answers are not.
        self._cache = cache
        self._window: Window | None = None
        self._asked = False
        self._model = ChatOpenAI(
            model=chat.model,
            base_url=endpoint.base_url,
            api_key=SecretStr(endpoint.key or "none"),
            timeout=openai.Timeout(chat.timeout_s, connect=min(chat.timeout_s, chat.connect_timeout_s)),
            # Retried here: one that waits must hear that nobody wants the answer any more.
            max_retries=0,
            http_client=heard_client(chat.timeout_s),
            use_responses_api=False,
        )
        self.server = ChatServer(endpoint)

    @property
    def window(self) -> Window | None:
        """The model's window, or ``None`` when nobody tells; a server is asked once."""
        if not self._asked:
            self._window = window = self._find_window()
            # Asked again later: what is only assumed until the model is loaded, and a server that is starting.
            self._asked = window.source != "assumed" if window else not self._tells or self.server.answered
        return self._window

    def room(self) -> int | None:
        """Tokens that a prompt may have beside the longest answer; ``None`` when the window is unknown."""
        if self.window is None:
            return None
        return max(0, self.window.tokens - self._chat.max_answer_tokens - MESSAGE_TOKENS)

    def decide(self, instruction: str, data: str) -> str:
        """The whole reply to a small task; the same task is asked once and then answered from the cache."""
        place = f"{self.endpoint.base_url} {self.name} {self._chat.temperature} {self._chat.thinking}"
        task = f"{instruction}\n\0\n{data}"
        kept = self._cache.lookup(task, place) if self._cache is not None else None
        if kept:
            return kept[0].text
        reply = self._attempt(lambda options: self._whole(instruction, data, options))
        said = spoken(str(reply.text))
        self._record(reply, instruction + data, str(reply.text))
        if self._cache is not None and said.strip():
            self._cache.update(task, place, [Generation(text=said)])
        return said

    def stream(
        self,
        system: str,
        user: str,
        on_text: Callable[[str], None],
        on_wait: Callable[[], None] = lambda: None,
    ) -> str:
        """The whole reply, without thoughts; each new part goes to ``on_text`` as it comes.

        Raises ``ChatModelError`` for a failed call, a cut stream, a reply that is not complete (its length
        limit, a filter), and an empty one; what came before went to ``on_text``. ``on_wait`` is called while
        it waits to ask again. What the two raise goes through, and ends the call.
        """
        parts: list[str] = []
        thoughts = Thoughts()
        counts: AIMessage | None = None
        finish: str | None = None
        silent = 0
        try:
            with closing(self._chunks(system, user, on_wait)) as chunks:
                for chunk in chunks:
                    finish = chunk.response_metadata.get("finish_reason") or finish
                    # The last count stands: some servers repeat a growing one.
                    counts = chunk if chunk.usage_metadata else counts
                    silent += not chunk.text
                    _say(thoughts.feed(chunk.text), parts, on_text)
            _say(thoughts.finish(), parts, on_text)
        except ChatModelError as exc:
            # What comes after the end of a reply takes nothing from it.
            if finish is None or not parts:
                raise self._broken(exc, bool(parts)) from exc
        finally:
            if parts or counts:
                self._record(counts, system + user, "".join(parts))
        reply = "".join(parts)
        thought = thoughts.any or silent > _SILENT_PARTS
        fault = fault_of_end(finish, said=bool(reply.strip()), thought=thought)
        if fault is not None:
            raise ChatModelError(name=self.name, reason=REASONS[fault], fault=fault)
        return reply

    def _whole(self, instruction: str, data: str, options: dict[str, object]) -> AIMessage:
        body = {name: value for name, value in options.items() if name != "stream_options"}
        return self._model.invoke(_messages(instruction, data), extra_body=body)

    def _chunks(
        self, system: str, user: str, on_wait: Callable[[], None]
    ) -> Generator[AIMessage, None, None]:
        """The parts of a streamed reply."""

        def opened(options: dict[str, object]) -> tuple[Iterator[AIMessage], AIMessage | None]:
            stream = iter(self._model.stream(_messages(system, user), extra_body=options))
            return stream, next(stream, None)

        stream, chunk = self._attempt(opened, on_wait)
        try:
            while chunk is not None:
                yield chunk
                try:
                    chunk = next(stream, None)
                except _FAILURES as exc:
                    raise self._error(exc) from exc
        finally:
            # Ends the connection, and with it the server's work.
            stream.close()  # type: ignore[attr-defined]

    def _attempt(
        self, call: Callable[[dict[str, object]], _T], on_wait: Callable[[], None] = lambda: None
    ) -> _T:
        """The call's result; options that the server refuses are dropped, and what may pass is tried again."""
        before, tries = self._options, 0
        while True:
            try:
                return call(self._options)
            except _FAILURES as exc:
                if fault_of(exc) is Fault.REFUSED and self._drop(str(exc)):
                    continue
                tries += 1
                seconds = wait_s(exc, tries) if tries <= self._chat.max_retries else None
                if seconds is None:
                    self._options = before
                    raise self._error(exc) from exc
                wait(seconds, on_wait)

    def _broken(self, exc: ChatModelError, begun: bool) -> ChatModelError:
        """A reply that had begun and cannot go on has broken off, whatever the network calls it."""
        if begun and exc.fault == Fault.UNREACHABLE:
            return ChatModelError(name=self.name, reason=REASONS[Fault.CUT], fault=Fault.CUT)
        return exc

    def _drop(self, complaint: str) -> bool:
        """Leave away the options that the server names, or all when it names none; whether any was left."""
        optional = [name for name in self._options if name not in _LIMITS]
        refused = [name for name in optional if name in complaint] or optional
        self._options = {name: value for name, value in self._options.items() if name not in refused}
        return bool(refused)

    def _record(self, counts: AIMessage | None, asked: str, reply: str) -> None:
        """Count a call as the server does, else by its characters."""
        told = counts.usage_metadata if counts else None
        if told and (told["input_tokens"] or told["output_tokens"]):
            cached = (told.get("input_token_details") or {}).get("cache_read") or 0
            call = priced(
                self.price, prompt=told["input_tokens"], completion=told["output_tokens"], cached=cached
            )
        else:
            prompt = tokens_about(asked) + MESSAGE_TOKENS
            call = priced(self.price, prompt=prompt, completion=tokens_about(reply), estimated=True)
        record(call)

    def _find_window(self) -> Window | None:
        if self._chat.context_tokens is not None:
            return Window(tokens=self._chat.context_tokens, source="set")
        known = known_model(self.endpoint, self.name)
        if known is not None:
            return Window(tokens=known.window, source="known")
        return self.server.window(self.name) if self._tells else None

    @property
    def _tells(self) -> bool:
        """Whether the server is of a kind that may tell its model's window."""
        profile = self.endpoint.profile
        return profile is None or profile.is_local

    def _error(self, exc: Exception) -> ChatModelError:
        return ChatModelError(name=self.name, reason=reason_of(exc, self.endpoint.key), fault=fault_of(exc))


# OpenAI renamed the limit of a reply; the others know the older name.
_LIMITS: Final = ("max_completion_tokens", "max_tokens")


def _options(chat: ChatSettings, endpoint: Endpoint) -> dict[str, object]:
    """What a request carries beside its messages; only the limit of the reply cannot be left away."""
    profile = endpoint.profile
    limit = _LIMITS[0] if profile is not None and profile.name == "openai" else _LIMITS[1]
    options: dict[str, object] = {
        limit: chat.max_answer_tokens,
        "temperature": chat.temperature,
        "stream_options": {"include_usage": True},
    }
    if profile is not None and not chat.thinking:
        options |= dict(profile.without_thinking)
    return options


def _say(said: str, parts: list[str], on_text: Callable[[str], None]) -> None:
    if said:
        parts.append(said)
        on_text(said)


def _messages(system: str, user: str) -> list[SystemMessage | HumanMessage]:
    return [SystemMessage(system), HumanMessage(user)]


def make_chat_model(settings: Settings) -> ChatModel | None:
    """The configured chat model, or ``None`` when none is set."""
    if not settings.has_chat_model:
        return None
    return ChatModel(settings.chat, endpoint_of(settings), decision_cache(settings))


def decision_cache(settings: Settings) -> BaseCache | None:
    """Where model decisions are kept: SQLite under the home folder, a Redis URL, or nowhere."""
    where = settings.chat.cache
    if where == "none":
        return None
    if where.startswith(("redis://", "rediss://")):
        try:
            from langchain_community.cache import RedisCache
            from redis import Redis
        except ModuleNotFoundError as exc:
            raise MissingExtraError(name="redis", install="pip install redis") from exc
        return RedisCache(redis_=Redis.from_url(where))
    from langchain_community.cache import SQLiteCache

    settings.home.mkdir(parents=True, exist_ok=True)
    drop_damaged_decisions(settings.home)
    return SQLiteCache(database_path=str(settings.home / "decisions.db"))
