"""The viewer: everything of a document is there, in its place, inert, and written in one step."""

from __future__ import annotations

import base64
import io
import re
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from core.chunk import Chunk, Parent
from core.document import Block, BlockKind, Line, Notice
from core.span import Span, trimmed
from core.store import DocumentRow
from core.view_errors import PagelessDocumentError, PageSelectionError, TargetUnwritableError
from ingest.cli import main
from ingest.viewer.alignment import bands, figures
from ingest.viewer.compare import comparison
from ingest.viewer.layers import Layer
from ingest.viewer.pictures import Drawer, Sheet, drawer
from ingest.viewer.places import block_places, parts_of, spread
from ingest.viewer.recut import Cut, cut_anew
from ingest.viewer.selection import selected_pages
from ingest.viewer.view import DocumentView, load_view
from ingest.viewer.write import MOST_PICTURES, Choice, html, write_view
from retrieval.knowledge_base import KnowledgeBase

HOSTILE = (
    "</script><script>alert(1)</script><img src=https://evil.example/x onerror=alert(1)>"
    "\" ' onload=x \x00 \ud800 \u202eabc\u2066 & &amp; <!--"
)
_EMPTY = {"area", "br", "img", "input", "link", "meta", "path"}


class Page(HTMLParser):
    """The elements of a page: tag, attributes, and the text inside each."""

    def __init__(self, written: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str], list[str]]] = []
        self._open: list[tuple[str, list[str]]] = []
        self.feed(written)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        text: list[str] = []
        self.found.append((tag, {name: value or "" for name, value in attrs}, text))
        if tag not in _EMPTY:
            self._open.append((tag, text))

    def handle_endtag(self, tag: str) -> None:
        assert tag in _EMPTY or self._open.pop()[0] == tag, tag

    def handle_data(self, data: str) -> None:
        for _, text in self._open:
            text.append(data)

    def all(self, css: str) -> list[tuple[dict[str, str], str]]:
        return [(a, "".join(text)) for _, a, text in self.found if css in a.get("class", "").split()]

    def tags(self, name: str) -> list[dict[str, str]]:
        return [attributes for tag, attributes, _ in self.found if tag == name]


def row(**changes: object) -> DocumentRow:
    made = DocumentRow(
        id="d",
        collection="default",
        name="a.pdf",
        version_id="v",
        version_number=1,
        source_sha256="",
        source_bytes=1,
        fingerprint="",
        media_type="text/plain",
        title="A title",
        language="en",
        page_count=0,
        chunk_count=0,
        notices=(),
        updated_at="",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def paged_view(pages: int = 3, media_type: str = "application/pdf") -> DocumentView:
    """A heading on each page, and a paragraph in two columns that goes on to the next page."""
    text, blocks, lines = "", list[Block](), list[Line]()
    for page in range(1, pages + 1):
        start = len(text)
        text += f"Heading {page}\n"
        title = Span(start, len(text) - 1)
        lines.append(Line(span=title, page=page, x0=50, y0=40, x1=300, y1=60))
        blocks.append(Block(kind=BlockKind.HEADING, span=title, level=2, section_path=(f"Heading {page}",)))
        start = len(text)
        for number, (x, y, on) in enumerate([(50, 700, page), (320, 80, page), (50, 80, page + 1)]):
            if on <= pages:
                at = len(text)
                text += f"words {page}.{number} <b>&\n"
                lines.append(Line(span=Span(at, len(text) - 1), page=on, x0=x, y0=y, x1=x + 200, y1=y + 12))
        blocks.append(
            Block(
                kind=BlockKind.PARAGRAPH, span=Span(start, len(text) - 1), section_path=(f"Heading {page}",)
            )
        )
    made = row(page_count=pages, media_type=media_type)
    return DocumentView(row=made, text=text, blocks=tuple(blocks), lines=tuple(lines))


def blank(page: int, wanted: bool) -> Sheet:
    return Sheet(width=595, height=842, picture="data:image/webp;base64,AA==" if wanted else "")


def written(view: DocumentView, draw: Drawer = blank, choice: Choice | None = None) -> str:
    choice = choice or Choice()
    pages = selected_pages(choice.pages, view.page_count)
    return "".join(html(view, pages, draw, choice))


def pdf_bytes(pages: int = 2, password: str = "") -> bytes:
    with pymupdf.open() as pdf:
        for number in range(pages):
            pdf.new_page(width=595, height=842).insert_text((72, 100), f"Page {number + 1} says hello.")
        if password:
            code = pymupdf.PDF_ENCRYPT_AES_256
            return bytes(pdf.tobytes(encryption=code, user_pw=password, owner_pw="owner"))
        return bytes(pdf.tobytes())


def picture_of(sheet: Sheet) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(sheet.picture.partition(",")[2])))


def test_every_block_and_page_is_there_with_the_words_of_its_span() -> None:
    view = paged_view()
    page = Page(written(view))
    assert {a["id"] for a in page.tags("section") if "id" in a} == {"p1", "p2", "p3"}
    assert {a["id"] for a, _ in page.all("part") if "id" in a} == {
        f"b{n + 1}" for n in range(len(view.blocks))
    }
    assert {a["data-b"] for a, _ in page.all("box")} == {str(n + 1) for n in range(len(view.blocks))}
    parts, words = page.all("part"), page.all("words")
    assert len(parts) == len(words)
    for (attributes, _), (_, shown) in zip(parts, words, strict=True):
        start, end = map(int, attributes["data-span"].split("–"))
        assert shown == view.text[start:end]


def test_a_block_over_two_pages_shows_each_page_its_own_words() -> None:
    view = paged_view(2)
    parts = [part for part in parts_of(view) if part.block == 1]
    assert [(part.page, part.is_first) for part in parts] == [(1, True), (2, False)]
    assert "words 1.2" in parts[1].span.of(view.text) and "words 1.1" in parts[0].span.of(view.text)


def test_a_new_column_begins_another_box_and_lines_below_each_other_share_one() -> None:
    places = [place for place in block_places(paged_view(2)) if place.owner == 1]
    assert [(place.page, place.x0, place.is_first) for place in places] == [
        (1, 50, True),
        (1, 320, False),
        (2, 50, False),
    ]


def test_boxes_stay_within_the_page() -> None:
    view = paged_view(1)
    wild = tuple(replace(line, x0=-50, x1=line.x1 * 9, y1=line.y0) for line in view.lines)
    for attributes, _ in Page(written(replace(view, lines=wild))).all("box"):
        left, top, width, height = map(float, re.findall(r"(-?[\d.]+)%", attributes["style"]))
        assert left >= 0 and top >= 0 and width > 0 and height > 0
        assert left + width <= 100.01 and top + height <= 100.01


def test_words_outside_all_blocks_are_shown_as_such() -> None:
    view = DocumentView(
        row=row(),
        text="lost\n\nkept\n",
        blocks=(Block(kind=BlockKind.PARAGRAPH, span=Span(6, 10)),),
        lines=(),
    )
    assert [shown for _, shown in Page(written(view)).all("loose") if "lost" in shown]


def test_hostile_words_are_inert_wherever_they_stand() -> None:
    text = f"| a | {HOSTILE} |\n| --- | --- |\n| b | c |\n\n{HOSTILE}"
    cut = text.rindex(HOSTILE)
    blocks = (
        Block(kind=BlockKind.TABLE, span=Span(0, cut - 2), section_path=(HOSTILE,)),
        Block(kind=BlockKind.HEADING, level=1, span=Span(cut, len(text)), section_path=(HOSTILE,)),
    )
    lines = (Line(span=Span(cut, len(text)), page=1, x0=1, y0=1, x1=90, y1=9),)
    made = row(
        title=HOSTILE,
        name=HOSTILE,
        page_count=1,
        notices=(Notice(code="decoded_as", details=(("encoding", HOSTILE),)),),
    )
    view = DocumentView(row=made, text=text, blocks=blocks, lines=lines)
    done = written(view, lambda page, wanted: Sheet(width=100, height=100))
    done.encode("utf-8")
    page = Page(done)
    assert len(page.tags("script")) == 1 and not page.tags("img")
    assert not [name for _, attributes, _ in page.found for name in attributes if name.startswith("on")]
    assert not re.search("[\x00\ud800-\udfff\u202a-\u202e\u2066-\u2069]", done)
    assert {"U+0000", "U+D800", "U+202E"} <= {f"U+{a['data-u']}" for a, _ in page.all("odd")}


def test_nothing_is_loaded_and_only_the_own_script_may_run() -> None:
    done = written(paged_view())
    page = Page(done)
    policy = next(a["content"] for a in page.tags("meta") if a.get("http-equiv"))
    assert "default-src 'none'" in policy and "img-src data:" in policy
    script = done.partition("<script>")[2].partition("</script>")[0]
    digest = re.search(r"script-src 'sha256-([^']+)'", policy)
    assert digest is not None
    assert base64.b64decode(digest[1]) == sha256(script.encode()).digest()
    for _, attributes, _ in page.found:
        assert attributes.get("src", "data:").startswith("data:")
        assert attributes.get("href", "#").startswith("#")
    assert "url(http" not in done and "@import" not in done and "//" not in done.partition("<script>")[0]


def test_the_chunks_cover_their_words_and_each_has_its_mark(filled: KnowledgeBase) -> None:
    with filled.workspace.store.read() as reader:
        view = load_view(reader, reader.document("handbook.md"), with_chunks=True)
    page = Page(written(view))
    count = str(len(view.chunks))
    assert count != "0"
    assert [a["id"] for a, _ in page.all("cut")] == [f"c{n + 1}" for n in range(len(view.chunks))]
    assert [a["href"] for a in page.tags("a") if "data-before" in a] == [
        f"#c{n + 1}" for n in range(len(view.chunks))
    ]
    assert len(page.all("parent")) == len(view.parents)
    shown = dict.fromkeys(range(1, len(view.chunks) + 1), "")
    for attributes, text in page.all("c"):
        for number in attributes["data-c"].split():
            shown[int(number)] += text
    for number, chunk in enumerate(view.chunks, start=1):
        expected = re.sub(r"[\s|]|-{3}", "", chunk.span.of(view.text))
        assert re.sub(r"[\s|]|-{3}", "", shown[number]) == expected
    for attributes, text in page.all("words"):
        assert text in view.text, attributes


def test_overlapping_chunks_share_their_words(filled: KnowledgeBase) -> None:
    with filled.workspace.store.read() as reader:
        view = load_view(reader, reader.document("manual.md"), with_chunks=True)
    first, second = view.chunks[:2]
    view = replace(
        view,
        chunks=(
            replace(first, span=Span(0, 30)),
            replace(second, span=Span(20, 50)),
        ),
    )
    pieces = [
        (p.span.start, p.span.end, p.owners)
        for p in Layer(view, parts_of(view), "en").stretches(Span(10, 60))
    ]
    assert pieces == [(10, 20, (0,)), (20, 30, (0, 1)), (30, 50, (1,)), (50, 60, ())]


def test_without_chunks_the_page_says_nothing_of_them(filled: KnowledgeBase) -> None:
    with filled.workspace.store.read() as reader:
        view = load_view(reader, reader.document("manual.md"), with_chunks=False)
    page = Page(written(view))
    assert not page.all("cut") and not [a for a in page.tags("input") if a.get("name") == "mode"]
    assert [a["href"] for a in page.tags("a") if a["href"].startswith("#b")]
    table = next(shown for a, shown in page.all("words") if "wide" in a["class"])
    assert trimmed(view.text, view.text.index(table), view.text.index(table) + len(table))


def test_chosen_pages_are_shown_alone_and_the_page_says_so() -> None:
    done = written(paged_view(4), choice=Choice(pages="1,3"))
    page = Page(done)
    assert [a["id"] for a in page.tags("section")] == ["p1", "p3"]
    assert "pages 1,3 of 4" in done
    entries = [a for a in page.tags("a") if "data-b" in a and "box" not in a["class"]]
    assert [("href" in a) for a in entries] == [True, False, True, False]


def test_long_documents_get_pictures_for_the_first_pages_only() -> None:
    done = written(paged_view(MOST_PICTURES + 3))
    page = Page(done)
    assert len(page.tags("img")) == MOST_PICTURES and len(page.all("sheet")) == MOST_PICTURES + 3
    assert f"first {MOST_PICTURES} pages" in done
    assert all(a["loading"] == "lazy" for a in page.tags("img"))


def test_pages_of_a_pdf_and_of_a_picture_are_drawn_others_are_blank() -> None:
    view = paged_view(2)
    with drawer(pdf_bytes(), "application/pdf", view.lines) as draw:
        sheet = draw(2, True)
        assert (sheet.width, sheet.height) == (595, 842) and picture_of(sheet).width > 800
        assert min(picture_of(sheet).convert("L").tobytes()) < 100
        assert not draw(1, False).picture
    encoded = io.BytesIO()
    Image.new("RGB", (3000, 1500), "red").save(encoded, "png")
    with drawer(encoded.getvalue(), "image/png", ()) as draw:
        # In points, at the 96 dots an inch that MuPDF takes for a picture that does not say.
        assert (draw(1, True).width, picture_of(draw(1, True)).size) == (2250, (2000, 1000))
    for data, kind in ((b"%PDF-1.7 torn", "application/pdf"), (b"torn", "image/png"), (b"", "text/plain")):
        with drawer(data, kind, view.lines) as draw:
            sheet = draw(1, True)
            assert not sheet.picture and sheet.width >= max(line.x1 for line in view.lines)


def test_a_protected_original_is_drawn_with_its_password_only() -> None:
    data = pdf_bytes(password="open")
    for password, is_drawn in (("", False), ("wrong", False), ("open", True)):
        with drawer(data, "application/pdf", (), password) as draw:
            assert bool(draw(1, True).picture) is is_drawn


def test_a_slide_that_cannot_be_drawn_has_its_size_and_its_words() -> None:
    from pptx import Presentation
    from pptx.util import Pt

    deck = Presentation()
    deck.slide_width, deck.slide_height = Pt(640), Pt(360)
    data = io.BytesIO()
    deck.save(data)
    view = paged_view(1, media_type="application/vnd.ms-powerpoint")
    with drawer(data.getvalue(), view.row.media_type, view.lines) as draw:
        assert draw(1, True) == Sheet(width=640, height=360)
        page = Page(written(view, draw))
    assert [shown for _, shown in page.all("word")][:2] == ["Heading 1", "words 1.0 <b>&"]
    assert "cannot be drawn" in written(view, draw)


def test_lines_of_one_shape_on_a_slide_do_not_lie_on_each_other() -> None:
    line = Line(span=Span(0, 1), page=1, x0=0, y0=10, x1=9, y1=40)
    shared = [replace(line, span=Span(at, at + 1)) for at in range(3)]
    alone = replace(line, span=Span(3, 4), y0=50, y1=60)
    assert [(one.y0, one.y1) for one in spread([*shared, alone])] == [(10, 20), (20, 30), (30, 40), (50, 60)]


@pytest.mark.parametrize(
    ("given", "pages"),
    [("", (1, 2, 3, 4)), ("2", (2,)), ("3-4,1", (1, 3, 4)), (" 1 - 2，2", (1, 2)), ("2-2", (2,))],
)
def test_pages_are_chosen_as_people_write_them(given: str, pages: tuple[int, ...]) -> None:
    assert selected_pages(given, 4) == pages


@pytest.mark.parametrize("given", ["0", "5", "3-2", "1-5", "a", "1,,2", "-1", "1-", "²"])
def test_pages_that_are_not_there_are_refused_with_the_number_of_pages(given: str) -> None:
    with pytest.raises(PageSelectionError) as caught:
        selected_pages(given, 4)
    assert "1 to 4" in caught.value.message("en") and given in caught.value.message("zh")


def test_a_document_without_pages_has_none_to_choose(tmp_path: Path) -> None:
    view = DocumentView(row=row(), text="x", blocks=(), lines=())
    with pytest.raises(PagelessDocumentError):
        write_view(view, b"", tmp_path / "x.html", Choice(pages="1"))


def test_a_target_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    view = DocumentView(row=row(), text="x", blocks=(), lines=())
    for target in (tmp_path, tmp_path / "missing" / "x.html", tmp_path / ("x" * 300)):
        with pytest.raises(TargetUnwritableError) as caught:
            write_view(view, b"", target, Choice())
        assert str(target) in caught.value.message("zh")
    assert not list(tmp_path.iterdir())


def test_an_interrupted_writing_leaves_the_former_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "x.html"
    target.write_text("former")

    def stopped(text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ingest.viewer.write.tell", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_view(paged_view(9), pdf_bytes(9), target, Choice())
    assert [path.read_text() for path in tmp_path.iterdir()] == ["former"]


def test_the_command_writes_the_page_in_the_language_of_the_interface(
    filled: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YOUJU_HOME", str(filled.workspace.settings.home))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    target = tmp_path / "页.html"
    for language, said in (("zh", "目录"), ("en", "Outline")):
        monkeypatch.setenv("YOUJU_LANGUAGE", language)
        assert main(["show", "handbook.md", "--chunks", "--html", str(target)]) == 0
        assert said in target.read_text("utf-8")
    assert "页.html" in capsys.readouterr().out
    assert main(["show", "nothing.md", "--html", str(target)]) == 1
    assert main(["show", "handbook.md", "--html", str(tmp_path)]) == 1
    assert main(["show", "handbook.md", "--html", str(target), "--pages", "1"]) == 1
    assert "no pages" in capsys.readouterr().err


# -- two strategies side by side


def cut_of(strategy: str, view: DocumentView, *spans: tuple[int, int]) -> Cut:
    """A cut at the given places, all of it under one parent."""
    parent = Parent(id="p", ordinal=0, span=Span(0, len(view.text)), section_path=(), token_count=9)
    chunks = tuple(
        Chunk(
            id=f"{strategy}{place}",
            parent_id="p",
            section_id="s",
            ordinal=place,
            span=Span(*span),
            section_path=(),
            kinds=(),
            embed_text=Span(*span).of(view.text),
            token_count=10 * (place + 1),
            previous_id=None,
            next_id=None,
            reasons=("sentence", HOSTILE),
        )
        for place, span in enumerate(spans)
    )
    return Cut(strategy=strategy, chunks=chunks, parents=(parent,))


def plain_view(*paragraphs: str) -> DocumentView:
    text, blocks = "", []
    for paragraph in paragraphs:
        blocks.append(Block(kind=BlockKind.PARAGRAPH, span=Span(len(text), len(text) + len(paragraph))))
        text += paragraph + "\n"
    return DocumentView(row=row(title=HOSTILE, name=HOSTILE), text=text, blocks=tuple(blocks), lines=())


def compared(view: DocumentView, left: Cut, right: Cut, language: str = "en") -> Page:
    return Page("".join(comparison(view, left, right, language)))


def test_bands_lie_between_shared_borders_and_a_chunk_lies_beside_its_rows() -> None:
    view = plain_view("aaaa", "bbbb", "cccc")
    left, right = cut_of("l", view, (0, 4), (5, 14)), cut_of("r", view, (0, 4), (5, 9), (10, 14))
    same, differing = bands(view.text, left, right)
    assert (same.rows, same.is_same) == ((Span(0, 4),), True)
    assert (differing.rows, differing.is_same) == ((Span(5, 9), Span(10, 14)), False)
    assert [(cell.number, cell.first, cell.end) for cell in differing.left] == [(1, 0, 2)]
    assert [(cell.number, cell.first, cell.end) for cell in differing.right] == [(1, 0, 1), (2, 1, 2)]


def test_the_figures_count_shared_borders_and_torn_sentences() -> None:
    view = plain_view("One. Two. Three.")
    left = cut_of("l", view, (0, 4), (5, 9), (10, 16))
    right = cut_of("r", view, (0, 7), (5, 12), (12, 16))
    found, other = figures(view, left, right), figures(view, right, left)
    assert (found.chunks, found.borders, found.shared, found.torn, found.sentences) == (3, 2, 1, 0, 3)
    # "Two." is whole in the overlapping chunk, "Three." in none.
    assert (other.shared, other.torn) == (1, 1)
    assert (found.mean_tokens, found.least_tokens, found.most_tokens) == (20, 10, 30)


def test_the_document_is_there_once_with_both_cuts_beside_it() -> None:
    view = plain_view("First paragraph here.", "Second one <b>.", "Third.")
    left = cut_of("l", view, (0, 21), (22, len(view.text) - 1))
    right = cut_of("r", view, (0, 10), (8, 37), (38, len(view.text) - 1))
    page = compared(view, left, right)
    shown = "".join(text for _, text in page.all("words"))
    assert "".join(shown.split()) == "".join(view.text.split())
    lanes = page.all("lane")
    assert (
        sum("side-a" in a["class"] for a, _ in lanes) == 2
        and sum("side-b" in a["class"] for a, _ in lanes) == 3
    )
    assert [text for _, text in lanes if "repeats 2 characters" in text]
    assert {a["class"] for a, _ in page.all("text") if "by-" in a["class"]} == {"text by-a", "text by-b"}
    links = [a["href"] for a in page.tags("a")]
    assert links and set(links) <= {f"#{a['id']}" for a, _ in page.all("band")}


def test_a_table_torn_inside_a_row_keeps_its_whole_rows() -> None:
    table = "| a | b |\n| --- | --- |\n| c1 | d1 |\n| c2 | d2 |\n| c3 | d3 |"
    view = DocumentView(
        row=row(), text=table, blocks=(Block(kind=BlockKind.TABLE, span=Span(0, len(table))),), lines=()
    )
    at = table.index("2 | d2")
    page = compared(view, cut_of("l", view, (0, len(table))), cut_of("r", view, (0, at), (at, len(table))))
    shown = [re.sub(r"[\s|]|-{3}", "", text) for _, text in page.all("words")]
    assert shown == ["abc1d1", "c", "2d2", "c3d3"]


def test_the_comparison_is_inert_and_has_no_script() -> None:
    view = plain_view(HOSTILE, "x")
    done = "".join(comparison(view, cut_of(HOSTILE, view, (0, 9), (9, 40)), cut_of("r", view, (0, 40)), "zh"))
    page = Page(done)
    policy = next(a["content"] for a in page.tags("meta") if a.get("http-equiv"))
    assert "script-src" not in policy and "default-src 'none'" in policy
    assert not page.tags("script") and not page.tags("img") and not page.tags("link")
    assert not [name for _, attributes, _ in page.found for name in attributes if name.startswith("on")]
    assert not re.search("[\x00\ud800-\udfff\u202a-\u202e\u2066-\u2069]", done)


def test_the_command_compares_and_stores_nothing(
    filled: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YOUJU_HOME", str(filled.workspace.settings.home))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_LANGUAGE", "en")
    target = tmp_path / "x.html"
    with filled.workspace.store.read() as reader:
        before = reader.chunks_of(reader.document("handbook.md").version_id)
    command = ["show", "handbook.md", "--html", str(target), "--compare"]
    for given, names in (("clause", ["semantic", "clause"]), ("fixed，semantic", ["fixed", "semantic"])):
        assert main([*command, given]) == 0
        page = Page(target.read_text("utf-8"))
        assert [text for a, text in page.all("side-a") if a["class"] == "side-a"] == [names[0]] * 2
        assert [text for a, text in page.all("side-b") if a["class"] == "side-b"] == [names[1]] * 2
    with filled.workspace.store.read() as reader:
        assert reader.chunks_of(reader.document("handbook.md").version_id) == before
    capsys.readouterr()
    for wrong in ("nosuch", "fixed,", "fixed,clause,recursive"):
        assert main([*command, wrong]) == 1
        assert "recursive, semantic" in capsys.readouterr().err


def test_cut_anew_by_the_strategy_it_was_stored_with_a_document_has_the_same_chunks(
    filled: KnowledgeBase,
) -> None:
    workspace = filled.workspace
    for name in ("handbook.md", "manual.md"):
        with workspace.store.read() as reader:
            view = load_view(reader, reader.document(name), with_chunks=True)
        cut = cut_anew(workspace, view, workspace.settings.chunking.strategy)
        kept = [(chunk.id, chunk.span, chunk.embed_text, chunk.dates) for chunk in view.chunks]
        assert [(chunk.id, chunk.span, chunk.embed_text, chunk.dates) for chunk in cut.chunks] == kept
        assert cut.parents == view.parents
