"""What the chat says about files that are added to it, about answers that were cut off, and when it starts."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, dict[str, str]]] = {
    "upload_title_chat": {"zh": "添加文件，仅用于本次对话", "en": "Adding files, for this chat only"},
    "upload_title_kept": {"zh": "存入知识库“{collection}”", "en": "Keeping in “{collection}”"},
    "upload_meanwhile": {"zh": "处理期间可以照常提问。", "en": "You can go on asking meanwhile."},
    "upload_ahead": {"zh": "排队中，前面还有 {count} 个任务。", "en": "In line, {count} ahead."},
    "upload_cancelled": {"zh": "已取消，完成的文件已保留。", "en": "Cancelled; what was finished stays."},
    "upload_lost": {
        "zh": "服务器重启，这次添加没有完成。请重新添加没有完成的文件。",
        "en": "The server was restarted before this was finished. Please add the unfinished files again.",
    },
    "upload_ask": {"zh": "现在可以就这些文件提问了。", "en": "You can ask about these files now."},
    "upload_unkept": {
        "zh": "文件没能保存到服务器：{reason}",
        "en": "The files could not be kept on the server: {reason}",
    },
    "upload_cancel": {"zh": "取消", "en": "Cancel"},
    "upload_password": {"zh": "打开文件的密码", "en": "Password of the file"},
    "upload_unlock": {"zh": "打开", "en": "Open"},
    "upload_skip": {"zh": "跳过", "en": "Skip"},
    "upload_tries_left": {"zh": "还可以试 {count} 次。", "en": "Tries left: {count}."},
    "upload_tries_over": {
        "zh": "密码多次不对，请核对后重新上传。",
        "en": "The password was wrong several times; please check it and add the file again.",
    },
    "upload_gone": {
        "zh": "这次上传已经结束，请重新添加文件。",
        "en": "This upload is over; please add the file again.",
    },
    "upload_keep": {"zh": "长期保留：", "en": "Keep for good:"},
    "upload_keep_go": {"zh": "存入知识库", "en": "Add to knowledge base"},
    "upload_kept": {
        "zh": "已另存到“{collection}”，结果见下方。",
        "en": "Also added to “{collection}”; see below.",
    },
    "target": {"zh": "{collection}", "en": "{collection}"},
    "target_private": {"zh": "{collection}（仅自己可见）", "en": "{collection} (seen by you alone)"},
    "task_wait": {"zh": "排队", "en": "queued"},
    "task_left": {"zh": "未添加", "en": "not added"},
    "task_parse": {"zh": "解析", "en": "reading"},
    "task_parse_many": {"zh": "解析 {done} / {total} 页", "en": "reading page {done} of {total}"},
    "task_chunk": {"zh": "分块", "en": "chunking"},
    "task_embed": {"zh": "生成向量", "en": "embedding"},
    "task_embed_many": {"zh": "生成向量 {done} / {total}", "en": "embedding {done} of {total}"},
    "task_save": {"zh": "保存", "en": "saving"},
    "left_seconds": {"zh": "这一步约剩 {seconds} 秒", "en": "about {seconds} s left in this step"},
    "left_minutes": {"zh": "这一步约剩 {minutes} 分钟", "en": "about {minutes} min left in this step"},
    "column_file": {"zh": "文件", "en": "File"},
    "column_outcome": {"zh": "结果", "en": "Outcome"},
    "column_pages": {"zh": "页", "en": "Pages"},
    "column_chunks": {"zh": "知识块", "en": "Chunks"},
    "interrupted": {
        "zh": "服务器在回答途中重启了，这个回答没有完成。",
        "en": "The server was restarted while it answered, so this answer is not complete.",
    },
    "ask_again": {"zh": "重新提问", "en": "Ask again"},
    "start_holds": {
        "zh": "{where}里有 {documents} 份文档",
        "en": "{documents} documents in {where}",
    },
    "start_holds_one": {"zh": "{where}里有 1 份文档", "en": "1 document in {where}"},
    "start_in": {"zh": "知识库“{name}”", "en": "“{name}”"},
    "start_in_all": {"zh": "知识库", "en": "the knowledge base"},
    "start_pages": {"zh": "，共 {pages} 页", "en": ", {pages} pages"},
    "start_last": {"zh": "最近添加：{name}（{day}）", "en": "Last added: {name} ({day})"},
    "start_question": {
        "zh": "《{title}》里“{section}”是怎么说的？",
        "en": "What does “{section}” in {title} say?",
    },
    "start_empty": {
        "zh": "{where}还是空的。把文件拖进来，就可以直接提问。",
        "en": "{where} is empty. Drop a file here and ask about it.",
    },
    "start_no_model": {
        "zh": "没有设置对话模型：答案是原文摘录，检索、引用和核对照常可用。",
        "en": "No chat model is set: answers are the source's own sentences. "
        "Search, citations and checks work as usual.",
    },
}
