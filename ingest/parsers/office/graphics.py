"""Charts and SmartArt inside Office files: the numbers and words behind the drawing, from their own parts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from xml.etree.ElementTree import Element, fromstring

from ingest.parsers.sheets.formats import shown
from ingest.parsers.sheets.workbook import local

# A place beyond this is a mistake or an attack: Excel draws 32,000 points of a series in two dimensions.
_MAX_POINTS = 100_000
_MAX_LEVEL = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """``rows``: a header (axis, then the series), then a row for each category or point."""

    title: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Series:
    name: str
    labels: list[str]
    values: list[str]
    is_scatter: bool = False


def chart_of(xml: bytes) -> Chart:
    """The chart in a chart part, of the classic or of the newer kind. Raises ``ParseError``."""
    root = fromstring(xml)
    if any(local(element) == "chartData" for element in root):
        return _new_chart(root)
    series = [_series(element) for element in root.iter() if local(element) == "ser"]
    axes = [element for element in root.iter() if local(element) in ("catAx", "dateAx", "valAx")]
    names = [_words(_child(axis, "title")) for axis in axes]
    title = _words(_child(_child(root, "chart"), "title"))
    if any(one.is_scatter for one in series):
        return Chart(title=title, rows=_points(series, [*names, "", ""]))
    return Chart(title=title, rows=_by_label(series, names[0] if names else ""))


def diagram_of(xml: bytes) -> list[tuple[int, str]]:
    """The texts of a SmartArt's data part as (level from 0, text), in its order. Raises ``ParseError``."""
    root = fromstring(xml)
    texts: dict[str, str] = {}
    tops: list[str] = []
    for point in root.iter():
        if local(point) != "pt" or point.get("type") not in (None, "node", "asst", "doc"):
            continue
        key = point.get("modelId", "")
        texts[key] = "" if point.get("type") == "doc" else _words(_child(point, "t"))
        tops.append(key)
    children: dict[str, list[tuple[int, str]]] = {}
    for link in root.iter():
        if local(link) == "cxn" and link.get("type", "parOf") == "parOf":
            order = int(link.get("srcOrd", "0"))
            children.setdefault(link.get("srcId", ""), []).append((order, link.get("destId", "")))
    inner = {key for links in children.values() for _, key in links}
    found: list[tuple[int, str]] = []
    waiting = [(0, key) for key in reversed(tops) if key not in inner]
    while waiting:
        level, key = waiting.pop()
        # Each text once, whatever circle the links make.
        text = texts.pop(key, None)
        if text is None:
            continue
        if text:
            found.append((level, text))
        below = min(level + bool(text), _MAX_LEVEL)
        waiting += [(below, child) for _, child in sorted(children.get(key, ()), reverse=True)]
    return found


def _series(element: Element) -> _Series:
    x_values, y_values = _child(element, "xVal"), _child(element, "yVal")
    name = " ".join(v.text or "" for v in _descendants(_child(element, "tx"), "v"))
    if y_values is not None:
        labels = _cached(x_values)
        return _Series(name=name, labels=labels, values=_cached(y_values), is_scatter=True)
    return _Series(name=name, labels=_cached(_child(element, "cat")), values=_cached(_child(element, "val")))


def _by_label(series: list[_Series], axis: str) -> tuple[tuple[str, ...], ...]:
    if not series:
        return ()
    labels = max((one.labels for one in series), key=len)
    rows = zip_longest(labels, *(one.values for one in series), fillvalue="")
    return ((axis, *(one.name for one in series)), *rows)


def _points(series: list[_Series], axes: list[str]) -> tuple[tuple[str, ...], ...]:
    rows = [(one.name, x, y) for one in series for x, y in zip_longest(one.labels, one.values, fillvalue="")]
    return (("", axes[0] or "x", axes[1] or "y"), *rows) if rows else ()


def _cached(element: Element | None) -> list[str]:
    """The stored labels or numbers of a reference; labels of several levels are joined, outermost first."""
    if element is None:
        return []
    levels = _descendants(element, "lvl") or [element]
    columns = [_points_of(level) for level in levels]
    size = max((max(column, default=-1) for column in columns), default=-1) + 1
    rows: list[list[str]] = [[] for _ in range(size)]
    for depth, column in enumerate(columns):
        last = ""
        for index in range(size):
            # Outer levels name only the first of their group.
            last = column.get(index, last if depth else "")
            rows[index].insert(0, last)
    return [" / ".join(part for part in row if part) for row in rows]


def _points_of(element: Element) -> dict[int, str]:
    code = next((e.text or "General" for e in _descendants(element, "formatCode")), "General")
    numeric = bool(_descendants(element, "numCache") or _descendants(element, "numLit"))
    found: dict[int, str] = {}
    for point in _descendants(element, "pt"):
        text = " ".join(v.text or "" for v in _descendants(point, "v"))
        place = int(point.get("idx", "0"))
        if 0 <= place < _MAX_POINTS:
            found[place] = _formatted(text, code) if numeric else " ".join(text.split())
    return found


def _formatted(text: str, code: str) -> str:
    try:
        return shown(float(text), code)[0]
    except (ValueError, OverflowError):
        return text


def _new_chart(root: Element) -> Chart:
    """Waterfalls, funnels, maps and the like (the "cx" charts)."""
    rows: list[tuple[str, ...]] = []
    for data in _descendants(root, "data"):
        columns: list[list[str]] = []
        for part in data:
            if local(part) in ("strDim", "numDim"):
                levels = [
                    [(p.text or "").strip() for p in _descendants(lvl, "pt")] for lvl in part if len(lvl)
                ]
                columns += reversed(levels)
        rows += zip_longest(*columns, fillvalue="")
    names = [_words(_child(one, "tx")) for one in _descendants(root, "series")]
    width = max((len(row) for row in rows), default=0)
    header = ([""] * width + names)[-width:] if rows else []
    title = _words(next(iter(_descendants(root, "title")), None))
    return Chart(title=title, rows=(tuple(header), *rows) if rows else ())


def _child(element: Element | None, name: str) -> Element | None:
    return next((child for child in element if local(child) == name), None) if element is not None else None


def _descendants(element: Element | None, name: str) -> list[Element]:
    return [one for one in element.iter() if local(one) == name] if element is not None else []


def _words(element: Element | None) -> str:
    """The words of a drawing's text on one line; paragraphs part at a space."""
    paragraphs = _descendants(element, "p") or ([element] if element is not None else [])
    texts = (
        "".join(t.text or "" for t in paragraph.iter() if local(t) in ("t", "v")) for paragraph in paragraphs
    )
    return " ".join(" ".join(texts).split())
