"""One transaction on PostgreSQL: its statements, what it reads and writes, and how it commits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import asyncpg
from msgspec.structs import astuple

from puntobanco_floor.domain.machine import Machine, S, State
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.sealed_shoes import Sealed, seal
from puntobanco_floor.store import schema
from puntobanco_floor.store.addresses import NODE_NAME
from puntobanco_floor.store.batch import (
    Batch,
    Given,
    Reply,
    Request,
    Stream,
    answered_by,
    kept_answer,
    restore,
)
from puntobanco_floor.store.errors import AskedBefore, CommitInDoubt, first_line
from puntobanco_floor.store.store import Since
from puntobanco_proof.entry.format import hash_entry
from puntobanco_proof.entry.heads import Head

FROZEN_MS = 1_000
"""A transaction in which a node does nothing for so long is ended by the server."""

LOCK_MS = 4_000
SETTINGS = {
    "application_name": NODE_NAME,
    "idle_in_transaction_session_timeout": str(FROZEN_MS),
    "lock_timeout": str(LOCK_MS),
    "synchronous_commit": "on",
}
"""Of every connection."""

CANCELLING = """
SELECT name, setting FROM pg_settings
WHERE name IN ('statement_timeout', 'transaction_timeout') AND setting <> '0'
"""
NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
# The lock is taken inside, so that the clock is read after the wait for it.
LOCK = f"""
WITH head AS MATERIALIZED (SELECT seq, hash FROM streams WHERE stream = $1 FOR UPDATE)
SELECT seq, hash, {NOW} FROM head
"""
CREATE = "INSERT INTO streams (stream, seq, hash, at) VALUES ($1, 0, $2, 0) ON CONFLICT DO NOTHING"
GIVEN = """
SELECT asked_by, command_id, body, answer FROM unnest($2::text[], $3::text[]) AS k (a, b)
JOIN answers ON stream = $1 AND asked_by = k.a AND command_id = k.b
"""
VOUCHERS = """
SELECT voucher, cents, expires_at, issued_stream, issued_seq, redeemed_seq IS NOT NULL FROM vouchers
WHERE voucher = ANY($1) ORDER BY voucher FOR UPDATE
"""
# Everything that a batch of wagers writes, in one statement.
WRITE = """
WITH
a AS (INSERT INTO answers (stream, asked_by, command_id, body, answer, at, refused_at)
      SELECT $1, *
      FROM unnest($2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::bigint[], $25::bigint[])),
e AS (INSERT INTO entries (stream, seq, data) SELECT $1, * FROM unnest($7::bigint[], $8::bytea[])),
t AS (INSERT INTO transfers (stream, seq, n, debit, credit, cents)
      SELECT $1, *
      FROM unnest($9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::bigint[])),
b AS (INSERT INTO balances (stream, account, cents)
      SELECT $1, * FROM unnest($14::text[], $15::bigint[])
      ON CONFLICT (stream, account) DO UPDATE SET cents = excluded.cents),
h AS (INSERT INTO heads (stream, epoch, seq, hash, key, signature)
      SELECT $1, *
      FROM unnest($20::bigint[], $21::bigint[], $22::text[], $23::text[], $24::text[]))
UPDATE streams SET seq = $16, hash = $17, at = $18, due_at = $19 WHERE stream = $1
"""
ALL_SEALED = "SELECT stream, place, key, nonce, data FROM sealed ORDER BY 1, 2 FOR UPDATE"
SEAL = "INSERT INTO sealed (stream, place, key, nonce, data) VALUES ($1, $2, $3, $4, $5)"
OPENED = "DELETE FROM sealed WHERE stream = $1 AND place = ANY($2)"
KEEP = "INSERT INTO snapshots (stream, seq, hash, data) VALUES ($1, $2, $3, $4)"
EMPTY = "DELETE FROM balances WHERE stream = $1 AND account = ANY($2)"


def columns(rows: Sequence[tuple[object, ...]], width: int) -> list[list[object]]:
    if not rows:
        return [[]] * width
    return [list(column) for column in zip(*rows, strict=True)]


# Reads


@asynccontextmanager
async def one_view(pool: asyncpg.Pool) -> AsyncIterator[asyncpg.Connection]:
    """One view of the database; it locks nothing."""
    async with (
        pool.acquire() as connection,
        connection.transaction(isolation="repeatable_read", readonly=True),
    ):
        # a long stream is followed in here: it may take its time
        await connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        yield connection


async def loaded(connection: asyncpg.Connection, name: str, machine: Machine[S]) -> Stream[S]:
    return restore(name, machine, await connection.fetchrow(schema.LAST_SNAPSHOT, name))


async def head_of(connection: asyncpg.Connection, name: str, seq: int) -> Head | None:
    row = await connection.fetchrow(schema.HEAD_OF, name, seq)
    return row and Head(*row)


async def since(
    connection: asyncpg.Connection,
    stream: Stream[S],
    seen: Head | None,
    *,
    is_one_view: bool = True,
) -> Since:
    """`seen` is what this node knew before the view of the database was taken. Where others may
    commit between two statements (`is_one_view` is false), nothing after the last head is read.
    """
    name, after = stream.name, stream.state.seq
    row = await connection.fetchrow(schema.LAST_HEAD, name)
    head = row and Head(*row)
    if is_one_view:
        rows = await connection.fetch(schema.ENTRIES_AFTER, name, after)
    else:
        rows = await connection.fetch(schema.ENTRIES_UPTO, name, after, head.seq if head else 0)
    data = None if seen is None else await connection.fetchval(schema.ENTRY_DATA, name, seen.seq)
    return Since(after, list(map(tuple, rows)), head, seen, data and hash_entry(data))


async def given(
    connection: asyncpg.Connection, stream: Stream[State], requests: Sequence[Request]
) -> Given | None:
    """Answers that were stored before, where they are read."""
    if not stream.may_have_answered(requests):
        return None
    found = dict[tuple[str, str], tuple[bytes, Reply]]()
    name, keys = stream.name, [request.key for request in requests]
    for by, id_, body, kept in await connection.fetch(GIVEN, name, *columns(keys, 2)):
        seq = answered_by(kept)
        entry = await connection.fetchval(schema.ENTRY_DATA, name, seq)
        head = await head_of(connection, name, seq)
        found[by, id_] = (body, kept_answer(by, id_, kept, entry, head))
    return stream.note_answers(found)


async def sealed_cards(connection: asyncpg.Connection, stream: Stream[State]) -> dict[str, Sealed]:
    """The undealt cards of the shoe on the table, where they are not in memory."""
    state = stream.state
    if not isinstance(state, TableState) or state.shoe is None or state.shoe.dealing != "virtual":
        return {}
    # by place: memory may still have the shoe before, where another node put on this one
    if state.cards_place in stream.orders:
        return {}
    rows = await connection.fetch(
        "SELECT place, key, nonce, data FROM sealed WHERE stream = $1", stream.name
    )
    return {place: Sealed(*sealed) for place, *sealed in rows}


# Writes and commits

COMMIT_S = 10.0
"""After so long without a reply to COMMIT its connection is closed, and the outcome looked up."""

NEVER_S = 86_400.0
"""The driver cancels a statement at its timeout. A COMMIT is never cancelled: that would end
PostgreSQL's wait for its synchronous standby and make a row visible that no standby has."""

REJECTED = (asyncpg.IntegrityConstraintViolationError, asyncpg.TransactionRollbackError)
"""What the server itself answers to a COMMIT that it rolled back."""


async def write(connection: asyncpg.Connection, batch: Batch[State], ring: KeyRing) -> None:
    """All that the batch wants written, signed."""
    out, name = batch.out, batch.stream.name
    if not (out.entries or out.answers):
        return
    if out.entries:
        batch.sign()
    await _write_rows(connection, batch)
    if out.forgotten:
        await connection.execute(schema.FORGET, name, out.forgotten)
    if not out.entries:
        return
    gone = [account for account, cents in batch.balances.items() if not cents]
    if gone:
        await connection.execute(EMPTY, name, gone)
    if out.issued:
        await connection.executemany(
            schema.ISSUED, [(v, cents, expires, name, n) for v, cents, expires, n in out.issued]
        )
    for voucher, seq in out.redeemed:
        if await connection.execute(schema.REDEEMED, name, seq, voucher) != "UPDATE 1":
            raise asyncpg.UniqueViolationError(f"voucher {voucher} was redeemed before")
    for place, order in out.sealed:
        sealed = seal(order, ring, place=place)
        await connection.execute(SEAL, name, place, *astuple(sealed))
    if out.opened:
        await connection.execute(OPENED, name, out.opened)
    for seq, hash_, data in out.snapshots:
        await connection.execute(KEEP, name, seq, hash_, data)


async def _write_rows(connection: asyncpg.Connection, batch: Batch[State]) -> None:
    """What nearly every batch has, in one statement."""
    out, state, changed = batch.out, batch.state, batch.balances
    *answered, refused_at = columns(out.answers, 7)[1:]
    try:
        await connection.execute(
            WRITE,
            batch.stream.name,
            *answered,
            *columns(out.entries, 3)[1:],
            *columns(out.transfers, 6)[1:],
            list(changed),
            list(changed.values()),
            state.seq,
            batch.head,
            state.at,
            batch.due_at,
            *columns([astuple(head) for head in batch.signed], 6)[1:],
            refused_at,
        )
    except asyncpg.UniqueViolationError as error:
        if error.constraint_name != "answers_pkey":
            raise
        raise AskedBefore from error


async def commit(connection: asyncpg.Connection) -> None:
    """Send COMMIT and wait for its reply, without ever cancelling it. Raise where the reply is
    late, is lost, or comes although the server stopped waiting for its synchronous standby.
    """
    warnings = list[str]()

    def warn(_: object, message: asyncpg.PostgresLogMessage) -> None:
        warnings.append(first_line(message))

    connection.add_log_listener(warn)
    sent = asyncio.ensure_future(connection.execute("COMMIT", timeout=NEVER_S))
    try:
        await asyncio.wait({sent}, timeout=COMMIT_S)  # this cancels nothing
        if not sent.done():
            raise CommitInDoubt(f"no reply within {COMMIT_S:g} s")
        status = sent.result()
        if status != "COMMIT":
            raise asyncpg.TransactionRollbackError(f"COMMIT was answered {status}")
        if warnings:
            raise CommitInDoubt(warnings[0])
        connection.remove_log_listener(warn)
    except BaseException:
        sent.add_done_callback(_retrieve)
        with suppress(asyncpg.InterfaceError):  # it is closed already
            connection.terminate()  # closes the socket: no ROLLBACK and no cancel are sent
        raise


def _retrieve(sent: asyncio.Future[str]) -> None:
    """Take the exception of a COMMIT for which nobody waits any more."""
    if not sent.cancelled():
        sent.exception()
