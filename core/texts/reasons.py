"""Why a sentence is not carried by its source, one text for each aspect."""

from __future__ import annotations

REASONS: dict[str, dict[str, str]] = {
    "reason_number": {
        "zh": "句中的数字“{said}”与原文不符（原文：{found}）。",
        "en": "The number “{said}” is not what the source says ({found}).",
    },
    "reason_unit": {
        "zh": "句中的单位“{said}”与原文不符（原文：{found}）。",
        "en": "The unit of “{said}” is not that of the source ({found}).",
    },
    "reason_date": {
        "zh": "句中的日期“{said}”与原文不符（原文：{found}）。",
        "en": "The date “{said}” is not what the source says ({found}).",
    },
    "reason_name": {
        "zh": "原文这里没有提到“{said}”（原文：{found}）。",
        "en": "The source does not speak of “{said}” here ({found}).",
    },
    "reason_negation": {
        "zh": "肯定与否定相反：句中为“{said}”，原文为“{found}”。",
        "en": "One affirms what the other denies: the sentence says “{said}”, the source “{found}”.",
    },
    "reason_condition": {
        "zh": "条件不同：句中为“{said}”，原文为“{found}”。",
        "en": "The condition differs: the sentence says “{said}”, the source “{found}”.",
    },
    "reason_words": {
        "zh": "原文中找不到这句话的主要内容。",
        "en": "The source does not hold the main words of this sentence.",
    },
    "reason_meaning": {
        "zh": "原文的意思与这句话相差较远。",
        "en": "The source means something else than this sentence.",
    },
    "reason_uncited": {
        "zh": "这句话没有注明出处，找到的段落中也没有依据。",
        "en": "This sentence names no source, and no passage that was found carries it.",
    },
    "reason_judge": {
        "zh": "对话模型判断：{said}",
        "en": "The chat model judged: {said}",
    },
}
