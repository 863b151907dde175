"""B66: what a session holds lies in the session. A module of the chat keeps nothing that can change."""

from __future__ import annotations

import ast
from pathlib import Path

APP = Path(__file__).resolve().parents[2] / "app"
CHANGING = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


def changing_names(tree: ast.Module) -> list[str]:
    """Names of a module that hold something which can change, and are not said to be ``Final``."""
    found = []
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign) and not ast.unparse(node.annotation).startswith("Final"):
            targets = [node.target]
        if targets and isinstance(node.value, CHANGING):  # type: ignore[attr-defined]
            found += [ast.unparse(target) for target in targets]
    return found


def test_modules_of_the_chat_hold_nothing_that_changes() -> None:
    for path in sorted(APP.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        assert changing_names(tree) == [], path
        assert not any(isinstance(node, ast.Global) for node in ast.walk(tree)), path


def test_the_check_sees_what_it_is_for() -> None:
    assert changing_names(ast.parse("a = {}\nb: list[int] = []\nc: Final = {}\nd = 1\ne: int")) == ["a", "b"]
