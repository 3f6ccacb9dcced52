"""The matrix, run: an attack is done to a floor, and each who might find it is asked."""

import logging
import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

from puntobanco_floor.audit.floor_audit import audit_reader
from puntobanco_floor.integrity.self_test import selftest
from puntobanco_floor.journal.key_ring import KeyRing, roots_in
from puntobanco_floor.journal.signing import NodeKey, Trust
from puntobanco_floor.store.errors import NotStored
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.reader import reading
from puntobanco_floor.store.store import Store
from puntobanco_proof.entry.heads import read_heads
from tests.attacks import beside
from tests.attacks.cells import BESIDE, PROBES, Cell, Finder, Outcome
from tests.attacks.floor import Floor, Tables, heads_file, placed, put
from tests.attacks.forge import Forger

REFUSED = ("not stored", "vault-fault", "no login", "card refused")


class Forged(NamedTuple):
    tables: Tables
    heads: bytes


def forged(floor: Floor, cell: Cell, seed: int) -> Forged:
    """The database and the file of heads as the attacker leaves them."""
    chance = random.Random(f"{cell} {seed}")
    start = floor.backups["last"] if cell.holder == "a backup" else floor.tables
    if cell.attack in BESIDE:
        tables = deepcopy(start)
        _beside(floor, cell, tables, chance)
    elif cell.attack == "roll back":
        tables = floor.backups[cell.place]
    else:
        forger = Forger(floor, start, cell.place, _key(floor, cell), chance)
        tables = getattr(forger, cell.attack.replace(" ", "_"))()
    heads = heads_file(tables) if "heads file" in cell.holder else floor.heads
    return Forged(tables, heads)


def _beside(floor: Floor, cell: Cell, tables: Tables, chance: random.Random) -> None:
    key = _key(floor, cell)
    if cell.attack == "head changed" and key is not None:
        beside.head_signed_anew(tables, chance, key)
        return
    attack: beside.Attack = getattr(beside, cell.attack.replace(" ", "_"))
    attack(tables, chance)


def _key(floor: Floor, cell: Cell) -> NodeKey | None:
    if "retired key" in cell.holder:
        return floor.retired
    return floor.node if "node's key" in cell.holder else None


class _Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said = list[str]()

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


@contextmanager
def errors_logged() -> Iterator[list[str]]:
    """What a store logs as an error, and no terminal shows."""
    handler, logger = _Errors(), logging.getLogger("puntobanco.storage")
    before = logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield handler.said
    finally:
        logger.removeHandler(handler)
        logger.propagate = before


class Scene:
    """A database and a node's files, on which attack after attack is played."""

    def __init__(self, floor: Floor, url: str, folder: Path) -> None:
        self.floor, self.url = floor, url
        self.keys, self.heads = placed(folder, floor, url)
        self.public, self.others = folder / "public.json", folder / "others.heads"
        self.public.write_text(KeyRing.load(self.keys).public_text())
        self.honest = dict[str, str]()
        for probe in {"seat", *PROBES.values()}:
            self.reset()
            with self.opened() as store:
                self.honest[probe] = _probe(probe)(store, url)

    def reset(self) -> None:
        """As it was before any attack."""
        self.put(Forged(self.floor.tables, self.floor.heads))

    def put(self, now: Forged) -> None:
        put(self.url, now.tables)
        self.heads.write_bytes(now.heads)

    def opened(self) -> Store:
        return open_store(self.url, keys=self.keys, heads=self.heads, clock=False, notify=False)

    def outcomes(self, cell: Cell, seed: int) -> dict[Finder, Outcome]:
        found = dict[Finder, Outcome]()
        attack = forged(self.floor, cell, seed)
        self.reset()
        with self.opened() as store:
            store.ask(beside.REFUSED)  # it reads the stream, and writes nothing there
            self.put(attack)
            with errors_logged(), suppress(NotStored):
                store.ask(beside.REFUSED_AGAIN)  # what it finds once must not be forgotten
            found["running node"] = self._asked(cell, store)
        self.put(attack)
        found["self-test"] = self._tested()
        found["audit"] = self._audited(None)
        found["later"] = self._audited(self.floor.heads)
        found["starting node"] = self._started(cell)
        return found

    def _started(self, cell: Cell) -> Outcome:
        with self.opened() as store:
            return self._asked(cell, store)

    def _asked(self, cell: Cell, store: Store) -> Outcome:
        probe = PROBES.get(cell.attack, "seat")
        with errors_logged() as errors:
            said = _probe(probe)(store, self.url)
        if errors or said in REFUSED:
            return "found"
        return "unmoved" if said == self.honest[probe] else "misled"

    def _tested(self) -> Outcome:
        done = selftest(self.url, keys=self.keys, heads=self.heads)
        # without the rows of some patrons a floor is served, and said to be so
        is_warned = any((x.name, x.outcome) == ("patrons", "warned") for x in done.checks)
        return "found" if is_warned or done.outcome == "failed" else "missed"

    def _audited(self, heads: bytes | None) -> Outcome:
        """With public keys; and with the file of heads of another node, which nobody touched."""
        filed = None if heads is None else list(read_heads(heads.splitlines(keepends=True)))
        with reading(self.url) as reader:
            trust = Trust.of(roots_in(self.public))
            report = audit_reader(reader, heads=filed, trust=trust)
        if report.sound:
            return "missed"
        print("found:", report.fault)
        return "found"


def _probe(name: str) -> beside.Probe:
    found: beside.Probe = getattr(beside, name)
    return found
