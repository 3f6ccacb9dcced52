"""The store on SQLite: one writer thread, group commit, write-ahead log with full synchronisation.

A thread takes the commands that wait, decides them batch by batch and commits once for all of them; only then are they
answered. What is in memory is a cache of the journal: whenever a write fails it is dropped and read back.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, create_engine, event
from sqlalchemy.dialects import sqlite as dialect
from sqlalchemy.pool import NullPool

from puntobanco import journal
from puntobanco.events import ClockStepped
from puntobanco.keys import KeyRing
from puntobanco.rules.refusals import Refusal
from puntobanco.storage import schema
from puntobanco.storage.batch import Answer, Batch, Request, Stream, Written
from puntobanco.storage.errors import BadDatabase, NotStored
from puntobanco.storage.migrate import upgrade
from puntobanco.storage.time import TableTime
from puntobanco.table.clock import due
from puntobanco.table.decide import Voucher
from puntobanco.table.state import SNAPSHOT, load
from puntobanco.vault import Order, Sealed, VaultFault, seal, unseal

MAX_BATCH = 256
MAX_WAITING = 100_000
BUSY_MS = 5_000
FLOOR = "floor"
_log = logging.getLogger("puntobanco.storage")

Watcher = Callable[[str, Sequence[journal.Entry]], object]


def _insert(table: Table, *, replace: bool = False) -> str:
    sql = str(table.insert().compile(dialect=dialect.dialect(paramstyle="qmark")))
    return sql.replace("INSERT", "INSERT OR REPLACE", 1) if replace else sql


_ENTRY, _TRANSFER, _ANSWER = _insert(schema.entries), _insert(schema.transfers), _insert(schema.answers)
_BALANCE, _STREAM = _insert(schema.balances, replace=True), _insert(schema.streams, replace=True)
_HEAD, _SNAPSHOT, _SEALED = _insert(schema.heads), _insert(schema.snapshots), _insert(schema.sealed)
_ISSUED = "INSERT INTO vouchers (voucher, cents, expires_at, issued_stream, issued_seq) VALUES (?, ?, ?, ?, ?)"
_REDEEMED = "UPDATE vouchers SET redeemed_stream = ?, redeemed_seq = ? WHERE voucher = ? AND redeemed_seq IS NULL"


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection as every part of the program wants it."""
    uri = f"{path.absolute().as_uri()}{'?mode=ro' if read_only else ''}"
    try:
        connection = sqlite3.connect(
            uri, uri=True, isolation_level=None, timeout=BUSY_MS / 1000, check_same_thread=False
        )
        if not read_only:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.Error as error:
        raise BadDatabase(f"cannot open the database {path}: {error}") from None
    return connection


def migrated(path: Path, *, to: str = "head") -> None:
    """Make the database, or bring it up to date."""
    engine = create_engine("sqlite://", creator=lambda: connect(path), poolclass=NullPool)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:  # the driver's own would leave schema changes outside the transaction
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    try:
        with engine.begin() as connection:
            upgrade(connection, to=to)
    except Refusal:
        raise
    except Exception as error:
        raise BadDatabase(f"{path} is no database of this program: {error}") from None
    finally:
        engine.dispose()


class SqliteStore:
    """Many tables in one file, by one process."""

    def __init__(
        self, path: Path, *, keys: Path | None = None, heads: Path | None = None, time: TableTime | None = None,
        point: Callable[[str], object] = lambda _: None,
    ) -> None:  # fmt: skip
        """Keys and heads lie beside the database unless said otherwise. `point` is called at every step of a write."""
        self.path = path
        migrated(path)
        self.ring_path = keys or beside(path, "keys")
        self.ring = KeyRing.at(self.ring_path)
        self.watchers = list[Watcher]()
        self._point = point
        self._db = connect(path)
        self._streams = dict[str, Stream]()
        rows = self._db.execute("SELECT stream, at, due_at FROM streams").fetchall()
        self._due = {stream: due_at for stream, _, due_at in rows if due_at is not None}
        self._time = time or TableTime(least=max((at for _, at, _ in rows), default=0))
        self.heads_path = heads or beside(path, "heads")
        self._heads = os.open(self.heads_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        self._mend_heads()
        self._waiting = deque[tuple[Request, Any]]()
        self._wake = threading.Event()
        self._closing = False
        self._writer = threading.Thread(target=self._write_on, name="puntobanco-writer", daemon=True)
        self._writer.start()

    # For callers

    def submit(self, request: Request) -> Future[Answer]:
        """Ask; the future is done when the answer is on disk."""
        future = Future[Answer]()
        self._put(request, future)
        return future

    def ask(self, request: Request) -> Answer:
        """Ask, and wait for the answer. A refusal by rule is an answer; what was not stored raises."""
        return self.submit(request).result()

    async def asked(self, request: Request) -> Answer:
        """Ask, inside an event loop."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        self._put(request, future)
        return await future

    def _put(self, request: Request, future: Any) -> None:
        if self._closing:
            raise NotStored("the store is closed")
        if len(self._waiting) >= MAX_WAITING:
            raise NotStored("too many commands are waiting; try again")
        self._waiting.append((request, future))
        if not self._wake.is_set():
            self._wake.set()

    def stream(self, name: str) -> Stream:
        """A stream as the journal has it now, read apart from the writer."""
        with closing(connect(self.path, read_only=True)) as db:
            return _loaded(db, name)

    def names(self) -> list[str]:
        with closing(connect(self.path, read_only=True)) as db:
            return [name for (name,) in db.execute("SELECT stream FROM streams ORDER BY stream")]

    def entries(self, stream: str, *, after: int = 0) -> Iterator[tuple[int, bytes]]:
        with closing(connect(self.path, read_only=True)) as db:
            yield from db.execute(
                "SELECT seq, data FROM entries WHERE stream = ? AND seq > ? ORDER BY seq", (stream, after)
            )

    def rotate_keys(self) -> None:
        """New keys from now on; undealt cards are sealed anew, and the old keys stay to read what they wrote."""
        ring = KeyRing.load(self.ring_path)
        ring.rotate()
        ring.save(self.ring_path)  # first on disk: nothing may be sealed with a key that could be lost
        self.ring = ring
        with closing(connect(self.path)) as db:
            db.execute("BEGIN IMMEDIATE")
            for stream, place, key, nonce, data in db.execute(
                "SELECT stream, place, key, nonce, data FROM sealed"
            ).fetchall():
                order = unseal(Sealed(key=key, nonce=nonce, data=data), ring, place=place)
                again = seal(order, ring, place=place)
                db.execute(
                    "UPDATE sealed SET key = ?, nonce = ?, data = ? WHERE stream = ? AND place = ?",
                    (again.key, again.nonce, again.data, stream, place),
                )
            db.execute("COMMIT")

    def close(self) -> None:
        """What waits is still answered."""
        self._closing = True
        self._wake.set()
        self._writer.join()
        self._db.close()
        os.close(self._heads)

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The writer

    def _write_on(self) -> None:
        while True:
            self._wake.wait(self._pause())
            self._wake.clear()
            if self._waiting or self._is_due():
                self._batch()
                if self._waiting:
                    self._wake.set()
            elif self._closing:
                return

    def _pause(self) -> float | None:
        if self._closing:
            return 0
        soonest = min(self._due.values(), default=None)
        return None if soonest is None else max(0.0, (soonest - self._time.now()) / 1000)

    def _is_due(self) -> bool:
        now = self._time.now()
        return not self._closing and any(at <= now for at in self._due.values())

    def _batch(self) -> None:
        taken = [self._waiting.popleft() for _ in range(min(MAX_BATCH, len(self._waiting)))]
        try:
            replies = self._stored([request for request, _ in taken])
        except sqlite3.Error as error:
            replies = [NotStored(f"nothing was stored: {error}; try again")] * len(taken)
            self._recover()
            if not taken:
                self._wake_later()
        except OSError as error:
            replies = [NotStored(f"nothing was stored: {(error.strerror or str(error)).lower()}; try again")] * len(
                taken
            )
            self._recover()
        except Exception:
            _log.exception("a batch failed")
            replies = [NotStored("a fault in this program; nothing was stored")] * len(taken)
            self._recover()
        _deliver(taken, replies)

    def _recover(self) -> None:
        """Trust nothing in memory: the journal says what is so."""
        with suppress(sqlite3.Error):
            self._db.execute("ROLLBACK")
        self._streams.clear()

    def _wake_later(self) -> None:
        """What the clock owes could not be written; try again in a second rather than at once."""
        later = self._time.now() + 1_000
        self._due = {stream: max(at, later) for stream, at in self._due.items()}

    def _stored(self, requests: Sequence[Request]) -> list[Answer | Refusal]:
        """Decide and write all of it in one transaction; the answers are true when this returns."""
        now = self._time.now()
        by_stream = dict[str, list[int]]()
        if self._time.stepped is not None:
            by_stream[FLOOR] = []
        for stream, at in self._due.items():
            if at <= now:
                by_stream[stream] = []
        for i, request in enumerate(requests):
            by_stream.setdefault(request.stream, []).append(i)
        db, point = self._db, self._point
        point("begin")
        db.execute("BEGIN IMMEDIATE")
        batches = list[Batch]()
        replies: list[Answer | Refusal] = [NotStored("not reached")] * len(requests)
        for name, places in by_stream.items():
            own = [requests[i] for i in places]
            batch = Batch(self._current(name), now, load=self._open_order, vouchers=self._vouchers(own))
            if name == FLOOR and self._time.stepped is not None:
                batch.note(ClockStepped(wall_ms=now + min(0, self._time.stepped), table_ms=now))
            written = batch.run(own, self._answers(name, own))
            for i, reply in zip(places, written.replies, strict=True):
                replies[i] = reply
            self._write(batch, written)
            batches.append(batch)
        point("commit")
        db.execute("COMMIT")
        point("committed")
        self._time.stepped = None
        try:
            for batch in batches:
                self._take(batch)
        except Exception:  # it is stored: say so, and read memory back from the journal
            _log.exception("after a commit")
            self._streams.clear()
        point("answer")
        return replies

    def _current(self, name: str) -> Stream:
        """The stream at its head; caught up when another process has written."""
        row = self._db.execute("SELECT seq, hash FROM streams WHERE stream = ?", (name,)).fetchone()
        known = self._streams.get(name)
        if known is None or (row is not None and known.state.seq > row[0]):
            known = self._streams[name] = _loaded(self._db, name)
        elif row is not None and known.state.seq < row[0]:
            _caught_up(self._db, known)
        if (known.state.seq, known.head) != (row or (0, journal.NOTHING)):
            raise journal.Fault("the head of the stream is not the last entry", stream=name, seq=known.state.seq)
        return known

    def _answers(self, name: str, requests: Sequence[Request]) -> dict[tuple[str, str], tuple[bytes, bytes]]:
        """Answers given before to commands of these ids."""
        if not requests:
            return {}
        keys = ", ".join(["(?, ?)"] * len(requests))
        rows = self._db.execute(
            f"WITH k (a, b) AS (VALUES {keys}) SELECT asked_by, command_id, body, answer FROM k "
            "CROSS JOIN answers ON stream = ? AND asked_by = k.a AND command_id = k.b",
            (*(part for request in requests for part in request.key), name),
        )
        return {(by, id_): (body, answer) for by, id_, body, answer in rows}

    def _vouchers(self, requests: Sequence[Request]) -> dict[str, Voucher]:
        named = sorted({v for request in requests if (v := getattr(request.command, "voucher", None))})
        sql = "SELECT cents, expires_at, redeemed_seq IS NOT NULL FROM vouchers WHERE voucher = ?"
        rows = ((voucher, self._db.execute(sql, (voucher,)).fetchone()) for voucher in named)
        return {voucher: Voucher(row[0], row[1], bool(row[2])) for voucher, row in rows if row}

    def _open_order(self, place: str) -> Order:
        row = self._db.execute("SELECT key, nonce, data FROM sealed WHERE place = ?", (place,)).fetchone()
        if row is None:
            raise VaultFault(f"the sealed cards of {place} are missing")
        return unseal(Sealed(key=row[0], nonce=row[1], data=row[2]), self.ring, place=place)

    def _write(self, batch: Batch, written: Written) -> None:
        db, name, point = self._db, batch.stream.name, self._point
        if written.answers:
            db.executemany(_ANSWER, written.answers)
            point("answers")
        if not written.entries:
            return
        db.executemany(_ENTRY, written.entries)
        point("entries")
        db.executemany(_TRANSFER, written.transfers)
        changed = batch.balances.changed
        db.executemany(_BALANCE, [(name, account, cents) for account, cents in changed.items() if cents])
        db.executemany(
            "DELETE FROM balances WHERE stream = ? AND account = ?",
            [(name, a) for a, cents in changed.items() if not cents],
        )
        point("money")
        db.executemany(_ISSUED, [(v, cents, expires, name, seq) for v, cents, expires, seq in written.issued])
        for voucher, seq in written.redeemed:
            if db.execute(_REDEEMED, (name, seq, voucher)).rowcount != 1:
                raise sqlite3.IntegrityError(f"voucher {voucher} was redeemed before")
        for place, order in written.sealed:
            sealed = seal(order, self.ring, place=place)
            db.execute(_SEALED, (name, place, sealed.key, sealed.nonce, sealed.data))
        db.executemany("DELETE FROM sealed WHERE stream = ? AND place = ?", [(name, place) for place in written.opened])
        db.executemany(_SNAPSHOT, [(name, *row) for row in written.snapshots])
        if written.signs:
            key_id, key = self.ring.signer
            batch.signed = [journal.signed(name, seq, hash_, key_id, key) for seq, hash_ in written.signs]
            db.executemany(_HEAD, [(h.stream, h.seq, h.hash, h.key, h.signature) for h in batch.signed])
        state, soonest = batch.state, due(batch.state)
        db.execute(_STREAM, (name, state.seq, batch.head, state.at, soonest.at if soonest else None))
        point("head")

    def _take(self, batch: Batch) -> None:
        """After the commit: memory follows, heads go to their file, watchers are told."""
        stream, out = batch.stream, batch.out
        batch.settle_in()
        soonest = due(stream.state)
        if soonest is None:
            self._due.pop(stream.name, None)
        else:
            self._due[stream.name] = soonest.at
        if not out.entries:
            return
        self._append_heads([*batch.signed, journal.Head(stream=stream.name, seq=stream.state.seq, hash=stream.head)])
        self._point("heads")
        for watch in self.watchers:
            try:
                watch(stream.name, out.read)
            except Exception:
                _log.exception("a watcher failed")

    def _append_heads(self, heads: Sequence[journal.Head]) -> None:
        try:
            os.write(self._heads, b"".join(journal.canonical(head) + b"\n" for head in heads))
            if any(head.signature for head in heads):
                os.fsync(self._heads)
        except OSError as error:  # the commit stands; the next start writes what is missing
            _log.error("cannot write the file of heads: %s", error)

    def _mend_heads(self) -> None:
        """A crash can leave the file behind the database, or with half a line; write where every stream stands."""
        data = self.heads_path.read_bytes()
        if data and not data.endswith(b"\n"):
            os.ftruncate(self._heads, data.rfind(b"\n") + 1)
        known = set(data.splitlines())
        rows = self._db.execute("SELECT stream, seq, hash, key, signature FROM heads ORDER BY stream, seq").fetchall()
        signed = [journal.Head(stream=s, seq=n, hash=h, key=k, signature=x) for s, n, h, k, x in rows]
        heads = [
            journal.Head(stream=s, seq=n, hash=h)
            for s, n, h in self._db.execute("SELECT stream, seq, hash FROM streams")
        ]
        missing = [head for head in [*signed, *heads] if journal.canonical(head) not in known]
        if missing:
            self._append_heads(missing)


def _deliver(taken: Sequence[tuple[Request, Any]], replies: Sequence[Answer | Refusal]) -> None:
    by_loop = dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Answer], Answer | Refusal]]]()
    for (_, future), reply in zip(taken, replies, strict=True):
        if isinstance(future, Future):
            _finish(future, reply)
        else:
            by_loop.setdefault(future.get_loop(), []).append((future, reply))
    for loop, pairs in by_loop.items():
        with suppress(RuntimeError):  # a loop that is closed has nobody left to tell
            loop.call_soon_threadsafe(_finish_all, pairs)


def _finish_all(pairs: Sequence[tuple[asyncio.Future[Answer], Answer | Refusal]]) -> None:
    for future, reply in pairs:
        if not future.done():
            _finish(future, reply)


def _finish(future: Any, reply: Answer | Refusal) -> None:
    if isinstance(reply, Answer):
        future.set_result(reply)
    else:
        future.set_exception(reply)


def _loaded(db: sqlite3.Connection, name: str) -> Stream:
    """A stream from its last snapshot that this program can read, and the entries since."""
    stream = Stream.empty(name)
    rows = db.execute("SELECT seq, hash, data FROM snapshots WHERE stream = ? ORDER BY seq DESC LIMIT 1", (name,))
    for seq, hash_, data in rows:
        with suppress(KeyError, AssertionError, msgspec.MsgspecError, Refusal):
            plain: Mapping[str, Any] = msgspec.json.decode(data)
            if journal.hash_of(data) == hash_ and plain["state"]["snapshot"] == SNAPSHOT:
                stream = Stream(name, load(plain["state"]), dict(plain["balances"]), plain["head"])
                assert stream.state.seq == seq
    _caught_up(db, stream)
    return stream


def _caught_up(db: sqlite3.Connection, stream: Stream) -> None:
    after = stream.state.seq
    rows = db.execute("SELECT seq, data FROM entries WHERE stream = ? AND seq > ? ORDER BY seq", (stream.name, after))
    for entry, head in journal.chained(rows, stream.name, seq=after, head=stream.head, at=stream.state.at):
        stream.follow(entry, head)


def beside(path: Path, what: str) -> Path:
    return path.with_name(f"{path.name}.{what}")
