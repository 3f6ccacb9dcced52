"""Settings: each is an option and bounded; the file, the environment and the command line in that order."""

import re
import tomllib
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from puntobanco_floor import settings
from puntobanco_floor.cli.floor_options import with_settings
from puntobanco_floor.cli.serve import serve
from puntobanco_floor.settings import (
    DEFAULTS,
    FIELDS,
    BadSetting,
    Settings,
    bounds_of,
    kind_of,
    read,
)
from tools.tree import ROOT

NUMBERS = [name for name, spec in FIELDS.items() if kind_of(spec) in (int, float)]


def test_every_setting_is_an_option_of_serve() -> None:
    assert FIELDS.keys() <= {parameter.name for parameter in serve.params}


@pytest.mark.parametrize("name", NUMBERS)
def test_every_number_is_bounded_at_its_bounds_and_one_past(name: str) -> None:
    least, most = FIELDS[name].metadata["within"]
    kind = kind_of(FIELDS[name])
    for value in (least, most):
        assert getattr(read(given={name: kind(value)}), name) == value
    for value in (least - 1, most + 1):
        with pytest.raises(
            BadSetting,
            match=f"the setting {name} is .*; it has to be {re.escape(bounds_of(FIELDS[name]))}",
        ):
            read(given={name: kind(value)})


def test_the_later_one_wins(tmp_path: Path) -> None:
    file = tmp_path / "puntobanco.toml"
    file.write_text("port = 1\nstop_s = 7\nlog_format = 'json'\n")
    environment = {"PUNTOBANCO_PORT": "2", "PUNTOBANCO_LOG_FORMAT": "text", "PATH": "x"}
    assert read().port == 8000
    assert read(file=file).port == 1
    assert read(file=file, environment=environment).port == 2
    found = read(file=file, environment=environment, given={"port": 3, "host": None})
    assert (found.port, found.stop_s, found.log_format, found.host) == (3, 7, "text", "127.0.0.1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prot = 1", "which is no setting"),
        ("port = 'x'", "has to be a whole number"),
        ("port = 1.5", "has to be a whole number"),
        ("port = true", "has to be a whole number"),
        ("demo = 1", "has to be true or false"),
        ("[x]\ny = 1", "which is no setting"),
        ("log_format = 'xml'", "has to be one of: text, json"),
        ("port = ", "is no TOML"),
        ("host = 1", "has to be a text"),
        ("stop_s = nan", "has to be 0.5 to 120"),
        ("dealer_idle_s = 301", "has to be 30 to 300"),
    ],
)
def test_a_bad_file_is_one_clear_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "x.toml"
    file.write_text(text)
    with pytest.raises(BadSetting, match=re.escape(said)) as refusal:
        read(file=file)
    assert "\n" not in refusal.value.reason


@pytest.mark.parametrize(
    "environment",
    [{"PUNTOBANCO_PROT": "1"}, {"PUNTOBANCO_PORT": "x"}, {"PUNTOBANCO_DEMO": "perhaps"}],
)
def test_a_bad_environment_is_refused(environment: dict[str, str]) -> None:
    with pytest.raises(BadSetting):
        read(environment=environment)


def test_what_else_the_environment_may_hold_is_no_setting() -> None:
    assert read(environment={f"PUNTOBANCO_{name}": "1" for name in settings.OTHERS}) == DEFAULTS


def test_the_address_of_the_database_comes_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("postgresql://floor:hush@db/floor\n")
    assert (
        read(given={"database_file": str(tmp_path / "secret")}).database
        == "postgresql://floor:hush@db/floor"
    )
    with pytest.raises(BadSetting, match="cannot read database_file"):
        read(given={"database_file": str(tmp_path / "nowhere")})
    with pytest.raises(BadSetting, match="cannot read the settings"):
        read(file=tmp_path / "nowhere")


def test_settings_never_change() -> None:
    with pytest.raises(FrozenInstanceError):
        DEFAULTS.port = 1  # type: ignore[misc]


def test_the_command_line_wins_over_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import click  # noqa: PLC0415

    seen = list[Settings]()
    command = click.command()(with_settings(seen.append))
    file = tmp_path / "x.toml"
    file.write_text("port = 1\nhost = 'a'\nnotify = false")
    monkeypatch.setenv("PUNTOBANCO_CONFIG", str(file))
    monkeypatch.setenv("PUNTOBANCO_HOST", "b")
    assert CliRunner().invoke(command, ["--stop-s", "2.5", "--demo"]).exit_code == 0
    assert (seen[-1].port, seen[-1].host, seen[-1].stop_s, seen[-1].demo, seen[-1].notify) == (
        1,
        "b",
        2.5,
        True,
        False,
    )
    assert CliRunner().invoke(command, ["--host", "c", "--notify", "on"]).exit_code == 0
    assert (seen[-1].host, seen[-1].notify, seen[-1].demo) == ("c", True, False)
    failed: Any = CliRunner().invoke(command, ["--port", "0"]).exception
    assert isinstance(failed, BadSetting)


def test_the_example_in_the_documentation_is_read() -> None:
    page = (ROOT / "docs/reference/configuration.md").read_text("utf-8")
    [example] = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    said = {**tomllib.loads(example), "database_file": ""}
    assert read(given=said).metrics_port == 9100


@pytest.mark.parametrize("name", ["Containerfile", "compose.yaml"])
def test_what_the_containers_set_are_settings(name: str) -> None:
    """No container engine runs in these tests; that the names and values are right is seen without one."""
    text = (ROOT / name).read_text("utf-8")
    said = dict(re.findall(r"(PUNTOBANCO_[A-Z_]+)(?:=|: )\"?([^\s\"]+)", text))
    assert said
    said.pop("PUNTOBANCO_DATABASE_FILE", None)  # a secret that is not here
    read(environment=said)
