import io
import sys

import numpy as np
import pymupdf
import pytest
from PIL import Image

from core.document import BlockKind
from core.errors import OcrUnavailableError
from ingest.parsers.ocr import engine as ocr_engine
from ingest.parsers.ocr.engine import Pixels, Quad, decoded
from ingest.parsers.ocr.layout import Piece, rows_in_order
from ingest.parsers.ocr.paragraphs import paragraphs
from ingest.parsers.ocr.picture import MAX_MEGAPIXELS, TooManyPixelsError, as_png, frames
from ingest.parsers.ocr.reader import OcrCell, OcrImage, OcrLine, read_image, read_pixels
from ingest.parsers.ocr.splits import split, tiles
from ingest.parsers.ocr.text import repaired

_LINES = (
    "第二章 考勤与休假",
    "员工连续工作满一年的，享受带薪年休假五天。",
    "Overtime must be approved in writing.",
)


def drawn(lines: tuple[str, ...] = _LINES, dpi: int = 130) -> Pixels:
    """The lines on a small page, Chinese and English, without any font file."""
    page = pymupdf.open().new_page(width=330, height=150)
    for number, line in enumerate(lines):
        font = "helv" if line.isascii() else "china-s"
        page.insert_text((25, 40 + 30 * number), line, fontname=font, fontsize=13)
    shot = page.get_pixmap(dpi=dpi)
    return np.frombuffer(shot.samples, np.uint8).reshape(shot.height, shot.width, 3)


def test_chinese_and_english_are_read_with_places_and_word_gaps() -> None:
    pixels = drawn()
    image = read_pixels(pixels)
    assert [line.text for line in image.lines] == list(_LINES)
    assert (image.height, image.width) == pixels.shape[:2]
    assert image.rotation == 0
    assert image.confidence > 0.95
    assert all(line.is_sure for line in image.lines)
    x0, y0, x1, y1 = image.lines[0].box
    scale = 130 / 72
    assert 20 * scale < x0 < 27 * scale
    assert 22 * scale < y0 < 40 * scale < y1 < 48 * scale
    assert x1 > x0 + 100
    kinds = [(block.kind, block.level) for block in paragraphs(image)]
    assert kinds[0] == (BlockKind.HEADING, 2)


@pytest.mark.parametrize("turns", [2, 3])
def test_turned_pictures_are_read_and_their_boxes_stay_where_the_words_are(turns: int) -> None:
    pixels = drawn(_LINES[1:])
    image = read_pixels(np.ascontiguousarray(np.rot90(pixels, turns)))
    assert [line.text for line in image.lines] == list(_LINES[1:])
    assert image.rotation == 90 * turns
    box = image.lines[0].box
    inside = np.rot90(pixels, turns)[int(box[1]) : int(box[3]), int(box[0]) : int(box[2])]
    ink = np.rot90(pixels, turns) < 128
    assert (inside < 128).sum() > 0.4 * ink.sum()


def test_an_empty_picture_has_no_lines() -> None:
    image = read_pixels(np.full((120, 300, 3), 255, np.uint8))
    assert image.lines == ()
    assert image.confidence == 0.0
    assert paragraphs(image) == ()


def test_pictures_of_every_kind_come_as_rgb() -> None:
    plain = Image.fromarray(drawn(_LINES[2:], dpi=40))
    expected = np.asarray(plain)
    see_through = Image.merge("RGBA", (*plain.split(), plain.convert("L").point(lambda grey: 255 - grey)))
    kinds = {
        "png": plain,
        "bmp": plain,
        "webp": plain,
        "gif": plain.quantize(),
        "tiff": plain.convert("CMYK"),
        "palette.png": plain.convert("P"),
        "alpha.png": see_through,
        "deep.png": Image.fromarray(np.asarray(plain.convert("L")).astype(np.uint16) * 257),
    }
    for name, picture in kinds.items():
        written = io.BytesIO()
        picture.save(written, name.rpartition(".")[2], **({"lossless": True} if name == "webp" else {}))
        pixels = next(frames(written.getvalue()))
        assert pixels.dtype == np.uint8
        assert pixels.shape == expected.shape, name
        assert np.abs(pixels.astype(int) - expected).mean() < 8, name


def test_white_words_on_nothing_are_put_on_black() -> None:
    letters = 255 - np.asarray(Image.fromarray(drawn(_LINES[2:], dpi=40)).convert("L"))
    white = np.full((*letters.shape, 4), 255, np.uint8)
    white[:, :, 3] = letters
    written = io.BytesIO()
    Image.fromarray(white).save(written, "png")
    assert np.ptp(next(frames(written.getvalue()))) > 200


def test_a_photograph_stands_as_its_camera_says() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    written = io.BytesIO()
    Image.fromarray(drawn(_LINES[2:])).save(written, "jpeg", exif=exif, quality=95)
    turned = next(frames(written.getvalue()))
    assert turned.shape[0] > turned.shape[1]
    assert Image.open(io.BytesIO(as_png(written.getvalue()))).size == (turned.shape[1], turned.shape[0])


def test_what_is_no_picture_is_refused() -> None:
    whole = io.BytesIO()
    Image.fromarray(drawn()).save(whole, "png")
    for data in (b"", b"plain text", whole.getvalue()[:200], whole.getvalue()[:-300]):
        with pytest.raises(ValueError, match="expected a picture"):
            read_image(data)
    bomb = io.BytesIO()
    Image.new("1", (20_000, 1000 * MAX_MEGAPIXELS // 19)).save(bomb, "png")
    with pytest.raises(TooManyPixelsError):
        next(frames(bomb.getvalue()))


def test_a_machine_that_lacks_the_engine_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(OcrUnavailableError) as caught:
        ocr_engine.OcrEngine(1).find(np.zeros((40, 40, 3), np.uint8))
    assert "cv2" in caught.value.message("zh")


def test_a_space_stands_where_the_network_hesitates() -> None:
    characters = ["", "a", "b", " "]
    steps = np.array(
        [[0.1, 0.9, 0, 0], [0.1, 0.9, 0, 0], [0.9, 0, 0.05, 0.05], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 1, 0]],
        np.float32,
    )
    reading = decoded(steps, characters)
    assert reading.text == "a bb"
    assert reading.confidence == pytest.approx((0.9 + 1 + 1) / 3)


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ("将 《公开》第1号", "将《公开》第1号"),
        ("4, 755, 785. 11", "4,755,785.11"),
        ("9，500万元", "9,500万元"),
        ("items 1, 2 and 30", "items 1, 2 and 30"),
        ("第-章", "第一章"),
        ("史的事情。（3)为", "史的事情。（3）为"),
        ("口适用口不适用", "□适用□不适用"),
        ("f(x) and (a)", "f(x) and (a)"),
    ],
)
def test_habitual_mistakes_are_mended_and_no_others(read: str, meant: str) -> None:
    assert repaired(read) == meant


def _quad(x0: float, y0: float, x1: float, y1: float) -> Quad:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def _piece(text: str, x0: float, y0: float, x1: float) -> Piece:
    return Piece(text=text, confidence=1.0, quad=_quad(x0, y0, x1, y0 + 20), box=(x0, y0, x1, y0 + 20))


def test_columns_are_read_one_after_the_other_and_table_rows_across() -> None:
    title = [_piece("title", 50, 10, 900)]
    left = [_piece(f"l{n}", 50, 60 + 30 * n, 440) for n in range(6)]
    right = [_piece(f"r{n}", 480, 60 + 30 * n, 900) for n in range(6)]
    mixed = [piece for pair in zip(right, left, strict=True) for piece in pair]
    order = [piece.text for row in rows_in_order(title + mixed) for piece in row]
    assert order == ["title", *(f"l{n}" for n in range(6)), *(f"r{n}" for n in range(6))]
    cells = [_piece(f"{n}{c}", 50 + 300 * c, 60 + 30 * n, 130 + 300 * c) for n in range(6) for c in range(3)]
    assert [[piece.text for piece in row] for row in rows_in_order(cells)] == [
        [f"{n}{c}" for c in range(3)] for n in range(6)
    ]


def test_a_line_over_a_rule_or_a_gutter_is_parted() -> None:
    line = np.full((40, 400, 3), 255, np.uint8)
    line[10:30, 10:120] = 0
    line[10:30, 140:250] = 0
    assert len(split(line, _quad(0, 0, 400, 40))) == 1
    line[:, 130] = 0
    line[10:30, 320:390] = 0
    parts = split(line, _quad(0, 0, 400, 40))
    assert [round(float(part[0, 0]), -1) for part in parts] == [10, 140, 320]


def test_a_long_strip_is_cut_between_its_lines() -> None:
    strip = np.full((1000, 100, 3), 255, np.uint8)
    strip[::2, 20:80] = 0
    strip[150:155] = 255
    pieces = list(tiles(strip))
    assert [start for start, _ in pieces][1] in range(149, 156)
    assert np.array_equal(np.concatenate([piece for _, piece in pieces]), strip)


def _line(text: str, x0: float, y0: float, x1: float, height: float = 20, cells: int = 1) -> OcrLine:
    box = (x0, y0, x1, y0 + height)
    words = text.split(" ", cells - 1)
    width = (x1 - x0) / cells
    parts = tuple(
        OcrCell(text=word, box=(x0 + width * n, y0, x0 + width * (n + 0.7), y0 + height))
        for n, word in enumerate(words)
    )
    return OcrLine(text=text, confidence=1.0, box=box, upright=box, cells=parts)


def _blocks(*lines: OcrLine) -> list[tuple[str, str]]:
    image = OcrImage(lines=lines, width=600, height=800)
    return [(b.kind.value, "".join(line.text for line in b.lines)) for b in paragraphs(image)]


def test_lines_become_headings_paragraphs_tables_and_page_numbers() -> None:
    assert _blocks(
        _line("服务协议", 200, 80, 400, height=34),
        _line("甲方应当按照约定的时间向乙方支付全部服务费用，不得", 90, 140, 560),
        _line("无故拖延。", 50, 170, 160),
        _line("乙方应当按照约定提供服务并对服务质量负责，直至合同", 90, 200, 560),
        _line("期满。", 50, 230, 110),
        _line("项目 数量 金额", 50, 280, 500, cells=3),
        _line("咨询 2 300.00", 50, 310, 500, cells=3),
        _line("培训 1 800.00", 50, 340, 500, cells=3),
        _line("① 本协议所称工作日不含法定节假日。", 50, 700, 400, height=16),
        _line("- 3 -", 290, 770, 320),
    ) == [
        ("heading", "服务协议"),
        ("paragraph", "甲方应当按照约定的时间向乙方支付全部服务费用，不得无故拖延。"),
        ("paragraph", "乙方应当按照约定提供服务并对服务质量负责，直至合同期满。"),
        ("table", "| 项目 | 数量 | 金额 || --- | --- | --- || 咨询 | 2 | 300.00 || 培训 | 1 | 800.00 |"),
        ("list_item", "① 本协议所称工作日不含法定节假日。"),
        ("page_furniture", "- 3 -"),
    ]


def test_the_last_word_of_a_paragraph_stays_though_its_box_is_tall() -> None:
    assert _blocks(
        _line("危险品入库前应当由两名管理员共同验收，并在当天登", 50, 140, 560, height=20),
        _line("记。", 50, 165, 100, height=26),
        _line("库房温度不得超过三十摄氏度；超过的，应当立即停止作业。", 50, 200, 560, height=20),
    )[0] == ("paragraph", "危险品入库前应当由两名管理员共同验收，并在当天登记。")


def test_footnotes_of_the_left_column_follow_the_right_one() -> None:
    left = [_line(f"left column line {n} goes on", 50, 60 + 30 * n, 290) for n in range(4)]
    note = _line("1 a note in small type", 50, 700, 290, height=15)
    right = [_line(f"right column line {n} goes on", 320, 60 + 30 * n, 560) for n in range(4)]
    kinds = _blocks(*left, note, *right)
    assert kinds[-1][1] == "1 a note in small type"
    assert "right column line 3" in kinds[-2][1]
