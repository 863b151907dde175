"""What cannot be chosen here is as it is set, whatever a form or an old chat says."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.form.choices import choices_of
from app.form.preference_form import (
    DEPTHS,
    LANGUAGES,
    Preferences,
    changes,
    effective,
    read_preferences,
    value_word,
)
from app.texts import TEXTS
from core.registry import REGISTRY
from core.settings import Settings

PLAIN = choices_of(Settings())
MODEL = choices_of(Settings(chat={"model": "m", "base_url": "http://localhost:1"}))  # type: ignore[arg-type]
FIELDS = tuple(asdict(Preferences()))


def test_what_is_as_set_is_not_kept() -> None:
    assert read_preferences(effective(Preferences(), MODEL), MODEL) == Preferences()


def test_a_choice_is_kept_and_comes_back_from_json() -> None:
    form = {
        "method": "step-by-step",
        "strict": True,
        "reranker": "llm",
        "expand": False,
        "passages": 3.0,
        "language": "en",
        "depth": "full",
        "strategy": "clause",
    }
    chosen = read_preferences(form, MODEL)
    assert read_preferences(json.loads(json.dumps(asdict(chosen))), MODEL) == chosen
    assert effective(chosen, MODEL) == form
    options = chosen.ask_options()
    assert (options.method, options.strict, options.passages) == ("step-by-step", True, 3)
    # The chat is opened again where no chat model is set any more.
    assert read_preferences(asdict(chosen), PLAIN).ask_options().method is None
    assert read_preferences(asdict(chosen), PLAIN).ask_options().reranker is None


@given(
    st.dictionaries(
        st.sampled_from(FIELDS),
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.lists(st.none()),
    )
)
def test_no_form_breaks_it(values: dict[str, object]) -> None:
    read = read_preferences(values, PLAIN)
    now = effective(read, PLAIN)
    assert now["method"] == "extractive"
    assert 1 <= int(str(now["passages"])) <= PLAIN.most_passages
    assert now["depth"] in DEPTHS and now["language"] in LANGUAGES


def test_only_what_works_here_is_offered(tmp_path: Path) -> None:
    assert PLAIN.methods == ("extractive",)
    assert PLAIN.rerankers == ("builtin", "none")
    assert MODEL.methods == ("extractive", "llm", "step-by-step")
    assert "llm" in MODEL.rerankers and "api" not in MODEL.rerankers
    served = choices_of(Settings(retrieval={"reranker_url": "http://localhost:1"}))  # type: ignore[arg-type]
    assert "api" in served.rerankers
    # Of another name it would have to be fetched first; the one that is set is always there.
    assert "cross-encoder" not in served.rerankers
    local = choices_of(Settings(retrieval={"reranker_model": str(tmp_path)}))  # type: ignore[arg-type]
    chosen = choices_of(Settings(retrieval={"reranker": "cross-encoder"}))  # type: ignore[arg-type]
    assert "cross-encoder" in chosen.rerankers
    assert set(local.rerankers) <= set(REGISTRY["reranker"])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_choice_has_a_name_and_every_field_a_line_about_it(language: str) -> None:
    lists = {
        "method": REGISTRY["answerer"],
        "reranker": REGISTRY["reranker"],
        "strategy": REGISTRY["splitter"],
        "depth": DEPTHS,
        "language": LANGUAGES,
    }
    for field, names in lists.items():
        for name in names:
            assert f"{field}_{name}" in TEXTS, (field, name)
            assert value_word(field, name, language)
    for field in FIELDS:
        assert TEXTS[f"pref_{field}"][language] and TEXTS[f"pref_{field}_help"][language]


def test_what_changed_is_said_in_words() -> None:
    before, after = Preferences(passages=3), Preferences(passages=5, strict=True)
    assert changes(before, after, MODEL, "zh") == "严格模式：开；原文段数：5"
    assert changes(before, before, MODEL, "en") == ""
    # Somebody's own reranker has no words but its name.
    assert value_word("reranker", "mine", "zh") == "mine"
