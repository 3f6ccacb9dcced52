"""Roles on PostgreSQL: a node appends, and nothing that it may say to the database takes the journal apart."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import errors

from puntobanco.storage import schema
from puntobanco.storage.audit import audit
from puntobanco.storage.batch import Request
from puntobanco.storage.errors import BadDatabase
from puntobanco.storage.locate import migrate, open_store
from puntobanco.storage.roles import GRANTS
from puntobanco.table import commands as c
from tests.forked import command_line
from tests.storage.servers import database
from tests.storage.test_migrate import ROUND, TABLE


def as_role(url: str, role: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{role}@{rest.rpartition('@')[2]}"


@pytest.fixture
def owned(postgres: str) -> Iterator[tuple[str, str]]:
    """The address of a database for its owner, and for a node."""
    role = f"node_{uuid.uuid4().hex[:8]}"
    with database(postgres) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {role} LOGIN")
        done = command_line("migrate", "--database", url, "--node", role)
        assert done.returncode == 0, done.stderr
        assert f"{role} may append" in done.stdout
        yield url, as_role(url, role)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"DROP ROLE {role}")


def test_every_table_has_rights_for_nodes_and_no_more() -> None:
    assert set(GRANTS) == {*schema.metadata.tables, "alembic_version"}
    for table in schema.APPEND_ONLY:
        assert "UPDATE" not in GRANTS[table]
        assert "DELETE" not in GRANTS[table]


def test_a_node_plays_and_the_audit_finds_it_sound(
    owned: tuple[str, str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    owner, node = owned
    keys, heads = tmp_path / "floor.keys", tmp_path / "floor.heads"
    with open_store(node, keys=keys, heads=heads, clock=False) as store:
        for n, command in enumerate(ROUND):
            assert store.ask(Request(stream=TABLE, id=str(n), command=command)).ok
        refused = c.PlaceWager(by="ann", round=9, session="ann", bet="tie", stake_cents=1_000)
        assert not store.ask(Request(stream=TABLE, id="late", command=refused)).ok
        store.rotate_keys()
    assert "take the journal apart" not in caplog.text
    assert audit(owner, keys=keys, heads=[heads]).sound
    with open_store(owner, keys=keys, heads=heads, clock=False):
        assert "take the journal apart" in caplog.text


@pytest.mark.parametrize(
    "said",
    [
        "DROP TRIGGER entries_append_only ON entries",
        "ALTER TABLE entries DISABLE TRIGGER ALL",
        "ALTER TABLE entries OWNER TO CURRENT_USER",
        "UPDATE entries SET data = ''",
        "DELETE FROM entries",
        "DELETE FROM heads",
        "TRUNCATE entries",
        "DROP TABLE entries",
        "INSERT INTO set_aside VALUES ('table:1', 1, 'entries', 1, 0, '', 'x')",
        "UPDATE vouchers SET cents = 10000000",
        "UPDATE vouchers SET expires_at = 0",
        "DELETE FROM vouchers",
        "UPDATE answers SET answer = ''",
        "UPDATE alembic_version SET version_num = '0001'",
        "CREATE TABLE mine (a text)",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "SET session_replication_role = replica",
        "SELECT pg_read_file('/etc/passwd')",
        "COPY entries TO PROGRAM 'cat'",
    ],
)
def test_a_node_cannot_take_the_journal_apart(owned: tuple[str, str], said: str) -> None:
    with psycopg.connect(owned[1]) as connection, pytest.raises(errors.InsufficientPrivilege):
        connection.execute(said.encode())


def test_a_node_does_not_migrate_and_says_who_does(owned: tuple[str, str]) -> None:
    owner, node = owned
    migrate(node)  # up to date
    with psycopg.connect(owner) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0006'")
    with pytest.raises(BadDatabase, match="its owner runs puntobanco migrate"):
        migrate(node)


def test_a_role_has_a_plain_name(owned: tuple[str, str]) -> None:
    done = command_line("migrate", "--database", owned[0], "--node", 'x"; DROP TABLE entries; --')
    assert done.returncode == 2
    assert "is no name of a role" in done.stderr
