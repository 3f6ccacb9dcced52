"""What the store on PostgreSQL writes of a batch, inside its transaction."""

from __future__ import annotations

import asyncpg
from msgspec.structs import astuple

from puntobanco.keys import KeyRing
from puntobanco.machine import State
from puntobanco.storage import postgres_sql as sql
from puntobanco.storage.batch import Batch
from puntobanco.storage.errors import AskedBefore
from puntobanco.vault import seal


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
