"""What every command line of the program shares: output, errors as sentences, exit codes."""

from __future__ import annotations

import argparse
import json
import logging
import re
import sys
import uuid
from collections.abc import Callable

from core.errors import YoujuError
from core.messages import environment_language, render

_LOG = logging.getLogger(__name__)

OK, FAILED, WRONG_USE = 0, 1, 2
# Signs by which a document's words could steer the terminal.
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def say(text: str) -> None:
    """One line for the user, at once."""
    sys.stdout.write(_STEERING.sub("", text) + "\n")
    sys.stdout.flush()


def tell(text: str) -> None:
    """One line of progress or advice, apart from the output."""
    sys.stderr.write(_STEERING.sub("", text) + "\n")
    sys.stderr.flush()


def say_json(value: object) -> None:
    """The value as one JSON document."""
    say(json.dumps(value, ensure_ascii=False, indent=1))


def guarded(command: Callable[[], int], language: str | None = None) -> int:
    """The command's exit code; an error becomes a sentence and 1, anything unforeseen also an id."""
    language = language or environment_language()
    try:
        return command()
    except YoujuError as exc:
        tell(exc.message(language))
        return FAILED
    except KeyboardInterrupt:
        tell(render("cancelled", language))
        return 130
    except BrokenPipeError:
        return FAILED
    except Exception:  # noqa: BLE001 - the outermost border: nothing may reach a user as a traceback
        error_id = uuid.uuid4().hex[:8]
        _LOG.exception("unforeseen error %s", error_id)
        tell(render("internal", language, id=error_id))
        return FAILED


def count(value: str) -> int:
    """An argument that is a number from 1 on. Raises ``argparse.ArgumentTypeError``."""
    number = int(value)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, got {value}")
    return number
