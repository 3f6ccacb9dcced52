"""The way out of a stopped stream, on both stores: what no node has signed is set aside and kept."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import pytest
from msgspec.structs import asdict
from sqlalchemy import Connection, Delete, Table, Update, delete, func, insert, select, update

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.cage import commands as g
from puntobanco_floor.domain.entry import write_entry
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.ledger import account_of
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import NodeKey
from puntobanco_floor.recovery.epochs import Everywhere, begin_epoch
from puntobanco_floor.recovery.quarantine import SetAside, set_aside
from puntobanco_floor.store import schema
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.engines import connected
from puntobanco_floor.store.errors import NothingFails, NotStored
from puntobanco_floor.store.store import Store
from puntobanco_proof.entry.format import Fault, generate_salts
from tests.storage.conftest import Place
from tests.storage.test_contract import Asker, entries
from tests.storage.test_epochs import PEOPLE, WINDOW, again, floor_of, opened, voucher_of

TABLE = "table:1"


@contextmanager
def tampering(place: Place) -> Iterator[Connection]:
    """Somebody who holds the database: triggers are no hindrance."""
    with connected(place.url) as connection:
        if is_postgres(place.url):
            connection.exec_driver_sql("SET session_replication_role = replica")
        else:
            for (name,) in connection.exec_driver_sql(
                "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'entries'"
            ).all():
                connection.exec_driver_sql(f"DROP TRIGGER {name}")
        yield connection


def forge(
    place: Place,
    store: Store,
    *events: e.Event,
    stream: str = TABLE,
    key: NodeKey | None = None,
) -> None:
    """An entry with all its rows, in a cashier's name; a signature only where he has a key."""
    found = store.stream(stream)
    state = found.state
    entry = next(reversed(entries(store, stream)))
    forged = type(entry)(
        stream=stream,
        epoch=state.epoch,
        seq=state.seq + 1,
        at=state.at,
        by="cara",
        command="buy-in",
        id="forged",
        rules=state.rules,
        prev=found.head,
        salt=next(generate_salts()),
        events=events,
    )
    data, hash_ = write_entry(forged)
    moved = [transfer for event in events for transfer in event.transfers()]
    with tampering(place) as db:
        db.execute(insert(schema.entries), {"stream": stream, "seq": forged.seq, "data": data})
        for n, (debit, credit, cents) in enumerate(moved):
            row = {"stream": stream, "seq": forged.seq, "n": n}
            db.execute(
                insert(schema.transfers), row | {"debit": debit, "credit": credit, "cents": cents}
            )
        own = schema.streams.c.stream == stream
        db.execute(update(schema.streams).where(own).values(seq=forged.seq, hash=hash_))
        if key is not None:
            head = key.sign(stream, state.epoch, forged.seq, hash_)
            db.execute(insert(schema.heads), asdict(head))


def bought(session: str = "ann") -> e.Event:
    return e.CreditsBought(session=session, cents=77_000_000)


def aside(place: Place, stream: str = TABLE) -> SetAside:
    return set_aside(
        place.url,
        stream,
        PEOPLE,
        "forged",
        keys=place.keys,
        heads=place.folder / "1.heads",
    )


def sound(place: Place) -> None:
    place.stores.close()
    report = audit(place.url, keys=place.keys, heads=place.heads)
    assert report.fault is None


def kept(place: Place, table: str) -> list[bytes]:
    t = schema.set_aside.c
    with connected(place.url, read_only=True) as db:
        return [bytes(data) for data in db.scalars(select(t.data).where(t.place == table))]


def test_a_forged_entry_stops_one_table_and_two_people_set_it_aside(place: Place) -> None:
    store = place.open()
    table = floor_of(store)
    other = Asker(store, "table:2", "other")
    other.open_table()
    other.seat("zoe")
    table.do(c.OpenBets(by="dealer"))
    table.do(c.PlaceWager(by="ann", round=1, session="ann", bet="tie", stake_cents=5_000))
    before = store.table(TABLE)
    forge(place, store, bought())
    with pytest.raises(NotStored, match="no node has signed"):
        store.ask(Request(stream=TABLE, id="x", command=c.CloseBets(by="dealer")))
    other.play(1, zoe="banker")

    assert aside(place) == SetAside(before.state.seq + 1, before.state.seq + 1, 0)
    other.play(2, zoe="banker")
    after = store.table(TABLE)
    assert after.state.phase == "void"
    assert after.state.epoch == 1
    assert after.balances[account_of("ann")] == 1_000_000
    assert after.state.shoe is not None
    assert not after.state.shoe.spoiled
    assert [type(event) for event in entries(store)[-1].events][:1] == [e.EntriesSetAside]
    again(store).play(2, ann="banker")  # the node that was running goes on, and so does the session
    [forged] = kept(place, "entries")
    assert b"77000000" in forged
    assert kept(place, "transfers") == [b"cage session:ann 77000000"]
    sound(place)


ROW = {"stream": TABLE, "at": 1, "place": "entries", "seq": 1, "n": 0, "who": "me"}
ENTRIES = delete(schema.entries).where(schema.entries.c.stream == TABLE)


@pytest.mark.parametrize("removes", [ENTRIES, delete(schema.set_aside)], ids=["entries", "aside"])
def test_neither_an_entry_nor_what_is_set_aside_can_be_removed(
    place: Place, removes: Delete
) -> None:
    floor_of(place.open())
    with connected(place.url) as db:
        db.execute(insert(schema.set_aside), ROW | {"data": b"other bytes"})
    with pytest.raises(Refusal, match="append-only"), connected(place.url) as db:
        db.execute(removes)


def test_a_stream_that_holds_is_left_alone(place: Place) -> None:
    floor_of(place.open())
    with pytest.raises(NothingFails):
        aside(place)
    with pytest.raises(Refusal, match="there is no stream"):
        aside(place, "table:9")
    sound(place)


def test_a_voucher_that_a_forged_entry_paid_is_open_and_one_that_it_issued_is_not(
    place: Place,
) -> None:
    store = place.open()
    table = floor_of(store)
    real = voucher_of(table, "vic")
    forge(
        place,
        store,
        e.VoucherRedeemed(session="ann", voucher=real, cents=1_000_000),
        e.VoucherIssued(session="ann", voucher="made-up", cents=5_000, expires_at=2**53),
    )
    seq = store.standing()[TABLE]
    with tampering(place) as db:
        t = schema.vouchers
        db.execute(
            update(t).where(t.c.voucher == real).values(redeemed_stream=TABLE, redeemed_seq=seq)
        )
        row = {"voucher": "made-up", "cents": 5_000, "expires_at": 2**53}
        db.execute(insert(t), row | {"issued_stream": TABLE, "issued_seq": seq})
    aside(place)
    window = again(store, WINDOW)
    window.do(g.PayVoucher(by="cara", voucher=real))
    window.do(g.PayVoucher(by="cara", voucher="made-up"), refused="voucher-refused")
    assert kept(place, "vouchers") == [b"made-up"]
    sound(place)


def test_a_head_that_was_taken_out_of_the_database_comes_back_from_the_file(place: Place) -> None:
    store = place.open()
    floor_of(store)
    seq = store.standing()[TABLE]
    with tampering(place) as db:
        if not is_postgres(place.url):
            db.exec_driver_sql("DROP TRIGGER heads_no_delete")
        t = schema.heads
        db.execute(delete(t).where(t.c.stream == TABLE, t.c.seq == seq))
    with pytest.raises(Fault, match="no node has signed"):
        store.table(TABLE)
    done = aside(place)
    assert done.last < done.first
    again(store).play(1, ann="banker")
    sound(place)


def test_where_nodes_had_signed_it_an_epoch_is_begun_first(place: Place) -> None:
    """An entry in the middle is changed: what comes after it was played, and is lost."""
    store = place.open()
    table = floor_of(store)
    table.play(1, ann="banker")
    voucher = voucher_of(table, "vic")
    seq = store.standing()[TABLE]
    again(store, WINDOW).do(g.PayVoucher(by="cara", voucher=voucher))
    place.stores.close()
    with tampering(place) as db:
        t = schema.entries
        own = t.c.stream == TABLE, t.c.seq == seq - 2
        db.execute(update(t).where(*own).values(data=b"[]"))
    with pytest.raises(Refusal, match="epoch begin"):
        aside(place)
    with opened(place, place.url, recovering=True) as store:
        begun = begin_epoch(store, PEOPLE, "changed entry")
        assert list(begun.blocked) == [TABLE]
    done = aside(place)
    assert (done.first, done.last, done.epoch) == (seq - 2, seq, 2)
    store = opened(place, place.url)
    state = store.table(TABLE).state
    assert state.epoch == 2
    assert state.shoe is not None
    assert state.shoe.spoiled
    # it was paid: not at a terminal, and not by one person
    window = Asker(store, WINDOW, "second")
    window.do(g.PayVoucher(by="cara", voucher=voucher), refused="voucher-refused")
    place.stores.close()
    report = audit(place.url, keys=place.keys, heads=[place.folder / "1.heads"])
    assert report.fault is None
    assert any("is set aside" in each for each in report.warnings)


def test_the_house_goes_on_too(place: Place) -> None:
    store = place.open()
    table = floor_of(store)
    forge(
        place,
        store,
        e.StaffAdded(person="mallory", role="administrator", verifier="y" * 40),
        stream=FLOOR,
    )
    with pytest.raises(NotStored, match="no node has signed"):
        store.ask(Request(stream=FLOOR, id="x", command=h.StopFloor(by="root", reason="so")))
    table.play(1, ann="banker")
    aside(place, FLOOR)
    assert "mallory" not in store.house().state.staff
    again(store, FLOOR).do(h.StopFloor(by="root", reason="so"))
    sound(place)


# Stopped streams that must get going again


def removed_triggers(db: Connection, url: str, table: str) -> None:
    if not is_postgres(url):
        db.exec_driver_sql(f"DROP TRIGGER IF EXISTS {table}_no_delete")
        db.exec_driver_sql(f"DROP TRIGGER IF EXISTS {table}_no_update")


def last_rows(place: Place, *tables: Table, stream: str = TABLE) -> None:
    """Somebody takes the last row of a stream out of these tables."""
    with tampering(place) as db:
        for table in tables:
            removed_triggers(db, place.url, table.name)
            own = table.c.stream == stream
            last = db.scalar(select(func.max(table.c.seq)).where(own))
            db.execute(delete(table).where(own, table.c.seq == last))


def recover(place: Place) -> Everywhere:
    with opened(place, place.url, recovering=True) as store:
        return begin_epoch(store, PEOPLE, "entries are gone")


GONE = {"the entry": (schema.entries,), "entry and head": (schema.entries, schema.heads)}


@pytest.mark.parametrize("gone", GONE.values(), ids=list(GONE))
def test_a_table_whose_last_entry_is_gone_joins_the_next_epoch(
    place: Place, gone: tuple[Table, ...]
) -> None:
    floor_of(place.open()).play(1, ann="banker")
    place.stores.close()
    last_rows(place, *gone)
    with pytest.raises(Refusal, match="epoch begin"):
        aside(place)
    done = recover(place)
    assert (done.epoch, list(done.blocked)) == (2, [TABLE])
    assert aside(place).epoch == 2
    store = opened(place, place.url)
    state = store.table(TABLE).state
    assert state.epoch == 2
    assert state.trusted.since == 2
    again(store).do(c.EndShoe(by="pit"))
    sound(place)


def test_a_house_whose_last_entry_is_gone_begins_an_epoch_itself(place: Place) -> None:
    floor_of(place.open())
    place.stores.close()
    last_rows(place, schema.entries, stream=FLOOR)
    with pytest.raises(NotStored, match="house's stream"):
        recover(place)
    assert aside(place, FLOOR).epoch == 2
    assert recover(place).done == [WINDOW, TABLE]
    assert opened(place, place.url).table(TABLE).state.epoch == 2
    sound(place)


def test_a_table_that_is_gone_altogether_can_be_opened_again(place: Place) -> None:
    floor_of(place.open())
    place.stores.close()
    with tampering(place) as db:
        for t in (schema.entries, schema.heads, schema.transfers):
            removed_triggers(db, place.url, t.name)
            db.execute(delete(t).where(t.c.stream == TABLE))
    recover(place)
    done = aside(place)
    assert (done.first, done.last) == (1, 0)
    table = Asker(opened(place, place.url), TABLE, "anew")
    table.open_table("six-star")
    table.seat("ann")
    sound(place)


def test_lost_play_of_the_epoch_of_now_needs_another(place: Place) -> None:
    """The stream's sound part is of an earlier epoch than what is lost of it."""
    store = place.open()
    floor_of(store)
    begin_epoch(store, PEOPLE, "drill", nothing_lost=True)
    began = store.standing()[TABLE]
    again(store).do(c.EndShoe(by="pit"))  # with a snapshot, so that nodes read no further back
    place.stores.close()
    with tampering(place) as db:
        t = schema.entries
        db.execute(update(t).where(t.c.stream == TABLE, t.c.seq == began).values(data=b"[]"))
    with pytest.raises(Refusal, match="epoch begin --without table:1"):
        aside(place)
    for _ in range(2):  # the second time it is done
        with opened(place, place.url, recovering=True) as store, suppress(Refusal):
            begin_epoch(store, PEOPLE, "changed entry", without=[TABLE])
    assert aside(place).epoch == 3
    assert opened(place, place.url).table(TABLE).state.epoch == 3
    sound(place)


ROWS = {
    "one more head": {"seq": 99, "hash": "0" * 64},
    "another signature": {"signature": "00" * 64},
    "another hash, earlier": {"hash": "1" * 64},
    "another epoch, earlier": {"epoch": 7},
}


@pytest.mark.parametrize("changed", ROWS.values(), ids=list(ROWS))
def test_heads_that_no_node_has_signed_are_put_right(
    place: Place, changed: dict[str, object]
) -> None:
    floor_of(place.open())
    place.stores.close()
    t, back = schema.heads, 0
    if {*changed} & {"hash", "epoch"}:
        back = 3  # no node looks there, and an audit does
    with tampering(place) as db:
        removed_triggers(db, place.url, "heads")
        signed = db.execute(select(t).where(t.c.stream == TABLE).order_by(t.c.seq.desc()))
        row = dict(signed.mappings().all()[back])
        if "seq" in changed:
            db.execute(insert(t), row | changed)
        else:
            own = t.c.stream == TABLE, t.c.seq == row["seq"]
            db.execute(update(t).where(*own).values(**changed))
    done = aside(place)
    assert done.last < done.first
    assert len(kept(place, "heads")) == 1
    with pytest.raises(NothingFails):
        aside(place)
    again(opened(place, place.url)).play(1, ann="banker")
    sound(place)


# What the tables beside the journal say


def vouchers_of(place: Place) -> None:
    table = floor_of(place.open())
    paid = voucher_of(table, "vic")
    voucher_of(table, "vera")
    elsewhere = voucher_of(table, "ben")
    table.do(c.RedeemVoucher(by="ann", session="ann", voucher=paid))
    again(table.store, WINDOW).do(g.PayVoucher(by="cara", voucher=elsewhere))
    table.do(c.EndShoe(by="pit"))  # which ends a period


V, A, X, P, B = schema.vouchers, schema.answers, schema.transfers, schema.snapshots, schema.balances
OWN = A.c.stream == TABLE, A.c.asked_by == "pit"
BESIDE: dict[str, tuple[Update | Delete, ...]] = {
    "a redemption set back": (update(V).values(redeemed_stream=None, redeemed_seq=None),),
    "a voucher's cents": (update(V).values(cents=5),),
    "vouchers gone": (delete(V),),
    "answers gone": (delete(A).where(*OWN),),
    "answers unreadable": (update(A).where(*OWN).values(answer=b"junk"),),
    "answers refuse": (
        update(A).where(*OWN).values(answer=b'{"id":"1","ok":false,"seq":1,"at":1}'),
    ),
    "transfers changed": (update(X).where(X.c.stream == TABLE).values(cents=5),),
    "transfers gone": (delete(X).where(X.c.stream == TABLE),),
    "snapshots changed": (update(P).where(P.c.stream == TABLE).values(data=b"{}"),),
    "snapshots gone": (delete(P).where(P.c.stream == TABLE),),
    "balances": (update(B).where(B.c.stream == TABLE).values(cents=7),),
}


@pytest.mark.parametrize("changes", BESIDE.values(), ids=list(BESIDE))
def test_tables_beside_the_journal_are_again_what_it_comes_to(
    place: Place, changes: Sequence[Update | Delete]
) -> None:
    vouchers_of(place)
    spoil(place, changes)
    put_right(place)


def test_they_are_so_too_where_an_entry_fails(place: Place) -> None:
    vouchers_of(place)
    forge(place, opened(place, place.url), bought())
    spoil(place, [change for changes in BESIDE.values() for change in changes])
    put_right(place)


def spoil(place: Place, changes: Sequence[Update | Delete]) -> None:
    place.stores.close()
    with tampering(place) as db:
        for change in changes:
            removed_triggers(db, place.url, change.table.description)
            db.execute(change)
    assert audit(place.url, keys=place.keys, heads=place.heads).fault


def put_right(place: Place) -> None:
    aside(place)
    with suppress(NothingFails):  # a window has paid one of the vouchers, and only it says so
        aside(place, WINDOW)
    sound(place)
    with pytest.raises(NothingFails):
        aside(place)


def test_a_voucher_that_another_stream_has_paid_is_not_open_again(place: Place) -> None:
    vouchers_of(place)
    place.stores.close()
    with tampering(place) as db:
        db.execute(delete(V))
    aside(place)
    window = Asker(opened(place, place.url), WINDOW, "second")
    window.do(g.PayVoucher(by="cara", voucher="v-ben"), refused="voucher-refused")
    window.do(g.PayVoucher(by="cara", voucher="v-vera"))
    sound(place)


# Honest play is not thrown away


def test_with_an_old_ring_nothing_is_set_aside(place: Place) -> None:
    one = place.open()
    floor_of(one)
    old = place.folder / "old.keys"
    shutil.copy(place.keys, old)
    for _ in range(2):
        one.rotate_keys()
    place.stores.close()
    two = place.open()  # another node, which is admitted under a root that the old ring has not
    again(two).play(1, ann="banker")
    place.stores.close()
    at = place.folder / "1.heads"
    with pytest.raises(Refusal, match="copy the newest ring"):
        set_aside(place.url, TABLE, PEOPLE, "as the log says", keys=old, heads=at)
    with pytest.raises(NothingFails):
        aside(place)
    sound(place)
    # where two people know that no ring has that root, the way out is open
    root, _ = KeyRing.load(place.keys).certifier
    done = set_aside(place.url, TABLE, PEOPLE, "forged", keys=old, heads=at, forged_roots=[root])
    assert done.last > done.first


def test_without_a_file_of_heads_nothing_is_set_aside(place: Place) -> None:
    store = place.open()
    floor_of(store)
    forge(place, store, bought())
    with pytest.raises(Refusal, match="no file of heads"):
        set_aside(place.url, TABLE, PEOPLE, "forged", heads=place.folder / "laptop.heads")


def test_what_another_node_has_signed_counts_where_its_admission_was_changed(place: Place) -> None:
    one = place.open()
    floor_of(one)
    seq = one.standing()[TABLE]
    place.stores.close()
    again(place.open()).play(1, ann="banker")  # another node: the next entry admits its key
    place.stores.close()
    with tampering(place) as db:
        t = schema.entries
        db.execute(update(t).where(t.c.stream == TABLE, t.c.seq == seq + 1).values(data=b"[]"))
    with pytest.raises(Refusal, match="epoch begin"):
        aside(place)
