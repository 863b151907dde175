"""Pairs of words of which a text that keeps all the others can mean only one."""

from __future__ import annotations

from functools import cache
from typing import Final

from ingest.indexes.analyzer import stemmed

_HAN: Final = """\
增加 减少|增长 下降|增长 减少|上升 下降|提高 降低|提升 降低|扩大 缩小|加强 削弱|增强 削弱|增强 减弱
改善 恶化|盈利 亏损|利润 亏损|收入 支出|最高 最低|最大 最小|最多 最少|最早 最晚|最长 最短|首 末
首次 最后一次|首次 末次|自愿 强制|正常 异常|临时 永久|短期 长期|第一 最后|有效 无效|合法 非法|合法 违法
同意 反对|支持 反对|赞成 反对|批准 驳回|批准 拒绝|接受 拒绝|成功 失败|胜利 失败|允许 禁止|开始 结束
流入 流出|进口 出口|国内 国外|境内 境外|上半年 下半年|上 下|东 西|南 北|左 右|前 后|内 外|男 女|父 母
大 小|多 少|高 低|长 短|快 慢|新 旧|强 弱|优 劣|先 后|升 降|涨 跌|增 减|盈 亏|买 卖|借 贷|甲 乙
原告 被告|上诉人 被上诉人|申请人 被申请人|买方 卖方|买受人 出卖人|甲方 乙方|出租人 承租人|债权人 债务人
出借人 借款人|委托人 受托人|赠与人 受赠人|保证人 被保证人|侵权人 被侵权人|用人单位 劳动者|雇主 雇员
公开 保密|正 负|正面 负面|积极 消极|主动 被动|直接 间接|故意 过失|从轻 从重|减轻 加重|书面 口头
固定 无固定|有偿 无偿|有限 无限|已婚 未婚|成年 未成年|履行 违反|遵守 违反|签订 解除|设立 撤销|生效 失效
吸收 排放|出生 死亡|生 死|攻 守|赢 输|胜 负|胜 败|早 晚|难 易|轻 重|冷 热|深 浅|厚 薄|宽 窄|远 近|凡 非
支持 阻止|推动 阻碍|促进 阻碍|缓解 加剧"""
_LATIN: Final = """\
increase decrease|raise reduce|temporary permanent|voluntary mandatory|normal abnormal|increase decline
increase reduce|increase reduction|grow shrink|growth decline|growth decrease|rise fall|rise drop
rise decline|rose fell|gain loss|gains losses|profit loss|maximum minimum|highest lowest
largest smallest|biggest smallest|most least|more less|more fewer|first last|higher lower|high low
large small|longer shorter|above below|over under|up down|enhance impair|enhance weaken|improve worsen
improve impair|improvement deterioration|strengthen weaken|expand reduce|expand shrink|success failure
successful unsuccessful|succeed fail|approve reject|accept reject|accept refuse|agree disagree
support oppose|allow prohibit|allow forbid|permit prohibit|include exclude|inflow outflow|import export
asset liability|open close|opened closed|win lose|won lost|male female|north south|east west
northern southern|eastern western|left right|early late|earlier later|valid invalid|legal illegal
lawful unlawful|positive negative|favorable unfavorable|favourable unfavourable|with without|raise lower
raised lowered|long short|buyer seller|employer employee|landlord tenant|lessor lessee
lender borrower|plaintiff defendant|debtor creditor|licensor licensee|trustor trustee|public private
enable disable|enabled disabled|begin end|start end|start stop|faster slower|better worse|best worst
stronger weaker|easy difficult|direct indirect|required optional|mandatory optional|internal external
domestic foreign|credit debit|debit credit|always never|before after|able unable|add remove
accelerate slow|older younger|deductible nondeductible|taxable nontaxable|likely unlikely|common rare
safe dangerous|true false|rich poor|hot cold|warm cool|wet dry|day night|morning evening
ascending descending|inner outer"""


def _pairs(table: str) -> tuple[tuple[str, str], ...]:
    rows = (row.split() for row in table.replace("\n", "|").split("|"))
    return tuple((left, right) for left, right in rows)


_HAN_PAIRS: Final = _pairs(_HAN)
_LATIN_PAIRS: Final = frozenset(
    pair for left, right in _pairs(_LATIN) for pair in ((left, right), (right, left))
)


def opposite_signs(said: str, stands: str) -> tuple[str, str] | None:
    """The pair of which ``said`` has one and ``stands`` the other; both are Chinese, folded."""
    for left, right in _HAN_PAIRS:
        for mine, its in ((left, right), (right, left)):
            if (
                mine in said
                and its in stands
                and its not in said.replace(mine, "")
                and mine not in stands.replace(its, "")
            ):
                return mine, its
    return None


def opposite_words(said: frozenset[str], stands: frozenset[str]) -> bool:
    """Whether a stem in ``said`` is the opposite of one in ``stands``, neither side having both."""
    return any(
        (mine in said and its in stands and its not in said and mine not in stands) for mine, its in _stems()
    )


@cache
def _stems() -> frozenset[tuple[str, str]]:
    return frozenset((stemmed(left), stemmed(right)) for left, right in _LATIN_PAIRS)
