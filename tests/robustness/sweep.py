"""An action that meets a fault, and whether what is left is the state before or after it, never between."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.errors import YoujuError
from ingest.mending import mend
from retrieval.knowledge_base import KnowledgeBase
from tests.robustness.small_base import (
    ACTIONS,
    Action,
    State,
    add,
    lies,
    make,
    opened,
    remove,
    rules,
    state_of,
    traces,
    unmended,
)


class Breaker(Protocol):
    """Makes one operation fail inside its block."""

    def armed(self) -> AbstractContextManager[None]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """One action on copies of the small base at ``template``, whose index by words is ``lexical``."""

    template: Path
    action: Action
    lexical: str
    before: State
    after: State

    @classmethod
    def of(cls, folder: Path, name: str, lexical: str) -> Sweep:
        """Makes the small base under ``folder``, and sees what the action does to it when nothing fails."""
        template = folder / "template"
        if not template.exists():
            make(template, lexical)
        shutil.copytree(template, folder / name)
        with opened(folder / name, lexical) as base, base.workspace.store.read() as reader:
            before = state_of(reader)
        with opened(folder / name, lexical) as base:
            ACTIONS[name].run(base, lambda: None)
            with base.workspace.store.read() as reader:
                after = state_of(reader)
        return cls(template=template, action=ACTIONS[name], lexical=lexical, before=before, after=after)

    def fresh(self, home: Path) -> Path:
        """A copy of the small base under ``home``."""
        shutil.copytree(self.template, home)
        return home

    def run(self, home: Path, breaker: Breaker, acknowledged: Path) -> Iterator[str]:
        """Do the action while something fails, then go on in the same process. Yields what is wrong."""
        base: KnowledgeBase | None = None
        try:
            with breaker.armed(), opened(home, self.lexical) as base:
                self.action.run(base, acknowledged.touch)
        except YoujuError:
            pass
        except OSError as exc:
            yield f"an error without words for a user: {exc!r}"
        else:
            if not acknowledged.exists():
                yield "it was not done, but nothing was said"
        if base is not None and "store" in vars(base.workspace):
            yield from self._sound(base, acknowledged.exists(), "in the same process")

    def verify(self, home: Path, acknowledged: bool, *, briefly: bool = False) -> Iterator[str]:
        """Open what is left at ``home`` in a new process and look. Yields what is wrong.

        ``briefly`` does not go on to change what is there once more.
        """
        with opened(home, self.lexical) as base:
            yield from self._sound(base, acknowledged, "after a new start")
            yield from (f"not mended: {problem}" for problem in unmended(base))
            if briefly:
                return
            yield from self._sound(base, acknowledged, "after rebuild")
            with base.workspace.store.read() as reader:
                is_done = state_of(reader) == self.after
            if is_done and self.action.gone:
                yield from self._forgotten(base, home)
            yield from self._lives_on(base)

    def _sound(self, base: KnowledgeBase, acknowledged: bool, when: str) -> Iterator[str]:
        with base.workspace.store.read() as reader:
            state = state_of(reader)
        if state not in (self.before, self.after):
            yield f"{when}: neither the old nor the new state: {state.rows}"
        if acknowledged and state != self.after:
            yield f"{when}: what was acknowledged is not there"
        yield from (f"{when}: {lie}" for lie in lies(base))

    def _forgotten(self, base: KnowledgeBase, home: Path) -> Iterator[str]:
        """Check may have found nothing to rebuild, so that is done now; search never found it, see ``lies``."""
        mend(base.workspace, lambda key, **values: None)
        if found := traces(home, self.action.gone):
            yield f"after rebuild {self.action.gone} still stands in {found}"

    def _lives_on(self, base: KnowledgeBase) -> Iterator[str]:
        add(base, "later.md", rules("later91"))
        yield from (f"after another change: {lie}" for lie in lies(base))
        remove(base, "later.md")
        yield from (f"after a removal: {lie}" for lie in lies(base))
