"""The way out of a stopped stream, on both stores: what no node has signed is set aside and kept."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Connection, Delete, delete, insert, select, update

import puntobanco.events as e
from puntobanco.cage import commands as g
from puntobanco.house import commands as h
from puntobanco.journal import Fault, new_salts, write_entry
from puntobanco.ledger import account_of
from puntobanco.names import FLOOR
from puntobanco.rules.refusals import Refusal
from puntobanco.storage import schema
from puntobanco.storage.audit import audit
from puntobanco.storage.batch import Request
from puntobanco.storage.errors import NotStored
from puntobanco.storage.locate import connected, is_postgres
from puntobanco.storage.recovery import begin_epoch
from puntobanco.storage.set_aside import NothingFails, SetAside, set_aside
from puntobanco.storage.store import Store
from puntobanco.table import commands as c
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


def forge(place: Place, store: Store, *events: e.Event, stream: str = TABLE) -> None:
    """An entry with all its rows, in a cashier's name; only a signature cannot be had."""
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
        salt=next(new_salts()),
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
