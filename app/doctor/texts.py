"""What ``youju doctor`` says, in Chinese and English; ``mend_*`` tell how to get what is missing."""

from __future__ import annotations

from typing import Final

DOCTOR_TEXTS: Final[dict[str, dict[str, str]]] = {
    "home": {"zh": "数据目录：{home}", "en": "Data folder: {home}"},
    "store": {
        "zh": "知识库：{documents} 份文档，{chunks} 个知识块",
        "en": "Knowledge base: {documents} documents, {chunks} chunks",
    },
    "store_empty": {
        "zh": "知识库是空的。添加文档：python -m ingest add 文件或目录",
        "en": "The knowledge base is empty. Add documents: python -m ingest add PATH",
    },
    "problems": {
        "zh": "知识库有 {count} 个问题，第一个：{first}",
        "en": "The knowledge base has {count} problems, the first: {first}",
    },
    "mend_problems": {"zh": "修复：python -m ingest rebuild", "en": "Mend them: python -m ingest rebuild"},
    "embedder": {
        "zh": "向量模型 {name}：可用（{dimension} 维，窗口 {window} 个词元）",
        "en": "Embedding model {name}: works ({dimension} dimensions, window of {window} tokens)",
    },
    "chat_none": {
        "zh": "没有设置对话模型，答案为原文摘录。启用：从 .env.example 复制一段服务商设置（YOUJU_CHAT__PROFILE、"
        "YOUJU_CHAT__MODEL 和密钥）到 .env。",
        "en": "No chat model is set; answers are extracted verbatim. To have them written, copy one provider's "
        "block from .env.example to .env (YOUJU_CHAT__PROFILE, YOUJU_CHAT__MODEL and a key).",
    },
    "chat_no_model": {
        "zh": "设置了服务商 {profile}，但没有设置对话模型",
        "en": "The provider {profile} is set, but no chat model",
    },
    "mend_no_model": {
        "zh": "设置模型名称，例如 YOUJU_CHAT__MODEL={example}",
        "en": "Name a model, for example YOUJU_CHAT__MODEL={example}",
    },
    "key_missing": {
        "zh": "对话模型 {name}：没有 {title} 的密钥",
        "en": "Chat model {name}: there is no key for {title}",
    },
    "mend_key_missing": {
        "zh": "在 {keys_at} 申请密钥，写入 .env：{variable}=...",
        "en": "Get a key at {keys_at} and write it to .env: {variable}=...",
    },
    "chat": {
        "zh": "对话模型 {name}（{address}）：可用，{seconds} 秒后开始回答",
        "en": "Chat model {name} ({address}): works, first words after {seconds} s",
    },
    "streams": {"zh": "回答逐字到达", "en": "Answers arrive as they are written"},
    "streams_not": {
        "zh": "回答一次性到达：服务器没有逐字输出，等待会显得更久",
        "en": "Answers arrive in one piece: the server does not stream, so waiting feels longer",
    },
    "usage": {
        "zh": "用量由服务器报告（这次 {prompt} + {completion} 词元）",
        "en": "Usage is reported by the server (this time {prompt} + {completion} tokens)",
    },
    "usage_not": {
        "zh": "服务器不报告用量，显示的是按字符数的估算",
        "en": "The server reports no usage; what is shown is estimated from characters",
    },
    "window": {
        "zh": "上下文窗口：{tokens} 词元（{source}）",
        "en": "Context window: {tokens} tokens ({source})",
    },
    "window_set": {"zh": "来自设置", "en": "as set"},
    "window_server": {"zh": "服务器告知", "en": "told by the server"},
    "window_known": {"zh": "厂商公布", "en": "as its provider states"},
    "window_assumed": {"zh": "Ollama 的默认值", "en": "Ollama's default"},
    "mend_window_assumed": {
        "zh": "要读更多：用 OLLAMA_CONTEXT_LENGTH=16384 ollama serve 启动，并设置 YOUJU_CHAT__CONTEXT_TOKENS=16384",
        "en": "To read more: start it with OLLAMA_CONTEXT_LENGTH=16384 ollama serve and set "
        "YOUJU_CHAT__CONTEXT_TOKENS=16384",
    },
    "window_small": {
        "zh": "上下文窗口 {tokens} 词元太小：除去最长回答 {answer} 词元，放不下 {budget} 词元的段落，末尾的段落会被略去",
        "en": "A window of {tokens} tokens is small: beside the longest answer ({answer}) it may not hold "
        "{budget} tokens of passages; the last ones are then left out",
    },
    "mend_window_small": {
        "zh": "用更大的窗口启动服务器，或减小 YOUJU_RETRIEVAL__MAX_TOKENS 或 YOUJU_CHAT__MAX_ANSWER_TOKENS",
        "en": "Start the server with a larger window, or lower YOUJU_RETRIEVAL__MAX_TOKENS or "
        "YOUJU_CHAT__MAX_ANSWER_TOKENS",
    },
    "window_unknown": {
        "zh": "上下文窗口未知，不做限制；可设置 YOUJU_CHAT__CONTEXT_TOKENS",
        "en": "The context window is unknown and not minded; set YOUJU_CHAT__CONTEXT_TOKENS",
    },
    "price": {
        "zh": "价格：每百万词元输入 {input}、输出 {output}（{source}）",
        "en": "Price of a million tokens: {input} in, {output} out ({source})",
    },
    "price_set": {"zh": "来自设置", "en": "as set"},
    "price_listed": {
        "zh": "{as_of} 的公开价；分时段计价的按高峰价",
        "en": "list price of {as_of}; that of peak hours where there are such",
    },
    "price_local": {"zh": "价格：本机模型，不计价", "en": "Price: none, the model runs on your own machine"},
    "price_unknown": {
        "zh": "价格未知，不显示；可设置 YOUJU_CHAT__INPUT_PRICE 和 YOUJU_CHAT__OUTPUT_PRICE（每百万词元）",
        "en": "The price is unknown and not shown; set YOUJU_CHAT__INPUT_PRICE and YOUJU_CHAT__OUTPUT_PRICE "
        "(of a million tokens)",
    },
    "reranker_none": {
        "zh": "没有设置重排模型（可选：YOUJU_RETRIEVAL__RERANKER=cross-encoder，需要 pip install 'youju[local-models]'）",
        "en": "No reranker is set (optional: YOUJU_RETRIEVAL__RERANKER=cross-encoder, "
        "needs pip install 'youju[local-models]')",
    },
    "reranker": {"zh": "重排模型 {name}：可用", "en": "Reranker {name}: works"},
    "mend_local_model": {
        "zh": "检查模型名称和网络；离线时先下载模型，再把设置改为它的目录",
        "en": "Check the model's name and the network; offline, download the model first and name its folder",
    },
    "local": {
        "zh": "本地模型组件 sentence-transformers：已安装",
        "en": "Local models (sentence-transformers): installed",
    },
    "local_none": {
        "zh": "未安装本地模型组件（可选）：pip install 'youju[local-models]'",
        "en": "Local models are not installed (optional): pip install 'youju[local-models]'",
    },
    "what_chat": {"zh": "对话模型 {name}", "en": "Chat model {name}"},
    "what_embedding": {"zh": "向量模型 {name}", "en": "Embedding model {name}"},
    "fault_key": {
        "zh": "{what}（{address}）：密钥被拒绝",
        "en": "{what} ({address}): the key was refused",
    },
    "mend_key": {
        "zh": "检查 {variable} 是否完整、是否属于这个服务商、是否有权使用这个模型{keys_at}",
        "en": "Check that {variable} is whole, belongs to this provider and may use this model{keys_at}",
    },
    "keys_at": {"zh": "（密钥页面：{page}）", "en": " (keys: {page})"},
    "fault_model": {
        "zh": "{what}（{address}）：没有这个模型",
        "en": "{what} ({address}): there is no such model",
    },
    "mend_model": {
        "zh": "把 {setting} 改为它提供的模型之一：{offered}",
        "en": "Set {setting} to one that it offers: {offered}",
    },
    "mend_model_pull": {
        "zh": "下载模型：ollama pull {name}（已有：{offered}）",
        "en": "Fetch it: ollama pull {name} (it has: {offered})",
    },
    "mend_model_unlisted": {
        "zh": "服务器没有列出模型：检查 {setting}，以及地址是否正确（通常以 /v1 结尾）",
        "en": "The server lists no models: check {setting}, and that the address is right (most end in /v1)",
    },
    "fault_unreachable": {
        "zh": "{what}：连接不上 {address}",
        "en": "{what}: {address} cannot be reached",
    },
    "mend_unreachable": {
        "zh": "检查网络、代理和地址",
        "en": "Check the network, the proxy and the address",
    },
    "mend_unreachable_local": {
        "zh": "{title} 启动了吗？启动：{start}",
        "en": "Is {title} running? Start it with: {start}",
    },
    "fault_quota": {
        "zh": "{what}（{address}）：请求过多，或额度已用完",
        "en": "{what} ({address}): too many requests, or the quota is used up",
    },
    "mend_quota": {
        "zh": "在服务商的控制台查看余额和限速，充值或稍后再试",
        "en": "Look at balance and rate limits in the provider's console; top up, or try again later",
    },
    "fault_timeout": {
        "zh": "{what}（{address}）：没有在 {seconds} 秒内回答",
        "en": "{what} ({address}): no reply within {seconds} s",
    },
    "mend_timeout": {
        "zh": "增大 {setting}，或换一个更小的模型；模型可能正在加载，稍后再试",
        "en": "Raise {setting} or take a smaller model; it may still be loading, so try again",
    },
    "fault_refused": {
        "zh": "{what}（{address}）：请求被拒绝：{reason}",
        "en": "{what} ({address}): the request was refused: {reason}",
    },
    "mend_refused": {
        "zh": "按服务器的说明修改 .env 中的设置",
        "en": "Change the settings in .env as the server says",
    },
    "fault_server": {
        "zh": "{what}（{address}）：服务器出错",
        "en": "{what} ({address}): the server failed",
    },
    "mend_server": {
        "zh": "稍后再试；本机服务请查看它的日志",
        "en": "Try again later; of a server of your own, read its log",
    },
    "fault_other": {
        "zh": "{what}（{address}）：没有给出完整的回答：{reason}",
        "en": "{what} ({address}): no complete reply: {reason}",
    },
    "mend_other": {
        "zh": "检查地址是否为兼容 OpenAI 的接口；会先思考的模型请增大 YOUJU_CHAT__MAX_ANSWER_TOKENS",
        "en": "Check that the address is an OpenAI-compatible endpoint; for a model that thinks first raise "
        "YOUJU_CHAT__MAX_ANSWER_TOKENS",
    },
}
