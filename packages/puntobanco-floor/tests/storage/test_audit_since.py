"""`audit --since`: what a kept checkpoint proves is not checked again, and nothing else is left out."""

import itertools
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from puntobanco_floor.audit import floor_audit as audit_module
from puntobanco_floor.audit.floor_audit import Report, audit
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store.sqlite import SqliteStore
from tests.storage.conftest import Place
from tests.storage.played import TABLE, Script, played
from tests.storage.test_log import grown
from tests.storage.test_moves import NEW, OLD, begun, following
from tests.test_cli import Runner, run

__all__ = ["run"]


class Floor:
    """Three shoes and more; a checkpoint was kept after the second, and a voucher issued before it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "floor.db"
        played(self.path, entries=150)
        with SqliteStore(self.path, clock=False) as store:
            store.log.open()
            script = self.script(store, 10_000)
            script.do(c.IssueVoucher(by="ann", session="ann", voucher="before"))
            self.size = grown(store.log)
            self.note = store.log.sign()
            self.kept = store.standing()[TABLE]
            self.sealed = self.last_sealed()
        self.play_on(20_000)

    def script(self, store: SqliteStore, first: int) -> Script:
        script = Script(store)
        script.ids = map(str, itertools.count(first))
        return script

    def play_on(self, first: int) -> None:
        with SqliteStore(self.path, clock=False) as store:
            script = self.script(store, first)
            script.do(c.EndShoe(by="pit"))
            script.do(c.NewShoe(by="pit", decks=4))
            script.do(c.SeatSession(by="eve", session="eve"))
            script.do(c.RedeemVoucher(by="eve", session="eve", voucher="before"))
            for n in range(300):
                script.do(c.SeatSession(by=f"s{n}", session=f"s{n}"))
            grown(store.log)
            store.log.sign()

    def last_sealed(self) -> int:
        with closing(sqlite3.connect(self.path)) as db:
            return int(db.execute("SELECT max(seq) FROM snapshots").fetchone()[0])

    def audit(self, note: str = "", jobs: int = 1) -> Report:
        return audit(self.path, since=(note or self.note, "kept.txt"), jobs=jobs)

    def change(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.path)) as db, db:
            names = db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
            for (name,) in names:
                db.execute(f"DROP TRIGGER {name}")
            for statement in statements:
                assert db.execute(statement).rowcount == 1, statement


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    return Floor(tmp_path)


def test_it_starts_from_the_last_sealed_snapshot_and_lists_what_it_leaves_out(
    floor: Floor,
) -> None:
    whole, since = audit(floor.path), floor.audit()
    assert (whole.fault, since.fault) == (None, None)
    assert since.entries == whole.entries - floor.sealed
    assert f"{TABLE}: entries 1 to {floor.sealed} were not checked again" in since.unproven
    assert any("the log has only grown since" in each for each in since.unproven)
    assert 0 < since.leaves < whole.leaves
    assert not [each for each in whole.unproven if "not checked again" in each]


def test_several_processes_start_there_too(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_module, "MANY", 1)
    with SqliteStore(floor.path, clock=False) as store:
        Script(store, "table:2").do(c.OpenTable(by="pit", game="rapid"))
    assert floor.audit(jobs=2) == floor.audit()


def test_a_log_that_was_rewritten_is_a_fault(floor: Floor) -> None:
    with closing(sqlite3.connect(floor.path)) as db:
        [(level, data)] = db.execute(
            "SELECT level, data FROM log_tiles WHERE level = 0 AND n = 0"
        ).fetchall()
    assert level == 0
    other = (bytes([data[0] ^ 1]) + data[1:]).hex()
    floor.change(f"UPDATE log_tiles SET data = x'{other}' WHERE level = 0 AND n = 0")
    assert "is not the one that the checkpoint kept.txt has" in str(floor.audit().fault)


def test_a_log_that_is_shorter_is_a_fault(floor: Floor, tmp_path: Path) -> None:
    with SqliteStore(floor.path, clock=False) as store:
        Script(store, "table:2").do(c.OpenTable(by="pit", game="rapid"))
        grown(store.log)
        later = store.log.sign()
    other = tmp_path / "other"
    other.mkdir()
    for path in (floor.path, floor.path.with_name("floor.db.keys")):
        (other / path.name).write_bytes(path.read_bytes())
    floor.path = other / "floor.db"
    floor.change(f"UPDATE log SET size = {floor.size}")
    assert "entries are lost" in str(floor.audit(later).fault)


def test_a_checkpoint_that_is_not_of_this_log_is_a_fault(floor: Floor) -> None:
    head, blank, _ = floor.note.partition("\n\n")
    assert floor.audit(f"{head}{blank}").fault
    changed = floor.note.replace(f"\n{floor.size}\n", f"\n{floor.size - 1}\n")
    assert floor.audit(changed).fault


def _entry(seq: Callable[[Floor], int], table: str = "entries") -> Callable[[Floor], str]:
    def statement(floor: Floor) -> str:
        return f"UPDATE {table} SET data = '[]' WHERE stream = '{TABLE}' AND seq = {seq(floor)}"

    return statement


FORGED: dict[str, Callable[[Floor], str]] = {
    "the entry that sealed the snapshot": _entry(lambda floor: floor.sealed + 1),
    "the snapshot": _entry(lambda floor: floor.sealed, "snapshots"),
    "an entry after it that the checkpoint has": _entry(lambda floor: floor.sealed + 3),
    "an entry after the checkpoint": _entry(lambda floor: floor.kept + 3),
    "a balance": lambda _: "UPDATE balances SET cents = cents + 1 WHERE account = 'session:ben'",
    "an answer": lambda _: "DELETE FROM answers WHERE command_id = '20003'",
    "an answer of nothing": lambda _: (
        "INSERT INTO answers (stream, asked_by, command_id, body, answer, at) SELECT stream, "
        "asked_by, 'forged', body, answer, at FROM answers WHERE command_id = '20003'"
    ),
    "the worth of a voucher that was redeemed since": lambda _: (
        "UPDATE vouchers SET cents = cents + 1 WHERE voucher = 'before'"
    ),
    "a redemption": lambda _: (
        "UPDATE vouchers SET redeemed_seq = NULL, redeemed_stream = NULL WHERE voucher = 'before'"
    ),
    "a leaf after the checkpoint": lambda _: (
        "UPDATE log_tiles SET data = zeroblob(length(data)) WHERE level = 0 AND n = 1"
    ),
}


@pytest.mark.parametrize("forged", FORGED.values(), ids=list(FORGED))
def test_what_it_does_check_is_found(floor: Floor, forged: Callable[[Floor], str]) -> None:
    floor.change(forged(floor))
    assert floor.audit().fault


def test_what_it_does_not_check_again_is_only_found_by_a_full_audit(floor: Floor) -> None:
    floor.change(_entry(lambda _: 5)(floor))
    assert floor.audit().fault is None
    assert audit(floor.path).fault


def test_at_the_command_line(
    floor: Floor, run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kept.txt").write_text(floor.note)
    ran = run("audit", "--since", "kept.txt")
    assert ran.status == 0, ran.out
    assert f"not proven: {TABLE}: entries 1 to {floor.sealed} were not checked again" in ran.out
    assert "whole database" in run.refused("audit", "--since", "kept.txt", "--table", TABLE)
    Path("public.json").write_text(run("keys", "show", "--public").out)
    said = run.refused("audit", "--since", "kept.txt", "--keys", "public.json")
    assert "--since needs the key ring" in said


@pytest.mark.parametrize("kept_after", [0, 1, 2, 3])
def test_a_move_of_which_some_steps_came_before_ties_out(place: Place, kept_after: int) -> None:
    """On every kind of store; no step, the reservation, the arrival, or all came before."""
    store = place.open()
    store.log.open()
    old, new = begun(store)
    note, last = "", 0
    for step in range(4):
        if step == kept_after:
            for table in (old, new):
                table.do(c.EndShoe(by="pit"))
                table.do(c.NewShoe(by="pit"))
            grown(store.log)
            note = store.log.sign()
        if step == 0:
            last = old.do(c.ReserveMove(by="ann", session="ann", move="m1", to=NEW)).seq
        elif step == 1:
            last = following([store], OLD, last)[0].seq
        elif step == 2:
            following([store], NEW, last)
    grown(store.log)
    place.stores.close()
    report = audit(place.url, keys=place.keys, heads=place.heads, since=(note, "kept.txt"))
    assert report.fault is None
    assert sum("were not checked again" in each for each in report.unproven) == 2
