"""What a node, the self-test and an audit do not take from a row that nobody signed, on both stores."""

import logging
import os

import pytest
from sqlalchemy import delete, insert, update

from puntobanco.names import FLOOR
from puntobanco.signing import RetireKey
from puntobanco.storage import schema
from puntobanco.storage.audit import audit
from puntobanco.storage.batch import Request
from puntobanco.storage.errors import NotStored
from puntobanco.storage.locate import connected
from puntobanco.storage.selftest import selftest
from puntobanco.storage.store import Store
from puntobanco.table import commands as c
from tests.attacks.floor import unguarded
from tests.storage.conftest import Place
from tests.storage.test_contract import Asker
from tests.storage.test_epochs import floor_of, opened
from tests.storage.test_set_aside import TABLE, bought, forge

OTHER = "table:2"
GHOST = {"key": "k", "signature": "zz", "hash": "ab"}


def two_tables(place: Place) -> Store:
    store = place.open()
    floor_of(store)
    other = Asker(store, OTHER, "other")
    other.open_table()
    other.seat("zoe")
    return store


def fault_of(place: Place) -> str:
    place.stores.close()
    return str(audit(place.url, keys=place.keys, heads=place.heads).fault)


def chain_said(place: Place) -> str:
    """What the self-test says of the chain."""
    done = selftest(place.url, keys=place.keys, heads=place.folder / "1.heads")
    [chain] = [check for check in done.checks if check.name == "chain"]
    return f"{chain.outcome}: {chain.said}"


def test_a_table_that_vanished_is_missed_whatever_epoch_a_forged_head_names(place: Place) -> None:
    two_tables(place)
    place.stores.close()
    unguarded(place.url)
    with connected(place.url) as db:
        for name in ("entries", "heads", "streams", "transfers", "balances", "answers", "sealed"):
            table = schema.metadata.tables[name]
            db.execute(delete(table).where(table.c.stream == OTHER))
        db.execute(insert(schema.heads), GHOST | {"stream": FLOOR, "epoch": 2, "seq": 99})
    assert "failed: " in chain_said(place)
    assert fault_of(place) != "None"
    with connected(place.url) as db:  # of no stream at all
        ghost = update(schema.heads).where(schema.heads.c.seq == 99).values(stream="ghost")
        db.execute(ghost)
    assert "is in the file of heads and not in the database" in chain_said(place)
    assert "ghost: has signed heads and no entries" in fault_of(place)
    with connected(place.url) as db:
        db.execute(delete(schema.heads).where(schema.heads.c.stream == "ghost"))
    assert "is in the file of heads and not in the database" in fault_of(place)


def test_an_emptied_database_is_compared_with_the_file_of_heads(place: Place) -> None:
    two_tables(place)
    place.stores.close()
    unguarded(place.url)
    with connected(place.url) as db:
        for table in schema.metadata.tables.values():
            db.execute(delete(table))
    assert "is in the file of heads and not in the database" in chain_said(place)


def test_a_new_table_begins_in_the_epoch_of_the_verified_house(place: Place) -> None:
    store = place.open()
    floor_of(store)
    ghost = GHOST | {"stream": FLOOR, "epoch": 99, "seq": 99}
    with connected(place.url) as db:
        db.execute(insert(schema.heads), ghost)
    other = Asker(store, OTHER, "other")
    try:
        other.open_table()
    except NotStored:  # the house's stream is read anew, and fails
        unguarded(place.url)
        with connected(place.url) as db:
            db.execute(delete(schema.heads).where(schema.heads.c.seq == 99))
        other.open_table()
    assert store.table(OTHER).state.epoch == 1


def test_a_head_of_a_stream_without_entries_is_not_filed(place: Place) -> None:
    """It would be remembered as what this node has seen."""
    store = place.open()
    floor_of(store)
    with connected(place.url) as db:
        db.execute(insert(schema.heads), GHOST | {"stream": OTHER, "epoch": 99, "seq": 7})
    with pytest.raises(NotStored, match="no node has signed"):
        Asker(store, OTHER, "other").open_table()
    assert store.seen_epoch == 1
    assert b'"epoch":99' not in (place.folder / "1.heads").read_bytes()


@pytest.mark.parametrize("column", ["at", "due_at"])
def test_the_times_in_the_row_of_a_stream_are_found_and_not_believed(
    place: Place, column: str
) -> None:
    two_tables(place)
    place.stores.close()
    late = 50_000 + (1 << 45)
    with connected(place.url) as db:
        own = schema.streams.c.stream == OTHER
        db.execute(update(schema.streams).where(own).values({column: late}))
    if column == "at":
        assert "another or of another time" in chain_said(place)
    assert OTHER in fault_of(place)
    store = opened(place, place.url)
    leave = c.LeaveSeat(by="nobody", session="nobody")
    assert store.ask(Request(stream=TABLE, id="x", command=leave)).at < late


def test_half_a_line_in_the_file_of_heads_is_mended_while_the_node_runs(place: Place) -> None:
    store = place.open()
    table = floor_of(store)
    os.write(store._heads._file, b'{"epoch":1,"ha')  # as a full disk leaves it
    store._heads.is_whole = False
    table.do(c.OpenBets(by="dealer"))
    assert fault_of(place) == "None"
    assert opened(place, place.url).table(TABLE).state.phase == "betting"


def test_what_to_do_is_said_with_what_is_wrong(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    """Where entries are not to be set aside, nobody is told to."""
    store = two_tables(place)
    with caplog.at_level(logging.ERROR, "puntobanco.storage"):
        forge(place, store, bought())
        with pytest.raises(NotStored):
            store.ask(Request(stream=TABLE, id="x", command=c.OpenBets(by="dealer")))
        assert "then puntobanco journal set-aside table:1" in caplog.text
        caplog.clear()
        other = place.open()
        retire = RetireKey(by="root", key=store.node.id)
        assert other.ask(Request(stream=OTHER, id="r", command=retire)).ok
        with pytest.raises(NotStored, match=r"remove its \.node file"):
            store.ask(Request(stream=OTHER, id="y", command=c.OpenBets(by="dealer")))
        said = [
            r.getMessage() for r in caplog.records if r.getMessage().startswith(f"stream {OTHER}")
        ]
        assert said
        assert "set-aside" not in " ".join(said)
