"""Answers of refused commands have the time from which they may be forgotten."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("answers", sa.Column("refused_at", sa.BigInteger))
    # as canonical JSON writes it: inside of a text the quotes would be escaped
    refused = """'"ok"\\:false'"""
    if op.get_bind().dialect.name == "sqlite":
        is_refused = f"instr(answer, CAST({refused} AS BLOB)) > 0"
    else:
        is_refused = f"position(CAST({refused} AS bytea) IN answer) > 0"
    op.execute(f"UPDATE answers SET refused_at = at WHERE {is_refused}")
    op.create_index(
        "answers_refused",
        "answers",
        ["stream", "refused_at"],
        sqlite_where=sa.text("refused_at IS NOT NULL"),
        postgresql_where=sa.text("refused_at IS NOT NULL"),
    )


def downgrade() -> None:
    raise NotImplementedError("a journal is not taken apart; restore a backup instead")
