"""Attacks made from the documents alone, each played to its end against a served floor."""

import asyncio
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.refusals import REVIEWS_WAIT_HERE
from puntobanco_floor.domain.table.reviews import MAX_OPEN, MAX_OPEN_OF_GUESTS
from puntobanco_floor.store.batch import REFUSED_KEPT_MS
from tests.support.patience import PATIENCE_S, wait_until
from tests.support.served import Served, api, asked
from tests.web.raw import Line, NotUpgraded
from tests.web.test_cage_day import Crew, crew
from tests.web.test_reviews import Floor, floor, tokens

__all__ = ["crew", "floor", "tokens"]  # fixtures

LARGE_CENTS = 1_600_000


# A socket from another site, with the cookie of who plays


@pytest.mark.parametrize(
    ("origin", "is_let_in"),
    [
        ("http://{host}", True),
        ("HTTP://{host}", True),
        ("https://{host}", False),
        ("http://{host}.evil.example", False),
        ("http://evil.example", False),
        ("http://127.0.0.1", False),
        ("null", False),
        ("", False),
    ],
)
def test_a_terminals_cookie_opens_its_socket_for_its_own_page_alone(
    served: Served, origin: str, *, is_let_in: bool
) -> None:
    token = api(served, "POST", "/api/guest")[1]["token"]
    said = origin.format(host=f"127.0.0.1:{served.port}")

    async def go() -> bytes | None:
        line = await Line.open(served.port, "/ws/1", Cookie=f"puntobanco={token}", Origin=said)
        first = await asyncio.wait_for(line.hear(), PATIENCE_S)
        line.drop()
        return first

    if is_let_in:
        assert b'"welcome"' in (asyncio.run(go()) or b"")
        return
    with pytest.raises(NotUpgraded) as refused:
        asyncio.run(go())
    assert refused.value.status == 401


# Asked again after refusals are forgotten


def forget(served: Served, stream: str) -> None:
    """As if `REFUSED_KEPT_MS` had passed since every refusal."""
    with closing(sqlite3.connect(served.database, timeout=10)) as db, db:
        db.execute(
            "UPDATE answers SET refused_at = refused_at - ? WHERE stream = ?",
            (REFUSED_KEPT_MS + 1, stream),
        )


def kept(served: Served, stream: str) -> set[str]:
    with closing(sqlite3.connect(served.database, timeout=10)) as db:
        rows = db.execute("SELECT command_id FROM answers WHERE stream = ?", (stream,))
        return {id_ for (id_,) in rows}


def test_a_refused_hand_pay_is_paid_by_no_old_message(crew: Crew) -> None:
    """Every message of the cashier's and the supervisor's again, after each was forgotten."""
    served, stream = crew.served, "table:6"
    _, session, credits_cents = crew.guest()
    assert crew.cage("carl", 1, "open", cents=5_000_000)[0] == 200
    bought = crew.table("carl", "buy-in", session=session, cents=LARGE_CENTS - credits_cents)
    assert crew.table("sam", "approve", proposal=bought["proposal"])["ok"]

    def say(who: str, id_: str, command: str, **fields: Any) -> Any:
        return asked(served, crew.tokens[who], id_, command, 6, **fields)[1]

    first = say("carl", "out", "cash-out", session=session)
    number = first["proposal"]
    assert say("carl", "own", "approve", proposal=number)["code"] == "second-person-needed"
    assert say("sam", "no", "reject", proposal=number, reason="no papers")["ok"]
    assert say("sue", "late", "approve", proposal=number)["code"] == "unknown-proposal"
    for n in range(2):
        forget(served, stream)
        assert not say("dora", f"another {n}", "close-bets")["ok"]
        assert {"own", "late"}.isdisjoint(kept(served, stream))
        assert say("carl", "out", "cash-out", session=session)["seq"] == first["seq"]
        assert say("carl", "own", "approve", proposal=number)["code"] == "unknown-proposal"
        assert say("sue", "late", "approve", proposal=number)["code"] == "unknown-proposal"
    assert crew.window("sam", 1)["hand_pays"] == []
    second = say("carl", "out again", "cash-out", session=session)["proposal"]
    assert second > number
    assert say("sue", "late", "approve", proposal=number)["code"] == "unknown-proposal"
    assert say("sue", "yes", "approve", proposal=second)["ok"]
    for id_, who, command in (("out", "carl", "cash-out"), ("out again", "carl", "cash-out")):
        assert say(who, id_, command, session=session)["ok"], "the same answer"
    assert say("sue", "yes", "approve", proposal=second)["ok"]
    with closing(sqlite3.connect(served.database, timeout=10)) as db:
        rows = db.execute("SELECT account, cents FROM balances WHERE stream = ?", (stream,))
        balances = dict(rows.fetchall())
    assert balances.get(f"session:{session}", 0) == 0
    assert crew.window("sam", 1)["hand_pays"] == []
    assert audit(served.database).sound


def test_a_refused_cash_out_that_is_done_later_is_one_voucher(floor: Floor) -> None:
    served, stream = floor.served, f"table:{floor.table}"
    assert floor.does("dora", "open-bets")["ok"]
    asyncio.run(floor._wager())

    def out() -> tuple[int, Any]:
        return api(served, "POST", f"{floor.at}/cash-out", floor.guest, {"id": "out"})

    assert out()[0] == 409
    forget(served, stream)
    assert not floor.does("dora", "settle")["ok"]  # a refusal, with which older ones are forgotten
    assert "out" not in kept(served, stream)
    assert floor.does("dora", "close-bets")["ok"]
    for card in ("2h", "9s", "3d", "Tc"):
        assert floor.does("dora", "enter-card", card=card)["ok"]
    assert floor.does("dora", "settle")["ok"]
    paid = out()
    assert paid[0] == 200
    for _ in range(2):
        forget(served, stream)
        assert not floor.does("dora", "settle")["ok"]
        assert out() == paid
    assert audit(served.database).sound


# Reviews


def test_guests_who_fill_their_part_of_the_reviews_keep_the_desk_open(floor: Floor) -> None:
    """As many guests as it takes, with as many rounds each as one may ask about."""
    guests = [(floor.guest, floor.session)]

    def come() -> bool:
        status, found = api(floor.served, "POST", "/api/guest")
        if status == 201:
            assert api(floor.served, "POST", f"{floor.at}/seat", found["token"])[0] == 200
            guests.append((found["token"], found["session"]))
        return status == 201

    while len(guests) * MAX_OPEN <= MAX_OPEN_OF_GUESTS:
        wait_until(come, "another guest")
    rounds = [floor.round() for _ in range(MAX_OPEN)]
    answers = list[str]()
    for token, _ in guests:
        for number in rounds:
            status, found = floor.ask(token, number, "wager-not-taken")
            answers.append("" if status == 200 else found["reason"]["en"])
    assert answers.count("") == MAX_OPEN_OF_GUESTS
    assert {*answers[MAX_OPEN_OF_GUESTS:]} == {REVIEWS_WAIT_HERE.en}
    wanted = {"session": guests[-1][1], "round": rounds[-1], "complaint": "wager-not-taken"}
    assert floor.does("sue", "ask-review", **wanted)["ok"]
    assert len(floor.open_ones()) == MAX_OPEN_OF_GUESTS + 1
