"""Errors: one text for each class of ``core.errors``."""

from __future__ import annotations

ERRORS: dict[str, dict[str, str]] = {
    "internal": {
        "zh": "程序内部出错（编号 {id}）。已保存的内容没有受影响。",
        "en": "Something went wrong inside the program (id {id}). Nothing stored was affected.",
    },
    "settings_invalid": {
        "zh": "设置 {name} 有误：{reason}",
        "en": "Setting {name} is wrong: {reason}",
    },
    "name_unknown": {
        "zh": "没有名为 {name} 的{seam}，可用的有：{known}。",
        "en": "There is no {seam} named {name}; known names: {known}.",
    },
    "extra_missing": {
        "zh": "{name} 需要额外的软件包，请安装：{install}",
        "en": "{name} needs extra packages; install them with: {install}",
    },
    "document_unreadable": {
        "zh": "无法读取 {name}：{reason}",
        "en": "{name} cannot be read: {reason}",
    },
    "file_missing": {
        "zh": "找不到文件 {name}。",
        "en": "File {name} does not exist.",
    },
    "format_unsupported": {
        "zh": "{name} 的格式尚不支持（{kind}）。支持的格式：{known}。",
        "en": "The format of {name} is not supported ({kind}). Supported: {known}.",
    },
    "extension_wrong": {
        "zh": "{name} 的扩展名与内容不符：内容像是 {kind}。请改正扩展名后再试。",
        "en": "The extension of {name} does not fit its content, which looks like {kind}. "
        "Rename it and try again.",
    },
    "document_empty": {
        "zh": "{name} 是空的，没有可用的内容。",
        "en": "{name} is empty; there is nothing to take from it.",
    },
    "no_text": {
        "zh": "{name} 里没有可提取的文字（可能是扫描件，第 {pages} 页）。",
        "en": "No text was found in {name} (it may be a scan; pages {pages}).",
    },
    "document_damaged": {
        "zh": "{name} 已损坏，无法打开。请重新导出或下载后再试。",
        "en": "{name} is damaged and cannot be opened. Export or download it again.",
    },
    "encoding_unknown": {
        "zh": "{name} 的文字编码无法识别（既不是 UTF-8、UTF-16，也不是 GB18030）。请另存为 UTF-8 后再试。",
        "en": "The text encoding of {name} is unknown (not UTF-8, UTF-16 or GB18030). Save it as UTF-8.",
    },
    "password_needed": {
        "zh": "{name} 有密码保护，需要密码才能打开。",
        "en": "{name} is protected; a password is needed to open it.",
    },
    "document_too_large": {
        "zh": "{name} 有 {size_mb} MB，超过上限 {limit_mb} MB。",
        "en": "{name} has {size_mb} MB, more than the limit of {limit_mb} MB.",
    },
    "store_failed": {
        "zh": "知识库操作失败：{reason}",
        "en": "The knowledge base could not do that: {reason}",
    },
    "store_busy": {
        "zh": "另一个程序正在写入知识库，等待 {waited_s} 秒后仍未结束。请稍后再试。",
        "en": "Another program is writing to the knowledge base and did not finish within {waited_s} s. "
        "Try again later.",
    },
    "store_version": {
        "zh": "知识库由另一个版本的程序建立（结构 {found}，本程序需要 {expected}）。",
        "en": "The knowledge base was made by another version of the program "
        "(schema {found}, this program needs {expected}).",
    },
    "store_damaged": {
        "zh": "知识库数据不一致：{reason}。请运行 python -m ingest check 查看，再运行 python -m ingest rebuild。",
        "en": "The knowledge base is inconsistent: {reason}. Run python -m ingest check, "
        "then python -m ingest rebuild.",
    },
    "home_unwritable": {
        "zh": "数据目录 {home} 无法写入：{reason}。请检查权限和剩余空间，或用 YOUJU_HOME 换一个目录。",
        "en": "The data folder {home} cannot be written: {reason}. Check its permissions and free space, "
        "or name another one with YOUJU_HOME.",
    },
    "model_mismatch": {
        "zh": "知识库的向量由 {stored} 生成，而当前设置是 {current}。"
        "请改回原模型，或运行 python -m ingest rebuild --embed 重新生成向量。",
        "en": "The knowledge base was embedded with {stored}, but {current} is configured. Set the former "
        "model again, or run python -m ingest rebuild --embed.",
    },
    "document_unknown": {
        "zh": "知识库里没有 {name}。",
        "en": "The knowledge base holds no {name}.",
    },
    "collection_unknown": {
        "zh": "没有名为 {name} 的知识库，现有：{known}。",
        "en": "There is no collection named {name}; existing: {known}.",
    },
    "model_failed": {
        "zh": "模型 {name} 出错：{reason}",
        "en": "Model {name} failed: {reason}",
    },
    "embedding_failed": {
        "zh": "向量模型 {name} 出错：{reason}",
        "en": "The embedding model {name} failed: {reason}",
    },
    "chat_model_failed": {
        "zh": "对话模型 {name} 没有给出完整的回答：{reason}",
        "en": "The chat model {name} gave no complete answer: {reason}",
    },
    "question_invalid": {
        "zh": "这个问题无法处理：{reason}",
        "en": "This question cannot be handled: {reason}",
    },
    "question_empty": {
        "zh": "问题是空的，请输入要问的内容。",
        "en": "The question is empty; please type what you want to know.",
    },
    "question_too_long": {
        "zh": "问题有 {length} 个字符，超过上限 {limit}。",
        "en": "The question has {length} characters, more than the limit of {limit}.",
    },
    "cancelled": {
        "zh": "已取消。已完成的文件保持不变。",
        "en": "Cancelled. Files that were already finished stay.",
    },
}
