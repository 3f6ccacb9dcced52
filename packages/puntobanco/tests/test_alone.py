"""The library without the rest: every command with NumPy and Click alone, deal and settle with nothing but Python."""

import re
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest

from puntobanco.base.extras import PACKAGES
from puntobanco.cli import COMMANDS
from tests.support.installed import place, python, unpacked
from tools.tree import DISTRIBUTIONS, ROOT

LIBRARY = DISTRIBUTIONS["puntobanco"]
LINES = {
    "games": "games",
    "rules": "rules six-star --lang zh-Hans",
    "check": "check lucky_rapid.py",
    "define": "define rapid",
    "new-game": "new-game my_game.py",
    "deal": "deal six-star --seed 42",
    "settle": "settle rapid --cards 9s,2h,Td,4c --bet player=100",
    "irregularity": "irregularity rapid",
    "roads": "roads BPTBB",
    "odds": "odds rapid --format json",
    "simulate": "simulate rapid --rounds 1e5",
    "sessions": "sessions rapid --patrons 10 --rounds 20 --bankroll 1000 --bet banker=25",
    "completion": "completion bash",
}
"""A line for each command of the library."""

COMPILED = ("simulate", "sessions")
"""They deal by Numba, which the extra `fast` brings."""

DEAL_AND_SETTLE = """
import sys
import puntobanco as pb
round_ = pb.deal("six-star", "9f 2g Tf 4e")
print(pb.settle("six-star", round_, [pb.Wager("ann", "player", 10_000)])[0].net_cents)
print(*{name.partition(".")[0] for name in sys.modules})
"""

EVERY_MODULE = """
import importlib, pkgutil
import puntobanco
for module in pkgutil.walk_packages(puntobanco.__path__, "puntobanco."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            print(module.name, error.name)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library") / "site"
    return unpacked(tmp_path_factory, folder, ["puntobanco"])


@pytest.fixture(scope="module")
def required(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("required")
    for name in ("numpy", "click"):  # they need nothing themselves
        place(distribution(name), folder)
    return folder


def test_deal_and_settle_need_python_alone(site: Path) -> None:
    done = python("-c", DEAL_AND_SETTLE, path=[site])
    assert done.returncode == 0, done.stderr
    net, loaded = done.stdout.splitlines()
    assert net == "12000"
    assert set(loaded.split()) - sys.stdlib_module_names == {"__main__", "puntobanco"}


def test_a_par_sheet_without_numpy_is_one_line_that_names_it(site: Path) -> None:
    done = python("-c", "import puntobanco as pb; pb.par_sheet('rapid')", path=[site])
    assert done.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'numpy'"


@pytest.mark.parametrize("line", LINES.values(), ids=list(LINES))
def test_each_command_runs_with_numpy_and_click(
    line: str, site: Path, required: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = ROOT / "examples/lucky_rapid.py"
    (tmp_path / "lucky_rapid.py").write_bytes(game.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PUNTOBANCO_CACHE", str(tmp_path / "cache"))
    done = python("-m", "puntobanco", *line.split(), path=[site, required])
    if line.startswith(COMPILED):
        assert done.returncode == 2
        assert re.fullmatch(r"puntobanco: .* compiled by Numba; install .*fast.*\n", done.stderr)
        return
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_each_command_of_the_library_is_tried() -> None:
    assert set(LINES) == set(COMMANDS)


def test_the_readme_lists_the_extras_of_the_wheel() -> None:
    project = tomllib.loads((LIBRARY / "pyproject.toml").read_text("utf-8"))["project"]
    readme = (LIBRARY / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \|", readme, re.MULTILINE)
    assert rows == list(project["optional-dependencies"])


def test_what_a_module_lacks_belongs_to_an_extra(site: Path, required: Path) -> None:
    done = python("-c", EVERY_MODULE, path=[site, required])
    assert done.returncode == 0, done.stderr
    brought = {name.partition(".")[0] for names in PACKAGES.values() for name in names}
    lacking = dict(row.split() for row in done.stdout.splitlines())
    assert "numba" in lacking.values(), "this test can find it"
    assert set(lacking.values()) <= {*brought, "llvmlite"}
