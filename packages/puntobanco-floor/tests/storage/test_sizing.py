"""How much disk a round and a wager take, as docs/how-to/sizing.md says: the journal's own bytes, and with PUNTOBANCO_SLOW=1
whole databases; `-s` shows the figures.
"""

import os
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import cast

import psycopg
import pytest
from msgspec.structs import replace

from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.store import Store
from tests.storage.conftest import Place
from tests.storage.played import Script

SLOW = bool(os.environ.get("PUNTOBANCO_SLOW"))
ROUNDS = 180 if SLOW else 6
SEATS = 7
SHOE = 60
"""Rounds that are dealt of a shoe."""

PAGE = Path(__file__).parents[4] / "docs" / "how-to" / "sizing.md"
WITHIN = 0.15 if SLOW else 0.3
"""The page is as near as that: databases grow by pages, rounds are not alike, and a few of them less so."""


def stated(kind: str) -> tuple[float, float]:
    """Bytes a round and a wager, by the table of the page."""
    found = re.search(rf"^\| {kind} \| ([\d,]+) \| ([\d,]+) \|", PAGE.read_text("utf-8"), re.M)
    assert found, kind
    a_round, a_wager = (float(each.replace(",", "")) for each in found.groups())
    return a_round, a_wager


def opened(store: Store) -> Script:
    script = Script(cast(SqliteStore, store))  # what every store can do is all that it asks
    limits = replace(default_limits(GAMES["six-star"]), large_buy_in_cents=0)
    script.do(c.OpenTable(by="pit", game="six-star", limits=limits))
    for seat in range(SEATS):
        session = f"T{seat}"
        script.do(c.SeatSession(by=session, session=session))
        script.do(c.BuyIn(by="cage", session=session, cents=10_000_000))
    script.do(c.NewShoe(by="pit"))
    return script


def play(script: Script, rounds: int, *, first: int, wagers: int) -> None:
    """Each command in a commit of its own, as in a quiet hour."""
    for round_ in range(first, first + rounds):
        if round_ % SHOE == 0:
            script.do(c.EndShoe(by="pit"))
            script.do(c.NewShoe(by="pit"))
        script.do(c.OpenBets(by="dealer"))
        for seat in range(wagers):
            session = f"T{seat}"
            script.do(
                c.PlaceWager(
                    by=session, round=round_, session=session, bet="banker", stake_cents=1_000
                )
            )
        script.do(c.CloseBets(by="dealer"))
        script.deal()


def size_of(place: Place) -> int:
    """The database, without room that is free in it; and the node's file of heads."""
    heads = sum(path.stat().st_size for path in place.heads)
    if is_postgres(place.url):
        with psycopg.connect(place.url, autocommit=True) as connection:
            connection.execute("VACUUM FULL")
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        assert row is not None
        return int(row[0]) + heads
    with closing(sqlite3.connect(f"file:{place.url}?mode=ro", uri=True)) as connection:
        pages, free, bytes_ = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
    return int((pages - free) * bytes_) + heads


def test_a_round_and_a_wager_take_what_the_page_says(place: Place) -> None:
    kind = "PostgreSQL" if is_postgres(place.url) else "SQLite"
    if not (SLOW and place.notify):
        pytest.skip("with PUNTOBANCO_SLOW=1")
    verify(kind, opened(place.open()), lambda: size_of(place))


def test_entries_of_a_round_and_a_wager_are_what_the_page_says(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "floor.db") as store:
        store._db.execute("PRAGMA synchronous = OFF")  # how fast it is does not matter here
        asked = "SELECT sum(length(data)) FROM entries"
        verify("the journal", opened(store), lambda: store._db.execute(asked).fetchone()[0])


def verify(kind: str, script: Script, size: Callable[[], int]) -> None:
    """Rounds without wagers, and as many with some."""
    empty = size()
    play(script, ROUNDS, first=1, wagers=0)
    without = size()
    play(script, ROUNDS, first=ROUNDS + 1, wagers=SEATS)
    a_round = (without - empty) / ROUNDS
    a_wager = (size() - without - ROUNDS * a_round) / (ROUNDS * SEATS)
    print(f"\n{kind}: {a_round:,.0f} bytes a round, {a_wager:,.0f} a wager")
    assert (a_round, a_wager) == pytest.approx(stated(kind), rel=WITHIN)
