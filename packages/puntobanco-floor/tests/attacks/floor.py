"""A small floor to attack: its rows as plain values, copies of it from earlier, and the keys of two nodes."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from time import time
from typing import TypeAlias

import msgspec
from msgspec.structs import replace
from sqlalchemy import text

from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import Entry, read_entry
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.stream_rules import RetireKey
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.journal.key_files import Key
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import NodeKey
from puntobanco_floor.service.staff_logins import token_hashes
from puntobanco_floor.store import schema
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.engines import connected
from puntobanco_floor.store.patron_ids import PatronTable, bound
from puntobanco_floor.store.schema_upgrade import migrate
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_proof.entry.format import canonical
from puntobanco_proof.entry.heads import Head
from tests.storage.played import Script
from tests.support.patience import wait_until

TABLE, OTHER = "table:1", "table:2"
TOKEN = "staff_mallory"
"""Of a dealer who is logged in."""

EXCLUDED, OTHER_PATRON = "p-bbbbbbbb", "p-cccccccc"
"""Whose cards are `bob` and `cat`."""

RECENT = "recent"
"""The id of a buy-in of the period in play."""

HOUR_MS = 3_600_000

BUY_IN = 10_000
NAMES = (
    "streams",
    "entries",
    "transfers",
    "balances",
    "answers",
    "vouchers",
    "sealed",
    "snapshots",
    "heads",
    "logins",
    "patrons",
)

LOG = ("log", "log_places", "log_tiles", "checkpoints")
"""Tables of the transparency log."""

Row: TypeAlias = dict[str, object]
Tables: TypeAlias = dict[str, list[Row]]


def dumped(url: str, names: Sequence[str] = NAMES) -> Tables:
    with connected(url, read_only=True) as db:
        found = Tables()
        for name in names:
            rows = db.execute(schema.metadata.tables[name].select())
            found[name] = [{str(k): v for k, v in row._mapping.items()} for row in rows]
        return found


def unguarded(url: str) -> None:
    """Without the triggers that keep tables append-only: who holds the database drops them."""
    with connected(url) as db:
        for table in (*schema.APPEND_ONLY, *LOG[2:], LOG[0]):
            if is_postgres(url):
                for kept in ("append_only", "set_aside", "only_grows"):
                    db.execute(text(f"DROP TRIGGER IF EXISTS {table}_{kept} ON {table}"))
                continue
            for what in ("update", "delete"):
                db.execute(text(f"DROP TRIGGER {table}_no_{what}"))


def put(url: str, tables: Tables, names: Sequence[str] = NAMES) -> None:
    """The database holds these rows and no others, all at once."""
    with connected(url) as db:
        for name in names:
            table = schema.metadata.tables[name]
            db.execute(table.delete())
            if tables[name]:
                db.execute(table.insert(), tables[name])


@dataclass
class Floor:
    """As it stands before an attack."""

    ring: KeyRing
    old_ring: KeyRing  # as it was before its root key was replaced
    retired: NodeKey  # wrote the first period, and was retired by the other
    node: NodeKey
    node_file: str
    tables: Tables
    heads: bytes  # of the node that runs
    backups: dict[str, Tables] = field(default_factory=dict)  # by the place where they end
    last: Head | None = None

    @property
    def entries(self) -> list[Entry]:
        return entries_of(self.tables)


def entries_of(tables: Tables, stream: str = TABLE) -> list[Entry]:
    found = [read_entry(bytes(row["data"])) for row in of(tables, "entries", stream)]  # type: ignore[call-overload]
    return sorted(found, key=lambda entry: entry.seq)


def of(tables: Tables, name: str, stream: str = TABLE) -> list[Row]:
    return [row for row in tables[name] if row["stream"] == stream]


def heads_of(tables: Tables, stream: str = TABLE) -> dict[int, Head]:
    return {
        head.seq: head for head in (msgspec.convert(r, Head) for r in of(tables, "heads", stream))
    }


def heads_file(tables: Tables) -> bytes:
    """What a node's file of heads would hold, had it seen these tables alone."""
    heads = [msgspec.convert(row, Head) for row in tables["heads"]]
    ordered = sorted(heads, key=lambda head: (head.stream, head.seq))
    return b"".join(canonical(head) + b"\n" for head in ordered)


class _Play(Script):
    """Commands whose ids are their own on every node."""

    def __init__(self, store: SqliteStore, prefix: str, gate: Event, stream: str = TABLE) -> None:
        super().__init__(store, stream)
        self.gate = gate
        self.ids = map(f"{prefix}{{}}".format, range(1, 10_000))

    def patrons(self, *names: str) -> None:
        """Who sit down and buy in, and do nothing else: two neighbours may be changed over."""
        for name in names:
            self.do(c.SeatSession(by=name, session=name))
        for name in names:
            self.do(c.BuyIn(by="carl", session=name, cents=BUY_IN))

    def patrons_at_once(self, *names: str) -> None:
        """The same; the buy-ins are one commit, with one signature."""
        for name in names:
            self.do(c.SeatSession(by=name, session=name))
        self._together([c.BuyIn(by="carl", session=name, cents=BUY_IN) for name in names])

    def _together(self, commands: list[Command]) -> None:
        """The writer stands still before a refusal until all of them wait."""
        waiting = list[Future[Answer]]()
        self.gate.clear()
        refused = c.LeaveSeat(by="nobody", session="nobody")
        for command in (refused, *commands):
            request = Request(stream=self.stream, id=next(self.ids), command=command)
            waiting.append(self.store.submit(request))
            wait_until(lambda: waiting[1:] or not self.store._waiting, "the writer")
        self.gate.set()
        assert [answer.result().ok for answer in waiting] == [False] + [True] * len(commands)

    def round(self, number: int) -> None:
        self.do(c.OpenBets(by="dealer"))
        wager = c.PlaceWager(by="ann", round=number, session="ann", bet="banker", stake_cents=1_000)
        self.do(wager)
        self.do(c.CloseBets(by="dealer"))
        self.deal()

    def voucher(self, number: str, *, is_redeemed: bool = True) -> None:
        self.do(c.SeatSession(by="ben", session="ben"))
        self.do(c.BuyIn(by="carl", session="ben", cents=BUY_IN))
        self.do(c.IssueVoucher(by="ben", session="ben", voucher=number))
        if is_redeemed:
            self.do(c.RedeemVoucher(by="ann", session="ann", voucher=number))


def made(folder: Path) -> Floor:
    """Three periods at a table: the first by a node whose key was then retired, the last in play."""
    path, keys, backups = folder / "floor.db", folder / "floor.keys", dict[str, Tables]()
    gate = Event()
    gate.set()
    first, second = folder / "first.heads", folder / "second.heads"

    def point(step: str) -> None:
        if step == "begin":
            gate.wait()

    def opened(heads: Path) -> SqliteStore:
        store = SqliteStore(path, keys=keys, heads=heads, clock=False, point=point)
        store._db.execute("PRAGMA synchronous = OFF")
        return store

    limits = replace(default_limits(GAMES["six-star"]), hand_pay_cents=0, large_buy_in_cents=0)
    with opened(first) as store:
        old_ring = KeyRing(KeyRing.load(keys).keys)
        rows = PatronTable(str(path))
        for card, patron in (("bob", EXCLUDED), ("cat", OTHER_PATRON)):
            rows.put(bound(store.ring, store.ring.mac("cards", card), patron), at=1)
        house = _Play(store, "h", gate, FLOOR)
        house.do(h.OpenHouse(by="init", house="M", administrator="root", verifier="x" * 40))
        house.do(h.ExcludePatron(by="root", patron=EXCLUDED, reason="asked for it"))
        play, retired = _Play(store, "a", gate), store.node
        play.do(c.OpenTable(by="pit", game="six-star", limits=limits))
        play.do(c.SeatSession(by="ann", session="ann"))
        play.do(c.BuyIn(by="carl", session="ann", cents=100 * BUY_IN))
        play.patrons("f1", "f2", "f3")
        play.do(c.NewShoe(by="pit", decks=4))
        play.round(1)
        play.voucher("sealed")
        backups["first"] = dumped(str(path))
        play.do(c.EndShoe(by="pit"))
    with opened(second) as store:
        store.rotate_keys(["signing"])
        store.rotate_keys(["signing"])
        play, node, ring = _Play(store, "b", gate), store.node, store.ring
        _Play(store, "i", gate, FLOOR).do(RetireKey(by="adam", key=retired.id))
        play.do(RetireKey(by="adam", key=retired.id))
        play.do(c.NewShoe(by="pit", decks=4))
        play.patrons("m1", "m2", "m3")
        play.round(2)
        backups["middle"] = dumped(str(path))
        play.do(c.EndShoe(by="pit"))
        play.do(c.NewShoe(by="pit", decks=4))
        play.voucher("redeemed")
        play.voucher("open", is_redeemed=False)
        play.patrons_at_once("s1", "s2", "s3", "s4")
        play.patrons("l1", "l2")
        _Play(store, "c", gate, OTHER).do(c.OpenTable(by="pit", game="six-star", limits=limits))
        again = c.BuyIn(by="carl", session="l1", cents=BUY_IN)
        assert store.ask(Request(stream=TABLE, id=RECENT, command=again)).ok
        backups["last"] = dumped(str(path))
        last = play.do(c.BuyIn(by="carl", session="l2", cents=BUY_IN))
    tables = dumped(str(path))
    for each in (tables, *backups.values()):
        each["logins"] = [_login(ring)]
    return Floor(
        ring=_aged(KeyRing.load(keys)),
        old_ring=old_ring,
        retired=retired,
        node=node,
        node_file=second.with_suffix(".node").read_text(),
        tables=tables,
        heads=second.read_bytes(),
        backups=backups,
        last=last.head,
    )


def _aged(ring: KeyRing) -> KeyRing:
    """Its root key was replaced two hours ago."""
    aged = list[Key]()
    for key in ring.keys["signing"]:
        before = key.replaced_at - 2 * HOUR_MS if key.replaced_at else 0
        aged.append(replace(key, replaced_at=before))
    return KeyRing(ring.keys | {"signing": tuple(aged)})


def _login(ring: KeyRing) -> Row:
    proof = ring.mac("logins", f"login\n{TOKEN}\ndora\nv2")
    seen_at = int(time() * 1000)
    token = token_hashes(ring, TOKEN)[0]
    return {"token": token, "person": "dora", "password": proof, "seen_at": seen_at}


def placed(folder: Path, floor: Floor, url: str) -> tuple[Path, Path]:
    """The key ring and the file of heads of a node that serves this floor from here."""
    keys, heads = folder / "floor.keys", folder / "node.heads"
    floor.ring.save(keys)
    heads.with_suffix(".node").write_text(floor.node_file)
    migrate(url)
    unguarded(url)
    return keys, heads
