"""Documents that are read from end to end in tests, and the laws of what comes of it."""

from __future__ import annotations

import re
from pathlib import Path

from core.settings import Settings
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase
from retrieval.query.understand import understand
from retrieval.whole.read import WholeAnswer, read_whole
from retrieval.whole.stretch import Stretch, gather
from tests.support import make_ingest

_NAMES = (
    "北京上海广州深圳成都重庆杭州南京武汉西安苏州天津长沙郑州青岛"
    "宁波东莞佛山合肥昆明沈阳济南无锡厦门福州温州南宁泉州贵阳南昌"
)
CITIES = [_NAMES[place : place + 2] for place in range(0, len(_NAMES), 2)]

# Thirty suppliers, each in a section of its own, between what is no supplier.
SUPPLIERS = "# 采购名册\n\n本名册由采购部每年一月更新。\n" + "".join(
    f"\n## {city}办事处\n\n办事处的日常开支由当地经理审批，每月底向总部报送一次报表。\n\n"
    f"供应商：{city}{'恒远' if number % 2 else '立新'}材料有限公司，编号{100 + number}号。\n"
    for number, city in enumerate(CITIES)
)

STATUTE = """\
# 院落管理规定

目录

第一章 总则
第二章 车辆
第三章 附则

## 第一章 总则

第一条 为了管好院落，制定本规定。

第二条 本规定适用于全部住户。

## 第二章 车辆

第三条 车辆进入院落须同时满足下列条件：

（一）持有通行证；

（二）时速不超过五公里；

（三）不鸣笛。

第四条 自行车停放在东门车棚。

## 第三章 附则

第五条 本规定自2024年5月1日起施行。第三条第二项的时速由保安测量。
"""

REPORT = """\
# Harbour Report

## Storms

The harbour was closed for nine days because of storms. Storms damaged the north pier [7]. Repairs of the pier took
until June.

## Trade

| Port | Goods | Tonnes |
| --- | --- | --- |
| Brest | grain | 400 |
| Cork | timber | 900 |

## Staff

The harbour employs 61 people. Most of them work on the piers.
"""


def holding(settings: Settings, folder: Path, **documents: str) -> KnowledgeBase:
    """A knowledge base with these documents, each called by its name and ``.md``."""
    base = KnowledgeBase(settings)
    folder.mkdir(exist_ok=True)
    for name, text in documents.items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    sources = [Source(name=f"{name}.md", path=folder / f"{name}.md") for name in documents]
    report = make_ingest(base).add_sources(sources, "default")
    assert not any(result.error for result in report.files)
    return base


def gathered(base: KnowledgeBase, question: str, *names: str, section: str = "") -> Stretch:
    with base.workspace.store.read() as reader:
        versions = [reader.document(f"{name}.md").version_id for name in names]
        return gather(reader, versions, understand(question), section)


def read(base: KnowledgeBase, question: str, *names: str, section: str = "") -> WholeAnswer:
    """The answer without a model."""
    stretch = gathered(base, question, *names, section=section)
    answer = read_whole(understand(question), stretch, None, max_tokens=1000)
    assert_lawful(answer, stretch)
    return answer


def assert_lawful(answer: WholeAnswer, stretch: Stretch) -> None:
    """Every citation is the source to the character, inside its passage; numbers count up, each is cited."""
    for citation in answer.draft.citations:
        passage = answer.passages[citation.passage]
        text = stretch.sources[passage.version_id].version.text
        assert passage.span.contains(citation.span)
        assert passage.text == passage.span.of(text)
        assert citation.text == citation.span.of(text)
        assert citation.sentence
    numbers = [int(n) for n in re.findall(r"\[(\d+)\]", answer.draft.text)]
    assert list(dict.fromkeys(numbers)) == list(range(1, len(set(numbers)) + 1))
    assert {citation.n for citation in answer.draft.citations} == set(numbers)
    assert answer.draft.answered == bool(answer.draft.citations)
