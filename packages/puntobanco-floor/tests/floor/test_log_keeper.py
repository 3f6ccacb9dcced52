"""The keeper of the log: its pace, what it publishes, what it shows to witnesses, and when a node does not open."""

import asyncio
import logging
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.recovery.log_recovery import go_on
from puntobanco_floor.settings import Settings
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.engines import connected
from puntobanco_floor.store.errors import LogFault
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.transparency.keeper import LogKeeper
from puntobanco_floor.transparency.publication import Publication
from puntobanco_floor.transparency.refusals import Unwitnessed
from puntobanco_proof.entry.format import hash_entry
from puntobanco_proof.tree.checkpoints import open_checkpoint, read_checkpoint_note
from puntobanco_proof.tree.leaves import build_leaf
from puntobanco_proof.tree.policies import Log, require_all
from puntobanco_proof.tree.proofs import verify_proof
from puntobanco_proof.tree.tiles import ENTRIES, Tile, format_path, split_bundle
from tests.floor.witnesses import TestWitness
from tests.support.patience import PATIENCE_S, wait_until

TABLE = "table:1"


class Node:
    """A store with a keeper, on a floor of its own."""

    def __init__(self, folder: Path, *witnesses: TestWitness) -> None:
        self.path = folder / "floor.db"
        self.folder = folder / "published"
        self.witnesses = {each.witness.name: each for each in witnesses}
        policy = folder / "policy"
        policy.write_text(require_all([], [each.witness for each in witnesses]).text)
        self.settings = Settings(witness_policy=str(policy) if witnesses else "")
        self.store = SqliteStore(self.path, clock=False)
        self.keeper = self.new_keeper()

    def new_keeper(self) -> LogKeeper:
        publication = Publication(self.folder)
        return LogKeeper(
            self.store.log,
            publication,
            self.settings,
            lambda w: self.witnesses[w.name],
            keys=self.store.ring_path,
        )

    def play(self, *names: str) -> None:
        if not self.store.names():
            opened = c.OpenTable(by="boss", game="rapid")
            assert self.store.ask(Request(stream=TABLE, id="open", command=opened)).ok
        for name in names:
            seat = c.SeatSession(by=name, session=name)
            assert self.store.ask(Request(stream=TABLE, id=name, command=seat)).ok

    def watched(self) -> None:
        self.store.watchers.append(self.keeper.saw)


@pytest.fixture
def ann() -> TestWitness:
    return TestWitness("ann.example")


@pytest.fixture
def ben() -> TestWitness:
    return TestWitness("ben.example")


@pytest.fixture
def node(tmp_path: Path, ann: TestWitness, ben: TestWitness) -> Iterator[Node]:
    found = Node(tmp_path, ann, ben)
    found.play("a", "b")
    yield found
    found.keeper.stop()
    found.store.close()


def published(node: Node) -> int:
    found = Publication(node.folder).checkpoint()
    return found.size if found else 0


# Growing, publishing, witnesses


def test_what_is_committed_is_logged_published_and_cosigned(
    node: Node, ann: TestWitness, ben: TestWitness
) -> None:
    node.keeper.open()
    node.keeper.start()
    entries = node.store.standing()[TABLE]
    wait_until(lambda: ann.seen.size == ben.seen.size == entries)
    wait_until(lambda: node.keeper.status.is_witnessed)
    wait_until(lambda: (Publication(node.folder).note() or "").count("\N{EM DASH}") == 3)
    note = Publication(node.folder).note()
    assert note is not None
    opened = open_checkpoint(note, node.store.log.verifiers(), node.keeper.policy.verifiers)
    assert set(opened.times) == {"ann.example", "ben.example"}
    assert node.keeper.all_answered == {"ann.example", "ben.example"}
    status = node.keeper.status
    assert (status.size, status.witnessed, status.behind) == (entries, entries, 0)
    assert status.as_alerts() == []


def test_the_folder_holds_what_the_checkpoint_names(node: Node) -> None:
    node.keeper.open()
    node.play(*(f"s{n}" for n in range(300)))
    node.keeper.step()
    node.play("one more")
    node.keeper.step()
    folder = Publication(node.folder)
    size = published(node)
    assert size == node.store.standing()[TABLE]
    found = list[bytes]()
    for index in range(-(-size // 256)):
        tile = Tile(ENTRIES, index, min(256, size - 256 * index))
        found += split_bundle(tile, folder.tile(tile))
    assert len(found) == size
    assert not (node.folder / "tile/0/000.p").exists(), "a full tile begins with its parts"
    for level in (0, 1):
        tile = Tile(level, 0, min(256, size >> 8 * level))
        assert folder.tile(tile) == node.store.log.tile(tile)


def test_what_was_not_published_or_signed_is_published_by_the_next_step(node: Node) -> None:
    """A crash between two steps."""
    node.store.log.open()
    node.store.log.grow()
    keeper = node.new_keeper()
    keeper.open()
    keeper.step()
    entries = node.store.standing()[TABLE]
    assert published(node) == entries
    node.play("c")
    node.store.log.grow()
    node.store.log.sign()
    again = node.new_keeper()
    again.open()
    again.step()
    assert published(node) == entries + 1


def test_it_grows_at_once_when_a_shoe_starts_and_else_within_two_seconds(node: Node) -> None:
    node.keeper.open()
    node.watched()
    node.keeper.start()
    wait_until(lambda: node.keeper.status.size == node.store.standing()[TABLE])
    began = time.monotonic()
    shoe = c.NewShoe(by="dealer", dealing="virtual")
    assert node.store.ask(Request(stream=TABLE, id="shoe", command=shoe)).ok
    wait_until(lambda: node.keeper.status.size == node.store.standing()[TABLE])
    at_once = time.monotonic() - began
    node.play("later")
    assert node.keeper.status.behind >= 1
    wait_until(lambda: node.keeper.status.size == node.store.standing()[TABLE])
    assert node.keeper.status.behind == 0
    assert at_once < PATIENCE_S


async def proven(node: Node, seq: int, *by: str) -> None:
    proof = await asyncio.wait_for(node.keeper.proven(TABLE, seq, by), PATIENCE_S)
    log = node.store.log
    place = log.place(TABLE, seq)
    assert place is not None
    data = dict(node.store.entries(TABLE))[seq]
    own = build_leaf(log.salt(TABLE, seq, place), hash_entry(data))
    logs = [Log(verifier) for verifier in log.verifiers()]
    policy = require_all(logs, node.keeper.policy.witnesses)
    verify_proof(own, proof, policy)


def test_an_entry_is_proven_once_the_witnesses_have_cosigned(node: Node) -> None:
    node.keeper.open()
    node.watched()
    node.keeper.start()
    for seq in (1, 2, 3):
        asyncio.run(proven(node, seq))
    node.play("zoe")
    asyncio.run(proven(node, node.store.standing()[TABLE], "ann.example", "ben.example"))


def test_a_proof_waits_for_the_witness_that_is_away(node: Node, ann: TestWitness) -> None:
    node.keeper.open()
    node.keeper.step()
    ann.is_away = True
    node.play("zoe")
    node.keeper.step()
    last = node.store.standing()[TABLE]
    assert node.keeper.proof(TABLE, last) is None
    assert node.keeper.proof(TABLE, last, frozenset({"ann.example"})) is None


def test_a_witness_that_is_away_is_said_and_the_log_goes_on(node: Node, ann: TestWitness) -> None:
    ann.is_away = True
    node.keeper.open()
    node.keeper.start()
    wait_until(lambda: published(node) == node.store.standing()[TABLE])
    wait_until(lambda: "ben.example" in node.keeper.all_answered)
    status = node.keeper.status
    assert not status.is_witnessed
    assert "ann.example" in status.why
    assert status.as_alerts() == ["witness ann.example no answer"]
    assert node.keeper.all_answered == {"ben.example"}


def test_without_witnesses_it_plays_and_says_so_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    node = Node(tmp_path)
    node.play("a")
    node.keeper.open()
    with caplog.at_level(logging.WARNING, "puntobanco.log"):
        node.keeper.start()
        wait_until(lambda: published(node) == node.store.standing()[TABLE])
        node.keeper.stop()
    said = [record for record in caplog.records if "not witnessed" in record.getMessage()]
    assert len(said) == 1
    assert "no witness is named" in node.keeper.status.why
    assert node.keeper.proof(TABLE, 1) is not None
    node.store.close()


def test_a_node_that_another_has_overtaken_at_a_witness_finds_no_fault(
    node: Node, ann: TestWitness
) -> None:
    """The witness has seen a newer checkpoint than the one shown, and the database has it too."""
    node.keeper.open()
    older = node.store.log.checkpoint()
    assert older is not None
    other = node.new_keeper()
    other.open()
    node.play("zoe")
    other.step()
    other.compare()
    [asked, _] = node.keeper._asked
    assert ann.seen.size > read_checkpoint_note(older).size
    assert asked.ask(older) == ()
    assert (asked.away, asked.disagrees) == ("", "")


# Opening


def test_a_floor_that_reaches_none_of_its_witnesses_does_not_open(
    node: Node, ann: TestWitness, ben: TestWitness
) -> None:
    ann.is_away = ben.is_away = True
    with pytest.raises(Unwitnessed, match="serve --unwitnessed") as refused:
        node.keeper.open()
    assert "\n" not in str(refused.value)
    node.keeper.open(unwitnessed=True)
    assert node.keeper.is_open


def rolled_back(node: Node) -> Node:
    """The database, and the file of heads with it, as they were before the last entries."""
    copy = node.path.with_name("copy.db")
    node.keeper.open()
    node.keeper.step()
    node.store.close()
    for part in ("", ".keys", ".heads", ".node"):
        shutil.copy(f"{node.path}{part}", f"{copy}{part}")
    node.store = SqliteStore(node.path, clock=False)
    node.keeper = node.new_keeper()
    node.play("lost", "lost too")
    node.keeper.open()
    node.keeper.step()
    node.keeper.compare()  # shows it to the witnesses, as their threads would
    node.store.close()
    for part in ("", ".keys", ".heads", ".node"):
        shutil.copy(f"{copy}{part}", f"{node.path}{part}")
    for part in ("-wal", "-shm"):
        Path(f"{node.path}{part}").unlink(missing_ok=True)
    node.store = SqliteStore(node.path, clock=False)
    node.keeper = node.new_keeper()
    return node


def test_a_database_that_is_behind_the_publication_folder_does_not_open(node: Node) -> None:
    with pytest.raises(LogFault, match=r"the publication folder .* entries are lost") as refused:
        rolled_back(node).keeper.open()
    assert "\n" not in str(refused.value)
    assert "epoch begin" in str(refused.value)


def test_one_that_is_behind_a_witness_does_not_open(node: Node) -> None:
    again = rolled_back(node)
    shutil.rmtree(node.folder)
    with pytest.raises(LogFault, match=r"witness ann\.example has seen"):
        again.keeper.open()


def test_another_past_of_the_same_length_does_not_open(node: Node) -> None:
    """Rolled back, and played on to where it was."""
    again = rolled_back(node)
    again.play("other", "other too", "and more")
    again.store.log.grow()
    with pytest.raises(LogFault, match=r"its first .* leaves are others"):
        again.keeper.open()
    shutil.rmtree(node.folder)
    with pytest.raises(LogFault, match="another log"):
        again.keeper.open()


def test_the_folder_of_another_floor_is_refused(node: Node, tmp_path: Path) -> None:
    node.keeper.open()
    node.keeper.step()
    other = tmp_path / "other"
    other.mkdir()
    another = Node(other)
    another.play("a")
    another.folder = node.folder
    with pytest.raises(LogFault, match="--publication"):
        another.new_keeper().open()
    another.store.close()


def test_a_log_that_goes_back_while_it_runs_stops_this_node(node: Node) -> None:
    """A new connection leads to an older copy: memory alone finds it."""
    node.keeper.open()
    node.keeper.step()
    keeper = node.keeper
    again = rolled_back(node)
    keeper.log = again.store.log
    keeper._seen = read_checkpoint_note(Publication(node.folder).note() or "")
    keeper._do()
    assert "this node has" in keeper.fault
    assert keeper.status.as_alerts() == [keeper.fault]


# Recovery


def test_after_a_recovery_the_log_goes_on_from_the_folder_and_lost_leaves_are_counted(
    node: Node,
) -> None:
    again = rolled_back(node)
    size = published(again)
    assert go_on(again.store.log, Publication(again.folder)) == 2
    assert go_on(again.store.log, Publication(again.folder)) == 2, "after a crash it is the same"
    assert again.store.log.size() == size
    keeper = again.new_keeper()
    keeper.open()
    keeper.step()
    again.play("goes on")
    keeper.step()
    assert published(again) == size + 1
    place = again.store.log.place(TABLE, again.store.standing()[TABLE])
    assert place is not None
    assert place.index == size
    assert keeper.proof(TABLE, 1, frozenset({"ann.example"})) is not None


def test_entries_that_only_the_log_has_lost_keep_their_places(node: Node) -> None:
    """The database is as it was, and its log is an older one."""
    node.keeper.open()
    node.keeper.step()
    with connected(str(node.path)) as db:
        for table in ("log", "log_places", "log_tiles", "checkpoints"):
            db.execute(text(f"DROP TRIGGER {table}_no_delete"))
            db.execute(text(f"DELETE FROM {table}"))
    fresh = SqliteStore(node.path, clock=False, heads=node.path.with_name("other.heads"))
    assert go_on(fresh.log, Publication(node.folder)) == 0
    for seq in range(1, fresh.standing()[TABLE] + 1):
        place = fresh.log.place(TABLE, seq)
        assert place is not None
        assert place.index == seq - 1
    assert fresh.log.grow().added == 0
    fresh.close()


def test_a_folder_with_another_past_is_no_way_on(node: Node) -> None:
    again = rolled_back(node)
    again.play("other")
    again.store.log.grow()
    with pytest.raises(LogFault, match="neither goes on from the other"):
        go_on(again.store.log, Publication(again.folder))


def test_a_folder_whose_leaves_were_changed_is_no_way_on(node: Node) -> None:
    again = rolled_back(node)
    size = published(again)
    file = again.folder / format_path(Tile(ENTRIES, 0, size))
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(bytes(data))
    with pytest.raises(LogFault, match="do not come to its checkpoint"):
        go_on(again.store.log, Publication(again.folder))
    assert again.store.log.size() < size
