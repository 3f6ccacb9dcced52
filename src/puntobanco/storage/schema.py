"""The schema, in one place. Migrations bring a database to it; hot statements are written from it
once.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

metadata = MetaData()

logins = Table(
    "logins",
    metadata,
    Column("token", Text, primary_key=True),  # a hash of it
    Column("person", Text, nullable=False),
    Column("password", Text, nullable=False),  # which one was given: a fingerprint of its verifier
    Column("seen_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

streams = Table(
    "streams",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("hash", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("due_at", BigInteger),
    sqlite_with_rowid=False,
)

entries = Table(
    "entries",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

transfers = Table(
    "transfers",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("n", BigInteger, primary_key=True),
    Column("debit", Text, nullable=False),
    Column("credit", Text, nullable=False),
    Column(
        "cents", BigInteger, CheckConstraint("cents > 0", name="moves_something"), nullable=False
    ),
    sqlite_with_rowid=False,
)

balances = Table(
    "balances",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("account", Text, primary_key=True),
    Column("cents", BigInteger, nullable=False),
    CheckConstraint("cents >= 0 OR account NOT LIKE 'session:%'", name="no_patron_below_zero"),
    sqlite_with_rowid=False,
)

answers = Table(
    "answers",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("asked_by", Text, primary_key=True),
    Column("command_id", Text, primary_key=True),
    Column("body", LargeBinary, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

vouchers = Table(
    "vouchers",
    metadata,
    Column("voucher", Text, primary_key=True),
    Column(
        "cents", BigInteger, CheckConstraint("cents > 0", name="worth_something"), nullable=False
    ),
    Column("expires_at", BigInteger, nullable=False),
    Column("issued_stream", Text, nullable=False),
    Column("issued_seq", BigInteger, nullable=False),
    Column("redeemed_stream", Text),
    Column("redeemed_seq", BigInteger),
    Index("vouchers_open", "expires_at"),
)

sealed = Table(
    "sealed",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("place", Text, primary_key=True),
    Column("key", Text, nullable=False),
    Column("nonce", LargeBinary, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

heads = Table(
    "heads",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("signature", Text, nullable=False),
)

APPEND_ONLY = ("entries", "transfers", "snapshots", "heads")
"""Rows of these are never changed and never taken away; the database refuses."""
