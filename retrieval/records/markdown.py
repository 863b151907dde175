"""A stored answer as Markdown, with its bibliography; whatever documents and models say stays words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from core.inert import inert
from core.reason_text import reason_text
from core.verdict import Verdict
from retrieval.records.bibliography import Entry, entries, place_of
from retrieval.records.opening import AnswerRecord
from retrieval.records.page import notes
from retrieval.records.texts import method_word, word
from retrieval.records.today import CitationState, Run, State
from retrieval.records.words import BAR

# What Markdown would take for a mark of its own; every line here begins with something else.
_MARKS: Final = re.compile(r"([\\`*_\[\]~])")
# An address is words here, whoever shows the file.
_ADDRESS: Final = re.compile(r"(?<=[a-z]):(?=\S)|(?<=\bwww)\.", re.IGNORECASE)
_BARS: Final = re.compile(f"{BAR}{{4,}}")
_ODD: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def markdown(record: AnswerRecord, language: str) -> str:
    """The whole record as one Markdown text."""
    return "\n".join(_lines(record, language)).rstrip() + "\n"


def _lines(record: AnswerRecord, language: str) -> Iterator[str]:
    answer = record.answer
    yield f"# {_plain(answer.search.question)}\n"
    made = " · ".join(part for part in (method_word(answer.method, language), answer.model) if part)
    yield f"*{record.created_at[:16].replace('T', ' ')} UTC · {_plain(made)} · {record.id}*\n"
    if answer.search.searched != answer.search.question:
        yield f"*{word('searched', language)}: {_plain(answer.search.searched)}*\n"
    yield from (f"> {_plain(note)}\n" for note in notes(record, language))
    yield _short_bars(inert(_ODD.sub("\ufffd", answer.text))) + "\n"
    yield from _checks(record, language)
    yield from _counter(record, language)
    sources = entries(record)
    if sources:
        yield f"## {word('bibliography', language)}\n"
        for entry in sources:
            yield from _entry(entry, language)


def _checks(record: AnswerRecord, language: str) -> Iterator[str]:
    claims = [check for check in record.answer.checks if check.claim]
    if not claims:
        return
    doubtful = [check for check in claims if check.verdict is not Verdict.SUPPORTED]
    key = "some_supported" if doubtful else "all_supported"
    yield f"## {word('checks', language)}\n"
    yield word(key, language, count=len(claims), good=len(claims) - len(doubtful)) + "\n"
    for check in doubtful:
        yield f"- **{word(check.verdict.value, language)}** {_plain(check.sentence)}"
        yield from (f"  - {_plain(reason_text(reason, language))}" for reason in check.reasons)
    yield ""


def _counter(record: AnswerRecord, language: str) -> Iterator[str]:
    seen = [one for one in record.answer.counter if one.version_id in record.versions]
    if seen:
        yield f"## {word('counter', language)}\n"
    for one in seen:
        yield f"- {_plain(one.doc)}: {_quoted(one.text, language)}"
        yield f"  - {_plain(reason_text(one.reason, language))}"
    if seen:
        yield ""


def _entry(entry: Entry, language: str) -> Iterator[str]:
    state = word(entry.state.value, language)
    if entry.state is State.UNAVAILABLE:
        yield f"{entry.n}. **{state}** {word('gone', language)}"
        return
    facts = (entry.file, entry.version_text(language), entry.place(language))
    where = " · ".join(_plain(fact) for fact in facts if fact)
    yield f"{entry.n}. **{_plain(entry.title)}** · {where} · *{word(entry.verdict.value, language)}* · *{state}*"
    yield from (f"   - {_quoted(quote, language)}" for quote in entry.quotes)
    for today in dict.fromkeys(entry.states):
        yield from _today(today, language)


def _today(state: CitationState, language: str) -> Iterator[str]:
    if state.state is State.MOVED:
        place = place_of(state.section_path, state.pages, language) or word("start", language)
        yield f"   - {_plain(word('moved_to', language, number=state.version, place=place))}"
    elif state.state is State.CHANGED and not state.new:
        yield f"   - {_plain(word('taken_out', language, number=state.version))}"
    elif state.state is State.CHANGED:
        yield f"   - {_plain(word('changed_in', language, number=state.version))}"
        yield f"     - {word('was', language)}: {_runs(state.old, '~~')}"
        yield f"     - {word('is', language)}: {_runs(state.new, '**')}"


def _runs(runs: Sequence[Run], mark: str) -> str:
    return "".join(f"{mark}{_plain(run.text)}{mark}" if run.changed else _plain(run.text) for run in runs)


def _quoted(text: str, language: str) -> str:
    return word("quote", language, quote=_plain(text.strip()))


def _plain(text: str) -> str:
    """On one line, every mark of Markdown and HTML made a sign like others."""
    line = re.sub(r"\s*\n\s*", " ", _ODD.sub("\ufffd", text))
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = _ADDRESS.sub(lambda found: f"&#{ord(found[0])};", _MARKS.sub(r"\\\1", line))
    return _short_bars(line)


def _short_bars(text: str) -> str:
    return _BARS.sub(BAR * 4, text)
