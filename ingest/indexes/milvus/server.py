"""The one place that talks to pymilvus: connecting again, time limits, and errors in this program's words."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np

from core.errors import MissingExtraError, YoujuError
from core.index_errors import IndexLockedError, IndexServerError, IndexUnreachableError
from core.protocols import Vectors
from core.settings import IndexSettings

Row = Mapping[str, object]
# Most rows that one query or search of Milvus may return.
MOST_ROWS: Final = 16_384
# A server that comes back refuses for a moment; all together these are what a dead one costs a question.
_PAUSES_S: Final = (0.2, 0.5, 1.0)
_BATCH: Final = 1000
# Least seconds for what reads or writes much, and for what works on a whole collection.
_LONG_S: Final = 60.0
_LONGEST_S: Final = 600.0
_CONNECT_FAILED: Final = 2
_NO_ANSWER: Final = {"DEADLINE_EXCEEDED", "UNAUTHENTICATED", "PERMISSION_DENIED"}
# Two threads that open the same folder at the same time would lock each other out.
_STARTING_LITE: Final = threading.Lock()
_INSTALL: Final = "pip install 'youju[milvus]'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to look for: a vector in ``dense`` or words in ``sparse``, among the rows that fit ``where``."""

    query: Vectors | str
    where: str

    @property
    def field(self) -> str:
        return "sparse" if isinstance(self.query, str) else "dense"

    @property
    def metric(self) -> str:
        return "BM25" if isinstance(self.query, str) else "IP"

    @property
    def data(self) -> list[Any]:
        return [self.query if isinstance(self.query, str) else np.asarray(self.query, dtype=np.float32)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A row that a search found; a higher score is better. ``item`` is the id of its chunk or parent."""

    item: str
    version: str
    score: float


class Server:
    """A connection that is made when first needed and made again when it broke. Safe to share by threads.

    Every method raises ``IndexUnreachableError`` when the server does not answer in time,
    ``IndexLockedError`` when another process has the folder of Milvus Lite open, ``MissingExtraError``
    without the package, and ``IndexServerError`` when the server refuses. ``failures`` counts these.
    """

    def __init__(self, settings: IndexSettings) -> None:
        self._uri = settings.milvus_uri
        self._token = settings.milvus_token.get_secret_value()
        self._timeout_s = settings.milvus_timeout_s
        self._long_s = max(settings.milvus_timeout_s, _LONG_S)
        self._connecting = threading.Lock()
        self._client: Any = None
        self.failures = 0

    @property
    def address(self) -> str:
        """Where it is, for messages: never with a password."""
        parts = urlsplit(self._uri)
        return self._uri if not parts.hostname else f"{parts.hostname}:{parts.port or 19530}"

    @property
    def _in_folder(self) -> bool:
        return self._uri.endswith(".db")

    @property
    def is_lite(self) -> bool:
        """Whether it is Milvus Lite, which runs in one process (this or another)."""
        return "lite" in str(self._call("get_server_version"))

    def close(self) -> None:
        """Give the connection up, and the folder of Milvus Lite; the next call connects again."""
        with self._connecting:
            client, self._client = self._client, None
            if client is None:
                return
            client.close()
            if self._in_folder:
                from milvus_lite.server_manager import server_manager_instance

                server_manager_instance.release_server(self._uri)

    def names(self) -> tuple[str, ...]:
        """Names of all collections on the server."""
        return tuple(self._call("list_collections"))

    def create(self, name: str, schema: Any, indexes: Any) -> None:
        """Make a collection; every search in it sees all that was written before."""
        self._call("create_collection", name, schema=schema, consistency_level="Strong")
        # Not waited for (half a second each): nothing is in it yet.
        self._call("create_index", name, indexes, sync=False)

    def indexes(self, name: str) -> int:
        """Number of indexes of a collection."""
        return len(self._call("list_indexes", name))

    def load(self, name: str) -> None:
        """Make a collection ready for searches."""
        self._call("load_collection", name, timeout=_LONGEST_S)

    def drop(self, name: str) -> None:
        """Remove a collection."""
        self._call("drop_collection", name)

    def settle(self, name: str) -> None:
        """Have Milvus Lite put what was written into files, which it searches ten times faster."""
        if self.is_lite:
            self._call("flush", name, timeout=_LONGEST_S)

    def put(self, name: str, rows: Sequence[Row]) -> None:
        """Write rows; those that are there are replaced, so that it may be done twice."""
        for start in range(0, len(rows), _BATCH):
            part = [dict(row) for row in rows[start : start + _BATCH]]
            self._call("upsert", name, part, timeout=self._long_s)

    def delete(self, name: str, where: str) -> None:
        """Delete the rows that fit."""
        self._call("delete", name, filter=where, timeout=self._long_s)

    def count(self, name: str, where: str) -> int:
        """Number of rows that fit."""
        found = self._call("query", name, filter=where, output_fields=["count(*)"], timeout=self._long_s)
        return int(found[0]["count(*)"])

    def rows(self, name: str, where: str, fields: Sequence[str], key: str = "") -> list[Row]:
        """The rows that fit and whose primary key, a hash in hex, begins with ``key``, in no order.

        Where one answer cannot hold them they are asked for by the next digit of the key.
        """
        inside = f'{where} and id >= "{key}" and id < "{key}g"' if key else where
        found = list(self._call("query", name, filter=inside, output_fields=list(fields), limit=MOST_ROWS))
        if len(found) < MOST_ROWS:
            return found
        return [row for digit in "0123456789abcdef" for row in self.rows(name, where, fields, key + digit)]

    def search(self, name: str, request: Request, limit: int, item: str = "item") -> list[Found]:
        """The best rows, best first; a BM25 score has another sign on Milvus Lite than on a server."""
        found = self._call(
            "search",
            name,
            data=request.data,
            anns_field=request.field,
            filter=request.where,
            limit=min(limit, MOST_ROWS),
            search_params={"metric_type": request.metric},
            output_fields=[item, "version"],
        )
        return [_found(hit, item, absolute=request.metric == "BM25") for hit in found[0]]

    def fused(
        self, name: str, requests: Sequence[Request], candidates: int, limit: int, k: int
    ) -> list[Found]:
        """The best rows of several searches by reciprocal rank fusion with the constant ``k``, on the server."""
        from pymilvus import AnnSearchRequest, RRFRanker

        parts = [
            AnnSearchRequest(
                data=request.data,
                anns_field=request.field,
                param={"metric_type": request.metric},
                limit=min(candidates, MOST_ROWS),
                expr=request.where,
            )
            for request in requests
        ]
        found = self._call(
            "hybrid_search", name, parts, RRFRanker(k), limit=limit, output_fields=["item", "version"]
        )
        return [_found(hit, "item") for hit in found[0]]

    def _call(self, operation: str, /, *args: Any, **options: Any) -> Any:
        """Have the client do something; where the connection is gone, connect again and do it then."""
        for pause_s in (*_PAUSES_S, None):
            try:
                return getattr(self._connected(), operation)(
                    *args, **({"timeout": self._timeout_s} | options)
                )
            except _vendor_errors() as exc:
                if pause_s is None or not _is_lost(exc):
                    self.failures += 1
                    raise self._error(exc) from exc
            self._forget()
            time.sleep(pause_s)
        raise AssertionError("the last try returns or raises")

    def _connected(self) -> Any:
        with self._connecting:
            if self._client is None:
                self._client = self._connect()
            return self._client

    def _forget(self) -> None:
        with self._connecting:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _connect(self) -> Any:
        try:
            from pymilvus import MilvusClient
        except ModuleNotFoundError as exc:
            raise MissingExtraError(name="INDEX=milvus", install=_INSTALL) from exc
        # Both log whole stack traces of what is raised, and told in this program's words, anyway.
        for vendor in ("pymilvus", "milvus_lite"):
            logging.getLogger(vendor).setLevel(logging.CRITICAL + 1)
        if self._in_folder:
            Path(self._uri).parent.mkdir(parents=True, exist_ok=True)
        with _STARTING_LITE if self._in_folder else nullcontext():
            return MilvusClient(uri=self._uri, token=self._token, timeout=self._timeout_s, dedicated=True)

    def _error(self, exc: Exception) -> YoujuError:
        reason = _reason(exc)
        if "milvus-lite is required" in reason:
            return MissingExtraError(name="Milvus Lite", install=_INSTALL)
        if "Open local milvus failed" in reason:
            return IndexLockedError(folder=self._uri)
        if _is_lost(exc) or _status(exc) in _NO_ANSWER:
            return IndexUnreachableError(address=self.address, reason=_status(exc) or "UNAVAILABLE")
        return IndexServerError(address=self.address, reason=reason)


def _vendor_errors() -> tuple[type[Exception], ...]:
    """What pymilvus raises; of gRPC's own errors some come through as they are."""
    import grpc
    from pymilvus.exceptions import MilvusException

    return MilvusException, grpc.RpcError


def _status(exc: Any) -> str:
    """The name of gRPC's status, where there is one."""
    code = exc.code() if callable(exc.code) else exc.code
    return str(getattr(code, "name", ""))


def _is_lost(exc: Any) -> bool:
    """Whether there is no connection, so that nothing was done and it may be tried again."""
    return exc.code == _CONNECT_FAILED or _status(exc) == "UNAVAILABLE"


def _reason(exc: Any) -> str:
    """The first line of the vendor's message."""
    details = exc.message if hasattr(exc, "message") else exc.details()
    return (str(details) or type(exc).__name__).splitlines()[0][:300]


def _found(hit: Any, item: str, *, absolute: bool = False) -> Found:
    score, entity = float(hit["distance"]), hit["entity"]
    return Found(item=entity[item], version=entity["version"], score=abs(score) if absolute else score)
