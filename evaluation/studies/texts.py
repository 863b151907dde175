"""What a study says, in Chinese and English."""

from __future__ import annotations

from typing import Final

TEXTS: Final = {
    "zh": {
        "head": "### {study}：{set}，{questions} 个问题，按 {figure}",
        "all": "全部数据集",
        "columns": "曲线|取值|{figure}|与现用值之差",
        "shipped": "现用",
        "keep": "{scope}：保持现用的 {shipped}（{value:.3f}），没有别的取值更好。",
        "better": "{scope}：最好的是 {best}（{value:.3f}），比现用的 {shipped} 高 {gain}，超出噪声（偶然概率 {chance:.3f}，"
        "已按尝试次数放大）。",
        "noise": "{scope}：最高的是 {best}（{value:.3f}），与现用的 {shipped} 相差 {gain}，在噪声之内（偶然概率 "
        "{chance:.3f}）：没有理由改动。",
        "tiny": "{scope}：最高的是 {best}（{value:.3f}），与现用的 {shipped} 相差 {gain}，虽超出噪声，但小到没有意义：没有理由改动。",
        "level": "与最高者不可区分：{names}。",
        "worse": "确实更差：{names}。",
        "legend": "竖线：95% 区间；橙色：现用值",
        "every": "所有曲线",
        "kept": "已写入 {out}",
    },
    "en": {
        "head": "### {study}: {set}, {questions} questions, by {figure}",
        "all": "all sets together",
        "columns": "curve|value|{figure}|difference from the shipped value",
        "shipped": "shipped",
        "keep": "{scope}: keep the shipped {shipped} ({value:.3f}); no other value is better.",
        "better": "{scope}: best is {best} ({value:.3f}), {gain} over the shipped {shipped}: beyond noise (chance "
        "{chance:.3f}, times the number of tries).",
        "noise": "{scope}: highest is {best} ({value:.3f}), {gain} from the shipped {shipped}: within noise (chance "
        "{chance:.3f}), so no reason to change.",
        "tiny": "{scope}: highest is {best} ({value:.3f}), {gain} over the shipped {shipped}: beyond noise, but too little to "
        "matter.",
        "level": "Not to be told from the highest: {names}.",
        "worse": "Worse beyond noise: {names}.",
        "legend": "bars: 95 % intervals; orange: shipped",
        "every": "all curves",
        "kept": "Written to {out}",
    },
}
