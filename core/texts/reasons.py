"""Why a sentence is not carried by its source, one text for each aspect; ``_missing``: the source says nothing of it."""

from __future__ import annotations

REASONS: dict[str, dict[str, str]] = {
    "reason_number": {
        "zh": "数字不符：句中为“{said}”，原文为“{found}”。",
        "en": "The number differs: “{said}” here, “{found}” in the source.",
    },
    "reason_number_missing": {
        "zh": "原文这里没有“{said}”这个数字。",
        "en": "The source does not give the number “{said}” here.",
    },
    "reason_unit": {
        "zh": "单位不符：句中为“{said}”，原文为“{found}”。",
        "en": "The unit differs: “{said}” here, “{found}” in the source.",
    },
    "reason_unit_missing": {
        "zh": "原文这里没有“{said}”这个数量。",
        "en": "The source does not give “{said}” here.",
    },
    "reason_date": {
        "zh": "时间不符：句中为“{said}”，原文为“{found}”。",
        "en": "The date differs: “{said}” here, “{found}” in the source.",
    },
    "reason_date_missing": {
        "zh": "原文这里没有“{said}”这个时间。",
        "en": "The source does not give the date “{said}” here.",
    },
    "reason_name": {
        "zh": "对象不符：句中为“{said}”，原文为“{found}”。",
        "en": "Another is named: “{said}” here, “{found}” in the source.",
    },
    "reason_name_missing": {
        "zh": "原文这里没有提到“{said}”。",
        "en": "The source does not speak of “{said}” here.",
    },
    "reason_negation": {
        "zh": "意思相反：句中为“{said}”，原文为“{found}”。",
        "en": "The opposite is said: “{said}” here, “{found}” in the source.",
    },
    "reason_negation_missing": {
        "zh": "原文这里并没有说“{said}”。",
        "en": "The source does not say “{said}” here.",
    },
    "reason_condition": {
        "zh": "条件不同：句中为“{said}”，原文为“{found}”。",
        "en": "The condition differs: “{said}” here, “{found}” in the source.",
    },
    "reason_condition_missing": {
        "zh": "原文没有句中的条件“{said}”。",
        "en": "The source does not set the condition “{said}”.",
    },
    "reason_condition_left_away": {
        "zh": "句中略去了原文的条件：“{found}”。",
        "en": "A condition of the source is left out: “{found}”.",
    },
    "reason_words": {
        "zh": "这句话的主要内容，原文这里没有说全。",
        "en": "The source does not hold all of what this sentence says.",
    },
    "reason_meaning": {
        "zh": "原文用另一种语言写成，意思相近，但无法逐字核对。",
        "en": "The source is in another language: the meaning is near, but the words cannot be compared.",
    },
    "reason_uncited": {
        "zh": "找到的段落中没有这句话的依据。",
        "en": "No passage that was found carries this sentence.",
    },
    "reason_judge": {
        "zh": "对话模型判断：{said}",
        "en": "The chat model judged: {said}",
    },
}
