"""The log: one line an event, and no secret in it however it got there."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from puntobanco.base import server_log
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.tickets import Ticket, Tickets, new_code, new_key
from puntobanco_floor.service.voucher_numbers import number_from, shown

RING = KeyRing.fresh()
NUMBER = number_from(RING.mac("vouchers", "1"))
SECRETS = {
    "bearer": ("Authorization: Bearer abc.def", "abc.def"),
    "address": ("postgresql://floor:hush-hush@db:5432/floor", "hush-hush"),
    "address with a question": ("postgresql://db/floor?user=x&password=hush-hush", "hush-hush"),
    "voucher": (f"voucher {NUMBER} failed", NUMBER),
    "voucher as shown": (f"voucher {shown(NUMBER)} failed", shown(NUMBER)),
    "code": (f"code {(code := new_code())} was tried", code),
    "key": (f"key {(key := 'aB3' + new_key())}", key),
    "ticket": (
        ticket := Tickets(RING, lambda: HouseState(stream="floor")).token(Ticket("T1:ab12", "p-7")),
        ticket,
    ),
}


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    root, ours = logging.getLogger(), logging.getLogger("puntobanco")
    before = root.handlers[:], root.level, ours.level
    yield
    root.handlers[:], root.level = before[0], before[1]
    ours.setLevel(before[2])


def logged(kind: str, level: str = "info") -> tuple[logging.Logger, io.StringIO]:
    out = io.StringIO()
    server_log.configure(kind, level, out)
    return logging.getLogger("puntobanco.test"), out


@pytest.mark.parametrize("kind", ["text", "json"])
@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_hidden_in_messages_fields_and_tracebacks(kind: str, name: str) -> None:
    text, secret = SECRETS[name]
    log, out = logged(kind)
    log.info(text)
    log.info("%s", text)
    log.info("x", extra={"fields": {"y": text}})
    try:
        raise ValueError(text)
    except ValueError:
        log.exception("it failed")
    assert secret not in out.getvalue()
    assert out.getvalue().count(server_log.HIDDEN) >= 4


def test_what_is_no_secret_stays() -> None:
    for text in (
        "table:1 entry 12: is missing",
        "ab" * 32,
        "1763205842000",
        "2026-11-15T11:00:00.000Z",
        "g0123456789abcdef",
    ):
        assert server_log.without_secrets(text) == text


def test_json_is_one_object_a_line() -> None:
    log, out = logged("json")
    token = server_log.REQUEST.set("r1")
    log.warning("two\nlines", extra={"fields": {"n": 1}})
    server_log.REQUEST.reset(token)
    log.info("plain")
    first, second = (json.loads(line) for line in out.getvalue().splitlines())
    assert (
        first["level"],
        first["logger"],
        first["message"],
        first["request"],
        first["fields"],
    ) == (
        "warning",
        "puntobanco.test",
        "two\nlines",
        "r1",
        {"n": 1},
    )
    assert set(second) == {"time", "level", "logger", "message"}


def test_text_is_one_line_and_the_level_holds() -> None:
    log, out = logged("text", "warning")
    log.info("no")
    log.warning("two\nlines", extra={"fields": {"n": 1}})
    logging.getLogger("somebody.else").info("no")
    [line] = out.getvalue().splitlines()
    assert line.endswith("WARNING puntobanco.test: two lines n=1")
