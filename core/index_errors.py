"""Errors of a server that chunks are searched on."""

from __future__ import annotations

from core.errors import StoreError


class IndexServerError(StoreError):
    """The search server does not do what it was asked."""

    code = "index_failed"


class IndexUnreachableError(IndexServerError):
    code = "index_unreachable"


class IndexLockedError(IndexServerError):
    code = "index_locked"
