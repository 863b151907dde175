"""One case's losses from its first failing stage, and failing cases written back as gold."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from core.answer import Answer
from core.store.blobs import write_durably
from evaluation.attribution.answering import answer_losses
from evaluation.attribution.loss import Loss, Stage, Stored
from evaluation.attribution.searching import search_losses
from evaluation.gold import GoldCase, evidence_fault


def losses_of(case: GoldCase, answer: Answer, stored: Stored) -> tuple[Loss, ...]:
    """What went wrong at the first stage at which anything did; empty for a case that went well."""
    if fault := evidence_fault(case, stored.texts):
        return (parser_loss(case, fault),)
    if answer.read is None and (lost := tuple(search_losses(case, answer.search, stored))):
        return lost
    return tuple(answer_losses(case, answer, stored))


def parser_loss(case: GoldCase, fault: str) -> Loss:
    """``fault`` says what of the evidence is not in the document's text."""
    first = case.evidence[0]
    words = first.text if isinstance(first.text, str) else first.text[0]
    return Loss(case=case, stage=Stage.PARSER, reason=fault, doc=first.doc, evidence=words)


def write_failures(path: Path, losses: Iterable[Loss]) -> int:
    """The cases as gold, each once, with ``failures``: stage, reason and evidence. Returns their number.

    Raises ``OSError``.
    """
    by_id: dict[str, list[Loss]] = {}
    for loss in losses:
        by_id.setdefault(loss.case.id, []).append(loss)
    lines = [json.dumps(_row(found), ensure_ascii=False) + "\n" for found in by_id.values()]
    write_durably(path, "".join(lines).encode("utf-8"))
    return len(lines)


def _row(losses: list[Loss]) -> dict[str, object]:
    failures = [
        {
            "stage": loss.stage.value, "reason": loss.reason, "doc": loss.doc, "evidence": loss.evidence,
            "ranks": dict(loss.ranks),
        }
        for loss in losses
    ]  # fmt: skip
    return losses[0].case.model_dump(exclude_defaults=True) | {"failures": failures}
