from pathlib import Path

import pytest

from core.env_example import env_example
from core.errors import SettingsError
from core.settings import load_settings

ROOT = Path(__file__).resolve().parents[2]


def test_env_example_is_what_the_settings_say() -> None:
    assert (ROOT / ".env.example").read_text("utf-8") == env_example()


@pytest.mark.parametrize(
    ("variables", "name"),
    [
        ({"YOUJU_CHUNKING__SOFT_TOKENS": "500"}, "YOUJU_CHUNKING"),
        ({"YOUJU_CHUNKING__MIN_TOKENS": "350"}, "YOUJU_CHUNKING"),
        ({"YOUJU_CHUNKING__OVERLAP_TOKENS": "300"}, "YOUJU_CHUNKING"),
        ({"YOUJU_CHUNKING__HARD_TOKENS": "1300"}, "YOUJU_CHUNKING"),
        ({"YOUJU_RETRIEVAL__PASSAGES": "0"}, "YOUJU_RETRIEVAL__PASSAGES"),
        ({"YOUJU_LANGUAGE": "fr"}, "YOUJU_LANGUAGE"),
        ({"YOUJU_CHAT__NONSENSE": "1"}, "YOUJU_CHAT__NONSENSE"),
    ],
)
def test_a_wrong_setting_is_one_clear_error(
    variables: dict[str, str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, value in variables.items():
        monkeypatch.setenv(key, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert caught.value.details["name"] == name
    assert name in caught.value.message("zh")


def test_settings_come_from_the_dotenv_file_and_the_environment_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("YOUJU_CHAT__MODEL=from-file\nOPENAI_BASE_URL=http://127.0.0.1:1/v1\n")
    assert load_settings().chat.model == "from-file"
    assert load_settings().has_chat_model
    monkeypatch.setenv("YOUJU_CHAT__MODEL", "from-environment")
    assert load_settings().chat.model == "from-environment"


def test_a_key_is_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-canary")
    settings = load_settings()
    assert "canary" not in repr(settings)
    assert "canary" not in str(settings.model_dump())
