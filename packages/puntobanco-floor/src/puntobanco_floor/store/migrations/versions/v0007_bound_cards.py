"""A row of patrons has a MAC over card and patron. Rows from before have none until a node starts,
which gives them theirs once and says so in the journal.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("patrons", sa.Column("mac", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    raise NotImplementedError("a journal is not taken apart; restore a backup instead")
