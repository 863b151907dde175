"""Make follow-up questions with a pronoun out of gold questions: python scripts/make_follow_ups.py DIR OUT

A question that names its document's subject becomes one that says "它" instead, after another question about the same
document; what the answer to that one cited is the document. OUT gets corpus/ and gold.jsonl, for
``python -m evaluation retrieval --data OUT --conversations``.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.hashing import stable_id
from retrieval.query.name_forms import said

Row = dict[str, Any]
# 《它》 would name a document.
_MARKED = re.compile(r"[“「《〈]它[”」》〉]")


def follow_ups(rows: list[Row]) -> Iterator[Row]:
    by_document: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row["evidence"]:
            by_document[row["evidence"][0]["doc"]].append(row)
    for doc, asked in sorted(by_document.items()):
        subject = said(doc, asked[0].get("title", Path(doc).stem))
        for row in asked:
            others = [other for other in asked if other is not row]
            if len(subject) > 1 and subject in row["question"] and others:
                # The same one on every machine, and any of them alike.
                before = min(others, key=lambda other: stable_id(other["id"], row["id"]))
                yield follow_up(row, before, subject)


def follow_up(row: Row, before: Row, subject: str) -> Row:
    history = [
        {"role": "user", "content": before["question"]},
        {"role": "assistant", "content": str(before["answer"]), "cited": [subject]},
    ]
    question = _MARKED.sub("它", row["question"].replace(subject, "它", 1))
    return row | {"question": question, "history": history, "standalone_question": row["question"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    rows = [json.loads(line) for line in (options.data / "gold.jsonl").read_text("utf-8").splitlines()]
    made = list(follow_ups(rows))
    shutil.copytree(options.data / "corpus", options.out / "corpus")
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in made)
    (options.out / "gold.jsonl").write_text(lines, "utf-8")
    sys.stdout.write(f"{len(made)} follow-up questions\n")


if __name__ == "__main__":
    main()
