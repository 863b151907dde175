"""Why an archive of a knowledge base is not imported, or not written."""

from __future__ import annotations

from core.errors import StoreError


class CollectionWidenedError(StoreError):
    """An import would show documents of a closed collection to people who may not open it."""

    code = "collection_widened"


class BundleError(StoreError):
    """The file is no archive of a knowledge base, or cannot be trusted."""

    code = "bundle_damaged"


class BundleVersionError(BundleError):
    code = "bundle_version"


class BundleUnsafeError(BundleError):
    code = "bundle_unsafe"


class DiskFullError(StoreError):
    code = "disk_full"
