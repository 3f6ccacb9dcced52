"""Writes of the store on SQLite: what one batch puts into the tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from msgspec.structs import astuple

from puntobanco_floor.domain.machine import State
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.sealed_shoes import seal
from puntobanco_floor.store import sqlite_sql as sql
from puntobanco_floor.store.batch import Batch, ToWrite
from puntobanco_floor.store.errors import AskedBefore


def write(
    db: sqlite3.Connection,
    batch: Batch[State],
    written: ToWrite,
    ring: KeyRing,
    point: Callable[[str], object],
) -> None:
    """Write a batch into the open transaction: answers, entries, money, cards, signed heads."""
    name = batch.stream.name
    if written.answers:
        try:
            sql.put(db, sql.ANSWER, written.answers)
        except sqlite3.IntegrityError as error:
            raise AskedBefore from error
        if written.forgotten:
            db.execute(sql.FORGET, (name, written.forgotten))
        point("answers")
    if not written.entries:
        return
    sql.put(db, sql.ENTRY, written.entries)
    point("entries")
    sql.put(db, sql.TRANSFER, written.transfers)
    changed = batch.balances
    balances = [(name, account, cents) for account, cents in changed.items() if cents]
    sql.put(db, sql.BALANCE, balances)
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
        sealed = seal(order, ring, place=place)
        db.execute(sql.SEALED, (name, place, *astuple(sealed)))
    db.executemany(
        "DELETE FROM sealed WHERE stream = ? AND place = ?",
        [(name, place) for place in written.opened],
    )
    db.executemany(sql.SNAPSHOT, [(name, *row) for row in written.snapshots])
    db.executemany(sql.HEAD, map(astuple, batch.sign()))
    db.execute(sql.STREAM, (name, batch.state.seq, batch.head, batch.state.at, batch.due_at))
    point("head")
