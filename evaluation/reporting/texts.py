"""The words of the report, in Chinese and English."""

from __future__ import annotations

from typing import Final

TEXTS: Final = {
    "zh": {
        "title": "评测报告",
        "lead": "{date}，{sets}。下面先用几句话说结果，再给出图、表和做得最差的题。点表头可以排序，把指针停在表头上可以看到它的含义。",
        "summary": "一眼看懂",
        "chunks": "切分",
        "retrieval": "检索",
        "answers": "回答",
        "verify": "逐句核对",
        "gate": "闸门",
        "ragas": "裁判模型",
        "claims": "文章说法复测",
        "tune": "调参",
        "sum_chunks": "{set}：{n} 个问题。用 {name} 切分，{complete} 的证据完整地落在一个块里，{truncated} "
        "被切断得连相邻两块合起来也不完整。"
        "返回 1600 个 token 时找回 {recall} 的证据。",
        "sum_chunks_best": "同样返回 1600 个 token，{best} 最高（{value}），比 {other}（{second}）{beyond}。",
        "sum_retrieval": "{set}：{n} 个有答案的问题里，{whole} 的全部证据都在返回的文字中；{hit} 的问题第一条就完整含有证据。",
        "sum_other": "{other} 是 {value}，与它逐题相比相差 {gain}（95% 区间 {low} 到 {high}），{beyond}。",
        "sum_same": "{other} 同样是 {value}。",
        "beyond": "差别超出噪声",
        "within": "差别在噪声以内",
        "sum_answers": "{set}：{n} 个有答案的问题里，引用触及 {recall} 的证据，引用中有 {precision} 指向证据。",
        "sum_answer": "答案能在原文里逐字找到的问题，{answer} 的答案整个出现在引用里。",
        "sum_refused": "{n} 个文档里没有答案的问题，拒答了 {refused}。",
        "sum_verify": "{set}：{n} 个句子里 {right} 判得对。每 100 个假句查出 {caught} 个，每 100 个真句错判 {alarm} 个。",
        "sum_gate": "{set}：{n} 个问题。截断 {truncated}，完整 {complete}，前三条召回 {recall}，引用精度 {precision}，"
        "应拒已拒 {refused}。",
        "sum_lost": "没做好的 {n} 题里，最多的丢在：{stages}。",
        "figures": "数字",
        "figures_how": "每格是各题的平均，方括号内是 95% 区间；两个区间离得很远，差别才可信。＋ 表示每块都带上我们的标题行。",
        "all_figures": "全部数字",
        "system": "系统",
        "types": "按题型",
        "types_how": "同一个数字（{figure}）按题型分开看：某一类明显低，问题多半就在那里。括号内是题数。",
        "quality": "返回多少，找回多少",
        "quality_how": "横轴是返回的文字量，纵轴是完整找回的证据比例。线越高越好；同样高时越靠左越省。",
        "tokens": "返回的 token",
        "budget": "返回的字符",
        "share_found": "找回的证据",
        "radar": "各系统的轮廓",
        "radar_how": "每根轴是一个指标，中心为 0，边缘为 1，越靠外越好。“越少越好”的指标已取反，用“不”字开头。",
        "not": "不{name}",
        "reliability": "说的把握可不可信",
        "reliability_how": "横轴是程序自己报的把握，纵轴是真正说中的比例，点越大题越多。贴着虚线说明把握可信；在虚线下方是过于自信。",
        "sureness": "报出的把握",
        "came_true": "真正说中",
        "latency": "要等多久",
        "latency_how": "横轴是毫秒（对数），纵轴是在这个时间以内完成的问题比例。线越靠左越快；与 50% 的交点是中位数。",
        "ms": "毫秒",
        "share_done": "已完成的问题",
        "sizes": "块有多大",
        "sizes_how": "横轴是块的大小（token），纵轴是这种大小的块所占比例。偏左是碎块多，右端的尖峰是顶到了上限。",
        "size": "块的 token",
        "share_chunks": "块的比例",
        "lost": "丢在哪个环节",
        "lost_how": "每个没做好的问题归到第一个丢掉证据的环节；从次数最多的环节改起，收效最大。",
        "stage": "环节",
        "means": "含义",
        "worst": "做得最差的题",
        "worst_how": "点开一题：上面是问题和应有的证据，下面是程序给出的文字，<mark>标出的</mark>是证据。没有标出，就是没有找到。",
        "question": "问题",
        "sentence": "句子",
        "answer": "标准答案",
        "original": "原句",
        "evidence": "应有的证据",
        "returned": "给出的文字",
        "cited": "引用的原文",
        "passage": "核对所用的原文",
        "rank": "第 {n} 名",
        "nothing": "什么也没有给出。",
        "no_mark": "这里没有证据",
        "facts": "其他数字",
        "settings": "用什么测的",
        "settings_how": "两次运行的指纹相同，说明设置和嵌入模型相同；数据的指纹相同，才可以逐题比较。",
        "usual": "默认设置",
        "changed": "（有未提交的改动）",
        "run": "运行",
        "made": "提交、日期、机器",
        "model": "嵌入模型",
        "set_settings": "改过的设置",
        "fingerprint": "指纹",
        "data": "数据",
        "documents": "文档",
        "questions": "问题",
        "cases": "题",
        "written": "已写入 {path}",
    },
    "en": {
        "title": "Evaluation report",
        "lead": "{date}, {sets}. First the result in a few sentences, then plots, tables and the cases that went worst. "
        "Tables sort by a click on a heading; rest on a heading to see what it means.",
        "summary": "In short",
        "chunks": "Chunks",
        "retrieval": "Search",
        "answers": "Answers",
        "verify": "Sentences checked",
        "gate": "Gate",
        "ragas": "Judged by a model",
        "claims": "Claims retested",
        "tune": "Tuning",
        "sum_chunks": "{set}: {n} questions. Cut with {name}, {complete} of the evidence lies whole in one chunk, and "
        "{truncated} is cut so "
        "that not even two neighbours hold it. Within 1,600 tokens {recall} of the evidence comes back.",
        "sum_chunks_best": "With the same 1,600 tokens {best} brings most ({value}); against {other} ({second}) {beyond}.",
        "sum_retrieval": "{set}: of {n} questions with an answer the whole evidence was found for {whole}; for {hit} the "
        "very first passage held evidence.",
        "sum_other": "With {other} it was {value}; question by question the difference is {gain} (95 % interval {low} to "
        "{high}), so {beyond}.",
        "sum_same": "With {other} it was {value} as well.",
        "beyond": "the difference is beyond noise",
        "within": "the difference is within noise",
        "sum_answers": "{set}: of {n} questions with an answer, citations reach {recall} of the evidence, and {precision} of the "
        "citations point at it.",
        "sum_answer": "Where the answer stands in the source word for word, the cited words hold all of it for {answer} of "
        "the questions.",
        "sum_refused": "Of {n} questions that the documents do not answer, {refused} were refused.",
        "sum_verify": "{set}: of {n} sentences {right} got the right verdict. Of 100 false ones {caught} are caught; of 100 true ones "
        "{alarm} are called unsupported by mistake.",
        "sum_gate": "{set}: {n} questions. Truncated {truncated}, complete {complete}, recall in three passages {recall}, "
        "citation precision "
        "{precision}, refused where it should {refused}.",
        "sum_lost": "Of the {n} that did not go well most were lost at: {stages}.",
        "figures": "Figures",
        "figures_how": "Each is the mean over the questions, in brackets its 95 % interval: believe a difference only when "
        "the intervals are "
        "well apart. + means with our heading line on every chunk.",
        "all_figures": "All figures",
        "system": "system",
        "types": "By kind of question",
        "types_how": "The same figure ({figure}) for each kind of question: where one is much lower, there is the trouble. "
        "In brackets: "
        "questions.",
        "quality": "How much is returned, how much is found",
        "quality_how": "To the right: text returned. Upwards: share of the evidence that came back whole. Higher is better; of two "
        "equally high, the one further left costs less.",
        "tokens": "tokens returned",
        "budget": "characters returned",
        "share_found": "evidence found",
        "radar": "The systems in outline",
        "radar_how": "One spoke for each figure, 0 in the middle, 1 at the rim: further out is better. What should be small is turned "
        "round and begins with “not”.",
        "not": "not {name}",
        "reliability": "Does its confidence mean anything?",
        "reliability_how": "To the right: how sure the program says it is. Upwards: how often that was right; bigger points are more "
        "questions. On the dashed line it means what it says, below it is too sure of itself.",
        "sureness": "how sure it says it is",
        "came_true": "how often right",
        "latency": "How long it takes",
        "latency_how": "To the right: milliseconds (logarithmic). Upwards: share of questions done by then. Further left is faster; "
        "where a line crosses 50 % is the median.",
        "ms": "milliseconds",
        "share_done": "questions done",
        "sizes": "How large the chunks are",
        "sizes_how": "To the right: size in tokens. Upwards: share of the chunks of that size. Much at the left are "
        "fragments; a peak at the "
        "right end is the limit.",
        "size": "tokens of a chunk",
        "share_chunks": "share of chunks",
        "lost": "Where it was lost",
        "lost_how": "Each question that did not go well is put down to the first stage that lost evidence. Start to mend at "
        "the stage with most.",
        "stage": "stage",
        "means": "means",
        "worst": "The worst cases",
        "worst_how": "Open one: first the question and the evidence that was wanted, then what the program gave, with the evidence "
        "<mark>marked</mark>. No mark means that it was not found.",
        "question": "Question",
        "sentence": "Sentence",
        "answer": "Right answer",
        "original": "As it was",
        "evidence": "Evidence that was wanted",
        "returned": "What was returned",
        "cited": "What was cited",
        "passage": "The passage it was held against",
        "rank": "rank {n}",
        "nothing": "Nothing was given.",
        "no_mark": "no evidence here",
        "facts": "Other numbers",
        "settings": "What it was measured with",
        "settings_how": "Runs with the same fingerprint had the same settings and embedding model; runs over data with the "
        "same one can be "
        "compared case by case.",
        "usual": "as by default",
        "changed": "(with changes that were not committed)",
        "run": "run",
        "made": "commit, date, machine",
        "model": "embedding model",
        "set_settings": "settings changed",
        "fingerprint": "fingerprint",
        "data": "data",
        "documents": "documents",
        "questions": "questions",
        "cases": "cases",
        "written": "Written to {path}",
    },
}  # fmt: skip

STAGES: Final = {
    "parser": ("原文没有进入解析结果", "the words are not in the parsed text"),
    "chunking": ("被切断，相邻两块合起来也不完整", "cut apart: not even two neighbouring chunks hold it"),
    "overlap": ("被切断，相邻两块合起来才完整", "cut apart: only two neighbouring chunks together hold it"),
    "judge": ("对话模型在证据中间切开", "the chat model put a border inside it"),
    "embedding": ("向量检索没有及时找到", "the search by meaning did not find its chunk in time"),
    "lexical": (
        "词语检索本该找到却没有",
        "its chunk has the question's words, and the search by words did not find it",
    ),
    "fusion": (
        "检索找到了，合并排序后落到后面",
        "found, and put behind others when the searches were merged",
    ),
    "rerank": ("检索找到了，重排后落到后面", "found, and put behind others by the second ranking"),
    "packing": ("排得够前，但超出文档上限或字数预算", "ranked well, and left out by a cap or the budget"),
    "answer": (
        "给了证据，回答没有用上，或该拒未拒",
        "the evidence was there and not used; or answered what nothing tells",
    ),
    "citation": ("回答说了，却引用了别处", "the answer says it and points elsewhere"),
    "budget": ("在字符预算之后才出现", "it came, behind the end of the budget"),
    "part": ("只返回了一部分", "only some of it came back"),
    "depth": ("排得更靠后", "found, but ranked further down"),
    "candidates": ("没有进入候选", "not among the candidates at all"),
    "verifier": ("核对的判定与预期不同", "the verdict is not the expected one"),
}


def text(code: str, language: str, **details: object) -> str:
    """One of the texts above."""
    return TEXTS[language][code].format(**details)


def kind_name(kind: str, language: str) -> str:
    """What a kind of run is called; one that is not known by its own name."""
    return TEXTS[language].get(kind, kind)


def stage_text(stage: str, language: str) -> str:
    """What a stage means; empty for one that is not known."""
    zh, en = STAGES.get(stage, ("", ""))
    return zh if language == "zh" else en
