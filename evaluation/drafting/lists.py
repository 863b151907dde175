"""Questions for lists, from the sentence that leads to them: "…须满足以下条件：" asks for the conditions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from core.document import Block, BlockKind, Document
from core.span import Span
from evaluation.drafting.draft import Proposal
from evaluation.drafting.wording import heading_of, lowered, outspoken, placed, plain
from ingest.sentences import sentences

_FEWEST, _MOST, _LONGEST_LEADER = 2, 15, 120

_ZH_FOLLOWING: Final = re.compile(
    r"(?:以下|下列|如下)(?:全部|所有|各项|几项|几种)?的?(?P<what>[^，。：]{0,12}?)(?:之一)?(?=的|，|$)"
)
_ZH_LISTS: Final = re.compile(r"(?:包括|包含|分为|有|为)$")
# A leader that begins so says nothing of whom it is about.
_ZH_NOBODY: Final = re.compile(r"^(?:须|应|不得|有|符合|具备|满足|下列|以下|会议决定)")

_EN_RULES: Final = (
    (r"Do not (?P<s>.+?) unless (?:all|one|any) of the following .+", "What must be met to {s}?"),
    (r"(?P<s>.+?) (?P<m>must|shall|should|can|may)(?P<n> not)? (?P<v>.+?) (?:all of |any of |one of )?the following (?P<w>[a-z ]+?)",
     "Which {w} {m} {s}{n} {v}?"),
    (r"(?P<s>.+?) (?P<m>must|shall|should|can|may)(?P<n> not)?", "What {m} {s}{n} do?"),
    (r"(?P<s>.+?) (?P<m>does|do) not (?P<v>\w+)", "What {m} {s} not {v}?"),
    (r"(?P<s>.+?) (?P<v>cover|include|comprise|contain|require|exclude)s(?: the following.*)?",
     "What does {s} {v}?"),
    (r"(?P<s>(?:The|These) .+?) (?P<m>are|were|is|was)(?: as follows| the following)?", "What {m} {s}?"),
    (r"(?P<s>.+?) if (?:all|one|any) of the following .+", "When does this hold: {s}?"),
    (r"(?P<s>.+?) unless (?:all|one|any) of the following .+", "When does this not hold: {s}?"),
)  # fmt: skip
_EN: Final = tuple((re.compile(f"^{pattern}$"), template) for pattern, template in _EN_RULES)


def lists(document: Document) -> Iterator[Proposal]:
    """Of each list of some items whose leader can be asked."""
    blocks = document.blocks
    for at, block in enumerate(blocks):
        items = _items(blocks, at)
        if block.kind is not BlockKind.PARAGRAPH or not _FEWEST <= len(items) <= _MOST:
            continue
        leader = sentences(document.text, block.span.start, block.span.end)[-1]
        words = leader.of(document.text)
        if not words.endswith(("：", ":")) or len(words) > _LONGEST_LEADER:
            continue
        question = _question(plain(outspoken(words, document)), block, document)
        if question:
            yield _proposal(placed(question, document), leader, items, document)


def _items(blocks: tuple[Block, ...], at: int) -> list[Block]:
    return list(takewhile(lambda block: block.kind is BlockKind.LIST_ITEM, blocks[at + 1 :]))


def _proposal(question: str, leader: Span, items: list[Block], document: Document) -> Proposal:
    mark = "；" if document.language == "zh" else "; "
    answer = mark.join(plain(item.span.of(document.text)) for item in items)
    spans = (leader, *(item.span for item in items))
    return Proposal(question=question, answer=answer, spans=spans, source="list")


def _question(leader: str, block: Block, document: Document) -> str:
    """ "" for a leader that no rule can turn into a question."""
    return _zh(leader, heading_of(block)) if document.language == "zh" else _en(leader)


def _zh(leader: str, heading: str) -> str:
    asked = _ZH_FOLLOWING.search(leader)
    if asked is not None:
        before, after = leader[: asked.start()], leader[asked.end() :]
        if asked["what"]:
            question = f"{before}哪些{asked['what']}{after}？"
        else:
            question = f"{before}{'' if before.endswith('有') else '有'}哪些？"
    elif _ZH_LISTS.search(leader):
        question = f"{leader}哪些？"
    else:
        return ""
    return f"关于“{heading}”，{question}" if heading and _ZH_NOBODY.match(leader) else question


def _en(leader: str) -> str:
    for pattern, template in _EN:
        if found := pattern.match(leader):
            parts = {name: value or "" for name, value in found.groupdict().items()}
            return template.format(**parts | {"s": lowered(parts["s"])})
    return ""
