"""The store on SQLite: one writer thread, group commit, write-ahead log with full synchronisation.

A thread takes the commands that wait, decides them batch by batch and commits once for all of them;
only then are they answered. What is in memory is a cache of the journal: whenever a write fails it
is dropped and read back.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic

from immutables import Map
from msgspec.structs import astuple

from puntobanco import journal
from puntobanco.definitions import OURS, Definitions
from puntobanco.events import ClockStepped
from puntobanco.machine import Machine, S, State, Voucher
from puntobanco.names import FLOOR
from puntobanco.storage import sqlite_sql as sql
from puntobanco.storage.batch import (
    Batch,
    Given,
    Reply,
    Request,
    Stream,
    Written,
    kept_answer,
    names_vouchers,
    read_answer,
    vouchers_named,
)
from puntobanco.storage.errors import BadDatabase, NotStored, first_line
from puntobanco.storage.issued import NONE_REDEEMED, Kept, Redeemed
from puntobanco.storage.snapshots import from_snapshot
from puntobanco.storage.sqlite_file import beside, connect, migrated
from puntobanco.storage.store import (
    MAX_BATCH,
    MAX_WAITING,
    RETRY_MS,
    HeadsFile,
    Store,
    Waiter,
    deliver,
    log,
)
from puntobanco.storage.time import TableTime
from puntobanco.vault import Order, Sealed, seal

LOOK_S = 1.0
"""How often the writer looks whether another process has written: an administrator at the command
line, say.
"""


class SqliteStore(Store):
    """Many tables in one file, by one process."""

    def __init__(
        self,
        path: Path,
        *,
        keys: Path | None = None,
        heads: Path | None = None,
        clock: bool = True,
        recovering: bool = False,
        time: TableTime | None = None,
        point: Callable[[str], object] = lambda _: None,
        definitions: Definitions = OURS,
    ) -> None:
        """Keys and heads lie beside the database unless said otherwise; without `clock` tables
        stand still between commands. `point` is called at every step of a write.
        """
        self.path, self.clock = path, clock
        migrated(path)
        self.heads_path = heads or beside(path, "heads")
        super().__init__(
            keys or beside(path, "keys"), self.heads_path, definitions, recovering=recovering
        )
        self._point = point
        try:
            self._heads = HeadsFile(self.heads_path)
        except OSError as error:
            raise BadDatabase(
                f"cannot open the file of heads {self.heads_path}: {first_line(error)}"
            ) from None
        self._mend_at = 0
        self._db = connect(path)
        self._streams = dict[str, Stream[State]]()
        rows = self._db.execute("SELECT stream, at, due_at FROM streams").fetchall()
        self._due = {stream: due_at for stream, _, due_at in rows if due_at is not None}
        self._told = dict[str, int](self._db.execute("SELECT stream, seq FROM streams").fetchall())
        self._version, self._look_at = self._data_version(), 0.0
        self._time = time or TableTime()
        self._time.resume(max((at for _, at, _ in rows), default=0), ahead=self._ahead())
        self._append_heads([], sync=False)
        self._file_heads()
        self._waiting = deque[tuple[Request, Waiter]]()
        self._wake = threading.Event()
        self._closing = False
        self._start_writer()

    def _start_writer(self) -> None:
        """A thread of its own; a simulator drives the writer by hand instead."""
        self._writer = threading.Thread(
            target=self._write_on, name="puntobanco-writer", daemon=True
        )
        self._writer.start()

    # For callers

    def _put(self, request: Request, future: Waiter) -> None:
        if self._closing:
            raise NotStored("the store is closed")
        if len(self._waiting) >= MAX_WAITING:
            raise NotStored("too many commands are waiting; try again")
        self._waiting.append((request, future))
        if not self._wake.is_set():
            self._wake.set()
        if self._closing and not self._writer.is_alive():
            self._turn_away()

    def read(self, name: str, machine: Machine[S]) -> Stream[S]:
        seen = self._heads.last.get(name)  # before the view: the writer goes on meanwhile
        with closing(connect(self.path, read_only=True)) as db:
            db.execute("BEGIN")  # one view: the entries, and the head that was signed with them
            return self._loaded(db, name, machine, seen)

    def held_copy(self, name: str) -> tuple[State, dict[str, int]] | None:
        stream = self._streams.get(name)
        return None if stream is None else (stream.state, stream.balances.copy())

    def names(self) -> list[str]:
        with closing(connect(self.path, read_only=True)) as db:
            return [name for (name,) in db.execute("SELECT stream FROM streams ORDER BY stream")]

    def standing(self) -> dict[str, int]:
        with closing(connect(self.path, read_only=True)) as db:
            return dict(db.execute("SELECT stream, seq FROM streams").fetchall())

    def entries(self, stream: str, *, after: int = 0) -> Iterator[journal.Row]:
        with closing(connect(self.path, read_only=True)) as db:
            yield from db.execute(
                "SELECT seq, data FROM entries WHERE stream = ? AND seq > ? ORDER BY seq",
                (stream, after),
            )

    def _seal_all_again(self) -> None:
        with closing(connect(self.path)) as db:
            db.execute("BEGIN IMMEDIATE")
            rows = db.execute("SELECT stream, place, key, nonce, data FROM sealed").fetchall()
            for stream, place, key, nonce, data in rows:
                again = self._sealed_again(place, Sealed(key=key, nonce=nonce, data=data))
                if again is not None:
                    db.execute(sql.SEALED_AGAIN, (*astuple(again), stream, place))
            db.execute("COMMIT")

    def close(self) -> None:
        """What waits is still answered."""
        if self._closing:
            return
        self._closing = True
        self._wake.set()
        self._writer.join()
        self._turn_away()
        self._db.close()
        self._heads.close()

    def _turn_away(self) -> None:
        """What came after the writer's last look."""
        with suppress(IndexError):
            while True:
                deliver([self._waiting.popleft()], [NotStored("the store is closed")])

    # The writer

    def _write_on(self) -> None:
        while True:
            self._wake.wait(self._pause())
            self._wake.clear()
            self._look()
            if self._waiting or self._owed():
                self._batch()
                if self._waiting:
                    self._wake.set()
            elif self._closing:
                return

    def _pause(self) -> float | None:
        if self._closing:
            return 0
        soonest = min(self._due.values(), default=None) if self.clock else None
        if soonest is None:
            return LOOK_S
        wait_s: float = (soonest - self._time.now()) / 1000
        return min(LOOK_S, max(0.0, wait_s))

    def _data_version(self) -> int:
        """Another number when another connection has written."""
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def _look(self) -> None:
        """Tell watchers, and the clock, of what another process has written."""
        if monotonic() < self._look_at:
            return
        self._look_at = monotonic() + LOOK_S
        try:
            version = self._data_version()
            if version == self._version:
                return
            self._db.execute("BEGIN")  # one view: entries, and the heads signed with them
            rows = self._db.execute("SELECT stream, seq, due_at FROM streams").fetchall()
            for name, seq, due_at in rows:
                after = self._told.get(name, 0)
                if seq > after:
                    try:
                        self._current(name)  # what no node has signed is told to nobody
                    except journal.Fault as fault:  # the others are told all the same
                        self._block(name, fault)
                        continue
                    found = self._db.execute(
                        "SELECT seq, data FROM entries WHERE stream = ? AND seq > ? ORDER BY seq",
                        (name, after),
                    )
                    entries = [self._entry(name, n, data) for n, data in found]
                    if due_at is None:
                        self._due.pop(name, None)
                    else:
                        self._due[name] = due_at
                    self._told[name] = entries[-1].seq
                    self._tell(name, entries)
            self._version = version
        except (sqlite3.Error, journal.Fault) as error:  # whoever writes there next will hear of it
            log.error("reading entries of another process failed: %s; retried", first_line(error))
        finally:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")

    def _owed(self) -> list[str]:
        """The streams whose clock is due; none while the store closes."""
        if self._closing or not self.clock:
            return []
        now = self._time.now()
        return [stream for stream, at in self._due.items() if at <= now]

    def _batch(self) -> None:
        taken = [self._waiting.popleft() for _ in range(min(MAX_BATCH, len(self._waiting)))]
        deliver(taken, self._replies([request for request, _ in taken], self._owed()))

    def _replies(self, requests: Sequence[Request], owed: Sequence[str]) -> list[Reply]:
        """All in one transaction. A fault of ours is found by trying one by one, so that it strikes
        nobody else.
        """
        try:
            return self._stored(requests, owed)
        except Exception as error:
            self._recover()
            if isinstance(error, OSError) or type(error) in (
                sqlite3.OperationalError,
                sqlite3.DatabaseError,
            ):
                return [NotStored(f"nothing was stored: {first_line(error)}; try again")] * len(
                    requests
                )
            if len(requests) + len(owed) > 1:
                for stream in owed:
                    self._replies([], [stream])
                return [reply for request in requests for reply in self._replies([request], [])]
            log.exception("batch failed, a fault of this program; nothing stored")
            return [NotStored("a fault in this program; nothing was stored")] * len(requests)

    def _recover(self) -> None:
        """Trust nothing in memory: the journal says what is so. What the clock owes is tried again,
        but not at once.
        """
        with suppress(sqlite3.Error):
            self._db.execute("ROLLBACK")
        self._streams.clear()
        now = self._time.now()
        self._due = {
            stream: now + RETRY_MS if at <= now else at for stream, at in self._due.items()
        }

    def _stored(self, requests: Sequence[Request], owed: Sequence[str]) -> list[Reply]:
        """Decide and write all of it in one transaction; the answers are true when this returns."""
        db, point = self._db, self._point
        point("begin")
        db.execute("BEGIN IMMEDIATE")
        now = self._time.now()  # after the wait for the lock: what waited past a deadline is late
        by_stream = dict[str, list[int]]()
        steps = list(self._time.steps)
        if steps:
            by_stream[FLOOR] = []
        by_stream |= {stream: [] for stream in owed}
        for i, request in enumerate(requests):
            by_stream.setdefault(request.stream, []).append(i)
        # before anything is written: a stream read after that would hold what may be rolled back
        redeemed = self._redeemed() if names_vouchers(requests) else NONE_REDEEMED
        batches = list[Batch[State]]()
        replies: list[Reply] = [NotStored("not reached")] * len(requests)
        for name, places in by_stream.items():
            own = [requests[i] for i in places]
            try:
                stream = self._current(name)
                self._may_write(stream)
            except journal.Fault as fault:  # this stream stands still, the others go on
                self._block(name, fault)
                steps = [] if name == FLOOR else steps
                for i in places:
                    replies[i] = NotStored(
                        f"the journal does not hold: {fault.reason}; nothing was stored"
                    )
                continue
            batch = Batch(
                stream,
                now,
                node=self.node,
                load=self._open_order,
                vouchers=self._vouchers(stream, own, redeemed),
                clock=self.clock,
            )
            if name == FLOOR and steps:
                noted = [ClockStepped(wall_ms=s.wall_ms, table_ms=s.table_ms) for s in steps]
                batch.note(*noted)
            written = batch.run(own, self._answers(name, own))
            self._write(batch, written)
            for i, reply in zip(places, written.replies, strict=True):
                replies[i] = reply
            batches.append(batch)
        point("commit")
        began = monotonic()
        db.execute("COMMIT")
        self.work.commit_s.observe(monotonic() - began)
        self.work.batch_size.observe(len(requests))
        self.work.entries += sum(len(batch.out.entries) for batch in batches)
        point("committed")
        del self._time.steps[: len(steps)]
        for batch in batches:
            try:
                self._take(batch)
            except Exception:  # it is stored: say so, and read memory back from the journal
                log.exception(
                    "stream %s: stored, but memory not updated; read back from the journal",
                    batch.stream.name,
                )
                self._streams.pop(batch.stream.name, None)
        point("answer")
        return replies

    def _block(self, name: str, fault: journal.Fault) -> None:
        self._stopped(name, fault)
        self._streams.pop(name, None)
        if name in self._due:
            self._due[name] = self._time.now() + RETRY_MS

    def _ahead(self) -> int:
        """How far table time ran ahead of the wall clock when that was last set, as the journal has
        it.
        """
        rows = self._db.execute(
            "SELECT seq, data FROM entries WHERE stream = ? ORDER BY seq DESC", (FLOOR,)
        )
        with suppress(journal.Fault):  # whoever writes to that stream will hear of it
            for seq, data in rows:
                for noted in reversed(self._entry(FLOOR, seq, data).events):
                    if isinstance(noted, ClockStepped):
                        return noted.table_ms - noted.wall_ms
        return 0

    def _current(self, name: str) -> Stream[State]:
        """The stream at its head; caught up when another process has written."""
        row = self._db.execute("SELECT seq, hash FROM streams WHERE stream = ?", (name,)).fetchone()
        # not kept until it is verified: else what it followed last, and nobody has signed, would
        # be taken for known the next time
        known = self._streams.pop(name, None)
        if known is None:
            machine = self.definitions.machine_of(name)
            known = self._loaded(self._db, name, machine, self._heads.last.get(name))
        elif row is not None and known.state.seq < row[0]:
            self._caught_up(self._db, known, self._heads.last.get(name))
        self._streams[name] = known
        if (known.state.seq, known.head) != (row or (0, journal.NOTHING)):
            raise journal.Fault(
                "the head of the stream is not the last entry", stream=name, seq=known.state.seq
            )
        self._goes_on(name)
        return known

    def _answers(self, name: str, requests: Sequence[Request]) -> Given:
        """Answers given before to commands of these ids."""
        if not requests:
            return {}
        keys = ", ".join(["(?, ?)"] * len(requests))
        rows = self._db.execute(
            f"WITH k (a, b) AS (VALUES {keys}) SELECT asked_by, command_id, body, answer FROM k "
            "CROSS JOIN answers ON stream = ? AND asked_by = k.a AND command_id = k.b",
            (*(part for request in requests for part in request.key), name),
        )
        found = dict[tuple[str, str], tuple[bytes, Reply]]()
        for by, id_, body, kept in rows.fetchall():
            seq = read_answer(kept).seq
            entry = _data(self._db, name, seq)
            row = self._db.execute(sql.HEAD_OF, (name, seq)).fetchone()
            head = row and journal.Head(*row)
            found[by, id_] = (body, kept_answer(by, id_, kept, entry, head))
        return found

    def _redeemed(self) -> Redeemed:
        """Of every stream that the database has or that this node remembers, read to its end."""
        found, is_whole = list[Map[str, int]](), True
        standing = self._db.execute("SELECT stream FROM streams").fetchall()
        for name in {*self._heads.last, *(name for (name,) in standing)}:
            try:
                found.append(self._current(name).state.redeemed)
            except journal.Fault as fault:
                self._not_proved(name, fault)
                is_whole = False
        return Redeemed(tuple(found), is_whole)

    def _vouchers(
        self, stream: Stream[State], requests: Sequence[Request], redeemed: Redeemed
    ) -> dict[str, Voucher]:
        found = dict[str, Voucher]()
        for voucher in vouchers_named(stream, requests):
            for row in self._db.execute(sql.VOUCHER, (voucher,)).fetchall():
                believed = self._issued(voucher, Kept(*row), redeemed)
                if believed is not None:
                    found[voucher] = believed
        return found

    def _issued(self, voucher: str, kept: Kept, redeemed: Redeemed) -> Voucher | None:
        """A voucher as its issuing entry has it; None where no node has signed that."""
        db, name = self._db, kept.stream
        row = db.execute(sql.HEAD_OF, (name, kept.seq)).fetchone()
        head = row and journal.Head(*row)
        upto = head.seq if head else 0
        between = "SELECT seq, data FROM entries WHERE stream = ? AND seq BETWEEN ? AND ?"
        rows = db.execute(f"{between} ORDER BY seq", (name, kept.seq, upto)).fetchall()
        stream = self._streams.get(name)
        try:
            # read anew, and not kept: what this transaction wrote there may not be committed yet
            if stream is None or stream.state.seq < upto:
                stream = self._restored(db, name, self.definitions.machine_of(name))
                self._signed(db, stream)
        except journal.Fault as fault:
            log.error("voucher %s refused: stream %s is blocked: %s", voucher, name, fault)
            return None
        return self._believed(voucher, kept, rows, head, stream.state.keys, redeemed)

    def _open_order(self, place: str) -> Order:
        row = self._db.execute(
            "SELECT key, nonce, data FROM sealed WHERE place = ?", (place,)
        ).fetchone()
        return self._unsealed(place, None if row is None else Sealed(*row))

    def _write(self, batch: Batch[State], written: Written) -> None:
        db, name, point = self._db, batch.stream.name, self._point
        if written.answers:
            db.executemany(sql.ANSWER, written.answers)
            point("answers")
        if not written.entries:
            return
        db.executemany(sql.ENTRY, written.entries)
        point("entries")
        db.executemany(sql.TRANSFER, written.transfers)
        changed = batch.balances.changed
        db.executemany(
            sql.BALANCE, [(name, account, cents) for account, cents in changed.items() if cents]
        )
        db.executemany(
            "DELETE FROM balances WHERE stream = ? AND account = ?",
            [(name, a) for a, cents in changed.items() if not cents],
        )
        point("money")
        db.executemany(
            sql.ISSUED,
            [(v, cents, expires, name, seq) for v, cents, expires, seq in written.issued],
        )
        for voucher, seq in written.redeemed:
            if db.execute(sql.REDEEMED, (name, seq, voucher)).rowcount != 1:
                raise sqlite3.IntegrityError(f"voucher {voucher} was redeemed before")
        for place, order in written.sealed:
            sealed = seal(order, self.ring, place=place)
            db.execute(sql.SEALED, (name, place, *astuple(sealed)))
        db.executemany(
            "DELETE FROM sealed WHERE stream = ? AND place = ?",
            [(name, place) for place in written.opened],
        )
        db.executemany(sql.SNAPSHOT, [(name, *row) for row in written.snapshots])
        db.executemany(sql.HEAD, map(astuple, batch.sign()))
        db.execute(sql.STREAM, (name, batch.state.seq, batch.head, batch.state.at, batch.due_at))
        point("head")

    def _take(self, batch: Batch[State]) -> None:
        """After the commit: memory follows, heads go to their file, watchers are told."""
        stream, out = batch.stream, batch.out
        batch.settle_in()
        due_at = stream.due_at
        if due_at is None:
            self._due.pop(stream.name, None)
        else:
            if batch.is_stuck:
                due_at = max(due_at, batch.now + RETRY_MS)
            self._due[stream.name] = due_at
        if not out.entries:
            return
        self._append_heads(batch.signed, sync=out.anchors)
        self._point("heads")
        self._told[stream.name] = stream.state.seq
        self._tell(stream.name, out.read)

    def _append_heads(self, heads: Sequence[journal.Head], *, sync: bool) -> None:
        """The commit stands whatever becomes of this file: what cannot be written now is mended
        later.
        """
        try:
            if self._heads.is_whole:
                self._heads.append(heads, sync=sync)
                return
            for head in heads:
                self._heads.know(head)
            if self._time.now() >= self._mend_at:
                self._heads.mend()
        except OSError as error:
            self._mend_at = self._time.now() + RETRY_MS
            log.error("heads file not written: %s; check the disk, retried", first_line(error))

    def _file_heads(self) -> None:
        """A crash can leave the file behind the database, and a tail that was cut off then would
        not be missed: what nodes have signed since is verified and filed at the start.
        """
        self._db.execute("BEGIN")  # one view: entries, and the heads signed with them
        for name in self._unfiled(self._told):
            try:
                self._current(name)
            except journal.Fault as fault:  # whoever writes there next will hear of it
                self._not_filed(name, fault)
        self._db.execute("ROLLBACK")

    def _loaded(
        self, db: sqlite3.Connection, name: str, machine: Machine[S], seen: journal.Head | None
    ) -> Stream[S]:
        """A stream from its last snapshot, and the entries since."""
        stream = self._restored(db, name, machine)
        self._caught_up(db, stream, seen)
        return stream

    def _restored(self, db: sqlite3.Connection, name: str, machine: Machine[S]) -> Stream[S]:
        """A stream at its last snapshot, if this program reads it and the journal has its hash."""
        house = _last_head(db, FLOOR)
        # a new stream begins in the floor's epoch; of another its first entry says it
        stream = Stream.empty(name, machine, house.epoch if house else 1)
        rows = db.execute(
            "SELECT s.seq, s.data, e.data FROM snapshots s JOIN entries e ON e.stream = "
            "s.stream AND e.seq = s.seq + 1 "
            "WHERE s.stream = ? ORDER BY s.seq DESC LIMIT 1",
            (name,),
        )
        for seq, data, sealing in rows:
            stream = from_snapshot(name, machine, seq, data, sealing) or stream
        return stream

    def _caught_up(
        self, db: sqlite3.Connection, stream: Stream[S], seen: journal.Head | None
    ) -> None:
        """Follow what was written since, and compare it with what this node has seen."""
        head = self._signed(db, stream)
        if seen is not None:
            self._remembered(stream, seen, _hash_at(db, stream.name, seen.seq))
        if db is self._db and head is not None and head != self._heads.last.get(stream.name):
            self._append_heads([head], sync=False)

    def _signed(self, db: sqlite3.Connection, stream: Stream[S]) -> journal.Head | None:
        """Follow what was written since; nothing that no node has signed."""
        rows = db.execute(
            "SELECT seq, data FROM entries WHERE stream = ? AND seq > ? ORDER BY seq",
            (stream.name, stream.state.seq),
        )
        self._follow(stream, rows)
        head = _last_head(db, stream.name)
        if stream.state.seq:
            self._verified(stream, head)
        return head


def _last_head(db: sqlite3.Connection, stream: str) -> journal.Head | None:
    row = db.execute(sql.LAST_HEAD, (stream,)).fetchone()
    return row and journal.Head(*row)


def _data(db: sqlite3.Connection, stream: str, seq: int) -> bytes | None:
    wanted = "SELECT data FROM entries WHERE stream = ? AND seq = ?"
    for (data,) in db.execute(wanted, (stream, seq)):
        return bytes(data)
    return None


def _hash_at(db: sqlite3.Connection, stream: str, seq: int) -> str | None:
    """The hash of an entry as it stands in the database."""
    data = _data(db, stream, seq)
    return None if data is None else journal.entry_hash(data)
