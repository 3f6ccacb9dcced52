"""The style that a machine can hold: how dense the code is, where the formatter is off, what a log line says, what is long.

Every number here is a budget that may only shrink: when the code got better, write the new figure down.
"""

import ast
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.tree import ROOT, TESTS, source_files

FOLDERS = ("packages", "tests", "tools", "benchmarks", "examples", "deploy")

SKIPS = 10
"""Places where the formatter is off, each a table of data (40 at most were ever meant to be)."""

MEAN, P90 = 12.41, 22
"""Syntax nodes a statement, imports left out, because a merge of two modules deletes them; httpx has 11.8 and 20, litestar 12.6
and 22. Name intermediate results to get there.
"""


@pytest.fixture(scope="module")
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in source_files()}


# Density


def own_nodes(statement: ast.stmt) -> int:
    """Nodes of a statement, without those of the statements nested in it: no formatter changes them."""
    count, stack = 0, list[ast.AST]([statement])
    while stack:
        node = stack.pop()
        count += 1
        inner = ast.iter_child_nodes(node)
        stack += [child for child in inner if not isinstance(child, ast.stmt)]
    return count


def is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue
        if isinstance(node, ast.stmt) and not is_docstring(node):
            yield node


def test_a_statement_says_one_thing(trees: dict[Path, ast.Module]) -> None:
    sizes = sorted(own_nodes(s) for tree in trees.values() for s in statements(tree))
    mean, p90 = statistics.mean(sizes), sizes[int(0.9 * len(sizes))]
    assert mean <= MEAN, f"{mean:.3f} nodes a statement; the budget is {MEAN}"
    assert p90 <= P90, f"one statement of ten has over {p90} nodes; the budget is {P90}"


# The formatter


def test_the_formatter_is_off_at_few_tables_of_data_only() -> None:
    count = 0
    mark = "# fmt: " + "skip"
    off = "# fmt: " + "off"
    for path in (p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py")):
        text = path.read_text("utf-8")
        assert off not in text, f"{path}: mark one table of data with `{mark}`, no more"
        if mark not in text:
            continue
        marked = [n for n, line in enumerate(text.splitlines(), 1) if mark in line]
        count += len(marked)
        ends = {s.end_lineno for s in statements(ast.parse(text)) if is_table(s)}
        for line in marked:
            assert line in ends, f"{path}:{line}: `{mark}` is for tables of data"
    assert count <= SKIPS, f"the formatter is off at {count} places; the budget is {SKIPS}"


def is_table(node: ast.stmt) -> bool:
    """Whether this gives a name to a dict, list, tuple or set that is written out."""
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return False
    value = node.value
    if isinstance(value, ast.Call | ast.DictComp | ast.ListComp | ast.SetComp):
        return any(
            isinstance(inner, ast.Dict | ast.List | ast.Tuple | ast.Set)
            for inner in ast.walk(value)
        )
    return isinstance(value, ast.Dict | ast.List | ast.Tuple | ast.Set)


# Log lines

FEWEST_WORDS = 2
GREPPED = frozenset(
    [
        "blocked",
        "cannot",
        "could",
        "failed",
        "lacks",
        "fails",
        "left",
        "lost",
        "not",
        "nothing",
        "refused",
        "rejected",
        "retry",
        "retrying",
        "skipped",
        "slow",
        "stopped",
        "timed",
    ]
)
"""One of these says in a warning or an error what went wrong."""

VAGUE = 1
"""Log lines without such words, from before this was held."""

LEVELS = ("warning", "error", "exception", "critical")


def log_lines(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Of every warning and error: the line, and the text as it is written out; "" where it is not."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        of = node.func.value
        if node.func.attr in LEVELS and isinstance(of, ast.Name) and of.id.strip("_") == "log":
            text = node.args[0]
            yield node.lineno, str(text.value) if isinstance(text, ast.Constant) else ""


def is_vague(text: str) -> bool:
    words = re.findall(r"[a-z]{2,}", text.replace("%s", " ").lower())
    return len(words) < FEWEST_WORDS or GREPPED.isdisjoint(words)


def test_a_log_line_has_words_to_search_for(trees: dict[Path, ast.Module]) -> None:
    """What failed, in fixed words to grep for; where, and what to do, stand in its fields or its end."""
    said = {f"{p}:{n}": text for p, tree in trees.items() for n, text in log_lines(tree)}
    assert len(said) > 20, "log lines are not found any more: look at log_lines"
    vague = {place: text for place, text in said.items() if is_vague(text)}
    assert len(vague) <= VAGUE, f"no words that somebody would search for at night: {vague}"


# What is long


def test_make_slow_runs_every_file_that_has_more_to_do_there() -> None:
    wanted = {
        path.relative_to(ROOT).as_posix()
        for folder in TESTS
        for path in folder.rglob("test_*.py")
        if path != Path(__file__) and 'environ.get("PUNTOBANCO_SLOW")' in path.read_text("utf-8")
    }
    makefile = (ROOT / "Makefile").read_text("utf-8")
    [line] = re.findall(r"^SLOW := ((?:.+\\\n)*.+)", makefile, re.MULTILINE)
    folder_of = dict(re.findall(r"^([A-Z]+) := (packages/\S+/tests)$", makefile, re.MULTILINE))
    line = re.sub(r"\$\((\w+)\)", lambda named: folder_of[named[1]], line)
    listed = set(line.replace("\\\n", " ").split())
    folders = {name for name in listed if not name.endswith(".py")}
    assert listed - folders == {
        path for path in wanted if Path(path).parent.as_posix() not in folders
    }
    assert folders == {"packages/puntobanco-floor/tests/storage"}, "its stores are of one kind more"
