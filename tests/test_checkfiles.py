"""`deploy/checkfiles.py`, as an inspector runs it: alone, in another folder, on a copy of an installation."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[1] / "deploy" / "checkfiles.py"


def run(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """By a Python that sees nothing of ours."""
    alone = shutil.copy(TOOL, folder / "checkfiles.py")
    return subprocess.run(
        [sys.executable, "-I", "-S", str(alone), *map(str, words)],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine with the program, a dependency, compiled files, and a configuration."""
    site = tmp_path / "machine" / "site-packages"
    for name, text in {
        "puntobanco/rules/settle.py": "cents = 100\n",
        "puntobanco/__pycache__/money.cpython-311.pyc": "compiled",
        "msgspec/_core.so": "machine code",
        "msgspec-0.22.0.dist-info/RECORD": "msgspec/_core.so,,\n",
    }.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    config = tmp_path / "machine" / "puntobanco.toml"
    config.write_text("port = 8000\n")
    return tmp_path / "machine"


def listed(machine: Path, folder: Path) -> Path:
    made = run(
        folder, "make", folder / "list.json", machine / "site-packages", machine / "puntobanco.toml"
    )
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout.startswith("5 files, digest ")
    return folder / "list.json"


def test_a_machine_as_it_was_passes_with_the_digest_that_was_written_down(
    machine: Path, tmp_path: Path
) -> None:
    list_ = listed(machine, tmp_path)
    again = run(tmp_path, "check", list_)
    assert again.returncode == 0
    assert "5 files, no difference, digest " in again.stdout


@pytest.mark.parametrize(
    "victim",
    [
        "site-packages/puntobanco/rules/settle.py",
        "site-packages/puntobanco/__pycache__/money.cpython-311.pyc",
        "site-packages/msgspec/_core.so",
        "puntobanco.toml",
    ],
    ids=["a source file", "a compiled file", "a dependency", "the configuration"],
)
def test_one_changed_byte_is_found(machine: Path, tmp_path: Path, victim: str) -> None:
    list_ = listed(machine, tmp_path)
    path = machine / victim
    data = bytearray(path.read_bytes())
    data[0] ^= 1
    path.write_bytes(data)
    done = run(tmp_path, "check", list_)
    assert done.returncode == 1
    changed, summary = done.stdout.splitlines()
    assert changed == f"changed  {path}"
    assert "1 differences" in summary


def test_files_that_came_or_went_are_found_and_so_is_a_link_elsewhere(
    machine: Path, tmp_path: Path
) -> None:
    list_ = listed(machine, tmp_path)
    site = machine / "site-packages"
    (site / "sitecustomize.py").write_text("evil = True\n")
    (site / "msgspec" / "_core.so").unlink()
    config = machine / "puntobanco.toml"
    elsewhere = machine / "elsewhere.toml"
    config.rename(elsewhere)
    config.symlink_to(elsewhere)
    done = run(tmp_path, "check", list_)
    assert done.returncode == 1
    assert done.stdout.splitlines()[:3] == [
        f"changed  {config}",
        f"missing  {site}/msgspec/_core.so",
        f"new      {site}/sitecustomize.py",
    ]


def test_a_machine_that_is_mounted_elsewhere_and_one_that_is_gone(
    machine: Path, tmp_path: Path
) -> None:
    list_ = listed(machine, tmp_path)
    mount = tmp_path / "mnt"
    shutil.copytree(machine, mount / machine.relative_to("/"))
    shutil.rmtree(machine)
    assert run(tmp_path, "check", list_, "--root", mount).returncode == 0
    gone = run(tmp_path, "check", list_)
    assert (gone.returncode, gone.stdout.count("missing  ")) == (1, 5)


def test_a_folder_that_is_named_by_a_link_is_looked_into(machine: Path, tmp_path: Path) -> None:
    """`/opt/puntobanco` is often a link to a release."""
    site = machine / "site-packages"
    latest, current = tmp_path / "latest", tmp_path / "current"
    latest.symlink_to("machine/site-packages")
    current.symlink_to(latest)
    list_ = tmp_path / "list.json"
    assert run(tmp_path, "make", list_, current).stdout.startswith("6 files, digest ")
    assert run(tmp_path, "check", list_).returncode == 0
    victim = site / "puntobanco/rules/settle.py"
    victim.write_text("cents = 101\n")
    latest.unlink()
    latest.symlink_to(tmp_path)
    done = run(tmp_path, "check", list_)
    assert done.returncode == 1
    assert done.stdout.splitlines()[:2] == [f"changed  {latest}", f"changed  {victim}"]


def test_a_path_that_is_not_there_makes_no_list(tmp_path: Path) -> None:
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    for path in (tmp_path / "mistyped", circle):
        done = run(tmp_path, "make", tmp_path / "list.json", path)
        assert done.returncode == 2
        assert path.name in done.stderr
        assert not (tmp_path / "list.json").exists()


def test_a_pipe_does_not_hold_the_check_up(machine: Path, tmp_path: Path) -> None:
    list_ = listed(machine, tmp_path)
    pipe = machine / "site-packages" / "pipe"
    os.mkfifo(pipe)
    done = run(tmp_path, "check", list_)
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == f"new      {pipe}"


def test_a_list_is_not_overwritten_and_rubbish_is_no_list(machine: Path, tmp_path: Path) -> None:
    list_ = listed(machine, tmp_path)
    assert run(tmp_path, "make", list_, machine).returncode == 2
    list_.write_text("rubbish")
    assert run(tmp_path, "check", list_).returncode == 2


def test_it_needs_pythons_own_library_alone() -> None:
    tree = ast.parse(TOOL.read_text("utf-8"))
    imported = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {each.name.partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert imported <= sys.stdlib_module_names
