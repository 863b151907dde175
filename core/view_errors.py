"""Errors about showing and writing out what is stored."""

from __future__ import annotations

from core.errors import YoujuError


class ViewError(YoujuError):
    code = "view_failed"


class PageSelectionError(ViewError):
    code = "pages_unknown"


class PagelessDocumentError(ViewError):
    code = "pages_none"


class TargetUnwritableError(ViewError):
    code = "target_unwritable"
