"""What must stay in one chunk does so with ``semantic`` and ``clause``, and would not by chance."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.chunk import Chunk
from core.document import Document
from core.registry import resolve
from core.settings import ChunkingSettings, Settings
from core.span import Span
from ingest import hierarchy
from ingest.embedders.hashing import HashingEmbedder
from ingest.sections import sections_of
from ingest.similarity import Similarity
from ingest.splitters.splitter import SplitTools

HERE = Path(__file__).parent
TOKENS = HashingEmbedder(Settings(home=Path()))
TIGHT = ChunkingSettings(
    min_tokens=30, soft_tokens=100, hard_tokens=180, overlap_tokens=10, parent_soft_tokens=400
)

# File, what the unit shows, its first and its last words.
UNITS = [
    ("rules.md", "conditions, a nested list and its exception", "员工可以申请远程办公", "直属上级同意。"),
    ("rules.md", "a rule, a condition and what happens otherwise", "远程办公每周最多两天", "按事假处理。"),
    ("rules.md", "a definition and its use", "本制度所称“核心工作时段”", "十分钟内回复消息。"),
    ("rules.md", "one, two, three", "公司把资料分为三级", "人员查阅。"),
    ("rules.md", "a rule, its exception and what points back", "机密资料一般不得", "上述期限不得延长。"),
    ("rules.md", "a table and its announcement", "各类设备的报废年限如下表", "物理销毁 |"),
    ("rules.md", "a question and its answer", "问：收到可疑邮件", "然后删除原件。"),
    ("rules.md", "an article of two paragraphs", "第三十一条", "以直接损失为限。"),
    ("rules.md", "an article with a list", "第三十二条", "盗用他人账号的。"),
    ("manual.md", "a definition and its use", '"Standby" means', "primed by hand."),
    ("manual.md", "steps with choices inside", "To start a batch", "within ten seconds."),
    ("manual.md", "a limit, its exception, a remark", "The heater stops at 95", "changed by the user."),
    ("manual.md", "a rule and its exception", "The batch is discarded", "the lid is closed."),
    ("manual.md", "an announcement and its code", "The serial port answers", "read(4))\n```"),
]  # fmt: skip


def chunked(name: str, strategy: str, tools: SplitTools) -> tuple[Document, tuple[Chunk, ...]]:
    document = resolve("parser", "markdown")().parse((HERE / name).read_bytes(), name)
    sections = sections_of(document, TIGHT, TOKENS)
    pieces = resolve("splitter", strategy)(TIGHT, tools).split(sections)
    return document, hierarchy.build("version", sections, pieces, TIGHT)[0]


def torn(strategy: str, tools: SplitTools) -> list[str]:
    """The units that no chunk holds whole."""
    found = []
    for name in ("rules.md", "manual.md"):
        document, chunks = chunked(name, strategy, tools)
        for file, what, first, last in UNITS:
            if file == name:
                start = document.text.index(first)
                unit = Span(start, document.text.index(last, start) + len(last))
                if not any(chunk.span.contains(unit) for chunk in chunks):
                    found.append(f"{file}: {what}")
    return found


TOOLS = {"alone": SplitTools(), "with similarity": SplitTools(similarity=Similarity(TOKENS, None))}


@pytest.mark.parametrize("tools", TOOLS.values(), ids=list(TOOLS))
def test_semantic_tears_no_unit(tools: SplitTools) -> None:
    assert torn("semantic", tools) == []


def test_clause_tears_no_unit() -> None:
    assert torn("clause", SplitTools()) == []


def test_the_units_are_torn_by_what_is_blind_to_them() -> None:
    assert len(torn("fixed", SplitTools())) >= len(UNITS) // 2
    assert len(torn("recursive", SplitTools())) >= 2


def test_nothing_is_kept_whole_by_being_large() -> None:
    for name in ("rules.md", "manual.md"):
        _, chunks = chunked(name, "semantic", SplitTools())
        assert sum(chunk.token_count for chunk in chunks) / len(chunks) < TIGHT.soft_tokens * 1.1


def test_a_chapter_break_in_the_middle_of_a_topic_is_never_crossed() -> None:
    document, chunks = chunked("rules.md", "semantic", SplitTools())
    wall = document.text.index("## 第三章")
    assert not any(chunk.span.start < wall < chunk.span.end for chunk in chunks)
    before = max((chunk for chunk in chunks if chunk.span.end <= wall), key=lambda chunk: chunk.ordinal)
    assert before.next_id is None
