"""Ours with settings changed for a comparison: ``ours:retrieval.rrf_k=60:ask=last-turn``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ValidationError

from core.errors import SettingsError
from core.settings import Settings
from evaluation.chunkers import Spec, spec_of

OURS: Final = "ours"

# The steps of the line, each removed in turn (``--ablation``): what is set to do without it.
ABLATIONS: Final = (
    "retrieval.dense=false",
    "retrieval.lexical=false",
    "retrieval.sentences=false",
    "retrieval.reranker=none",
    "retrieval.understand=false",
    "retrieval.expand=false",
    "retrieval.core_share=0.5",
    "retrieval.max_passages_per_document=50",
)


class Ask(StrEnum):
    """How a question of a conversation is asked."""

    HISTORY = "history"
    LAST_TURN = "last-turn"
    REWRITE = "rewrite"


CONVERSATIONS: Final = (OURS, f"{OURS}:ask={Ask.LAST_TURN}", f"{OURS}:ask={Ask.REWRITE}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """``sets_tokens``: its token budget is its own, and not that of the comparison."""

    name: str
    settings: Settings
    ask: Ask
    sets_tokens: bool


def ablations() -> list[str]:
    """Ours, and ours without each step."""
    return [OURS, *(f"{OURS}:{changed}" for changed in ABLATIONS)]


def variant_of(written: str, settings: Settings) -> Variant:
    """Raises ``SettingsError`` with the known names for a setting that does not exist."""
    spec = spec_of(written, "--variants")
    if spec.name != OURS:
        raise SettingsError(name="--variants", reason=f"expected {OURS}:setting=value, got {written!r}")
    changes = dict(spec.options)
    ask = ask_of(spec, changes.pop("ask", Ask.HISTORY))
    return Variant(
        name=spec.written,
        settings=_changed(settings, spec.written, changes),
        ask=ask,
        sets_tokens="retrieval.max_tokens" in changes,
    )


def ask_of(spec: Spec, value: str) -> Ask:
    """Raises ``SettingsError``."""
    try:
        return Ask(value)
    except ValueError as exc:
        reason = f"{spec.written}: expected ask to be one of {', '.join(Ask)}"
        raise SettingsError(name="--variants", reason=reason) from exc


def _changed(settings: Settings, written: str, changes: dict[str, str]) -> Settings:
    """All changes of a group at once: one alone might not go with the others' old values."""
    by_group: dict[str, dict[str, str]] = {}
    for name, value in changes.items():
        group_name, _, field = name.partition(".")
        group = getattr(settings, group_name, None)
        if not isinstance(group, BaseModel) or field not in type(group).model_fields:
            reason = f"{written}: there is no {name!r}; known: {', '.join(_known(settings, group_name))}"
            raise SettingsError(name="--variants", reason=reason)
        by_group.setdefault(group_name, {})[field] = value
    groups = {name: _validated(getattr(settings, name), written, given) for name, given in by_group.items()}
    return settings.model_copy(update=groups)


def _validated(group: BaseModel, written: str, given: dict[str, str]) -> BaseModel:
    try:
        # What is set, and not what a preset would then be overruled by.
        return type(group).model_validate(group.model_dump(exclude_unset=True) | given)
    except ValidationError as exc:
        reason = f"{written}: {exc.errors()[0]['msg'].removeprefix('Value error, ')}"
        raise SettingsError(name="--variants", reason=reason) from exc


def _known(settings: Settings, group_name: str) -> list[str]:
    """The settings of the group, or of all groups when there is no such."""
    groups = {
        name: getattr(settings, name)
        for name in Settings.model_fields
        if isinstance(getattr(settings, name), BaseModel)
    }
    chosen = {group_name: groups[group_name]} if group_name in groups else groups
    return [f"{name}.{field}" for name, group in chosen.items() for field in type(group).model_fields]
