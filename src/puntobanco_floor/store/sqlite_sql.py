"""The statements of the store on SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache
from itertools import chain

from sqlalchemy import Table
from sqlalchemy.dialects import sqlite as dialect

from puntobanco_floor.store import schema

AT_ONCE = 16
"""Rows of one statement: a row by itself costs half as much again, and more at once gain little."""


def _insert(table: Table, *, replace: bool = False) -> str:
    sql = str(table.insert().compile(dialect=dialect.dialect(paramstyle="qmark")))
    return sql.replace("INSERT", "INSERT OR REPLACE", 1) if replace else sql


ENTRY, TRANSFER, ANSWER = (
    _insert(schema.entries),
    _insert(schema.transfers),
    _insert(schema.answers),
)
GIVEN = "SELECT body, answer FROM answers WHERE stream = ? AND asked_by = ? AND command_id = ?"
FORGET = "DELETE FROM answers WHERE stream = ? AND refused_at < ?"
# a name is a text, whatever else somebody has put there
STREAMS = "SELECT stream, seq FROM streams WHERE typeof(stream) = 'text'"
# not REPLACE, which takes the row away first: this one changes it where it lies
BALANCE = f"{_insert(schema.balances)} ON CONFLICT DO UPDATE SET cents = excluded.cents"
STREAM = _insert(schema.streams, replace=True)
SNAPSHOT, SEALED = _insert(schema.snapshots), _insert(schema.sealed)
HEAD = "INSERT INTO heads (stream, epoch, seq, hash, key, signature) VALUES (?, ?, ?, ?, ?, ?)"
LAST_HEAD = (
    "SELECT stream, epoch, seq, hash, key, signature FROM heads WHERE stream = ? "
    "ORDER BY seq DESC LIMIT 1"
)
VOUCHER = (
    "SELECT cents, expires_at, issued_stream, issued_seq, redeemed_seq IS NOT NULL FROM vouchers "
    "WHERE voucher = ?"
)
ISSUED = (
    "INSERT INTO vouchers (voucher, cents, expires_at, issued_stream, issued_seq) VALUES (?, "
    "?, ?, ?, ?)"
)
SEALED_AGAIN = "UPDATE sealed SET key = ?, nonce = ?, data = ? WHERE stream = ? AND place = ?"
REDEEMED = (
    "UPDATE vouchers SET redeemed_stream = ?, redeemed_seq = ? WHERE voucher = ? AND "
    "redeemed_seq IS NULL"
)
HEAD_OF = (
    "SELECT stream, epoch, seq, hash, key, signature FROM heads WHERE stream = ? AND seq >= ? "
    "ORDER BY seq LIMIT 1"
)


@cache
def _at_once(statement: str) -> str:
    """The same statement for so many rows."""
    before, _, after = statement.partition("VALUES ")
    row, end, rest = after.partition(")")
    rows = ", ".join([row + end] * AT_ONCE)
    return f"{before}VALUES {rows}{rest}"


def put(db: sqlite3.Connection, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
    """Insert these rows, in their order."""
    together = len(rows) - len(rows) % AT_ONCE
    for first in range(0, together, AT_ONCE):
        some = rows[first : first + AT_ONCE]
        db.execute(_at_once(statement), list(chain.from_iterable(some)))
    db.executemany(statement, rows[together:])
