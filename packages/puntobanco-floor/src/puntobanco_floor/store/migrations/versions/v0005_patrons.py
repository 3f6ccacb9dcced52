"""Cards of patrons, as MACs, and the random ids that the journal knows the patrons by."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "patrons",
        sa.Column("card", sa.Text, primary_key=True),
        sa.Column("patron", sa.Text, nullable=False, unique=True),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    raise NotImplementedError("a journal is not taken apart; restore a backup instead")
