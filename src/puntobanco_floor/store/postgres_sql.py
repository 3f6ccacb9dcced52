"""What the store says to PostgreSQL: the settings of its connections, and its statements."""

from __future__ import annotations

from collections.abc import Sequence

FROZEN_MS = 1_000
"""A transaction in which a node does nothing for so long is ended by the server."""

LOCK_MS = 4_000
SETTINGS = {
    "application_name": "puntobanco",
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
WITH head AS MATERIALIZED (SELECT seq, hash, at FROM streams WHERE stream = $1 FOR UPDATE)
SELECT seq, hash, at, {NOW} FROM head
"""
CREATE = "INSERT INTO streams (stream, seq, hash, at) VALUES ($1, 0, $2, 0) ON CONFLICT DO NOTHING"
SINCE = "SELECT seq, data FROM entries WHERE stream = $1 AND seq > $2 ORDER BY seq"
UPTO = "SELECT seq, data FROM entries WHERE stream = $1 AND seq > $2 AND seq <= $3 ORDER BY seq"
DATA = "SELECT data FROM entries WHERE stream = $1 AND seq = $2"
LAST_HEAD = (
    "SELECT stream, epoch, seq, hash, key, signature FROM heads WHERE stream = $1 "
    "ORDER BY seq DESC LIMIT 1"
)
HEAD_OF = (
    "SELECT stream, epoch, seq, hash, key, signature FROM heads WHERE stream = $1 AND seq >= $2 "
    "ORDER BY seq LIMIT 1"
)
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
ISSUED = (
    "INSERT INTO vouchers (voucher, cents, expires_at, issued_stream, issued_seq) VALUES ($1, "
    "$2, $3, $4, $5)"
)
REDEEMED = (
    "UPDATE vouchers SET redeemed_stream = $2, redeemed_seq = $3 WHERE voucher = $1 AND "
    "redeemed_seq IS NULL"
)
SNAPSHOT = """
SELECT s.seq, s.data, e.data
FROM snapshots s JOIN entries e ON e.stream = s.stream AND e.seq = s.seq + 1
WHERE s.stream = $1 ORDER BY s.seq DESC LIMIT 1
"""
ALL_SEALED = "SELECT stream, place, key, nonce, data FROM sealed ORDER BY 1, 2 FOR UPDATE"
SEALED_AGAIN = "UPDATE sealed SET key = $3, nonce = $4, data = $5 WHERE stream = $1 AND place = $2"
SEAL = "INSERT INTO sealed (stream, place, key, nonce, data) VALUES ($1, $2, $3, $4, $5)"
OPENED = "DELETE FROM sealed WHERE stream = $1 AND place = ANY($2)"
FORGET = "DELETE FROM answers WHERE stream = $1 AND refused_at < $2"
KEEP = "INSERT INTO snapshots (stream, seq, hash, data) VALUES ($1, $2, $3, $4)"
EMPTY = "DELETE FROM balances WHERE stream = $1 AND account = ANY($2)"


def columns(rows: Sequence[tuple[object, ...]], width: int) -> list[list[object]]:
    if not rows:
        return [[]] * width
    return [list(column) for column in zip(*rows, strict=True)]
