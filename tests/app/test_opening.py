"""What the server's log does not say."""

from __future__ import annotations

import logging

import pytest

from app.opening import says_something


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (RuntimeError("No response returned."), False),
        (RuntimeError("another"), True),
        (ValueError("No response returned."), True),
        (None, True),
    ],
)
def test_a_browser_that_left_is_no_fault(fault: Exception | None, said: bool) -> None:
    exc_info = (type(fault), fault, None) if fault else None
    record = logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, "Exception", (), exc_info)
    assert says_something(record) is said
