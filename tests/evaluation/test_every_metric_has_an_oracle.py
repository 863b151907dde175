"""Each metric has a test that works its value out in another way: by hand, or by a slow second implementation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
# Files that hold metrics by their names; elsewhere a metric is a function that says "Share (0..1)".
_NAMES: Final = ("ranking", "rouge", "intervals", "noise", "refusal", "reliability")
_ENDINGS: Final = ("metrics", "scores", "completeness_judge")

_HAND: Final = "test_metric_oracles.py"
# Metric (below evaluation) -> the test that is its oracle (below tests/evaluation).
ORACLES: Final = {
    "answers.refusal.refusal": "test_answers_scores.py::test_refusal_is_counted_as_by_hand",
    "answers.scores.normalised": f"{_HAND}::test_parts_of_an_answer",
    "answers.scores.wanted_parts": "test_answers_scores.py::test_a_list_beside_one_piece_of_evidence_is_of_alternatives",
    "answers.scores.is_verbatim": "test_answers_scores.py::test_an_answer_in_other_words_is_told_from_one_of_the_source",
    "answers.scores.answer_held": f"{_HAND}::test_parts_of_an_answer",
    "answers.scores.key_points": f"{_HAND}::test_parts_of_an_answer",
    "answers.scores.unsupported_share": f"{_HAND}::test_words_and_verdicts_by_hand",
    "answers.scores.words_held": f"{_HAND}::test_words_and_verdicts_by_hand",
    "answers.scores.citation_precision": f"{_HAND}::test_citations",
    "answers.scores.citation_recall": f"{_HAND}::test_citations",
    "answers.scores.page_accuracy": f"{_HAND}::test_the_page_of_the_first_citation",
    "answers.scores.scores_of": "test_answers_scores.py::test_each_case_has_the_figures_it_allows",
    "attribution.answering.citation_precision": f"{_HAND}::test_the_gates_citations",
    "attribution.answering.citation_recall": f"{_HAND}::test_the_gates_citations",
    "chunk_metrics.coverage": "test_chunk_metrics.py::test_coverage_is_that_of_the_oracle",
    "chunk_metrics.sizes": "test_chunk_metrics.py::test_sizes_count_empty_chunks_and_both_limits",
    "chunk_metrics.header_inheritance": "test_chunk_metrics.py::test_a_header_is_inherited_when_the_innermost_heading_is_embedded",
    "chunk_metrics.page_retention": "test_chunk_metrics.py::test_a_passage_keeps_its_page_when_a_line_with_a_box_is_in_it",
    "chunk_metrics.table_integrity": "test_chunk_metrics.py::test_a_row_counts_when_it_is_whole_and_its_columns_have_names",
    "chunk_metrics.redundancy": "test_chunk_metrics.py::test_redundancy_is_of_neighbours_in_one_document",
    "chunk_scores.orders": "test_chunk_scores.py::test_an_order_is_by_nearness_and_ties_by_place",
    "chunk_scores.chunk_scores": "test_chunk_scores.py::test_shares_are_of_the_pieces_of_one_question",
    "chunk_scores.search_scores": "test_chunk_scores.py::test_what_a_budget_brings",
    "chunk_scores.chroma_scores": "test_chunk_scores.py::test_five_chunks_as_chroma_returns_them",
    "chunk_scores.failures": "test_chunk_scores.py::test_a_loss_is_put_down_to_its_stage",
    "chunk_scores.means": "test_chunk_scores.py::test_means",
    "comparing.compare.two_sided": f"{_HAND}::test_the_two_sided_chance_is_that_of_all_ways",
    "completeness_judge.judged_completeness": "test_completeness_judge.py::test_scores_are_counted_as_by_hand",
    "gate.noise.chance_of_loss": "gate/test_gate_noise.py::test_few_cases_are_counted_exactly",
    "intervals.holm": f"{_HAND}::test_many_chances_are_those_of_the_closed_test",
    "intervals.paired_difference": f"{_HAND}::test_the_bootstrap_leaves_out_what_every_resample_leaves_out",
    "intervals.interval": f"{_HAND}::test_the_bootstrap_leaves_out_what_every_resample_leaves_out",
    "ranking.evidence_recall": f"{_HAND}::test_a_ranking",
    "ranking.reciprocal_rank": f"{_HAND}::test_a_ranking",
    "ranking.precision_at": f"{_HAND}::test_a_ranking",
    "ranking.f1_at": f"{_HAND}::test_a_ranking",
    "ranking.ndcg_at": f"{_HAND}::test_a_ranking",
    "ranking.is_missed": f"{_HAND}::test_a_ranking",
    "retrieval.reliability.reliability": f"{_HAND}::test_reliability",
    "retrieval.reliability.curve_svg": "test_retrieval_reliability.py::test_the_drawing_is_well_formed_and_has_a_point_a_bin",
    "retrieval.runs.latency_of": f"{_HAND}::test_percentiles_of_latency",
    "retrieval.scores.retrieved": "test_retrieval_scores.py::test_pages_and_documents_are_places_too",
    "retrieval.scores.cut": "test_retrieval_scores.py::test_the_budget_cuts_the_last_passage_and_drops_the_rest",
    "retrieval.scores.scores_of": "test_retrieval_scores.py::test_ranks_are_of_whole_passages_and_recall_is_of_the_budget",
    "retrieval.scores.losses_of": "test_retrieval_scores.py::test_a_loss_names_its_stage",
    "rouge.rouge_l": f"{_HAND}::test_rouge_is_the_harmonic_mean_of_its_two_shares",
    "rouge.common_subsequence": "test_chunk_metrics.py::test_the_common_subsequence_is_that_of_the_textbook",
    "span_metrics.within_budget": "test_span_metrics.py::test_every_strategy_pays_the_same_tokens",
    "span_metrics.span_score": "test_span_metrics.py::test_sets_of_characters",
    "span_metrics.chroma_score": "test_span_metrics.py::test_chromas_figures",
    "span_metrics.chroma_precision_omega": "test_span_metrics.py::test_chromas_figures",
    "topic_metrics.topic_figures": f"{_HAND}::test_topics",
    "verification.metrics.unsupported": "test_verification_metrics.py::test_figures_against_a_slow_count",
    "verification.metrics.not_supported": "test_verification_metrics.py::test_figures_against_a_slow_count",
    "verification.metrics.figures_of": "test_verification_metrics.py::test_figures_against_a_slow_count",
    "verification.metrics.confusion": "test_verification_metrics.py::test_confusion_counts_every_case_once",
    "verification.metrics.milliseconds": "test_verification_metrics.py::test_milliseconds",
    "verification.metrics.rightness": "test_verification_metrics.py::test_confusion_counts_every_case_once",
}  # fmt: skip


# Oracle tests that reach the metric through what is built on it.
_WAYS: Final = {
    "retrieval.scores.retrieved": ("scores_of",),
    "verification.metrics.unsupported": ("figures_of",),
}


def metrics() -> Iterator[str]:
    """Public functions of the files that hold metrics, and all others that say that they yield a share."""
    for path in sorted((ROOT / "evaluation").rglob("*.py")):
        is_named = path.stem in _NAMES or path.stem.endswith(_ENDINGS)
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                says = ast.get_docstring(node) or ""
                if is_named or "Share (0..1)" in says:
                    module = path.relative_to(ROOT / "evaluation").with_suffix("")
                    yield ".".join([*module.parts, node.name])


def test_no_metric_is_without_an_oracle() -> None:
    missing = sorted(set(metrics()) - ORACLES.keys())
    assert not missing, f"write an oracle test and name it in ORACLES: {missing}"


@pytest.mark.parametrize("metric", ORACLES)
def test_the_oracle_is_there_and_asks_the_metric(metric: str) -> None:
    module, _, function = metric.rpartition(".")
    assert f"def {function}(" in (ROOT / "evaluation" / f"{module.replace('.', '/')}.py").read_text("utf-8")
    name, _, test = ORACLES[metric].partition("::")
    source = (ROOT / "tests" / "evaluation" / name).read_text("utf-8")
    body = next(
        (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name == test),
        None,
    )
    assert body is not None, f"{name} has no {test}"
    assert any(part in ast.unparse(body) for part in (function, *_WAYS.get(metric, ())))
