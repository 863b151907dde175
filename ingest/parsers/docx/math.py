"""Word's equations as a line of readable text: (a+b)/c, x^2, sqrt(x), sum_(i=1)^n."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final
from xml.etree.ElementTree import Element

from ingest.parsers.docx.xml import MC, M, W, chosen

_SIMPLE: Final = re.compile(r"\d*(?:\.\d+)?|[^\W\d_]+[′']*|\([^()]*\)|\|[^|]*\|")
_PROPERTIES: Final = re.compile(r".*Pr$")
_NAMES: Final = {
    "∑": "sum",
    "∏": "prod",
    "∫": "int",
    "∬": "iint",
    "∭": "iiint",
    "∮": "oint",
    "⋃": "union",
    "⋂": "inter",
}
# Field codes of old equations (EQ \f(a,b)); a comma or semicolon parts the arguments.
_EQ_FRACTION: Final = re.compile(r"\\f\s*\(([^(),;]*)[,;]([^()]*)\)", re.IGNORECASE)
_EQ_ROOT: Final = re.compile(r"\\r\s*\((?:([^(),;]*)[,;])?([^()]*)\)", re.IGNORECASE)
_EQ_RING: Final = re.compile(r"\\o\s*(?:\\a[clr]\s*)*\(([^(),;]*)[,;]([^()]*)\)", re.IGNORECASE)
_EQ_SWITCH: Final = re.compile(r"\\[a-z]{1,2}\d*\s*", re.IGNORECASE)


def linear(element: Element) -> str:
    """``m:oMath`` (or any part of one) on one line."""
    return " ".join(_inside(element).split())


def equation_field(code: str) -> str:
    """What an ``EQ`` field shows, from its code: it holds its words there and nowhere else."""
    text = re.sub(r"^\s*EQ\b", "", code, flags=re.IGNORECASE)
    while (shorter := _reduced(text)) != text:
        text = shorter
    return " ".join(_EQ_SWITCH.sub("", text).split())


def _reduced(text: str) -> str:
    text = _EQ_FRACTION.sub(lambda found: f"{_group(found[1])}/{_group(found[2])}", text)
    text = _EQ_ROOT.sub(lambda found: _root_text(found[1] or "", found[2]), text)
    return _EQ_RING.sub(lambda found: _ringed(found[1].strip(), found[2].strip()), text)


def _ringed(ring: str, inner: str) -> str:
    if ring in ("○", "〇", "◯", "O") and inner.isdecimal() and 0 < int(inner) <= 20:
        return chr(ord("①") + int(inner) - 1)
    return ring + inner if ring not in ("○", "〇", "◯") else f"({inner})"


def _inside(element: Element | None) -> str:
    if element is None:
        return ""
    text, before = "", ""
    for child in element:
        part, name = _part(child), str(child.tag).rpartition("}")[2]
        # "x^k" and "a" beside each other must not read as "x^ka".
        if part and (name in _WRITERS or before in _WRITERS) and text[-1:].isalnum() and part[0].isalnum():
            text += " "
        if part:
            text, before = text + part, name
    return text


def _part(element: Element) -> str:
    tag = element.tag
    if not isinstance(tag, str) or tag in (W + "del", W + "moveFrom"):
        return ""
    if tag in (M + "t", W + "t"):
        return element.text or ""
    if tag == MC + "AlternateContent":
        return "".join(map(_part, chosen(element)))
    name = tag.rpartition("}")[2]
    if tag.startswith(M) and (write := _WRITERS.get(name)) is not None:
        return write(element)
    if _PROPERTIES.match(name):
        return ""
    return "\n" if tag == W + "br" else _inside(element)


def _child(element: Element, name: str) -> str:
    return _inside(element.find(M + name)).strip()


def _sign(element: Element, name: str, default: str) -> str:
    """A property such as ``m:chr``: its value, or ``default`` where it is not given."""
    for holder in element:
        if (
            _PROPERTIES.match(str(holder.tag).rpartition("}")[2])
            and (found := holder.find(M + name)) is not None
        ):
            return found.get(M + "val", "")
    return default


def _hidden(element: Element, name: str) -> bool:
    return _sign(element, name, "0") in ("1", "on", "true", "")


def _group(text: str) -> str:
    """In brackets unless it is one number, name or bracketed part."""
    text = text.strip()
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def _scripts(base: str, below: str, above: str) -> str:
    return base + (f"_{_group(below)}" if below else "") + (f"^{_group(above)}" if above else "")


def _fraction(element: Element) -> str:
    above, below = _child(element, "num"), _child(element, "den")
    if _sign(element, "type", "bar") == "noBar":
        return f"{above} ; {below}"
    return f"{_group(above)}/{_group(below)}"


def _script(element: Element) -> str:
    return _scripts(_group(_child(element, "e")), _child(element, "sub"), _child(element, "sup"))


def _before_script(element: Element) -> str:
    return _scripts("", _child(element, "sub"), _child(element, "sup")) + _group(_child(element, "e"))


def _nary(element: Element) -> str:
    sign = _sign(element, "chr", "∫")
    below = "" if _hidden(element, "subHide") else _child(element, "sub")
    above = "" if _hidden(element, "supHide") else _child(element, "sup")
    return f"{_scripts(_NAMES.get(sign, sign), below, above)} {_child(element, 'e')}"


def _root(element: Element) -> str:
    degree = "" if _hidden(element, "degHide") else _child(element, "deg")
    return _root_text(degree, _child(element, "e"))


def _root_text(degree: str, inner: str) -> str:
    return f"root({degree.strip()}, {inner.strip()})" if degree.strip() else f"sqrt({inner.strip()})"


def _delimited(element: Element) -> str:
    middle = _sign(element, "sepChr", "|")
    inner = middle.join(_inside(part).strip() for part in element.findall(M + "e"))
    return _sign(element, "begChr", "(") + inner + _sign(element, "endChr", ")")


def _function(element: Element) -> str:
    inner = _child(element, "e")
    return f"{_child(element, 'fName')}{inner if inner.startswith(('(', '[')) else f'({inner})'} "


def _limit(element: Element) -> str:
    mark = "_" if element.tag == M + "limLow" else "^"
    return f"{_child(element, 'e')}{mark}{_group(_child(element, 'lim'))}"


def _matrix(element: Element) -> str:
    rows = (
        ", ".join(_inside(cell).strip() for cell in row.findall(M + "e")) for row in element.findall(M + "mr")
    )
    return "[" + "; ".join(rows) + "]"


def _array(element: Element) -> str:
    """Lines below each other; "#" sets off the number of an equation."""
    return "; ".join(_inside(part).strip().replace("#", "  ") for part in element.findall(M + "e"))


def _accent(element: Element) -> str:
    # A combining sign follows its letter.
    return _child(element, "e") + _sign(element, "chr", "\u0302")


_WRITERS: Final[dict[str, Callable[[Element], str]]] = {
    "f": _fraction,
    "sSup": _script,
    "sSub": _script,
    "sSubSup": _script,
    "sPre": _before_script,
    "nary": _nary,
    "rad": _root,
    "d": _delimited,
    "func": _function,
    "limLow": _limit,
    "limUpp": _limit,
    "m": _matrix,
    "eqArr": _array,
    "acc": _accent,
}
