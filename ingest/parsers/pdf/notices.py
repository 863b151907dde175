"""What the reader of a PDF must know: pages without text, lines left out, text that nobody sees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from core.document import Notice
from core.span import is_blank
from ingest.parsers.pdf.furniture import Furniture
from ingest.parsers.pdf.reader import Findings

_HIDDEN = {"invisible", "background_colour", "tiny", "outside", "covered", "switched_off"}
_SHOWN_LINES, _LONGEST_LINE = 3, 40
# English words whose ligature a font without it has swallowed: "af ect", "signi cant", "of ce".
_LOST_LIGATURE = re.compile(
    r"\b(?:(?:af|ef|of|dif|suf|di|e)\s(?:ect|ects|ected|ective|ort|orts|cer|cers|cient|ciency|cult|erent|erence|ice|er|ered|ers)"
    r"|(?:signi|speci|identi|classi|modi|certi|scienti|bene|pro|de)\s(?:cant|cantly|c|cally|cation|ed|es|ts|ned|nition))\b"
)
_FEWEST_LOST = 3


def notices(
    findings: Findings,
    furniture: Furniture,
    repeated: Sequence[tuple[int, str]],
    text: str,
    repaired: bool,
    inside: Sequence[str],
) -> tuple[Notice, ...]:
    """The notices in the order of their weight.

    ``repeated`` are header rows of tables left out where the table goes on, ``inside`` the names of embedded
    files.
    """
    found: list[Notice] = [Notice(code="repaired")] if repaired else []
    found += _pages(findings)
    found += _hidden(findings)
    lost = len(_LOST_LIGATURE.findall(text)) + text.count("\ufffd")
    if lost >= _FEWEST_LOST:
        found.append(_notice("letters_lost", count=lost))
    found += _furniture(furniture)
    if repeated:
        pages = page_ranges(sorted({page for page, _ in repeated}))
        found.append(_notice("table_header_kept_once", pages=pages))
    if inside:
        found.append(_notice("files_inside", names=", ".join(inside)))
    return tuple(found)


def _pages(findings: Findings) -> Iterator[Notice]:
    if findings.read_pages:
        share = sum(findings.read_pages.values()) / len(findings.read_pages)
        pages = page_ranges(sorted(findings.read_pages))
        yield _notice("pages_read_by_ocr", pages=pages, confidence=f"{100 * share:.0f}")
    if findings.empty_pages:
        yield _notice("pages_without_text", pages=page_ranges(findings.empty_pages))
    if findings.doubtful_pages:
        yield _notice("text_layer_doubtful", pages=page_ranges(findings.doubtful_pages))
    if findings.plain_pages:
        yield _notice("layout_left_out", pages=page_ranges(findings.plain_pages))


def _hidden(findings: Findings) -> Iterator[Notice]:
    hidden = [(page, piece) for page, piece in findings.dropped if piece.reason in _HIDDEN]
    count = sum(not is_blank(char) for _, piece in hidden for char in piece.text)
    if count:
        yield _notice(
            "hidden_text_left_out", count=count, pages=page_ranges(sorted({page for page, _ in hidden}))
        )


def _furniture(furniture: Furniture) -> Iterator[Notice]:
    if not furniture.lines:
        return
    often = sorted(furniture.lines, key=lambda line: -len(furniture.lines[line]))
    shown = "; ".join(_short(line) for line in often[:_SHOWN_LINES])
    pages = sorted({page for numbers in furniture.lines.values() for page in numbers})
    yield _notice(
        "running_lines_left_out",
        count=sum(len(numbers) for numbers in furniture.lines.values()),
        lines=shown + (" …" if len(often) > _SHOWN_LINES else ""),
        pages=page_ranges(pages),
    )


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + "…"


def _notice(code: str, **details: object) -> Notice:
    return Notice(code=code, details=tuple((key, str(value)) for key, value in details.items()))


def page_ranges(pages: Iterable[int]) -> str:
    """``[2, 3, 4, 9]`` as "2-4, 9"."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
