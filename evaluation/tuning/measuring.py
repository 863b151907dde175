"""The whole search with changed settings, scored on gold questions; each base is indexed once and kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.errors import FileMissingError, SettingsError
from core.json_lines import read_json_lines
from core.settings import Settings
from evaluation.chunk_set import by_chance
from evaluation.reporting.recording import hash_of
from evaluation.retrieval.base import Base, Models, home_of, open_base
from evaluation.retrieval.ours import OwnSystem
from evaluation.retrieval.progress import Progress
from evaluation.retrieval.questions import Asked, AskedCase, Part, Question, RetrievalSet, asked_of
from evaluation.retrieval.scores import scores_of
from evaluation.retrieval.variants import OURS, Variant, variant_of
from evaluation.tuning.climb import Changes, Scores
from ingest.sources import sources_of


def read_folder(gold: Path, corpus: Path) -> RetrievalSet:
    """The gold file and its documents. Raises ``FileMissingError`` and ``SettingsError``."""
    if not corpus.is_dir():
        raise FileMissingError(name=str(corpus))
    cases = read_json_lines(gold, "--gold", AskedCase.model_validate)
    sources = tuple(sources_of([corpus]))
    name = gold.resolve().parent.name
    part = Part(
        name=name,
        sha256=hash_of([gold, *(source.path for source in sources)]),
        sources=sources,
        cases=tuple(sorted(cases, key=by_chance)),
    )
    return RetrievalSet(name=name, parts=(part,))


class Bench:
    """Measures settings on questions of one set. ``base`` is that of the present settings."""

    def __init__(
        self, found: RetrievalSet, settings: Settings, models: Models, progress: Progress, figure: str
    ) -> None:
        self._found, self._settings, self._models = found, settings, models
        self._progress, self.figure, self.name = progress, figure, found.name
        self._bases: dict[Path, Base] = {}
        self.base = self._base(settings)

    def asked(self, max_questions: int) -> Asked:
        """The questions whose evidence stands in the stored texts."""
        return asked_of(self._found, self.base.texts, self.base.twins, max_questions)

    def is_now(self, setting: str, value: str) -> bool:
        """Whether the present settings have this value. Raises ``SettingsError`` for a setting that is not there."""
        names = setting.split("+")
        changed = self._variant(dict(zip(names, value.split("+"), strict=True))).settings
        return all(_read(changed, name) == _read(self._settings, name) for name in names)

    def scores(self, changes: Changes, questions: Sequence[Question]) -> Scores:
        """The figure by question. Raises what the search raises, and ``SettingsError`` for a figure that no question
        has or a value that does not go with the others."""
        variant = self._variant(changes)
        base = self._base(variant.settings)
        shown = ", ".join(f"{name}={value}" for name, value in changes.items()) or OURS
        self._progress.tell("run", set=self.name, name=shown)
        system = OwnSystem(variant, base)
        try:
            rows = {q.key: scores_of(q, system.search(q).places, base.texts) for q in questions}
        finally:
            system.close()
        found = {key: row[self.figure] for key, row in rows.items() if self.figure in row}
        if not found:
            raise SettingsError(name="--figure", reason=f"no question has {self.figure!r}")
        return found

    def _variant(self, changes: Changes) -> Variant:
        written = ":".join([OURS, *(f"{name}={value}" for name, value in changes.items())])
        return variant_of(written, self._settings)

    def _base(self, settings: Settings) -> Base:
        model = self._models.of(settings)
        home = home_of(self._found, settings, model)
        if home not in self._bases:
            on_file = self._progress.of("ingest", least=20)
            self._bases[home] = open_base(self._found, settings, model, on_file)
        return self._bases[home]


def _read(settings: Settings, name: str) -> object:
    group, _, field = name.partition(".")
    return getattr(getattr(settings, group), field)
