"""HTML as a tree of our own; the vendor's nodes end in this file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# Deeper elements hang from the one at the limit, as in browsers (512 in Blink); nobody's stack is at risk.
MAX_DEPTH: Final = 100
_NO_WORDS: Final[frozenset[str]] = frozenset()
# As ``core.span.is_blank`` has it.
_BLANK: Final = re.compile(r"[\s\u200b\u200c\u200d\u2060\ufeff\u00ad]+")
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w:.-]*)((?:\s+[^\s=<>/]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'))?)*)\s*/>")
_VOID: Final = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
# SVG and MathML are closed this way in HTML too.
_SVG_OR_MATH = re.compile(r"<(svg|math)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)


@dataclass(slots=True, eq=False)
class Element:
    """One element; ``children`` holds texts and elements in order."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    def get(self, name: str) -> str:
        """The attribute's value, or nothing."""
        return self.attributes.get(name, "")

    def words(self, name: str) -> frozenset[str]:
        """The words of an attribute such as ``class`` or ``rel``, in lower case."""
        value = self.attributes.get(name)
        return frozenset(value.lower().split()) if value else _NO_WORDS

    def elements(self) -> Iterator[Element]:
        """The children that are elements."""
        return (child for child in self.children if isinstance(child, Element))

    def all(self, *tags: str) -> Iterator[Element]:
        """Every element inside, in document order; only those of ``tags`` when some are named."""
        waiting: list[Element] = []
        element = self
        while True:
            for child in reversed(element.children):
                if not isinstance(child, str):
                    waiting.append(child)
            if not waiting:
                return
            element = waiting.pop()
            if not tags or element.tag in tags:
                yield element

    def has(self, *tags: str) -> bool:
        """Whether there is any element inside, of ``tags`` when some are named."""
        return next(self.all(*tags), None) is not None

    def text(self) -> str:
        """All characters inside, as they are written."""
        parts: list[str] = []
        waiting: list[Element | str] = [self]
        while waiting:
            node = waiting.pop()
            if isinstance(node, str):
                parts.append(node)
            else:
                waiting.extend(reversed(node.children))
        return "".join(parts)

    def size(self) -> int:
        """The number of characters inside that a reader would see."""
        return visible_size(self.text())


def visible_size(text: str) -> int:
    """The number of characters of ``text`` that are not blank."""
    return len(_BLANK.sub("", text))


def parsed_html(source: str, *, xhtml: bool = False) -> Element:
    """The ``html`` element of a page or a fragment. Never fails: whatever comes, browsers show something.

    With ``xhtml`` an element closed by ``/>`` is closed, as in XML. Scripts and style sheets have no
    children but a text; comments are not there.
    """
    from selectolax.lexbor import LexborHTMLParser

    if xhtml:
        source = _closed(source)
    # A lone surrogate cannot be encoded for the parser.
    clean = source.encode("utf-8", "replace").decode("utf-8")
    root = LexborHTMLParser(clean, scripting=True).root
    made = Element("html")
    if root is not None:
        made.attributes = _attributes(root)
        _copy(root, made)
    return made


def _copy(root: LexborNode, made: Element) -> None:
    """Copies what is inside ``root``, node after node: no stack grows with the depth of the page."""
    parents = [made]
    node, above = root.first_child, [root]
    while node is not None:
        inside = None
        if node.is_text_node:
            parents[-1].children.append(node.text_content or "")
        elif node.is_element_node:
            element = Element(node.tag or "", _attributes(node))
            parents[-1].children.append(element)
            inside = node.first_child
            if inside is not None:
                above.append(node)
                parents.append(element if len(parents) <= MAX_DEPTH else parents[-1])
        following = inside or node.next
        while following is None and len(above) > 1:
            parents.pop()
            following = above.pop().next
        node = following


def _attributes(node: LexborNode) -> dict[str, str]:
    return {name: value or "" for name, value in node.attributes.items()}


def _closed(source: str) -> str:
    """XHTML with ``<a/>`` written as ``<a></a>``, which an HTML parser would take for an opened one."""
    parts, position = [], 0
    for foreign in _SVG_OR_MATH.finditer(source):
        parts += [_SELF_CLOSED.sub(_pair, source[position : foreign.start()]), foreign.group()]
        position = foreign.end()
    return "".join([*parts, _SELF_CLOSED.sub(_pair, source[position:])])


def _pair(found: re.Match[str]) -> str:
    tag, attributes = found.groups()
    return found.group() if tag.lower() in _VOID else f"<{tag}{attributes}></{tag}>"
