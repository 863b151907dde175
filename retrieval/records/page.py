"""A stored answer as a page for people: one file that loads nothing, light and dark, on a phone and on paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from typing import Final

from core.answer import Passage, Route
from core.chat.usage import usage_line
from core.messages import render
from core.read_share import read_line
from core.reason_text import reason_text
from core.verdict import Reason, Verdict
from ingest.viewer.inert import attribute, inert
from retrieval.records.answer_text import answer_html, bars
from retrieval.records.bibliography import Entry, entries, place_of, uncited
from retrieval.records.highlight import layered
from retrieval.records.opening import AnswerRecord
from retrieval.records.texts import method_word, word
from retrieval.records.today import CitationState, Run, State

_BLANK_LINES: Final = re.compile(r"\n\s*\n")
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def page(record: AnswerRecord, language: str, downloads: Sequence[tuple[str, str]] = ()) -> str:
    """The whole page; ``downloads`` are labels and addresses of other forms, for a page that a server shows."""
    return "".join(_pieces(record, language, downloads))


def _pieces(record: AnswerRecord, language: str, downloads: Sequence[tuple[str, str]]) -> Iterator[str]:
    sources = entries(record)
    yield _opening(record, language)
    yield _head(record, language, downloads)
    yield '<main class="record">\n'
    body = answer_html(record.answer, {entry.n for entry in sources}, language)
    yield f'<article class="said">{body}</article>\n'
    yield _checks(record, language)
    yield _counter(record, language)
    yield _sources(record, sources, language)
    yield _uncited(record, language)
    yield _foot(record, language)
    yield "</main></body></html>\n"


def _opening(record: AnswerRecord, language: str) -> str:
    css = files("ingest").joinpath("viewer", "page.css").read_text("utf-8")
    css += files("retrieval").joinpath("records", "answer.css").read_text("utf-8")
    return (
        f'<!doctype html>\n<html lang="{"zh-CN" if language == "zh" else "en"}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{attribute(record.answer.search.question)}</title><style>{css}</style></head>\n<body>\n"
    )


def _head(record: AnswerRecord, language: str, downloads: Sequence[tuple[str, str]]) -> str:
    answer, search = record.answer, record.answer.search
    facts = {
        "asked": f"{record.created_at[:16].replace('T', ' ')} UTC",
        "method": " · ".join(part for part in (method_word(answer.method, language), answer.model) if part),
        "took": word("seconds", language, seconds=answer.latency_ms / 1000),
    }
    if search.searched != search.question:
        facts["searched"] = search.searched
    cells = "".join(
        f"<div><dt>{word(key, language)}</dt><dd>{inert(value)}</dd></div>" for key, value in facts.items()
    )
    links = "".join(
        f'<a href="{attribute(target)}" download>{inert(label)}</a>' for label, target in downloads
    )
    told = "".join(f"<p class=advice>{inert(note)}</p>" for note in notes(record, language))
    return (
        f'<header class="top record"><p class="brand">{word("brand", language)}'
        f'<span class="downloads">{links}</span></p><h1>{inert(search.question)}</h1>'
        f"<dl>{cells}</dl>{told}</header>\n"
    )


def notes(record: AnswerRecord, language: str) -> list[str]:
    """What a reader must know before the answer, in words."""
    answer = record.answer
    said = [] if answer.complete else [word("incomplete", language)]
    if answer.read:
        said.append(read_line(answer.read, language))
    said += [
        render(note, language, left_out=answer.left_out, removed=answer.removed) for note in answer.notes
    ]
    if answer.answered and answer.search.route is Route.DOUBTFUL:
        said.append(word("doubtful", language))
    if any(passage.version_id not in record.versions for passage in answer.search.passages):
        said.append(word("some_gone", language))
    return said


def _checks(record: AnswerRecord, language: str) -> str:
    claims = [check for check in record.answer.checks if check.claim]
    if not claims:
        return ""
    doubtful = [check for check in claims if check.verdict is not Verdict.SUPPORTED]
    key = "some_supported" if doubtful else "all_supported"
    said = word(key, language, count=len(claims), good=len(claims) - len(doubtful))
    items = "".join(
        f'<li id="c{number}" class="{check.verdict.value}"><span class="badge {check.verdict.value}">'
        f"{word(check.verdict.value, language)}</span> <q>{bars(inert(check.sentence), language)}</q>"
        f"{_reasons(check.reasons, language)}</li>"
        for number, check in enumerate(doubtful, start=1)
    )
    return (
        f'<section class="checks"><h2>{word("checks", language)}</h2><p>{said}</p>'
        f"{f'<ol>{items}</ol>' if items else ''}</section>\n"
    )


def _reasons(reasons: Sequence[Reason], language: str) -> str:
    return "".join(
        f'<p class="reason">{bars(inert(reason_text(r, language)), language)}</p>' for r in reasons
    )


def _counter(record: AnswerRecord, language: str) -> str:
    items = "".join(
        f'<li><p class="where">{inert(one.doc)}</p><blockquote>{_words(one.text)}</blockquote>'
        f"{_reasons((one.reason,), language)}</li>"
        for one in record.answer.counter
        if one.version_id in record.versions
    )
    return (
        f'<section class="counter"><h2>{word("counter", language)}</h2><ol>{items}</ol></section>\n'
        if items
        else ""
    )


def _sources(record: AnswerRecord, sources: Sequence[Entry], language: str) -> str:
    if not sources:
        return ""
    items = "".join(_source(entry, language) for entry in sources)
    layers = ("pale", "strong") if any(c.strong for c in record.answer.citations) else ("pale",)
    legend = "".join(f'<span class="{one}">{word(f"legend_{one}", language)}</span>' for one in layers)
    title = f'{word("sources", language)} <small class="legend">{legend}</small>'
    return f'<section class="sources"><h2>{title}</h2><ol>{items}</ol></section>\n'


def _source(entry: Entry, language: str) -> str:
    state = f'<span class="state {entry.state.value}">{word(entry.state.value, language)}</span>'
    number = f'<span class="chip">{entry.n}</span>'
    if entry.state is State.UNAVAILABLE:
        text = f'<p class="lost">{word("gone", language)}</p>'
        return f'<li id="s{entry.n}"><h3>{number}{state}</h3>{text}</li>'
    verdict = f'<span class="badge {entry.verdict.value}">{word(entry.verdict.value, language)}</span>'
    place = entry.place(language)
    facts = (entry.file, place, entry.version_text(language))
    lines = "".join(f"<p>{inert(fact)}</p>" for fact in facts if fact)
    said = {
        reason_text(reason, language): None for citation in entry.citations for reason in citation.reasons
    }
    reasons = "".join(f'<p class="reason">{bars(inert(text), language)}</p>' for text in said)
    return (
        f'<li id="s{entry.n}"><h3>{number}<span class="title">{inert(entry.title)}</span>{verdict}{state}</h3>'
        f'<div class="where">{lines}</div>{reasons}<blockquote>{_quote(entry)}</blockquote>'
        f"{''.join(_today(state, language) for state in dict.fromkeys(entry.states))}</li>"
    )


def _quote(entry: Entry) -> str:
    inside = [citation for citation in entry.citations if citation.text]
    runs: list[str] = []
    for run in layered(entry.passage, inside):
        gap = '<i class="cut">…</i>' if run.is_cut else ""
        runs.append(gap + (f'<span class="{run.layer.value}">{_words(run.text)}</span>' if run.text else ""))
    return "".join(runs)


def _words(source: str) -> str:
    """Words of a source without its blank lines, which say nothing in a quote."""
    return inert(_BLANK_LINES.sub("\n", source))


def _today(state: CitationState, language: str) -> str:
    """What became of a cited place; nothing for one that stands where it stood."""
    if state.state is State.MOVED:
        place = place_of(state.section_path, state.pages, language) or word("start", language)
        return f'<p class="today">{inert(word("moved_to", language, number=state.version, place=place))}</p>'
    if state.state is not State.CHANGED:
        return ""
    if not state.new:
        return f'<p class="today">{inert(word("taken_out", language, number=state.version))}</p>'
    said = inert(word("changed_in", language, number=state.version))
    return (
        f'<div class="today"><p>{said}</p><div class="diff">'
        f'<p class="was">{_diff(state.old, "del")}</p><p class="is">{_diff(state.new, "ins")}</p></div></div>'
    )


def _diff(runs: Sequence[Run], tag: str) -> str:
    return "".join(f"<{tag}>{inert(run.text)}</{tag}>" if run.changed else inert(run.text) for run in runs)


def _uncited(record: AnswerRecord, language: str) -> str:
    passages = uncited(record)
    if not passages:
        return ""
    key = "uncited" if record.answer.answered else "nearest"
    items = "".join(_read_passage(passage, language) for passage in passages)
    opened = "" if record.answer.answered else " open"
    title = word(key, language, count=len(passages))
    return f'<details class="uncited"{opened}><summary>{title}</summary><ol>{items}</ol></details>\n'


def _read_passage(passage: Passage, language: str) -> str:
    where = " · ".join(
        part for part in (passage.doc, place_of(passage.section_path, passage.pages, language)) if part
    )
    return f'<li><p class="where">{inert(where)}</p><blockquote>{_words(passage.text)}</blockquote></li>'


def _foot(record: AnswerRecord, language: str) -> str:
    answer = record.answer
    now = f"{datetime.now(UTC).isoformat(timespec='minutes')[:16].replace('T', ' ')} UTC"
    lines = [word("as_of", language, moment=now), f"{word('link', language)}: {record.id}"]
    if answer.prompt_version:
        lines.append(f"{word('prompt', language)}: {answer.prompt_version}")
    if answer.usage:
        lines.append(usage_line(answer.usage, language))
    return f"<footer>{''.join(f'<p>{inert(line)}</p>' for line in lines)}</footer>\n"
