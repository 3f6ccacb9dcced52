"""`epoch` and `journal set-aside` at the command line: the drills of docs/how-to/operations.md."""

import sqlite3
import time
from base64 import b32decode
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from puntobanco_floor.audit.log_checks import Others
from puntobanco_floor.cli import recovery
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.events import Role
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.passwords import STEP_S, Passwords, code_of
from puntobanco_floor.service.voucher_numbers import Vouchers
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.transparency.publication import Publication
from puntobanco_proof.tree.checkpoints import Checkpoint, sign_checkpoint
from tests.test_cli import Runner, run

__all__ = ["run"]

STAFF: dict[str, Role] = {"sue": "supervisor", "cara": "cashier"}


@pytest.fixture
def drill(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """A floor in this folder: root and sue may begin an epoch, cara may not; a backup of it."""
    monkeypatch.chdir(tmp_path)
    open_house()
    assert run("table", "add", "1", "six-star").status == 0
    assert run("backup", "--database", "floor.db", "--to", "backup").status == 0
    assert run("table", "add", "2", "rapid").status == 0
    return run


def open_house(folder: Path = Path()) -> None:
    """A house from before owners enrolled, in a folder; a file of each name has the password."""
    with open_store(str(folder / "floor.db"), clock=False) as store:
        passwords = Passwords(KeyRing.load(folder / "floor.db.keys"), PasswordHasher())
        root = passwords.verifier("words of root")
        opened = h.OpenHouse(by="init", house="Marina", administrator="root", verifier=root)
        assert store.ask(Request(stream=FLOOR, id="open", command=opened)).ok
        for name, role in STAFF.items():
            own = passwords.verifier(f"words of {name}")
            added = h.AddStaff(by="root", person=name, role=role, verifier=own)
            assert store.ask(Request(stream=FLOOR, id=name, command=added)).ok
    for name in ("root", *STAFF):
        (folder / name).write_text(f"words of {name}")


def by(first: str, second: str) -> list[str]:
    names = ["--first", first, "--second", second]
    return [*names, "--first-password-file", first, "--second-password-file", second]


def restored(drill: Runner) -> None:
    for path in Path().glob("floor.db*"):
        if not path.name.endswith((".keys", ".heads", ".node")):
            path.unlink()
    said = drill("restore", "--from", "backup", "--database", "floor.db")
    assert "next: puntobanco epoch begin" in said.out


def wrong_tries(name: str) -> int:
    with open_store("floor.db", clock=False) as store:
        return store.house().state.staff[name].wrong


def test_a_restore_an_epoch_and_what_is_confirmed_after_it(drill: Runner) -> None:
    restored(drill)
    assert "puntobanco epoch begin" in drill.refused("table", "list")
    assert "puntobanco epoch begin" in drill("selftest", "--database", "floor.db").out
    begin = ("epoch", "begin", "--reason", "disk lost")
    assert "both people" in drill.refused(*begin, *by("sue", "sue"))
    assert "is a cashier" in drill.refused(*begin, *by("sue", "cara"))
    Path("eve").write_text("no password of anybody")
    wrong = [*by("sue", "root")[:-1], "eve"]
    assert "wrong name, password" in drill.refused(*begin, *wrong)
    for empty in ("", " ", "x" * 401):
        assert "1 to 400" in drill.refused("epoch", "begin", "--reason", empty, *by("sue", "root"))
    assert "epoch 2 is begun in 2 streams" in drill(*begin, *by("sue", "root")).out
    said = drill.refused(*begin, *by("sue", "root"))
    assert "epoch 2 is begun everywhere" in said
    assert "--nothing-is-lost" in said

    assert "to be confirmed" in drill("staff", "list").out
    assert "cara is confirmed" in drill("staff", "confirm", "cara").out
    assert "to be confirmed" not in drill("staff", "list").out
    assert "already; nothing was changed" in drill.refused("staff", "confirm", "cara")
    assert wrong_tries("root") == 0, "nothing is written before the epoch"
    assert "wrong name" in drill.refused("epoch", "confirm-exclusions", *wrong)
    assert wrong_tries("root") == 1
    confirmed = drill("epoch", "confirm-exclusions", *by("sue", "root"))
    assert "0 patrons are confirmed" in confirmed.out
    said = drill.refused("epoch", "confirm-exclusions", *by("sue", "root"))
    assert "already; nothing was changed" in said
    number = Vouchers(KeyRing.load(Path("floor.db.keys")), "floor.db").numbered("x")[0].number
    vouchers = drill("epoch", "confirm-vouchers", "--doubt", number, *by("sue", "root"))
    assert "confirmed in 2 streams, 1 are doubted" in vouchers.out
    vouchers = drill("epoch", "confirm-vouchers", *by("sue", "root"))
    assert "nothing was changed" in vouchers.out
    lost = ("epoch", "restore-voucher", number, "75.00", "--reason", "on paper")
    for more in (("--days", "-3"), ("--days", "99999999"), ("--window", "0"), ("--window", "-7")):
        assert more[0] in drill.refused(*lost, *more, *by("sue", "root"))
    for amount in ("0", "999999999999999"):
        words = (*lost[:3], amount, *lost[4:])
        assert "worth more than nothing" in drill.refused(*words, *by("sue", "root"))
    assert "$75 is restored" in drill(*lost, *by("sue", "root")).out
    # the table that was opened in the lost time, under the same number
    assert drill("table", "add", "2", "rapid").status == 0
    assert drill("audit", "--database", "floor.db").status == 0


def with_factors(names: Sequence[str]) -> None:
    """They enrol with an app for one-time codes; the second line of each file is a code that is good now."""
    with open_store("floor.db", clock=False) as store:
        passwords = Passwords(KeyRing.load(Path("floor.db.keys")), PasswordHasher())
        for name in names:
            own = passwords.verifier(f"words of {name}")
            factor = passwords.factors.new()
            before = store.house().state.staff[name].verifier
            enrolled = h.EnrolStaff(
                by=name, person=name, verifier=own, before=before, factor=factor, step=1
            )
            assert store.ask(Request(stream=FLOOR, id=f"enrol {name}", command=enrolled)).ok
            secret = b32decode(passwords.factors.secret_text(name, factor))
            code = code_of(secret, int(time.time() // STEP_S)).decode()
            Path(name).write_text(f"words of {name}\n{code}\n")


def test_a_one_time_code_that_began_an_epoch_is_used_up(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sees it typed cannot use it again, at the command line or at a login; and the epoch itself is written first."""
    monkeypatch.chdir(tmp_path)
    open_house()
    with_factors(["root", "sue"])
    assert run("backup", "--database", "floor.db", "--to", "backup").status == 0
    restored(run)
    begun = run("epoch", "begin", "--reason", "disk lost", *by("sue", "root"))
    assert begun.status == 0, begun.err
    said = run.refused("epoch", "confirm-exclusions", *by("sue", "root"))
    assert "wrong name, password" in said
    with open_store("floor.db", clock=False) as store:
        kinds = [type(event) for entry in store.decoded(FLOOR) for event in entry.events]
        steps = [own.step for own in store.house().state.credentials.values()]
    assert kinds.index(e.EpochBegun) < kinds.index(e.LoginNoted)
    assert all(step > 1 for step in steps)


def test_an_entry_that_nobody_signed_is_set_aside(drill: Runner) -> None:
    with closing(sqlite3.connect("floor.db")) as db, db:
        db.execute(
            "INSERT INTO entries (stream, seq, data) SELECT stream, seq + 1, data FROM entries "
            "WHERE stream = 'table:1' ORDER BY seq DESC LIMIT 1"
        )
    assert "table:1 is blocked" in drill("table", "list").err
    words = ("journal", "set-aside", "table:1", "--reason", "forged")
    assert "is a cashier" in drill.refused(*words, *by("cara", "root"))
    Path("eve").write_text("no password of anybody")
    for tries in (1, 2, 3):
        wrong = [*by("root", "sue")[:-1], "eve"]
        assert "wrong name, password" in drill.refused(*words, *wrong)
        assert wrong_tries("sue") == tries
    assert "are set aside; it goes on" in drill(*words, *by("sue", "root")).out
    assert "nothing is set aside" in drill.refused(*words, *by("sue", "root"))
    assert drill("table", "list").err == ""
    assert drill("audit", "--database", "floor.db").status == 0
    with open_store("floor.db", clock=False) as store:
        assert store.house().state.epoch == 1


def test_a_reason_that_the_journal_would_not_take_is_refused_in_words(drill: Runner) -> None:
    exclude = ("patron", "exclude", "bob")
    for words in (exclude, ("staff", "disable", "sue")):
        assert "1 to 400" in drill.refused(*words, "--reason", "")
    for stop in ("table disable 1", "table stop 1", "floor stop"):
        cause = (*stop.split(), "--cause")
        assert "'because' is not one of" in drill.refused(*cause, "because")
        assert "in the note" in drill.refused(*cause, "another-reason")
        assert "at most 400" in drill.refused(*cause, "safety", "--note", "x" * 401)
    past = (*exclude, "--reason", "so", "--until", "1900-01-01")
    assert "1900-01-01 00:00 UTC is over" in drill.refused(*past)
    # and no patron was made for it
    assert "knows no patron" in drill.refused("patron", "find", "bob")


def test_entries_that_are_gone_begin_an_epoch_in_their_stream(drill: Runner) -> None:
    assert drill("table", "stop", "1", "--cause", "safety", "--note", "a second commit").status == 0
    with closing(sqlite3.connect("floor.db")) as db, db:
        db.execute("DROP TRIGGER entries_no_delete")
        db.execute(
            "DELETE FROM entries WHERE stream = 'table:1' AND seq = "
            "(SELECT max(seq) FROM entries WHERE stream = 'table:1')"
        )
    words = ("journal", "set-aside", "table:1", "--reason", "gone")
    assert "epoch begin --without table:1" in drill.refused(*words, *by("sue", "root"))
    begin = ("epoch", "begin", "--without", "table:1", "--reason", "gone", *by("sue", "root"))
    assert "journal set-aside" in drill(*begin).err
    assert "it goes on in epoch 2" in drill(*words, *by("sue", "root")).out
    assert drill("audit", "--database", "floor.db").status == 0


def test_no_epoch_is_begun_where_nothing_is_lost_unless_two_people_insist(drill: Runner) -> None:
    begin = ("epoch", "begin", "--reason", "the audit said so", *by("sue", "root"))
    said = drill.refused(*begin)
    assert "no entries are lost" in said
    assert "--nothing-is-lost" in said
    with open_store("floor.db", clock=False) as store:
        assert {store.stream(name).state.epoch for name in store.names()} == {1}
    insisted = drill(*begin, "--nothing-is-lost")
    assert "a new epoch: 0 rounds in play become void" in insisted.out
    assert "so do 1 of the staff" in insisted.out
    assert "epoch 2 is begun in 3 streams" in insisted.out
    assert "epoch 2 is begun everywhere" in drill.refused(*begin)


def test_no_epoch_is_begun_while_a_node_runs_unless_two_people_insist(drill: Runner) -> None:
    restored(drill)
    begin = ("epoch", "begin", "--reason", "disk lost", *by("sue", "root"))
    with open_store("floor.db", clock=False):
        assert "stop every node" in drill.refused(*begin)
        assert "epoch 2 is begun" in drill(*begin, "--nodes-are-stopped").out


def test_a_publication_folder_that_has_more_than_the_database_is_evidence(drill: Runner) -> None:
    """The file of heads is lost with the disk; a copy of the database comes back by hand."""
    with open_store("floor.db", clock=False) as store:
        store.log.open()
        store.log.grow()
        older = Path("older.db")
        with closing(sqlite3.connect("floor.db")) as source, closing(sqlite3.connect(older)) as to:
            source.backup(to)
    assert drill("table", "add", "3", "rapid").status == 0
    with open_store("floor.db", clock=False) as store:
        store.log.grow()
        Publication(Path("published")).publish(store.log, store.log.sign())
    for path in Path().glob("floor.db*"):
        if not path.name.endswith(".keys"):
            path.unlink()
    older.rename("floor.db")
    begin = ("epoch", "begin", "--reason", "disk lost", *by("sue", "root"))
    assert "no entries are lost" in drill.refused(*begin)
    begun = drill(*begin, "--publication", "published")
    assert "of its leaves have no entry now" in begun.out
    assert begun.status == 0
    audited = drill("audit", "--database", "floor.db", "--log", "published")
    assert audited.status == 0, audited.out


def test_a_witness_that_has_seen_more_than_the_database_is_evidence(
    drill: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store("floor.db", clock=False) as store:
        store.log.open()
        origin, size = store.log.origin, store.log.size()
        [signer, *_] = store.log.signers(origin)
    note = sign_checkpoint(Checkpoint(origin, size + 1, bytes(32)), signer)
    monkeypatch.setattr(recovery, "seen_by_others", lambda *_: Others(seen={"ann": note}))
    begun = drill("epoch", "begin", "--reason", "lost", "--witness", "p.txt", *by("sue", "root"))
    assert "epoch 2 is begun" in begun.out
