"""The threat model, row by row: whatever test it names exists, and a row without one says so."""

import ast
import re
from functools import cache

import pytest

from tests.support.documents import ROOT

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


@cache
def names_in(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_attacker_has_rows() -> None:
    assert tuple(dict.fromkeys(title for title, _ in rows())) == ATTACKERS


@pytest.mark.parametrize(("title", "cells"), rows(), ids=lambda each: str(each)[:50])
def test_a_row_names_a_test_that_exists_or_says_that_there_is_none(
    title: str, cells: list[str]
) -> None:
    attack, stops, reveals, neither, test = cells
    assert attack, title
    assert stops or reveals or neither, f"{attack}: nothing is said"
    named = re.fullmatch(r"`(tests/[\w/]+\.py)`: `(test_\w+)`", test)
    if named is None:
        assert test == WITHOUT, f"{attack}: {test!r} is neither a test nor {WITHOUT!r}"
        return
    path, name = named.groups()
    assert (ROOT / path).exists(), path
    assert name in names_in(path), f"{path} has no {name}"
