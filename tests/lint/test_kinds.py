"""Few files name a kind of event or command outside its definition: the others read its traits."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.definitions import OURS
from tools.tree import PROOF, below_source, source_files

MOST, MEDIAN = 6, 3


def named(path: Path) -> set[str]:
    """The kinds that a file names, as a name or as a whole text."""
    text = path.read_text("utf-8")
    if path.suffix == ".js":
        return {
            k for k in e.KINDS if re.search(rf"""["']{k}["']|^\s*{k}[(:]""", text, re.MULTILINE)
        }
    return set(_names(ast.parse(text))) & set(e.KINDS)


def _names(tree: ast.AST) -> Iterator[str]:
    yield from _symbols(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _symbols(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.alias(name=name):
                yield name


def module_of(path: Path) -> str:
    return below_source(path.with_suffix("")).replace("/", ".")


def verify_few(naming: dict[str, list[str]]) -> None:
    many = [f"{kind}: {', '.join(files)}" for kind, files in naming.items() if len(files) > MOST]
    assert not many, "\n".join(many)
    assert median(map(len, naming.values())) <= MEDIAN


def test_few_files_name_a_kind_outside_its_definition() -> None:
    """A file decides it, a file evolves by it, and one may tell the public; the others read traits."""
    defining = {kind.__module__ for kind in e.EVENTS} | {e.__name__}
    # the verifier shares nothing with the package that it checks; a witness loads no kind
    strangers = (PROOF / "verifier", PROOF / "witness")
    naming = {kind: list[str]() for kind in e.KINDS}
    for path in source_files(".py", ".js"):
        if path.parent not in strangers and module_of(path) not in defining:
            for kind in named(path):
                naming[kind].append(below_source(path))
    verify_few(naming)


def test_few_files_name_a_command_outside_its_definition() -> None:
    """A file decides it, a file gives it; screens name the commands of their buttons and are not counted."""
    naming = {kind.__name__: list[str]() for kind in OURS.commands}
    defining = {kind.__module__ for kind in OURS.commands}
    for path in source_files():
        if module_of(path) not in defining:
            for kind in naming.keys() & set(_symbols(ast.parse(path.read_text("utf-8")))):
                naming[kind].append(below_source(path))
    verify_few(naming)


def test_a_file_that_names_a_kind_is_found(tmp_path: Path) -> None:
    python, script = tmp_path / "a.py", tmp_path / "a.js"
    python.write_text('def f(event):\n    return event == "BetsOpened" or e.CardDealt', "utf-8")
    script.write_text('const a = {\n  BetsOpened: 1,\n};\nf("CardDealt");\n', "utf-8")
    assert named(python) == named(script) == {"BetsOpened", "CardDealt"}
