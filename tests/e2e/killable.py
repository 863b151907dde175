"""A server that can be killed, behind a cable that stays; its models are scripted, as slow as a test needs."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.chat_server import Server, environment, serving
from tests.e2e.cable import Cable, cable_to
from tests.scripted_openai import ScriptedServer
from tests.scripted_openai import serving as scripted_model


@dataclass
class Killable:
    """A server that can be killed behind a cable that stays, and the models it asks."""

    home: Path
    model: ScriptedServer
    stack: ExitStack
    cable: Cable
    server: Server

    def kill(self) -> None:
        os.kill(self.server.pid, signal.SIGKILL)

    @property
    def reached(self) -> Server:
        """The server at the end of the cable."""
        return replace(self.server, url=self.cable.url)

    def start_again(self) -> None:
        self.server = self.stack.enter_context(serving(self.home, _environment(self.home, self.model)))
        self.cable.port = int(self.server.url.rpartition(":")[2])


def _environment(home: Path, model: ScriptedServer) -> dict[str, str]:
    options = {"NAME": "openai", "MODEL": "scripted", "BATCH_SIZE": "2", "SENTENCES": "false"}
    embedding = {f"YOUJU_EMBEDDING__{key}": value for key, value in options.items()}
    chat = {"OPENAI_BASE_URL": model.url, "YOUJU_CHAT__MODEL": "scripted", "YOUJU_CHAT__MAX_RETRIES": "0"}
    return environment(home, **embedding, **chat)


@pytest.fixture(scope="session")
def killable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killable]:
    home = tmp_path_factory.mktemp("cut") / "home"
    home.mkdir()
    with ExitStack() as stack:
        model = stack.enter_context(scripted_model(lambda request: ""))
        server = stack.enter_context(serving(home, _environment(home, model)))
        cable = stack.enter_context(cable_to(int(server.url.rpartition(":")[2])))
        yield Killable(home=home, model=model, stack=stack, cable=cable, server=server)
