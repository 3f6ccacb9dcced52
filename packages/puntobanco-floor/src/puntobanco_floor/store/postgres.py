"""The store on PostgreSQL: any number of nodes on one database, none of them special.

A node takes the commands that wait for a stream, locks its head row, catches up with what others
wrote, reads the database's clock, applies what is due, decides, writes all in bulk and commits;
then it answers. Nodes give each other hints (`postgres_notify`), and every node also looks twice a
second. A node that freezes inside a transaction is cut off by the server after a second, and finds
its connection gone when it wakes. An event loop in a thread of its own does the work.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TypeVar

import asyncpg
from msgspec.structs import astuple

from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.machine import Machine, S, State, Voucher, begun_in
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.journal.sealed_shoes import Sealed
from puntobanco_floor.store import schema
from puntobanco_floor.store.batch import Batch, Reply, Request, Stream, look_back, vouchers_named
from puntobanco_floor.store.errors import (
    AskedBefore,
    BadDatabase,
    CommitInDoubt,
    InDoubt,
    NotStored,
    first_line,
)
from puntobanco_floor.store.postgres_notify import LOST, Hints
from puntobanco_floor.store.postgres_transaction import (
    ALL_SEALED,
    CANCELLING,
    CREATE,
    LOCK,
    NOW,
    REJECTED,
    SETTINGS,
    VOUCHERS,
    commit,
    given,
    head_of,
    loaded,
    one_view,
    sealed_cards,
    since,
    write,
)
from puntobanco_floor.store.store import (
    MAX_BATCH,
    MAX_WAITING,
    RETRY_MS,
    HeadsFile,
    Since,
    Store,
    Waiter,
    behind,
    deliver,
    log,
)
from puntobanco_floor.store.table_clock import DatabaseTime
from puntobanco_floor.store.vouchers import Kept, Redeemed
from puntobanco_proof.entry.format import NOTHING, Fault, Row
from puntobanco_proof.entry.heads import Head

POLL_S = 0.5
ATTEMPTS = 4
CONNECTIONS = 8
STREAMS_KEPT = 4_096
MAX_LOOKUPS = 2
"""Outcomes that are looked up at a time; others are told to ask again."""

RESOLVE_S = 5.0
"""So long the outcome of a COMMIT is looked for before its askers are told that it is in doubt."""


T = TypeVar("T")
Point = Callable[[str], object]


class PostgresStore(Store):
    """One node. `keys` is the floor's key ring; `heads` is this node's own file."""

    _lost = LOST

    def __init__(
        self,
        url: str,
        *,
        keys: Path,
        heads: Path,
        notify: bool = True,
        clock: bool = True,
        recovering: bool = False,
        connections: int = CONNECTIONS,
        point: Point = lambda _: None,
        definitions: Definitions = OURS,
    ) -> None:
        super().__init__(keys, heads, definitions, recovering=recovering)
        self.url = self.database = url
        self.notify, self.clock = notify, clock
        self._heads = HeadsFile(heads)
        self._connections, self._point = connections, point
        self._streams = dict[str, Stream[State]]()
        self._time = DatabaseTime()
        self._hints = Hints(url, self._heard)
        self._told = dict[str, int]()  # stream -> the last entry that watchers here know
        self._hearing = dict[str, bool]()  # streams being read, and whether others wrote since
        self._queues = dict[str, deque[tuple[Request, Waiter]]]()
        self._working = dict[str, asyncio.Task[None]]()
        self._timers = dict[str, asyncio.TimerHandle]()
        self._tasks = list[asyncio.Task[None]]()
        self._arrived = deque[tuple[Request, Waiter]]()
        self._lookups = threading.BoundedSemaphore(MAX_LOOKUPS)
        self._doubted = dict[str, set[tuple[str, str]]]()  # stream -> commands in doubt
        self._waiting = 0
        self._closing = False
        self._is_called = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="puntobanco-node", daemon=True
        )
        self._thread.start()
        try:
            self._run(self._begin())
        except BaseException:
            with suppress(Exception):
                self._run(self._end())
            self._stop_loop()
            self._heads.close()
            raise

    # For callers

    def _put(self, request: Request, future: Waiter) -> None:
        if self._closing:
            raise NotStored("the store is closed")
        if self._waiting >= MAX_WAITING:
            raise NotStored("too many commands are waiting; try again")
        self._waiting += 1
        self._arrived.append((request, future))
        if not self._is_called:
            self._is_called = True
            self._loop.call_soon_threadsafe(self._sort)

    def _read_apart(self, name: str, machine: Machine[S]) -> Stream[S]:
        return self._run(self._read(name, machine))

    def standing(self) -> dict[str, int]:
        rows = self._run(self._fetch("SELECT stream, seq FROM streams WHERE seq > 0"))
        return dict(map(tuple, rows))

    def entries(self, stream: str, *, after: int = 0) -> Iterator[Row]:
        yield from map(tuple, self._run(self._fetch(schema.ENTRIES_AFTER, stream, after)))

    def wait_for_commits(self, name: str) -> None:
        if not self._lookups.acquire(blocking=False):  # wagers need the connections, too
            raise InDoubt
        try:
            self._run(self._lock_once(name))
        except (*LOST, CommitInDoubt):
            raise InDoubt from None
        finally:
            self._lookups.release()

    async def _lock_once(self, name: str) -> None:
        self._sort()
        working = self._working.get(name)
        if working is not None:  # what waits here is decided first
            await asyncio.wait({working}, timeout=RESOLVE_S)
            if not working.done():
                raise CommitInDoubt("commands of this stream are waiting")
        async with self._pool.acquire() as connection:
            await connection.execute("BEGIN")
            await connection.fetchrow(LOCK, name)
            await commit(connection)  # it waits for the standby, up to what was read

    def _seal_all_again(self) -> None:
        self._run(self._seal_again())

    def close(self) -> None:
        if self._closing:
            return
        self._closing = True
        with suppress(Exception):
            self._run(self._end())
        self._stop_loop()
        self._close_files()

    def _run(self, work: Coroutine[None, None, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _stop_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    # The node

    async def _begin(self) -> None:
        try:
            self._pool = await asyncpg.create_pool(
                self.url,
                min_size=1,
                max_size=self._connections,
                timeout=10,
                command_timeout=10,
                server_settings=SETTINGS,
                init=self._connected,
                reset=self._given_back,
            )
            await self._verify_role()
            rows = await self._fetch("SELECT stream, seq FROM streams WHERE seq > 0")
            self._told = dict(map(tuple, rows))
            self._heads.mend()
            await self._file_heads()
        except (*LOST, ValueError) as error:
            raise BadDatabase(f"cannot use the database: {first_line(error)}") from None
        self._tasks = [asyncio.create_task(self._poll())] if self.clock else []
        if self.notify and self.clock:
            self._tasks.append(asyncio.create_task(self._hints.run()))

    async def _verify_role(self) -> None:
        """Refuse a role whose settings cancel statements: COMMIT is one of them."""
        for name, setting in await self._fetch(CANCELLING):
            raise BadDatabase(
                f"this role has {name} = {setting} ms, which would cancel a COMMIT that waits for "
                f"its standby; run ALTER ROLE name SET {name} = 0"
            )

    async def _connected(self, _: asyncpg.Connection) -> None:
        self.on_connection()

    async def _given_back(self, _: asyncpg.Connection) -> None:
        """Reset nothing, as the pool would in one more round trip: no setting outlives a commit."""

    async def _file_heads(self) -> None:
        """A node whose file of heads was lost, or is behind, knows again what nodes have signed: it
        is verified and filed at the start.
        """
        for name in self._unfiled(self._told):
            try:
                with self._rows_of(name):
                    stream = await self._read(name, self.definitions.machine_of(name))
            except Fault as fault:  # whoever writes there next will hear of it
                self._not_filed(name, fault)
                continue
            self._told[name] = stream.state.seq
            self._keep(stream)

    async def _end(self) -> None:
        self._sort()
        while self._working:
            await asyncio.wait(list(self._working.values()))
        for handle in self._timers.values():
            handle.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(*LOST):
            await asyncio.wait_for(self._pool.close(), 5)

    async def _fetch(self, sql: str, *values: object) -> list[asyncpg.Record]:
        async with self._pool.acquire() as connection:
            found: list[asyncpg.Record] = await connection.fetch(sql, *values)
            return found

    def _sort(self) -> None:
        """Sort requests into the queues of their streams; each has one worker."""
        self._is_called = False
        while self._arrived:
            request, future = self._arrived.popleft()
            self._queues.setdefault(request.stream, deque()).append((request, future))
        for name, queue in self._queues.items():
            if queue:
                self._wake(name)

    def _wake(self, name: str) -> None:
        if name not in self._working:
            self._working[name] = self._loop.create_task(self._work(name))

    async def _work(self, name: str) -> None:
        """What waits for a stream, batch by batch; once also with nothing, for the clock."""
        queue = self._queues.setdefault(name, deque())
        try:
            while True:
                taken = [queue.popleft() for _ in range(min(MAX_BATCH, len(queue)))]
                replies = await self._replies(name, [request for request, _ in taken])
                self._waiting -= len(taken)
                deliver(taken, replies)
                if not queue:
                    return
        finally:
            del self._working[name]
            if queue:
                self._wake(name)
            else:
                self._queues.pop(name, None)

    async def _replies(self, name: str, requests: Sequence[Request]) -> list[Reply]:
        """Store a batch, and try again when the connection is lost: an id that was stored is
        answered, not done twice. The first transaction that gets the lock of the head row after a
        doubtful COMMIT proves its outcome, since the old one holds that lock until it ends.
        """
        attempt, doubtful_until = 0, 0.0
        while True:
            attempt += 1
            try:
                replies = await self._stored(name, requests)
            except Fault as fault:
                self._block(name, fault)
                why = f"the journal does not hold: {fault.reason}; nothing was stored"
                return self._answer_failed(name, requests, why, is_in_doubt=bool(doubtful_until))
            except CommitInDoubt as error:
                log.warning("stream %s: reply to COMMIT lost: %s; looking it up", name, error)
                doubtful_until = doubtful_until or monotonic() + RESOLVE_S
                is_over = False
            except LOST as error:
                is_final = isinstance(error, asyncpg.IntegrityConstraintViolationError)
                attempts = 1 if name in self.in_doubt else ATTEMPTS  # its lock may be held for long
                is_over = is_final or (not doubtful_until and attempt >= attempts)
                if is_over:
                    log.error(
                        "stream %s: nothing stored: %s; check the database, retried",
                        name,
                        first_line(error),
                    )
            except Exception:
                log.exception(
                    "stream %s: batch failed, a fault of this program; nothing stored", name
                )
                why = "a fault in this program; nothing was stored"
                return self._answer_failed(name, requests, why, is_in_doubt=bool(doubtful_until))
            else:
                self._doubted.pop(name, None)
                self._set_doubt(name, is_in_doubt=False)
                return replies
            self._streams.pop(name, None)
            if is_over or (doubtful_until and monotonic() >= doubtful_until):
                why = "nothing was stored: the database does not answer; try again"
                return self._answer_failed(name, requests, why, is_in_doubt=bool(doubtful_until))
            await asyncio.sleep(min(0.05 * 2 ** (attempt - 1), 1.0))

    def _answer_failed(
        self, name: str, requests: Sequence[Request], why: str, *, is_in_doubt: bool
    ) -> list[Reply]:
        """Answer a batch that failed; if its COMMIT was sent, only that nobody knows."""
        self._streams.pop(name, None)
        self._set_timer(name)  # an empty batch: it gets the lock, and with that the doubt is over
        keys = self._doubted.setdefault(name, set())
        if is_in_doubt:
            keys.update(request.key for request in requests)
            log.error(
                "stream %s: %d commands in doubt: the reply to COMMIT is lost and the database "
                "does not answer; looked up again until it does",
                name,
                len(requests),
            )
            self._set_doubt(name, is_in_doubt=True)
        # a repeat of a doubtful command that fails earlier is as doubtful as before
        return [InDoubt() if request.key in keys else NotStored(why) for request in requests]

    def _block(self, name: str, fault: Fault) -> None:
        self._stopped(name, fault)
        self._streams.pop(name, None)
        self._set_timer(name)

    def _set_timer(self, name: str, seconds: float = RETRY_MS / 1000) -> None:
        old = self._timers.pop(name, None)
        if old is not None:
            old.cancel()
        if not self._closing and self.clock:
            self._timers[name] = self._loop.call_later(seconds, self._ring_timer, name)

    def _ring_timer(self, name: str) -> None:
        self._timers.pop(name, None)
        if not self._closing:
            self._wake(name)

    async def _stored(self, name: str, requests: Sequence[Request]) -> list[Reply]:
        """Decide and write all of it; the answers are true when this returns."""
        try:
            return await self._transacted(name, requests)
        except AskedBefore:
            look_back(self._streams, [name])
            return await self._transacted(name, requests)

    async def _transacted(self, name: str, requests: Sequence[Request]) -> list[Reply]:
        """One transaction: lock the head, then vouchers in order; decide; write; commit."""
        is_sent = False
        try:
            async with self._pool.acquire() as connection:
                batch = await self._prepare(connection, name, requests)
                is_sent = True
                began = monotonic()
                await commit(connection)
                self.work.commit_s.observe(monotonic() - began)
                self.work.batch_size.observe(len(requests))
                self.work.entries += len(batch.out.entries)
                self._point("committed")
        except CommitInDoubt:
            raise
        except Exception as error:  # also a fault of ours: once COMMIT is sent it may be stored
            if is_sent and not isinstance(error, REJECTED):
                raise CommitInDoubt(first_line(error)) from error
            raise
        try:
            self._take(batch)
        except Exception:  # it is stored: say so, and read memory back from the journal
            log.exception(
                "stream %s: stored, but memory not updated; read back from the journal", name
            )
            self._streams.pop(name, None)
        return batch.out.replies

    async def _prepare(
        self, connection: asyncpg.Connection, name: str, requests: Sequence[Request]
    ) -> Batch[State]:
        """Begin, decide and write, up to COMMIT; roll back if any of it fails."""
        self._point("begin")
        await connection.execute("BEGIN")
        try:
            batch = await self._decided(connection, name, requests)
            self._point("write")
            await write(connection, batch, self.ring)
            self._point("commit")
        except BaseException:
            with suppress(*LOST):
                await connection.execute("ROLLBACK")
            raise
        return batch

    async def _decided(
        self, connection: asyncpg.Connection, name: str, requests: Sequence[Request]
    ) -> Batch[State]:
        row = await connection.fetchrow(LOCK, name)
        if row is None:
            await connection.execute(CREATE, name, NOTHING)
            row = await connection.fetchrow(LOCK, name)
        seq, hash_, now = row
        stream = self._streams.get(name)
        is_fresh = stream is None
        if stream is None:
            stream = await loaded(connection, name, self.definitions.machine_of(name))
        # what was just read from a snapshot is looked at in any case: more than the head row says
        # would be a fault
        if is_fresh or stream.state.seq < seq:
            with self._rows_of(name):
                unheard = await self._unheard(connection, name)
                seen = self._heads.last.get(name)
                self._take_in(stream, await self._since(connection, stream, seen))
            self._tell_new(name, unheard)
        if not is_fresh and stream.state.seq > seq:
            raise behind(name, seq, stream.state.seq)
        if (stream.state.seq, stream.head) != (seq, hash_):
            raise Fault(
                "the head of the stream is not the last entry", stream=name, seq=stream.state.seq
            )
        self._may_write(stream)
        self._keep(stream)
        answered = await given(connection, stream, requests)
        vouchers = dict[str, Voucher]()
        named = vouchers_named(stream, requests)
        if named:
            vouchers = await self._vouchers(connection, stream, named)
        sealed = await sealed_cards(connection, stream)
        table_ms = self._time.at(now)
        by_clock = self._look_at_clock(self._time.ahead_ms)
        batch = Batch(
            stream,
            table_ms,
            node=self.node,
            load=lambda place: self._unsealed(place, sealed.get(place)),
            vouchers=vouchers,
            clock=self.clock and by_clock,
            mixers=self.mixers,
            is_behind=bool(self.behind),
        )
        batch.is_stuck = not by_clock
        batch.run(requests, answered)
        return batch

    async def _vouchers(
        self, connection: asyncpg.Connection, stream: Stream[State], named: list[str]
    ) -> dict[str, Voucher]:
        rows = await connection.fetch(VOUCHERS, named)
        if not rows:
            return {}
        # after the vouchers are locked: whoever redeemed one of them has committed
        states, is_whole = await self._states(connection, stream)
        by_stream = tuple(state.redeemed for state in states.values())
        # a node that is behind, or a fork, cannot know what was redeemed elsewhere
        is_whole = is_whole and not self.behind
        redeemed, found = Redeemed(by_stream, is_whole), dict[str, Voucher]()
        for number, *row in rows:
            kept = Kept(*row)
            if kept.stream not in states:  # it fails, and that was said
                continue
            head = await head_of(connection, kept.stream, kept.seq)
            upto = head.seq if head else 0
            entries = await connection.fetch(schema.ENTRIES_UPTO, kept.stream, kept.seq - 1, upto)
            leading, keys = list(map(tuple, entries)), states[kept.stream].keys
            believed = self._believed(number, kept, leading, head, keys, redeemed)
            if believed is not None:
                found[number] = believed
        return found

    async def _states(
        self, connection: asyncpg.Connection, own: Stream[State]
    ) -> tuple[dict[str, State], bool]:
        """Return every known stream's state, and whether all could be read; `own` is locked."""
        rows = await connection.fetch("SELECT stream, seq FROM streams WHERE seq > 0")
        standing = dict[str, int](map(tuple, rows))
        states, is_whole = {own.name: own.state}, True
        for name in {*standing, *self._heads.last} - {own.name}:
            try:
                with self._rows_of(name):
                    states[name] = await self._caught_up(connection, name, standing.get(name, 0))
            except Fault as fault:
                self._not_proved(name, fault)
                is_whole = False
        return states, is_whole

    async def _caught_up(self, connection: asyncpg.Connection, name: str, seq: int) -> State:
        """A stream that has `seq` entries at least, read beside its worker."""
        held = self._streams.get(name)
        if held is not None and held.state.seq >= seq:
            return held.state
        seen = self._heads.last.get(name)
        # a copy: its worker may have the stream in hand
        machine = self.definitions.machine_of(name)
        stream = held.copy() if held else await loaded(connection, name, machine)
        found = await self._since(connection, stream, seen, is_one_view=False)
        unheard = await self._unheard(connection, name)
        self._take_in(stream, found)
        if stream.state.seq < seq:
            raise Fault("the head of the stream is not the last entry", stream=name, seq=seq)
        self._tell_new(name, [entry for entry in unheard if entry.seq <= stream.state.seq])
        now = self._streams.get(name)
        if name not in self._working and (now is None or now.state.seq < stream.state.seq):
            self._keep(stream)
        return stream.state

    def _keep(self, stream: Stream[State]) -> None:
        self._goes_on(stream.name)
        self._streams.pop(stream.name, None)
        self._streams[stream.name] = stream
        while len(self._streams) > STREAMS_KEPT:
            del self._streams[next(iter(self._streams))]

    async def _since(
        self,
        connection: asyncpg.Connection,
        stream: Stream[S],
        seen: Head | None,
        *,
        is_one_view: bool = True,
    ) -> Since:
        found = await since(connection, stream, seen, is_one_view=is_one_view)
        if not (stream.state.seq or found.rows or stream.name == FLOOR):
            # a new stream begins in the floor's epoch
            at = await connection.fetchval("SELECT seq FROM streams WHERE stream = $1", FLOOR)
            house = await self._caught_up(connection, FLOOR, at or 0)
            stream.state = begun_in(house.epoch, stream.state)
        return found

    def _take_in(self, stream: Stream[S], found: Since) -> list[Entry]:
        """Follow what was written since; nothing that no node has signed."""
        new = self._follow(stream, found.rows)
        if stream.state.seq or found.head is not None:
            self._verified(stream, found.head)
        if found.seen is not None:
            self._remembered(stream, found.seen, found.there)
        if found.head is not None and found.head != self._heads.last.get(stream.name):
            self._file([found.head], sync=False)
        return new

    async def _unheard(self, connection: asyncpg.Connection, name: str) -> list[Entry]:
        if not self.watchers:
            return []
        rows = await connection.fetch(schema.ENTRIES_AFTER, name, self._told.get(name, 0))
        return [self._entry(name, seq, data) for seq, data in rows]

    async def _read(self, name: str, machine: Machine[S]) -> Stream[S]:
        seen = self._heads.last.get(name)
        async with one_view(self._pool) as connection:
            stream = await loaded(connection, name, machine)
            self._take_in(stream, await self._since(connection, stream, seen))
            return stream

    def _take(self, batch: Batch[State]) -> None:
        """After the commit: follow in memory, file heads, tell watchers, set the clock."""
        stream, out = batch.stream, batch.out
        batch.settle_in()
        due_at = stream.due_at
        if due_at is not None:
            wait = max(due_at - batch.now, RETRY_MS if batch.is_stuck else 0)
            self._set_timer(stream.name, wait / 1000)
        if not out.entries:
            return
        self._file(batch.signed, sync=out.anchors)
        self._tell_new(stream.name, out.read)
        self._hints.tell(stream.name, stream.state.seq)

    def _file(self, heads: Sequence[Head], *, sync: bool) -> None:
        self._heads.file(heads, now_ms=int(monotonic() * 1000), sync=sync)

    def _tell_new(self, name: str, entries: Sequence[Entry]) -> None:
        """Watchers hear of every entry once, in order, whichever node wrote it."""
        told = self._told.get(name, 0)
        new = [entry for entry in entries if entry.seq > told]
        if new:
            self._told[name] = new[-1].seq
            self._tell(name, new)

    # Hearing of others

    def _heard(self, name: str, seq: int) -> None:
        if self.watchers and seq > self._told.get(name, 0):
            if name not in self._hearing:
                self._loop.create_task(self._hear_hints(name))
            self._hearing[name] = True

    async def _hear_hints(self, name: str) -> None:
        """One at a time: while a busy stream is read for the first time hundreds come."""
        try:
            while self._hearing[name]:
                self._hearing[name] = False
                await self._hear(name)
        finally:
            del self._hearing[name]

    async def _hear(self, name: str) -> None:
        """Follow what another node wrote, and tell watchers; nothing that no node has signed."""
        with suppress(*LOST):
            try:
                with self._rows_of(name):
                    await self._listen(name)
            except Fault as fault:
                self._block(name, fault)

    async def _listen(self, name: str) -> None:
        seen = self._heads.last.get(name)
        async with one_view(self._pool) as connection:
            stream = self._streams.get(name)
            if stream is None:
                machine = self.definitions.machine_of(name)
                stream = await loaded(connection, name, machine)
            found = await self._since(connection, stream, seen)
            unheard = await self._unheard(connection, name)
        # a stream that is at work is told of by its worker, which has it in hand
        if found.after != stream.state.seq or name in self._working:
            return
        self._take_in(stream, found)
        self._tell_new(name, unheard)
        self._keep(stream)

    async def _poll(self) -> None:
        """Find tables that are due, and, for watchers, entries that no notification told."""
        skip = "FOR UPDATE SKIP LOCKED" if self.notify else ""
        owed = f"SELECT stream FROM streams WHERE due_at <= {NOW} ORDER BY due_at LIMIT 100 {skip}"
        while True:
            try:
                if self.clock_ahead_ms:  # it may be right again, with nothing to decide
                    [(now,)] = await self._fetch(f"SELECT {NOW}")
                    self._time.at(now)
                    self._look_at_clock(self._time.ahead_ms)
                for (name,) in await self._fetch(owed):
                    self._wake(name)
                if self.watchers:
                    for name, seq in await self._fetch("SELECT stream, seq FROM streams"):
                        if seq > self._told.get(name, 0):
                            await self._hear(name)
            except LOST as error:
                log.warning("polling the database failed: %s; retried", first_line(error))
            except Exception:  # it serves every table: nothing may end it
                log.exception("polling failed, a fault of this program; retried")
            await asyncio.sleep(POLL_S)

    async def _seal_again(self) -> None:
        async with self._pool.acquire() as connection, connection.transaction():
            rows = await connection.fetch(ALL_SEALED)
            for stream, place, *sealed in rows:
                again = self._sealed_again(place, Sealed(*sealed))
                if again is not None:
                    await connection.execute(schema.SEALED_AGAIN, *astuple(again), stream, place)
