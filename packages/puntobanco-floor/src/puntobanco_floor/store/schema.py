"""The database schema, in one place: migrations lead to it, and statements are written from it."""

from __future__ import annotations

from typing import TypeAlias

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)
from sqlalchemy.schema import SchemaItem

metadata = MetaData()

Type: TypeAlias = type[Text | BigInteger | LargeBinary]


def _key(name: str, type_: Type) -> Column[object]:
    return Column(name, type_, primary_key=True)


def _needed(name: str, type_: Type) -> Column[object]:
    return Column(name, type_, nullable=False)


def _table(name: str, *parts: SchemaItem, has_rowid: bool = False) -> Table:
    return Table(name, metadata, *parts, sqlite_with_rowid=has_rowid)


logins = _table(
    "logins",
    _key("token", Text),  # a hash of it
    _needed("person", Text),
    _needed("password", Text),  # which one was given: a fingerprint of its verifier
    _needed("seen_at", BigInteger),
)

patrons = _table(
    "patrons",
    _key("card", Text),  # a MAC of the card's id, under a key of the ring
    Column("patron", Text, nullable=False, unique=True),  # as the journal has it
    _needed("made_at", BigInteger),
    # of card and patron, under another key of the ring; none in rows from before there were any
    Column("mac", Text, nullable=False, server_default=""),
)

streams = _table(
    "streams",
    _key("stream", Text),
    _needed("seq", BigInteger),
    _needed("hash", Text),
    _needed("at", BigInteger),
    Column("due_at", BigInteger),
)

entries = _table(
    "entries",
    _key("stream", Text),
    _key("seq", BigInteger),
    _needed("data", LargeBinary),
)

transfers = _table(
    "transfers",
    _key("stream", Text),
    _key("seq", BigInteger),
    _key("n", BigInteger),
    _needed("debit", Text),
    _needed("credit", Text),
    _needed("cents", BigInteger),
    CheckConstraint("cents > 0", name="moves_something"),
)

balances = _table(
    "balances",
    _key("stream", Text),
    _key("account", Text),
    _needed("cents", BigInteger),
    CheckConstraint("cents >= 0 OR account NOT LIKE 'session:%'", name="no_patron_below_zero"),
)

answers = _table(
    "answers",
    _key("stream", Text),
    _key("asked_by", Text),
    _key("command_id", Text),
    _needed("body", LargeBinary),
    _needed("answer", LargeBinary),
    _needed("at", BigInteger),
    Column("refused_at", BigInteger),  # none: an entry has the command, and this is kept
    Index(
        "answers_refused",
        "stream",
        "refused_at",
        sqlite_where=text("refused_at IS NOT NULL"),
        postgresql_where=text("refused_at IS NOT NULL"),
    ),
)

vouchers = _table(
    "vouchers",
    _key("voucher", Text),
    _needed("cents", BigInteger),
    CheckConstraint("cents > 0", name="worth_something"),
    _needed("expires_at", BigInteger),
    _needed("issued_stream", Text),
    _needed("issued_seq", BigInteger),
    Column("redeemed_stream", Text),
    Column("redeemed_seq", BigInteger),
    Index("vouchers_open", "expires_at"),
    has_rowid=True,
)

sealed = _table(
    "sealed",
    _key("stream", Text),
    _key("place", Text),
    _needed("key", Text),
    _needed("nonce", LargeBinary),
    _needed("data", LargeBinary),
    has_rowid=True,
)

snapshots = _table(
    "snapshots",
    _key("stream", Text),
    _key("seq", BigInteger),
    _needed("hash", Text),
    _needed("data", LargeBinary),
    has_rowid=True,
)

heads = _table(
    "heads",
    _key("stream", Text),
    _key("seq", BigInteger),
    _needed("hash", Text),
    _needed("key", Text),
    _needed("signature", Text),
    Column("epoch", BigInteger, nullable=False, server_default="1"),
    has_rowid=True,
)

set_aside = _table(
    "set_aside",
    _key("stream", Text),
    _key("at", BigInteger),  # when it was set aside
    _key("place", Text),  # the table that it is from
    _key("seq", BigInteger),
    _key("n", BigInteger),  # its place among those of one entry
    _needed("data", LargeBinary),
    _needed("who", Text),  # both people
    has_rowid=True,
)

log = _table(
    "log",
    _key("id", BigInteger),
    CheckConstraint("id = 1", name="one_log"),  # whoever grows it locks this row
    _needed("origin", Text),
    _needed("size", BigInteger),
)

log_places = _table(
    "log_places",
    _key("stream", Text),
    _key("epoch", BigInteger),
    _key("first", BigInteger),
    _needed("last", BigInteger),
    Column("place", BigInteger, nullable=False, unique=True),  # of the first entry's leaf
    _needed("key", Text),  # which of the ring's the salts are made with
    _needed("hash", Text),  # of the last entry
)

log_tiles = _table(
    "log_tiles",
    _key("level", BigInteger),  # -1: the leaves themselves
    _key("n", BigInteger),
    _needed("data", LargeBinary),
)

checkpoints = _table(
    "checkpoints",
    _key("size", BigInteger),
    _needed("note", Text),
)

GROWING = ("log", "log_tiles", "checkpoints")
"""Rows of these are never taken away, and only grow: a tile by hashes, a checkpoint by signatures;
the database refuses anything else.
"""

APPEND_ONLY = ("entries", "transfers", "snapshots", "heads", "set_aside", "log_places")
"""Rows of these are never changed and never taken away; the database refuses. Two people may set
some aside: a row that lies in `set_aside` with the same bytes may leave its place.
"""

# Statements of both databases, with parameters as PostgreSQL writes them, each once and in order

_ENTRIES = "SELECT seq, data FROM entries WHERE stream = $1 AND seq > $2"
ENTRIES_AFTER = f"{_ENTRIES} ORDER BY seq"
ENTRIES_UPTO = f"{_ENTRIES} AND seq <= $3 ORDER BY seq"
ENTRY_DATA = "SELECT data FROM entries WHERE stream = $1 AND seq = $2"
_HEADS = "SELECT stream, epoch, seq, hash, key, signature FROM heads WHERE stream = $1"
LAST_HEAD = f"{_HEADS} ORDER BY seq DESC LIMIT 1"
HEAD_OF = f"{_HEADS} AND seq >= $2 ORDER BY seq LIMIT 1"
LAST_SNAPSHOT = (
    "SELECT s.seq, s.data, e.data FROM snapshots s "
    "JOIN entries e ON e.stream = s.stream AND e.seq = s.seq + 1 "
    "WHERE s.stream = $1 ORDER BY s.seq DESC LIMIT 1"
)
ISSUED = (
    "INSERT INTO vouchers (voucher, cents, expires_at, issued_stream, issued_seq) VALUES ($1, "
    "$2, $3, $4, $5)"
)
REDEEMED = (
    "UPDATE vouchers SET redeemed_stream = $1, redeemed_seq = $2 WHERE voucher = $3 AND "
    "redeemed_seq IS NULL"
)
SEALED_AGAIN = "UPDATE sealed SET key = $1, nonce = $2, data = $3 WHERE stream = $4 AND place = $5"
FORGET = "DELETE FROM answers WHERE stream = $1 AND refused_at < $2"
