"""The verifier that the settings ask for."""

from __future__ import annotations

from core.settings import Settings
from ingest.workspace import Workspace
from retrieval.verify.judge import Decider, Judge
from retrieval.verify.meaning import Meaning
from retrieval.verify.verifier import Verifier as Verifier


def make_verifier(settings: Settings, workspace: Workspace, model: Decider | None) -> Verifier:
    """A verifier that knows meanings where the embedding model was measured, and asks ``model`` where it may."""
    calibration = workspace.calibration
    return Verifier(
        meaning=Meaning(workspace.embedder, calibration) if calibration is not None else None,
        judge=Judge(model) if settings.answer.judge and model is not None else None,
    )
