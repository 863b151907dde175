"""From what was found in single entries to passages, numbered citations and the text that carries them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.answer import Citation, Passage
from core.chat.usage import tokens_about
from core.document import BlockKind, pages_of
from core.messages import render
from core.span import Span
from core.verdict import SentenceCheck, Verdict
from retrieval.answerers.markers import normalise
from retrieval.evidence import Evidence
from retrieval.verify.verifier import verify
from retrieval.whole.entries import Entry
from retrieval.whole.stretch import Stretch

# Items of a list that are shown, unless said otherwise; the others are counted.
_SHOWN: Final = 200
_REFERENCE: Final = re.compile(r"\[(\d{1,3})\]")
_MARK: Final = re.compile(r"(?:[-*+•·●○▪◦‣►■□◆◇※]\s+|[(（]?\d{1,3}(?:[.．)、）](?!\d))\s*|[①-⑳]\s*)(?=\S)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One part of the answer, found in ``entry``.

    ``span`` is over the document's text where ``text`` is the source's own, ``None`` where a model wrote it.
    ``is_total``: it states a number that is asked for, and is not itself one of the things counted.
    """

    entry: Entry
    text: str
    span: Span | None = None
    is_total: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A text with ``[n]`` markers, the citations behind them and the passages that these index."""

    text: str
    citations: tuple[Citation, ...]
    evidence: Evidence
    checks: tuple[SentenceCheck, ...] = ()


def evidence_of(findings: Sequence[Finding], stretch: Stretch) -> Evidence:
    """The entries of the findings as passages, each once, in order of first use."""
    entries = list(dict.fromkeys(finding.entry for finding in findings))
    used = {entry.version_id: stretch.sources[entry.version_id] for entry in entries}
    return Evidence(
        passages=tuple(_passage(entry, stretch) for entry in entries),
        texts={version_id: source.version.text for version_id, source in used.items()},
        blocks={version_id: source.blocks for version_id, source in used.items()},
        lines={version_id: source.lines for version_id, source in used.items()},
    )


def _passage(entry: Entry, stretch: Stretch) -> Passage:
    source = stretch.sources[entry.version_id]
    return Passage(
        document_id=source.version.document_id,
        version_id=source.version.id,
        doc=source.version.name,
        title=source.version.title,
        section_path=entry.section_path,
        span=entry.span,
        text=entry.text,
        pages=pages_of(source.lines, entry.span),
        # Nothing was ranked: everything was read.
        score=1.0,
        chunk_ids=tuple(chunk.id for chunk in source.chunks if chunk.span.overlaps(entry.span)),
        token_count=tokens_about(entry.text),
    )


class Citer:
    """Cites findings; each passage has one number, in order of first use."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._places = {(p.version_id, p.span): place for place, p in enumerate(evidence.passages)}
        self._numbers: dict[int, int] = {}
        self.citations: list[Citation] = []

    def cited(self, shown: str, findings: Sequence[Finding]) -> str:
        """``shown`` with the markers of ``findings`` behind it."""
        numbers = dict.fromkeys(self._cite(shown, finding) for finding in findings)
        return shown + " " + "".join(f"[{n}]" for n in numbers)

    def _cite(self, shown: str, finding: Finding) -> int:
        entry = finding.entry
        place = self._places[entry.version_id, entry.span]
        n = self._numbers.setdefault(place, len(self._numbers) + 1)
        if finding.span is not None:
            strong = (finding.span,)
            made = self._evidence.cite(n, place, finding.span, shown, Verdict.SUPPORTED, strong=strong)
        else:
            found = verify(finding.text, self._evidence.texts[entry.version_id], entry.span)
            made = self._evidence.cite(
                n,
                place,
                found.span,
                shown,
                found.verdict,
                strong=found.strong,
                reasons=found.reasons,
                score=found.score,
            )
        self.citations.append(made)
        return n


def listed(
    groups: Sequence[Sequence[Finding]],
    stretch: Stretch,
    language: str,
    *,
    count: str,
    most: int = _SHOWN,
) -> Written:
    """The statements of a total, the count, and one numbered line a group, each cited.

    ``count`` names the message of the number. A group is one thing, found once or several times. Beyond
    ``most`` lines the rest is only counted.
    """
    totals = [group for group in groups if group[0].is_total]
    items = [group for group in groups if not group[0].is_total]
    shown = items[:most]
    evidence = evidence_of([finding for group in (*totals, *shown) for finding in group], stretch)
    citer = Citer(evidence)
    lines = [citer.cited(_line(group[0]), group) for group in totals]
    if items:
        lines += ["", render(count, language, count=len(items)), ""]
    header = ""
    for place, group in enumerate(shown, start=1):
        if (above := _header(group[0])) != header:
            header = above
            lines += ["", above, ""] if above else [""]
        lines.append(f"{place}. {citer.cited(_line(group[0]), group)}")
    if len(items) > most:
        lines += ["", render("whole_count_more", language, more=len(items) - most)]
    return Written(text="\n".join(lines).strip(), citations=tuple(citer.citations), evidence=evidence)


def by_section(findings: Sequence[Finding], stretch: Stretch) -> Written:
    """The findings in order under the names of their sections, each cited."""
    evidence = evidence_of(findings, stretch)
    citer = Citer(evidence)
    lines: list[str] = []
    part = -1
    for finding in findings:
        if finding.entry.part != part:
            part = finding.entry.part
            name = _plain(stretch.parts[part]) if len(stretch.parts) > 1 else ""
            lines += ["", f"**{name}**", ""] if name else [""]
        lines.append(f"- {citer.cited(_line(finding), [finding])}")
    return Written(text="\n".join(lines).strip(), citations=tuple(citer.citations), evidence=evidence)


def _line(finding: Finding) -> str:
    """What is shown of a finding, on one line, without the mark or the bars of where it stands.

    What looks like one of our markers is none: the source's own [3] stays readable in wide brackets.
    """
    line = " ".join(finding.text.split())
    if finding.span is None:
        line = normalise(line, 0).text.strip() or line
    line = _REFERENCE.sub(r"［\1］", line)
    is_row = finding.span is not None and _is_row(finding.entry)
    return line.strip("| ") if is_row else _MARK.sub("", line, count=1)


def _header(finding: Finding) -> str:
    """The header of the table that a row is shown from."""
    under = finding.entry.under
    is_shown = finding.span is not None and _is_row(finding.entry) and under and under[-1].startswith("|")
    return _plain(under[-1].strip("| ")) if is_shown else ""


def _is_row(entry: Entry) -> bool:
    return entry.kind is BlockKind.TABLE


def _plain(name: str) -> str:
    return " ".join(name.replace("*", "").replace("#", "").split())
