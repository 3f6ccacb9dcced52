"""Installation without a checkout: what the wheel and the sdist hold, what works without Numba; at night, empty environments."""

import json
import os
import re
import shutil
import subprocess
import tarfile
import time
import urllib.request
import zipfile
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest

from puntobanco import __version__
from puntobanco.cli.odds import SLOWER
from puntobanco.odds.par import par_sheet
from puntobanco.odds.par_report import sheet_json
from puntobanco.rules.games import GAMES
from puntobanco_floor.integrity.release import required
from tests.support.forked import command_line
from tests.support.installed import (
    Installed,
    build,
    dependencies_of,
    metadata,
    requirements,
    unpacked,
    wheel_of,
)
from tests.support.patience import PATIENCE_S
from tests.support.ports import free_port
from tools.tree import ROOT, SCREENS

SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
BETS_OPEN_S = 5.0
INSTALL = f"install the extra fast: pip install './puntobanco-{__version__}-py3-none-any.whl[fast]'"
WITH_PAGES = {path.parent.name for path in SCREENS.glob("*/index.html")}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_of(tmp_path_factory)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Without any extra."""
    site = unpacked(tmp_path_factory, tmp_path_factory.mktemp("install") / "site")
    return Installed(site, dependencies_of(tmp_path_factory))


# What is inside


def test_the_wheel_holds_the_whole_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = {name for name in file.namelist() if ".dist-info/" not in name}
    source = ROOT / "src"
    there = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == there
    assert "puntobanco/py.typed" in names
    assert WITH_PAGES
    for screen in WITH_PAGES:
        assert f"puntobanco_floor/web/screens/{screen}/main.js" in names
    assert any("store/migrations/versions/" in name for name in names)


def test_the_sdist_builds_and_holds_what_the_wheel_is_made_of(tmp_path: Path) -> None:
    with tarfile.open(build(tmp_path, "sdist")) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "PKG-INFO"} <= names
    assert "packages/puntobanco/src/puntobanco/py.typed" in names
    parts = {name.partition("/")[0] for name in names}
    assert not parts & {"tests", "node_modules", ".venv", "shared", "tools", "benchmarks"}


def test_numba_is_an_extra_and_every_python_that_is_named_is_tried(wheel: Path) -> None:
    lines = requirements(wheel)
    default = {name for name, _ in required(lines)}
    assert "numpy" in default
    assert not default & {"numba", "llvmlite", "distributed", "asyncpg", "typst", "pytest"}
    assert {name for name, _ in required(lines, ["fast"])} - default == {"numba"}
    named = [
        re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", c)
        for c in metadata(wheel).get_all("Classifier") or []
    ]
    assert [match[1] for match in named if match] == list(PYTHONS)


# Without Numba


def test_exact_odds_are_the_same_without_numba(installed: Installed) -> None:
    done = installed.run("odds", "rapid", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    expected = json.loads(
        json.dumps(sheet_json(par_sheet(GAMES["rapid"], 8), made=date(2026, 11, 16)))
    )
    assert told["bets"] == expected["bets"]


def test_only_what_takes_long_says_that_it_takes_longer(installed: Installed) -> None:
    words = ("odds", "rapid", "--vulnerability", "--samples", "2", "--format", "json")
    done = installed.run(*words)
    assert done.returncode == 0
    assert done.stderr.startswith(SLOWER.partition(";")[0])
    assert done.stderr.endswith(f"{INSTALL}\n")
    assert json.loads(done.stdout) == json.loads(command_line(*words).stdout)


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "rapid", "--rounds", "1e5"),
        ("sessions", "rapid", "--bet", "player=10", "--bankroll", "100"),
    ],
)
def test_what_is_compiled_is_refused_in_one_line_that_says_what_to_install(
    installed: Installed, words: tuple[str, ...]
) -> None:
    done = installed.run(*words)
    assert done.returncode == 2
    assert done.stderr == (f"puntobanco: a simulation is compiled by Numba; {INSTALL}\n")
    assert done.stdout == ""


# In empty environments


def interpreter(version: str) -> str | None:
    """One that runs: a shim of a version that is not chosen is no Python."""
    found = shutil.which(f"python{version}")
    with suppress(OSError):
        if (
            found
            and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0
        ):
            return found
    return None


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
@pytest.mark.parametrize("version", PYTHONS)
@pytest.mark.skipif(not SLOW, reason="installs packages from an index: PUNTOBANCO_SLOW=1")
def test_an_empty_environment(version: str, kind: str, tmp_path: Path) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version} on this machine")
    made = build(tmp_path / "dist", kind)
    subprocess.run([python, "-m", "venv", tmp_path / "venv"], check=True)
    programs = tmp_path / "venv/bin"
    began = time.monotonic()
    pip = [str(programs / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", str(made)], check=True, cwd=tmp_path)
    seconds = time.monotonic() - began
    size = sum(path.stat().st_size for path in (tmp_path / "venv").rglob("*") if path.is_file())
    print(f"\nPython {version}, {kind}: {seconds:.0f} s, {size / 1e6:.0f} MB")
    environment = {**os.environ, "PUNTOBANCO_CACHE": str(tmp_path / "cache")}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [programs / "puntobanco", *words],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env=environment,
        )

    for words, said in {
        ("games",): "six-star",
        ("check", "six-star"): "sound",
        ("odds", "rapid"): "player-pair",
        ("deal", "rapid", "--seed", "1"): "",
        ("selftest", "--database", "floor.db"): "passed",
    }.items():
        done = run(*words)
        assert done.returncode == 0, (words, done.stderr)
        assert said in done.stdout
    seconds = seconds_until_bets(programs / "puntobanco", tmp_path, environment)
    print(f"Python {version}, {kind}: bets open after {seconds:.1f} s")
    assert seconds < BETS_OPEN_S


def seconds_until_bets(program: Path, folder: Path, environment: dict[str, str]) -> float:
    """From the command to a table at which patrons may bet."""
    port = free_port()
    began = time.monotonic()
    with (folder / "log").open("w") as log:
        serving = subprocess.Popen(
            [program, "serve", "--demo", "--port", str(port), "--database", "demo.db"],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
        )
    try:
        while True:
            assert serving.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < began + PATIENCE_S
            with (
                suppress(OSError),
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api/tables") as answer,
            ):
                if any(table["phase"] == "betting" for table in json.load(answer)):
                    return time.monotonic() - began
            time.sleep(0.05)
    finally:
        serving.terminate()
        serving.wait(PATIENCE_S)
