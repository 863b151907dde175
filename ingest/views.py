"""What the command line prints, in Chinese and English: pure functions of the data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from core.chat.usage import together, usage_line
from core.scope import Visibility
from core.store import ChunkRow, DocumentRow
from ingest.checks.problem import Problem
from ingest.embed_again import Embedded
from ingest.report import FileResult, IngestReport, Outcome, Stage, notice_text

_WORDS: Final[dict[str, dict[str, str]]] = {
    "added": {"zh": "已添加", "en": "added"},
    "replaced": {"zh": "已更新", "en": "replaced"},
    "unchanged": {"zh": "无变化", "en": "unchanged"},
    "duplicate": {"zh": "内容与 {same_as} 相同，未重复添加", "en": "same as {same_as}, not added twice"},
    "refused": {"zh": "未添加", "en": "refused"},
    "chunks": {"zh": "块", "en": "chunks"},
    "pages": {"zh": "页", "en": "pages"},
    "nothing": {"zh": "没有找到可以添加的文件。", "en": "No file that can be added was found."},
    "empty": {"zh": "知识库是空的。", "en": "The knowledge base is empty."},
    "seconds": {"zh": "用时", "en": "time"},
    "cancelled": {"zh": "已取消，之前的文件已保存。", "en": "Cancelled; the files before stay."},
    "password": {"zh": "{name} 的密码：", "en": "Password for {name}: "},
    "owner": {"zh": "属于 {name}", "en": "owner {name}"},
    "visible_private": {"zh": "仅所有者可见", "en": "seen by the owner alone"},
    "visible_all": {"zh": "所有人可见", "en": "seen by everyone"},
    "sound": {"zh": "检查通过：没有发现问题。", "en": "Checked: nothing is wrong."},
    "problems": {"zh": "发现 {count} 个问题：", "en": "{count} problems:"},
    "page_written": {"zh": "已写入 {path}（{size:.1f} MB）", "en": "Written: {path} ({size:.1f} MB)"},
    "rebuilt": {"zh": "索引已重建：{count} 个块。", "en": "The indexes were rebuilt: {count} chunks."},
    "embedded": {"zh": "已重新生成 {count} 个向量。", "en": "{count} vectors were made anew."},
    "embedding": {
        "zh": "  向量 {done:,}/{total:,}，每秒 {pace:,.0f} 词元，还需约 {left}",
        "en": "  embedded {done:,}/{total:,}, {pace:,.0f} tokens/s, about {left} left",
    },
    "dropped": {
        "zh": "清除了表 {table} 中 {count} 行不属于任何文档的数据。",
        "en": "Dropped {count} rows of the table {table} that belonged to nothing.",
    },
    "missing_embedded": {"zh": "补上了 {count} 个缺少的向量。", "en": "{count} missing vectors were made."},
    "read_again": {"zh": "已从原文件重新读取：{name}", "en": "Read again from its original: {name}"},
    "bad_original": {
        "zh": "删除了被改动过的原文件 {digest}：请重新添加它的文档。",
        "en": "The original {digest} was changed and is deleted: add its document again.",
    },
    "parse": {"zh": "解析", "en": "parse"},
    "chunk": {"zh": "分块", "en": "chunk"},
    "embed": {"zh": "向量", "en": "embed"},
    "save": {"zh": "保存", "en": "save"},
    "index": {"zh": "索引", "en": "index"},
}


def word(key: str, language: str, **values: object) -> str:
    """One of this module's texts."""
    return _WORDS[key][language].format(**values)


def result_line(result: FileResult, language: str) -> str:
    """One line for one file; printed when the outcome is durable."""
    line = f"{_sign(result.outcome)} {result.name}: {word(result.outcome, language, same_as=result.same_as)}"
    if result.error is not None:
        return f"{line} - {result.error.message(language)}"
    if result.outcome in (Outcome.ADDED, Outcome.REPLACED):
        pages = f"{result.pages} {word('pages', language)}, " if result.pages else ""
        line += f" ({pages}{result.chunks} {word('chunks', language)})"
    return " ".join([line, *result.notice_texts(language)])


def report_text(report: IngestReport, language: str) -> str:
    """The totals and the time split of an ingest."""
    if not report.files:
        return word("nothing", language)
    counts = ", ".join(
        f"{word(outcome, language, same_as='…')} {report.count(outcome)}"
        for outcome in Outcome
        if report.count(outcome)
    )
    split = ", ".join(f"{word(stage, language)} {report.seconds[stage]:.1f} s" for stage in Stage)
    lines = [counts, f"{word('seconds', language)}: {split}"]
    if used := together(report.chat_calls):
        lines.append(usage_line(used, language))
    if report.cancelled:
        lines.append(word("cancelled", language))
    return "\n".join(lines)


def documents_text(rows: Sequence[DocumentRow], language: str) -> str:
    """One line a document."""
    if not rows:
        return word("empty", language)
    return "\n".join(
        f"{row.collection}/{row.name}  《{row.title}》 "
        f"{row.page_count or '-'} {word('pages', language)}, {row.chunk_count} {word('chunks', language)}, "
        f"v{row.version_number}{_access(row, language)}"
        for row in rows
    )


def _access(row: DocumentRow, language: str) -> str:
    """Whose it is and who sees it, where that is not what it is by default."""
    parts = [word("owner", language, name=row.owner)] if row.owner else []
    if row.visibility is not Visibility.COLLECTION:
        parts.append(word(f"visible_{row.visibility}", language))
    return f"  [{', '.join(parts)}]" if parts else ""


def document_text(row: DocumentRow, chunks: Sequence[ChunkRow], text: str, language: str) -> str:
    """The document's line, its notices, and its chunks when asked for."""
    lines = [documents_text([row], language)]
    lines += [f"  ! {notice_text(notice.code, notice.details, language)}" for notice in row.notices]
    for chunk in chunks:
        lines.append(
            f"\n[{chunk.ordinal}] {chunk.span.start}-{chunk.span.end} {chunk.token_count} tokens "
            f"({', '.join(chunk.reasons)}) {' > '.join(chunk.section_path)}"
        )
        lines.append(chunk.span.of(text))
    return "\n".join(lines)


def document_json(row: DocumentRow, language: str) -> dict[str, object]:
    """A document as plain data."""
    return {
        "id": row.id,
        "doc": row.name,
        "collection": row.collection,
        "owner": row.owner,
        "visibility": row.visibility.value,
        "title": row.title,
        "language": row.language,
        "media_type": row.media_type,
        "version": row.version_number,
        "version_id": row.version_id,
        "pages": row.page_count,
        "chunk_count": row.chunk_count,
        "bytes": row.source_bytes,
        "sha256": row.source_sha256,
        "notices": [notice_text(notice.code, notice.details, language) for notice in row.notices],
        "updated_at": row.updated_at,
    }


def chunk_json(chunk: ChunkRow, text: str) -> dict[str, object]:
    """A chunk as plain data; ``text`` is the document's."""
    return {
        "id": chunk.id,
        "ordinal": chunk.ordinal,
        "parent_id": chunk.parent_id,
        "section_id": chunk.section_id,
        "section_path": list(chunk.section_path),
        "start": chunk.span.start,
        "end": chunk.span.end,
        "tokens": chunk.token_count,
        "kinds": list(chunk.kinds),
        "language": chunk.language,
        "dates": list(chunk.dates),
        "reasons": list(chunk.reasons),
        "previous_id": chunk.previous_id,
        "next_id": chunk.next_id,
        "text": chunk.span.of(text),
        "embed_text": chunk.embed_text,
    }


def check_text(found: Sequence[Problem], language: str) -> str:
    """The verdict of a check."""
    if not found:
        return word("sound", language)
    lines = [word("problems", language, count=len(found)), *(f"- {one.text(language)}" for one in found)]
    return "\n".join(lines)


def page_written_text(path: Path, size: int, language: str) -> str:
    """Where the page is, and how large; ``size`` is in bytes."""
    return word("page_written", language, path=path, size=max(size / 1e6, 0.1))


def rebuilt_text(count: int, language: str) -> str:
    return word("rebuilt", language, count=count)


def embedding_text(progress: Embedded, language: str) -> str:
    """How far a new embedding is."""
    minutes, seconds = divmod(round(progress.seconds_left), 60)
    left = f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
    return word(
        "embedding", language, done=progress.done, total=progress.total, pace=progress.tokens_per_s, left=left
    )


def embedded_again_text(count: int, language: str) -> str:
    return word("embedded", language, count=count)


def _sign(outcome: Outcome) -> str:
    return {Outcome.ADDED: "+", Outcome.REPLACED: "+", Outcome.REFUSED: "!"}.get(outcome, "=")
