"""``python -m ingest calibrate``: measure the embedding model's scale and keep it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from core.errors import DocumentError
from core.json_lines import read_json_lines
from core.settings import Settings, load_settings
from core.terminal import OK, say, say_json, tell
from ingest.calibrate import calibrate
from ingest.calibration import Calibration, Calibrations
from ingest.file_text import file_text
from ingest.isolation import Worker
from ingest.sources import sources_of
from ingest.workspace import Workspace

_TEXTS: Final = {
    "zh": {
        "line": "{language}：{texts} 个句子，随机两句的相似度 {random_pair:.3f}，近似副本 {near_copy:.3f}",
        "kept": "已保存到 {path}，下次启动时生效。",
    },
    "en": {
        "line": "{language}: {texts} sentences, cosine of random pairs {random_pair:.3f}, of near-copies "
        "{near_copy:.3f} (language mean taken off)",
        "kept": "Kept as {path}; used from the next start on.",
    },
}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command and its options."""
    command = commands.add_parser("calibrate", help="measure the embedding model's scale on any text")
    command.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="files and folders; default: the stored documents"
    )
    command.add_argument(
        "--questions", type=Path, metavar="FILE", help='JSON lines with "question", for a sharper measure'
    )
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure on files or on what is stored, keep the result, and print it."""
    settings = load_settings()
    workspace = Workspace(settings)
    questions = (
        read_json_lines(options.questions, "--questions", lambda row: str(row["question"]))
        if options.questions
        else []
    )
    texts = _of_files(options.paths, settings) if options.paths else _of_store(workspace)
    source = ", ".join(str(path) for path in options.paths) or "the stored documents"
    made = calibrate(workspace.embedder, texts, questions, source=source, on_progress=_tick)
    path = Calibrations(settings.home).keep(made)
    if options.json:
        say_json(_as_json(made) | {"path": str(path)})
    else:
        words = _TEXTS[settings.interface_language]
        for language, scale in made.languages.items():
            say(words["line"].format(language=language, **scale.model_dump(include=_SHOWN)))
        say(words["kept"].format(path=path))
    return OK


_SHOWN: Final = {"texts", "random_pair", "near_copy"}


def _as_json(made: Calibration) -> dict[str, object]:
    return {
        "fingerprint": made.fingerprints[0],
        "languages": {name: scale.model_dump(include=_SHOWN) for name, scale in made.languages.items()},
    }


def _of_store(workspace: Workspace) -> Iterator[str]:
    with workspace.store.read() as reader:
        for document in reader.documents():
            yield reader.version(document.version_id).text


def _of_files(paths: Sequence[Path], settings: Settings) -> Iterator[str]:
    """The texts of the files that can be read; the others are named."""
    with Worker() as worker:
        for source in sources_of(paths):
            try:
                yield file_text(source, settings, worker)
            except DocumentError as exc:
                tell(exc.message(settings.interface_language))


def _tick(done: int, total: int) -> None:
    if done == total or done * 10 // total != (done - 64) * 10 // total:
        tell(f"{done}/{total}")
