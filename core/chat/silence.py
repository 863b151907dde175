"""The client's connections: a server that only shows that it lives, and says nothing, is silent too."""

from __future__ import annotations

import time
from collections.abc import Iterator

import httpx2
import openai


def heard_client(timeout_s: float) -> openai.DefaultHttpxClient:
    """An HTTP client whose responses end in a timeout after ``timeout_s`` without a word.

    Providers send comments or blank lines while a request waits in their queue, for many minutes; these
    reset the timeout of a read.
    """

    def listen(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = _Heard(response.stream, timeout_s)

    return openai.DefaultHttpxClient(event_hooks={"response": [listen]})


class _Heard(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream, timeout_s: float) -> None:
        self._stream = stream
        self._timeout_s = timeout_s

    def __iter__(self) -> Iterator[bytes]:
        last = time.monotonic()
        for data in self._stream:
            now = time.monotonic()
            if any(not line.startswith(b":") for line in data.split(b"\n") if line.strip()):
                last = now
            elif now - last > self._timeout_s:
                raise httpx2.ReadTimeout("signs of life alone")
            yield data

    def close(self) -> None:
        self._stream.close()
