"""What the chat shows of files being added, and of what came of them, as plain data: pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.jobs.job import TRIES, FileNow, Job, Phase
from app.texts import text
from core.store.waiting import waiting_text
from ingest.report import FileResult, Outcome, Stage
from ingest.views import word

Props = dict[str, object]

_LABELS: Final = (
    "upload_cancel", "column_file", "column_outcome", "column_pages", "column_chunks", "upload_password",
    "upload_unlock", "upload_skip", "upload_keep", "upload_keep_go",
)  # fmt: skip
_OVER: Final = (Phase.ENDED, Phase.CANCELLED)
# Rounded as people would say it: seconds up to here, minutes above.
_SECONDS_UP_TO: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A knowledge base that files may be kept in; ``is_private``: there only their owner sees them."""

    collection: str
    is_private: bool = False


def upload_shown(job: Job, ahead: int, targets: Sequence[Target] = ()) -> Props:
    """The properties of the card of an order; ``ahead`` are the orders before it, ``targets`` where to keep it."""
    language, phase, files = job.order.language, job.phase, job.files()
    is_over = phase in _OVER
    title = "upload_title_chat" if job.order.is_for_chat else "upload_title_kept"
    keeps = is_over and job.order.is_for_chat and job.is_usable
    return {
        "order": job.order.id,
        "element": job.order.element,
        "phase": phase.value,
        "title": text(title, language, collection=job.order.collection),
        "said": _said(job, ahead),
        "files": [_file(now, phase, language) for now in files],
        "targets": [_target(target, language) for target in targets] if keeps and not job.kept else [],
        "kept": kept_words(job.kept, language),
        "labels": {key: text(key, language) for key in _LABELS},
    }


def kept_words(collection: str, language: str) -> str:
    """That the files of a card are being kept elsewhere; empty when they are not."""
    return text("upload_kept", language, collection=collection) if collection else ""


def lost_shown(props: Props, language: str) -> Props:
    """A stored card that nobody works on any more: what is not finished will not be, what is locked stays so."""
    files = props.get("files")
    rows = (
        [row | {"locked": False} for row in files if isinstance(row, dict)] if isinstance(files, list) else []
    )
    if props.get("phase") not in (Phase.QUEUED.value, Phase.RUNNING.value):
        return props | {"files": rows}
    left = {"state": "left", "words": text("task_left", language)}
    shown = [row | left if row.get("state") in ("waits", "works") else row for row in rows]
    return props | {"phase": Phase.CANCELLED.value, "said": text("upload_lost", language), "files": shown}


def usable_names(props: Props) -> list[str]:
    """The files of a stored card that can be asked about."""
    files = props.get("files")
    rows = files if isinstance(files, list) else []
    return [str(row["name"]) for row in rows if isinstance(row, dict) and row.get("state") == "done"]


def left_words(left_s: float | None, language: str) -> str:
    """How long it still takes, as far as that is known."""
    if left_s is None:
        return ""
    if left_s < _SECONDS_UP_TO:
        return text("left_seconds", language, seconds=max(5 * round(left_s / 5), 5))
    return text("left_minutes", language, minutes=round(left_s / 60))


def _said(job: Job, ahead: int) -> str:
    """The one line about the whole order; empty when its files say enough."""
    language = job.order.language
    if job.error is not None:
        return job.error.message(language)
    if job.phase is Phase.CANCELLED:
        return text("upload_cancelled", language)
    if job.phase is Phase.ENDED:
        is_asked = job.is_usable and job.order.is_for_chat
        return text("upload_ask", language) if is_asked else ""
    if job.phase is Phase.QUEUED:
        return text("upload_ahead", language, count=ahead) if ahead else ""
    return waiting_text(job.waits_for, language) if job.waits_for else text("upload_meanwhile", language)


def _file(now: FileNow, phase: Phase, language: str) -> Props:
    result = now.result
    # Asked for when nothing moves any more: a card that is drawn anew forgets what was typed.
    row: Props = {"name": now.name, "locked": now.locked and phase in _OVER}
    if result is not None:
        is_done = result.outcome is not Outcome.REFUSED
        return row | {
            "state": "done" if is_done else "refused",
            "words": _outcome(result, language),
            "details": [*_details(result, language), *_tries(now, language)],
            "pages": result.pages,
            "chunks": result.chunks,
        }
    if phase in _OVER:
        return row | {"state": "left", "words": text("task_left", language)}
    if now.stage is None:
        return row | {"state": "waits", "words": text("task_wait", language)}
    many = "_many" if now.total > 1 else ""
    counted = {"done": now.done, "total": now.total} if many else {}
    share = round(now.done / now.total, 3) if many and now.stage in (Stage.PARSE, Stage.EMBED) else None
    return row | {
        "state": "works",
        "words": text(f"task_{now.stage.value}{many if share is not None else ''}", language, **counted),
        "share": share,
        "left": left_words(now.left_s, language),
    }


def _tries(now: FileNow, language: str) -> list[str]:
    if not now.tries or now.result is None or now.result.outcome is not Outcome.REFUSED:
        return []
    key = "upload_tries_left" if now.locked else "upload_tries_over"
    return [text(key, language, count=TRIES - now.tries)]


def _outcome(result: FileResult, language: str) -> str:
    return word(result.outcome, language, same_as=result.same_as)


def _details(result: FileResult, language: str) -> list[str]:
    return [result.error.message(language)] if result.error else result.notice_texts(language)


def _target(target: Target, language: str) -> Props:
    key = "target_private" if target.is_private else "target"
    return {"collection": target.collection, "label": text(key, language, collection=target.collection)}
