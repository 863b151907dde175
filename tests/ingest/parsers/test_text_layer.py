import time

import pymupdf
import pytest

from ingest.parsers.pdf.hidden_text import HiddenReason, hidden_spans, page_paint
from ingest.parsers.pdf.text_layer import LayerState, faults, layer_quality, prefers_ocr
from tests.conftest import SHARED

_ENGLISH = "The tenant pays the rent on the first day of each month and may not sublet the rooms. " * 5
_CHINESE = (
    "第十条 员工请假应当提前向部门负责人提出申请，经批准后方可休假；未经批准的按旷工处理，公司有权解除合同。"
    * 6
)


@pytest.mark.parametrize("text", [_ENGLISH, _CHINESE, "合 同 编 号 ⋯⋯⋯ １２", "TOTAL 1,204.50 98.7%"])
def test_what_reads_as_text_is_usable(text: str) -> None:
    assert layer_quality(text).state is LayerState.USABLE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (_ENGLISH[:60] + "\ufffd\ue012" * 20, "garbage"),
        ("(cid:12)(cid:44)(cid:3)" * 20, "garbage"),
        (_CHINESE.encode("gb18030").decode("latin-1"), "garbage"),
        (
            "".join(chr((ord(c) - 97 + 3) % 26 + 97) if c.isalpha() else c for c in _ENGLISH.lower()),
            "letters",
        ),
        ("".join(chr(ord(c) + 997) if c >= "\u4e00" else c for c in _CHINESE), "letters"),
        ("品名佛佛佛佛佛佛产地釉釉釉釉数量子子子子单位照章征免铺地砖", "repeated"),
    ],
)
def test_what_no_page_shows_is_broken(text: str, reason: str) -> None:
    verdict = layer_quality(text)
    assert verdict.state is LayerState.BROKEN
    assert verdict.reason == reason


def test_a_page_without_text_is_missing_it_only_when_something_is_drawn() -> None:
    assert layer_quality("").state is LayerState.BLANK
    assert layer_quality(" \n", image_coverage=0.9).state is LayerState.MISSING
    assert layer_quality("", drawn_paths=900).state is LayerState.MISSING
    assert layer_quality("第 3 页", image_coverage=1.0).state is LayerState.MISSING
    assert layer_quality("第 3 页").state is LayerState.USABLE
    assert layer_quality(_ENGLISH, image_coverage=1.0).state is LayerState.USABLE


def test_somebodys_ocr_is_read_anew_only_when_it_is_faulty() -> None:
    faulty = _CHINESE + "截至20I5年末，lo月融资孔500万元，比20t4年增加i2.48亿元"
    assert layer_quality(_CHINESE, image_coverage=1.0, invisible=True).state is LayerState.USABLE
    assert layer_quality(faulty, image_coverage=1.0, invisible=True).reason == "ocr_faults"
    assert faults(faulty) > faults(faulty.replace("20I5", "2015"))


def test_the_better_reading_is_taken_and_never_a_much_shorter_one() -> None:
    faulty = _CHINESE + "20I5年lo336"
    assert prefers_ocr(faulty, _CHINESE + "2015年10336", 0.98)
    assert not prefers_ocr(faulty, _CHINESE + "2015年10336", 0.5)
    assert not prefers_ocr(_CHINESE, _CHINESE, 0.98)
    assert not prefers_ocr("\ufffd" * 200, "only a stamp", 0.98)
    assert prefers_ocr("7", _CHINESE, 0.98)


def _page() -> pymupdf.Page:
    return pymupdf.open().new_page(width=400, height=400)


def _reread(page: pymupdf.Page) -> pymupdf.Page:
    return pymupdf.open(stream=page.parent.tobytes())[0]


def _hidden(page: pymupdf.Page) -> dict[str, HiddenReason]:
    return {span.text: span.reason for span in hidden_spans(_reread(page))}


def test_hidden_text_is_found_by_each_of_its_reasons() -> None:
    page = _page()
    page.insert_text((20, 30), "Everybody sees this line")
    page.insert_text((20, 60), "modethree", render_mode=3)
    page.insert_text((20, 90), "whiteonwhite", color=(1, 1, 1))
    page.insert_text((20, 120), "halfapoint", fontsize=0.5)
    page.insert_text((900, 150), "offthepage")
    page.insert_text((20, 180), "underabox")
    page.draw_rect((10, 165, 200, 190), color=None, fill=(0.2, 0.2, 0.2))
    page.insert_text((20, 210), "clearasglass", fill_opacity=0, stroke_opacity=0)
    page.draw_rect((10, 225, 200, 250), color=None, fill=(0, 0, 0))
    page.insert_text((20, 240), "blackonblack")
    assert _hidden(page) == {
        "modethree": HiddenReason.INVISIBLE,
        "whiteonwhite": HiddenReason.BACKGROUND_COLOUR,
        "halfapoint": HiddenReason.TINY,
        "offthepage": HiddenReason.OUTSIDE,
        "underabox": HiddenReason.COVERED,
        "clearasglass": HiddenReason.INVISIBLE,
        "blackonblack": HiddenReason.BACKGROUND_COLOUR,
    }


def test_what_only_looks_hidden_stays() -> None:
    page = _page()
    page.draw_rect((10, 15, 200, 40), color=None, fill=(0, 0, 0.5))
    page.insert_text((20, 30), "White on a banner", color=(1, 1, 1))
    page.insert_text((20, 60), "Marked by a highlighter")
    page.add_highlight_annot((10, 45, 200, 65))
    page.insert_text((20, 90), "- i l | .", color=(0, 0, 0))
    switched_off = page.parent.add_ocg("draft", on=False)
    page.insert_text((20, 120), "not even in the text", oc=switched_off)
    page.set_rotation(90)
    assert _hidden(page) == {}
    assert "not even" not in _reread(page).get_text()


def test_boxes_are_those_of_the_letters_in_the_text() -> None:
    page = _page()
    page.insert_text((20, 60), "ab", color=(1, 1, 1))
    (span,) = hidden_spans(page)
    lines = page.get_text("rawdict")["blocks"][0]["lines"]
    letters = [char["bbox"] for char in lines[0]["spans"][0]["chars"]]
    assert [box[0] for box in span.boxes] == pytest.approx([box[0] for box in letters], abs=0.1)


def test_unseen_text_over_a_scan_is_its_text_layer() -> None:
    page = _page()
    grey = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 40, 40), False)
    grey.clear_with(200)
    page.insert_image(page.rect, pixmap=grey)
    page.insert_text((20, 60), "what the picture says", render_mode=3)
    assert page_paint(page).invisible
    assert page_paint(page).image_coverage == pytest.approx(1.0)
    assert hidden_spans(page) == ()


def test_a_page_of_many_strokes_does_not_take_long() -> None:
    page = _page()
    page.insert_text((20, 60), "Plain text")
    strokes = " ".join(f"{i % 400} {i % 397} m {i % 391} {i % 389} l S" for i in range(20_000))
    page.parent.update_stream(page.get_contents()[0], strokes.encode() + b"\n" + page.read_contents())
    started = time.perf_counter()
    assert page_paint(page).drawn_paths == 20_000
    assert hidden_spans(page) == ()
    assert time.perf_counter() - started < 10


@pytest.mark.shared
def test_good_pages_of_real_files_are_left_alone_and_bad_ones_are_not() -> None:
    zoo = SHARED / "data" / "pdf_zoo" / "corpus"
    expected = {
        "zh_nonembedded_fonts_toc_1p.pdf": LayerState.USABLE,
        "en_invisible_text_layer_1p.pdf": LayerState.USABLE,
        "en_form_fields_1040_2p.pdf": LayerState.USABLE,
        "zh_table_byd_2025q1_9p.pdf": LayerState.USABLE,
        "ko_tables_1p.pdf": LayerState.USABLE,
        "zh_broken_fonts_customs_1p.pdf": LayerState.BROKEN,
        "zh_scan_bad_ocr_layer_6p.pdf": LayerState.BROKEN,
        "zh_scan_no_text_8p.pdf": LayerState.MISSING,
    }
    for name, state in expected.items():
        with pymupdf.open(zoo / name) as pdf:
            for page in pdf:
                paint = page_paint(page)
                verdict = layer_quality(
                    page.get_text(),
                    image_coverage=paint.image_coverage,
                    drawn_paths=paint.drawn_paths,
                    invisible=paint.invisible,
                )
                assert verdict.state is state, (name, page.number, verdict)
