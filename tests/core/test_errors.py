import string

import pytest

from core import errors
from core.messages import LANGUAGES, MESSAGES


def _classes(root: type[errors.YoujuError]) -> list[type[errors.YoujuError]]:
    return [root, *(leaf for child in root.__subclasses__() for leaf in _classes(child))]


@pytest.mark.parametrize("error", _classes(errors.YoujuError))
def test_every_error_has_its_own_message_in_every_language(error: type[errors.YoujuError]) -> None:
    assert error.code in MESSAGES
    codes = [other.code for other in _classes(errors.YoujuError)]
    assert codes.count(error.code) == 1


@pytest.mark.parametrize("code", sorted(MESSAGES))
def test_languages_have_the_same_placeholders(code: str) -> None:
    fields = [
        {name for _, name, _, _ in string.Formatter().parse(MESSAGES[code][language]) if name}
        for language in LANGUAGES
    ]
    assert fields[0] == fields[1]


def test_a_missing_detail_does_not_break_the_message() -> None:
    assert errors.DocumentTooLargeError(name="a.pdf").message("zh") == "a.pdf 有 ? MB，超过上限 ? MB。"
    assert "a.pdf" in str(errors.DocumentTooLargeError(name="a.pdf", size_mb=3, limit_mb=2))
