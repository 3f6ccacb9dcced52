"""What the store on PostgreSQL reads inside a transaction: streams, answers, undealt cards."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.journal.sealed_shoes import Sealed
from puntobanco_floor.store import postgres_sql as sql
from puntobanco_floor.store.batch import Given, Reply, Request, Stream
from puntobanco_floor.store.idempotency import answered_by, kept_answer, looked, may_have_answered
from puntobanco_floor.store.snapshots import from_snapshot
from puntobanco_floor.store.store import Since
from puntobanco_proof.entry.format import entry_hash
from puntobanco_proof.entry.heads import Head

if TYPE_CHECKING:
    import asyncpg

    from puntobanco_floor.domain.machine import Machine, S, State


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
    """A stream at its last snapshot, if this program reads it and the journal has its hash."""
    row = await connection.fetchrow(sql.SNAPSHOT, name)
    restored = from_snapshot(name, machine, *row) if row else None
    return restored or Stream.empty(name, machine)


async def head_of(connection: asyncpg.Connection, name: str, seq: int) -> Head | None:
    """The first signed head that covers an entry."""
    row = await connection.fetchrow(sql.HEAD_OF, name, seq)
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
    row = await connection.fetchrow(sql.LAST_HEAD, name)
    head = row and Head(*row)
    if is_one_view:
        rows = await connection.fetch(sql.SINCE, name, after)
    else:
        rows = await connection.fetch(sql.UPTO, name, after, head.seq if head else 0)
    data = None if seen is None else await connection.fetchval(sql.DATA, name, seen.seq)
    return Since(after, list(map(tuple, rows)), head, seen, data and entry_hash(data))


async def given(
    connection: asyncpg.Connection, stream: Stream[State], requests: Sequence[Request]
) -> Given | None:
    """Answers that were stored before, where they are read."""
    if not may_have_answered(stream, requests):
        return None
    found = dict[tuple[str, str], tuple[bytes, Reply]]()
    name, keys = stream.name, [request.key for request in requests]
    for by, id_, body, kept in await connection.fetch(sql.GIVEN, name, *sql.columns(keys, 2)):
        seq = answered_by(kept)
        entry = await connection.fetchval(sql.DATA, name, seq)
        head = await head_of(connection, name, seq)
        found[by, id_] = (body, kept_answer(by, id_, kept, entry, head))
    return looked(stream, found)


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
