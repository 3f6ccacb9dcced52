"""A module imports only from its own level or a lower one; the rules import only the standard library."""

import ast
import re
import subprocess
import sys
from itertools import dropwhile, takewhile
from pathlib import Path

import pytest
from tools.levels import INNER, LEVELS, SOURCE, inner_levels, modules

ABOVE_ALL = {"__init__", "__main__"}


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports out in full"
            found |= {_module(str(node.module), alias.name) for alias in node.names}
    return found


def _module(module: str, name: str) -> str:
    """`from puntobanco import journal` imports a module, not a name of the package."""
    is_module = module == "puntobanco" and (
        (SOURCE / name).is_dir() or (SOURCE / f"{name}.py").is_file()
    )
    return f"{module}.{name}" if is_module else module


def unit(path: Path) -> str:
    first = path.relative_to(SOURCE).parts[0]
    return first.removesuffix(".py")


MODULES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_go_down(path: Path) -> None:
    if unit(path) in ABOVE_ALL:
        return
    level = LEVELS[unit(path)]
    for name in imports(path):
        if name.startswith("puntobanco."):
            assert LEVELS[name.split(".")[1]] <= level, f"{path} imports {name} from a higher level"
        elif name == "puntobanco":
            assert level == 8, f"{path}: import from the module that defines the name"


@pytest.mark.parametrize("path", [p for p in MODULES if unit(p) == "rules"], ids=lambda p: p.stem)
def test_the_rules_are_pure(path: Path) -> None:
    outside = {name for name in imports(path) if not name.startswith("puntobanco")}
    assert {name.split(".")[0] for name in outside} <= set(sys.stdlib_module_names)
    assert not outside & {
        "random",
        "secrets",
        "time",
        "datetime",
        "os",
        "sys",
        "io",
        "pathlib",
        "socket",
        "subprocess",
    }


@pytest.mark.parametrize("package", INNER)
def test_imports_inside_a_package_go_down(package: str) -> None:
    levels, paths = inner_levels(package), modules(package)
    assert set(levels) == set(paths), "every module has an inner level in tools/levels.py"
    for name, path in paths.items():
        for imported in imports_of_names(path):
            inner = imported.removeprefix(f"puntobanco.{package}.")
            if inner != imported and inner in levels:
                assert levels[inner] <= levels[name], f"{path} imports {imported} from above"


def imports_of_names(path: Path) -> set[str]:
    """Modules, and what may be modules: `from puntobanco.floor import tickets`."""
    tree = ast.parse(path.read_text("utf-8"))
    found = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name}


def test_every_level_is_in_the_architecture() -> None:
    text = (SOURCE.parents[1] / "ARCHITECTURE.md").read_text("utf-8")
    for name, level in LEVELS.items():
        assert f"| {level} | `{name}" in text
    packages = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file()}
    assert set(INNER) == packages, "every package has its table of modules"


def test_importing_the_package_needs_nothing_and_loads_names_on_first_use() -> None:
    code = (
        "import sys; import puntobanco; before = set(sys.modules);"
        "assert not any(m.startswith(('click', 'rich', 'puntobanco.rules')) for m in before);"
        "puntobanco.GAMES; loaded = {m.split('.')[0] for m in set(sys.modules)};"
        "assert not loaded & {'click', 'rich', 'numpy'}, loaded;"
        "print(all(hasattr(puntobanco, name) for name in puntobanco.__all__))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "True\n"


# Inside a package

NOT_YET = set(
    "cage cli dispute floor house lab odds reports rules sim storage table web".split()  # noqa: SIM905
)
"""Packages without a table of inner levels in ARCHITECTURE.md; it may only shrink."""

PACKAGES = sorted(path.parent.name for path in SOURCE.glob("*/__init__.py"))


def inner(path: Path) -> str:
    """A module as the tables name it: `terminals/wire` for floor/terminals/wire.py."""
    return "/".join(path.relative_to(SOURCE).with_suffix("").parts[1:])


def inner_levels(package: str) -> dict[str, int]:
    """What ARCHITECTURE.md says of it: the table after "Inside `package/`", rows of level and module."""
    text = (SOURCE.parents[1] / "ARCHITECTURE.md").read_text("utf-8")
    after = text.partition(f"\nInside `{package}/`")[2].splitlines()
    from_table = dropwhile(lambda line: not line.startswith("|"), after[1:])
    table = takewhile(lambda line: line.startswith("|"), from_table)
    rows = [row.groups() for line in table if (row := re.match(r"\| (\d+) \| `([\w/]+)` \|", line))]
    assert len({module for _, module in rows}) == len(rows), f"{package}: a module twice"
    return {module: int(level) for level, module in rows}


@pytest.mark.parametrize("package", [p for p in PACKAGES if p not in NOT_YET])
def test_a_package_has_its_table_and_imports_go_down_in_it(package: str) -> None:
    levels = inner_levels(package)
    paths = [p for p in (SOURCE / package).rglob("*.py") if p.name != "__init__.py"]
    missing = {inner(path) for path in paths} ^ levels.keys()
    assert not missing, f"`Inside {package}/` of ARCHITECTURE.md and the modules differ: {missing}"
    for path in paths:
        own = levels[inner(path)]
        for name in imports(path):
            used = "/".join(name.split(".")[2:])
            if name.startswith(f"puntobanco.{package}.") and used in levels:
                assert levels[used] <= own, f"{inner(path)} imports {used} from a higher level"


def test_the_packages_without_a_table_are_packages() -> None:
    assert set(PACKAGES) >= NOT_YET
