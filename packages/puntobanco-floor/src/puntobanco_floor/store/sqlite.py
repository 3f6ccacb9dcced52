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
from time import monotonic, sleep

from immutables import Map
from msgspec.structs import astuple

from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.domain.events import ClockStepped
from puntobanco_floor.domain.machine import Machine, S, State, Voucher, begun_in
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.journal.sealed_shoes import Sealed
from puntobanco_floor.store.batch import (
    Batch,
    Reply,
    Request,
    Stream,
    ToWrite,
    look_back,
    names_vouchers,
    restore,
    vouchers_named,
)
from puntobanco_floor.store.errors import AskedBefore, BadDatabase, InDoubt, NotStored, first_line
from puntobanco_floor.store.schema_upgrade import migrate
from puntobanco_floor.store.sqlite_file import beside, connect
from puntobanco_floor.store.sqlite_transaction import (
    ENTRIES_AFTER,
    ENTRIES_UPTO,
    LAST_SNAPSHOT,
    SEALED_AGAIN,
    STREAMS,
    VOUCHER,
    commit,
    copy_log_to_database,
    given,
    hash_at,
    head_of,
    is_damage,
    last_head,
    probe,
    standing,
    time_of,
    write,
)
from puntobanco_floor.store.store import (
    MAX_BATCH,
    MAX_WAITING,
    RETRY_MS,
    HeadsFile,
    Store,
    Waiter,
    behind,
    deliver,
    log,
)
from puntobanco_floor.store.table_clock import TableTime
from puntobanco_floor.store.vouchers import NONE_REDEEMED, Kept, Redeemed
from puntobanco_proof.entry.format import NOTHING, Fault, Row
from puntobanco_proof.entry.heads import Head

LOOKUP_S, LOOKUP_PAUSE_S = 5.0, 0.01
"""How long a lookup waits for commands that are queued, and how often it looks."""

LOOK_S = 1.0
"""How often the writer looks for entries of another process, such as an administrator's."""


class SqliteStore(Store):
    """Many tables in one file, by one process."""

    _lost = (sqlite3.Error, OSError)

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
        self.path, self.database, self.clock = path, str(path), clock
        migrate(str(path))
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
        self._db = connect(path)
        copy_log_to_database(self._db)
        self._is_writing = False  # whether the writer has a batch in hand
        self._ended = ""  # why nothing is written any more, after a commit in doubt
        self._streams = dict[str, Stream[State]]()
        rows = self._db.execute("SELECT stream, due_at FROM streams").fetchall()
        self._due = {stream: due_at for stream, due_at in rows if isinstance(due_at, int)}
        self._told = standing(self._db)
        self._version, self._look_at = self._data_version(), 0.0
        self._time = time or TableTime()
        self._append_heads([], sync=False)
        self._time.resume(self._file_heads(), ahead=self._ahead(), anew=clock)
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

    def wait_for_commits(self, name: str) -> None:
        until = monotonic() + LOOKUP_S
        while self._is_writing or name in [request.stream for request, _ in list(self._waiting)]:
            if self._ended or monotonic() > until:
                raise InDoubt
            sleep(LOOKUP_PAUSE_S)

    def _put(self, request: Request, future: Waiter) -> None:
        if self._closing or self._ended:
            raise NotStored(self._ended or "the store is closed")
        if len(self._waiting) >= MAX_WAITING:
            raise NotStored("too many commands are waiting; try again")
        self._waiting.append((request, future))
        if not self._wake.is_set():
            self._wake.set()
        if (self._closing or self._ended) and not self._writer.is_alive():
            self._turn_away()

    def _read_apart(self, name: str, machine: Machine[S]) -> Stream[S]:
        seen = self._heads.last.get(name)  # before the view: the writer goes on meanwhile
        with closing(connect(self.path, read_only=True)) as db:
            db.execute("BEGIN")  # one view: the entries, and the head that was signed with them
            return self._loaded(db, name, machine, seen)

    def standing(self) -> dict[str, int]:
        with closing(connect(self.path, read_only=True)) as db:
            return standing(db)

    def entries(self, stream: str, *, after: int = 0) -> Iterator[Row]:
        with closing(connect(self.path, read_only=True)) as db:
            yield from db.execute(ENTRIES_AFTER, (stream, after))

    def _seal_all_again(self) -> None:
        with closing(connect(self.path)) as db:
            db.execute("BEGIN IMMEDIATE")
            rows = db.execute("SELECT stream, place, key, nonce, data FROM sealed").fetchall()
            for stream, place, key, nonce, data in rows:
                again = self._sealed_again(place, Sealed(key=key, nonce=nonce, data=data))
                if again is not None:
                    db.execute(SEALED_AGAIN, (*astuple(again), stream, place))
            commit(db, {})

    def close(self) -> None:
        """What waits is still answered."""
        if self._closing:
            return
        self._closing = True
        self._wake.set()
        self._writer.join()
        self._turn_away()
        self._db.close()
        self._close_files()

    def _turn_away(self) -> None:
        """What came after the writer's last look."""
        with suppress(IndexError):
            while True:
                why = self._ended or "the store is closed"
                deliver([self._waiting.popleft()], [NotStored(why)])

    # The writer

    def _write_on(self) -> None:
        while True:
            try:
                if not self._step():
                    return
            except Exception:  # it serves every table: nothing may end it
                log.exception("writer failed, a fault of this program; it goes on")
                sleep(RETRY_MS / 1000)

    def _step(self) -> bool:
        """Wait for something to do, and do it; false once the store closes and nothing waits."""
        self._wake.wait(self._pause())
        self._wake.clear()
        self._look()
        if not self._ended and (self._waiting or self._owed()):
            self._batch()
            if self._waiting:
                self._wake.set()
            return True
        if self._ended:
            self._turn_away()
        return not (self._closing or self._ended)

    def corrected(self, wall_ms: int) -> int:
        return wall_ms - self.clock_ahead_ms

    def _pause(self) -> float | None:
        if self._closing:
            return 0
        soonest = min(self._due.values(), default=None) if self.clock else None
        if soonest is None:
            return LOOK_S
        wait_s: float = (soonest - self._time.now()) / 1000
        return min(LOOK_S, max(0.0, wait_s))

    def _data_version(self) -> int:
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def _look(self) -> None:
        """Tell watchers, and the clock, of what another process has written."""
        if monotonic() < self._look_at:
            return
        self._look_at = monotonic() + LOOK_S
        self._look_at_clock(self._time.look())
        if self.failing:
            self._probe()
        try:
            version = self._data_version()
            if version == self._version:
                return
            self._db.execute("BEGIN")  # one view: entries, and the heads signed with them
            rows = self._db.execute(STREAMS).fetchall()
            for name, seq in rows:
                try:
                    with self._rows_of(name):
                        self._hear(name, seq)
                except Fault as fault:  # the others are told all the same
                    self._block(name, fault)
            self._version = version
        except sqlite3.Error as error:  # whoever writes there next will hear of it
            log.error("reading entries of another process failed: %s; retried", first_line(error))
        finally:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")

    def _hear(self, name: str, seq: int) -> None:
        """Follow what another process wrote up to this entry, and tell watchers."""
        after = self._told.get(name, 0)
        if seq <= after:
            return
        stream = self._current(name)  # what no node has signed is told to nobody
        found = self._db.execute(ENTRIES_AFTER, (name, after))
        entries = [self._entry(name, n, data) for n, data in found]
        self._set_due(name, stream.due_at)
        self._told[name] = stream.state.seq
        self._tell(name, entries)

    def _set_due(self, name: str, due_at: int | None) -> None:
        if due_at is None:
            self._due.pop(name, None)
        else:
            self._due[name] = due_at

    def _owed(self) -> list[str]:
        """The streams whose clock is due; none while the store closes."""
        if self._closing or not self.clock:
            return []
        now = self._time.now()
        return [stream for stream, at in self._due.items() if at <= now]

    def _batch(self) -> None:
        self._is_writing = True  # before they leave the queue: a lookup sees them here or there
        try:
            taken = [self._waiting.popleft() for _ in range(min(MAX_BATCH, len(self._waiting)))]
            deliver(taken, self._replies([request for request, _ in taken], self._owed()))
        finally:
            self._is_writing = False

    def _replies(self, requests: Sequence[Request], owed: Sequence[str]) -> list[Reply]:
        """Store all in one transaction; after a fault of ours, each in one of its own."""
        if self._ended:
            return [NotStored(self._ended)] * len(requests)
        try:
            return self._stored(requests, owed)
        except InDoubt as doubt:
            self._end(doubt)
            return [doubt] * len(requests)
        except Exception as error:
            self._recover()
            if isinstance(error, OSError) or type(error) in (
                sqlite3.OperationalError,
                sqlite3.DatabaseError,
            ):
                reason = first_line(error)
                self._write_failed(reason, is_damaged=is_damage(error))
                return [NotStored(f"nothing was stored: {reason}; try again")] * len(requests)
            if len(requests) + len(owed) > 1:
                for stream in owed:
                    self._replies([], [stream])
                return [reply for request in requests for reply in self._replies([request], [])]
            log.exception("batch failed, a fault of this program; nothing stored")
            return [NotStored("a fault in this program; nothing was stored")] * len(requests)

    def _end(self, doubt: InDoubt) -> None:
        """Write no more: the next process to open the file finds out what it holds."""
        why = first_line(doubt.__cause__ or doubt)
        self._ended = f"stopped after an I/O error in a commit: {why}; start it again"
        log.critical(
            "commit to %s failed: %s; this process stops, since it is not known whether the commit "
            "was stored: check the disk, then start it again, and the file decides",
            self.path,
            why,
        )
        self._set_failing(why)
        self.on_stopped(why)

    def _probe(self) -> None:
        """While writes fail, try one: a node that is not ready may get no command to try."""
        try:
            probe(self._db)
        except InDoubt as doubt:
            self._end(doubt)
        except sqlite3.Error as error:
            self._write_failed(first_line(error), is_damaged=is_damage(error))
        else:
            self._write_succeeded()

    def _recover(self) -> None:
        """Drop the copies in memory, because the journal decides; retry the clock's steps later."""
        with suppress(sqlite3.Error):
            self._db.execute("ROLLBACK")
        self._streams.clear()
        now = self._time.now()
        self._due = {
            stream: now + RETRY_MS if at <= now else at for stream, at in self._due.items()
        }

    def _stored(self, requests: Sequence[Request], owed: Sequence[str]) -> list[Reply]:
        """Decide and write all of it; the answers are true when this returns."""
        try:
            return self._transacted(requests, owed)
        except AskedBefore:
            self._db.execute("ROLLBACK")
            look_back(self._streams, [request.stream for request in requests])
            return self._transacted(requests, owed)

    def _transacted(self, requests: Sequence[Request], owed: Sequence[str]) -> list[Reply]:
        """One transaction: each stream at its head; decide; write; commit."""
        db, point = self._db, self._point
        point("begin")
        db.execute("BEGIN IMMEDIATE")
        now = self._time.now()  # after the wait for the lock: what waited past a deadline is late
        by_clock = self._look_at_clock(self._time.ahead_ms)
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
        replies = dict[int, Reply]()  # by the place of their requests
        for name, places in by_stream.items():
            own = [requests[i] for i in places]
            try:
                stream = self._current(name)
                self._may_write(stream)
            except Fault as fault:  # this stream stands still, the others go on
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
                clock=self.clock and by_clock,
                mixers=self.mixers,
                is_behind=bool(self.behind),
            )
            batch.is_stuck = not by_clock
            if name == FLOOR and steps:
                batch.note(*steps)
            written = batch.run(own, given(db, stream, own))
            self._write(batch, written)
            replies.update(zip(places, written.replies, strict=True))
            batches.append(batch)
        point("commit")
        began = monotonic()
        commit(db, {batch.stream.name: batch.stream.state.seq for batch in batches})
        self._write_succeeded()
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
        return [replies[i] for i in range(len(requests))]

    def _block(self, name: str, fault: Fault) -> None:
        self._stopped(name, fault)
        self._streams.pop(name, None)
        if name in self._due:
            self._due[name] = self._time.now() + RETRY_MS

    def _ahead(self) -> int:
        """How far table time was ahead of the wall clock when last set, by the journal."""
        rows = self._db.execute(
            "SELECT seq, data FROM entries WHERE stream = ? ORDER BY seq DESC", (FLOOR,)
        )
        with suppress(Fault):  # whoever writes to that stream will hear of it
            for seq, data in rows:
                for noted in reversed(self._entry(FLOOR, seq, data).events):
                    if isinstance(noted, ClockStepped):
                        return noted.table_ms - noted.wall_ms
        return 0

    def _current(self, name: str) -> Stream[State]:
        """The stream at its head; caught up when another process has written."""
        with self._rows_of(name):
            return self._at_head(name)

    def _at_head(self, name: str) -> Stream[State]:
        row = self._db.execute("SELECT seq, hash FROM streams WHERE stream = ?", (name,)).fetchone()
        seq, hash_ = row or (0, NOTHING)
        # not kept until it is verified: else what it followed last, and nobody has signed, would
        # be taken for known the next time
        known = self._streams.pop(name, None)
        if known is None:
            machine = self.definitions.machine_of(name)
            known = self._loaded(self._db, name, machine, self._heads.last.get(name))
        elif known.state.seq < seq:
            self._caught_up(self._db, known, self._heads.last.get(name))
        elif known.state.seq > seq:
            raise behind(name, seq, known.state.seq)
        self._streams[name] = known
        if (known.state.seq, known.head) != (seq, hash_):
            raise Fault(
                "the head of the stream is not the last entry", stream=name, seq=known.state.seq
            )
        self._goes_on(name)
        return known

    def _floor_epoch(self, db: sqlite3.Connection) -> int:
        """In which a new stream begins. Read anew, and not kept: what this transaction wrote to the
        house's stream may not be committed yet.
        """
        house = self._restored(db, FLOOR, self.definitions.house)
        self._signed(db, house)
        seen = self._heads.last.get(FLOOR)
        if seen is not None:
            self._remembered(house, seen, hash_at(db, FLOOR, seen.seq))
        return house.state.epoch

    def _redeemed(self) -> Redeemed:
        """Of every stream that the database has or that this node remembers, read to its end."""
        found, is_whole = list[Map[str, int]](), True
        standing = self._db.execute(STREAMS).fetchall()
        for name in {*self._heads.last, *(name for name, _ in standing)}:
            try:
                found.append(self._current(name).state.redeemed)
            except Fault as fault:
                self._not_proved(name, fault)
                is_whole = False
        # a node that is behind, or a fork, cannot know what was redeemed elsewhere
        return Redeemed(tuple(found), is_whole and not self.behind)

    def _vouchers(
        self, stream: Stream[State], requests: Sequence[Request], redeemed: Redeemed
    ) -> dict[str, Voucher]:
        found = dict[str, Voucher]()
        for voucher in vouchers_named(stream, requests):
            for row in self._db.execute(VOUCHER, (voucher,)).fetchall():
                kept = Kept(*row)
                try:
                    with self._rows_of(kept.stream):
                        believed = self._issued(voucher, kept, redeemed)
                except Fault as fault:
                    log.error("voucher %s refused: its stream is blocked: %s", voucher, fault)
                    continue
                if believed is not None:
                    found[voucher] = believed
        return found

    def _issued(self, voucher: str, kept: Kept, redeemed: Redeemed) -> Voucher | None:
        """A voucher as its issuing entry has it; None where no node has signed that."""
        db, name = self._db, kept.stream
        head = head_of(db, name, kept.seq)
        upto = head.seq if head else 0
        rows = db.execute(ENTRIES_UPTO, (name, kept.seq - 1, upto)).fetchall()
        stream = self._streams.get(name)
        # read anew, and not kept: what this transaction wrote there may not be committed yet
        if stream is None or stream.state.seq < upto:
            stream = self._restored(db, name, self.definitions.machine_of(name))
            self._signed(db, stream)
        return self._believed(voucher, kept, rows, head, stream.state.keys, redeemed)

    def _open_order(self, place: str) -> Order:
        row = self._db.execute(
            "SELECT key, nonce, data FROM sealed WHERE place = ?", (place,)
        ).fetchone()
        return self._unsealed(place, None if row is None else Sealed(*row))

    def _write(self, batch: Batch[State], written: ToWrite) -> None:
        write(self._db, batch, written, self.ring, self._point)

    def _take(self, batch: Batch[State]) -> None:
        """After the commit: memory follows, heads go to their file, watchers are told."""
        stream, out = batch.stream, batch.out
        batch.settle_in()
        due_at = stream.due_at
        if due_at is not None and batch.is_stuck:
            due_at = max(due_at, batch.now + RETRY_MS)
        self._set_due(stream.name, due_at)
        if not out.entries:
            return
        self._append_heads(batch.signed, sync=out.anchors)
        self._point("heads")
        if self._told.get(stream.name, 0) < out.read[0].seq - 1:
            self._hear(stream.name, stream.state.seq)  # another process wrote before this one
            return
        self._told[stream.name] = stream.state.seq
        self._tell(stream.name, out.read)

    def _append_heads(self, heads: Sequence[Head], *, sync: bool) -> None:
        self._heads.file(heads, now_ms=self._time.now(), sync=sync)

    def _file_heads(self) -> int:
        """A crash can leave the file behind the database, and a tail that was cut off then would
        not be missed: what nodes have signed since is verified and filed at the start. The time of
        the last entry of those that hold: table time goes on from there.
        """
        self._db.execute("BEGIN")  # one view: entries, and the heads signed with them
        for name in self._unfiled(self._told):
            try:
                self._current(name)
            except Fault as fault:  # whoever writes there next will hear of it
                self._not_filed(name, fault)
        known = self._heads.last.values()
        last = max((time_of(self._db, head) for head in known), default=0)
        self._db.execute("ROLLBACK")
        return last

    def _loaded(
        self, db: sqlite3.Connection, name: str, machine: Machine[S], seen: Head | None
    ) -> Stream[S]:
        """A stream from its last snapshot, and the entries since."""
        stream = self._restored(db, name, machine)
        self._caught_up(db, stream, seen)
        return stream

    def _restored(self, db: sqlite3.Connection, name: str, machine: Machine[S]) -> Stream[S]:
        return restore(name, machine, db.execute(LAST_SNAPSHOT, (name,)).fetchone())

    def _caught_up(self, db: sqlite3.Connection, stream: Stream[S], seen: Head | None) -> None:
        """Follow what was written since, and compare it with what this node has seen."""
        head = self._signed(db, stream)
        if not stream.state.seq and stream.name != FLOOR:
            epoch = self._floor_epoch(db)
            stream.state = begun_in(epoch, stream.state)
        if seen is not None:
            self._remembered(stream, seen, hash_at(db, stream.name, seen.seq))
        if db is self._db and head is not None and head != self._heads.last.get(stream.name):
            self._append_heads([head], sync=False)

    def _signed(self, db: sqlite3.Connection, stream: Stream[S]) -> Head | None:
        """Follow what was written since; nothing that no node has signed."""
        self._follow(stream, db.execute(ENTRIES_AFTER, (stream.name, stream.state.seq)))
        head = last_head(db, stream.name)
        if stream.state.seq or head is not None:
            self._verified(stream, head)
        return head
