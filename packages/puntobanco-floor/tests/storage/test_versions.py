"""Two versions on one journal: what an older program does with kinds that it does not know, and what this one writes."""

from pathlib import Path
from secrets import token_hex

import msgspec
import pytest

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entry import NEWER
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.errors import NotStored
from puntobanco_floor.store.postgres import PostgresStore
from puntobanco_floor.store.schema_upgrade import migrate
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_proof.entry.format import split_entry
from tests.fixtures.kinds import frozen
from tests.fixtures.versions import VERSIONS, unpack
from tests.storage.servers import database
from tests.test_definitions import MORE, RingBell


def asked(store: PostgresStore | SqliteStore, stream: str, *commands: Command) -> None:
    for command in commands:
        answer = store.ask(Request(stream=stream, id=token_hex(8), command=command))
        assert answer.ok, answer.reason


def test_a_kind_that_an_older_node_does_not_know_stops_that_table_there_and_nothing_else(
    postgres: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """So a release that adds kinds is no rolling one; and nobody is told to set good entries aside."""
    keys = tmp_path / "keys"
    with database(postgres) as url:
        migrate(url)
        newer = PostgresStore(url, keys=keys, heads=tmp_path / "1.heads", definitions=MORE)
        older_ = PostgresStore(url, keys=keys, heads=tmp_path / "2.heads")
        try:
            for stream in ("table:1", "table:2"):
                asked(newer, stream, c.OpenTable(by="boss", game="rapid"))
                asked(older_, stream, c.SeatSession(by="a", session="a"))
            asked(newer, "table:1", RingBell(by="dora", times=1), c.Approve(by="sue", proposal=1))
            seat = Request(stream="table:1", id="b", command=c.SeatSession(by="b", session="b"))
            with pytest.raises(NotStored, match="BellRung"):
                older_.ask(seat)
            asked(older_, "table:2", c.SeatSession(by="b", session="b"))
            assert newer.ask(seat).ok, "sent again, it is taken by a node that knows"
        finally:
            newer.close()
            older_.close()
        told = [record.getMessage() for record in caplog.records if "blocked" in record.message]
        assert told
        assert all(NEWER in line for line in told)
        with PostgresStore(
            url, keys=keys, heads=tmp_path / "2.heads", definitions=MORE
        ) as upgraded:
            asked(upgraded, "table:1", c.SeatSession(by="c", session="c"))
        heads = [tmp_path / "1.heads", tmp_path / "2.heads"]
        assert audit(url, keys=keys, heads=heads, definitions=MORE).fault is None


@pytest.mark.parametrize("version", VERSIONS)
def test_the_fixture_floor_is_played_on_with_kinds_that_its_program_knows(
    tmp_path: Path, version: str
) -> None:
    """A floor of the frozen format goes on with this program, and could go back."""
    path = unpack(tmp_path, version)
    with SqliteStore(path, clock=False) as store:
        before = {name: store.stream(name).state.seq for name in store.names()}
        asked(store, "table:9", c.OpenTable(by="boss", game="rapid"), c.NewShoe(by="boss"))
        seat = c.SeatSession(by="a", session="a"), c.BuyIn(by="carl", session="a", cents=5_000)
        asked(store, "table:9", *seat, c.OpenBets(by="boss"))
        bet = c.PlaceWager(by="a", round=1, session="a", bet="banker", stake_cents=1_000)
        asked(store, "table:9", bet, c.CloseBets(by="boss"))
        while store.table("table:9").state.phase != "settled":
            deal = Request(stream="table:9", id=token_hex(8), command=c.DealCard(by="boss"))
            if not store.ask(deal).ok:
                asked(store, "table:9", c.Settle(by="boss"))
        written = [
            msgspec.json.decode(part)
            for name in store.names()
            for seq, data in store.entries(name)
            if seq > before.get(name, 0)
            for part in split_entry(data).parts[1:]
        ]
    events = [part for part in written if isinstance(part, dict)]
    assert len(events) > 10
    for event in events:
        fields = set(event) - {"event"}
        assert fields <= set(frozen()[event["event"]]), event["event"]
    assert audit(path).sound
