"""A failed model call as a finding: what is wrong in plain words, and one line that tells how to mend it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from app.doctor.texts import DOCTOR_TEXTS
from core.chat.profiles import Endpoint

MAX_OFFERED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of the report. ``good`` is ``None`` for what is merely not set up; ``mend`` may be empty."""

    good: bool | None
    text: str
    mend: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """Makes findings in one language."""

    language: str

    def __call__(self, good: bool | None, key: str, mend: str = "", **values: object) -> Finding:
        return Finding(good=good, text=self.text(key, **values), mend=mend)

    def text(self, key: str, **values: object) -> str:
        return DOCTOR_TEXTS[key][self.language].format(**values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """The call that was tried: which model, by which settings, and how to ask what the server offers."""

    kind: Literal["chat", "embedding"]
    name: str
    endpoint: Endpoint
    key_variable: str
    model_setting: str
    timeout_setting: str
    timeout_s: float
    offered: Callable[[], list[str]]


def address(url: str) -> str:
    """The address without a user's name and password in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def failed(say: Say, called: Called, fault: str, reason: str) -> Finding:
    """The finding for a fault of ``core.chat.faults``."""
    if f"fault_{fault}" not in DOCTOR_TEXTS:
        # The reason says what was wrong with the reply itself.
        fault = "other"
    offered = called.offered() if fault in ("model", "refused") else []
    if fault == "refused" and offered and called.name not in offered:
        # DeepSeek, for one, refuses an unknown model as a wrong request.
        fault = "model"
    values = {
        "what": say.text(f"what_{called.kind}", name=called.name),
        "address": address(called.endpoint.base_url),
        "seconds": f"{called.timeout_s:g}",
        "reason": reason,
    }
    text = say.text(f"fault_{fault}", **values)
    return Finding(good=False, text=text, mend=_mend(say, called, fault, offered))


def _mend(say: Say, called: Called, fault: str, offered: list[str]) -> str:
    profile = called.endpoint.profile
    if fault == "key":
        page = say.text("keys_at", page=profile.keys_at) if profile and profile.keys_at else ""
        return say.text("mend_key", variable=called.key_variable, keys_at=page)
    if fault == "model":
        return _mend_model(say, called, offered)
    if fault == "unreachable" and profile and profile.is_local:
        return say.text("mend_unreachable_local", title=profile.title, start=profile.start)
    if fault == "timeout":
        return say.text("mend_timeout", setting=called.timeout_setting)
    return say.text(f"mend_{fault}")


def _mend_model(say: Say, called: Called, offered: list[str]) -> str:
    profile = called.endpoint.profile
    if not offered or called.name in offered:
        return say.text("mend_model_unlisted", setting=called.model_setting)
    more = ["…"] if len(offered) > MAX_OFFERED else []
    shown = ", ".join([*offered[:MAX_OFFERED], *more])
    if profile and profile.name == "ollama":
        return say.text("mend_model_pull", name=called.name, offered=shown)
    return say.text("mend_model", setting=called.model_setting, offered=shown)
