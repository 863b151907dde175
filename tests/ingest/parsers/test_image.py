import io

import pymupdf
import pytest
from PIL import Image

from core.document import BlockKind, lines_of
from core.errors import DamagedDocumentError, NoTextError, PictureTooLargeError
from core.reading import Reading
from core.settings import ParsingSettings
from ingest.parsers.ocr.image import ImageParser
from ingest.parsers.ocr.picture import MAX_MEGAPIXELS, page_sizes
from tests.ingest.parsers.test_ocr import drawn


def _encoded(kind: str, *pictures: Image.Image, **options: object) -> bytes:
    written = io.BytesIO()
    more = {"save_all": True, "append_images": list(pictures[1:])} if len(pictures) > 1 else {}
    pictures[0].save(written, kind, **more, **options)
    return written.getvalue()


def test_every_frame_of_a_fax_is_a_page_with_marked_lines() -> None:
    first = Image.fromarray(drawn(("第三章 考勤", "员工每日工作八小时。")))
    second = Image.fromarray(drawn(("Visitors sign in at the gate.",)))
    data = _encoded("tiff", first, second, dpi=(130, 130))
    heard: list[tuple[int, int]] = []
    document = ImageParser().parse(
        data, "传真.tif", Reading(on_page=lambda done, total: heard.append((done, total)))
    )
    assert document.text == "第三章 考勤\n\n员工每日工作八小时。\n\nVisitors sign in at the gate."
    assert document.title == "第三章 考勤"
    assert document.media_type == "image/tiff"
    assert document.page_count == 2
    assert heard == [(1, 2), (2, 2)]
    assert document.blocks[0].kind is BlockKind.HEADING
    assert [line.page for line in document.lines] == [1, 1, 2]
    (marked,) = lines_of(document.lines, document.blocks[1].span)
    (width, height), _ = page_sizes(data)
    with pymupdf.open(stream=data) as pages:
        assert (width, height) == (pages[0].rect.width, pages[0].rect.height)
    # The second line was drawn 25 pt from the left and 70 pt from the top of a page of 330 x 150 pt.
    assert marked.x0 / width == pytest.approx(25 / 330, abs=0.02)
    assert (marked.y0 + marked.y1) / 2 / height == pytest.approx(65 / 150, abs=0.03)
    assert [notice.code for notice in document.notices] == ["pages_read_by_ocr"]


def test_an_animation_is_read_in_its_first_frame_and_says_so() -> None:
    page = Image.fromarray(drawn(("Closed on Sundays",)))
    document = ImageParser().parse(_encoded("webp", page, page.rotate(180)), "notice.webp")
    assert document.text == "Closed on Sundays"
    assert document.title == "notice"
    assert document.notices[-1].code == "frames_left_out"
    assert 0 < document.lines[0].x0 < document.lines[0].x1 < page.width


def test_a_picture_that_cannot_be_taken_says_why() -> None:
    page = Image.fromarray(drawn())
    blank = _encoded("png", Image.new("RGB", (200, 100), "white"))
    with pytest.raises(NoTextError):
        ImageParser().parse(blank, "blank.png")
    with pytest.raises(NoTextError):
        ImageParser().parse(_encoded("png", page), "a.png", Reading(settings=ParsingSettings(ocr="never")))
    with pytest.raises(DamagedDocumentError):
        ImageParser().parse(_encoded("jpeg", page)[:900], "torn.jpg")
    huge = _encoded("png", Image.new("1", (20_000, 60 * MAX_MEGAPIXELS)))
    with pytest.raises(PictureTooLargeError) as caught:
        ImageParser().parse(huge, "huge.png")
    assert str(MAX_MEGAPIXELS) in caught.value.message("zh")
