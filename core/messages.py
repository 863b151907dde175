"""Every sentence a user may read outside the chat's own interface, in Chinese and English."""

from __future__ import annotations

import os

from core.texts.account_errors import ACCOUNT_ERRORS
from core.texts.api_errors import API_ERRORS
from core.texts.errors import ERRORS
from core.texts.model_notes import MODEL_NOTES
from core.texts.notes import NOTES
from core.texts.notices import NOTICES
from core.texts.reasons import REASONS
from core.texts.store_errors import STORE_ERRORS

LANGUAGES = ("zh", "en")

MESSAGES: dict[str, dict[str, str]] = {
    **ERRORS,
    **ACCOUNT_ERRORS,
    **API_ERRORS,
    **STORE_ERRORS,
    **NOTICES,
    **NOTES,
    **MODEL_NOTES,
    **REASONS,
}


def render(code: str, language: str, **details: object) -> str:
    """The message ``code`` in ``language``; a placeholder without a value stays readable as ``?``."""
    texts = MESSAGES[code]
    return texts[language if language in texts else "en"].format_map(_Blank(details))


def language_of_tag(tag: str) -> str:
    """ "zh" for the tag of any kind of Chinese (zh-CN, zh_TW.UTF-8), else "en"."""
    return "zh" if tag.lower().startswith("zh") else "en"


def environment_language() -> str:
    """ "zh" when the environment speaks Chinese (LC_ALL, LC_MESSAGES, LANG), else "en"."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return language_of_tag(value)
    return "en"


class _Blank(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return "?"
