"""Epochs: after a recovery no card is dealt twice and no voucher is paid twice, on both stores."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace

from puntobanco.base.refusal import Refusal
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.cage import commands as g
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.stream_rules import BeginEpoch
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.integrity.self_test import selftest
from puntobanco_floor.recovery.epochs import TwoPeople, begin_epoch, confirm_vouchers
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.backup import backup, restore
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.errors import NotStored
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.store import Store
from puntobanco_proof.entry.format import Fault
from tests.storage.conftest import Place
from tests.storage.test_contract import Asker, entries

WINDOW = "cage:1"
PEOPLE = TwoPeople("root", "sue")
VERIFIER = "x" * 40


def floor_of(store: Store) -> Asker:
    """A house with its staff, a cage window with a shift, and a table with a virtual shoe."""
    house = Asker(store, FLOOR, "house")
    house.do(h.OpenHouse(by="init", house="Marina", administrator="root", verifier=VERIFIER))
    house.do(h.AddStaff(by="root", person="sue", role="supervisor", verifier=VERIFIER))
    house.do(h.AddStaff(by="root", person="cara", role="cashier", verifier=VERIFIER))
    Asker(store, WINDOW, "cage").do(g.OpenShift(by="cara", float_cents=10_000_000))
    table = Asker(store)
    table.open_table("six-star")
    table.seat("ann", "ben", "vic", "vera")
    return table


def again(store: Store, stream: str = "table:1") -> Asker:
    return Asker(store, stream, "after")


class Copies:
    """Copies of a database as it is now, as a backup or a base backup would have it."""

    def __init__(self, place: Place, stack: ExitStack) -> None:
        self.place, self.stack = place, stack

    def take(self) -> str:
        """Its address; stores are closed before."""
        self.place.stores.close()
        if not is_postgres(self.place.url):
            copied = self.place.folder / "older.db"
            source, target = sqlite3.connect(self.place.url), sqlite3.connect(copied)
            with closing(source), closing(target):
                source.backup(target)
            return str(copied)
        address, question, rest = self.place.url.partition("?")
        base, _, name = address.rpartition("/")
        server = f"{base}/postgres{question}{rest}"
        with psycopg.connect(server, autocommit=True) as db:
            db.execute(f'CREATE DATABASE "{name}_older" TEMPLATE "{name}"')
        self.stack.callback(_dropped, server, f"{name}_older")
        return f"{base}/{name}_older{question}{rest}"


def _dropped(server: str, name: str) -> None:
    with psycopg.connect(server, autocommit=True) as db:
        db.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def copies(place: Place) -> Iterator[Copies]:
    with ExitStack() as stack:
        found = Copies(place, stack)
        stack.callback(place.stores.close)
        yield found


def opened(place: Place, url: str, *, recovering: bool = False) -> Store:
    """The node whose file of heads knows everything."""
    store = open_store(
        url,
        keys=place.keys,
        heads=place.folder / "1.heads",
        clock=False,
        notify=place.notify,
        recovering=recovering,
    )
    place.stores.callback(store.close)
    return store


def begun(place: Place, url: str) -> Store:
    """The older copy after two people began an epoch there, at the node that knows more."""
    with opened(place, url, recovering=True) as store:
        assert not begin_epoch(store, PEOPLE, "disk lost").blocked
    return opened(place, url)


def voucher_of(table: Asker, session: str) -> str:
    voucher = f"v-{session}"
    table.do(c.IssueVoucher(by=session, session=session, voucher=voucher))
    return voucher


def test_what_is_behind_does_not_open_before_an_epoch_is_begun(
    place: Place, copies: Copies
) -> None:
    floor_of(place.open())
    older = copies.take()
    later = again(opened(place, place.url))
    later.play(1, ann="banker")
    place.stores.close()
    store = opened(place, older)
    with pytest.raises(Fault, match="run `puntobanco epoch begin`"):
        store.table("table:1")
    with pytest.raises(NotStored, match="epoch begin"):
        store.ask(Request(stream="table:1", id="x", command=c.OpenBets(by="dealer")))
    place.stores.close()
    assert begun(place, older).table("table:1").state.epoch == 2


def test_no_card_is_dealt_twice_and_the_round_in_play_is_void(place: Place, copies: Copies) -> None:
    table = floor_of(place.open())
    table.play(1, ann="banker")
    table.do(c.OpenBets(by="dealer"))
    table.do(c.PlaceWager(by="ann", round=2, session="ann", bet="tie", stake_cents=5_000))
    before = table.store.table("table:1")
    older = copies.take()
    later = again(opened(place, place.url))
    later.do(c.CloseBets(by="dealer"))
    later.do(c.DealCard(by="dealer"))
    place.stores.close()

    table = again(begun(place, older))
    after = table.store.table("table:1")
    assert (after.state.phase, after.state.last.result) == ("void", "VOID")  # type: ignore[union-attr]
    assert after.balances["session:ann"] == before.balances["session:ann"] + 5_000
    table.do(c.OpenBets(by="dealer"), refused="shoe-must-be-changed")
    table.do(c.EndShoe(by="pit"))
    table.do(c.NewShoe(by="pit"))
    shoe = table.store.table("table:1").state.shoe
    assert shoe is not None
    assert before.state.shoe is not None
    assert shoe.commitment != before.state.shoe.commitment
    names = [type(event).__name__ for entry in entries(table.store) for event in entry.events]
    began = names.index("EpochBegun")
    assert names[began - 3 : began] == ["IrregularityDeclared", "RoundVoided", "IncidentRecorded"]
    sound(place, older)


def sound(place: Place, url: str) -> None:
    place.stores.close()
    report = audit(url, keys=place.keys, heads=[place.folder / "1.heads"])
    assert report.fault is None
    assert any("a recovery has lost" in each for each in report.warnings)
    if not is_postgres(url):
        tested = selftest(url, keys=place.keys, heads=place.folder / "1.heads", demo=True)
        assert [check.name for check in tested.checks if check.outcome == "failed"] == []


def test_no_voucher_is_paid_twice(place: Place, copies: Copies) -> None:
    table = floor_of(place.open())
    paid, kept = voucher_of(table, "vic"), voucher_of(table, "vera")
    older = copies.take()
    later = opened(place, place.url)
    again(later, WINDOW).do(g.PayVoucher(by="cara", voucher=paid))
    place.stores.close()

    store = begun(place, older)
    table, window = again(store), again(store, WINDOW)
    table.do(c.SeatSession(by="new", session="new"))
    for voucher in (paid, kept):
        table.do(c.RedeemVoucher(by="new", session="new", voucher=voucher), refused="not-confirmed")
    asked = window.do(g.PayVoucher(by="cara", voucher=kept))
    assert asked.proposal
    window.do(g.Approve(by="cara", proposal=asked.proposal), refused="second-person-needed")
    window.do(g.Approve(by="sue", proposal=asked.proposal))
    window.do(g.PayVoucher(by="cara", voucher=kept), refused="voucher-refused")
    # the two who look at the list know that this one was paid in the lost time
    assert confirm_vouchers(store, PEOPLE, (paid,)).done == [FLOOR, WINDOW, "table:1"]
    assert confirm_vouchers(store, PEOPLE, (paid,)).done == []
    table.do(c.RedeemVoucher(by="new", session="new", voucher=paid), refused="not-confirmed")
    assert window.do(g.PayVoucher(by="cara", voucher=paid)).proposal
    sound(place, older)


def test_a_stream_that_is_opened_after_a_recovery_pays_no_voucher_from_before_it(
    place: Place, copies: Copies
) -> None:
    table = floor_of(place.open())
    paid, kept = voucher_of(table, "vic"), voucher_of(table, "vera")
    older = copies.take()
    later = again(opened(place, place.url))
    later.do(c.RedeemVoucher(by="ann", session="ann", voucher=paid))
    place.stores.close()

    store = begun(place, older)
    other, window = Asker(store, "table:2", "other"), Asker(store, "cage:2", "other")
    other.open_table("six-star")
    other.seat("zoe")
    window.do(g.OpenShift(by="carl", float_cents=10_000_000))
    redeem = c.RedeemVoucher(by="zoe", session="zoe", voucher=paid)
    other.do(redeem, refused="not-confirmed")
    assert window.do(g.PayVoucher(by="carl", voucher=paid)).proposal
    confirm_vouchers(store, PEOPLE, (paid,))
    # and what is opened after that is confirmed by running it again, with what was doubted before
    last = Asker(store, "cage:3", "last")
    last.do(g.OpenShift(by="cora", float_cents=10_000_000))
    assert confirm_vouchers(store, PEOPLE, ()).done == ["cage:3"]
    assert last.do(g.PayVoucher(by="cora", voucher=paid)).proposal
    last.do(g.PayVoucher(by="cora", voucher=kept))
    other.do(redeem, refused="not-confirmed")
    assert store.stream("cage:3").state == opened(place, older).stream("cage:3").state
    sound(place, older)


def test_a_voucher_that_was_lost_is_restored_by_two_and_paid_once(
    place: Place, copies: Copies
) -> None:
    floor_of(place.open())
    older = copies.take()
    later = again(opened(place, place.url))
    lost = voucher_of(later, "vic")
    place.stores.close()
    store = begun(place, older)
    window = again(store, WINDOW)
    window.do(g.PayVoucher(by="cara", voucher=lost), refused="voucher-refused")
    restore_it = g.RestoreVoucher(
        by="root", second="sue", voucher=lost, cents=1_000_000, valid_ms=10**9, reason="on paper"
    )
    window.do(replace(restore_it, second="root"), refused="second-person-needed")
    window.do(restore_it)
    window.do(restore_it, refused="voucher-refused")
    window.do(g.PayVoucher(by="cara", voucher=lost))
    window.do(g.PayVoucher(by="cara", voucher=lost), refused="voucher-refused")
    sound(place, older)


def test_confirmed_vouchers_and_those_of_the_new_epoch_are_good(
    place: Place, copies: Copies
) -> None:
    table = floor_of(place.open())
    kept = voucher_of(table, "vic")
    older = copies.take()
    again(opened(place, place.url)).play(1, ann="banker")
    place.stores.close()
    store = begun(place, older)
    window, table = again(store, WINDOW), again(store)
    table.do(c.SeatSession(by="new", session="new"))
    window.do(g.SellVoucher(by="cara", voucher="fresh", cents=5_000, valid_ms=10**9))
    table.do(c.RedeemVoucher(by="new", session="new", voucher="fresh"))
    confirm_vouchers(store, PEOPLE, ())
    table.do(c.RedeemVoucher(by="new", session="new", voucher=kept))
    # a table that is opened now begins in the floor's epoch, so that its vouchers are good
    other = Asker(store, "table:2", "other")
    other.open_table()
    other.seat("zoe")
    made = voucher_of(other, "zoe")
    table.do(c.RedeemVoucher(by="new", session="new", voucher=made))
    assert {entry.epoch for entry in entries(store, "table:2")} == {2}
    sound(place, older)


def test_sessions_stop_and_two_people_pay_them(place: Place, copies: Copies) -> None:
    floor_of(place.open())
    older = copies.take()
    again(opened(place, place.url)).play(1, ann="banker")
    place.stores.close()
    store = begun(place, older)
    table = again(store)
    table.do(c.EndShoe(by="pit"))
    table.do(c.NewShoe(by="pit"))
    table.do(c.OpenBets(by="dealer"))
    wager = c.PlaceWager(by="ann", round=1, session="ann", bet="tie", stake_cents=5_000)
    refused: tuple[c.Command, ...] = (
        wager,
        c.BuyIn(by="cage", session="ann", cents=100),
        c.LoadCredits(by="cage", session="ann", cents=100),
        c.IssueVoucher(by="ann", session="ann", voucher="v"),
    )
    for command in refused:
        table.do(command, refused="awaits-payment")
    asked = table.do(c.CashOut(by="cara", session="ann"))
    assert asked.proposal
    table.do(c.Approve(by="cara", proposal=asked.proposal), refused="second-person-needed")
    table.do(c.Approve(by="sue", proposal=asked.proposal, window=1, shift=1))
    assert "ann" not in store.table("table:1").state.sessions
    table.seat("ann")
    table.do(wager)
    sound(place, older)


def test_staff_and_exclusions_are_confirmed(place: Place, copies: Copies) -> None:
    floor_of(place.open())
    older = copies.take()
    again(opened(place, place.url), FLOOR).do(h.StopFloor(by="root", reason="drill"))
    place.stores.close()
    store = begun(place, older)
    house = again(store, FLOOR)
    staff = store.house().state.staff
    assert {name for name, person in staff.items() if person.unconfirmed} == {"cara"}
    house.do(h.NoteLogin(by="cara", person="cara", ok=True), refused="not-confirmed")
    house.do(h.ConfirmStaff(by="cara", person="cara"), refused="second-person-needed")
    house.do(h.ConfirmStaff(by="sue", person="cara"))
    house.do(h.ConfirmStaff(by="sue", person="cara"), refused="already-there")
    house.do(h.NoteLogin(by="cara", person="cara", ok=True))
    assert store.house().state.exclusions_unconfirmed
    house.do(h.ConfirmExclusions(by="sue", second="sue"), refused="second-person-needed")
    house.do(h.ConfirmExclusions(by="sue", second="root"))
    assert not store.house().state.exclusions_unconfirmed
    sound(place, older)


def test_one_who_is_not_confirmed_confirms_nobody(place: Place) -> None:
    store = place.open()
    floor_of(store)
    house = again(store, FLOOR)
    house.do(h.AddStaff(by="root", person="adam", role="administrator", verifier=VERIFIER))
    begin_epoch(store, PEOPLE, "drill", nothing_lost=True)
    house.do(h.ConfirmStaff(by="adam", person="cara"), refused="not-confirmed")
    house.do(h.ChangeStaff(by="root", person="adam", role="supervisor"))
    assert store.house().state.staff["adam"].unconfirmed


def test_after_a_crash_in_the_middle_it_goes_on_with_the_same_number(place: Place) -> None:
    store = place.open()
    floor_of(store)
    command = BeginEpoch(by="root", second="sue", epoch=2, reason="drill")
    again(store, FLOOR).do(command)  # and the machine stopped
    done = begin_epoch(store, PEOPLE, "drill")
    assert (done.epoch, done.done) == (2, [WINDOW, "table:1"])
    with pytest.raises(Refusal, match="epoch 2 is begun everywhere"):
        begin_epoch(store, PEOPLE, "again")
    assert store.house().state.epoch == 2
    assert begin_epoch(store, PEOPLE, "another one", nothing_lost=True).epoch == 3


def test_a_second_recovery_begins_a_second_epoch(place: Place, copies: Copies) -> None:
    floor_of(place.open())
    begin_epoch(opened(place, place.url), PEOPLE, "drill", nothing_lost=True)
    older = copies.take()
    later = again(opened(place, place.url))
    later.do(c.EndShoe(by="pit"))
    place.stores.close()
    with opened(place, older, recovering=True) as store:
        assert begin_epoch(store, PEOPLE, "disk lost").epoch == 3
        with pytest.raises(Refusal, match="epoch 3 is begun everywhere"):
            begin_epoch(store, PEOPLE, "disk lost")


def test_one_person_begins_nothing(place: Place) -> None:
    store = place.open()
    floor_of(store)
    with pytest.raises(NotStored, match="both people"):
        begin_epoch(store, TwoPeople("sue", "sue"), "drill", nothing_lost=True)


def test_what_was_proposed_about_round_and_shoe_lapses_and_money_stays(place: Place) -> None:
    table = floor_of(place.open())
    table.do(c.OpenBets(by="dealer"))
    table.do(c.DeclareIrregularity(by="dealer", ground="malfunction"))
    table.do(c.Resume(by="dealer"))
    begin_epoch(table.store, PEOPLE, "drill", nothing_lost=True)
    asked = table.do(c.CashOut(by="cara", session="ann"))
    begin_epoch(table.store, PEOPLE, "drill", nothing_lost=True)
    proposals = table.store.table("table:1").state.proposals
    assert list(proposals.waiting) == [asked.proposal]
    assert [each.outcome for each in proposals.decided] == ["lapsed"]


# Restore, which is SQLite's


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A database, and a backup of it that is older than the last round."""
    path = tmp_path / "floor.db"
    with open_store(str(path)) as store:
        floor_of(store)
    backup(path, tmp_path / "backup")
    with open_store(str(path)) as store:
        again(store).play(1, ann="banker")
    return path, tmp_path / "backup"


def _gone(path: Path, *, parts: tuple[str, ...] = ()) -> None:
    for part in ("", "-wal", "-shm", *parts):
        path.with_name(path.name + part).unlink(missing_ok=True)


@pytest.mark.parametrize("lost", [(), (".heads",)], ids=["heads kept", "heads lost"])
def test_a_restored_floor_is_not_served_before_an_epoch_is_begun(
    files: tuple[Path, Path], lost: tuple[str, ...]
) -> None:
    path, kept = files
    _gone(path, parts=lost)
    restore(kept, path)
    url, heads, keys = str(path), Path(f"{path}.heads"), Path(f"{path}.keys")
    tested = {
        check.name: check for check in selftest(url, keys=keys, heads=heads, demo=True).checks
    }
    assert tested["chain"].outcome == "failed"
    assert "puntobanco epoch begin" in tested["chain"].said
    found = audit(url)
    if lost:
        assert (found.fault, len(found.warnings)) == (None, 3)
    else:
        assert "puntobanco epoch begin" in str(found.fault)
    with open_store(url) as store, pytest.raises(Fault, match="epoch begin"):
        store.house()
    with open_store(url, clock=False, recovering=True) as store:
        assert begin_epoch(store, PEOPLE, "disk lost").epoch == 2
    with open_store(url) as store:
        again(store).do(c.EndShoe(by="pit"))
    assert audit(url).fault is None
    assert selftest(url, keys=keys, heads=heads, demo=True).outcome != "failed"


def test_a_backup_from_before_the_last_epoch_gets_a_later_one(files: tuple[Path, Path]) -> None:
    path, kept = files
    with open_store(str(path)) as store:
        begin_epoch(store, PEOPLE, "drill", nothing_lost=True)
    _gone(path)
    restore(kept, path)
    with open_store(str(path), clock=False, recovering=True) as store:
        assert begin_epoch(store, PEOPLE, "disk lost").epoch == 3
    with open_store(str(path)) as store:
        assert store.house().state.epoch == 3
