"""What this session's user wants his own way: how to answer, what is shown, how new files are cut."""

from __future__ import annotations

from collections.abc import Mapping

import chainlit as cl

from app import state
from app.form.preference_form import TraceDepth, changes, read_preferences
from app.history.kept_values import last_kept
from retrieval.options import AskOptions


def ask_options() -> AskOptions:
    """How this session's questions are answered."""
    return state.preferences().ask_options()


def trace_depth() -> TraceDepth:
    """How much of the search is shown."""
    return state.preferences().depth


def upload_strategy() -> str | None:
    """How new files are cut, for ``Ingest(workspace.cutting_by(upload_strategy()))``; ``None``: as it is set."""
    return state.preferences().strategy


def prefer(values: Mapping[str, object]) -> str:
    """Keep what the form was filled in with; what changed, in words of the language that now holds."""
    before, after = state.preferences(), read_preferences(values, state.choices())
    state.prefer(after)
    return changes(before, after, state.choices(), state.language())


async def carry_over() -> None:
    """A new chat begins with what its user's last one had."""
    user_id = getattr(cl.context.session.user, "id", "")
    before = await last_kept(state.chats(), user_id, "preferences") if user_id else None
    if isinstance(before, Mapping):
        state.prefer(read_preferences(before, state.choices()))
