"""The text of ``.env.example``, made from settings and profiles so that they cannot differ."""

from __future__ import annotations

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

from core.chat.profiles import PROFILES, Profile
from core.settings import Settings

_HEAD = """\
# Youju settings. Copy this file to .env and remove the # of what you change; every line shows its default.
# Made from core/settings.py and core/chat/profiles.py by: python -m core.env_example > .env.example

# A chat model: remove the # of one block (without one, answers are extracted verbatim). youju doctor then says
# whether it works. Its window and price, where Youju cannot know them, are set under "chat" below.
"""


def env_example() -> str:
    """The whole file: a block for each provider, then one commented line a setting, with its description."""
    blocks = "".join(_block(profile) for profile in PROFILES.values())
    return _HEAD + blocks + "".join(_lines(Settings, "YOUJU_"))


def _block(profile: Profile) -> str:
    how = f"key from {profile.keys_at}" if profile.needs_key else f"start it with: {profile.start}"
    lines = [f"# {profile.title}: {how}"]
    if profile.notes:
        lines.append(f"# ({profile.notes})")
    lines += [f"#YOUJU_CHAT__PROFILE={profile.name}", f"#YOUJU_CHAT__MODEL={profile.model}"]
    if profile.needs_key:
        lines.append(f"#{profile.key_variable}=sk-...")
    return "\n" + "\n".join(lines) + "\n"


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
