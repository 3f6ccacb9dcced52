"""Long commands show how far they are on a terminal, and say where they stopped."""

import io
import re
import sys
from pathlib import Path

import pytest

from puntobanco.base import progress
from puntobanco.cli import console
from puntobanco_floor.store.schema_upgrade import migrate
from puntobanco_floor.store.sqlite import SqliteStore
from tests.storage.played import played
from tests.test_cli import Runner, run

__all__ = ["run"]

COMMANDS: dict[str, tuple[str, str]] = {
    "audit": ("audit --database floor.db", "entries"),
    "audit of an archive": ("audit --archive period.jsonl", "entries"),
    "replay": ("replay --database floor.db --round table:1:2", "entries"),
    "export of the journal": ("export --database floor.db --format jsonl", "entries"),
    "export of wagers": ("export --database floor.db --format csv", "entries"),
    "export of transfers": (
        "export --database floor.db --format csv --what transfers",
        "entries",
    ),
    "archive": ("archive --database floor.db --table table:1 --period 1 --to new.jsonl", "entries"),
    "backup": ("backup --database floor.db --to new-backup", "entries"),
    "restore": ("restore --from backup --database restored.db", "entries"),
    "copy": ("copy --from floor.db --to copied.db --to-keys copied.keys", "rows"),
    "migrate": ("migrate --database older.db", "versions of the schema"),
    "selftest": ("selftest --database floor.db --demo", "entries"),
}
"""Each command, and one thing that it counts."""

commands = pytest.mark.parametrize(("line", "what"), COMMANDS.values(), ids=list(COMMANDS))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    played(folder / "floor.db", entries=100)
    with SqliteStore(folder / "floor.db", clock=False) as store:
        store.log.open()
        store.log.grow()
    migrate(str(folder / "older.db"), to="0001")
    return folder


@pytest.fixture
def floor(files: Path, run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    for path in files.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    line, _ = COMMANDS["archive"]
    run(*line.replace("new.jsonl", "period.jsonl").split())
    run("backup", "--database", "floor.db", "--to", "backup")
    return run


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@commands
def test_on_a_terminal_it_shows_what_it_counts(
    floor: Runner, monkeypatch: pytest.MonkeyPatch, line: str, what: str
) -> None:
    monkeypatch.setattr(console, "_is_terminal", lambda stream: stream is sys.stderr)
    ran = floor(*line.split())
    assert ran.status == 0, ran.err
    assert re.search(rf"\r{what} .* \d+/[1-9]", ran.err)
    assert ran.err.endswith("\r"), "nothing is left of the bar"


@commands
def test_without_a_terminal_it_is_silent(floor: Runner, line: str, what: str) -> None:
    ran = floor(*line.split())
    assert ran.status == 0, ran.err
    assert what not in ran.err
    assert "/s" not in ran.err


@commands
def test_interrupted_it_says_where_it_stopped(
    floor: Runner, monkeypatch: pytest.MonkeyPatch, line: str, what: str
) -> None:
    advance = console._Stage._advance

    def interrupted(stage: console._Stage, count: int) -> None:
        advance(stage, count)
        if stage.what == what:
            raise KeyboardInterrupt

    monkeypatch.setattr(console._Stage, "_advance", interrupted)
    monkeypatch.setattr(progress, "AT_ONCE", 1)
    ran = floor(*line.split())
    assert ran.status == 130
    [said] = [each for each in ran.err.splitlines() if each.startswith("stopped at ")]
    assert f" {what}" in said


def test_the_bar_has_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "120")
    with console.stages() as begin:
        advance = begin("entries", 1_000)
        for _ in range(10):
            advance(100)
    assert re.search(r"\rentries ━+ 1000/1000 [\d,]+/s 0:00", terminal.getvalue())


def test_a_bar_does_not_run_through_output_on_the_same_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    errors = Terminal()
    monkeypatch.setattr(sys, "stderr", errors)
    monkeypatch.setattr(sys, "stdout", Terminal())
    with console.stages(writes_output=True) as begin:
        begin("entries", 10)(10)
    assert errors.getvalue() == ""
