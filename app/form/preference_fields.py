"""The fields of the form that say how to answer, what is shown and how new files are cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chainlit.input_widget import InputWidget, Select, Slider, Switch

from app.form.choices import Choices
from app.form.preference_form import DEPTHS, LANGUAGES, Preferences, effective, value_word
from app.texts import text


def preference_fields(
    preferences: Preferences, choices: Choices, language: str
) -> dict[str, list[InputWidget]]:
    """The fields by the group they stand in, filled with what holds now."""
    now = effective(preferences, choices)
    answers: list[InputWidget] = [_select("method", choices.methods, now, language)]
    if choices.has_model:
        answers.append(_switch("strict", now, language))
    else:
        answers[0].description = text("pref_method_no_model", language)
    answers += [
        Slider(
            id="passages",
            label=text("pref_passages", language),
            initial=float(str(now["passages"])),
            min=1,
            max=choices.most_passages,
            step=1,
            description=text("pref_passages_help", language),
        ),
        _switch("expand", now, language),
        _select("reranker", choices.rerankers, now, language),
    ]
    return {
        "answers": answers,
        "display": [
            _select("language", LANGUAGES, now, language),
            _select("depth", DEPTHS, now, language),
        ],
        "uploads": [_select("strategy", choices.strategies, now, language)],
    }


def _select(key: str, names: Sequence[str], now: Mapping[str, object], language: str) -> InputWidget:
    return Select(
        id=key,
        label=text(f"pref_{key}", language),
        items={value_word(key, name, language): name for name in names},
        initial_value=str(now[key]),
        description=text(f"pref_{key}_help", language),
    )


def _switch(key: str, now: Mapping[str, object], language: str) -> InputWidget:
    return Switch(
        id=key,
        label=text(f"pref_{key}", language),
        initial=bool(now[key]),
        description=text(f"pref_{key}_help", language),
    )
