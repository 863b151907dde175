"""The buttons of an upload's card: cancel, and the password of a locked file."""

from __future__ import annotations

from app import state
from app.answers.asking import answer_question
from app.form.filtering import offer_form
from app.uploads.cards import Payload, own_job, say_gone
from app.uploads.following import follow
from app.uploads.uploading import finished


async def cancel_upload(payload: Payload) -> None:
    """End an order of this chat; what is finished stays."""
    if (job := own_job(payload)) is not None:
        job.cancel()


async def unlock_upload(payload: Payload) -> None:
    """Try a locked file again with a password, which nobody keeps, then ask what was to be asked of it."""
    job = own_job(payload)
    if job is None or not job.open_with(str(payload.get("name")), str(payload.get("password", ""))):
        await say_gone()
        return
    state.jobs().again(job)
    follow(job, then=offer_form)
    if await finished(job) and job.question:
        question, job.question = job.question, ""
        await answer_question(question)


async def skip_upload(payload: Payload) -> None:
    """Ask no more for a file's password."""
    if (job := own_job(payload)) is not None:
        job.leave_locked(str(payload.get("name")))
        follow(job)
