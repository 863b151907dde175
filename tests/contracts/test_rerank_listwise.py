"""The chat model as a reranker: valid orders only, windows from the back, its time, its room, its cache."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from core.chat.usage import counted, tokens_at_most
from core.errors import ChatModelError, ModelError, SettingsError
from core.settings import Settings
from retrieval.rerankers.listwise import ListwiseReranker
from tests.scripted_openai import serving


class Replies:
    """A model that says one prepared thing after the other, the last one again and again."""

    name = "replies"

    def __init__(self, *replies: object, room: int | None = None) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[str, str]] = []
        self._room = room

    def room(self) -> int | None:
        return self._room

    def decide(self, instruction: str, data: str) -> str:
        self.asked.append((instruction, data))
        said = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(said, ChatModelError):
            raise said
        if callable(said):
            return str(said([passage["text"] for passage in json.loads(data)["passages"]]))
        return str(said)


def by_number(texts: list[str]) -> str:
    """The order of a model that sees what is right: texts are numbers, the largest first."""
    order = sorted(range(len(texts)), key=lambda place: -int(texts[place].split()[0]))
    return json.dumps({"order": [place + 1 for place in order]})


def order_of(scores: list[float]) -> list[int]:
    return sorted(range(len(scores)), key=lambda place: (-scores[place], place))


def made(model: Replies, **options: object) -> ListwiseReranker:
    return ListwiseReranker(Settings(retrieval=options), model)  # type: ignore[arg-type]


def test_the_models_order_becomes_scores() -> None:
    model = Replies('{"order": [3, 1, 2]}')
    scores = made(model).rerank("问", ["a", "b", "c"])
    assert scores == pytest.approx([2 / 3, 1 / 3, 1.0])
    assert json.loads(model.asked[0][1]) == {
        "question": "问",
        "passages": [{"number": 1, "text": "a"}, {"number": 2, "text": "b"}, {"number": 3, "text": "c"}],
    }


def test_what_the_model_leaves_out_keeps_its_order_behind() -> None:
    assert order_of(made(Replies('```json\n{"order": [4]}\n```')).rerank("问", list("abcde"))) == [
        3,
        0,
        1,
        2,
        4,
    ]


@pytest.mark.parametrize(
    "bad",
    [
        "3 > 1 > 2",
        '{"order": []}',
        '{"order": [1, 1, 2]}',
        '{"order": [0, 1, 2]}',
        '{"order": [1, 2, 4]}',
        '{"order": ["1", "2", "3"]}',
        '{"order": [2, 1, 3], "why": "because"}',
        '{"order": [2, 1, 3]} I hope this helps.',
        "",
    ],
)
def test_a_reply_out_of_form_is_asked_again_once_and_then_it_is_an_error(bad: str) -> None:
    model = Replies(bad, '{"order": [2, 1, 3]}')
    assert order_of(made(model).rerank("问", list("abc"))) == [1, 0, 2]
    # Another instruction, or a cache would give the bad reply again.
    assert model.asked[0][0] != model.asked[1][0]
    with pytest.raises(ModelError):
        made(Replies(bad)).rerank("问", list("abc"))


def test_windows_slide_from_the_back_so_that_the_best_rises_through_all() -> None:
    texts = [str(n) for n in range(60)]
    model = Replies(by_number)
    found = order_of(made(model).rerank("问", texts))
    assert found[:10] == list(range(59, 49, -1))
    assert sorted(found) == list(range(60))
    sizes = [len(json.loads(data)["passages"]) for _, data in model.asked]
    assert sizes == [20] * 5


@pytest.mark.parametrize("count", [1, 2, 3, 7, 19, 20, 21, 29, 31, 40])
def test_every_number_of_passages_is_covered(count: int) -> None:
    found = order_of(made(Replies(by_number)).rerank("问", [str(n) for n in range(count)]))
    assert found[0] == count - 1
    assert sorted(found) == list(range(count))


def test_prompts_keep_within_the_models_room() -> None:
    texts = [f"{n} " + "字" * 300 for n in range(12)]
    model = Replies(by_number, room=2000)
    assert order_of(made(model).rerank("问", texts))[0] == 11
    assert len(model.asked) > 1
    assert max(tokens_at_most(instruction + data) for instruction, data in model.asked) <= 2000
    with pytest.raises(ModelError):
        made(Replies(by_number, room=300)).rerank("问", texts)


def test_long_passages_are_cut() -> None:
    model = Replies(by_number)
    made(model, reranker_max_chars=50).rerank("问", ["1 " + "字" * 99, "2"])
    assert json.loads(model.asked[0][1])["passages"][0]["text"] == "1 " + "字" * 48


def test_a_window_that_fails_keeps_its_order_and_the_others_count(caplog: pytest.LogCaptureFixture) -> None:
    texts = [str(n) for n in range(30)]
    model = Replies(by_number, ChatModelError(name="m", reason="no"))
    with caplog.at_level(logging.WARNING):
        found = order_of(made(model).rerank("问", texts))
    assert found == [*range(10), *range(29, 9, -1)]
    assert "no" in caplog.text
    with pytest.raises(ChatModelError):
        made(Replies(ChatModelError(name="m", reason="no"))).rerank("问", texts)


def test_after_its_time_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 8))
    monkeypatch.setattr("retrieval.rerankers.listwise.time.monotonic", lambda: float(next(clock)))
    model = Replies(by_number)
    made(model, reranker_timeout_s=30.0).rerank("问", [str(n) for n in range(60)])
    assert 1 <= len(model.asked) < 5


def test_one_text_needs_no_model() -> None:
    model = Replies(ChatModelError(name="m", reason="no"))
    assert made(model).rerank("问", ["a"]) == [1.0]
    assert made(model).rerank("问", []) == []
    assert not model.asked


def test_the_configured_model_is_asked_once_and_remembered(tmp_path: Path) -> None:
    with serving(lambda request: '{"order": [2, 1]}') as server:
        settings = Settings(
            home=tmp_path, openai_base_url=server.url, openai_api_key="k", chat={"model": "m"}
        )  # type: ignore[arg-type]
        reranker = ListwiseReranker(settings)
        with counted() as calls:
            for _ in range(3):
                assert order_of(reranker.rerank("问", ["a", "b"])) == [1, 0]
        assert len(calls) == len(server.requests) == 1


def test_without_a_chat_model_the_setting_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        ListwiseReranker(Settings(home=tmp_path))
    assert "YOUJU_CHAT__MODEL" in str(caught.value)
