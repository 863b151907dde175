"""What the API answers when it takes a request no further."""

from __future__ import annotations

from typing import Final

API_ERRORS: Final[dict[str, dict[str, str]]] = {
    "api_refused": {"zh": "不能处理这个请求。", "en": "This request cannot be taken."},
    "api_login": {"zh": "请先登录。", "en": "Log in first."},
    "api_json": {
        "zh": "请求的 Content-Type 须为 application/json。",
        "en": "The Content-Type of a request must be application/json.",
    },
    "api_shape": {
        "zh": "请求的 JSON 不对：{reason}",
        "en": "The JSON of the request is not right: {reason}",
    },
    "api_long": {
        "zh": "请求太长：{length} 字节，最多 {limit} 字节。",
        "en": "The request is too long: {length} bytes, {limit} at most.",
    },
    "api_often": {
        "zh": "请求太频繁：每分钟最多 {limit} 次，请在 {wait_s} 秒后再试。",
        "en": "Too many requests: {limit} a minute at most; try again in {wait_s} seconds.",
    },
    "api_busy": {
        "zh": "正在处理的请求已满，请稍后再试。",
        "en": "As many requests as can be are at work; try again in a moment.",
    },
    "api_filter": {
        "zh": "筛选条件不对：{reason}",
        "en": "The filter is not right: {reason}",
    },
}
