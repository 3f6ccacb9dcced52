"""The store on PostgreSQL: any number of nodes on one database, none of them special.

A node takes the commands that wait for a stream, locks its head row, catches up with what others
wrote, reads the database's clock, applies what is due, decides, writes all in bulk and commits;
then it answers. NOTIFY is a hint, one a batch: every node also looks once a second. A node that
freezes inside a transaction is cut off by the server after a second, and finds its connection gone
when it wakes. An event loop in a thread of its own does the work.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import asyncpg

from puntobanco import journal
from puntobanco.keys import BadKeys, KeyRing
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.batch import Answer, Batch, Request, Stream, Written, vouchers_named
from puntobanco.storage.errors import BadDatabase, NotStored, first_line
from puntobanco.storage.snapshots import from_snapshot
from puntobanco.storage.store import (
    MAX_BATCH,
    MAX_WAITING,
    RETRY_MS,
    HeadsFile,
    Store,
    deliver,
    log,
)
from puntobanco.table.context import Voucher
from puntobanco.table.state import TableState
from puntobanco.vault import Order, Sealed, VaultFault, seal, unseal

POLL_S = 0.5
FROZEN_MS = 1_000
"""A transaction in which a node does nothing for so long is ended by the server."""

LOCK_MS = 4_000
ATTEMPTS = 4
CHANNEL = "puntobanco"
CONNECTIONS = 8
STREAMS_KEPT = 4_096

_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
# The lock is taken inside, so that the clock is read after the wait for it.
_LOCK = f"""
WITH head AS MATERIALIZED (SELECT seq, hash, at FROM streams WHERE stream = $1 FOR UPDATE)
SELECT seq, hash, at, {_NOW} FROM head
"""
_CREATE = "INSERT INTO streams (stream, seq, hash, at) VALUES ($1, 0, $2, 0) ON CONFLICT DO NOTHING"
_SINCE = "SELECT seq, data FROM entries WHERE stream = $1 AND seq > $2 ORDER BY seq"
_GIVEN = """
SELECT asked_by, command_id, body, answer FROM unnest($2::text[], $3::text[]) AS k (a, b)
JOIN answers ON stream = $1 AND asked_by = k.a AND command_id = k.b
"""
_VOUCHERS = """
SELECT voucher, cents, expires_at, redeemed_seq IS NOT NULL FROM vouchers WHERE voucher = ANY($1)
ORDER BY voucher FOR UPDATE
"""
# Everything that a batch of wagers writes, in one statement.
_WRITE = """
WITH
a AS (INSERT INTO answers (stream, asked_by, command_id, body, answer, at)
      SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::bigint[])),
e AS (INSERT INTO entries (stream, seq, data) SELECT $1, * FROM unnest($7::bigint[], $8::bytea[])),
t AS (INSERT INTO transfers (stream, seq, n, debit, credit, cents)
      SELECT $1, * FROM unnest($9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::bigint[])),
b AS (INSERT INTO balances (stream, account, cents) SELECT $1, * FROM unnest($14::text[], $15::bigint[])
      ON CONFLICT (stream, account) DO UPDATE SET cents = excluded.cents)
UPDATE streams SET seq = $16, hash = $17, at = $18, due_at = $19 WHERE stream = $1
"""
_ISSUED = (
    "INSERT INTO vouchers (voucher, cents, expires_at, issued_stream, issued_seq) VALUES ($1, "
    "$2, $3, $4, $5)"
)
_REDEEMED = (
    "UPDATE vouchers SET redeemed_stream = $2, redeemed_seq = $3 WHERE voucher = $1 AND "
    "redeemed_seq IS NULL"
)
_SNAPSHOT = """
SELECT s.seq, s.data, e.data FROM snapshots s JOIN entries e ON e.stream = s.stream AND e.seq = s.seq + 1
WHERE s.stream = $1 ORDER BY s.seq DESC LIMIT 1
"""
_LOST = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, asyncio.TimeoutError)

T = TypeVar("T")
Point = Callable[[str], object]


class PostgresStore(Store):
    """One node. `keys` is the floor's key ring, the same for every node; `heads` this node's own
    file.
    """

    def __init__(
        self,
        url: str,
        *,
        keys: Path,
        heads: Path,
        notify: bool = True,
        clock: bool = True,
        connections: int = CONNECTIONS,
        point: Point = lambda _: None,
    ) -> None:
        super().__init__()
        self.url, self.ring_path, self.notify, self.clock = url, keys, notify, clock
        self.ring = KeyRing.at(keys)
        self._heads = HeadsFile(heads)
        self._connections, self._point = connections, point
        self._streams = dict[str, Stream]()
        self._told = dict[str, int]()  # stream -> the last entry that watchers here know
        self._queues = dict[str, deque[tuple[Request, Any]]]()
        self._working = dict[str, asyncio.Task[None]]()
        self._timers = dict[str, asyncio.TimerHandle]()
        self._arrived = deque[tuple[Request, Any]]()
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
            self._stop_loop()
            self._heads.close()
            raise

    # For callers

    def _put(self, request: Request, future: Any) -> None:
        if self._closing:
            raise NotStored("the store is closed")
        if self._waiting >= MAX_WAITING:
            raise NotStored("too many commands are waiting; try again")
        self._waiting += 1
        self._arrived.append((request, future))
        if not self._is_called:
            self._is_called = True
            self._loop.call_soon_threadsafe(self._sort)

    def stream(self, name: str) -> Stream:
        return self._run(self._read_stream(name))

    def held_copy(self, name: str) -> tuple[TableState, dict[str, int]] | None:
        stream = self._streams.get(name)
        return None if stream is None else (stream.state, stream.balances.copy())

    def names(self) -> list[str]:
        return [
            row[0]
            for row in self._run(
                self._fetch("SELECT stream FROM streams WHERE seq > 0 ORDER BY stream")
            )
        ]

    def standing(self) -> dict[str, int]:
        return {
            row[0]: row[1]
            for row in self._run(self._fetch("SELECT stream, seq FROM streams WHERE seq > 0"))
        }

    def entries(self, stream: str, *, after: int = 0) -> Iterator[tuple[int, bytes]]:
        yield from ((row[0], row[1]) for row in self._run(self._fetch(_SINCE, stream, after)))

    def rotate_keys(self) -> None:
        ring = KeyRing.load(self.ring_path)
        ring.rotate()
        ring.save(
            self.ring_path
        )  # first on disk: nothing may be sealed with a key that could be lost
        self.ring = ring
        self._run(self._seal_anew())

    def close(self) -> None:
        if self._closing:
            return
        self._closing = True
        with suppress(Exception):
            self._run(self._end())
        self._stop_loop()
        self._heads.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
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
                server_settings={
                    "application_name": "puntobanco",
                    "idle_in_transaction_session_timeout": str(FROZEN_MS),
                    "lock_timeout": str(LOCK_MS),
                    "synchronous_commit": "on",
                },
            )
            signed = [
                journal.Head(stream=s, seq=n, hash=h, key=k, signature=x)
                for s, n, h, k, x in await self._fetch(
                    "SELECT stream, seq, hash, key, signature FROM heads ORDER BY 1, 2"
                )
            ]
            rows = await self._fetch("SELECT stream, seq, hash FROM streams WHERE seq > 0")
        except (*_LOST, ValueError) as error:
            raise BadDatabase(f"cannot use the database: {first_line(error)}") from None
        self._told = {stream: seq for stream, seq, _ in rows}
        self._heads.mend([*signed, *(journal.Head(stream=s, seq=n, hash=h) for s, n, h in rows)])
        self._tasks = [asyncio.create_task(self._poll())] if self.clock else []
        if self.notify and self.clock:
            self._tasks.append(asyncio.create_task(self._listen()))

    async def _end(self) -> None:
        self._sort()
        while self._working:
            await asyncio.wait(list(self._working.values()))
        for handle in self._timers.values():
            handle.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(*_LOST):
            await asyncio.wait_for(self._pool.close(), 5)

    async def _fetch(self, sql: str, *values: object) -> list[Any]:
        async with self._pool.acquire() as connection:
            found: list[Any] = await connection.fetch(sql, *values)
            return found

    def _sort(self) -> None:
        """Requests to the queues of their streams; each queue with something in it has one
        worker.
        """
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

    async def _replies(self, name: str, requests: Sequence[Request]) -> list[Answer | Refusal]:
        """Tried again when the connection was lost: an id that was stored is answered, not done
        twice.
        """
        for attempt in range(ATTEMPTS):
            try:
                return await self._stored(name, requests)
            except journal.Fault as fault:
                log.error("%s stands still: %s", name, fault)
                self._streams.pop(name, None)
                self._later(name)
                return [
                    NotStored(f"the journal does not hold: {fault.reason}; nothing was stored")
                ] * len(requests)
            except _LOST as error:
                self._streams.pop(name, None)
                if attempt == ATTEMPTS - 1 or isinstance(
                    error, asyncpg.IntegrityConstraintViolationError
                ):
                    log.error("%s: %s", name, first_line(error))
                    self._later(name)
                    return [NotStored(f"nothing was stored: {first_line(error)}; try again")] * len(
                        requests
                    )
                await asyncio.sleep(0.05 * 2**attempt)
            except Exception:
                log.exception("%s: a batch failed", name)
                self._streams.pop(name, None)
                self._later(name)
                return [NotStored("a fault in this program; nothing was stored")] * len(requests)
        raise AssertionError("the last attempt returns")

    def _later(self, name: str) -> None:
        self._set_timer(name, RETRY_MS / 1000)

    def _set_timer(self, name: str, seconds: float) -> None:
        old = self._timers.pop(name, None)
        if old is not None:
            old.cancel()
        if not self._closing and self.clock:
            self._timers[name] = self._loop.call_later(seconds, self._ring_timer, name)

    def _ring_timer(self, name: str) -> None:
        self._timers.pop(name, None)
        if not self._closing:
            self._wake(name)

    async def _stored(self, name: str, requests: Sequence[Request]) -> list[Answer | Refusal]:
        """One transaction: lock the head, then vouchers in order; decide; write; commit."""
        async with self._pool.acquire() as connection:
            transaction = connection.transaction()
            self._point("begin")
            await transaction.start()
            try:
                batch = await self._decided(connection, name, requests)
                self._point("write")
                await self._write(connection, batch, batch.out)
                self._point("commit")
                began = monotonic()
                await transaction.commit()
                self.work.commit_s.observe(monotonic() - began)
                self.work.batch_size.observe(len(requests))
                self.work.entries += len(batch.out.entries)
            except BaseException:
                with suppress(*_LOST):
                    await transaction.rollback()
                raise
            self._point("committed")
        try:
            self._take(batch)
        except Exception:  # it is stored: say so, and read memory back from the journal
            log.exception("after a commit")
            self._streams.pop(name, None)
        return batch.out.replies

    async def _decided(self, connection: Any, name: str, requests: Sequence[Request]) -> Batch:
        row = await connection.fetchrow(_LOCK, name)
        if row is None:
            await connection.execute(_CREATE, name, journal.NOTHING)
            row = await connection.fetchrow(_LOCK, name)
        seq, hash_, _, now = row
        stream = self._streams.get(name)
        if stream is None or stream.state.seq > seq:
            stream = await self._loaded(connection, name)
        if stream.state.seq < seq:
            await self._caught_up(connection, stream)
        if (stream.state.seq, stream.head) != (seq, hash_):
            raise journal.Fault(
                "the head of the stream is not the last entry", stream=name, seq=stream.state.seq
            )
        self._keep(stream)
        given, vouchers = dict[tuple[str, str], tuple[bytes, bytes]](), dict[str, Voucher]()
        if requests:
            keys = [request.key for request in requests]
            rows = await connection.fetch(
                _GIVEN, name, [by for by, _ in keys], [id_ for _, id_ in keys]
            )
            given = {(by, id_): (body, answer) for by, id_, body, answer in rows}
            named = vouchers_named(stream, requests)
            if named:
                rows = await connection.fetch(_VOUCHERS, named)
                vouchers = {
                    voucher: Voucher(cents, expires, used) for voucher, cents, expires, used in rows
                }
        sealed = await self._sealed(connection, stream)
        batch = Batch(
            stream, now, load=partial(self._open, sealed), vouchers=vouchers, clock=self.clock
        )
        batch.run(requests, given)
        return batch

    def _keep(self, stream: Stream) -> None:
        self._streams.pop(stream.name, None)
        self._streams[stream.name] = stream
        while len(self._streams) > STREAMS_KEPT:
            del self._streams[next(iter(self._streams))]

    async def _sealed(self, connection: Any, stream: Stream) -> dict[str, Sealed]:
        """The undealt cards of the shoe on the table, where they are not in memory."""
        shoe = stream.state.shoe
        if shoe is None or shoe.dealing != "virtual" or stream.orders:
            return {}
        rows = await connection.fetch(
            "SELECT place, key, nonce, data FROM sealed WHERE stream = $1", stream.name
        )
        return {place: Sealed(key=key, nonce=nonce, data=data) for place, key, nonce, data in rows}

    def _open(self, sealed: dict[str, Sealed], place: str) -> Order:
        held = sealed.get(place)
        if held is None:
            raise VaultFault(f"the sealed cards of {place} are missing")
        if held.key not in self.ring.sealing:  # another node may have rotated the keys
            with suppress(BadKeys):
                self.ring = KeyRing.load(self.ring_path)
        return unseal(held, self.ring, place=place)

    async def _loaded(self, connection: Any, name: str) -> Stream:
        row = await connection.fetchrow(_SNAPSHOT, name)
        stream = (from_snapshot(name, *row) if row else None) or Stream.empty(name)
        await self._caught_up(connection, stream)
        return stream

    async def _caught_up(self, connection: Any, stream: Stream) -> None:
        rows = await connection.fetch(_SINCE, stream.name, stream.state.seq)
        pairs = ((row[0], row[1]) for row in rows)
        after = stream.state
        new = list[journal.Entry]()
        for entry, head in journal.chained(
            pairs, stream.name, seq=after.seq, head=stream.head, at=after.at
        ):
            stream.follow(entry, head)
            new.append(entry)
        self._tell_new(stream.name, new)

    async def _read_stream(self, name: str) -> Stream:
        async with (
            self._pool.acquire() as connection,
            connection.transaction(isolation="repeatable_read"),
        ):
            row = await connection.fetchrow(_SNAPSHOT, name)
            stream = (from_snapshot(name, *row) if row else None) or Stream.empty(name)
            rows = await connection.fetch(_SINCE, name, stream.state.seq)
            after = stream.state
            pairs = ((row[0], row[1]) for row in rows)
            for entry, head in journal.chained(
                pairs, name, seq=after.seq, head=stream.head, at=after.at
            ):
                stream.follow(entry, head)
            return stream

    async def _write(self, connection: Any, batch: Batch, out: Written) -> None:
        name, state = batch.stream.name, batch.state
        if not (out.entries or out.answers):
            return
        changed = batch.balances.changed
        answers, entries, moved = (
            _columns(out.answers, 6),
            _columns(out.entries, 3),
            _columns(out.transfers, 6),
        )
        await connection.execute(
            _WRITE,
            name,
            *answers[1:],
            *entries[1:],
            *moved[1:],
            list(changed),
            list(changed.values()),
            state.seq,
            batch.head,
            state.at,
            batch.due_at,
        )
        if not out.entries:
            return
        gone = [account for account, cents in changed.items() if not cents]
        if gone:
            await connection.execute(
                "DELETE FROM balances WHERE stream = $1 AND account = ANY($2)", name, gone
            )
        if out.issued:
            await connection.executemany(
                _ISSUED, [(v, cents, expires, name, n) for v, cents, expires, n in out.issued]
            )
        for voucher, seq in out.redeemed:
            if await connection.execute(_REDEEMED, voucher, name, seq) != "UPDATE 1":
                raise asyncpg.UniqueViolationError(f"voucher {voucher} was redeemed before")
        for place, order in out.sealed:
            sealed = seal(order, self.ring, place=place)
            put = "INSERT INTO sealed (stream, place, key, nonce, data) VALUES ($1, $2, $3, $4, $5)"
            await connection.execute(put, name, place, sealed.key, sealed.nonce, sealed.data)
        if out.opened:
            await connection.execute(
                "DELETE FROM sealed WHERE stream = $1 AND place = ANY($2)", name, out.opened
            )
        for seq, hash_, data in out.snapshots:
            put = "INSERT INTO snapshots (stream, seq, hash, data) VALUES ($1, $2, $3, $4)"
            await connection.execute(put, name, seq, hash_, data)
        if out.signs:
            key_id, key = self.ring.signer
            batch.signed = [
                journal.signed(name, seq, hash_, key_id, key) for seq, hash_ in out.signs
            ]
            put = (
                "INSERT INTO heads (stream, seq, hash, key, signature) VALUES ($1, $2, $3, $4, $5)"
            )
            await connection.executemany(
                put, [(h.stream, h.seq, h.hash, h.key, h.signature) for h in batch.signed]
            )
        if self.notify:
            await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, f"{state.seq} {name}")

    def _take(self, batch: Batch) -> None:
        """After the commit: memory follows, heads go to their file, watchers are told, the clock is
        set.
        """
        stream, out = batch.stream, batch.out
        batch.settle_in()
        due_at = stream.due_at
        if due_at is not None:
            wait = max(due_at - batch.now, RETRY_MS if batch.is_stuck else 0)
            self._set_timer(stream.name, wait / 1000)
        if not out.entries:
            return
        try:
            self._heads.append(
                [
                    *batch.signed,
                    journal.Head(stream=stream.name, seq=stream.state.seq, hash=stream.head),
                ]
            )
        except OSError as error:  # the commit stands; the next start writes what is missing
            log.error("cannot write the file of heads: %s", first_line(error))
        self._tell_new(stream.name, out.read)

    def _tell_new(self, name: str, entries: Sequence[journal.Entry]) -> None:
        """Watchers hear of every entry once, in order, whichever node wrote it."""
        told = self._told.get(name, 0)
        new = [entry for entry in entries if entry.seq > told]
        if new:
            self._told[name] = new[-1].seq
            self._tell(name, new)

    # Hearing of others

    async def _listen(self) -> None:
        """A hint that somebody wrote. It is listened to before anything is read, and never relied
        upon.
        """
        while True:
            try:
                connection = await asyncpg.connect(self.url, timeout=10)
                try:
                    await connection.add_listener(CHANNEL, self._heard)
                    while not connection.is_closed():
                        await asyncio.sleep(1)
                        await connection.execute("SELECT 1", timeout=5)
                finally:
                    await connection.close(timeout=2)
            except _LOST as error:
                log.warning("listening: %s", first_line(error))
                await asyncio.sleep(1)

    def _heard(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        seq, _, name = str(payload).partition(" ")
        if self.watchers and seq.isdigit() and int(seq) > self._told.get(name, 0):
            self._loop.create_task(self._hear(name))

    async def _hear(self, name: str) -> None:
        with suppress(*_LOST, journal.Fault):
            told = self._told.get(name, 0)
            rows = await self._fetch(_SINCE, name, told)
            self._tell_new(
                name, [journal.read_entry(row[1], stream=name, seq=row[0]) for row in rows]
            )

    async def _poll(self) -> None:
        """Tables that are due and that nobody serves; and, for watchers, what no notification
        told.
        """
        skip = "FOR UPDATE SKIP LOCKED" if self.notify else ""
        owed = f"SELECT stream FROM streams WHERE due_at <= {_NOW} ORDER BY due_at LIMIT 100 {skip}"
        while True:
            try:
                for (name,) in await self._fetch(owed):
                    self._wake(name)
                if self.watchers:
                    for name, seq in await self._fetch("SELECT stream, seq FROM streams"):
                        if seq > self._told.get(name, 0):
                            await self._hear(name)
            except _LOST as error:
                log.warning("polling: %s", first_line(error))
            await asyncio.sleep(POLL_S)

    async def _seal_anew(self) -> None:
        async with self._pool.acquire() as connection, connection.transaction():
            rows = await connection.fetch(
                "SELECT stream, place, key, nonce, data FROM sealed ORDER BY 1, 2 FOR UPDATE"
            )
            for stream, place, key, nonce, data in rows:
                try:
                    order = unseal(Sealed(key=key, nonce=nonce, data=data), self.ring, place=place)
                except VaultFault as fault:  # lost before, and no more lost now
                    log.error("not sealed anew: %s", fault)
                    continue
                again = seal(order, self.ring, place=place)
                put = (
                    "UPDATE sealed SET key = $3, nonce = $4, data = $5 WHERE stream = $1 AND "
                    "place = $2"
                )
                await connection.execute(put, stream, place, again.key, again.nonce, again.data)


def _columns(rows: Sequence[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return (
        [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]
    )
