"""Addresses of databases: no password is shown or given on a command line, and nothing travels in the clear."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from puntobanco.cli import cli
from puntobanco.cli.options import GameType
from puntobanco_floor import settings
from puntobanco_floor.cli import floor_options
from puntobanco_floor.store.addresses import has_password, shown_postgres, verify_private
from puntobanco_floor.store.engines import engine_for
from puntobanco_floor.store.errors import BadDatabase
from tests.support.forked import command_line

SECRET = "s3cr3t"


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://ann:{SECRET}@db/floor",
        f"postgres://ann:{SECRET}@db:5432,other:5433/floor?sslmode=require",
        f"postgresql://db/floor?user=ann&password={SECRET}",
        f"postgresql://ann:x/{SECRET}@db/floor",
        f"postgresql://ann:x?{SECRET}@db/floor",
        f"postgresql://ann:x@{SECRET}@db/floor",
        f"postgresql://db/floor?password={SECRET}@x",
        f"postgresql:///floor?host=/tmp&password={SECRET}",
    ],
)
def test_a_password_is_never_shown(url: str) -> None:
    assert SECRET not in shown_postgres(url)
    assert has_password(url)


@pytest.mark.parametrize(
    "place",
    [
        "/floor",
        "/floor?host=/var/run/postgresql",
        "localhost/floor",
        "127.0.0.1:5432/floor",
        "[::1]:5432/floor",
        "ann:x@127.0.0.2/floor",
        "db.example/floor?sslmode=verify-full",
        "db.example,other.example/floor?sslmode=require",
    ],
)
def test_here_and_under_tls_is_private(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PGHOST", "PGSSLMODE"):
        monkeypatch.delenv(name, raising=False)
    verify_private(f"postgresql://{place}")


@pytest.mark.parametrize(
    "place",
    [
        "db/floor",
        "10.0.0.5:5432/floor",
        "localhost,db/floor",
        "localhost.example/floor",
        "db/floor?sslmode=prefer",
        "db/floor?sslmode=disable",
        "/floor?host=db",
        "localhost/floor?hostaddr=10.0.0.5",
        "[2001:db8::1]/floor",
    ],
)
def test_beyond_this_machine_tls_is_demanded(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PGHOST", "PGSSLMODE"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(BadDatabase, match="TLS is demanded"):
        engine_for(f"postgresql://{place}")


def test_what_the_drivers_take_from_the_environment_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "db")
    with pytest.raises(BadDatabase, match="TLS is demanded"):
        verify_private("postgresql:///floor")
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    verify_private("postgresql:///floor")


COMMANDS = [
    ["serve"],
    ["audit"],
    ["export", "--format", "csv"],
    ["table", "list"],
    ["staff", "list"],
    ["migrate"],
    ["report", "daily"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_password_on_a_command_line_is_refused(command: list[str]) -> None:
    done = command_line(*command, "--database", f"postgresql://ann:{SECRET}@127.0.0.1:1/floor")
    assert done.returncode == 2
    assert "--database-file" in done.stderr
    assert SECRET not in done.stderr + done.stdout


@pytest.mark.parametrize("command", COMMANDS[1:], ids=" ".join)
@pytest.mark.parametrize("way", ["option", "file", "environment", "file in environment", "config"])
def test_every_command_finds_its_database_as_serve_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], way: str
) -> None:
    """All are told of the same missing folder: which database they looked for shows."""
    wanted = str(tmp_path / "nowhere" / "named.db")
    file, config = tmp_path / "address", tmp_path / "settings.toml"
    file.write_text(f"{wanted}\n")
    config.write_text(f"database = '{wanted}'\nport = 8001\n")
    given = list[str]()
    match way:
        case "option":
            given = ["--database", wanted]
        case "file":
            given = ["--database-file", str(file)]
        case "environment":
            monkeypatch.setenv("PUNTOBANCO_DATABASE", wanted)
        case "file in environment":
            monkeypatch.setenv("PUNTOBANCO_DATABASE_FILE", str(file))
        case "config":
            given = ["--config", str(config)]
    done = command_line(*command, *given)
    assert done.returncode != 0
    assert "nowhere" in done.stderr + done.stdout


def walked(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, with its words."""
    if isinstance(command, click.Group):
        with click.Context(command) as context:
            for each in command.list_commands(context):
                found = command.get_command(context, each)
                assert found is not None
                yield from walked(found, f"{name} {each}".strip())
        return
    yield name, command


def options_of(command: click.Command) -> set[str]:
    return {option for parameter in command.params for option in parameter.opts}


EVERY = dict(walked(cli))
OF_A_FLOOR = {name for name, each in EVERY.items() if "--database" in options_of(each)}
NAME_OTHERS = ("copy", "patron mend")
"""These name databases besides the floor's own, by options of their own."""


def test_every_command_with_a_database_takes_it_from_a_file_and_from_settings() -> None:
    """A new command cannot forget it: the password would stand in the list of processes."""
    assert {
        "serve",
        "init",
        "table add",
        "staff add",
        "epoch begin",
        "audit",
        "restore",
    } <= OF_A_FLOOR
    for name in OF_A_FLOOR:
        assert {"--database-file", "--config"} <= options_of(EVERY[name]), name
    for name, command in EVERY.items():
        addresses = {"--from", "--to"} & options_of(command)
        if name in NAME_OTHERS:
            assert {f"{each}-file" for each in addresses} <= options_of(command), name
        elif name not in OF_A_FLOOR:
            told = [str(getattr(parameter, "help", "")) for parameter in command.params]
            assert not any("database" in each for each in told), f"{name} names one in its own way"


class Asked(Exception):
    """A command came to ask which database it is about."""


@pytest.mark.parametrize("name", sorted(OF_A_FLOOR))
def test_a_command_finds_its_database_as_serve_does_and_never_demands_it(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    command = EVERY[name]
    assert not any(each.required for each in command.params if "--database" in each.opts)
    if "--viewers" in options_of(command):
        return  # all settings: it reads them as `serve` does, with the same function
    asked = list[str]()

    def ask(**given: Any) -> str:
        asked.append(find(**given))
        raise Asked

    find = settings.database_named
    monkeypatch.setattr(floor_options, "database_named", ask)
    config = tmp_path / "settings.toml"
    config.write_text('database = "of settings.db"\n')
    named = {
        "": settings.DEFAULTS.database,
        "PUNTOBANCO_DATABASE": "of the environment.db",
        "PUNTOBANCO_CONFIG": str(config),
    }
    for variable, said in named.items():
        environment = {variable: said} if variable else {}
        run = CliRunner(env=environment).invoke(cli, [*name.split(), *needed(command)])
        assert isinstance(run.exception, Asked), run.output
        expected = "of settings.db" if variable == "PUNTOBANCO_CONFIG" else said
        assert asked.pop() == expected


def needed(command: click.Command) -> Iterator[str]:
    """Something for each argument and option that the command demands."""
    for each in command.params:
        if each.required:
            if isinstance(each, click.Option):
                yield each.opts[0]
            kind = each.type
            if isinstance(kind, click.Choice):
                yield next(iter(kind.choices))
            else:
                yield "rapid" if isinstance(kind, GameType) else "1"


@pytest.mark.parametrize(
    "line",
    [
        ["audit", "--archive", "a.json"],
        ["replay", "--archive", "a.json", "--round", "table:1:1"],
        ["dispute", "--verify", "pack"],
    ],
)
def test_a_database_of_the_environment_does_not_contradict_an_archive(line: list[str]) -> None:
    """It is exported once for all commands; one that is named on the command line does."""
    contradicts = re.compile("not both|needs nothing else")
    of_environment = command_line(*line, env={"PUNTOBANCO_DATABASE": "floor.db"})
    assert not contradicts.search(of_environment.stderr)
    assert contradicts.search(command_line(*line, "--database", "floor.db").stderr)


@pytest.mark.parametrize(("mode", "is_named"), [(0o644, True), (0o640, False), (0o600, False)])
def test_a_file_with_a_password_that_everybody_reads_is_named(
    tmp_path: Path, mode: int, is_named: bool, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "address"
    path.write_text(f"postgresql://floor:{SECRET}@127.0.0.1:1/floor\n")
    path.chmod(mode)
    settings.read(file=None, given={"database_file": str(path)})
    assert (
        f"secret not private: everybody may read {path}; run chmod 600" in caplog.text
    ) is is_named
    assert SECRET not in caplog.text


def test_whoever_names_a_database_means_that_one(tmp_path: Path) -> None:
    file = tmp_path / "address"
    file.write_text("of-the-file.db\n")
    environment = {"PUNTOBANCO_DATABASE_FILE": str(file)}
    assert settings.read(environment=environment).database == "of-the-file.db"
    given = {"database": "given.db"}
    assert settings.read(environment=environment, given=given).database == "given.db"
