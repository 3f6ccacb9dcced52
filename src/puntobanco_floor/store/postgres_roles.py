"""Roles on PostgreSQL: an owner, who makes and migrates the tables, and nodes, who append.

A node may not change or remove what was written, nor take off the triggers that refuse it: who has
taken over a node cannot take the journal apart. Entries are set aside, and tables beside the
journal put right, by commands that connect as the owner.
"""

from __future__ import annotations

import re

from sqlalchemy import Connection, text

from puntobanco_floor.store.errors import BadDatabase

_ROLE = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_APPENDS = "SELECT, INSERT"
GRANTS = {
    "entries": _APPENDS,
    "transfers": _APPENDS,
    "snapshots": _APPENDS,
    "heads": _APPENDS,
    "set_aside": "SELECT",
    "vouchers": f"{_APPENDS}, UPDATE (redeemed_stream, redeemed_seq)",
    "streams": f"{_APPENDS}, UPDATE",
    "balances": f"{_APPENDS}, UPDATE, DELETE",
    "answers": f"{_APPENDS}, DELETE",
    "sealed": f"{_APPENDS}, UPDATE, DELETE",
    "logins": f"{_APPENDS}, UPDATE, DELETE",
    "patrons": f"{_APPENDS}, UPDATE, DELETE",
    "log": f"{_APPENDS}, UPDATE (size)",
    "log_places": _APPENDS,
    "log_tiles": f"{_APPENDS}, UPDATE (data)",
    "checkpoints": f"{_APPENDS}, UPDATE (note)",
    "alembic_version": "SELECT",
}
"""What a node may do to each table."""


def grant(connection: Connection, role: str) -> None:
    """So much and no more, whatever it was given before."""
    if not _ROLE.fullmatch(role):
        raise BadDatabase(f"{role!r:.60} is no name of a role; write it as floor_node")
    schema = connection.scalar(text("SELECT current_schema()"))
    connection.exec_driver_sql(f'REVOKE ALL ON ALL TABLES IN SCHEMA "{schema}" FROM "{role}"')
    connection.exec_driver_sql(f'REVOKE CREATE ON SCHEMA "{schema}" FROM PUBLIC, "{role}"')
    connection.exec_driver_sql(f'GRANT USAGE ON SCHEMA "{schema}" TO "{role}"')
    for table, rights in GRANTS.items():
        connection.exec_driver_sql(f'GRANT {rights} ON "{schema}"."{table}" TO "{role}"')


def is_owner(connection: Connection) -> bool:
    """Whether who is connected could take the tables apart. Who may become the owner could too."""
    found = text(
        "SELECT pg_has_role(tableowner, 'MEMBER') FROM pg_tables "
        "WHERE tablename = 'entries' AND schemaname = current_schema()"
    )
    return connection.scalar(found) is not False
