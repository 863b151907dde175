import json
from pathlib import Path

import pytest

from core.errors import FileMissingError, SettingsError
from core.json_lines import read_json_lines


def test_marks_that_look_like_line_ends_stay_inside_their_line(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    rows = [{"a": "one\u2028two\x85three\u2029"}, {"a": "four"}]
    path.write_text("\n\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n", "utf-8")
    assert read_json_lines(path, "--x", lambda row: row["a"]) == [row["a"] for row in rows]


def test_a_wrong_line_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    for wrong in ('{"b": 1}', "no json", "[1]"):
        path.write_text('{"a": 1}\n\n' + wrong, "utf-8")
        with pytest.raises(SettingsError) as caught:
            read_json_lines(path, "--x", lambda row: row["a"])
        assert "--x" in str(caught.value)
        assert "line 3" in str(caught.value)
    with pytest.raises(FileMissingError):
        read_json_lines(tmp_path / "none", "--x", lambda row: row)
