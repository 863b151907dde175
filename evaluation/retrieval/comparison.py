"""All systems on all sets, kept on disk as they are done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import SettingsError
from core.settings import Settings
from evaluation.chunkers import Spec, spec_of
from evaluation.peers import made
from evaluation.reporting.recording import envelope
from evaluation.reporting.run_file import DataSet, RunFile, SystemRecord, write_run
from evaluation.retrieval.base import Base, Model, Models, home_of, open_base
from evaluation.retrieval.ours import OwnSystem
from evaluation.retrieval.progress import Progress
from evaluation.retrieval.questions import Asked, RetrievalSet, asked_of, read_set
from evaluation.retrieval.record import data_of, system_of
from evaluation.retrieval.report import Json, SetFacts, report_of, set_tables, write_report
from evaluation.retrieval.runs import Run, differences, run_system
from evaluation.retrieval.systems import PEERS, System
from evaluation.retrieval.variants import Variant, variant_of
from evaluation.run_stamp import run_stamp
from evaluation.vector_cache import VectorCache


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is compared. ``together`` are folders by the name of their common base.

    Limits are for each data set (0: none). ``conversations``: only questions that have a conversation
    and a person's rewrite of the question.
    """

    folders: tuple[Path, ...] = ()
    together: tuple[tuple[str, tuple[Path, ...]], ...] = ()
    variants: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    baseline: str | None = None
    max_documents: int = 0
    max_questions: int = 0
    conversations: bool = False
    reliability: bool = False
    out: Path | None = None


class Comparison:
    """Runs a plan; ``done`` are the runs of each set, the baseline first.

    Raises, before the work begins, what a wrong name, folder or setting raises, and ``ModelError``.
    """

    def __init__(self, settings: Settings, plan: Plan) -> None:
        self._settings, self._plan = settings, plan
        self._progress = Progress(settings.interface_language)
        self._stamp = run_stamp()
        self._contestants = _contestants(settings, plan)
        self._sets = [
            read_set(folder.resolve().name, [folder], plan.max_documents) for folder in plan.folders
        ]
        self._sets += [read_set(name, folders, plan.max_documents) for name, folders in plan.together]
        self.done: list[tuple[SetFacts, list[Run]]] = []
        self._data: list[DataSet] = []
        self._systems: list[SystemRecord] = []

    def run(self) -> None:
        """Everything; with ``out``, what is done is there whenever it is interrupted."""
        cache = VectorCache(self._settings.home / "evaluation" / "vectors.db")
        try:
            models = Models(cache, self._progress.of("embed", least=500))
            for found in self._sets:
                self._run_set(found, models)
        finally:
            cache.close()
        if self._plan.out:
            self._progress.tell("kept", out=self._plan.out)

    def tables(self) -> str:
        """Markdown."""
        language = self._settings.interface_language
        return "\n\n".join(set_tables(facts, runs, language) for facts, runs in self.done)

    def report(self) -> Json:
        """All figures but those of each question."""
        return report_of(self._stamp.as_json(), self._settings, self._contestants[0].name, self.done)

    def record(self) -> RunFile:
        """As it is stored for comparing and reporting."""
        model = self.done[0][0].model if self.done else ""
        options = {"conversations": self._plan.conversations}
        return envelope("retrieval", self._stamp, self._settings, model, self._data, self._systems, options)

    def _run_set(self, found: RetrievalSet, models: Models) -> None:
        bases: dict[Path, tuple[Base, Asked]] = {}
        runs: list[Run] = []
        for contestant in self._contestants:
            model = models.of(contestant.settings)
            home = home_of(found, contestant.settings, model)
            if home not in bases:
                bases[home] = self._opened(found, contestant.settings, model)
            base, asked = bases[home]
            if not runs:
                self.done.append((SetFacts.of(found.name, base, asked), runs))
                self._data.append(data_of(found, base, asked))
            if asked.questions:
                self._add(runs, contestant, base, asked)
            self._keep()

    def _opened(self, found: RetrievalSet, settings: Settings, model: Model) -> tuple[Base, Asked]:
        base = open_base(found, settings, model, self._progress.of("ingest", least=20))
        self._progress.tell(
            "base", set=found.name, documents=len(base.texts), chunks=base.chunks, build_s=base.build_s
        )
        return base, self._asked(found, base)

    def _asked(self, found: RetrievalSet, base: Base) -> Asked:
        plan = self._plan
        limit = 0 if plan.conversations else plan.max_questions
        asked = asked_of(found, base.texts, base.twins, limit)
        if not plan.conversations:
            return asked
        chosen = [question for question in asked.questions if question.history and question.rewrite]
        return replace(asked, questions=tuple(chosen[: plan.max_questions or None]), unanswerable=())

    def _add(self, runs: list[Run], contestant: Contestant, base: Base, asked: Asked) -> None:
        set_name = self.done[-1][0].name
        self._progress.tell("run", set=set_name, name=contestant.name)
        with contestant.system(base) as system:
            run = run_system(
                system,
                set_name,
                asked,
                base,
                with_reliability=self._plan.reliability,
                on_question=self._progress.of("ask", least=100),
            )
        runs.append(replace(run, gains=differences(runs[0], run)) if runs else run)
        self._systems.append(system_of(run, base))
        recall, hit, p95 = run.means["recall"], run.means["hit@1"], run.latency.p95
        self._progress.tell("done", set=set_name, name=run.name, recall=recall, hit=hit, p95=p95)

    def _keep(self) -> None:
        if self._plan.out:
            write_run(self._plan.out, self.record())
            write_report(self._plan.out, self.report(), self.tables(), self.done)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """One of ours, or a peer (``options`` are its numbers), with the settings that make its base."""

    name: str
    settings: Settings
    variant: Variant | None = None
    peer: Spec | None = None

    @contextmanager
    def system(self, base: Base) -> Iterator[System]:
        """Raises ``ModelError``, ``SettingsError``, ``UnknownNameError`` and ``MissingExtraError``."""
        if self.variant:
            system: System = OwnSystem(self.variant, base)
        else:
            assert self.peer is not None
            system = made(PEERS, self.peer.name, _numbers(self.peer), base, self.name)
        try:
            yield system
        finally:
            system.close()


def _contestants(settings: Settings, plan: Plan) -> list[Contestant]:
    """The baseline first."""
    variants = [variant_of(written, settings) for written in dict.fromkeys(plan.variants)]
    peers = [spec_of(written, "--peers") for written in dict.fromkeys(plan.peers)]
    for peer in peers:
        _numbers(peer)
        if peer.name not in PEERS:
            reason = f"expected {', '.join(PEERS)}, got {peer.name!r}"
            raise SettingsError(name="--peers", reason=reason)
    made_of = [Contestant(name=v.name, settings=v.settings, variant=v) for v in variants]
    made_of += [Contestant(name=peer.written, settings=settings, peer=peer) for peer in peers]
    if not made_of:
        raise SettingsError(name="--variants", reason="expected at least one name")
    names = [one.name for one in made_of]
    wanted = plan.baseline or names[0]
    if wanted not in names:
        raise SettingsError(name="--baseline", reason=f"expected one of {', '.join(names)}, got {wanted!r}")
    return sorted(made_of, key=lambda one: one.name != wanted)


def _numbers(peer: Spec) -> dict[str, float]:
    try:
        return {name: float(value) for name, value in peer.options.items()}
    except ValueError as exc:
        raise SettingsError(name="--peers", reason=f"{peer.written}: expected numbers") from exc
