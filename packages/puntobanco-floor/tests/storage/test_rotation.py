"""Rotation under play: a new ring, then a new key for a node, while two nodes deal and take wagers."""

import itertools
import threading
from pathlib import Path

import pytest

from puntobanco_floor.audit.floor_audit import Report, audit
from puntobanco_floor.domain.events import Clock
from puntobanco_floor.domain.stream_rules import RetireKey
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.errors import NotStored
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.store import Store
from tests.storage.servers import database
from tests.storage.test_contract import TABLE, Asker
from tests.support.patience import wait_until

QUICK = Clock(betting_ms=60, guard_ms=10, card_ms=10, pause_ms=20, automatic=True)


class Nodes:
    """Two nodes, each with its key beside its file of heads."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder, self.keys = url, folder, folder / "floor.keys"
        self.running = {name: self.open(name) for name in ("one", "two")}

    def open(self, name: str) -> Store:
        heads = self.folder / f"{name}.heads"
        return open_store(self.url, keys=self.keys, heads=heads, notify=False)

    def public(self, name: str) -> Path:
        """What an auditor is given, as of now."""
        path = self.folder / name
        path.write_text(KeyRing.load(self.keys).public_text())
        return path

    def audited(self, public: Path) -> Report:
        heads = sorted(self.folder.glob("*.heads"))
        return audit(self.url, keys=public, heads=heads)

    def close(self) -> None:
        for store in self.running.values():
            store.close()


class Player(threading.Thread):
    """Sits down and gets up again at one node, as long as it runs; a node that is away is waited for."""

    def __init__(self, nodes: Nodes, name: str) -> None:
        super().__init__(name=name)
        self.nodes, self.done, self.away = nodes, 0, 0
        self.stopping = threading.Event()

    def run(self) -> None:
        for n in itertools.count():
            if self.stopping.is_set():
                return
            session = f"{self.name}-{n}"
            try:
                self._ask(f"{n}s", c.SeatSession(by=session, session=session))
                self._ask(f"{n}l", c.LeaveSeat(by=session, session=session))
            except NotStored:
                self.away += 1
            else:
                self.done += 1

    def _ask(self, id_: str, command: c.Command) -> Answer:
        store = self.nodes.running[self.name]
        return store.ask(Request(stream=TABLE, id=f"{self.name}{id_}", command=command))


@pytest.mark.waits
def test_ring_and_node_are_given_new_keys_under_play(postgres: str, tmp_path: Path) -> None:
    with database(postgres) as url:
        nodes = Nodes(url, tmp_path)
        players = [Player(nodes, name) for name in nodes.running]
        try:
            Asker(nodes.running["one"]).open_table("rapid", clock=QUICK)
            for player in players:
                player.start()
            _rotated(nodes, players)
        finally:
            for player in players:
                player.stopping.set()
            for player in players:
                if player.ident:
                    player.join()
            nodes.close()


def _rotated(nodes: Nodes, players: list[Player]) -> None:
    def played_on() -> None:
        """Both nodes are answered, and rounds go on."""
        before = [player.done for player in players]
        rounds = nodes.running["two"].table(TABLE).state.rounds
        wait_until(
            lambda: all(p.done > n + 3 for p, n in zip(players, before, strict=True)), "both nodes"
        )
        wait_until(
            lambda: nodes.running["two"].table(TABLE).state.rounds > rounds + 1, "another round"
        )

    played_on()
    before = nodes.public("before.json")
    assert nodes.audited(before).fault is None
    nodes.running["two"].rotate_keys()
    played_on()
    after = nodes.public("after.json")
    # a new root changes nothing for nodes that are certified
    assert nodes.audited(before).fault is None
    assert nodes.audited(after).fault is None

    old, old_file = nodes.running["one"], nodes.folder / "one.node"
    old.close()
    old_raw = old_file.read_text()
    old_file.unlink()
    nodes.running["one"] = nodes.open("one")
    new = nodes.running["one"].node
    assert new.id != old.node.id
    played_on()
    assert nodes.audited(after).fault is None, "between: the old key counts still"

    Asker(nodes.running["two"], prefix="retire").do(RetireKey(by="adam", key=old.node.id))
    played_on()
    keys = nodes.running["two"].table(TABLE).state.keys
    assert keys[old.node.id].is_retired
    assert not keys[new.id].is_retired
    assert nodes.audited(after).fault is None

    nodes.running["two"].rotate_keys()
    played_on()

    def certified() -> set[str]:
        keys = nodes.running["two"].table(TABLE).state.keys
        return {key.root for key in keys.values() if not key.is_retired}

    # each node when it has seen the new ring, and writes next
    anew = {nodes.running["two"].ring.certifier[0]}
    wait_until(lambda: certified() == anew, "certificates anew, since the first root is replaced")
    later = nodes.public("later.json")
    assert nodes.audited(later).fault is None
    assert "not certified by a root key" in str(nodes.audited(before).fault)

    own = Request(stream=TABLE, id="own", command=RetireKey(by="adam", key=new.id))
    assert nodes.running["one"].ask(own).code == "not-now", "no key signs its own end"
    _refused_with_the_old_key(nodes, old_raw)
    played_on()
    assert nodes.audited(after).fault is None


def _refused_with_the_old_key(nodes: Nodes, raw: str) -> None:
    (nodes.folder / "stolen.node").write_text(raw)
    stolen = nodes.open("stolen")
    try:
        seat = c.SeatSession(by="eve", session="eve")
        with pytest.raises(NotStored, match="is retired"):
            stolen.ask(Request(stream=TABLE, id="stolen", command=seat))
    finally:
        stolen.close()
