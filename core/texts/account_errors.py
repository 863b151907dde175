"""What a user reads about accounts and log-ins, in Chinese and English."""

from __future__ import annotations

ACCOUNT_ERRORS: dict[str, dict[str, str]] = {
    "login_missing": {
        "zh": "{host} 可以从其他机器访问，而现在谁都不用登录。请先添加用户：youju users add 名字（或设置 OAuth 登录），"
        "或者只在本机监听：--host 127.0.0.1。",
        "en": "{host} can be reached from other machines, and nobody would have to log in. Add a user first: youju "
        "users add NAME (or set up OAuth), or listen on this machine alone: --host 127.0.0.1.",
    },
    "login_for_nobody": {
        "zh": "已设置 OAuth 登录（{providers}），但没有写明谁可以登录。请设置 YOUJU_SERVER__OAUTH_USERS 或 "
        "YOUJU_SERVER__OAUTH_DOMAINS。",
        "en": "OAuth is set up ({providers}), but not who may log in. Set YOUJU_SERVER__OAUTH_USERS or "
        "YOUJU_SERVER__OAUTH_DOMAINS.",
    },
    "login_ended": {"zh": "登录已失效，请重新登录。", "en": "Your log-in has ended; please log in again."},
    "account_failed": {
        "zh": "用户文件 {path} 无法读取或写入：{reason}",
        "en": "The file of users {path} cannot be read or written: {reason}",
    },
    "account_unknown": {"zh": "没有用户 {name}。", "en": "There is no user {name}."},
    "account_exists": {
        "zh": "已经有用户 {name}。要换密码：youju users passwd {name}",
        "en": "There is a user {name} already. For another password: youju users passwd {name}",
    },
    "account_name": {
        "zh": "{name!r} 不能作用户名：要 1 到 64 个字符，不含空白和控制字符，开头不是 @。",
        "en": "{name!r} is no name for a user: 1 to 64 characters, no blanks or control characters, no @ in front.",
    },
    "password_weak": {
        "zh": "密码太短：至少要 {least} 个字符。",
        "en": "The password is too short: it needs at least {least} characters.",
    },
    "passwords_differ": {"zh": "两次输入的密码不一样。", "en": "The two passwords differ."},
}
