"""What the store on PostgreSQL writes of a batch, inside its transaction, and how it commits."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import asyncpg
from msgspec.structs import astuple

from puntobanco_floor.domain.machine import State
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.sealed_shoes import seal
from puntobanco_floor.store import postgres_sql as sql
from puntobanco_floor.store.batch import Batch
from puntobanco_floor.store.errors import AskedBefore, CommitInDoubt, first_line

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
        await connection.execute(sql.FORGET, name, out.forgotten)
    if not out.entries:
        return
    gone = [account for account, cents in batch.balances.items() if not cents]
    if gone:
        await connection.execute(sql.EMPTY, name, gone)
    if out.issued:
        await connection.executemany(
            sql.ISSUED, [(v, cents, expires, name, n) for v, cents, expires, n in out.issued]
        )
    for voucher, seq in out.redeemed:
        if await connection.execute(sql.REDEEMED, voucher, name, seq) != "UPDATE 1":
            raise asyncpg.UniqueViolationError(f"voucher {voucher} was redeemed before")
    for place, order in out.sealed:
        sealed = seal(order, ring, place=place)
        await connection.execute(sql.SEAL, name, place, *astuple(sealed))
    if out.opened:
        await connection.execute(sql.OPENED, name, out.opened)
    for seq, hash_, data in out.snapshots:
        await connection.execute(sql.KEEP, name, seq, hash_, data)


async def _write_rows(connection: asyncpg.Connection, batch: Batch[State]) -> None:
    """What nearly every batch has, in one statement."""
    out, state, changed = batch.out, batch.state, batch.balances
    *answered, refused_at = sql.columns(out.answers, 7)[1:]
    try:
        await connection.execute(
            sql.WRITE,
            batch.stream.name,
            *answered,
            *sql.columns(out.entries, 3)[1:],
            *sql.columns(out.transfers, 6)[1:],
            list(changed),
            list(changed.values()),
            state.seq,
            batch.head,
            state.at,
            batch.due_at,
            *sql.columns([astuple(head) for head in batch.signed], 6)[1:],
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
