"""A question of a search is blamed on the stage that its trace tells, or on what is seen from outside."""

from __future__ import annotations

from pathlib import Path

from core.settings import Settings
from evaluation.gold import EvidencePiece
from evaluation.reporting.run_file import SystemRecord
from evaluation.retrieval.base import Models, open_base
from evaluation.retrieval.ours import OwnSystem
from evaluation.retrieval.questions import Asked, asked_of, read_set
from evaluation.retrieval.record import system_of
from evaluation.retrieval.runs import run_system
from evaluation.retrieval.variants import variant_of
from evaluation.vector_cache import VectorCache

RULES = "".join(
    f"第{n}条 员工第{n}类假期须提前{n}天书面申请，由部门主管批准，并报人事部备案存档。\n\n"
    for n in range(1, 60)
)


def recorded(tmp_path: Path, settings: Settings, evidence: dict[str, object], variant: str) -> SystemRecord:
    folder = tmp_path / "own"
    (folder / "corpus").mkdir(parents=True)
    (folder / "corpus" / "a.md").write_text(RULES, "utf-8")
    piece = EvidencePiece.model_validate({"doc": "a.md"} | evidence).model_dump_json()
    row = f'{{"id": "q", "question": "怎样申请假期？", "lang": "zh", "evidence": [{piece}]}}\n'
    (folder / "gold.jsonl").write_text(row, "utf-8")
    cache = VectorCache(tmp_path / "vectors.db")
    try:
        found = read_set("own", [folder], 0)
        model = Models(cache, lambda done, total: None).of(settings)
        base = open_base(found, settings, model, lambda done, total: None)
        asked: Asked = asked_of(found, base.texts, base.twins, 0)
        system = OwnSystem(variant_of(variant, settings), base)
        try:
            run = run_system(
                system, "own", asked, base, with_reliability=False, on_question=lambda done, total: None
            )
        finally:
            system.close()
        return system_of(run, base)
    finally:
        cache.close()


def test_what_the_trace_knows_is_told_with_the_text(tmp_path: Path, settings: Settings) -> None:
    words = "第57条 员工第57类假期须提前57天书面申请"
    start = RULES.index(words)
    made = recorded(
        tmp_path,
        settings,
        {"text": words, "start": start, "end": start + len(words)},
        "ours:retrieval.passages=1:retrieval.max_tokens=100",
    )
    (case,) = made.cases
    assert case.scores["recall"] == 0 and case.stage in {
        "embedding",
        "lexical",
        "fusion",
        "rerank",
        "packing",
    }
    assert case.reason and case.shown is not None
    assert case.shown.evidence[0].text == words and case.shown.returned
    assert not any(one.marks for one in case.shown.returned)


def test_a_page_without_offsets_is_seen_from_outside(tmp_path: Path, settings: Settings) -> None:
    made = recorded(tmp_path, settings, {"text": "第57条", "page": 9}, "ours")
    (case,) = made.cases
    assert (case.stage, case.scores["recall"]) == ("candidates", 0)
    assert case.shown is not None and case.shown.evidence[0].text == "第57条"
