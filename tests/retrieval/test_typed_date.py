"""Dates as people type them."""

from __future__ import annotations

import pytest

from retrieval.typed_date import typed_date


@pytest.mark.parametrize(
    ("typed", "iso"),
    [
        ("2024", "2024"),
        (" 2024 ", "2024"),
        ("2024年", "2024"),
        ("2024-05", "2024-05"),
        ("2024-5", "2024-05"),
        ("2024/5", "2024-05"),
        ("2024.12", "2024-12"),
        ("2024-05-01", "2024-05-01"),
        ("2024/5/1", "2024-05-01"),
        ("2024年5月1日", "2024-05-01"),
        ("2024年5月", "2024-05"),
        ("二〇二四年五月", "2024-05"),
        ("May 2024", "2024-05"),
        ("2024 Q3", "2024-Q3"),
        ("2024年第三季度", "2024-Q3"),
        ("2024年上半年", "2024-H1"),
        ("", ""),
        ("soon", ""),
        ("去年", ""),
        ("24", ""),
        ("2024-13", ""),
        ("0000", ""),
        ("2024年5月和2025年6月", ""),
    ],
)
def test_a_typed_date_is_read_or_refused(typed: str, iso: str) -> None:
    assert typed_date(typed) == iso
