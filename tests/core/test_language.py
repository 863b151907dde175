import pytest

from core.language import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("员工手册", "zh"),
        ("使用 Python 3.11 编写", "zh"),
        ("The handbook", "en"),
        ("The term 有据 means evidence, and this sentence is English all the same", "en"),
        ("これは日本語の文章です", "ja"),
        ("한국어 문장입니다", "ko"),
        ("Это русский текст про Python", "ru"),
        ("هذا نص عربي", "ar"),
        ("นี่คือข้อความภาษาไทย", "th"),
        ("यह हिंदी पाठ है", "hi"),
        ("α and β are Greek letters in an English sentence", "en"),
        ("", "other"),
        ("12345", "other"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert language_of(text) == language
