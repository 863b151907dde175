"""What the chat shows of a comparison."""

from __future__ import annotations

from typing import Any

from app.managing.difference_view import difference_shown
from ingest.versions.difference import load_difference, load_pair
from tests.app.managing.visits import Visits

FILLER = "这一句很长，没有变化，" * 12


def shown(visits: Visits, *names: str) -> dict[str, Any]:
    with visits.base.workspace.store.read() as reader:
        rows = [reader.document(name) for name in names]
        if len(rows) == 1:
            return difference_shown(load_difference(reader, rows[0]), "zh")
        pair = [(row, row.version_number) for row in rows]
        return difference_shown(load_pair(reader, pair[0], pair[1]), "en")


def words(runs: list[dict[str, Any]], changed: bool) -> str:
    return "".join(run["text"] for run in runs if run["changed"] == changed)


def test_the_words_that_changed_stand_beside_each_other(visits: Visits) -> None:
    visits.add("a.md", f"# 办法\n\n{FILLER}校准每年一次。{FILLER}\n")
    visits.add("a.md", f"# 办法\n\n{FILLER}校准每两年一次。{FILLER}\n\n新增一段。\n")
    props = shown(visits, "a.md")
    assert props["sum"].startswith("1 处变化")
    [place] = props["places"]
    changed, added = place["rows"]
    assert "两" in words(changed["new"], True)
    assert "，校准" in words(changed["old"], False)
    # What stayed is shortened, on the side away from the change.
    assert words(changed["old"], False).count("…") == 2
    assert len(words(changed["old"], False)) < 300
    assert (added["old"], words(added["new"], True)) == ([], "新增一段。")
    assert props["link"].startswith("/compare?a=")
    assert props["more"] == ""


def test_much_that_changed_is_cut_short_and_says_so(visits: Visits) -> None:
    old = "".join(f"## 第{n}节\n\n旧的第{n}条。\n\n不变的一行{n}。\n\n还有一行{n}。\n\n" for n in range(40))
    visits.add("a.md", old)
    visits.add("a.md", old.replace("旧的", "新的"))
    props = shown(visits, "a.md")
    assert "40 处变化" in props["sum"]
    assert len(props["places"]) == 6
    assert props["more"] == "另有 34 处，见完整对比。"
    assert sum(len(place["rows"]) for place in props["places"]) <= 24


def test_two_documents_of_the_same_words(visits: Visits) -> None:
    visits.add("a.md", "# one\n\nsame words\n")
    visits.add("b.txt", "# one\n\nsame words\n\n")
    props = shown(visits, "a.md", "b.txt")
    assert props["sum"] == "The text is the same."
    assert props["places"] == []
    assert props["old"].startswith("a.md · version 1")
