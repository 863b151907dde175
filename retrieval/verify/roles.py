"""Parties and offices: one put for another changes what is said, however alike the sentences are."""

from __future__ import annotations

from typing import Final

from ingest.indexes.analyzer import chinese_words, stemmed

_HAN: Final = frozenset(
    """董事 董事会 董事长 监事 监事会 股东 股东会 股东大会 经理 总经理 总裁 总统 总理 主席 部长 省长 市长
    县长 书记 校长 院长 会长 理事 理事会 职工 员工 雇员 雇主 劳动者 用人单位 工会 原告 被告 被告人
    被害人 证人 法官 律师 检察官 公诉人 上诉人 被上诉人 申请人 被申请人 第三人 人民法院 人民检察院
    检察院 法院 公安机关 仲裁 仲裁机构 监狱 行政机关 人民政府 国务院 消费者 经营者 生产者 销售者 商家
    供应商 客户 顾客 用户 买方 卖方 甲方 乙方 出租人 承租人 房东 租客 债权人 债务人 保证人 担保人 抵押人
    质权人 受益人 投保人 被保险人 保险人 受托人 委托人 代理人 被代理人 监护人 被监护人 父亲 母亲 儿子
    女儿 丈夫 妻子 哥哥 弟弟 姐姐 妹妹 祖父 祖母 父母 子女 配偶 老师 学生 教师 医生 患者 病人 护士 作者
    读者 导演 演员 编剧 歌手 国王 王后 皇帝 皇后 侵权人 被侵权人 行为人 发包人 承包人 加害人 受害人
    收养人 被收养人 送养人 著作权人 专利权人 继承人 被继承人 遗赠人 受遗赠人 运输公司 旅客 承运人 托运人
    收货人""".split()  # noqa: SIM905
)
_LATIN: Final = frozenset(
    stemmed(word)
    for word in """employee employees employer employers shareholder shareholders stockholder stockholders director directors
    board committee manager managers officer officers supplier suppliers customer customers client clients vendor vendors
    consumer consumers patient patients doctor doctors physician nurse nurses mother father brother sister son daughter wife
    husband parent parents child children plaintiff defendant prosecutor judge jury lawyer attorney witness victim landlord
    tenant tenants lessor lessee buyer seller lender borrower creditor debtor trustee trustor beneficiary guardian insurer
    insured president chairman governor mayor senator secretary minister teacher teachers student students principal king
    queen author reader company government court audit supervisor partner partners owner owners user users administrator""".split()  # noqa: SIM905
)
# Two words for one party.
_SAME_PARTY: Final = """\
员工 职工|员工 雇员|职工 雇员|总经理 经理|人民检察院 检察院|人民法院 法院|股东会 股东大会
被告 被告人|患者 病人|老师 教师|顾客 消费者|客户 顾客|客户 用户|原告 申请人|被告 被申请人
受害人 被害人|受害人 被侵权人|被害人 被侵权人|侵权人 行为人|侵权人 加害人|保证人 担保人
shareholder stockhold|custom client|doctor physician|supplier vendor|lawyer attorney|director board
offic manag|parent mother|parent father|custom consum|仲裁 仲裁机构|房东 出租人|租客 承租人
劳动者 员工|劳动者 职工|用人单位 雇主|经营者 商家"""
_SAME: Final = frozenset(frozenset(pair.split()) for pair in _SAME_PARTY.replace("\n", "|").split("|"))


def other_role(said: str, stands: str) -> tuple[str, str] | None:
    """The Chinese party that ``said`` names where ``stands`` names another, or ``None``."""
    mine = [word for word in chinese_words(said) if word in _HAN]
    its = [word for word in chinese_words(stands) if word in _HAN]
    for left in mine:
        for right in its:
            apart = left not in its and right not in mine and left not in right and right not in left
            if apart and frozenset((left, right)) not in _SAME:
                return left, right
    return None


def other_party(said: frozenset[str], stands: frozenset[str]) -> bool:
    """The same for stems of English words."""
    mine, its = (said - stands) & _LATIN, (stands - said) & _LATIN
    return bool(mine and its) and not any(frozenset((left, right)) in _SAME for left in mine for right in its)
