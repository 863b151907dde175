"""The result in a few sentences that need no knowledge of the figures."""

from __future__ import annotations

from collections.abc import Callable

from evaluation.intervals import paired_difference
from evaluation.reporting.grouping import Group, stages_of
from evaluation.reporting.run_file import SystemRecord
from evaluation.reporting.texts import text

_STAGES_NAMED = 3


def sentences_of(group: Group, language: str) -> list[str]:
    """For a kind that is not known nothing but what was lost."""
    write = _KINDS.get(group.kind)
    found = write(group, language) if write else []
    lost = stages_of(group.leading.cases)
    if lost and group.kind != "verify":
        comma = "、" if language == "zh" else ", "
        named = comma.join(f"{stage} {count}" for stage, count in list(lost.items())[:_STAGES_NAMED])
        found.append(text("sum_lost", language, n=sum(lost.values()), stages=named))
    return found


def _chunks(group: Group, language: str) -> list[str]:
    system = group.leading
    facts = {"complete": "complete", "truncated": "truncated", "recall": "recall@1600"}
    found = [_filled("sum_chunks", group, system, facts, language, "recall@1600", name=system.name)]
    if len({_percent(one, "recall@1600") for one in group.systems.values()}) == 1:
        return found
    best = sorted(group.systems, key=lambda name: -_value(group.systems[name], "recall@1600"))
    if len(best) > 1:
        one, two = group.systems[best[0]], group.systems[best[1]]
        gain = _gain(two, one, "recall@1600")
        details = {"value": _percent(one, "recall@1600"), "second": _percent(two, "recall@1600")}
        beyond = text("beyond" if gain and gain[1] > 0 else "within", language)
        found.append(text("sum_chunks_best", language, best=best[0], other=best[1], beyond=beyond, **details))
    return found


def _retrieval(group: Group, language: str) -> list[str]:
    system = group.leading
    main = "whole" if "whole" in system.figures else "recall"
    found = [_filled("sum_retrieval", group, system, {"whole": main, "hit": "hit@1"}, language, main)]
    for name, other in group.systems.items():
        gain = None if other is system else _gain(other, system, main)
        if gain and gain[1] == gain[2]:
            found.append(text("sum_same", language, other=name, value=_percent(other, main)))
        elif gain:
            mean, low, high = gain
            beyond = text("beyond" if low > 0 or high < 0 else "within", language)
            points = {"gain": _points(mean), "low": _points(low), "high": _points(high)}
            value = _percent(other, main)
            found.append(text("sum_other", language, other=name, value=value, beyond=beyond, **points))
    return found


def _answers(group: Group, language: str) -> list[str]:
    system = group.leading
    facts = {"recall": "recall", "precision": "precision"}
    found = [_filled("sum_answers", group, system, facts, language, "recall")]
    if "answer" in system.figures:
        found.append(text("sum_answer", language, answer=_percent(system, "answer")))
    if "refused" in system.figures:
        refused = system.figures["refused"]
        percent = _percent(system, "refused")
        found.append(text("sum_refused", language, n=refused.cases, refused=percent))
    return found


def _verify(group: Group, language: str) -> list[str]:
    system = group.leading
    caught, alarm = (f"{_value(system, name) * 100:.0f}" for name in ("caught", "alarm"))
    right = _percent(system, "right")
    n = len(system.cases)
    return [text("sum_verify", language, set=group.set, n=n, right=right, caught=caught, alarm=alarm)]


def _gate(group: Group, language: str) -> list[str]:
    system = group.leading
    names = {"truncated": "truncated", "complete": "complete", "recall": "recall@3", "refused": "refused"}
    facts = names | {"precision": "citation_precision"}
    shares = {key: _percent(system, figure) for key, figure in facts.items()}
    return [text("sum_gate", language, set=group.set, n=len(system.cases), **shares)]


_KINDS: dict[str, Callable[[Group, str], list[str]]] = {
    "chunks": _chunks,
    "retrieval": _retrieval,
    "answers": _answers,
    "verify": _verify,
    "gate": _gate,
}


def _filled(
    code: str,
    group: Group,
    system: SystemRecord,
    facts: dict[str, str],
    language: str,
    counted: str,
    **details: str,
) -> str:
    shares = {key: _percent(system, figure) for key, figure in facts.items()}
    n = system.figures[counted].cases if counted in system.figures else 0
    return text(code, language, set=group.set, n=n, **shares, **details)


def _value(system: SystemRecord, figure: str) -> float:
    return system.figures[figure].value if figure in system.figures else 0.0


def _percent(system: SystemRecord, figure: str) -> str:
    return f"{system.figures[figure].value * 100:.0f}\u00a0%" if figure in system.figures else "–"


def _points(difference: float) -> str:
    return f"{difference * 100:+.1f}"


def _gain(before: SystemRecord, now: SystemRecord, figure: str) -> tuple[float, float, float] | None:
    """Mean and interval of now - before, case by case; ``None`` where no case has both."""
    theirs = {case.id: case.scores[figure] for case in before.cases if figure in case.scores}
    pairs = [
        (theirs[case.id], case.scores[figure])
        for case in now.cases
        if figure in case.scores and case.id in theirs
    ]
    if not pairs:
        return None
    found = paired_difference(*zip(*pairs, strict=True))
    return found.mean, found.low, found.high
