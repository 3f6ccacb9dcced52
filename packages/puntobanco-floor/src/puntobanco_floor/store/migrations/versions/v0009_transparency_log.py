"""The transparency log: its places, tiles and checkpoints. What is in it only grows."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

GROWS = {
    "log": "NEW.id = OLD.id AND NEW.origin = OLD.origin AND NEW.size >= OLD.size",
    "log_tiles": "NEW.level = OLD.level AND NEW.n = OLD.n "
    "AND substr(NEW.data, 1, length(OLD.data)) = OLD.data",
    "checkpoints": "NEW.size = OLD.size AND substr(NEW.note, 1, length(OLD.note)) = OLD.note",
}
"""How a row may change."""


def upgrade() -> None:
    _tables()
    if op.get_bind().dialect.name == "sqlite":
        _sqlite()
    else:
        _postgres()


def _key(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, primary_key=True, autoincrement=False)


def _tables() -> None:
    op.create_table(
        "log",
        _key("id"),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.CheckConstraint("id = 1", name="one_log"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "log_places",
        sa.Column("stream", sa.Text, primary_key=True),
        _key("epoch"),
        _key("first"),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("place", sa.BigInteger, nullable=False, unique=True),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "log_tiles",
        _key("level"),
        _key("n"),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "checkpoints",
        _key("size"),
        sa.Column("note", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )


def _sqlite() -> None:
    for what in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER log_places_no_{what.lower()} BEFORE {what} ON log_places "
            "BEGIN SELECT RAISE(ABORT, 'log_places is append-only'); END"
        )
    for table, grows in GROWS.items():
        op.execute(
            f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} WHEN NOT ({grows}) "
            f"BEGIN SELECT RAISE(ABORT, '{table} only grows'); END"
        )
        op.execute(
            f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} only grows'); END"
        )


def _postgres() -> None:
    op.execute(
        "CREATE TRIGGER log_places_append_only BEFORE UPDATE OR DELETE ON log_places "
        "FOR EACH ROW EXECUTE FUNCTION append_only()"
    )
    for table, grows in GROWS.items():
        op.execute(
            f"CREATE FUNCTION {table}_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF TG_OP = 'UPDATE' AND {grows} THEN RETURN NEW; END IF; "
            "RAISE EXCEPTION '% only grows', TG_TABLE_NAME; END $$"
        )
        op.execute(
            f"CREATE TRIGGER {table}_only_grows BEFORE UPDATE OR DELETE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {table}_only_grows()"
        )


def downgrade() -> None:
    raise NotImplementedError("a journal is not taken apart; restore a backup instead")
