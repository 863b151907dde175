"""A list over a whole document is read whole, through the same door as any other question."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import CancelledError
from retrieval.knowledge_base import KnowledgeBase
from retrieval.results import answer_json
from tests.scripted_openai import serving
from tests.support import make_ingest

ITEMS = [
    f"{number}. {name}须每月检查。"
    for number, name in enumerate(
        [
            "锅炉",
            "水泵",
            "风机",
            "配电柜",
            "电梯",
            "空调",
            "冷库",
            "叉车",
            "吊车",
            "储罐",
            "管道",
            "阀门",
            "消防栓",
            "喷淋",
            "报警器",
        ],
        1,
    )
]
LIST = "# 设备检查清单\n\n下列设备须检查：\n\n" + "\n".join(ITEMS) + "\n"


def test_every_item_is_cited_and_the_share_is_stated(base: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "设备检查清单.md").write_text(LIST, "utf-8")
    make_ingest(base).add([tmp_path], "default")
    answer = base.ask("《设备检查清单》里列出了哪些须检查的设备？")
    assert answer.answered
    assert answer.read is not None
    assert answer.read.percent == 100
    cited = "".join(citation.text for citation in answer.citations)
    assert all(item in cited for item in ITEMS)
    for citation in answer.citations:
        assert citation.text in answer.search.passages[citation.passage].text
    assert answer_json(answer)["read"]["percent"] == 100  # type: ignore[index]


def test_an_ordinary_question_is_searched(base: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "设备检查清单.md").write_text(LIST, "utf-8")
    make_ingest(base).add([tmp_path], "default")
    assert base.ask("电梯多久检查一次？").read is None


def test_a_reading_by_the_model_can_be_cancelled(base: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "设备检查清单.md").write_text(LIST, "utf-8")
    make_ingest(base).add([tmp_path], "default")
    with serving(lambda request: "{}") as server:
        settings = base.settings.model_copy(
            update={
                "openai_base_url": server.url,
                "chat": base.settings.chat.model_copy(update={"model": "m", "base_url": server.url}),
            }
        )
        asking = KnowledgeBase(settings)
        with pytest.raises(CancelledError):
            asking.ask("《设备检查清单》里列出了哪些须检查的设备？", cancelled=lambda: True)
        asking.workspace.close()
