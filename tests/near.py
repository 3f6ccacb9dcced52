"""Run the tests that depend on changed files, nearest first: python -m tests.near [BASE] [--all] [--list] [pytest options].

Changed files are those that differ from BASE, in commits or in the working tree. A test depends on a module that it
imports, or that one of its modules imports; the count of imports is its distance. A module that names another module or
a data file in a text depends on it too: `python -m`, a golden file. The nearest test files run, up to `MOST_FILES`.
"""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tools.tree import ROOT

FOLDERS = ("packages/", "conftest.py", "tests/", "tools/", "benchmarks/", "examples/")
LINT = "tests/lint/"
EVERY_TEST = "conftest.py"

MOST_FILES = 40
"""Nearly all tests reach nearly all modules in the end, so the nearest files are chosen; `--all` lifts the bound."""

BASES = ("origin/main", "main")
NAMED = re.compile(r"[\w./-]{4,200}")

SCREENS = "packages/puntobanco-floor/src/puntobanco_floor/web/screens/"
OF_FLOOR = "packages/puntobanco-floor/tests/"
OF_SCREENS = (
    *(f"{OF_FLOOR}test_screens.py", f"{OF_FLOOR}web/test_bundle.py"),
    *(f"{OF_FLOOR}web/test_screen_files.py", f"{OF_FLOOR}web/test_screens_read.py"),
)
READ_WHOLE = {
    SCREENS: OF_SCREENS,
    "packages/puntobanco/tests/golden/": ("packages/puntobanco/tests/test_golden.py",),
    f"{OF_FLOOR}screens/": (f"{OF_FLOOR}test_screens.py",),
    "fixtures/": ("tests/fixtures/test_fixtures.py",),
    "README.md": ("tests/test_docs.py", "tests/test_tutorials.py"),
    "docs/tutorials/": ("tests/test_tutorials.py",),
    "docs/": ("tests/test_docs.py",),
}
"""Folders that tests read as a whole, without a name of a file."""


# Imports


class Imports:
    """Direct dependencies of Python files, from their sources.

    A name that a module only imports from another one leads to the other one. A package leads to
    its names, so that a change below `puntobanco` does not reach each test that imports the package.
    """

    def __init__(self, sources: Mapping[str, str], data: Iterable[str] = ()) -> None:
        self.trees = {path: ast.parse(text) for path, text in sources.items()}
        self.modules = {module_of(path): path for path in sources}
        self.names = {path: dict(imported_names(tree)) for path, tree in self.trees.items()}
        self.data = defaultdict[str, set[str]](set)
        for path in data:
            self.data[Path(path).name].add(path)

    def home(self, module: str, name: str, seen: frozenset[str] = frozenset()) -> str:
        """Return the file that defines this name of a module, or "" if it is not ours."""
        if f"{module}.{name}" in self.modules:
            return self.modules[f"{module}.{name}"]
        path = self.modules.get(module, "")
        origin = self.names[path].get(name) if path else None
        if origin is None or path in seen:
            return path
        return self.home(*origin, seen | {path}) or path

    def of(self, path: str) -> set[str]:
        """Return the files on which this one depends."""
        found = {self.home(*origin) for origin in self.names[path].values()}
        for node in ast.walk(self.trees[path]):
            if isinstance(node, ast.Import):
                found |= {self.modules.get(each.name, "") for each in node.names}
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= self.named(node.value)
        return found - {"", path}

    def named(self, text: str) -> set[str]:
        """Return the module or the data files that a text names."""
        if not NAMED.fullmatch(text):
            return set()
        files = {path for path in self.data[Path(text).name] if f"/{path}".endswith(f"/{text}")}
        return files | {self.modules.get(text, "")}

    def through(self, path: str) -> set[str]:
        """Return the modules that run when this one is imported, though it uses none of their own names."""
        origins = self.names[path].values()
        found = {self.modules.get(module, "") for module, _ in origins}
        folders = [*Path(path).parents] if is_below_tests(path) else []
        return (found | {(folder / "conftest.py").as_posix() for folder in folders}) - {"", path}


def module_of(path: str) -> str:
    """Name a file as Python imports it: what is below `src`, or from `tests` on."""
    parts = Path(path).with_suffix("").parts
    if parts[0] == "packages":
        parts = parts[3:] if parts[2] == "src" else parts[2:]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_names(tree: ast.Module) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each name that a module imports, with the module and the name that it has there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                yield each.asname or each.name, (node.module, each.name)


# Choosing


def is_below_tests(path: str) -> bool:
    return "tests" in Path(path).parts


def is_test(path: str) -> bool:
    name = Path(path).name
    return name.startswith("test_") and name.endswith(".py") and not path.startswith(LINT)


def choose(imports: Imports, changed: Sequence[str]) -> dict[str, list[str]]:
    """Map each test file to its shortest way to a changed file, nearest first."""
    users, importers = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for path in imports.trees:
        for below in imports.of(path) if path != EVERY_TEST else ():
            users[below].add(path)
        for below in imports.through(path):
            importers[below].add(path)
    ways = {path: [path] for path in changed}
    for folder, tests in READ_WHOLE.items():
        for path in (each for each in changed if each.startswith(folder)):
            in_browser = f"{OF_FLOOR}browser/test_{Path(path).parent.name}.py"
            ways |= {test: [test, path] for test in (*tests, in_browser) if test not in ways}
    queue = list(ways)
    for path in queue:
        above = users[path] | (importers[path] if path in changed else set())
        for each in sorted(above - ways.keys()):
            ways[each] = [each, *ways[path]]
            queue.append(each)
    return {path: ways[path] for path in queue if is_test(path)}


def nearest(ways: Mapping[str, Sequence[str]], most: int = MOST_FILES) -> list[str]:
    """Return the nearest test files: whole distances while they fit, at least the first one."""
    chosen = list[str]()
    for distance in sorted({len(way) for way in ways.values()}):
        found = [path for path, way in ways.items() if len(way) == distance]
        if chosen and len(chosen) + len(found) > most:
            break
        chosen += found
    return chosen


# The repository


def git(*words: str, root: Path = ROOT) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def find_base(root: Path = ROOT) -> str:
    """Return the commit at which this branch left main; on main itself, the commit before."""
    head = git("rev-parse", "HEAD", root=root)
    forks = [git("merge-base", base, "HEAD", root=root) for base in BASES]
    return next((fork for fork in forks if fork not in ("", head)), "HEAD~1")


def changed_files(base: str, root: Path = ROOT) -> list[str]:
    """Return the files that differ from a commit, and those that Git does not know yet."""
    differ = git("diff", "--name-only", "--no-renames", base, root=root)
    new = git("ls-files", "--others", "--exclude-standard", root=root)
    return sorted({*differ.splitlines(), *new.splitlines()})


def read_imports(root: Path = ROOT) -> Imports:
    listed = git("ls-files", "--cached", "--others", "--exclude-standard", root=root).splitlines()
    there = [path for path in listed if path.startswith(FOLDERS) and (root / path).is_file()]
    python = [path for path in there if path.endswith(".py")]
    sources = {path: (root / path).read_text("utf-8") for path in python}
    return Imports(sources, (path for path in there if not path.endswith(".py")))


def main(*arguments: str) -> int:
    options = [each for each in arguments if each.startswith("-")]
    named = [each for each in arguments if not each.startswith("-")]
    base = named[0] if named else find_base()
    if not git("rev-parse", "--verify", "--quiet", f"{base}^{{commit}}"):
        print(f"{base} is no commit here; name one: make near BASE=HEAD~1")
        return 2
    changed = changed_files(base)
    ways = choose(read_imports(), changed)
    existing = {path: way for path, way in ways.items() if (ROOT / path).exists()}
    chosen = nearest(existing, len(existing) if "--all" in options else MOST_FILES)
    for path in chosen:
        print(f"{path}  <- {' <- '.join(existing[path][1:]) or 'changed'}")
    left = len(existing) - len(chosen)
    print(f"{len(changed)} files differ from {base[:12]}: {len(chosen)} test files, {left} farther")
    if not chosen or "--list" in options:
        return 0
    rest = [each for each in options if each not in ("--all", "--list")]
    marked = ["-m", "slice or not browser"]
    return subprocess.call([sys.executable, "-m", "pytest", "-q", *marked, *rest, *chosen])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
