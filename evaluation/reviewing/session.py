"""One sitting of a reviewer: draft by draft, a letter each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evaluation.drafting.draft import Context, Draft
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.reviewing.decisions import Decisions
from evaluation.reviewing.screen import card, line

# Asks with a prompt; ``None`` when nobody answers any more.
Ask = Callable[[str], "str | None"]
Say = Callable[[str], None]


class Session:
    """Shows what is still open and keeps each decision at once."""

    def __init__(
        self, drafts: Sequence[Draft], decisions: Decisions, ask: Ask, say: Say, language: str
    ) -> None:
        self._drafts = drafts
        self._decisions = decisions
        self._ask, self._say, self._language = ask, say, language
        # Places of the drafts that were shown in this sitting.
        self._shown: list[int] = []

    def run(self) -> None:
        """Until all were shown once or the reviewer has enough."""
        at = 0
        while at < len(self._drafts):
            if self._decisions.status(self._drafts[at]) != "open":
                at += 1
                continue
            self._shown.append(at)
            step = self._review(at)
            if step == 0:
                return
            at = at + 1 if step > 0 else self._previous()

    def _previous(self) -> int:
        """The draft shown before this one, opened again; this one when there is none."""
        here = self._shown.pop()
        at = self._shown.pop() if self._shown else here
        if self._decisions.status(self._drafts[at]) != "open":
            self._decisions.add(self._drafts[at], "open")
        return at

    def _review(self, at: int) -> int:
        """1: on to the next, -1: back, 0: enough."""
        draft, case = self._drafts[at], self._drafts[at].case
        while True:
            self._say(card(draft, case, at + 1, len(self._drafts), self._language))
            key = self._ask(line("keys", self._language))
            match key.strip().lower() if key is not None else "q":
                case "q":
                    return 0
                case "b":
                    return -1
                case "s":
                    return 1
                case "r":
                    self._decisions.add(draft, "rejected")
                    return 1
                case "a":
                    if self._accepted(draft, case):
                        return 1
                case "e":
                    case = self._edited(case)
                case "v":
                    case = self._with_evidence(draft, case)
                case "n":
                    case = case.model_copy(update={"type": "noanswer", "evidence": ()})
                case _:
                    self._say(line("unknown", self._language))

    def _accepted(self, draft: Draft, case: GoldCase) -> bool:
        if case.type != "noanswer" and not case.evidence:
            self._say(line("no_evidence", self._language))
            return False
        if case.type != "noanswer" and not case.answer:
            self._say(line("no_answer", self._language))
            return False
        self._decisions.add(draft, "accepted", case)
        return True

    def _edited(self, case: GoldCase) -> GoldCase:
        question = self._ask(line("new_question", self._language)) or ""
        answer = self._ask(line("new_answer", self._language)) or ""
        changed = {"question": question.strip(), "answer": answer.strip()}
        return case.model_copy(update={name: value for name, value in changed.items() if value})

    def _with_evidence(self, draft: Draft, case: GoldCase) -> GoldCase:
        """The evidence anew, quote by quote; as it was when there is no quote."""
        pieces: list[EvidencePiece] = []
        while quote := (self._ask(line("quote", self._language)) or "").strip():
            piece = _found(quote, draft.contexts)
            if piece is None:
                self._say(line("not_found", self._language))
            else:
                pieces.append(piece)
        if not pieces:
            return case
        kind = "fact" if case.type == "noanswer" else case.type
        return case.model_copy(update={"evidence": tuple(pieces), "type": kind})


def _found(quote: str, contexts: Sequence[Context]) -> EvidencePiece | None:
    for context in contexts:
        at = context.text.find(quote)
        if at >= 0:
            start = context.start + at
            return EvidencePiece(doc=context.doc, text=quote, start=start, end=start + len(quote))
    return None
