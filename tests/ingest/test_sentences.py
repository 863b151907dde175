"""Sentence borders: what stays together, what is parted, and that no text makes it slow."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.span import is_blank
from ingest.sentences import sentences
from ingest.splitters.piece import CLOSING_MARKS

# "¦" stands where one sentence ends and the next one starts.
CHINESE = [
    "他说：“好。”然后走了。¦真的吗？！¦是……",
    "年假5天；满十年的，10天。¦不得转让。",
    "（见附件。）¦其余照旧。",
    "他（真的吗？）走了。¦她没走。",
    "“你好！”¦“再见。”¦他们说完就走了。",
    "“你去哪儿？”他问道。¦“去学校。”她回答。",
    '他走了。¦"你好。"¦没人回答。',
    "他问：“谁？¦什么时候？”¦没人知道。",
    "《谁是英雄？》是一本书。¦很好看。",
    "“为人民服务！”等口号随处可见。¦人们记得。",
    "苹果、梨、香蕉……都是水果。¦我喜欢。",
    "他走了…… ¦她留下来。",
    "等等......还没完。¦继续。",
    "圆周率约为3.14。¦请升级到v2.13.0。¦依照第3.2条执行。",
    "详见 https://a.example/b.c?d=e。¦邮箱：a.b@c.example。¦谢谢。",
    "1．打开电源。\n¦2．关闭电源。",
    "步骤如下：1. 打开盖子；2. 取出电池。¦完成。",
    "须满足：\n¦（一）转正；\n¦（二）满一年。",
    "前半句，\n后半句。¦下一句。",
    "原文如此。[1]¦后来修订。[2][3]¦完。¹¦另有说法。",
    "由J. K. 罗琳著。¦他来自St. Louis。¦都好。",
    "我走了.¦他来了.",
    "完成。　”\n¦下一步。",
]
ENGLISH = [
    "Version 2.13.0 costs 3.5 yuan. ¦It is new.",
    "Dr. Smith, e.g. in the U.S. office, left. ¦He ran.",
    "He lives in the U.S. ¦The U.S. Army does not.",
    "He works at Apple Inc. ¦The firm is large. ¦Apple Inc. announced results.",
    "J. K. Rowling and George W. Bush met. ¦I like plan B. ¦They left.",
    "See Fig. 3 and No. 5. ¦I said no. ¦He left.",
    '"Stop!" he said. ¦"Why?" John asked. ¦"Because."',
    "He left (why?) and came back. ¦(See the appendix.) ¦Other rules apply.",
    "He left (nobody knows why). ¦She left (why?). ¦We stayed.",
    "Wait... what? ¦He left... ¦I see.",
    "This is true.[1] ¦That is false.[2, 3] ¦End.",
    "1. The first item. ¦It is long.\n¦2. The second.\n¦a. Third\n¦b. Fourth",
    "Steps: 1. Open it. ¦2. Close it. ¦The ratio is 3:1. ¦See p. 5.",
    "A line that is\nwrapped here. ¦Next.\n¦\n¦Title Line\n¦Body text starts here.",
    "This is a much longer line of ordinary prose that was then wrapped at\nParis by an editor. ¦Next.",
    "See e.g.\nthe handbook. ¦See https://a.example/b.c?d=e. ¦Use asyncio.Lock here. ¦Done",
    "It fell to -3.5 C. ¦Snow followed.",
    "the inventory consisted of : \n¦rifles",
    "We sold iPods. ¦iPhone sales rose approx. twofold.",
    "the shares rose. ¦the company is in lower case. ¦all of it is.",
    'He said " it is so . " ¦She did not .',
    "assets | 5\nliabilities | 6".replace("\n", "\n¦"),
]
OTHERS = [
    "彼は「はい。」と言った。¦「いいよ。」彼女は言った。¦「行くぞ！」¦「待って。」",
    "これは句点である．¦次の文である．",
    "나는 3.5달러를 냈다. ¦너는 집에 있다. ¦정말?",
    "مرحبا. ¦كيف حالك؟ ¦أنا بخير.",
    "यह एक वाक्य है। ¦यह दूसरा है।",
    "Սա նախադասություն է։ ¦Սա երկրորդն է։",
    "Он родился в г. Москва. ¦А. С. Пушкин писал. ¦Всё.",
]
# Repeated up to a megabyte.
DENSE = ["。” ", "...", "甲", "a.", "(a.", 'a."', "（好。", ".[1]", "x x", "\n", "。\u200b", "A. "]


@pytest.mark.parametrize("marked", CHINESE + ENGLISH + OTHERS)
def test_sentences_of(marked: str) -> None:
    text = marked.replace("¦", "")
    expected = [part.strip() for part in marked.split("¦") if part.strip()]
    assert [span.of(text) for span in sentences(text)] == expected


def test_sentences_of_a_part_lie_in_it() -> None:
    text = "第一句。第二句。第三句。"
    assert [span.of(text) for span in sentences(text, 4, 10)] == ["第二句。", "第三"]
    assert sentences(text, 4, 4) == sentences(" \n\u200b") == []


@given(st.text(alphabet='。！？”』）….!? \n\r\u200bab中文，“"(1[]A、·', max_size=60))
def test_sentences_hold_every_visible_character_and_open_with_no_closing_mark(text: str) -> None:
    found = sentences(text)
    covered = {i for span in found for i in range(span.start, span.end)}
    assert all(i in covered for i, char in enumerate(text) if not is_blank(char))
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    assert all(not is_blank(text[span.start]) and not is_blank(text[span.end - 1]) for span in found)
    for span in found[1:]:
        # ASCII marks may open a word: ".NET", ":param", "[1]".
        assert text[span.start] not in CLOSING_MARKS or text[span.start] < "\u0080"


@pytest.mark.parametrize("repeated", DENSE)
def test_no_text_makes_it_slow(repeated: str) -> None:
    text = repeated * (150_000 // len(repeated))
    started = time.process_time()
    found = sentences(text)
    # Linear: a megabyte takes about a second in the worst of these, a quadratic scan hours.
    assert time.process_time() - started < 2
    assert sum(len(span) for span in found) <= len(text)
