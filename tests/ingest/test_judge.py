"""The judge: several borders a call, in form and in time or not at all; kept, counted, never obeyed blindly."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from core.chat.model import make_chat_model
from core.chat.usage import counted
from core.errors import ChatModelError
from core.settings import Settings
from ingest.judge import Judge, Pair, Ruling
from ingest.pipeline import Ingest
from ingest.sources import sources_of
from ingest.workspace import Workspace
from tests.scripted_openai import Script, serving

PAIRS = [Pair(before=f"甲{n}。", after=f"乙{n}。") for n in range(3)]


def reply(*decisions: str, extra: str = "") -> str:
    borders = [{"pair": n, "decision": decision} for n, decision in enumerate(decisions, start=1)]
    return json.dumps({"borders": borders}) + extra


class Replies:
    """A model that says one prepared thing after the other; an error is raised."""

    name = "replies"

    def __init__(self, *replies: str | ChatModelError) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[str, str]] = []

    def decide(self, instruction: str, data: str) -> str:
        self.asked.append((instruction, data))
        said = self.replies.pop(0)
        if isinstance(said, ChatModelError):
            raise said
        return said


def test_several_borders_are_one_call_and_a_group_never_shares_one() -> None:
    model = Replies(reply("MERGE", "SPLIT"), reply("SPLIT"))
    rulings = Judge(model).rule([PAIRS[:2], PAIRS[2:3]])
    assert rulings == [[Ruling.MERGE, Ruling.SPLIT], [Ruling.SPLIT]]
    assert [len(json.loads(data)) for _, data in model.asked] == [2, 1]


class Parting:
    """Answers every call, whatever it holds."""

    name = "parting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def decide(self, instruction: str, data: str) -> str:
        self.asked.append(data)
        return reply(*["SPLIT"] * len(json.loads(data)))


MANY = [Pair(before=f"第{n}段。", after=f"第{n + 1}段。") for n in range(100)]


def test_many_borders_are_a_few_calls() -> None:
    model = Parting()
    assert Judge(model).rule([MANY]) == [[Ruling.SPLIT] * 100]
    assert 13 <= len(model.asked) <= 40
    assert max(len(json.loads(data)) for data in model.asked) <= 8


def test_after_an_edit_nearly_all_calls_are_the_known_ones() -> None:
    before, after = Parting(), Parting()
    Judge(before).rule([MANY])
    Judge(after).rule([[MANY[0], Pair(before="新。", after="新的一段。"), *MANY[1:]]])
    assert len(set(after.asked) - set(before.asked)) <= 3


def test_a_fenced_reply_is_read() -> None:
    assert Judge(Replies(f"```json\n{reply('MERGE')}\n```")).rule([PAIRS[:1]]) == [[Ruling.MERGE]]


@pytest.mark.parametrize(
    "bad",
    [
        "MERGE",
        reply("MERGE", extra=" I hope this helps."),
        reply("PERHAPS"),
        reply("MERGE", "MERGE"),
        '{"borders": [{"pair": 2, "decision": "MERGE"}]}',
        '{"borders": [{"pair": 1, "decision": "MERGE", "position": 17}]}',
        '{"borders": [{"pair": 1, "decision": "MERGE"}, {"pair": 1, "decision": "SPLIT"}]}',
        "",
    ],
)
def test_a_reply_out_of_form_is_asked_again_once(bad: str) -> None:
    model = Replies(bad, reply("SPLIT"))
    assert Judge(model).rule([PAIRS[:1]]) == [[Ruling.SPLIT]]
    # Another instruction, or a cache would give the bad reply again.
    assert model.asked[0][0] != model.asked[1][0]
    assert Judge(Replies(bad, bad)).rule([PAIRS[:1]]) == [[None]]


def test_a_failing_model_leaves_the_border_open_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        rulings = Judge(Replies(ChatModelError(name="m", reason="no"), reply("MERGE"))).rule(
            [PAIRS[:1], PAIRS[1:2]]
        )
    assert rulings == [[None], [Ruling.MERGE]]
    assert "no" in caplog.text


def test_after_its_time_nothing_is_asked() -> None:
    model = Replies()
    assert Judge(model, seconds=0.0).rule([PAIRS[:2]]) == [[None, None]]
    assert not model.asked


def test_decisions_are_kept_and_calls_counted(tmp_path: Path) -> None:
    with serving(lambda request: reply("MERGE")) as server:
        settings = Settings(
            home=tmp_path,
            openai_base_url=server.url,
            openai_api_key="k",
            chat={"model": "m", "cache": "sqlite"},
        )  # type: ignore[arg-type]
        model = make_chat_model(settings)
        assert model is not None
        with counted() as calls:
            for _ in range(3):
                assert Judge(model).rule([PAIRS[:1]]) == [[Ruling.MERGE]]
        assert len(calls) == 1
        assert len(server.requests) == 1
        assert "m" in Judge(model).fingerprint


TEXT = "# 笔记\n\n" + "\n\n".join(
    f"第{n}组在{place}巡查，记录水位、气温和设备状态，{place}的值班员签字，记录交办公室存档。"
    for n, place in enumerate(["码头", "机房", "仓库", "食堂", "码头", "机房", "仓库", "食堂"] * 3)
)


def test_an_ingest_reports_what_its_judge_took(tmp_path: Path) -> None:
    def rule(request: dict[str, object]) -> Script:
        data = json.loads(request["messages"][1]["content"])  # type: ignore[index]
        return Script(
            [reply(*["SPLIT"] * len(data))],
            usage={"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        )

    (tmp_path / "a.md").write_text(TEXT, "utf-8")
    with serving(rule) as server:
        settings = Settings(
            home=tmp_path / "base",
            embedding={"name": "hashing"},
            chunking={"strategy": "semantic", "min_tokens": 40, "soft_tokens": 60, "hard_tokens": 100},
            openai_base_url=server.url,
            openai_api_key="k",
            chat={"model": "m"},
        )  # type: ignore[arg-type]
        workspace = Workspace(settings)
        report = Ingest(workspace).add_sources(sources_of([tmp_path / "a.md"]), "default")
        workspace.close()
        asked = len(server.requests)
    assert asked >= 1
    assert report.as_json("en")["chat"] == {
        "calls": asked,
        "prompt_tokens": 100 * asked,
        "completion_tokens": 10 * asked,
        "price": None,
        "currency": "",
    }
