"""``export`` and ``import``: a whole knowledge base as one file."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Final

from core.terminal import FAILED, OK, say, tell
from ingest.bundle.archive import opened_archive
from ingest.bundle.export import export
from ingest.bundle.load import Load, Loaded
from ingest.commands.opened import Commands, opened
from ingest.removal import clear_traces

_TEXTS: Final[dict[str, dict[str, str]]] = {
    "exporting": {
        "zh": "  导出 {what}：{done}/{total} 份文档",
        "en": "  export {what}: {done}/{total} documents",
    },
    "exported": {
        "zh": "已写入 {path}：{documents} 份文档，{versions} 个版本，{chunks} 块，{originals} 个原文件（{size:.1f} MB）。",
        "en": "Written: {path} with {documents} documents, {versions} versions, {chunks} chunks and "
        "{originals} originals ({size:.1f} MB).",
    },
    "proving": {"zh": "  核对档案：{done} / {total} MB", "en": "  proving the archive: {done} / {total} MB"},
    "added": {"zh": "+ {name}：已添加", "en": "+ {name}: added"},
    "replaced": {"zh": "+ {name}：已替换", "en": "+ {name}: replaced"},
    "unchanged": {"zh": "= {name}：无变化", "en": "= {name}: unchanged"},
    "kept": {
        "zh": "! {name}：这里的版本与档案不同，已保留这里的（用 --replace 换成档案里的）",
        "en": "! {name}: differs from the archive; what is here stays (--replace takes the archived one)",
    },
    "imported": {
        "zh": "已添加 {added}，已替换 {replaced}，无变化 {unchanged}，保留 {kept}。",
        "en": "{added} added, {replaced} replaced, {unchanged} unchanged, {kept} kept.",
    },
}


def add_to(commands: Commands) -> None:
    """The commands and their options."""
    command = commands.add_parser("export", help="write the whole knowledge base into one file")
    command.add_argument("file", type=Path, metavar="FILE.zip")
    command.add_argument(
        "--collection", action="append", metavar="NAME", help="only this one; may be repeated"
    )
    command.set_defaults(run=run_export)

    command = commands.add_parser("import", help="read a file that export wrote into the knowledge base")
    command.add_argument("file", type=Path, metavar="FILE.zip")
    command.add_argument(
        "--replace", action="store_true", help="documents that differ become the archived ones"
    )
    command.set_defaults(run=run_import)


def run_export(options: argparse.Namespace) -> int:
    """Write the archive and say what is in it."""
    workspace, language = opened()
    ticker = _Tenths()

    def progress(what: str, done: int, total: int) -> None:
        if total >= 64 and ticker.is_new(what, done, total):
            tell(_text("exporting", language, what=what, done=done, total=total))

    manifest = export(workspace.store, options.file, options.collection, progress)
    size = options.file.stat().st_size / 1e6
    values = manifest.counts.model_dump() | {"path": options.file, "size": max(size, 0.1)}
    say(_text("exported", language, **values))
    return OK


def run_import(options: argparse.Namespace) -> int:
    """Read the archive; fails when documents here differ from it and stayed."""
    workspace, language = opened()
    ticker = _Tenths()

    def proved(done: int, total: int) -> None:
        if total >= 50_000_000 and ticker.is_new("prove", done, total):
            tell(_text("proving", language, done=done // 1_000_000, total=total // 1_000_000))

    load = Load(
        workspace.store,
        workspace.embedder.fingerprint,
        replace=options.replace,
        most_original=workspace.settings.limits.max_file_mb * 1_000_000,
        on_proved=proved,
        on_loaded=lambda name, loaded: tell(_text(loaded, language, name=name)),
    )
    with opened_archive(options.file) as archive:
        outcomes: Counter[Loaded] = load.run(archive)
    clear_traces(workspace)
    say(_text("imported", language, **{one.value: outcomes[one] for one in Loaded}))
    return FAILED if outcomes[Loaded.KEPT] else OK


class _Tenths:
    """Lets one line through for each tenth of each kind of work."""

    def __init__(self) -> None:
        self._last: tuple[str, int] = ("", -1)

    def is_new(self, what: str, done: int, total: int) -> bool:
        """Whether a further tenth of ``what`` is done."""
        now = (what, 10 * done // max(total, 1))
        is_new, self._last = now != self._last, now
        return is_new


def _text(key: str, language: str, **values: object) -> str:
    return _TEXTS[key][language].format(**values)
