"""Installation without a checkout: what the wheel and the sdist hold, what works without Numba; at night, empty environments."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import urllib.request
import zipfile
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest

from puntobanco import __version__
from puntobanco.cli import ELSEWHERE, GROUP
from puntobanco.cli.odds import SLOWER
from puntobanco.odds.par import par_sheet
from puntobanco.odds.par_report import sheet_json
from puntobanco.rules.games import GAMES
from puntobanco_floor.integrity.release import required
from tests.support.forked import command_line
from tests.support.installed import (
    ALL,
    Installed,
    build,
    dependencies_of,
    metadata,
    needed,
    requirements,
    unpacked,
    wheel_of,
)
from tests.support.patience import PATIENCE_S
from tests.support.ports import free_port
from tools.tree import DISTRIBUTIONS, ROOT, SCREENS, SOURCES

SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
BETS_OPEN_S = 5.0
INSTALL = "install the extra fast: pip install './{}[fast]'"
WITH_PAGES = {path.parent.name for path in SCREENS.glob("*/index.html")}
LIBRARY_BYTES = 5_000_000


@pytest.fixture(params=list(SOURCES))
def package(request: pytest.FixtureRequest) -> str:
    """Each of our three in turn."""
    return str(request.param)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The library alone, without any extra."""
    return alone(tmp_path_factory, "puntobanco")


def alone(base: pytest.TempPathFactory, *packages: str) -> Installed:
    site = unpacked(base, base.mktemp("install") / "site", packages)
    return Installed(site, dependencies_of(base, packages))


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as file:
        return {name for name in file.namelist() if ".dist-info/" not in name}


# What is inside


def test_a_wheel_holds_the_whole_package_and_nothing_else(
    package: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source = SOURCES[package]
    there = {
        path.relative_to(source.parent).as_posix()
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    wheel = wheel_of(tmp_path_factory, package)
    assert names_in(wheel) == there
    assert f"{package}/py.typed" in there
    assert "Apache License" in licence_in(wheel)


def licence_in(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as file:
        [name] = [name for name in file.namelist() if name.endswith("licenses/LICENSE")]
        return file.read(name).decode()


def test_the_floor_has_its_screens_and_migrations(tmp_path_factory: pytest.TempPathFactory) -> None:
    names = names_in(wheel_of(tmp_path_factory, "puntobanco_floor"))
    assert WITH_PAGES
    for screen in WITH_PAGES:
        assert f"puntobanco_floor/web/screens/{screen}/main.js" in names
    assert any("store/migrations/versions/" in name for name in names)


def test_an_sdist_holds_what_its_wheel_is_made_of(package: str, tmp_path: Path) -> None:
    with tarfile.open(build(tmp_path, package, "sdist")) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "PKG-INFO"} <= names
    assert f"src/{package}/py.typed" in names
    parts = {name.partition("/")[0] for name in names}
    assert parts == {"pyproject.toml", "README.md", "LICENSE", "PKG-INFO", "src", ".gitignore"}


# What is required

REQUIRED = {
    "puntobanco": {"click", "numpy"},
    "puntobanco_proof": {"puntobanco", "cryptography", "msgspec"},
}


def test_the_library_and_the_proof_package_require_little(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    for package, expected in REQUIRED.items():
        lines = requirements(wheel_of(tmp_path_factory, package))
        assert {name for name, _ in required(lines)} == expected
    size = sum(path.stat().st_size for path in SOURCES["puntobanco"].rglob("*.py"))
    assert size < LIBRARY_BYTES


def test_no_distribution_requires_what_only_developers_use(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """A server with every extra of a floor has no tool of a test in it."""
    lines = [line for each in SOURCES for line in requirements(wheel_of(tmp_path_factory, each))]
    extras = {extra for line in lines for extra in re.findall(r"""extra == ['"](\w+)""", line)}
    names = {name for name, _ in required(lines, extras)}
    closure = names | {_plain(each.metadata["Name"]) for each in needed(lines)}
    tools = {"pytest", "hypothesis", "schemathesis", "playwright", "coverage", "mypy", "ruff"}
    assert "cryptography" in closure
    assert not closure & {*tools, "faker", "polyfactory"}


def test_each_package_of_a_floor_has_a_reason(tmp_path_factory: pytest.TempPathFactory) -> None:
    lines = [line for each in SOURCES for line in requirements(wheel_of(tmp_path_factory, each))]
    lines += [
        line.partition(";")[0] for line in lines if 'extra == "postgres"' in line.replace("'", '"')
    ]
    page = (ROOT / "docs/explanation/choices.md").read_text("utf-8").lower()
    run_time = page.partition("## for development")[0]
    names = {_plain(each.metadata["Name"]) for each in needed(lines)}
    assert "psycopg" in names
    wanted = {name for name in names if not re.search(rf"\b{name}\b", run_time)}
    assert not wanted, wanted


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_each_python_that_a_wheel_names_is_tried(
    package: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    named = [
        re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", c)
        for c in metadata(wheel_of(tmp_path_factory, package)).get_all("Classifier") or []
    ]
    assert [match[1] for match in named if match] == list(PYTHONS)


def test_versions_are_one(package: str) -> None:
    """The three are released together: a node never runs parts of two versions."""
    text = (DISTRIBUTIONS[package] / "pyproject.toml").read_text("utf-8")
    project = tomllib.loads(text)["project"]
    assert project["version"] == __version__
    ours = [line for line in project["dependencies"] if line.startswith("puntobanco")]
    assert all(line.endswith(f"=={__version__}") for line in ours)


# Commands


@pytest.fixture
def environments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Installed]:
    """The library alone, and with the proof package."""
    return {
        "library": alone(tmp_path_factory, "puntobanco"),
        "proof": alone(tmp_path_factory, "puntobanco", "puntobanco_proof"),
    }


def test_a_command_of_a_distribution_that_is_missing_says_what_to_install(
    environments: dict[str, Installed],
) -> None:
    wheel = "{}-" + __version__ + "-py3-none-any.whl"
    floor, proof = wheel.format("puntobanco_floor"), wheel.format("puntobanco_proof")
    both = f"'./{proof}' './{floor}'"
    expected = {
        (
            "library",
            "serve",
        ): f"serve is a command of puntobanco-floor; install it: pip install {both}",
        (
            "library",
            "witness",
        ): f"witness is a command of puntobanco-proof; install it: pip install './{proof}'",
        (
            "proof",
            "table",
        ): f"table is a command of puntobanco-floor; install it: pip install './{floor}'",
        ("proof", "witless"): "No such command 'witless'. Did you mean 'witness'?",
    }
    for (name, command), said in expected.items():
        done = environments[name].run(command)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"puntobanco: {said}\n"
    served = environments["proof"].run("witness", "serve", "--folder", "w", "--log", "l")
    assert (served.returncode, served.stderr.count("\n")) == (2, 1)
    assert f"install the extra witness: pip install './{proof}[witness]'" in served.stderr
    assert "  serve" not in environments["proof"].run("--help").stdout
    assert "  witness" in environments["proof"].run("--help").stdout


def put_foreign(site: Path, name: str, *declared: str) -> None:
    """Add a distribution of a stranger that declares commands."""
    info = site / f"{name}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *declared]))
    (site / f"{name}.py").write_text("import click\nown = click.Command('own', help='Of mine.')\n")


def test_a_stranger_adds_a_command_and_replaces_none_of_ours(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    found = alone(tmp_path_factory, *ALL)
    put_foreign(
        found.site, "aaa", "own = aaa:own", "audit = aaa:own", "games = aaa:own", "twice = aaa:own"
    )
    put_foreign(found.site, "zzz", "broken = nothing_here:x", "twice = zzz:own")
    assert "Of mine." in found.run("own", "--help").stdout
    for ours in ("audit", "games"):
        assert "Of mine." not in found.run(ours, "--help").stdout
    shown = found.run("--help")
    assert shown.returncode == 0
    assert "Of mine." in shown.stdout
    for command, said in {
        "broken": "broken of zzz cannot be loaded: No module named 'nothing_here'",
        "twice": "2 distributions have a command twice: uninstall all but one",
    }.items():
        done = found.run(command)
        assert (done.returncode, done.stderr) == (2, f"puntobanco: {said}\n")


def test_the_library_knows_the_commands_of_the_other_distributions() -> None:
    for package, folder in DISTRIBUTIONS.items():
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        declared = project.get("entry-points", {}).get(GROUP, {})
        assert set(declared) == set(ELSEWHERE.get(package.replace("_", "-"), ()))


# Without Numba


def named(package: str) -> str:
    return INSTALL.format(f"{package}-{__version__}-py3-none-any.whl")


def test_exact_odds_are_the_same_without_numba(library: Installed) -> None:
    done = library.run("odds", "rapid", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    expected = json.loads(
        json.dumps(sheet_json(par_sheet(GAMES["rapid"], 8), made=date(2026, 11, 16)))
    )
    assert told["bets"] == expected["bets"]


def test_only_what_takes_long_says_that_it_takes_longer(library: Installed) -> None:
    words = ("odds", "rapid", "--vulnerability", "--samples", "2", "--format", "json")
    done = library.run(*words)
    assert done.returncode == 0
    assert done.stderr.startswith(SLOWER.partition(";")[0])
    assert done.stderr.endswith(f"{named('puntobanco')}\n")
    assert json.loads(done.stdout) == json.loads(command_line(*words).stdout)


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "rapid", "--rounds", "1e5"),
        ("sessions", "rapid", "--bet", "player=10", "--bankroll", "100"),
    ],
)
def test_what_is_compiled_is_refused_in_one_line_that_says_what_to_install(
    library: Installed, words: tuple[str, ...]
) -> None:
    done = library.run(*words)
    assert done.returncode == 2
    assert done.stderr == f"puntobanco: a simulation is compiled by Numba; {named('puntobanco')}\n"
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


TYPED: dict[str, dict[tuple[str, ...], str]] = {
    "puntobanco": {
        ("games",): "six-star",
        ("check", "six-star"): "sound",
        ("odds", "rapid"): "player-pair",
        ("deal", "rapid", "--seed", "1"): "",
    },
    "puntobanco_proof": {
        ("verify", "--help"): "--policy",
        ("witness", "init", "--name", "w.example/1", "--folder", "w"): "lines for a policy",
    },
    "puntobanco_floor": {("selftest", "--database", "floor.db"): "passed"},
}
"""What is tried in the environment of each distribution, and what it prints."""


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
@pytest.mark.parametrize("version", PYTHONS)
@pytest.mark.skipif(not SLOW, reason="installs packages from an index: PUNTOBANCO_SLOW=1")
def test_an_empty_environment(package: str, version: str, kind: str, tmp_path: Path) -> None:
    """Install a distribution with those of ours that it requires, and use its commands."""
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version} on this machine")
    ours = ALL[: ALL.index(package) + 1]
    made = [str(build(tmp_path / "dist", each, kind)) for each in ours]
    subprocess.run([python, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    programs = tmp_path / "venv/bin"
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "--quiet"]
    began = time.monotonic()
    subprocess.run([*pip, "install", *made], check=True, cwd=tmp_path)
    seconds = time.monotonic() - began
    files = [path for path in (tmp_path / "venv").rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    count = sum(path.name == "METADATA" for path in files)
    print(f"\nPython {version}, {kind}: {count} packages, {size:.0f} MB, {seconds:.0f} s")
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

    for each in ours:
        for words, said in TYPED[each].items():
            done = run(*words)
            assert done.returncode == 0, (words, done.stderr)
            assert said in done.stdout
    if package == "puntobanco_floor":
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
