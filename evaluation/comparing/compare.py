"""One system before and now, on the same cases: what changed, beyond noise or not, and whose fault it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.errors import SettingsError
from evaluation.gate.noise import chance_of_loss
from evaluation.intervals import Difference, holm, paired_difference
from evaluation.reporting.figures import KEY, meaning_of
from evaluation.reporting.run_file import CaseRecord, RunFile, SystemRecord

# A difference with a smaller p, whose interval leaves out zero, is no chance.
SURE: Final = 0.05
# Scores are stored rounded.
_ROUNDING: Final = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseChange:
    """One case whose figure changed; ``stage`` is what lost it in the run where it is worse, if that is known."""

    id: str
    question: str
    before: float
    now: float
    stage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureChange:
    """One figure on the cases that both runs have. ``p`` is two-sided. ``worse`` and ``better`` are ordered by how
    much. ``verdict`` is -1 (worse beyond noise), 1 (better) or 0; always 0 for what is neither good nor bad.
    ``p_holm`` is ``p`` adjusted for all key figures of the comparison that can be good or bad; 1 for others."""

    figure: str
    cases: int
    before: float
    now: float
    difference: Difference
    p: float
    better: tuple[CaseChange, ...]
    worse: tuple[CaseChange, ...]
    verdict: int
    p_holm: float = 1.0

    @property
    def stands(self) -> bool:
        """Whether the verdict holds when all that was looked at is taken into account."""
        return self.verdict != 0 and self.p_holm < SURE


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One system on one set. ``only_before`` and ``only_now`` count the cases that the other run does not have;
    ``is_key`` figures are those that may not get worse."""

    kind: str
    set: str
    before: str
    now: str
    changes: tuple[FigureChange, ...]
    only_before: int
    only_now: int

    @property
    def is_worse(self) -> bool:
        """Whether a key figure is worse beyond noise."""
        return any(one.verdict < 0 and is_key(self.kind, one.figure) for one in self.changes)


def is_key(kind: str, figure: str) -> bool:
    """Whether runs of this kind are judged by the figure; of an unknown kind by all."""
    return kind not in KEY or figure in KEY[kind]


def is_judged(kind: str, figure: str) -> bool:
    """Whether the figure is a key figure that can be good or bad."""
    return is_key(kind, figure) and bool(meaning_of(kind, figure).better)


def compared(
    before: Sequence[RunFile], now: Sequence[RunFile], names: tuple[str, str] | None = None
) -> list[Compared]:
    """Each system of ``now`` with that of the same name, kind and set of ``before``; with ``names`` the first one
    of ``before`` with the second one of ``now``.

    Raises ``SettingsError`` when the two saw different data, or have nothing in common.
    """
    found = [
        system_change(a.kind, old, new)
        for a in before
        for b in now
        if a.kind == b.kind
        for old, new in _pairs(a, b, names)
    ]
    if not found:
        raise SettingsError(name="RUN", reason="the two have no kind, set and system in common")
    return _adjusted(found)


def _adjusted(found: Sequence[Compared]) -> list[Compared]:
    """With ``p_holm``, over the key figures of all of them."""
    judged = [c.p for one in found for c in one.changes if is_judged(one.kind, c.figure)]
    adjusted = iter(holm(judged))

    def changed(one: Compared, change: FigureChange) -> FigureChange:
        return replace(change, p_holm=next(adjusted)) if is_judged(one.kind, change.figure) else change

    return [replace(one, changes=tuple(changed(one, change) for change in one.changes)) for one in found]


def _pairs(
    a: RunFile, b: RunFile, names: tuple[str, str] | None
) -> Iterator[tuple[SystemRecord, SystemRecord]]:
    for new in b.systems:
        if names and new.name != names[1]:
            continue
        wanted = names[0] if names else new.name
        old = next((one for one in a.systems if (one.set, one.name) == (new.set, wanted)), None)
        if old is not None:
            _check_data(a, b, new.set)
            yield old, new


def _check_data(a: RunFile, b: RunFile, name: str) -> None:
    """A set that is no data set by itself is made from all of them."""
    ours, theirs = ({one.name: one.sha256 for one in run.data} for run in (b, a))
    of = [name] if name in ours and name in theirs else sorted(ours.keys() | theirs.keys())
    for one in of:
        if ours.get(one) != theirs.get(one):
            reason = f"the questions or documents of {one} are not the same in both runs"
            raise SettingsError(name="RUN", reason=reason)


def system_change(kind: str, before: SystemRecord, now: SystemRecord) -> Compared:
    """All figures that cases of both have, key figures first."""
    old = {case.id: case for case in before.cases}
    both = [(old[case.id], case) for case in now.cases if case.id in old]
    names = dict.fromkeys(name for pair in both for name in pair[1].scores if name in pair[0].scores)
    keys = KEY.get(kind, ())
    ordered = sorted(names, key=lambda name: keys.index(name) if name in keys else len(keys))
    return Compared(
        kind=kind,
        set=now.set,
        before=before.name,
        now=now.name,
        changes=tuple(_change(kind, name, both) for name in ordered),
        only_before=len(old) - len(both),
        only_now=len(now.cases) - len(both),
    )


def _change(kind: str, figure: str, both: Sequence[tuple[CaseRecord, CaseRecord]]) -> FigureChange:
    pairs = [(a, b) for a, b in both if figure in a.scores and figure in b.scores]
    before = [a.scores[figure] for a, _ in pairs]
    now = [b.scores[figure] for _, b in pairs]
    difference = paired_difference(before, now)
    gains = [new - old for old, new in zip(before, now, strict=True)]
    gains = [gain if abs(gain) > _ROUNDING else 0.0 for gain in gains]
    p = two_sided(gains)
    sign = meaning_of(kind, figure).better
    better, worse = _moved(figure, pairs, sign or 1)
    sure = p < SURE and difference.is_certain
    return FigureChange(
        figure=figure,
        cases=len(pairs),
        before=sum(before) / len(pairs),
        now=sum(now) / len(pairs),
        difference=difference,
        p=p,
        better=better,
        worse=worse,
        verdict=(sign if difference.mean > 0 else -sign) if sure else 0,
    )


def two_sided(gains: Sequence[float]) -> float:
    """How likely (0..1) a mean as far from zero as that of ``gains`` is when their signs are a matter of chance.

    Paired randomisation test, twice the smaller tail; source: as ``chance_of_loss``.
    """
    return min(1.0, 2 * min(chance_of_loss(gains), chance_of_loss([-gain for gain in gains])))


def _moved(
    figure: str, pairs: Sequence[tuple[CaseRecord, CaseRecord]], sign: int
) -> tuple[tuple[CaseChange, ...], tuple[CaseChange, ...]]:
    """Better and worse ones, those that changed most first."""
    better: list[CaseChange] = []
    worse: list[CaseChange] = []
    for old, new in pairs:
        gain = sign * (new.scores[figure] - old.scores[figure])
        if abs(gain) > _ROUNDING:
            losing = new if gain < 0 else old
            change = CaseChange(
                id=new.id,
                question=new.question or old.question,
                before=old.scores[figure],
                now=new.scores[figure],
                stage=losing.stage,
            )
            (worse if gain < 0 else better).append(change)

    def by_size(change: CaseChange) -> float:
        return -abs(change.now - change.before)

    return tuple(sorted(better, key=by_size)), tuple(sorted(worse, key=by_size))
