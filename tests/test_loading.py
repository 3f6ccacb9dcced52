"""The programs that strangers run load little: no store and no house to check a pack, no kind of event to witness."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.versions import unpack

OURS = ("puntobanco", "puntobanco_proof", "puntobanco_floor")
STORE = ("puntobanco_floor.store", "sqlalchemy", "sqlite3", "asyncpg")
SERVER = ("puntobanco_floor.service", "puntobanco_floor.web", "starlette", "uvicorn")
DOMAIN = (
    "puntobanco_floor.domain.house",
    "puntobanco_floor.domain.cage",
    "puntobanco_floor.domain.machine",
    "puntobanco_floor.domain.table.state",
)

REPORT = """
import sys
for name, module in sorted(sys.modules.items()):
    print("loaded", name, getattr(module, "__file__", None), sep="\\t")
"""


def load(code: str) -> dict[str, str]:
    """Run code in a fresh interpreter and return the files of all modules that it loaded, by their names."""
    run = [sys.executable, "-c", code + REPORT]
    printed = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    rows = [row.split("\t") for row in printed.splitlines() if row.startswith("loaded\t")]
    return {name: file for _, name, file in rows}


def count_lines(loaded: dict[str, str]) -> int:
    own = [file for name, file in loaded.items() if name.split(".")[0] in OURS]
    return sum(len(Path(file).read_bytes().splitlines()) for file in own)


def find(loaded: dict[str, str], names: tuple[str, ...]) -> list[str]:
    """Return the modules that have one of these names or are inside one."""
    return [each for each in loaded if any(f"{each}.".startswith(f"{name}.") for name in names)]


@pytest.mark.parametrize(
    ("module", "most", "never"),
    [
        ("puntobanco_floor.evidence.pack_verifier", 11_000, STORE + SERVER + DOMAIN),
        (
            "puntobanco_proof.witness.http_server",
            4_000,
            (*STORE[:2], *OURS[2:], "puntobanco.rules"),
        ),
        (
            "puntobanco_floor.client",
            15_500,
            (*STORE, "alembic", "starlette", "numba", "puntobanco_floor.web"),
        ),
        ("puntobanco", 400, ("click", "numpy", "puntobanco.rules", *OURS[1:])),
    ],
)
def test_a_program_for_strangers_loads_few_lines(
    module: str, most: int, never: tuple[str, ...]
) -> None:
    loaded = load(f"import {module}")
    lines = count_lines(loaded)
    print(f"{module}: {lines} lines")
    assert find(loaded, (module,)), "this test can find it"
    assert not find(loaded, never)
    assert lines <= most


def test_the_command_that_checks_a_pack_loads_no_store(tmp_path: Path) -> None:
    database = unpack(tmp_path)
    folder = database.parent / "packs" / "one-session"
    keys = database.with_name("floor.db.keys")
    loaded = load(
        "from puntobanco.cli import main\n"
        "try:\n"
        f"    main(['dispute', '--verify', {str(folder)!r}, '--keys', {str(keys)!r}])\n"
        "except SystemExit as end:\n"
        "    assert end.code == 0, end.code\n"
    )
    print(f"dispute --verify: {count_lines(loaded)} lines")
    assert find(loaded, ("puntobanco_floor.evidence.pack_verifier",))
    assert not find(loaded, STORE + SERVER + DOMAIN)


def test_names_of_the_library_are_loaded_on_first_use() -> None:
    loaded = load("import puntobanco; puntobanco.GAMES")
    assert not find(loaded, ("click", "numpy"))
    load("import puntobanco; assert all(hasattr(puntobanco, name) for name in puntobanco.__all__)")


def test_commands_of_administration_load_no_numpy() -> None:
    loaded = load("import puntobanco_floor.cli.tables, puntobanco_floor.cli.program")
    assert find(loaded, ("puntobanco_floor.service.administration",)), "this test can find it"
    assert not find(loaded, ("numpy",))


def test_a_batch_knows_no_machine() -> None:
    machines = ("puntobanco_floor.domain.definitions",)
    assert find(load("import puntobanco_floor.store.store"), machines), "this test can find them"
    assert not find(load("import puntobanco_floor.store.batch"), machines)
