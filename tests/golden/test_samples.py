"""The samples with the default model: sixty questions of our own writing, and the PDF made by its script."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import pytest

from core.answer import Route
from core.settings import Settings
from evaluation.gold import GoldCase, read_gold
from evaluation.ranking import Retrieved, evidence_recall
from ingest.check import problems
from retrieval.knowledge_base import KnowledgeBase
from tests.support import make_ingest

ROOT = Path(__file__).resolve().parents[2]
GOLD = read_gold(Path(__file__).with_name("samples.jsonl"))


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    base = KnowledgeBase(Settings(home=tmp_path_factory.mktemp("samples")))
    report = make_ingest(base).add([ROOT / "samples"], "default")
    assert not any(result.error for result in report.files)
    yield base
    base.workspace.close()


def cases(kind: str) -> list[GoldCase]:
    return [case for case in GOLD if case.type == kind]


def test_the_gold_is_what_stands_in_the_documents(samples: KnowledgeBase) -> None:
    assert problems(samples.workspace.store) == []
    with samples.workspace.store.read() as reader:
        texts = {row.name: reader.version(row.version_id).text for row in reader.documents()}
    for case in GOLD:
        for piece in case.evidence:
            assert texts[piece.doc][piece.start : piece.end] == piece.text, case.id


def test_every_single_fact_is_among_five_passages(samples: KnowledgeBase) -> None:
    recalls = {}
    for case in cases("fact"):
        found = samples.search(case.question).passages
        passages = [Retrieved(doc=p.doc, span=p.span, pages=p.pages) for p in found]
        recalls[case.id] = evidence_recall(case, passages, 5)
    assert fmean(recalls.values()) >= 0.97, {k: v for k, v in recalls.items() if v < 1}


def test_what_the_documents_do_not_tell_is_refused_and_the_rest_is_answered(samples: KnowledgeBase) -> None:
    for case in cases("noanswer"):
        answer = samples.ask(case.question)
        assert not answer.answered, case.question
        assert answer.search.route is not Route.CONFIDENT
    answers = [samples.ask(case.question) for case in cases("fact")]
    assert fmean(answer.answered for answer in answers) >= 0.95


# Half of the passages that an answer is given.
LOOKED_AT = 8
ACROSS = {
    "s01": "Which conditions must be met to apply for remote work?",
    "s03": "May I work remotely from abroad?",
    "s05": "How many days of unused annual leave can be carried over, and until when?",
    "s08": "How many days of marriage leave are there, and when is it not granted?",
    "s10": "When may one take a plane on a business trip?",
    "s13": "How long is the probation period of a three-year labour contract?",
    "s20": "How can one appeal against a disciplinary decision?",
    "s26": "For how many days may departments borrow instruments from each other at most?",
    "s27": "How often must pressure gauges be calibrated?",
    "s30": "After how many wrong passwords is the computer locked, and for how long?",
    "s31": "在什么条件下可以校准 T200？",
    "s32": "怎样把 T200 的保修期延长到 36 个月？",
    "s33": "T200 出现错误 E03 是什么意思，怎么解决？",
    "s34": "T200 的状态灯双闪黄色，应该怎么办？",
    "s36": "T200 的电池可以在什么温度下充电？",
    "s37": "更换探头后 T200 需要重新校准吗？",
    "s38": "开始记录之前，T200 要适应环境多长时间？",
}


def test_questions_in_the_other_language_find_the_evidence(samples: KnowledgeBase) -> None:
    recalls = {}
    for case in cases("fact"):
        if case.id in ACROSS:
            found = samples.search(ACROSS[case.id]).passages
            passages = [Retrieved(doc=p.doc, span=p.span, pages=p.pages) for p in found]
            recalls[case.id] = evidence_recall(case, passages, LOOKED_AT)
    assert len(recalls) == len(ACROSS)
    assert fmean(recalls.values()) >= 0.85, {k: v for k, v in recalls.items() if v < 1}


def test_extracted_answers_cite_the_evidence(samples: KnowledgeBase) -> None:
    touched = []
    for case in cases("fact"):
        answer = samples.ask(case.question)
        cited = [(answer.search.passages[c.passage].doc, c.span) for c in answer.citations]
        touched.append(
            any(
                doc == piece.doc and span.start < (piece.end or 0) and (piece.start or 0) < span.end
                for doc, span in cited
                for piece in case.evidence
            )
        )
    assert fmean(touched) >= 0.85


def test_the_sample_pdf_is_what_its_script_makes(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "make_sample_pdf.py"
    target = tmp_path / "made.pdf"
    subprocess.run([sys.executable, str(script), str(target)], check=True, cwd=ROOT)
    assert target.read_bytes() == (ROOT / "samples" / "仪器设备管理办法.pdf").read_bytes()
