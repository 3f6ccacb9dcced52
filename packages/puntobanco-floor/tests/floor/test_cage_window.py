"""What a cage window lists of very many sessions, and what it says of a voucher that has expired."""

from pathlib import Path

from immutables import Map

from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.machine import TrustedVouchers
from puntobanco_floor.domain.proposals import Proposal, Proposals
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import Seat, TableState
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.cage_windows import (
    FROM_BEFORE,
    MAX_ROWS,
    Windows,
    credits_of,
    hand_pays,
    session_rows,
)
from puntobanco_floor.service.voucher_numbers import Vouchers
from puntobanco_floor.store.batch import Request, Stream
from puntobanco_floor.store.sqlite import SqliteStore
from tests.support.english import english


def table(number: int, sessions: int) -> Stream[TableState]:
    seats = Map({f"T-{n:04}:00": Seat(patron="p", since=n, in_cents=100) for n in range(sessions)})
    name = f"table:{number}"
    stream = Stream(name, OURS.table, TableState(stream=name, sessions=seats))
    stream.balances |= {f"session:T-{n:04}:00": 150 for n in range(sessions)}
    return stream


def test_the_first_sessions_are_listed_by_table_and_terminal() -> None:
    for sessions, listed in (
        (MAX_ROWS - 1, MAX_ROWS),
        (MAX_ROWS, MAX_ROWS),
        (MAX_ROWS + 1, MAX_ROWS),
    ):
        streams = {"table:10": table(10, 1), "table:2": table(2, sessions)}
        rows = session_rows(streams, lambda name, _: name == "table:2")
        assert len(rows) == listed
        assert (rows[0].table, rows[0].terminal, rows[0].net_cents, rows[0].connected) == (
            "table:2",
            "T-0000",
            50,
            True,
        )
        assert (rows[-1].table == "table:10") == (sessions < MAX_ROWS)
        assert sum(map(credits_of, streams.values())) == 150 * (sessions + 1)


def test_only_proposals_of_money_come_to_the_cage() -> None:
    stream = table(1, 1)
    cash: dict[str, object] = {"command": "cash-out", "session": "T-0000:00", "cents": 150}
    load: dict[str, object] = {"command": "load-credits", "session": "a", "cents": 7}
    void: dict[str, object] = {"command": "void-round"}
    waiting = Map(
        {
            1: Proposal("dora", 1, "round", void),
            2: Proposal("carl", 2, "money", cash, "T-0000:00", 150),
            3: Proposal("carl", 3, "money", load),
        }
    )
    stream.state = TableState(stream="table:1", proposals=Proposals(3, waiting))
    found = [
        (one.proposal, one.command, one.terminal, one.cents)
        for one in hand_pays({"table:1": stream})
    ]
    assert found == [(2, "cash-out", "T-0000", 150), (3, "load-credits", "", 7)]


def test_a_voucher_that_expired_says_so_and_needs_a_second_person(tmp_path: Path) -> None:
    database = str(tmp_path / "floor.db")
    ring = KeyRing.fresh()
    vouchers = Vouchers(ring, database)
    [(number, id_)] = vouchers.numbered("a")
    with SqliteStore(tmp_path / "floor.db") as store:
        commands: list[Command] = [
            c.OpenTable(by="pit", game="rapid"),
            c.SeatSession(by="ann", session="ann"),
            c.BuyIn(by="cage", session="ann", cents=500),
            c.IssueVoucher(by="ann", session="ann", voucher=id_, valid_ms=1_000),
        ]
        answers = [
            store.ask(Request(stream="table:1", id=str(n), command=x))
            for n, x in enumerate(commands)
        ]
    assert all(answer.ok for answer in answers), answers
    cage = Windows(store, ring, vouchers, database, valid_ms=1_000)
    at = answers[-1].at
    before = cage.look_up(number, at + 999, TrustedVouchers())
    after = cage.look_up(number, at + 1_000, TrustedVouchers())
    assert (before.state, before.cents, english(before.second), before.issued_by) == (
        "valid",
        500,
        "",
        "a guest",
    )
    doubtful = cage.look_up(number, at + 999, TrustedVouchers(since=2))
    assert (doubtful.state, doubtful.second) == ("valid", FROM_BEFORE)
    assert (after.state, english(after.second), after.expires_at) == (
        "expired",
        "it has expired",
        at + 1_000,
    )
