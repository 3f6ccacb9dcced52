"""The audit of the log: every leaf from the journal, every tile, and what others have seen."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from puntobanco_floor.audit.floor_audit import Report, audit
from puntobanco_floor.audit.log_checks import Others
from puntobanco_floor.integrity.self_test import selftest
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store.backup import copy
from puntobanco_floor.store.engines import connected
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.sqlite_file import beside
from puntobanco_floor.transparency.publication import Publication
from puntobanco_proof.tree.policies import Log, require_all
from tests.storage.test_log import TABLES, grown, play, seat, witness

LEAF_BYTES = 34


class Floor:
    """Played, logged, published, and cosigned by one witness."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "floor.db"
        self.publication = Publication(folder / "published")
        self.ann, named = witness("ann.example")
        with SqliteStore(self.path, clock=False) as store:
            store.log.open()
            for stream in TABLES:
                play(store, stream)
            seat(store, "table:1", *(f"s{n}" for n in range(300)))
            self.size = grown(store.log)
            note = store.log.sign()
            said = note.partition("\n\n")[0] + "\n"
            self.note = store.log.cosign(self.size, [self.ann.sign(said, time=1)])
            self.publication.publish(store.log, self.note)
            self.policy = require_all(map(Log, store.log.verifiers()), [named])

    @property
    def others(self) -> Others:
        return Others(self.policy, notes={"ann.example": self.note}, folder=self.publication)

    def audit(self, others: Others | None = None) -> Report:
        return audit(self.path, others=others or self.others)


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    return Floor(tmp_path)


def test_a_sound_log_is_proved_to_the_last_leaf(floor: Floor) -> None:
    report = floor.audit()
    assert report.fault is None
    assert (report.leaves, report.checkpoints, report.witnesses) == (floor.size, 1, 1)
    assert not [said for said in report.unproven if "log" in said or "witness" in said]


def test_what_cannot_be_proved_is_said(floor: Floor) -> None:
    with SqliteStore(floor.path, clock=False) as store:
        seat(store, "table:2", "zoe")
    assert "1 entries are not in the log yet" in floor.audit().unproven
    alone = floor.audit(Others())
    assert alone.fault is None
    assert any("no witness was asked" in said for said in alone.unproven)
    away = Others(floor.policy, away={"ann.example": "no answer"})
    said = floor.audit(away).unproven
    assert "witness ann.example was not asked: no answer" in said
    assert "the policy wants more witnesses; seen by: nobody" in said


def test_what_no_witness_has_seen_yet_is_said(floor: Floor) -> None:
    """In the log, signed by the house, and shown to nobody: it may still be rewritten."""
    with SqliteStore(floor.path, clock=False) as store:
        seat(store, "table:2", "zoe", "zac")
        grown(store.log)
        store.log.sign()
    report = floor.audit()
    assert report.fault is None
    assert any("the last 2 leaves of the log were not seen" in said for said in report.unproven)
    newest = Others(floor.policy, seen={"ann.example": _newest(floor)})
    assert not [said for said in floor.audit(newest).unproven if "leaves" in said]


def _newest(floor: Floor) -> str:
    with SqliteStore(floor.path, clock=False) as store:
        return store.log.checkpoint() or ""


def test_public_keys_alone_prove_the_tree_and_not_the_leaves(floor: Floor, tmp_path: Path) -> None:
    public = tmp_path / "public.json"
    public.write_text(KeyRing.load(beside(floor.path, "keys")).public_text())
    report = audit(floor.path, keys=public, others=floor.others)
    assert report.fault is None
    assert report.leaves == 0
    assert any("leaves of the log were not made anew" in said for said in report.unproven)


def unlocked(db: Connection) -> None:
    for (name,) in db.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).all():
        db.execute(text(f"DROP TRIGGER {name}"))


def _other_leaf(db: Connection) -> None:
    data = db.execute(text("SELECT data FROM log_tiles WHERE level = -1 AND n = 0")).scalar_one()
    other = data[:10] + bytes([data[10] ^ 1]) + data[11:]
    db.execute(text("UPDATE log_tiles SET data = :d WHERE level = -1 AND n = 0"), {"d": other})


def _other_tile(db: Connection) -> None:
    data = db.execute(text("SELECT data FROM log_tiles WHERE level = 0 AND n = 1")).scalar_one()
    other = bytes([data[0] ^ 1]) + data[1:]
    db.execute(text("UPDATE log_tiles SET data = :d WHERE level = 0 AND n = 1"), {"d": other})


def _no_place(db: Connection) -> None:
    db.execute(text("DELETE FROM log_places WHERE stream = 'table:2'"))


def _other_place(db: Connection) -> None:
    db.execute(text("UPDATE log_places SET first = first + 1 WHERE stream = 'table:2'"))


def _other_line(db: Connection, nth: int) -> None:
    """Another letter in the middle of that line of the checkpoint."""
    note = str(db.execute(text("SELECT note FROM checkpoints")).scalar_one())
    lines = note.split("\n")
    middle = len(lines[nth]) - 20
    other = "B" if lines[nth][middle] == "A" else "A"
    lines[nth] = lines[nth][:middle] + other + lines[nth][middle + 1 :]
    db.execute(text("UPDATE checkpoints SET note = :note"), {"note": "\n".join(lines)})


def _other_root(db: Connection) -> None:
    _other_line(db, 2)


def _other_signature(db: Connection) -> None:
    _other_line(db, 4)


def _other_cosignature(db: Connection) -> None:
    _other_line(db, 5)


def _shorter(db: Connection) -> None:
    db.execute(text("UPDATE log SET size = size - 1"))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_other_leaf, "is not the one that the log has"),
        (_other_tile, "tile 1 of level 0 is not that of the log's leaves"),
        (_no_place, "have no entry, and the journal says 0"),
        (_other_place, "is not the one that the log has|fewer leaves"),
        (_other_root, "is wrong"),
        (_other_signature, "is wrong"),
        (_other_cosignature, "is wrong"),
        (_shorter, "is not the one that the log has|fewer leaves"),
    ],
)
def test_any_change_of_the_log_is_found(
    floor: Floor, change: Callable[[Connection], None], why: str
) -> None:
    with connected(str(floor.path)) as db:
        unlocked(db)
        change(db)
    report = floor.audit()
    assert report.fault is not None
    assert re.search(why, report.fault)


def test_a_log_and_journal_written_anew_with_every_key_are_found_by_a_witness(
    tmp_path: Path,
) -> None:
    """Whoever has all keys plays another past; journal and log agree, and the witness has seen something else."""
    honest = Floor(_folder(tmp_path, "honest"))
    forged_folder = _folder(tmp_path, "forged")
    for part in ("keys", "node"):
        shutil.copy(beside(honest.path, part), beside(forged_folder / "floor.db", part))
    forged = Floor(forged_folder)
    assert forged.audit(Others()).fault is None
    found = forged.audit(Others(honest.policy, {"ann.example": honest.note}))
    assert found.fault is not None
    assert "is not the one that ann.example has" in found.fault


def _folder(where: Path, name: str) -> Path:
    folder = where / name
    folder.mkdir()
    return folder


def test_a_database_that_is_behind_what_somebody_has_seen_is_found(floor: Floor) -> None:
    copy_ = floor.path.with_name("copy.db")
    for part in ("", ".keys", ".heads", ".node"):
        shutil.copy(f"{floor.path}{part}", f"{copy_}{part}")
    with SqliteStore(floor.path, clock=False) as store:
        seat(store, "table:2", "zoe")
        size = grown(store.log)
        newer = store.log.sign()
        floor.publication.publish(store.log, newer)
    for others in (Others(notes={"a file": newer}), Others(folder=floor.publication)):
        fault = audit(copy_, others=others).fault
        assert fault is not None
        assert f"has {size}: entries are lost" in fault


def test_the_self_test_looks_at_the_edge_of_the_log(floor: Floor) -> None:
    def checked() -> dict[str, str]:
        folder = str(floor.publication.folder)
        found = selftest(str(floor.path), publication=folder)
        return {check.name: f"{check.outcome}: {check.said}" for check in found.checks}

    assert f"{floor.size} leaves, goes on" in checked()["log"]
    with connected(str(floor.path)) as db:
        unlocked(db)
        _shorter(db)
    assert checked()["log"].startswith("failed: ")


def test_a_copy_carries_the_log(floor: Floor, tmp_path: Path) -> None:
    target = tmp_path / "target.db"
    copy(str(floor.path), str(target))
    report = audit(target, others=floor.others)
    assert (report.fault, report.leaves) == (None, floor.size)
    with SqliteStore(target, clock=False) as store:
        seat(store, "table:2", "zoe")
        assert grown(store.log) == floor.size + 2, "another node is admitted there first"
