"""A module imports only from its own level or a lower one; the rules import only the standard library."""

import ast
import subprocess
import sys
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


MACHINES = {"table", "house", "cage"}


@pytest.mark.parametrize(
    "path",
    [p for p in MODULES if unit(p) in MACHINES],
    ids=lambda p: str(p.relative_to(SOURCE)),
)
def test_no_machine_knows_another(path: Path) -> None:
    others = MACHINES - {unit(path)}
    known = {name.split(".")[1] for name in imports(path) if name.startswith("puntobanco.")}
    assert not known & others, f"{path}: what machines share is in machine.py"


@pytest.mark.parametrize(
    "path",
    [p for p in MODULES if unit(p) in MACHINES | {"machine", "definitions", "storage"}],
    ids=lambda p: str(p.relative_to(SOURCE)),
)
def test_the_store_and_the_machines_have_types(path: Path) -> None:
    names = {
        node.id
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Name)
    }
    assert "Any" not in names


def test_a_batch_knows_no_machine() -> None:
    known = imports(SOURCE / "storage" / "batch.py")
    assert not {
        name for name in known if name.startswith("puntobanco.") and name.split(".")[1] in MACHINES
    }


PURE = [p for p in MODULES if unit(p) in ("base", "rules") and p.stem != "record"]


@pytest.mark.parametrize("path", PURE, ids=lambda p: p.stem)
def test_the_kernel_and_the_rules_are_pure(path: Path) -> None:
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
    """Modules, and what may be modules: `from puntobanco_floor.service import tickets`."""
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


def test_a_witness_loads_no_games_and_no_kinds_of_events() -> None:
    """A regulator reads the witness in an afternoon: at most 4,000 lines of ours."""
    code = (
        "import sys, puntobanco_proof.witness.http_server;"
        "ours = [m for name, m in sys.modules.items() if name.startswith('puntobanco')];"
        "assert not any(m.__name__.startswith(('puntobanco.rules', 'puntobanco_floor.domain.events')) for m in ours);"
        "print(sum(len(open(m.__file__, 'rb').readlines()) for m in ours))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(run.stdout) <= 4_000


def test_a_client_needs_no_storage() -> None:
    """A terminal in Python is a page of another process: no database, no server."""
    code = (
        "import sys; import puntobanco_floor.client;"
        "wrong = [m for m in sys.modules if m.startswith("
        "('sqlalchemy', 'alembic', 'litestar', 'numba', 'puntobanco_floor.store', 'puntobanco_floor.web'))];"
        "print(wrong)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
