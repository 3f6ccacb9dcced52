"""What a node, the self-test and an audit do not take from a row that nobody signed, on both stores."""

import logging
import os

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import delete, insert, update

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.stream_rules import CertifyKey, RetireKey
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.integrity.self_test import selftest
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import NodeKey
from puntobanco_floor.store import schema
from puntobanco_floor.store.batch import Answer, Request, write_answer
from puntobanco_floor.store.engines import connected
from puntobanco_floor.store.errors import NotStored
from puntobanco_floor.store.store import Store
from tests.attacks.floor import unguarded
from tests.storage.conftest import Place
from tests.storage.test_contract import Asker
from tests.storage.test_epochs import floor_of, opened
from tests.storage.test_set_aside import TABLE, aside, bought, forge

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


# Answers


@pytest.mark.parametrize("is_gone", [True, False])
def test_a_command_is_not_done_twice_because_its_answer_was_changed(
    place: Place, is_gone: bool
) -> None:
    """Deleted it would be done again; turned into a refusal, somebody would give it anew."""
    store = place.open()
    table = floor_of(store)
    buy = Request(stream=TABLE, id="bought", command=c.BuyIn(by="cage", session="ann", cents=500))
    done = store.ask(buy)
    assert store.ask(buy).seq == done.seq
    before = store.table(TABLE).balances["session:ann"]
    t = schema.answers.c
    with connected(place.url) as db:
        own = (t.stream == TABLE, t.command_id == "bought")
        if is_gone:
            db.execute(delete(schema.answers).where(*own))
        else:
            refused = Answer(id="bought", ok=False, seq=1, at=1, code="not-seated")
            turned = update(schema.answers).where(*own)
            db.execute(turned.values(answer=write_answer(refused)))
    for node in (store, place.open()):
        with pytest.raises(NotStored, match="its answer is lost"):
            node.ask(buy)
        assert node.table(TABLE).balances["session:ann"] == before
    table.seat("zoe")


# Root keys that were replaced


def aged(place: Place) -> None:
    """Two hours pass since the last rotation."""
    with KeyRing.changed(place.keys) as ring:
        keys = ring.keys["signing"]
        older = [replace(key, replaced_at=max(0, key.replaced_at - 7_200_000)) for key in keys]
        ring.keys = ring.keys | {"signing": tuple(older)}


def test_who_has_an_old_ring_certifies_nobody(place: Place) -> None:
    old = NodeKey(bytes([7]) * 32, KeyRing(KeyRing.load(two_tables(place).ring_path).keys))
    place.stores.close()
    node = place.open()
    for _ in range(2):
        node.rotate_keys(["signing"])
    for name in node.names():
        again = msgspec.structs.asdict(node.node.admitted(name))
        Asker(node, name, f"again {name}").do(CertifyKey(by="os", **again))
    aged(place)
    admission = old.admitted(OTHER)
    assert admission.root != node.ring.certifier[0]
    assert fault_of(place) == "None"
    assert chain_said(place).startswith("passed")
    store = place.open()
    assert store.table(OTHER).state.seq, "a node that is new takes what is certified anew"
    forge(place, store, admission, bought("zoe"), stream=OTHER, key=old)
    assert "only, which was replaced" in fault_of(place)
    assert "which was replaced" in chain_said(place)
    store = place.open()
    with pytest.raises(NotStored, match="which was replaced"):
        Asker(store, OTHER, "after").seat("max")
    Asker(store, TABLE, "after").seat("max")
    place.stores.close()
    done = aside(place, OTHER)
    assert (done.first, done.epoch) == (done.last, 0), "no node has signed what he wrote"
    Asker(place.open(), OTHER, "again").seat("max")
    assert "None" in fault_of(place)


def test_a_node_has_its_key_certified_anew_when_its_root_is_replaced(place: Place) -> None:
    store = two_tables(place)
    first = store.ring.certifier[0]
    for _ in range(2):
        store.rotate_keys(["signing"])
    table = Asker(store, OTHER, "after")
    table.seat("max")
    key = store.table(OTHER).state.keys[store.node.id]
    assert (key.root, key.since) == (store.ring.certifier[0], 1)
    assert key.root != first
    seq = store.table(OTHER).state.seq
    table.seat("mia")
    assert store.table(OTHER).state.seq == seq + 2, "once is enough"
    aged(place)
    store.close()
    other = selftest(place.url, keys=place.keys, heads=place.folder / "other.heads")
    said = " ".join(check.said for check in other.checks)
    assert "which was replaced" in said, "of streams that nobody wrote to since, at a new node"
    assert chain_said(place).startswith("passed"), "this one has seen them"
