"""What tuning says, in Chinese and English."""

from __future__ import annotations

from typing import Final

TEXTS: Final = {
    "zh": {
        "split": "在 {picked} 个问题上挑选，用另外 {held} 个问题检验（{how}），指标 {figure}。",
        "by_document": "两半没有共同的文档",
        "by_question": "文档无法公平地分成两半，按问题随机分开：同一文档可能出现在两边，结果偏乐观",
        "columns": "设置|取值|{figure}（挑选用的一半）|差|偶然概率|采用",
        "none": "挑选用的一半上没有任何取值看起来更好：保持现在的设置。",
        "refuse": "不建议改动。挑选用的一半上提高了 {picked:+.3f}，留出的一半上为 {before:.3f} -> {after:.3f}，差 {gain}"
        "（偶然概率 {chance:.3f}）：在噪声之内。",
        "recommend": "建议改动。留出的一半上 {before:.3f} -> {after:.3f}，差 {gain}（偶然概率 {chance:.3f}）；挑选用的一半"
        "上为 {picked:+.3f}。设置：",
        "scope": "设置对一个 YOUJU_HOME 下的所有集合生效；只给一个集合用时，把它放进自己的 YOUJU_HOME。",
        "rebuild": "切分设置只影响之后入库的文档：设置好以后重新添加（先删除）已有的文档。",
        "left": "未使用 {count} 个问题：证据不在解析结果的原位置上，或文档不在文件夹里",
        "kept": "已写入 {out}",
    },
    "en": {
        "split": "Picked on {picked} questions, judged on {held} others ({how}), by {figure}.",
        "by_document": "the halves share no document",
        "by_question": "the documents have no fair split, so the questions were parted by chance: a document may be on "
        "both sides, which flatters",
        "columns": "setting|value|{figure} (half to pick by)|difference|chance|taken",
        "none": "No value looks better even on the half to pick by: keep the settings as they are.",
        "refuse": "No change is recommended. On the half to pick by it was {picked:+.3f}; on the half held back "
        "{before:.3f} -> {after:.3f}, {gain} (chance {chance:.3f}): within noise.",
        "recommend": "A change is recommended. On the half held back {before:.3f} -> {after:.3f}, {gain} (chance "
        "{chance:.3f}); on the half to pick by it was {picked:+.3f}. Set:",
        "scope": "Settings hold for every collection under one YOUJU_HOME; to use them for one collection alone, give it a "
        "YOUJU_HOME of its own.",
        "rebuild": "Settings of chunking are for documents that are added from then on: remove those that are there and add "
        "them again.",
        "left": "{count} questions are left out: their evidence is not where the gold has it, or not in the folder",
        "kept": "Written to {out}",
    },
}
