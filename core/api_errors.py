"""Why the API takes a request no further."""

from __future__ import annotations

from core.errors import YoujuError


class ApiError(YoujuError):
    """Base of what is wrong with a request rather than with its question."""

    code = "api_refused"


class ApiLoginError(ApiError):
    code = "api_login"


class ApiJsonError(ApiError):
    code = "api_json"


class ApiShapeError(ApiError):
    """The JSON of a request has not the shape that is described."""

    code = "api_shape"


class ApiLongError(ApiError):
    code = "api_long"


class ApiOftenError(ApiError):
    """Too many requests of one caller in the last minute."""

    code = "api_often"


class ApiBusyError(ApiError):
    code = "api_busy"


class ApiFilterError(ApiError):
    code = "api_filter"
