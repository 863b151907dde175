"""The text of ``.env.example``, made from the settings so that the two cannot differ."""

from __future__ import annotations

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

from core.settings import Settings

_HEAD = """\
# Youju settings. Copy this file to .env and remove the # of what you change; every line shows its default.
# Made from core/settings.py by: python -m core.env_example > .env.example

# Chat models that are known to work (set these three lines; without them answers are extracted verbatim):
#   OpenAI     OPENAI_API_KEY=sk-...   YOUJU_CHAT__MODEL=gpt-4o-mini
#   DeepSeek   OPENAI_API_KEY=sk-...   OPENAI_BASE_URL=https://api.deepseek.com/v1   YOUJU_CHAT__MODEL=deepseek-chat
#   Qwen       OPENAI_API_KEY=sk-...   OPENAI_BASE_URL=https://dashscope.aliyuncs.com/compatible-mode/v1   YOUJU_CHAT__MODEL=qwen-plus
#   Ollama     OPENAI_BASE_URL=http://localhost:11434/v1   YOUJU_CHAT__MODEL=qwen3:8b
#   vLLM       OPENAI_BASE_URL=http://localhost:8001/v1    YOUJU_CHAT__MODEL=<served model>
#   llama.cpp  OPENAI_BASE_URL=http://localhost:8080/v1    YOUJU_CHAT__MODEL=local
"""


def env_example() -> str:
    """The whole file, one commented line a setting, with its description."""
    return _HEAD + "".join(_lines(Settings, "YOUJU_"))


def _lines(model: type[BaseModel], prefix: str) -> list[str]:
    lines: list[str] = []
    for name, field in model.model_fields.items():
        group = field.annotation
        if isinstance(group, type) and issubclass(group, BaseModel) and not issubclass(group, BaseSettings):
            summary = (group.__doc__ or "").strip()
            lines.append(f"\n# -- {name}: {summary}\n")
            lines.extend(_lines(group, f"{prefix}{name.upper()}__"))
        else:
            lines.append(_line(name, field, prefix))
    return lines


def _line(name: str, field: FieldInfo, prefix: str) -> str:
    variable = field.validation_alias if isinstance(field.validation_alias, str) else prefix + name.upper()
    default = "" if field.default is None else field.default
    return f"\n# {field.description}\n#{variable}={default}\n"


if __name__ == "__main__":
    import sys

    sys.stdout.write(env_example())
