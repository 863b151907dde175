"""The words of a question that name its subject, and how much of them a text holds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ingest.indexes.analyzer import analyze, chinese_words, fold, other_words, stemmed

# Words that ask, link or hedge: they say how something is asked, not what is asked about.
_STOP_WORDS = frozenset(
    """
    的 了 吗 呢 吧 啊 呀 是 在 有 和 与 及 或 就 也 都 而 被 把 对 为 以 于 之 其 个 几 多 少 哪 谁
    什么 怎么 怎样 怎么样 如何 多少 哪些 哪个 哪里 哪儿 何时 多久 多长 多大 多高 多远 为什么 为何
    是否 能否 可否 是不是 有没有 能不能 可不可以 可以 能 会 要 应 应该 应当 需要 需 得 请 请问 一下
    那 这 那么 这个 那个 他 她 它 我 我们 你 你们 他们 还 还是 还能 时 时候 情况 什么样 几个 几天
    第几 被称为 被称 称为 叫 叫做 名字 主要 之后 之前 以后 以前 后 前 里 中 上 下 到 从 由 向 给 让
    用 做 最 又 再 才 只 哪一年 哪年 总结 概括 列出 告诉 may must can could should shall about many
    much long often how
    """.split()  # noqa: SIM905 - one word a line would hide the code
)


def content_words(text: str) -> list[str]:
    """Distinct words in order: Chinese words of rjieba, others lower-case in NFKC; no stop words."""
    words = [word for word in chinese_words(text) if word not in _STOP_WORDS]
    words += [word for word in other_words(text) if word not in _STOP_WORDS]
    return list(dict.fromkeys(words))


class WordsHeld:
    """A text prepared for asking how much of a word it holds."""

    def __init__(self, *parts: str) -> None:
        self._text = fold("\n".join(parts))
        self._tokens = frozenset(analyze(self._text))

    def share(self, word: str) -> float:
        """1 when the text holds the word, 0 when not; for longer Chinese words the share of its bigrams."""
        if word in self._tokens or stemmed(word) in self._tokens:
            return 1.0
        if word[0] < "\u3400":
            return 0.0
        if word in self._text:
            return 1.0
        pairs = bigrams(word)
        return sum(pair in self._text for pair in pairs) / len(pairs) if len(word) > 2 else 0.0

    def coverage(self, words: Sequence[str], weights: dict[str, float]) -> float:
        """0..1: weighted share of ``words`` that the text holds; 0 when there are none."""
        total = sum(weights[word] for word in words)
        return sum(weights[word] * self.share(word) for word in words) / total if total else 0.0


@lru_cache(maxsize=4096)
def bigrams(word: str) -> tuple[str, ...]:
    """Neighbouring pairs of characters; a single character stands for itself."""
    return tuple(word[i : i + 2] for i in range(len(word) - 1)) or (word,)
