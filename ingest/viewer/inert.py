"""What a document says, written into HTML so that it stays words: no markup, no script, no turned text."""

from __future__ import annotations

import re
from html import escape
from typing import Final

# Control characters, halves of surrogate pairs, non-characters and marks that turn the direction of what
# follows; line breaks and tabs stay. HTML knows none of them, or lets them reach beyond their element.
_ODD: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]"
)


def inert(text: str) -> str:
    """``text`` as HTML content; what cannot be shown becomes an empty element that names its code point."""
    return _ODD.sub(lambda found: f'<i class="odd" data-u="{ord(found[0]):04X}"></i>', escape(text))


def attribute(text: object) -> str:
    """``text`` for the inside of a quoted attribute or of a title."""
    return _ODD.sub("\ufffd", escape(str(text)))


def attributes(**values: object) -> str:
    """``name="value"`` for each, in order, led by a blank; ``_`` in a name stands for ``-``."""
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{attribute(value)}"' for name, value in values.items()
    )
