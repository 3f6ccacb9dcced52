"""What the store on PostgreSQL writes of a batch, inside its transaction."""

from __future__ import annotations

import asyncpg
from msgspec.structs import astuple

from puntobanco.keys import KeyRing
from puntobanco.machine import State
from puntobanco.storage import postgres_sql as sql
from puntobanco.storage.batch import Batch
from puntobanco.vault import seal


async def write(connection: asyncpg.Connection, batch: Batch[State], ring: KeyRing) -> None:
    """All that the batch wants written, signed."""
    out = batch.out
    name, state = batch.stream.name, batch.state
    if not (out.entries or out.answers):
        return
    changed = batch.balances
    if out.entries:
        batch.sign()
    *answered, refused_at = sql.columns(out.answers, 7)[1:]
    await connection.execute(
        sql.WRITE,
        name,
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
    if out.forgotten:
        await connection.execute(sql.FORGET, name, out.forgotten)
    if not out.entries:
        return
    gone = [account for account, cents in changed.items() if not cents]
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
