"""Every commit has a signed head, with the epoch that it is of."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("heads", sa.Column("epoch", sa.BigInteger, nullable=False, server_default="1"))


def downgrade() -> None:
    raise NotImplementedError("a journal is not taken apart; restore a backup instead")
