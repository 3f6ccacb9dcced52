"""Databases of earlier versions, later versions, and files that are no database of ours."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store import schema
from puntobanco_floor.store.batch import Request, state_hash
from puntobanco_floor.store.errors import BadDatabase
from puntobanco_floor.store.schema_upgrade import MIGRATIONS, migrate, versions
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.sqlite_file import beside, connect

TABLE = "table:1"
ROUND: list[Command] = [
    c.OpenTable(by="boss", game="rapid"),
    c.NewShoe(by="dealer", dealing="physical"),
    c.SeatSession(by="ann", session="ann"),
    c.BuyIn(by="cage", session="ann", cents=50_000),
    c.SeatSession(by="ben", session="ben"),
    c.BuyIn(by="cage", session="ben", cents=20_000),
    c.IssueVoucher(by="ben", session="ben", voucher="v1"),
    c.RedeemVoucher(by="ann", session="ann", voucher="v1"),
    c.OpenBets(by="dealer"),
    c.PlaceWager(by="ann", round=1, session="ann", bet="player", stake_cents=10_000),
    c.CloseBets(by="dealer"),
    *(c.EnterCard(by="dealer", card=card) for card in ("9s", "2h", "Td", "4c")),
    c.Settle(by="dealer"),
    c.EndShoe(by="dealer"),
    c.NewShoe(by="dealer", dealing="virtual"),
]


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A database with something in every table."""
    path = tmp_path / "played.db"
    with SqliteStore(path) as store:
        for n, command in enumerate(ROUND):
            assert store.ask(Request(stream=TABLE, id=str(n), command=command)).ok
        store.log.open("floor.example/log")
        store.log.grow()
        store.log.sign()
    with closing(connect(path)) as db:
        db.execute(
            "INSERT INTO logins (token, person, password, seen_at) VALUES ('ab', 'dora', 'cd', 1)"
        )
        db.execute("INSERT INTO patrons (card, patron, made_at) VALUES ('ef', 'p-7f3k9m2q', 1)")
        db.execute(
            "INSERT INTO set_aside (stream, at, place, seq, n, data, who) "
            "VALUES ('table:1', 1, 'entries', 99, 0, 'x', 'ada and sam')"
        )
        for table in schema.metadata.tables:
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() > (0,), table
    return path


def _columns(db: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in db.execute(f"PRAGMA main.table_info({table})")]


def _earlier(path: Path, version: str, source: Path) -> None:
    """A database of that version with the rows that it could hold."""
    migrate(str(path), to=version)
    with closing(connect(path)) as db:
        db.execute("ATTACH ? AS source", (str(source),))
        for table in schema.metadata.tables:
            if shared := ", ".join(_columns(db, table)):
                db.execute(
                    f"INSERT INTO main.{table} ({shared}) SELECT {shared} FROM source.{table}"
                )
    for part in ("keys", "heads", "node"):
        beside(path, part).write_bytes(beside(source, part).read_bytes())


def _version(path: Path) -> str:
    with closing(sqlite3.connect(path)) as db:
        return str(db.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def _triggers(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as db:
        return {
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        }


@pytest.mark.parametrize("version", versions())
def test_a_database_of_every_version_comes_up_with_all_that_was_in_it(
    version: str, played: Path, tmp_path: Path
) -> None:
    path = tmp_path / "old.db"
    _earlier(path, version, played)
    assert _version(path) == version
    with SqliteStore(played) as store:
        expected = state_hash(store.stream(TABLE))
    with SqliteStore(path) as store:
        assert state_hash(store.stream(TABLE)) == expected
        again = store.ask(Request(stream=TABLE, id="3", command=ROUND[3]))
        assert (again.ok, again.seq) == (True, 5), "what was answered before is answered the same"
        assert store.ask(
            Request(stream=TABLE, id="new", command=c.SeatSession(by="eve", session="eve"))
        ).ok
    assert _version(path) == versions()[-1]
    assert _triggers(path) == _triggers(played)
    report = audit(path)
    assert report.sound, report.fault


def test_versions_are_numbered_in_order() -> None:
    assert versions() == sorted(versions())
    assert versions()[0] == "0001"


def test_a_file_is_named_by_its_version() -> None:
    """`versions` reads names alone; Alembic reads what is in the files."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = list(ScriptDirectory.from_config(config).walk_revisions())
    assert versions() == [script.revision for script in reversed(scripts)]


def test_the_migrations_make_the_schema_and_nothing_else(tmp_path: Path) -> None:
    migrate(str(tmp_path / "migrated.db"))
    by_migrations = create_engine(f"sqlite:///{tmp_path / 'migrated.db'}")
    by_schema = create_engine(f"sqlite:///{tmp_path / 'schema.db'}")
    schema.metadata.create_all(by_schema)
    with by_migrations.connect() as one, by_schema.connect() as other:
        assert compare_metadata(MigrationContext.configure(one), schema.metadata) == []
        left, right = inspect(one), inspect(other)
        assert set(left.get_table_names()) - {"alembic_version"} == set(right.get_table_names())
        for table in right.get_table_names():
            for what in (
                "get_columns",
                "get_pk_constraint",
                "get_check_constraints",
                "get_indexes",
                "get_foreign_keys",
                "get_unique_constraints",
            ):
                mine, its = getattr(left, what)(table), getattr(right, what)(table)
                assert _comparable(mine) == _comparable(its), f"{table}: {what}"
        kinds = "SELECT name, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT IN ('alembic_version') ORDER BY name"
        assert one.exec_driver_sql(kinds).all() == other.exec_driver_sql(kinds).all(), (
            "with or without row ids"
        )
    for engine in (by_migrations, by_schema):
        engine.dispose()


def _comparable(found: object) -> object:
    """Types by their names, lists in one order."""
    if isinstance(found, dict):
        named = {key: str(value) if key == "type" else value for key, value in found.items()}
        options = found.get("dialect_options", {})
        return named | {key: str(value) for key, value in options.items()} | {"dialect_options": 0}
    assert isinstance(found, list)
    return sorted((_comparable(one) for one in found), key=str)


def test_every_append_only_table_refuses_changes_and_removals(tmp_path: Path) -> None:
    migrate(str(tmp_path / "a.db"))
    assert _triggers(tmp_path / "a.db") == {
        f"{table}_no_{what}"
        for table in (*schema.APPEND_ONLY, *schema.GROWING)
        for what in ("update", "delete")
    }


# What is refused: in one line, and untouched


def _newer(path: Path) -> None:
    migrate(str(path))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")


def _text(path: Path) -> None:
    path.write_text("a letter to the auditor, not a database\n" * 200)


def _of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE entries (diary TEXT)")
        db.execute("INSERT INTO entries VALUES ('rain')")


def _torn(path: Path) -> None:
    migrate(str(path))
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xff" * 3_996 + data[4_096:])


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (_newer, "version 9999, which is newer than this program"),
        (_text, "not a database"),
        (_of_another_program, "another program"),
        (_torn, "malformed"),
    ],
)
def test_a_file_that_this_program_cannot_use_is_refused_in_one_line_and_left_alone(
    make: object, why: str, tmp_path: Path
) -> None:
    path = tmp_path / "floor.db"
    assert callable(make)
    make(path)
    before = path.read_bytes()
    with pytest.raises(BadDatabase, match=why) as refused:
        SqliteStore(path)
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["floor.db"]


def test_a_folder_that_is_not_there_is_refused_in_one_line(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere" / "floor.db", tmp_path):
        with pytest.raises(BadDatabase, match="unable to open") as refused:
            SqliteStore(path)
        assert "\n" not in str(refused.value)


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    path.touch()
    with SqliteStore(path) as store:
        assert store.names() == []
    assert _version(path) == versions()[-1]


def test_a_migration_that_fails_halfway_leaves_the_database_as_it_was(
    played: Path, tmp_path: Path
) -> None:
    path = tmp_path / "old.db"
    _earlier(path, "0001", played)
    with closing(connect(path)) as db:  # the last name that the second version wants
        db.execute("CREATE TRIGGER heads_no_delete AFTER INSERT ON heads BEGIN SELECT 1; END")
    with pytest.raises(BadDatabase, match="heads_no_delete already exists") as refused:
        SqliteStore(path)
    assert "\n" not in str(refused.value)
    assert _version(path) == "0001"
    assert _triggers(path) == {"heads_no_delete"}
    with closing(connect(path)) as db:
        db.execute("DROP TRIGGER heads_no_delete")
    with SqliteStore(path) as store:
        assert store.table(TABLE).state.seq > len(ROUND)
    assert audit(path).sound
