"""Hundreds of broken and hostile files, made from a seed: each has a final status, and the server lives.

YOUJU_TEST_HOSTILE=1000 runs as many; YOUJU_TEST_SEED another set.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from core.errors import DocumentError
from core.messages import LANGUAGES
from core.reading import Reading
from core.registry import REGISTRY
from core.settings import ParsingSettings
from ingest.check import problems
from ingest.isolation import Worker
from ingest.parsers.detect import route_of
from ingest.pipeline import Ingest
from ingest.sources import sources_of
from retrieval.knowledge_base import KnowledgeBase
from tests.hostile_files import good_files, hostile_files
from tests.support import MANUAL

COUNT = int(os.environ.get("YOUJU_TEST_HOSTILE", "60"))
SEED = int(os.environ.get("YOUJU_TEST_SEED", "1"))
LIMITS = ParsingSettings(ocr="never", timeout_s=20, memory_mb=1000)
# What only a look into the program would explain.
_INSIDE = re.compile(r"Traceback|\.py\b|0x[0-9a-f]{6}|site-packages|\?(?![a-z])")


def test_every_hostile_file_has_a_final_status_and_the_next_one_works(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name, data in hostile_files(SEED, COUNT):
        (folder / name).write_bytes(data)
    (folder / "zzz-good.md").write_text(f"{MANUAL}\nThe last file.", "utf-8")
    base.workspace.settings = base.settings.model_copy(update={"parsing": LIMITS})
    paths = sorted(folder.iterdir())
    report = Ingest(base.workspace).add(paths, "default")
    answered = {result.name.split("/")[0] for result in report.files}
    assert answered == {source.name for source in sources_of(paths)}
    codes = [(r.name, r.error.code, str(r.error.details.get("kind"))) for r in report.files if r.error]
    assert not [c for c in codes if c[1] in ("parser_crashed", "parser_timeout", "parser_memory")]
    for result in report.files:
        for language in LANGUAGES:
            message = result.error.message(language) if result.error else ""
            assert not _INSIDE.search(message.replace(result.name, "")), message
    assert report.files[-1].outcome.value == "added"
    assert problems(base.workspace.store) == []
    assert base.search("replace the filter").passages


@pytest.mark.parametrize(("name", "cuts"), [("a.pdf", 12), ("a.docx", 60), ("a.zip", 60)])
def test_a_cut_file_is_whole_repaired_or_refused_never_taken_in_silence(
    name: str, cuts: int, tmp_path: Path
) -> None:
    data = dict(good_files())[name]
    reading = Reading(settings=LIMITS)
    with Worker() as worker:
        for length in range(0, len(data), max(len(data) // cuts, 1)):
            try:
                route = route_of(name, data[:length])
                if route.is_archive:
                    worker.unpack(route.parser, data[:length], name, reading, tmp_path, 0)
                    notices: tuple[object, ...] = ()
                else:
                    target = REGISTRY["parser"][route.parser]
                    notices = worker.parse(target, data[:length], name, reading).notices
            except DocumentError as exc:
                assert exc.code not in ("parser_crashed", "parser_timeout", "parser_failed"), length
                continue
            assert notices, f"{length} of {len(data)} bytes were taken in silence"
