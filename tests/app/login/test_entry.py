"""Who may come in, how fast he may try, and when a log-in has ended."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from app.asgi import Message, Receive, Send
from app.login.entry import LOCAL_STAMP, LOCAL_USER, OAUTH_STAMP, Entry, is_loopback
from app.login.gate import CALLER, Gate
from app.login.throttle import Throttle
from core.account_errors import LoginForNobodyError, LoginMissingError
from core.settings import ServingSettings, Settings

SECRET = "korrekt-Pferd-9"


def entry_of(home: Path, *names: str, providers: tuple[str, ...] = (), **server: str) -> Entry:
    settings = Settings(home=home, server=ServingSettings(**server))
    made = Entry(settings)
    for name in names:
        made.accounts.add(name, SECRET)
    return Entry(settings, providers=providers)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.3.2.1", "LOCALHOST"])
def test_this_machine_needs_no_log_in(tmp_path: Path, host: str) -> None:
    entry_of(tmp_path).require_login_for(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "example.org", "localhost.example.org", ""])
def test_other_addresses_need_one(tmp_path: Path, host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(LoginMissingError) as caught:
        entry_of(tmp_path).require_login_for(host)
    assert "youju users add" in caught.value.message("zh")
    assert "youju users add" in caught.value.message("en")
    entry_of(tmp_path, "lin").require_login_for(host)


def test_a_provider_that_may_send_nobody_is_told_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(LoginForNobodyError):
        entry_of(tmp_path, providers=("github",))
    entry_of(tmp_path, providers=("github",), oauth_users="lin").require_login_for("0.0.0.0")


def test_guests_come_by_name_or_domain_and_never_as_somebody_else(tmp_path: Path) -> None:
    entry = entry_of(
        tmp_path,
        "wang@firma.example",
        "chen",
        providers=("x",),
        oauth_users=" Lin, chen ",
        oauth_domains="@firma.example",
    )
    assert entry.admits_guest("lin")
    assert entry.admits_guest("zhao@Firma.example")
    assert entry.admits_guest("chen"), "he is named himself"
    assert not entry.admits_guest("zhao@firma.example", verified=False)
    assert not entry.admits_guest("wang@firma.example"), "that is an account"
    for stranger in ("", "firma.example", "zhao@sub.firma.example", "zhao@evilfirma.example", LOCAL_USER):
        assert not entry.admits_guest(stranger), stranger
    assert entry_of(tmp_path / "b", providers=("x",), oauth_users="*").admits_guest("anybody")
    assert not entry_of(tmp_path / "c", "lin", oauth_users="*").admits_guest("anybody"), "no provider is set"


def test_a_log_in_ends_with_the_account_its_password_or_the_way_in(tmp_path: Path) -> None:
    alone = entry_of(tmp_path)
    assert alone.still_holds(LOCAL_USER, LOCAL_STAMP)
    assert alone.viewer(LOCAL_USER) is None
    assert alone.is_admin(LOCAL_USER)
    entry = entry_of(tmp_path, "lin")
    stamp = entry.accounts.all()[0].stamp
    assert entry.still_holds("lin", stamp)
    assert (entry.viewer("lin"), entry.viewer(None)) == ("lin", "")
    assert not entry.is_admin("lin")
    assert not alone.still_holds("lin", stamp)
    for name, other in (
        (LOCAL_USER, LOCAL_STAMP),
        ("lin", ""),
        ("lin", OAUTH_STAMP),
        ("wang", stamp),
        ("", ""),
    ):
        assert not entry.still_holds(name, other), (name, other)
    entry.accounts.set_password("lin", SECRET + "2")
    assert not entry.still_holds("lin", stamp)


async def test_the_right_password_comes_in_and_nothing_tells_whether_a_name_exists(tmp_path: Path) -> None:
    entry = entry_of(tmp_path, "lin")
    found = await entry.check("Lin", SECRET, "a")
    assert found is not None
    seconds = {}
    for name in ("lin", "niemand"):
        started = time.perf_counter()
        assert await entry.check(name, "falsch-falsch", "a") is None
        seconds[name] = time.perf_counter() - started
    # Both make one hash; without that an unknown name would take a hundredth.
    assert seconds["niemand"] > seconds["lin"] / 5


def test_guessing_gets_slower_by_name_and_by_address_and_is_forgotten() -> None:
    now = [0.0]
    throttle = Throttle(lambda: now[0])
    by_name = [throttle.enter("lin", f"address{n}") for n in range(9)]
    assert by_name[:6] == [0.0] * 6
    waits = [wait for wait in by_name if wait is not None]
    assert waits == sorted(waits)
    assert waits[-1] == 1 + 2 + 4
    # Who comes after them waits no longer than the name's pause allows for.
    throttle.succeeded("lin", "address8")
    assert throttle.enter("lin", "address9") == 0.0
    by_address = [throttle.enter(f"name{n}", "one") for n in range(40)]
    assert by_address[:16] == [0.0] * 16
    assert by_address[-1] is None, "attempts do not pile up"
    assert throttle.enter("wang", "two") == 0.0
    now[0] += 3600
    assert throttle.enter("name1", "one") == 0.0


async def _through(
    entry: Entry, *, client: str = "127.0.0.1", host: bytes = b"localhost:8000", **more: Any
) -> Any:
    seen: dict[str, Any] = {}

    async def inner(scope: Message, receive: Receive, send: Send) -> None:
        seen.update(scope, caller=CALLER.get())

    async def send(message: Message) -> None:
        seen.setdefault("sent", []).append(message)

    async def receive() -> Message:
        return {}

    headers = [(b"host", host), *more.pop("headers", ())]
    gate = Gate(inner, entry, lambda cookies, bearer: ("lin", "old") if cookies or bearer else None, "yj_1")
    await gate({"type": more.pop("kind", "http"), "client": (client, 1), "headers": headers}, receive, send)
    return seen


async def test_without_a_log_in_only_this_machine_under_its_own_name_is_answered(tmp_path: Path) -> None:
    entry = entry_of(tmp_path)
    for host in (b"localhost:8000", b"127.0.0.1", b"[::1]:8000", b"[::1]"):
        assert "sent" not in await _through(entry, host=host)
    for asked in ({"client": "10.0.0.9"}, {"host": b"evil.example:8000"}, {"host": b""}):
        refused = await _through(entry, **asked)
        assert refused["sent"][0]["status"] == 403
        assert "caller" not in refused
    closed = await _through(entry, client="10.0.0.9", kind="websocket")
    assert closed["sent"] == [{"type": "websocket.close", "code": 1008}]


async def test_with_one_everybody_is_answered_but_a_log_in_that_ended_is_taken_away(tmp_path: Path) -> None:
    entry = entry_of(tmp_path, "lin")
    headers = [
        (b"cookie", b"yj_1=token; oauth_state=s; yj_1_0=part"),
        (b"authorization", b"Bearer x"),
        (b"x", b"1"),
    ]
    seen = await _through(entry, client="10.0.0.9", host=b"chat.example", headers=headers)
    assert seen["caller"] == "10.0.0.9"
    assert seen["headers"] == [(b"host", b"chat.example"), (b"cookie", b"oauth_state=s"), (b"x", b"1")]
