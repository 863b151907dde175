"""What speaks against an answer: passages beside those it cites, and other versions of the cited documents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from core.scope import Scope
from core.store import Reader, Store
from retrieval.answerers.checking import quoted
from retrieval.evidence import Draft, Evidence
from retrieval.verify.counter import OtherVersion, counter_evidence

# Older versions say what no longer holds: the last few are enough.
_MOST_VERSIONS: Final = 2


def weighed(draft: Draft, evidence: Evidence, store: Store, scope: Scope) -> Draft:
    """An answered draft with its counter-evidence; what is quoted is checked here. Raises ``StoreError``."""
    if not draft.answered:
        return draft
    checks = draft.checks or quoted(draft.text, draft.citations)
    cited = dict.fromkeys(evidence.passages[citation.passage].version_id for citation in draft.citations)
    with store.read() as reader:
        versions = tuple(other_versions(cited, reader, scope))
    counter = counter_evidence(checks, draft.citations, evidence, versions)
    return replace(draft, checks=checks, counter=counter)


def other_versions(cited: Iterable[str], reader: Reader, scope: Scope) -> Iterable[OtherVersion]:
    """The newest other versions of the documents of ``cited``, as far as ``scope`` may see them."""
    for version_id in cited:
        seen = [other for other in reader.other_versions(version_id) if reader.can_see(other, scope)]
        for other in seen[:_MOST_VERSIONS]:
            version = reader.version(other)
            yield OtherVersion(of_version=version_id, version_id=other, doc=version.name, text=version.text)
