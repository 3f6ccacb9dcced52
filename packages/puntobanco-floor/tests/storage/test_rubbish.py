"""One forged row stops one stream at most: rubbish in every table, on both stores.

Whoever holds the database can put anything into it. Other tables play on, the stream says in one line what is wrong, and a node that
is started anew starts.
"""

import os
import random
import typing
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import NoneType, UnionType

import msgspec
import pytest

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.entries import Entry, read_entry
from puntobanco_floor.domain.entry import write_entry
from puntobanco_floor.domain.machine import State
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store import postgres, sqlite
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.batch import Request, Stream, snapshot
from puntobanco_floor.store.engines import connected
from puntobanco_floor.store.errors import NotStored
from puntobanco_floor.store.store import Store
from puntobanco_proof.entry.format import NOTHING, Fault, generate_salts, hash_bytes
from tests.attacks.floor import Row, Tables, dumped, put, unguarded
from tests.attacks.matrix import errors_logged
from tests.storage.conftest import Place
from tests.storage.test_contract import Asker
from tests.storage.test_epochs import floor_of, opened
from tests.storage.test_set_aside import TABLE
from tests.support.patience import PATIENCE_S, wait_until

OTHER = "table:2"
TIMES = 10 if os.environ.get("PUNTOBANCO_SLOW") == "1" else 1
"""Of each kind of rubbish, every time other bytes."""
ABSURD = (0, 1, -1, 2, 10**6, 2**53, 10**18)
WORDS = ("", "ann", "zed", "banker", "9f", "Tf 2g", TABLE, "p-7f3k9m2q", "\0", "x" * 5000)
SALTS = generate_salts()


# Absurd entries


def absurd(kind: object, rng: random.Random) -> object:
    """A value of this type that no program of ours would write."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if kind is int:
        return rng.choice(ABSURD)
    if kind is str:
        return rng.choice(WORDS)
    if kind is bool:
        return rng.random() < 0.5
    if kind is NoneType:
        return None
    if origin is typing.Annotated:
        return absurd(parts[0], rng)
    if origin is typing.Literal:
        return rng.choice(parts)
    if origin in (typing.Union, UnionType):
        return absurd(rng.choice(parts), rng)
    if origin is tuple and Ellipsis in parts:
        return tuple(absurd(parts[0], rng) for _ in range(rng.choice((0, 1, 3))))
    if origin is tuple:
        return tuple(absurd(part, rng) for part in parts)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return absurd_struct(kind, rng)
    return {}


def absurd_struct(kind: type[msgspec.Struct], rng: random.Random) -> msgspec.Struct:
    given = {}
    for field in msgspec.structs.fields(kind):
        if field.required or rng.random() < 0.6:
            given[field.name] = absurd(field.type, rng)
    return kind(**given)


def absurd_entry(stream: Stream[State], kind: type[e.Event], rng: random.Random) -> bytes | None:
    """The next entry of a stream, well formed but for its event; None where no bytes can say it."""
    event = absurd_struct(kind, rng)
    assert isinstance(event, e.Event)
    return next_entry(stream, (event,), rng)


def next_entry(
    stream: Stream[State], events: tuple[e.Event, ...], rng: random.Random
) -> bytes | None:
    state = stream.state
    entry = Entry(
        stream=stream.name,
        epoch=state.epoch,
        seq=state.seq + 1,
        at=state.at,
        by=rng.choice(WORDS),
        command="buy-in",
        id="forged",
        rules=state.rules,
        prev=stream.head,
        salt=next(SALTS),
        events=events,
    )
    with suppress(Exception):  # some values cannot be written at all
        return write_entry(entry).data
    return None


def phases(folder: Path) -> Iterator[Stream[State]]:
    """The streams of a floor, and its table in every phase of a round."""
    place = Place(str(folder / "floor.db"), folder, notify=True)
    with place.stores:
        store = place.open()
        table = floor_of(store)
        yield from (store.stream(name) for name in store.names())
        table.do(c.OpenBets(by="dealer"))
        wager = c.PlaceWager(by="ann", round=1, session="ann", bet="tie", stake_cents=5_000)
        table.do(wager)
        yield store.stream(TABLE)
        table.do(c.CloseBets(by="dealer"))
        yield store.stream(TABLE)
        while not table.complete():
            table.do(c.DealCard(by="dealer"))
            yield store.stream(TABLE)
        table.do(c.Settle(by="dealer"))
        yield store.stream(TABLE)


@pytest.mark.parametrize("seed", range(4))
def test_an_absurd_event_of_any_kind_is_a_fault_and_nothing_worse(
    tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    tried = 0
    for stream in phases(tmp_path):
        for kind in e.EVENTS:
            data = absurd_entry(stream, kind, rng)
            if data is None:
                continue
            tried += 1
            with suppress(Fault):
                entry = read_entry(data, stream=stream.name, seq=stream.state.seq + 1)
                stream.copy().follow(entry, "")
    assert tried > 500


# Absurd rows

Spoil = Callable[[Tables, Stream[State], random.Random], None]


def row_of(tables: Tables, table: str, stream: str = TABLE) -> Row:
    """The last row of a stream in a table."""
    return next(row for row in reversed(tables[table]) if row["stream"] == stream)


def bytes_after(*data: object) -> Spoil:
    """Something behind the last entry, and the head row says that it is one."""

    def spoil(tables: Tables, stream: Stream[State], rng: random.Random) -> None:
        seq = stream.state.seq + 1
        found = rng.choice(data) if data else rng.randbytes(rng.randrange(200))
        tables["entries"].append({"stream": TABLE, "seq": seq, "data": found})
        row_of(tables, "streams")["seq"] = seq

    return spoil


def event_after(tables: Tables, stream: Stream[State], rng: random.Random) -> None:
    """A well-formed entry with an absurd event."""
    data = None
    while data is None:
        data = absurd_entry(stream, rng.choice(e.EVENTS), rng)
    seq = stream.state.seq + 1
    tables["entries"].append({"stream": TABLE, "seq": seq, "data": data})
    row_of(tables, "streams")["seq"] = seq


def overdrawn(tables: Tables, stream: Stream[State], rng: random.Random) -> None:
    """Money that nobody has, which the fold of the table does not look at."""
    data = next_entry(stream, (e.CashedOut(session="ann", cents=10**12),), rng)
    seq = stream.state.seq + 1
    tables["entries"].append({"stream": TABLE, "seq": seq, "data": data})
    row_of(tables, "streams")["seq"] = seq


def value(table: str, column: str, *values: object) -> Spoil:
    """Another value in the last row that the stream has in a table."""

    def spoil(tables: Tables, _stream: Stream[State], rng: random.Random) -> None:
        row_of(tables, table)[column] = rng.choice(values)

    return spoil


def more(table: str, **row: object) -> Spoil:
    def spoil(tables: Tables, _stream: Stream[State], _rng: random.Random) -> None:
        tables[table].append(dict(row))

    return spoil


def snapshot_after(data: bytes) -> Spoil:
    """A snapshot at the end, and an entry that has its hash."""

    def spoil(tables: Tables, stream: Stream[State], rng: random.Random) -> None:
        seq = stream.state.seq
        kept = data or snapshot(stream.machine, stream.state, {"session:ann": 10**18}, NOTHING)
        digest = hash_bytes(kept)
        sealed = next_entry(stream, (e.PeriodSealed(period=1, snapshot=digest),), rng)
        tables["snapshots"].append({"stream": TABLE, "seq": seq, "hash": digest, "data": kept})
        tables["entries"].append({"stream": TABLE, "seq": seq + 1, "data": sealed})
        row_of(tables, "streams")["seq"] = seq + 1

    return spoil


HUGE = (2**62, -(2**62), 2**53, 0, -1)
GHOST = {"stream": "table:9", "epoch": 99, "seq": 3, "hash": "ab", "key": "k", "signature": "zz"}
SPOILS: dict[str, Spoil] = {
    "an entry of random bytes": bytes_after(),
    "an entry of other JSON": bytes_after(b"", b"x", b"[]", b"{}", b"[{}]", b"[[],[]]", b"null"),
    "an entry nested too deep": bytes_after(b"[" * 100_000),
    "an absurd event": event_after,
    "money that nobody has": overdrawn,
    "seq of the stream": value("streams", "seq", *HUGE),
    "hash of the stream": value("streams", "hash", "", "zz", NOTHING),
    "time of the stream": value("streams", "at", *HUGE),
    "due time of the stream": value("streams", "due_at", *HUGE),
    "a stream without entries": more(
        "streams", stream="table:9", seq=3, hash="ab", at=2**62, due_at=None
    ),
    "a stream of no kind": more("streams", stream="\u2603", seq=3, hash="ab", at=0, due_at=None),
    "a head without a stream": more("heads", **GHOST),
    "a head after the end": more("heads", **(GHOST | {"stream": TABLE, "seq": 2**53})),
    "hash of a head": value("heads", "hash", "", "zz", NOTHING),
    "key of a head": value("heads", "key", "", "\u2603"),
    "signature of a head": value("heads", "signature", "", "zz", "00" * 64),
    "epoch of a head": value("heads", "epoch", *HUGE),
    "a snapshot of rubbish": snapshot_after(b"x"),
    "a snapshot without a state": snapshot_after(b'{"state":{},"balances":{},"head":""}'),
    "a snapshot of other money": snapshot_after(b""),
    "an answer of rubbish": value("answers", "answer", b"", b"x", b"[]", b'{"id":1}'),
    "an answer to nothing": value("answers", "answer", b'{"at":1,"id":"1","ok":true,"seq":-7}'),
    "a balance": value("balances", "cents", 2**53, 0),
    "undealt cards": value("sealed", "data", b"", b"x"),
}
TEXT = "\u2603"
SQLITE_ONLY: dict[str, Spoil] = {
    "an entry that is a text": bytes_after(TEXT, 5),
    "a stream whose number is a text": value("streams", "seq", TEXT, b"x"),
    "a stream whose time is a text": value("streams", "at", TEXT, b"x"),
    "a stream that is due at a text": value("streams", "due_at", TEXT, b"x"),
    "a stream whose name is bytes": more(
        "streams", stream=b"\xff", seq=3, hash="ab", at=0, due_at=None
    ),
    "a head whose epoch is a text": value("heads", "epoch", TEXT, b"x"),
    "a head whose hash is bytes": value("heads", "hash", b"x", 5),
    "a head whose signature is bytes": value("heads", "signature", b"x", 5),
    "an answer that is a text": value("answers", "answer", TEXT, 5),
}


class Floor:
    """Two tables, and the rows as an honest node left them."""

    def __init__(self, place: Place) -> None:
        self.place, self.asked = place, 0
        store = place.open()
        floor_of(store)
        other = Asker(store, OTHER, "other")
        other.open_table()
        other.seat("zoe")
        self.stream = store.stream(TABLE)
        place.stores.close()
        unguarded(place.url)
        self.honest = dumped(place.url)

    def spoil(self, spoil: Spoil, rng: random.Random) -> None:
        tables = {name: [dict(row) for row in rows] for name, rows in self.honest.items()}
        spoil(tables, self.stream, rng)
        if is_postgres(self.place.url):
            put(self.place.url, tables)
            return
        with connected(self.place.url) as db:  # as it is: SQLite takes any value in any column
            for name, rows in tables.items():
                db.exec_driver_sql(f"DELETE FROM {name}")
                for row in rows:
                    places = ", ".join("?" * len(row))
                    into = f"INSERT INTO {name} ({', '.join(row)}) VALUES ({places})"
                    db.exec_driver_sql(into, tuple(row.values()))

    def asks(self, store: Store, stream: str) -> str:
        """A refusal is decided as anything else is, and writes no entry."""
        self.asked += 1
        leave = c.LeaveSeat(by="nobody", session="nobody")
        request = Request(stream=stream, id=f"ask{self.asked}", command=leave)
        try:
            answer = store.submit(request).result(timeout=PATIENCE_S)
        except NotStored as refusal:
            return refusal.reason
        assert answer.at < 2**50
        return answer.code


HARMLESS = {
    "time of the stream",
    "due time of the stream",
    "a stream without entries",
    "a stream of no kind",
    "a head without a stream",
    "a balance",
    "an answer of rubbish",
    "an answer to nothing",
    "undealt cards",
    "a stream whose time is a text",
    "a stream that is due at a text",
    "a stream whose name is bytes",
    "an answer that is a text",
}
"""Of no entry of the table, so that it is not stopped; the audit finds it."""


def test_rubbish_in_any_row_stops_one_stream_at_most(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "LOOK_S", 0.01)
    monkeypatch.setattr(postgres, "POLL_S", 0.01)
    floor, rng = Floor(place), random.Random(17)
    spoils = SPOILS if is_postgres(place.url) else SPOILS | SQLITE_ONLY
    for what, spoil in spoils.items():
        for _ in range(TIMES):
            _plays_on(floor, what, spoil, rng)


def _plays_on(floor: Floor, what: str, spoil: Spoil, rng: random.Random) -> None:
    place = floor.place
    floor.spoil(nothing, rng)
    store = place.open()
    store.watchers.append(lambda *_: None)
    assert [floor.asks(store, name) for name in (TABLE, OTHER)] == ["not-seated"] * 2
    with errors_logged() as errors:
        floor.spoil(spoil, rng)
        if what not in HARMLESS and "head" not in what:  # which a node reads with other entries
            floor.asks(store, TABLE)
            wait_until(lambda: TABLE in store.blocked, f"{what}: that the stream is blocked")
        assert floor.asks(store, OTHER) == "not-seated", what
        assert OTHER not in store.blocked
        place.stores.close()
        again = opened(place, place.url)
        assert floor.asks(again, OTHER) == "not-seated", what
        is_stopped = floor.asks(again, TABLE) != "not-seated"
        assert is_stopped == (what not in HARMLESS), what
        place.stores.close()
    assert not [line for line in errors if "a fault of this program" in line], errors


def nothing(_tables: Tables, _stream: Stream[State], _rng: random.Random) -> None:
    """As it was."""
