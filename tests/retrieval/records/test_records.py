"""Stored answers over a life of their documents: who may open them, and what becomes of each source."""

from __future__ import annotations

import json
import logging
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.answer import Answer
from core.errors import StoreBusyError, UnknownAnswerError
from core.scope import EPHEMERAL_PREFIX, Scope, Visibility
from core.settings import Settings
from core.store import Store
from ingest.bundle.export import export
from ingest.removal import remove_ephemeral
from retrieval.knowledge_base import KnowledgeBase
from retrieval.records.bibliography import entries, uncited
from retrieval.records.codec import _without_hits
from retrieval.records.keep import delete, purge
from retrieval.records.opening import AnswerRecord
from retrieval.records.today import State
from retrieval.records.words import BAR
from tests.ingest.stored import add_text, files_with, home_of

RULES = "# 校准办法\n\n## 延期\n\n测温仪的校准可以延期，但最长不得超过九十天，并须经质量部经理书面批准。\n"
QUESTION = "测温仪的校准最长可以延期多少天？"
ANN, BOB, OPERATOR = Scope(viewer="ann"), Scope(viewer="bob"), Scope()


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    made = KnowledgeBase(home_of(tmp_path))
    add_text(made, "rules.md", RULES)
    add_text(made, "other.md", "# 食堂\n\n食堂早餐七点供应，午餐十二点供应。\n")
    yield made
    made.workspace.close()


def kept(base: KnowledgeBase, scope: Scope = OPERATOR) -> Answer:
    """An extracted answer with its citations, stored."""
    made = base.keep(base.ask(QUESTION, scope=scope), scope)
    assert made.id
    assert made.citations
    return made


def states(record: AnswerRecord) -> set[State]:
    return {state.state for state in record.states}


def test_an_answer_is_opened_as_it_was_given(base: KnowledgeBase) -> None:
    made = kept(base)
    record = base.answer_record(made.id)
    assert record.answer == replace(made, id="", search=_without_hits(made.search))
    assert states(record) == {State.UNCHANGED}
    assert (record.owner, record.language) == ("", "zh")
    [entry] = entries(record)
    assert (entry.file, entry.version, entry.section_path) == ("rules.md", 1, ("延期",))
    assert "不得超过九十天" in entry.quotes[0]
    assert [passage.doc for passage in uncited(record)] == ["other.md"]


def test_two_answers_have_ids_that_nobody_guesses(base: KnowledgeBase) -> None:
    first, second = kept(base).id, kept(base).id
    assert first != second
    assert len(first) == 24
    assert int(first, 16)


def test_the_same_words_elsewhere_are_moved(base: KnowledgeBase) -> None:
    made = kept(base)
    text = "# 校准办法\n\n## 总则\n\n本办法适用于全体。\n\n## 期限\n" + RULES.partition("## 延期\n")[2]
    add_text(base, "rules.md", text)
    [state] = set(base.answer_record(made.id).states)
    assert (state.state, state.version, state.section_path) == (State.MOVED, 2, ("期限",))
    assert state.span is not None
    assert state.span.of(text) == made.citations[0].text


def test_the_same_words_on_other_lines_are_moved(base: KnowledgeBase) -> None:
    made = kept(base)
    add_text(base, "rules.md", RULES.replace("最长不得超过", "最长\n不得超过"))
    assert states(base.answer_record(made.id)) == {State.MOVED}


def test_other_words_in_the_same_place_are_changed(base: KnowledgeBase) -> None:
    made = kept(base)
    add_text(base, "rules.md", RULES.replace("九十天", "六十天"))
    record = base.answer_record(made.id)
    [state] = set(record.states)
    assert (state.state, state.version, state.span) == (State.CHANGED, 2, None)
    assert [run.text for run in state.old if run.changed] == ["九十天"]
    assert [run.text for run in state.new if run.changed] == ["六十天"]
    assert "九十天" in record.answer.text
    assert entries(record)[0].version == 1
    add_text(base, "rules.md", RULES)
    assert states(base.answer_record(made.id)) <= {State.UNCHANGED, State.MOVED}


def test_a_short_place_is_held_against_the_line_that_came_of_it(base: KnowledgeBase) -> None:
    """That "九十天" stands elsewhere too says nothing about the place that was cited."""
    made = base.ask(QUESTION)
    citation = made.citations[0]
    at = citation.span.start + citation.text.index("九十天")
    span = replace(citation.span, start=at, end=at + 3)
    short = base.keep(replace(made, citations=(replace(citation, span=span, text="九十天"),)))
    changed = RULES.replace("九十天", "六十天") + "\n## 保存\n\n记录保存九十天以后销毁，由档案室负责。\n"
    add_text(base, "rules.md", changed)
    assert states(base.answer_record(short.id)) == {State.CHANGED}


def test_words_that_were_taken_out_have_nothing_beside_them(base: KnowledgeBase) -> None:
    made = kept(base)
    add_text(base, "rules.md", "# 校准办法\n\n全文废止。\n")
    [state] = set(base.answer_record(made.id).states)
    assert (state.state, state.new) == (State.CHANGED, ())


def test_nothing_of_a_removed_document_stays_in_its_answers(base: KnowledgeBase) -> None:
    made = kept(base)
    home = base.workspace.settings.home
    assert files_with(home, "不得超过九十天")
    base.workspace.remove(["rules.md"])
    for words in ("不得超过九十天", "质量部经理", "校准办法", "rules.md"):
        assert files_with(home, words) == []
    record = base.answer_record(made.id)
    assert states(record) == {State.UNAVAILABLE}
    assert set(record.answer.text) <= {*f"{BAR}[1] \n，。"}
    [entry] = entries(record)
    assert (entry.title, entry.file, entry.version, entry.pages, entry.quotes) == ("", "", 0, (), ())
    assert record.answer.search.question == QUESTION


def test_a_file_that_comes_back_is_the_same_source_again(base: KnowledgeBase) -> None:
    made = kept(base)
    base.workspace.remove(["rules.md"])
    add_text(base, "rules.md", RULES)
    assert states(base.answer_record(made.id)) == {State.UNCHANGED}


def test_who_may_not_see_a_document_any_more_reads_none_of_it(base: KnowledgeBase) -> None:
    made = kept(base, BOB)
    with base.workspace.store.write() as writer:
        row = writer.reader.document("rules.md")
        writer.share(row.id, owner="ann", visibility=Visibility.PRIVATE)
    record = base.answer_record(made.id, BOB)
    assert states(record) == {State.UNAVAILABLE}
    assert "九十" not in str(record.answer)
    assert "rules" not in str(record.answer)
    with base.workspace.store.write() as writer:
        writer.share(row.id, visibility=Visibility.ALL)
    assert "九十天" in base.answer_record(made.id, BOB).answer.text


def test_a_later_version_that_is_hidden_is_not_told(base: KnowledgeBase) -> None:
    made = kept(base, BOB)
    add_text(base, "rules.md", RULES.replace("九十", "六十"), owner="ann", visibility=Visibility.PRIVATE)
    record = base.answer_record(made.id, BOB)
    assert states(record) == {State.UNAVAILABLE}
    assert "六十" not in str(record)


def test_an_answer_is_its_viewers_own(base: KnowledgeBase) -> None:
    made, nobodys = kept(base, ANN), kept(base)
    assert base.answer_record(made.id, ANN).answer.text == made.text
    assert base.answer_record(made.id, OPERATOR).owner == "ann"
    for scope in (BOB, Scope(viewer="")):
        with pytest.raises(UnknownAnswerError):
            base.answer_record(made.id, scope)
        with pytest.raises(UnknownAnswerError):
            base.answer_record(nobodys.id, scope)


def test_files_of_a_chat_are_sources_as_long_as_it_lasts(base: KnowledgeBase) -> None:
    chat = f"{EPHEMERAL_PREFIX}1"
    add_text(base, "mine.md", "# 临时\n\n临时停车证的有效期为三个月，逾期作废。\n", chat)
    scope = Scope(chat=chat)
    made = base.keep(base.ask("临时停车证的有效期是多久？", scope=scope), scope)
    assert base.answer_record(made.id).answer.text == made.text
    remove_ephemeral(base.workspace, chat)
    record = base.answer_record(made.id)
    assert states(record) == {State.UNAVAILABLE}
    assert "三个月" not in str(record.answer)


def test_an_answer_that_cannot_be_stored_is_given_all_the_same(
    base: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made = base.ask(QUESTION)

    def busy(self: Store) -> None:
        raise StoreBusyError(waited_s=3)

    monkeypatch.setattr(Store, "recording", busy)
    with caplog.at_level(logging.WARNING):
        assert base.keep(made) == replace(made, notes=(*made.notes, "note_not_stored"))
    assert "could not be stored" in caplog.text


def test_records_may_be_switched_off(base: KnowledgeBase) -> None:
    off = KnowledgeBase(
        base.settings.model_copy(update={"answer": base.settings.answer.model_copy(update={"store": False})})
    )
    made = off.ask(QUESTION)
    assert off.keep(made) == made
    off.workspace.close()


def test_old_records_go_with_the_next_one_and_by_hand(base: KnowledgeBase) -> None:
    store, home = base.workspace.store, base.workspace.settings.home
    made = kept(base)
    with store.read() as reader:
        row = reader.answer(made.id)
    with store.recording() as writer:
        writer.put(replace(row, id="old", created_at="2020-01-01T00:00:00+00:00", question="kanarie4711"))
    options = base.settings.answer.model_copy(update={"keep_days": 30})
    short = KnowledgeBase(base.settings.model_copy(update={"answer": options}))
    assert purge(store, 36500) == 0
    kept(short)
    with store.read() as reader:
        assert "old" not in {row.id for row in reader.answers()}
        assert reader.count("answers") == 2
    short.workspace.close()
    assert delete(store, [made.id]) == 1
    assert files_with(home, "kanarie4711") == []


def test_settings_name_both(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, answer={"keep_days": 7, "store": False})  # type: ignore[arg-type]
    assert (settings.answer.keep_days, settings.answer.store) == (7, False)


def test_an_archive_holds_documents_as_before_and_no_answers(base: KnowledgeBase, tmp_path: Path) -> None:
    made = kept(base)
    target = tmp_path / "base.zip"
    export(base.workspace.store, target, None, lambda what, done, total: None)
    with zipfile.ZipFile(target) as packed:
        assert json.loads(packed.read("manifest.json"))["schema_version"] == 2
        for name in packed.namelist():
            assert made.id.encode() not in packed.read(name)
            assert QUESTION.encode() not in packed.read(name)
