"""Which classes and ids the style sheets of a page hide for good."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from ingest.parsers.web.style import declarations, font_is_unreadable, is_undisplayed

_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_BRACES: Final = re.compile(r"[{}]")
_NAME: Final = re.compile(r"[.#]-?[A-Za-z_][\w-]*")


def hiding_names(sheets: Iterable[str], scripts: str) -> frozenset[str]:
    """The selectors such as ".secret" and "#note" whose elements no reader ever sees.

    A name that any other rule mentions, or a script, may be shown again (tabs, menus): it does not count.
    Rules for some media only are not looked at.
    """
    mentioned: Counter[str] = Counter()
    hiding: set[str] = set()
    for selector, body in (rule for sheet in sheets for rule in _rules(sheet)):
        mentioned.update(_NAME.findall(selector))
        if _hides(body):
            hiding.update(part.strip() for part in selector.split(",") if _NAME.fullmatch(part.strip()))
    return frozenset(name for name in hiding if mentioned[name] == 1 and name[1:] not in scripts)


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Selector and declarations of each rule; what is inside an @-block comes with its @-line as selector."""
    text = _COMMENT.sub("", sheet)
    depth, start, selector = 0, 0, ""
    for brace in _BRACES.finditer(text):
        if brace.group() == "{":
            if depth == 0:
                selector, start = text[start : brace.start()].strip(), brace.end()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                body, start = text[start : brace.start()], brace.end()
                # The names inside an @-block are mentioned, no more.
                yield (f"{selector} {body}", "") if selector.startswith("@") else (selector, body)


def _hides(body: str) -> bool:
    style = declarations(body)
    hidden = style.get("visibility") in ("hidden", "collapse")
    return hidden or is_undisplayed(style) or bool(font_is_unreadable(style))
