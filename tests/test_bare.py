"""The wheel without any extra: what the documents show works, or is refused in one line that names the extra."""

import os
import re
import shutil
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from types import SimpleNamespace

import pytest

from puntobanco import __version__
from puntobanco.base import extras
from puntobanco.base.extras import lacking
from tests.fixtures.versions import unpack
from tests.support.documents import BY_HAND, DOCUMENTS, PLAYED, READMES, blocks, name_of
from tests.support.installed import ALL, dependencies_of, python, unpacked
from tests.support.patience import PATIENCE_S, wait_until
from tests.support.tutorials import Shell, steps
from tests.support.warm_command import put_on_path, put_python
from tests.test_tutorials import is_as_printed, people, put_examples
from tools.tree import DISTRIBUTIONS, ROOT

SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
NAMED = re.compile(
    rf"install the extra (\w+): pip install '\./puntobanco\w*-{re.escape(__version__)}-py3-none-any\.whl\[\1\]'"
)
BLAMES = re.compile("Traceback|fault in this program|No module named")
"""What must never be said where a package is missing."""

LONG = re.compile("--vulnerability|--all")
"""Minutes of a core; `make slow` runs them."""

SERVES = re.compile(r"\b(serve|witness serve)\b")
"""These go on until they are stopped; the tutorials serve."""

ABORTED = 130  # it asked for a password, and nobody was there


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folders that an installation has: the wheel's and those of what it requires."""
    site = unpacked(tmp_path_factory, tmp_path_factory.mktemp("bare") / "site")
    return site, dependencies_of(tmp_path_factory)


# Documented commands


def documented() -> list[str]:
    """Every command that a document shows, in a block or in a sentence, once; as a reader would type it."""
    found = list[str]()
    for path in DOCUMENTS:
        text = path.read_text("utf-8")
        if path.name == "CHANGELOG.md":
            continue
        if path not in PLAYED:
            found += [step.text for step in steps(text)]
        typed = "\n".join(blocks(text)).replace("\\\n", " ")
        found += re.findall(r"^\s*(?:\S*/)?(puntobanco .*)$", typed, re.MULTILINE)
        if path in BY_HAND:
            found += re.findall(r"`(puntobanco [^`]+)`", text)
    return list(dict.fromkeys(map(plain, found)))


def plain(line: str) -> str:
    """Without the comment, and with a value for each word that a reader replaces."""
    line = re.sub(r"\s+#\s.*", "", line)
    line = re.sub(r"\bGAME\b", "rapid", line)
    return " ".join(line.split()) if "'" not in line and '"' not in line else line.strip()


@pytest.fixture
def typed(bare: tuple[Path, Path], tmp_path: Path) -> Iterator[SimpleNamespace]:
    """A folder with a recorded floor, and a `puntobanco` from the bare wheel on the path."""
    programs = Path(mkdtemp())  # short: the address of a socket has few characters
    put_python(programs, bare)
    address = put_on_path(programs)
    ours = {name: text for name, text in os.environ.items() if not name.startswith("PUNTOBANCO_")}
    environment = {
        **ours,
        "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]),
        "PUNTOBANCO_CACHE": str(programs / "cache"),
    }
    server = subprocess.Popen(
        ["python", "-m", "tests.support.warm_command", address],
        env={**environment, "PYTHONPATH": str(ROOT)},
        executable=str(programs / "python"),
        start_new_session=True,  # no terminal: nobody is asked anything
    )
    wait_until(lambda: Path(address).exists(), "the bare program")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copy(ROOT / "examples/lucky_rapid.py", tmp_path / "my_game.py")
    unpack(tmp_path)

    def run(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", line],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    try:
        yield SimpleNamespace(run=run, folder=tmp_path)
    finally:
        server.terminate()
        server.wait(PATIENCE_S)
        shutil.rmtree(programs)


@pytest.mark.long
def test_each_documented_command_works_without_extras_or_names_the_one_it_needs(
    typed: SimpleNamespace,
) -> None:
    """On a recorded floor, in the order of the pages. What is refused for another reason is refused in one line, too."""
    counted = Counter[str]()
    wrong = list[str]()
    for line in documented():
        if SERVES.search(line) or (LONG.search(line) and not SLOW):
            counted["not run here"] += 1
            continue
        done = typed.run(line)
        extra = NAMED.search(done.stderr)
        print(f"{done.returncode:>3}  {extra[1] if extra else '':<9} {line}")
        counted[f"status {done.returncode}" + (", an extra" if extra else "")] += 1
        said = done.stdout + done.stderr
        refused = done.returncode in (0, 1, ABORTED) or bool(
            re.fullmatch(r"Usage: [^\0]*|(.*\n)*puntobanco: .+\n", done.stderr)
        )
        if BLAMES.search(said) or not refused or "pip install puntobanco" in said:
            wrong.append(f"{line}: {done.returncode} {said[-300:]}")
    print(dict(counted))
    assert wrong == []
    assert counted["status 0"] > 50, "a floor is there, and most of it needs no extra"


# Each extra


NEEDS = {
    "fast": "puntobanco simulate rapid --rounds 1e5",
    "cluster": "python -c 'from puntobanco.sim.run import dask; dask(None, 1)'",
    "gpu": "python -c 'from puntobanco.sim.gpu import _cuda; _cuda()'",
    "postgres": "puntobanco audit --database postgresql://localhost/floor",
    "report": "puntobanco report daily --format pdf --to daily.pdf",
    "table": "python -c 'import puntobanco as pb; pb.par_sheet(\"rapid\").to_arrow()'",
    "witness": "python -c 'import sys; from puntobanco.base.extras import install; sys.exit(install(\"witness\"))'",
    "fonts": "python -c 'from puntobanco.base.extras import package; package(\"fontTools.subset\")'",
}
"""What cannot be done without each."""


def test_every_extra_is_known_with_the_packages_that_it_brings() -> None:
    declared = dict[str, str]()
    for folder in DISTRIBUTIONS.values():
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        for extra in project.get("optional-dependencies", {}):
            declared[extra] = project["name"]
    assert set(NEEDS) == set(extras.PACKAGES) == set(declared)
    assert {extra: extras.ELSEWHERE.get(extra, "puntobanco") for extra in declared} == declared
    page = (ROOT / "docs/how-to/install.md").read_text("utf-8")
    table = page.partition("| extra |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(declared)


def test_each_extra_is_named_with_a_line_that_installs_it(typed: SimpleNamespace) -> None:
    for extra, line in NEEDS.items():
        done = typed.run(line)
        named = NAMED.search(done.stderr)
        assert named, f"{line}: {done.stderr[-500:]}"
        assert named[1] == extra
        assert done.returncode != 0
        if line.startswith("puntobanco"):
            assert done.stderr.count("\n") == 1


def test_a_par_sheet_as_html_needs_no_charts_and_a_pdf_names_the_extra(
    typed: SimpleNamespace,
) -> None:
    done = typed.run("puntobanco odds rapid --out x.html")
    assert done.returncode == 0
    said, wrote = done.stderr.splitlines()
    assert said.startswith("puntobanco: the page has no charts; ")
    assert NAMED.search(said)
    assert wrote == "wrote x.html"
    page = (typed.folder / "x.html").read_text("utf-8")
    assert "Exact fractions" in page
    assert "<svg" not in page
    done = typed.run("puntobanco odds rapid --out x.pdf")
    assert done.returncode == 2
    assert NAMED.search(done.stderr)
    assert not (typed.folder / "x.pdf").exists()


EVERY_MODULE = """
import pkgutil, importlib
from puntobanco.base.extras import lacking
from puntobanco.base.version import DISTRIBUTIONS
ours = (m for name in DISTRIBUTIONS.values() for m in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."))
for module in ours:
    if not module.name.endswith(("__main__", "migrations.env")):
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            print(module.name, lacking(error))
"""


def test_whatever_a_module_lacks_belongs_to_an_extra(bare: tuple[Path, Path]) -> None:
    done = python("-c", EVERY_MODULE, path=bare)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert {line.partition(" ")[0] for line in lines} >= {"puntobanco_floor.store.postgres"}
    assert [line for line in lines if not NAMED.search(line)] == []


# Tutorials


@pytest.mark.long
@pytest.mark.parametrize("page", PLAYED, ids=name_of)
def test_a_tutorial_works_without_extras_but_for_what_names_one(
    page: Path, bare: tuple[Path, Path], tmp_path: Path
) -> None:
    with Shell(people(), bare=bare) as reader:
        reader.begin(tmp_path)
        put_examples(page, tmp_path)
        for step in steps(page.read_text("utf-8")):
            if step.file:
                (tmp_path / step.file).write_text(reader.at_its_port(step.text), "utf-8")
                continue
            status, said = reader.tried(step.text)
            named = NAMED.search(said)
            print(f"{status:>3}  {named[1] if named else '':<9} {step.text}")
            assert status == 0 or named, said
            # a script of the reader's own ends as Python does
            assert step.text.startswith("python ") or not BLAMES.search(said)


@pytest.mark.long
@pytest.mark.parametrize("package", READMES)
def test_the_readme_of_a_distribution_runs_as_printed_with_no_other_installed(
    package: str, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    """Its own wheel is installed, and the wheels of ours that it requires."""
    ours = ALL[: ALL.index(package) + 1]
    site = unpacked(tmp_path_factory, tmp_path_factory.mktemp("alone") / "site", ours)
    with Shell(people(), bare=(site, dependencies_of(tmp_path_factory, ours))) as reader:
        reader.begin(tmp_path)
        put_examples(READMES[package], tmp_path)
        played = 0
        for step in steps(READMES[package].read_text("utf-8")):
            if step.file:
                (tmp_path / step.file).write_text(step.text, "utf-8")
                continue
            said = reader.run(step.text)
            assert is_as_printed(said, step.prints), f"{step.text}\n{said}"
            played += 1
        assert played > 1


def test_a_missing_module_of_ours_means_a_broken_installation() -> None:
    said = str(lacking(ModuleNotFoundError(name="puntobanco.scoreboards")))
    assert (
        said == "puntobanco.scoreboards is missing from this installation; install its wheel again"
    )
