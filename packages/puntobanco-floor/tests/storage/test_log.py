"""The contract of the transparency log, on every kind of store: what is in it, who grows it, what a crash leaves."""

import signal
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import text, update

from puntobanco.base.refusal import Refusal
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.recovery.epochs import begin_epoch
from puntobanco_floor.store import schema
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.engines import connected
from puntobanco_floor.store.errors import LogFault, NotStored
from puntobanco_floor.store.log_tables import TransparencyLog
from puntobanco_floor.store.store import Store
from puntobanco_floor.transparency.append_process import GrowingProcess
from puntobanco_floor.transparency.publication import Publication
from puntobanco_proof.entry.format import hash_entry
from puntobanco_proof.tree import log_tree, merkle
from puntobanco_proof.tree.checkpoints import open_checkpoint
from puntobanco_proof.tree.leaves import build_leaf, derive_salt
from puntobanco_proof.tree.notes import COSIGNATURE, Signer
from puntobanco_proof.tree.policies import Policy, Witness, require_all
from puntobanco_proof.tree.tiles import ENTRIES, Tile, split_bundle
from tests.storage.conftest import Place
from tests.storage.test_epochs import PEOPLE, floor_of, opened
from tests.storage.test_migrate import ROUND
from tests.storage.test_set_aside import aside, tampering
from tests.support.patience import wait_until

ORIGIN = "casino.example/floor"
TABLES = ("table:1", "table:2")


def play(store: Store, stream: str, *commands: Command, prefix: str = "") -> None:
    for n, command in enumerate(commands or ROUND):
        renamed = _renamed(command, stream)
        assert store.ask(Request(stream=stream, id=f"{prefix}{n}", command=renamed)).ok


def _renamed(command: Command, stream: str) -> Command:
    """A voucher's number is one of the floor's."""
    if hasattr(command, "voucher"):
        return msgspec.structs.replace(command, voucher=f"{stream} {command.voucher}")
    return command


def seat(store: Store, stream: str, *names: str) -> None:
    asked = [
        Request(stream=stream, id=f"seat {name}", command=c.SeatSession(by=name, session=name))
        for name in names
    ]
    answers = [store.submit(request) for request in asked]
    assert all(answer.result().ok for answer in answers)


def grown(log: TransparencyLog) -> int:
    """Until nothing waits. Of a grower that was killed the server keeps the lock until it hears of its end."""
    wait_until(lambda: not (growth := log.grow()).waiting and not growth.is_busy, "the log's end")
    note = log.sign()
    return open_checkpoint(note, log.verifiers()).checkpoint.size


def expected(store: Store, stream: str, seq: int, epoch: int = 1) -> bytes:
    """An entry's leaf, made from the journal and the ring alone."""
    [key] = store.ring.of("leaves")
    data = dict(store.entries(stream))[seq]
    return build_leaf(derive_salt(key.key, stream, seq, epoch), hash_entry(data))


def leaves(log: TransparencyLog) -> list[bytes]:
    size, found = log.size(), list[bytes]()
    for index in range(-(-size // 256)):
        tile = Tile(ENTRIES, index, min(256, size - 256 * index))
        found += split_bundle(tile, log.tile(tile))
    return found


def verify(store: Store) -> None:
    """Every entry is in the log once, where its place says, under the signed root."""
    log = store.log
    note = log.sign()
    checkpoint = open_checkpoint(note, log.verifiers()).checkpoint
    found = leaves(log)
    assert checkpoint.size == len(found) == sum(store.standing().values())
    assert merkle.compute_root([merkle.hash_leaf(each) for each in found]) == checkpoint.root
    hashes = log.hashes(checkpoint.size)
    for stream, last in store.standing().items():
        for seq in range(1, last + 1):
            place = log.place(stream, seq)
            assert place is not None
            assert found[place.index] == expected(store, stream, seq)
            assert log.salt(stream, seq, place)
            proof = log_tree.prove_inclusion(place.index, checkpoint.size, hashes)
            hashed = merkle.hash_leaf(found[place.index])
            assert log_tree.is_included(
                hashed, place.index, checkpoint.size, proof, checkpoint.root
            )
        assert log.place(stream, last + 1) is None


@pytest.fixture
def played(store: Store) -> Store:
    store.log.open(ORIGIN)
    for stream in TABLES:
        play(store, stream)
    return store


# What is in it


def test_a_log_is_made_once_and_keeps_its_name(store: Store) -> None:
    assert store.log.open() == store.log.open() == store.log.origin
    assert store.log.size() == 0
    assert store.log.checkpoint() is None
    assert store.log.signed_size() == 0
    empty = open_checkpoint(store.log.sign(), store.log.verifiers()).checkpoint
    assert (empty.size, empty.root) == (0, log_tree.EMPTY)
    with pytest.raises(LogFault, match="a log keeps its name"):
        store.log.open(ORIGIN)


def test_a_name_that_no_key_may_have_is_refused(store: Store) -> None:
    with pytest.raises(Refusal, match="not a valid key name"):
        store.log.open("casino example")


def test_every_entry_of_a_signed_commit_is_in_it_and_proved(played: Store) -> None:
    assert grown(played.log) == sum(played.standing().values())
    verify(played)
    before = played.log.checkpoint()
    assert played.log.signed_size() == played.log.size()
    assert played.log.grow().added == 0
    assert played.log.sign() == before
    seat(played, TABLES[0], "zoe")
    assert played.log.grow().added == 1
    verify(played)


def test_portions_are_bounded_and_every_stream_has_its_share(played: Store) -> None:
    first = played.log.grow(most=8)
    assert first.waiting > 0
    assert 2 <= first.added <= 8 + len(TABLES)
    assert all(played.log.place(stream, 1) for stream in TABLES)
    while played.log.grow(most=8).waiting:
        pass
    verify(played)


def test_it_grows_over_many_tiles_and_keeps_what_it_had(played: Store) -> None:
    sizes, roots = list[int](), list[bytes]()
    for n in range(3):
        seat(played, "table:3", *(f"s{n}-{i}" for i in range(150))) if n else play(
            played, "table:3", ROUND[0]
        )
        sizes.append(grown(played.log))
        with played.log.view() as view:
            roots.append(view.root(sizes[-1]))
    verify(played)
    hashes = played.log.hashes(sizes[-1])
    for size, root in zip(sizes, roots, strict=True):
        assert log_tree.compute_root(size, hashes) == root
        proof = log_tree.prove_consistency(size, sizes[-1], hashes)
        assert log_tree.is_consistent(size, root, sizes[-1], roots[-1], proof)


def test_the_database_refuses_to_shrink_or_change_it(played: Store, place: Place) -> None:
    grown(played.log)
    for said in (
        "UPDATE log SET size = size - 1",
        "UPDATE log SET origin = 'another'",
        "DELETE FROM log",
        "UPDATE log_places SET place = place + 1",
        "DELETE FROM log_places",
        "DELETE FROM log_tiles",
        "UPDATE log_tiles SET level = level + 1",
        "UPDATE checkpoints SET note = 'nothing'",
        "DELETE FROM checkpoints",
    ):
        with pytest.raises(Refusal, match=r"only grows|append-only"), connected(place.url) as db:
            db.execute(text(said))
    verify(played)


# Who grows it


def test_two_nodes_at_once_grow_one_log(place: Place) -> None:
    one, other = place.open(), place.open()
    one.log.open(ORIGIN)
    play(one, "table:1", ROUND[0])
    gate, busy = threading.Barrier(3), list[bool]()

    def grow(store: Store) -> None:
        gate.wait()
        for _ in range(25):
            busy.append(store.log.grow(most=64).is_busy)
            store.log.sign()

    threads = [threading.Thread(target=grow, args=(store,)) for store in (one, other)]
    for thread in threads:
        thread.start()
    gate.wait()
    for n in range(40):
        seat(one if n % 2 else other, "table:1", f"s{n}")
    for thread in threads:
        thread.join()
    grown(one.log)
    verify(one)
    verify(other)


def test_a_stream_that_fails_is_left_out_and_the_others_go_on(played: Store, place: Place) -> None:
    with connected(place.url) as db:
        place_of = "SELECT max(seq) FROM entries WHERE stream = 'table:1'"
        last = db.execute(text(place_of)).scalar_one()
        db.execute(
            text(
                "INSERT INTO entries SELECT stream, seq + 1, data FROM entries WHERE seq = :n AND stream = 'table:1'"
            ),
            {"n": last},
        )
        db.execute(text("UPDATE streams SET seq = seq + 1 WHERE stream = 'table:1'"))
    growth = played.log.grow()
    assert growth.added == last + played.standing()["table:2"], "what is signed is taken"
    again = played.log.grow()
    assert again.added == 0
    assert "no node has signed" in again.left_out["table:1"]
    seat(played, "table:2", "zoe")
    assert played.log.grow().added == 1


def test_what_no_node_has_signed_is_never_taken(played: Store, place: Place) -> None:
    """A head that somebody else has signed for himself."""
    with connected(place.url) as db:
        last = db.execute(text("SELECT max(seq) FROM heads WHERE stream = 'table:1'")).scalar_one()
        for table in ("entries", "heads"):
            for what in ("update",):
                if place.url.endswith(".db"):
                    db.execute(text(f"DROP TRIGGER {table}_no_{what}"))
                else:
                    db.execute(text(f"DROP TRIGGER {table}_append_only ON {table}"))
        forged = "UPDATE heads SET signature = :s WHERE stream = 'table:1' AND seq = :n"
        db.execute(text(forged), {"s": "ab" * 64, "n": last})
    growth = played.log.grow()
    assert "signature of the head is not its key's" in growth.left_out["table:1"]
    assert growth.added == played.standing()["table:2"]
    assert played.log.place("table:1", 1) is None


def test_an_entry_that_is_not_the_one_in_the_log_stops_its_stream_there(
    played: Store, place: Place
) -> None:
    grown(played.log)
    last = played.standing()["table:1"]
    seat(played, "table:1", "zoe")
    with connected(place.url) as db:
        if place.url.endswith(".db"):
            db.execute(text("DROP TRIGGER entries_no_update"))
        else:
            db.execute(text("DROP TRIGGER entries_append_only ON entries"))
        db.execute(
            text(
                "UPDATE entries SET data = (SELECT data FROM entries WHERE stream = 'table:2' AND "
                "seq = 5) WHERE stream = 'table:1' AND seq = :n"
            ),
            {"n": last},
        )
    fresh = place.open().log
    assert "table:1" in fresh.grow().left_out


# Epochs


@pytest.mark.parametrize("is_watched", [True, False])
def test_after_entries_were_set_aside_the_log_goes_on_in_the_new_epoch(
    place: Place, *, is_watched: bool
) -> None:
    """Signed entries, which the log has: they stay in it, and their numbers are used again."""
    store = place.open()
    table = floor_of(store)
    store.log.open(ORIGIN)
    table.play(1, ann="banker")
    size = grown(store.log)
    last = store.standing()["table:1"]
    place.stores.close()
    kept = store.log
    with tampering(place) as db:
        own = schema.entries.c.stream == "table:1", schema.entries.c.seq == last - 2
        db.execute(update(schema.entries).where(*own).values(data=b"[]"))
    with opened(place, place.url, recovering=True) as recovering:
        assert list(begin_epoch(recovering, PEOPLE, "changed entry").blocked) == ["table:1"]
    assert aside(place).epoch == 2
    again = opened(place, place.url)
    seat(again, "table:1", *(f"late {n}" for n in range(6)))
    log = kept if is_watched else again.log  # one knows where the stream stood
    while (growth := log.grow()).waiting:
        pass
    assert not growth.left_out
    logged = log.place("table:1", last)
    assert logged is not None
    assert logged.epoch == 2
    assert logged.index >= size
    before = log.place("table:1", last - 3)
    assert before is not None
    assert before.epoch == 1
    assert before.index < size
    kept.close()
    place.stores.close()
    report = audit(place.url, keys=place.keys, heads=[place.folder / "1.heads"])
    assert report.fault is None
    assert any("1 leaves of the log are of entries that were gone" in x for x in report.unproven)


# Keys


def test_leaves_name_their_key_and_checkpoints_have_the_signatures_of_the_last_two(
    played: Store,
) -> None:
    first = grown(played.log)
    [old] = played.log.verifiers()
    played.rotate_keys(["log", "leaves"])
    seat(played, "table:1", "zoe")
    grown(played.log)
    new, kept = played.log.verifiers()
    assert kept == old != new
    note = played.log.checkpoint()
    assert note is not None
    for verifier in (old, new):
        assert open_checkpoint(note, [verifier]).checkpoint.size == first + 1
    last = played.log.place("table:1", played.standing()["table:1"])
    before = played.log.place("table:1", 1)
    assert last is not None
    assert before is not None
    assert [before.key, last.key] == [key.id for key in played.ring.of("leaves")]


# Witnesses


def witness(name: str) -> tuple[Signer, Witness]:
    signer = Signer(name, COSIGNATURE, name.encode().ljust(32, b"\0"))
    return signer, Witness(name, signer.verifier)


def test_the_newest_that_enough_witnesses_have_cosigned_is_found(played: Store) -> None:
    ann, ann_named = witness("ann.example")
    ben, ben_named = witness("ben.example")
    policy = require_all([], [ann_named, ben_named])
    size = grown(played.log)
    note = played.log.checkpoint()
    assert note is not None
    said = open_checkpoint(note, played.log.verifiers()).checkpoint.text
    assert played.log.witnessed(policy) is None
    played.log.cosign(size, [ann.sign(said, time=1)])
    assert played.log.witnessed(policy) is None
    both = played.log.cosign(size, [ann.sign(said, time=2), ben.sign(said, time=2)])
    assert played.log.witnessed(policy) == both
    assert both.startswith(note)
    assert both.count("ann.example") == 1, "what is there stays as it is"
    seat(played, "table:1", "zoe")
    grown(played.log)
    assert played.log.witnessed(policy) == both != played.log.checkpoint()
    assert played.log.witnessed(Policy()) is None


# Crashes: wherever it ends, the next grower leads to the same log

POINTS = ("taken", "written", "committed", "signed")


class Gone(BaseException):
    """The process, at that point."""


@pytest.mark.parametrize("at", POINTS[:2])
def test_a_fault_at_any_step_leaves_a_log_that_goes_on(
    played: Store, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    def fails(point: str) -> None:
        if point == at:
            raise Gone

    log = played.log
    monkeypatch.setattr(log, "_point", fails)
    with pytest.raises(Gone):
        log.grow()
    assert log.size() == 0
    monkeypatch.undo()
    grown(log)
    verify(played)


KILLED = """
import os, signal, sys
from pathlib import Path
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.recovery.epochs import begin_epoch
from puntobanco_floor.store.errors import NotStored
from puntobanco_floor.store.log_tables import TransparencyLog
from puntobanco_floor.transparency.append_process import GrowingProcess

url, keys, at = sys.argv[1:]
ring = KeyRing.load(Path(keys))

def point(name):
    if name == at:
        os.kill(os.getpid(), signal.SIGKILL)

log = TransparencyLog(url, ring, Trust.of(ring.roots()), point=point)
log.grow()
point("committed")
log.sign()
point("signed")
"""


@pytest.mark.parametrize("at", POINTS)
def test_killed_at_any_step_it_goes_on_to_the_same_log(
    played: Store, place: Place, at: str
) -> None:
    words = [sys.executable, "-c", KILLED, place.url, str(place.keys), at]
    done = subprocess.run(words, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    is_committed = at in POINTS[2:]
    assert (played.log.size() > 0) == is_committed
    assert (played.log.checkpoint() is not None) == (at == "signed")
    grown(played.log)
    verify(played)


# A process of its own


def test_a_process_of_its_own_grows_the_same_log_and_another_is_started_when_it_dies(
    played: Store, place: Place
) -> None:
    publication = Publication(place.folder / "published")
    process = GrowingProcess(played.log, place.keys, publication)

    def added() -> int:
        growth, note = process.grow()
        assert note == played.log.checkpoint() == publication.note()
        return growth.added

    try:
        assert added() == sum(played.standing().values())
        assert process._process is not None
        process._process.kill()
        process._process.wait()
        with pytest.raises(NotStored):
            process.grow()
        seat(played, TABLES[0], "zoe")
        assert added() == 1
        seat(played, TABLES[0], "yan")
        assert played.log.grow().added == 1
        seat(played, TABLES[0], "xia")
        assert added() == 1
        (place.folder / "published" / "checkpoint").write_text("nothing")
        with pytest.raises(LogFault, match="is no checkpoint"):
            process.grow()
    finally:
        process.close()
    verify(played)


# Sizes, as the page of the log states them


@pytest.mark.parametrize(("leaves", "stated"), [(10**6, "66 MB"), (10**8, "6.6 GB")])
def test_the_page_states_what_a_log_takes(leaves: int, stated: str) -> None:
    page = (Path(__file__).parents[4] / "docs/reference/log.md").read_text("utf-8")
    [row] = [line for line in page.splitlines() if line.startswith(f"| {leaves:,} |")]
    size, files, in_level = 34 * leaves, -(-leaves // 256), leaves
    while in_level:
        size += 32 * in_level
        files += -(-in_level // 256)
        in_level //= 256
    unit = 1e9 if "GB" in stated else 1e6
    assert row.split(" | ")[1] == stated
    assert float(stated.split(maxsplit=1)[0]) == pytest.approx(size / unit, rel=0.01)
    hashes = max(
        len(log_tree.prove_inclusion(i, leaves, lambda _, __: b"")) for i in (0, leaves - 1)
    )
    assert row == f"| {leaves:,} | {stated} | {files:,} | {hashes}, {32 * hashes} bytes |"
