"""Our distributions as wheels, and as they are installed: made once for all workers of a run of tests."""

import compileall
import fcntl
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from puntobanco import __version__
from puntobanco.base.version import DISTRIBUTIONS as OURS
from tools.tree import DISTRIBUTIONS


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Workers of one run take turns: the first one makes it, the others find it."""
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def shared(base: pytest.TempPathFactory) -> Path:
    """A folder of all workers of this run."""
    own = base.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "installed"


ALL = tuple(DISTRIBUTIONS)


def build(folder: Path, package: str, target: str = "wheel") -> Path:
    """Make a `wheel` or an `sdist` of a distribution with the tool that builds a release; nothing is fetched."""
    build_ = [sys.executable, "-m", "hatchling", "build", "--target", target]
    done = subprocess.run(
        [*build_, "--directory", str(folder)],
        cwd=DISTRIBUTIONS[package],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-400:]
    ending = "py3-none-any.whl" if target == "wheel" else "tar.gz"
    return folder / f"{package}-{__version__}{'-' if target == 'wheel' else '.'}{ending}"


def wheel_of(base: pytest.TempPathFactory, package: str) -> Path:
    folder = shared(base)
    with _alone(folder):
        made = folder / package
        if not made.exists():
            being_made = folder / f"{package}.new"
            build(being_made, package)
            being_made.rename(made)
    [wheel] = made.glob("*.whl")
    return wheel


def unpacked(base: pytest.TempPathFactory, folder: Path, packages: Iterable[str] = ALL) -> Path:
    """Unpack wheels in a folder of one's own, to be spoiled: for packages of Python alone that is all of installing."""
    wheels = [wheel_of(base, package) for package in packages]
    whole = shared(base) / "-".join(["whole", *packages])
    with _alone(shared(base)):
        if not whole.exists():
            being_made = whole.with_suffix(".new")
            for wheel in wheels:
                with zipfile.ZipFile(wheel) as file:
                    file.extractall(being_made)
            # once, and not by every test: a start from source alone takes seconds
            compileall.compile_dir(being_made, quiet=2)
            being_made.rename(whole)
    shutil.copytree(whole, folder)
    return folder


def dependencies_of(base: pytest.TempPathFactory, packages: Iterable[str] = ALL) -> Path:
    """Link what wheels require, without extras, from this environment; read it only."""
    wheels = [wheel_of(base, package) for package in packages]
    folder = shared(base)
    with _alone(folder):
        made = folder / "-".join(["dependencies", *packages])
        if not made.exists():
            being_made = made.with_suffix(".new")
            being_made.mkdir()
            for each in needed(line for wheel in wheels for line in requirements(wheel)):
                place(each, being_made)
            being_made.rename(made)
    return made


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as file:
        [name] = [name for name in file.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(file.read(name).decode())


def requirements(wheel: Path) -> list[str]:
    """As the wheel has them: this environment may have been made by an older checkout."""
    return metadata(wheel).get_all("Requires-Dist") or []


def needed(lines: Iterable[str]) -> list[Distribution]:
    """Find what these lines require, and what that requires, apart from our own distributions."""
    from puntobanco_floor.integrity.release import required  # noqa: PLC0415 - the library's tests do without

    found = dict[str, Distribution]()
    waiting = [name for name, _ in required(filter(_is_for_us, lines))]
    while waiting:
        name = waiting.pop()
        with suppress(PackageNotFoundError):
            if name not in found and name not in OURS:
                found[name] = distribution(name)
                more = filter(_is_for_us, found[name].requires or ())
                waiting += [other for other, _ in required(more)]
    return list(found.values())


def _is_for_us(line: str) -> bool:
    """Whether a requirement is for this system and this Python."""
    marker = Requirement(line).marker
    return marker is None or marker.evaluate({"extra": ""})


def place(each: Distribution, folder: Path, *, copied: bool = False) -> None:
    """The files of an installed package. Links cost nothing, but to write to one spoils this environment."""
    for file in each.files or ():
        target = folder / file
        if file.parts[0] == "..":  # a script
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        source = Path(str(each.locate_file(file)))
        if not source.exists():  # compiled, for another Python
            continue
        try:
            shutil.copy2(source, target) if copied else os.link(source, target)
        except OSError:  # another disk
            shutil.copy2(source, target)


def python(*words: str, path: Sequence[Path]) -> subprocess.CompletedProcess[str]:
    """With these folders and the standard library alone: no Numba, and few files to hash."""
    return subprocess.run(
        [sys.executable, "-S", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
    )


@dataclass(frozen=True)
class Installed:
    """The command line of the wheel, with what it depends on."""

    site: Path
    dependencies: Path

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return python("-m", "puntobanco", *words, path=[self.site, self.dependencies])
