"""HTML and SVG from plain values: what is text is escaped, what was made here is not escaped twice."""

from __future__ import annotations

from html import escape


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def el(name: str, *children: str, **attributes: str | float | int | None) -> Markup:
    """One element. An underscore at an attribute's end is dropped (``class_``), others become hyphens; one that is
    ``None`` is left out. Strings are escaped, ``Markup`` is not."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value), quote=True)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(child if isinstance(child, Markup) else escape(child, quote=False) for child in children)
    return Markup(f"<{name}{given}>{inner}</{name}>")


def joined(*parts: str) -> Markup:
    """Several parts, one behind the other."""
    return Markup("".join(part if isinstance(part, Markup) else escape(part, quote=False) for part in parts))
