"""What a message is: files, a command with its words, a question, or nothing."""

from __future__ import annotations

import chainlit as cl

from app import state
from app.answers import views
from app.answers.asking import answer_question
from app.commands import command_in
from app.texts import text
from app.uploads.uploading import begin_upload, finished, sources_of


async def handle(message: cl.Message) -> None:
    """Do what it asks for. Raises ``YoujuError`` for what the user must be told."""
    sources = sources_of(message.elements)
    if sources:
        alone = not message.content.strip()
        job = await begin_upload(sources, alone=alone)
        if alone:
            return
        if not await finished(job):
            job.question = message.content
            return
    found = command_in(message.content.strip(), message.command)
    if found is not None:
        command, words = found
        await command.run(words)
    elif message.content.strip():
        await answer_question(message.content, exactly=views.is_exact(message.command))
    elif not sources:
        await cl.Message(content=text("nothing_typed", state.language()), author="Youju").send()
