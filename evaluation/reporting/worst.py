"""The worst cases at full length: what was asked, what was wanted, what came, with the evidence marked."""

from __future__ import annotations

from evaluation.reporting.figures import keys_of, name_of
from evaluation.reporting.figures import shown as shown_as
from evaluation.reporting.grouping import Group
from evaluation.reporting.markup import Markup, el, joined
from evaluation.reporting.reasons import reason_text
from evaluation.reporting.run_file import CaseRecord, Excerpt, Shown
from evaluation.reporting.texts import stage_text, text

_SHOWN = 8


def worst_cases(group: Group, language: str) -> Markup | None:
    """Of the leading system; ``None`` when nothing went wrong."""
    cases = [case for case in group.leading.cases if case.shown is not None][:_SHOWN]
    if not cases:
        return None
    return joined(*(_case(case, group.kind, language) for case in cases))


def _case(case: CaseRecord, kind: str, language: str) -> Markup:
    shown = case.shown or Shown()
    head = joined(
        el("span", case.stage, class_="stage", title=stage_text(case.stage, language)),
        el("span", case.question, class_="asked"),
    )
    reason = reason_text(case.reason, language)
    why = joined(
        el("b", case.stage), ": ", stage_text(case.stage, language), f" ({reason})" if reason else ""
    )
    parts = [
        el("p", why, class_="why"),
        el("p", el("code", case.id), *_scores(case, kind, language), class_="id"),
    ]
    if shown.answer:
        parts.append(_titled("original" if kind == "verify" else "answer", el("p", shown.answer), language))
    if shown.evidence:
        parts.append(_titled("evidence", joined(*(_excerpt(one) for one in shown.evidence)), language))
    parts.append(_titled(_given(kind), _returned(shown, language), language))
    return el("details", el("summary", head), *parts)


def _given(kind: str) -> str:
    return {"answers": "cited", "verify": "passage"}.get(kind, "returned")


def _scores(case: CaseRecord, kind: str, language: str) -> list[str]:
    names = keys_of(kind, set(case.scores))
    return [f" · {name_of(kind, name, language)} {shown_as(kind, name, case.scores[name])}" for name in names]


def _titled(code: str, inner: Markup, language: str) -> Markup:
    return joined(el("h5", text(code, language)), inner)


def _returned(shown: Shown, language: str) -> Markup:
    if not shown.returned:
        return el("p", text("nothing", language), class_="none")
    without = text("no_mark", language) if shown.evidence else ""
    items = [
        el("li", _excerpt(one, without, text("rank", language, n=one.rank) if one.rank else ""))
        for one in shown.returned
    ]
    return el("ul" if shown.returned[0].rank else "ol", *items, class_="given")


def _excerpt(one: Excerpt, without: str = "", rank: str = "") -> Markup:
    """The words with their marks; ``without`` is said where there is none, ``rank`` before all."""
    parts: list[Markup] = []
    at = 0
    for start, end in one.marks:
        if end > at:
            parts += [joined(one.text[at : max(start, at)]), el("mark", one.text[max(start, at) : end])]
            at = end
    parts.append(joined(one.text[at:]))
    place = " · ".join(part for part in (rank, one.doc, f"{one.start:,}") if part)
    note = el("i", without) if without and not one.marks else joined("")
    return el("blockquote", el("cite", place, " ", note), el("div", *parts))
