"""Integrity of the installed program: its files and those of its dependencies against the hashes in
their wheels' own lists, and a digest of them all.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from pathlib import Path

PACKAGE = "puntobanco"
HERE = Path(__file__).parent

DEVELOPMENT = ("test", "slow", "lint")
"""Extras that no floor is served with."""

CODE = (".py", ".pyc", ".so", ".pyd", ".pth")
"""How the names of files end that Python runs."""

INSTALLER = "pip/"
"""What installs packages differs with Python itself, and no program imports it."""

VIRTUALENV = ("_virtualenv.py", "_virtualenv.pth")
"""In no list: some of those who make environments add them. The digest has them."""


@dataclass(frozen=True)
class Program:
    """What was found: the installed release, none for a checkout; the first file that differs."""

    release: str = ""
    files: int = 0
    fault: str = ""
    digest: str = ""  # of names and contents of all files


@dataclass
class _Look:
    """Names with the digests of their contents, and what differs."""

    found: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def program() -> Program:
    """The installed release and what it depends on, checked file by file. A checkout or an editable
    install is none.

    It finds a half-done upgrade, a bad disk and an edited file; the digest, held against the one
    that was accepted, also finds a file that was changed together with its list, and a package that
    was added with one. Scripts and what is in `__pycache__` are not looked at, nor is Python
    itself: keep the folders read-only, and see deploy/checkfiles.py.
    """
    try:
        own = distribution(PACKAGE)
    except PackageNotFoundError:
        return Program()
    listed = _listed(own)
    installed = Path(str(own.locate_file(PACKAGE)))
    if f"{PACKAGE}/__init__.py" not in listed or installed.resolve() != HERE.resolve():
        return Program()
    look = _Look()
    folders = set[Path]()
    for each in [own, *dependencies(own)]:
        folder = Path(str(each.locate_file("")))
        folders.add(folder)
        _compare(look, _title(each), _listed(each), folder)
    for folder in sorted(folders):
        _look_for_more(look, folder)
    fault = look.faults[0] if look.faults else ""
    return Program(own.version, len(look.found), fault, digest_of(look.found))


def digest_of(found: Mapping[str, str]) -> str:
    """Of names and contents, whatever the order in which they were found.

    >>> digest_of({"a": "x", "b": "y"}) == digest_of({"b": "y", "a": "x"})
    True
    """
    lines = [f"{name} {hash_}\n" for name, hash_ in sorted(found.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def dependencies(own: Distribution) -> list[Distribution]:
    """What is installed of what it requires, and of what that requires."""
    return [distribution(name) for name in sorted(wanted(own)) if name != PACKAGE]


def wanted(own: Distribution) -> dict[str, frozenset[str]]:
    """Names of what is installed, its own too, with the extras that somebody wants of each."""
    found = dict[str, frozenset[str]]()
    extras = frozenset(own.metadata.get_all("Provides-Extra") or ())
    waiting = [(PACKAGE, extras.difference(DEVELOPMENT))]
    while waiting:
        name, extras = waiting.pop()
        if name in found and extras <= found[name]:
            continue
        try:
            each = distribution(name)
        except PackageNotFoundError:  # for another system, or an extra that is not installed
            continue
        found[name] = found.get(name, frozenset()) | extras
        waiting += required(each.requires or (), found[name])
    return found


def required(
    lines: Iterable[str], extras: Iterable[str] = ()
) -> Iterator[tuple[str, frozenset[str]]]:
    """Names of requirements, each with the extras that are wanted of it; those of an extra only
    where it is among these.

    >>> list(required(["rich>=13", "Dask[x]; extra == 'test'"]))
    [('rich', frozenset())]
    >>> list(required(["psycopg[binary]; extra == 'postgres'"], ["postgres"]))
    [('psycopg', frozenset({'binary'}))]
    """
    for line in lines:
        of_extras = re.findall(r"""extra\s*==\s*["']([^"']+)""", line)
        if of_extras and not set(of_extras) & set(extras):
            continue
        named = re.match(r"([A-Za-z0-9._-]+)\s*(?:\[([^]]*)\])?", line)
        if named:
            wants = re.findall(r"[A-Za-z0-9._-]+", named[2] or "")
            yield re.sub(r"[-_.]+", "-", named[1]).lower(), frozenset(wants)


def _title(found: Distribution) -> str:
    return f"{found.metadata['Name']} {found.version}"


def _listed(found: Distribution) -> dict[str, str]:
    """The files of a distribution with their hashes, as RECORD has them."""
    listed = {}
    for file in found.files or ():
        # not scripts, beside the packages: they name the folder that they were made in
        if file.hash is not None and file.parts[0] != "..":
            listed[file.as_posix()] = f"{file.hash.mode}={file.hash.value}"
    return listed


def _compare(look: _Look, title: str, listed: Mapping[str, str], folder: Path) -> None:
    if not listed:
        look.faults.append(f"{title} has no list of its files: pip did not install it")
    for name, said in listed.items():
        try:
            data = (folder / name).read_bytes()
        except OSError:
            look.faults.append(f"{name} is missing")
            continue
        digest = _digest(data)
        if ".dist-info/" not in name:  # pip's own notes differ from machine to machine
            look.found[name] = digest
        if said != f"sha256={digest}":
            look.faults.append(f"{name} is not the file of the release")


def _look_for_more(look: _Look, folder: Path) -> None:
    """Code beside that of the dependencies: Python might run it in its place."""
    known = set(VIRTUALENV)
    for each in distributions(path=[str(folder)]):
        known |= {file.as_posix() for file in each.files or ()}
    for path in sorted(_code_below(folder)):
        name = path.relative_to(folder).as_posix()
        if name not in known or not path.is_file():
            look.faults.append(f"{name} does not belong to the release")
        elif name not in look.found and not name.startswith(INSTALLER):
            look.found[name] = _digest(path.read_bytes())


def _code_below(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        here = Path(parent)
        # a link to a folder is no list's, and is not walked: it is found by its own name
        yield from (here / name for name in folders if (here / name).is_symlink())
        yield from (here / name for name in names if name.endswith(CODE))


def _digest(data: bytes) -> str:
    """As RECORD writes it.

    >>> _digest(b"")
    '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'
    """
    digest = hashlib.sha256(data).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
