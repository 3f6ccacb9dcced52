"""Answers of refused commands are kept as long as a terminal may send them again, and no longer; what was done is kept."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from puntobanco.base.words import Words
from puntobanco.rules.games import GAMES
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.store.batch import (
    REFUSED_KEPT_MS,
    Answer,
    Request,
    read_answer,
    write_answer,
)
from puntobanco_floor.store.engines import connected
from puntobanco_floor.store.sqlite import SqliteStore
from tests.storage.conftest import Place
from tests.storage.test_time import Machine

TABLE = "table:1"
START: list[Command] = [
    c.OpenTable(by="boss", game="rapid"),
    c.SeatSession(by="ann", session="ann"),
    c.BuyIn(by="cage", session="ann", cents=100_000),
    c.NewShoe(by="dealer", dealing="physical"),
]
CASH_OUT = c.IssueVoucher(by="ann", session="ann", voucher="v1")


def wager(n: int = 1) -> c.PlaceWager:
    return c.PlaceWager(by="ann", round=n, session="ann", bet="tie", stake_cents=1_000)


class Table:
    def __init__(self, path: Path, machine: Machine) -> None:
        self.path, self.machine = path, machine
        self.store = SqliteStore(path, time=machine.time(), clock=False)
        for n, command in enumerate(START):
            assert self.ask(command, f"start-{n}").ok

    def ask(self, command: Command, id_: str) -> Answer:
        return self.store.ask(Request(stream=TABLE, id=id_, command=command))

    def kept(self) -> set[str]:
        with closing(sqlite3.connect(self.path)) as db:
            rows = db.execute("SELECT command_id FROM answers WHERE stream = ?", (TABLE,))
            return {id_ for (id_,) in rows}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "floor.db", Machine())


def test_refusals_are_kept_for_a_time_and_what_was_done_for_good(table: Table) -> None:
    done = table.kept()
    with table.store:
        for n in range(50):
            assert not table.ask(wager(n + 1), f"early-{n}").ok
        assert len(table.kept()) == len(done) + 50
        table.machine.wait(REFUSED_KEPT_MS)
        assert not table.ask(wager(), "at the limit").ok
        assert len(table.kept()) == len(done) + 51
        table.machine.wait(1)
        assert not table.ask(wager(), "one past").ok
        assert table.kept() == {*done, "at the limit", "one past"}
    assert audit(table.path).sound


def test_a_refusal_that_is_asked_again_in_time_is_the_same(table: Table) -> None:
    with table.store:
        first = table.ask(wager(), "w")
        assert table.ask(c.OpenBets(by="dealer"), "open").ok
        table.machine.wait(REFUSED_KEPT_MS)
        assert table.ask(wager(), "w") == first


def test_a_repeated_cash_out_never_pays_twice(table: Table) -> None:
    """Refused, forgotten, asked again and done; then asked again however late, and with new credits."""
    with table.store:
        assert table.ask(c.OpenBets(by="dealer"), "open").ok
        assert table.ask(wager(), "w").ok
        assert not table.ask(CASH_OUT, "out").ok
        assert table.ask(c.WithdrawWager(by="ann", round=1, session="ann", bet="tie"), "back").ok
        assert not table.ask(CASH_OUT, "out").ok  # the same answer
        table.machine.wait(REFUSED_KEPT_MS + 1)
        assert not table.ask(wager(7), "another").ok
        paid = table.ask(CASH_OUT, "out")
        assert paid.ok
        for id_ in ("seat", "late"):
            table.machine.wait(100 * REFUSED_KEPT_MS)
            assert not table.ask(wager(9), f"refused {id_}").ok
            again = table.ask(CASH_OUT, "out")
            assert (again.ok, again.seq) == (True, paid.seq)
            if id_ == "seat":
                table.ask(c.SeatSession(by="ann", session="ann"), "seat")
                table.ask(c.BuyIn(by="cage", session="ann", cents=5_000), "more")
        issued = [x for x in table.store.decoded(TABLE) if x.command == CASH_OUT.name()]
        assert len(issued) == 1
        assert table.store.table(TABLE).balances.get("session:ann") == 5_000
    assert audit(table.path).sound


def test_a_hand_pay_that_was_turned_down_is_not_asked_for_again_by_an_old_message(
    table: Table,
) -> None:
    """What a message has asked for once it never asks for again, however late it comes; and a decision that was
    refused is refused again, since it is decided as things are then.
    """
    out = c.CashOut(by="carl", session="ann")
    turned_down = c.Reject(by="sam", proposal=1, reason="no papers")
    late = c.Approve(by="sue", proposal=1)
    with table.store:
        limits = replace(default_limits(GAMES["rapid"]), hand_pay_cents=1)
        assert table.ask(c.ChangeLimits(by="boss", limits=limits), "limits").ok
        first = table.ask(out, "out")
        assert (first.ok, first.proposal) == (True, 1)
        assert not table.ask(c.Approve(by="carl", proposal=1), "own").ok
        assert table.ask(turned_down, "no").ok
        assert not table.ask(late, "late").ok
        for n in range(3):
            table.machine.wait(REFUSED_KEPT_MS + 1)
            assert not table.ask(wager(n + 1), f"refused {n}").ok, "older refusals are forgotten"
            assert {"own", "late"}.isdisjoint(table.kept())
            again = table.ask(out, "out")
            assert (again.seq, again.proposal) == (first.seq, 1), "the same answer, nothing new"
            for id_, command in (("own", c.Approve(by="carl", proposal=1)), ("late", late)):
                assert table.ask(command, id_).code == "unknown-proposal"
        stream = table.store.table(TABLE)
        assert not stream.state.proposals.waiting
        assert stream.balances.get("held", 0) == 0
        assert stream.balances["session:ann"] == 100_000
    assert audit(table.path).sound


def test_every_store_forgets_refusals(place: Place) -> None:
    store = place.open()
    for n, command in enumerate(START):
        assert store.ask(Request(stream=TABLE, id=f"start-{n}", command=command)).ok
    assert not store.ask(Request(stream=TABLE, id="old", command=wager())).ok
    with connected(place.url) as connection:
        connection.execute(text("UPDATE answers SET refused_at = 1 WHERE command_id = 'old'"))
    assert not store.ask(Request(stream=TABLE, id="new", command=wager())).ok
    with connected(place.url, read_only=True) as connection:
        rows = connection.execute(
            text("SELECT command_id, refused_at IS NULL FROM answers WHERE stream = 'table:1'")
        )
        kept = {str(id_): bool(is_done) for id_, is_done in rows}
    assert kept == {**{f"start-{n}": True for n in range(len(START))}, "new": False}


def test_what_was_done_is_kept_as_the_number_of_its_entry(table: Table) -> None:
    """And nothing else: all that an answer says besides is in the entry, or by default."""
    with table.store:
        table.ask(c.OpenBets(by="dealer"), "open")
        answer = table.ask(wager(), "wager")
        refused = table.ask(wager(), "again")
    with closing(sqlite3.connect(table.path)) as db:
        rows = dict(db.execute("SELECT command_id, answer FROM answers WHERE stream = ?", (TABLE,)))
    named = f'"id":"wager","ok":true,"seq":{answer.seq}'
    assert rows["wager"] == f'{{"at":{answer.at},{named}}}'.encode()
    assert read_answer(rows["wager"]) == replace(answer, head=None)
    assert read_answer(rows["again"]) == refused


def test_a_refusal_is_kept_with_a_field_for_each_language() -> None:
    """As every release keeps it: a node reads the answers of the one before."""
    reason = Words("the round is void", "該局作廢")
    answer = Answer(id="a", ok=False, seq=3, at=5, code="void", reason=reason, clause="4.1")
    kept = (
        '{"at":5,"clause":"4.1","code":"void","head":null,"id":"a","ok":false,"proposal":0,'
        '"reason":"the round is void","reason_zh":"該局作廢","seq":3}'
    )
    assert write_answer(answer) == kept.encode()
    assert read_answer(kept.encode()) == answer
