"""The threat model, row by row: each test that it names exists, and a row without one says so."""

import ast
import re
from functools import cache
from pathlib import Path

from tools.tree import ROOT, TESTS

PAGE = (ROOT / "docs" / "explanation" / "security.md").read_text("utf-8")
ATTACKERS = (
    "A patron",
    "A team",
    "A dealer",
    "A cashier",
    "A supervisor",
    "An administrator",
    "A database administrator",
    "The network",
    "A supplier",
)
WITHOUT = "none"


def rows() -> list[tuple[str, list[str]]]:
    found = list[tuple[str, list[str]]]()
    for part in PAGE.split("\n## ")[1:]:
        title, _, text = part.partition("\n")
        for line in text.splitlines()[2:]:
            if line.startswith("|"):
                found.append((title, [cell.strip() for cell in line.strip("|").split("|")]))
    return found


def find(path: str) -> Path:
    """Return the file of a test in any of the folders that are called `tests`."""
    found = (folder.parent / path for folder in TESTS)
    return next((each for each in found if each.exists()), ROOT / path)


@cache
def names_in(path: str) -> set[str]:
    tree = ast.parse(find(path).read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_attacker_has_rows() -> None:
    assert tuple(dict.fromkeys(title for title, _ in rows())) == ATTACKERS


def wrong_with(cells: list[str]) -> str:
    """Say why a row is not complete; nothing if it is."""
    attack, stops, reveals, neither, test = cells
    if not attack:
        return "no attack is named"
    if not (stops or reveals or neither):
        return "nothing is said"
    named = re.fullmatch(r"`(tests/[\w/]+\.py)`: `(test_\w+)`", test)
    if named is None:
        return "" if test == WITHOUT else f"{test!r} is neither a test nor {WITHOUT!r}"
    path, name = named.groups()
    if not find(path).exists():
        return f"no file {path}"
    return "" if name in names_in(path) else f"{path} has no {name}"


def test_a_row_names_a_test_that_exists_or_says_that_there_is_none() -> None:
    wrong = [f"{title}: {cells[0]}: {why}" for title, cells in rows() if (why := wrong_with(cells))]
    assert not wrong, "\n".join(wrong)


PLANTED = (
    ["", "a", "b", "c", WITHOUT],
    ["guess", "", "", "", WITHOUT],
    ["guess", "a", "", "", "tried by hand"],
    ["guess", "a", "", "", "`tests/test_gone.py`: `test_gone`"],
    ["guess", "a", "", "", "`tests/lint/test_security_doc.py`: `test_gone`"],
)


def test_a_row_that_is_not_complete_is_found() -> None:
    passed = [cells for cells in PLANTED if not wrong_with(cells)]
    assert not passed, passed
