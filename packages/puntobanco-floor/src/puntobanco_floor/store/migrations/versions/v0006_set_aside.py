"""Entries that two people set aside are kept in a table of their own; what lies there with the same
bytes may leave its place.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

TABLES = {
    "entries": ("OLD.data", "0"),
    "snapshots": ("OLD.data", "0"),
    "heads": ("{0}OLD.epoch || ' ' || OLD.hash || ' ' || OLD.key || ' ' || OLD.signature{1}", "0"),
    "transfers": ("{0}OLD.debit || ' ' || OLD.credit || ' ' || OLD.cents{1}", "OLD.n"),
}
"""What of a row is kept, and its place among those of one entry."""


def upgrade() -> None:
    op.create_table(
        "set_aside",
        sa.Column("stream", sa.Text, primary_key=True),
        sa.Column("at", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("place", sa.Text, primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("n", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
    )
    if op.get_bind().dialect.name == "sqlite":
        _sqlite()
    else:
        _postgres()


def _kept(table: str, *, before: str, after: str) -> str:
    data, n = TABLES[table]
    return (
        f"EXISTS (SELECT 1 FROM set_aside WHERE stream = OLD.stream AND place = '{table}' "
        f"AND seq = OLD.seq AND n = {n} AND data = {data.format(before, after)})"
    )


def _sqlite() -> None:
    for table in TABLES:
        kept = _kept(table, before="CAST(", after=" AS BLOB)")
        op.execute(f"DROP TRIGGER {table}_no_delete")
        op.execute(
            f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} WHEN NOT {kept} "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        )
    for what in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER set_aside_no_{what.lower()} BEFORE {what} ON set_aside "
            "BEGIN SELECT RAISE(ABORT, 'set_aside is append-only'); END"
        )


def _postgres() -> None:
    for table in TABLES:
        kept = _kept(table, before="convert_to(", after=", 'UTF8')")
        op.execute(
            f"CREATE FUNCTION {table}_set_aside() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF {kept} THEN RETURN OLD; END IF; "
            "RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
        )
        op.execute(f"DROP TRIGGER {table}_append_only ON {table}")
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION append_only()"
        )
        op.execute(
            f"CREATE TRIGGER {table}_set_aside BEFORE DELETE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {table}_set_aside()"
        )
    op.execute(
        "CREATE TRIGGER set_aside_append_only BEFORE UPDATE OR DELETE ON set_aside "
        "FOR EACH ROW EXECUTE FUNCTION append_only()"
    )


def downgrade() -> None:
    raise NotImplementedError("a journal is not taken apart; restore a backup instead")
