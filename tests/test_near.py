"""`tests.near`: the tests that depend on a changed file are chosen, nearest first, and each with its way to the file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import near
from tests.near import Imports, changed_files, choose, find_base, nearest
from tools.tree import ROOT

SOURCES = {
    "packages/shop/src/shop/__init__.py": "from shop.till import pay\n",
    "packages/shop/src/shop/till.py": "from shop.coins import change\ndef pay(): ...\n",
    "packages/shop/src/shop/coins.py": "def change(): ...\n",
    "packages/shop/src/shop/lamp.py": "def shine(): ...\n",
    "packages/shop/src/shop/late.py": "LATER = {'lamp': 'shop.lamp'}\n",
    "conftest.py": "import shop.lamp\n",
    "tests/test_till.py": "from shop import pay\n",
    "tests/test_coins.py": "def test_it():\n    import shop.coins\n",
    "tests/test_lamp.py": "from shop.late import LATER\n",
    "tests/test_prices.py": "PRICES = 'data/prices.txt'\n",
    "tests/test_started.py": "COMMAND = ['-m', 'tests.started']\n",
    "tests/started.py": "from shop.coins import change as given\n",
    "tests/lint/test_style.py": "import shop.coins\n",
}
PLANTED = {
    "packages/shop/src/shop/coins.py": {
        "tests/test_coins.py": 2,
        "tests/test_till.py": 3,
        "tests/test_started.py": 3,
    },
    "packages/shop/src/shop/till.py": {"tests/test_till.py": 2},
    "packages/shop/src/shop/lamp.py": {"tests/test_lamp.py": 3},
    "packages/shop/src/shop/__init__.py": {"tests/test_till.py": 2},
    "tests/data/prices.txt": {"tests/test_prices.py": 2},
    "tests/test_coins.py": {"tests/test_coins.py": 1},
    "tests/lint/test_style.py": {},
    "README.md": {"tests/test_docs.py": 2, "tests/test_tutorials.py": 2},
}
"""A changed file; the tests that depend on it, with the files on the way to it."""


def planted() -> Imports:
    return Imports(SOURCES, ["tests/data/prices.txt"])


@pytest.mark.parametrize("changed", PLANTED)
def test_a_planted_change_chooses_the_tests_that_depend_on_it(changed: str) -> None:
    ways = choose(planted(), [changed])
    there = {path: way for path, way in ways.items() if "/tests/browser/" not in path}
    assert {path: len(way) for path, way in there.items()} == PLANTED[changed]
    assert all(way[-1] == changed for way in there.values())


def test_a_change_of_the_conftest_of_all_chooses_all() -> None:
    tests = {path for path in SOURCES if near.is_test(path)}
    assert set(choose(planted(), ["conftest.py"])) == tests


def test_the_nearest_distance_is_whole_and_farther_ones_while_they_fit() -> None:
    ways = {f"test_{n}": ["way"] * distance for n, distance in enumerate((1, 1, 2, 3, 3))}
    assert nearest(ways, most=1) == ["test_0", "test_1"]
    assert nearest(ways, most=3) == nearest(ways, most=4) == ["test_0", "test_1", "test_2"]
    assert len(nearest(ways, most=5)) == 5


def test_a_screen_and_its_browser_tests() -> None:
    ways = choose(
        planted(), ["packages/puntobanco-floor/src/puntobanco_floor/web/screens/cage/view.js"]
    )
    assert {f"{near.OF_FLOOR}test_screens.py", f"{near.OF_FLOOR}browser/test_cage.py"} <= set(ways)


def test_settlement_is_near_the_tests_of_settlement() -> None:
    imports = near.read_imports()
    ways = choose(imports, ["packages/puntobanco/src/puntobanco/rules/settle.py"])
    assert "packages/puntobanco/tests/rules/test_settle.py" in nearest(ways)
    assert len(ways) > 2 * near.MOST_FILES
    every = {path for tests in near.READ_WHOLE.values() for path in tests}
    assert every <= imports.trees.keys()


# In a repository


def git(folder: Path, *words: str) -> None:
    person = ("-c", "user.name=a", "-c", "user.email=a@b.invalid")
    subprocess.run(["git", *person, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--initial-branch", "main")
    for name in ("one.py", "two.py", "three.py"):
        (tmp_path / name).write_text("", "utf-8")
        git(tmp_path, "add", name)
        git(tmp_path, "commit", "--message", name)
    return tmp_path


def test_changes_are_those_since_the_branch_left_main_committed_or_not(repository: Path) -> None:
    assert changed_files(find_base(repository), repository) == ["three.py"]
    git(repository, "checkout", "-b", "work")
    (repository / "two.py").write_text("2", "utf-8")
    git(repository, "commit", "--all", "--message", "two again")
    (repository / "one.py").unlink()
    (repository / "new.py").write_text("", "utf-8")
    assert changed_files(find_base(repository), repository) == ["new.py", "one.py", "two.py"]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="there are no commits here")
def test_a_base_that_is_no_commit_is_told() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.near", "gone", "--list"],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.partition(";")[0]) == (2, "gone is no commit here")
