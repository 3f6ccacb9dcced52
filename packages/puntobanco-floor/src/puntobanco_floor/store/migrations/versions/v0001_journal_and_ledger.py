"""Journal, ledger, answers, vouchers, sealed shoes, snapshots, heads."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _text(name: str, **options: bool) -> sa.Column[str]:
    return sa.Column(
        name,
        sa.Text,
        nullable=options.get("nullable", False),
        primary_key=options.get("key", False),
    )


def _int(name: str, **options: bool) -> sa.Column[int]:
    return sa.Column(
        name,
        sa.BigInteger,
        nullable=options.get("nullable", False),
        primary_key=options.get("key", False),
    )


def _bytes(name: str) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary, nullable=False)


def upgrade() -> None:
    lean = {"sqlite_with_rowid": False}
    op.create_table(
        "streams",
        _text("stream", key=True),
        _int("seq"),
        _text("hash"),
        _int("at"),
        _int("due_at", nullable=True),
        **lean,
    )
    op.create_table(
        "entries", _text("stream", key=True), _int("seq", key=True), _bytes("data"), **lean
    )
    op.create_table(
        "transfers",
        _text("stream", key=True),
        _int("seq", key=True),
        _int("n", key=True),
        _text("debit"),
        _text("credit"),
        _int("cents"),
        sa.CheckConstraint("cents > 0", name="moves_something"),
        **lean,
    )
    op.create_table(
        "balances",
        _text("stream", key=True),
        _text("account", key=True),
        _int("cents"),
        sa.CheckConstraint(
            "cents >= 0 OR account NOT LIKE 'session:%'", name="no_patron_below_zero"
        ),
        **lean,
    )
    op.create_table(
        "answers",
        _text("stream", key=True),
        _text("asked_by", key=True),
        _text("command_id", key=True),
        _bytes("body"),
        _bytes("answer"),
        _int("at"),
        **lean,
    )
    op.create_table(
        "vouchers",
        _text("voucher", key=True),
        _int("cents"),
        _int("expires_at"),
        _text("issued_stream"),
        _int("issued_seq"),
        _text("redeemed_stream", nullable=True),
        _int("redeemed_seq", nullable=True),
        sa.CheckConstraint("cents > 0", name="worth_something"),
    )
    op.create_index("vouchers_open", "vouchers", ["expires_at"])
    op.create_table(
        "sealed",
        _text("stream", key=True),
        _text("place", key=True),
        _text("key"),
        _bytes("nonce"),
        _bytes("data"),
    )
    op.create_table(
        "snapshots", _text("stream", key=True), _int("seq", key=True), _text("hash"), _bytes("data")
    )
    op.create_table(
        "heads",
        _text("stream", key=True),
        _int("seq", key=True),
        _text("hash"),
        _text("key"),
        _text("signature"),
    )


def downgrade() -> None:
    raise NotImplementedError("a journal is not taken apart; restore a backup instead")
