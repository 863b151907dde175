"""Layers, names, sizes, the registry, and what the lean install must not need."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import UnknownNameError
from core.registry import EXTRAS, REGISTRY, resolve

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("core", "ingest", "retrieval", "evaluation", "app")
ALLOWED = {
    "core": {"core"},
    "ingest": {"core", "ingest"},
    "retrieval": {"core", "ingest", "retrieval"},
    "evaluation": {"core", "ingest", "retrieval", "evaluation"},
    "app": {"core", "ingest", "retrieval", "app"},
}
MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 45
VAGUE = {"utils", "helpers", "common", "misc", "manager", "managers", "tools", "lib"}
# Packages whose types must not leave their one adapter.
ADAPTERS = {
    "faiss": {"ingest/indexes/dense.py", "evaluation/retrieval/peers_langchain.py"},
    "langchain_classic": {"evaluation/retrieval/peers_langchain.py"},
    "onnx": {"ingest/embedders/e5_onnx_graph.py"},
    "onnxruntime": {"ingest/embedders/e5_convert.py"},
    "sentencepiece": {"ingest/embedders/e5_tokenizer.py"},
    "rank_bm25": {"ingest/indexes/lexical.py"},
    "tantivy": {"ingest/indexes/tantivy_index.py"},
    "httpx2": {"core/chat/silence.py"},
    "grpc": {"ingest/indexes/milvus/server.py"},
    "milvus_lite": {"ingest/indexes/milvus/server.py"},
    "pymilvus": {f"ingest/indexes/milvus/{name}.py" for name in ("server", "layout")},
    "sentence_transformers": {
        "ingest/embedders/sentence_transformer.py",
        "retrieval/rerankers/cross_encoder.py",
        "evaluation/contrastive.py",
    },
    "chainlit": {
        f"app/{name}.py"
        for name in (
            "actions",
            "commands",
            "main",
            "messages",
            "state",
            "answers/again",
            "answers/asking",
            "panel/citing",
            "form/filtering",
            "form/filter_fields",
            "learning",
            "marking",
            "form/preference_fields",
            "form/preferences",
            "uploads/uploading",
            "uploads/actions",
            "uploads/keeping",
            "uploads/cards",
            "uploads/following",
            "interrupted/cut_off",
            "interrupted/onlookers",
            "interrupted/interruptions",
            "start/start_page",
            "interrupted/unfinished",
            "start/starting",
            "server",
            "permalinks",
            "uploads/receiving",
            "interrupted/stopping",
            "guarding",
            "opening",
            "login/callbacks",
            "start/profiles",
            "managing/rights",
            "managing/replying",
            "managing/documents",
            "managing/scoping",
            "managing/scope_line",
            "managing/helping",
            "managing/comparing",
            "history/layer",
            "answers/showing",
            "answers/verifying",
            "history/reading",
            "history/stored_files",
        )
    },
    "chonkie": {"evaluation/peers_chonkie.py"},
    "langchain_experimental": {"evaluation/peers_langchain.py"},
    "langchain_text_splitters": {"evaluation/peers_langchain.py"},
    "llama_index": {"evaluation/peers_llamaindex.py"},
    "ragas": {"evaluation/ragas_judge.py"},
    "cv2": {"ingest/parsers/ocr/engine.py"},
    "rapidocr_onnxruntime": {"ingest/parsers/ocr/engine.py"},
    "pymupdf4llm": {"ingest/parsers/pdf/layout.py"},
    "selectolax": {"ingest/parsers/web/tree.py"},
    "oxmsg": {"ingest/parsers/mail/msg.py"},
    "olefile": {"ingest/parsers/mail/msg.py"},
    "pptx": {f"ingest/parsers/slides/{name}.py" for name in ("parser", "shapes", "ground")},
    "docx": {"ingest/parsers/docx/package.py"},
    "openpyxl": {"ingest/parsers/sheets/cells.py"},
    "langchain_community": {"core/chat/model.py", "evaluation/retrieval/peers_langchain.py"},
}


def modules() -> Iterator[tuple[str, Path, ast.Module]]:
    for layer in LAYERS:
        for path in sorted((ROOT / layer).rglob("*.py")):
            yield layer, path, ast.parse(path.read_text("utf-8"))


def imported(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "absolute imports only"
            names.add(node.module.split(".")[0])
    return names


def test_imports_go_left_only() -> None:
    for layer, path, tree in modules():
        assert imported(tree) & set(LAYERS) <= ALLOWED[layer], path


def test_vendors_stay_in_their_adapters() -> None:
    for _, path, tree in modules():
        for vendor in imported(tree) & ADAPTERS.keys():
            assert path.relative_to(ROOT).as_posix() in ADAPTERS[vendor], (path, vendor)


def test_names_say_what_a_file_holds() -> None:
    for _, path, _ in modules():
        assert path.stem not in VAGUE, path
    for path in (ROOT / "app").glob("*.py"):
        assert path.stem not in sys.stdlib_module_names, (
            f"{path} would hide a library when app/ leads sys.path"
        )


def test_files_and_functions_stay_readable() -> None:
    for _, path, tree in modules():
        assert len(path.read_text("utf-8").splitlines()) <= MAX_FILE_LINES, path
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                doc = ast.get_docstring(node, clean=False)
                lines = node.end_lineno - node.lineno + 1 - (doc.count("\n") + 1 if doc else 0)
                assert lines <= MAX_FUNCTION_LINES, f"{path}:{node.lineno} {node.name} has {lines} lines"


def test_every_module_says_what_it_is_for_and_nothing_prints() -> None:
    for _, path, tree in modules():
        assert ast.get_docstring(tree), path
        for node in ast.walk(tree):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            assert not (called and node.func.id == "print"), path  # type: ignore[attr-defined]


def test_nobody_imports_the_chat_entry() -> None:
    for _, path, tree in modules():
        for node in ast.walk(tree):
            assert not (isinstance(node, ast.ImportFrom) and node.module == "app.main"), path


@pytest.mark.parametrize(("seam", "name"), [(seam, name) for seam, row in REGISTRY.items() for name in row])
def test_every_registry_row_resolves(seam: str, name: str) -> None:
    assert callable(resolve(seam, name))


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError) as caught:
        resolve("splitter", "magic")
    assert "fixed, recursive" in str(caught.value)


_LEAN = """
import importlib, sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"torch", "sentence_transformers", "transformers", "redis", "pymilvus"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
for module in MODULES:
    importlib.import_module(module)
from core.errors import MissingExtraError
from core.registry import EXTRAS, resolve
for seam, name in EXTRAS:
    try:
        made = resolve(seam, name)
        from core.settings import Settings
        made(Settings(retrieval={"reranker_model": "x"}, embedding={"model": "x"}))
    except MissingExtraError as exc:
        assert "local-models" in str(exc), exc
    else:
        raise SystemExit(f"{name} did not miss its package")
"""


def test_the_lean_install_imports_without_extras_and_names_what_is_missing() -> None:
    extras = {REGISTRY[seam][name].split(":")[0] for seam, name in EXTRAS}
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for _, path, _ in modules()
        if path.stem not in ("__main__", "main")
    ]
    wanted = [name for name in names if name not in extras]
    code = _LEAN.replace("MODULES", repr(wanted))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_repository_names_no_machine_and_no_registry() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    words = (
        "/wo" + "rk/",
        "/ro" + "ot/",
        "py" + "pi.org",
        "files.python" + "hosted",
        "registry." + "npmjs",
        "deb." + "debian",
    )
    for name in listed.stdout.split("\0"):
        path = ROOT / name
        if name and path.is_file() and path.suffix not in {".pdf", ".png"}:
            found = re.search("|".join(map(re.escape, words)), path.read_text("utf-8", errors="ignore"))
            assert found is None, (name, found)


def test_no_two_tests_have_one_name() -> None:
    """The folders of tests are no packages, so pytest tells files apart by their names alone."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert not [name for name, count in names.items() if count > 1]
