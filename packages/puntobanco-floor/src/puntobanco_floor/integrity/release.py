"""Integrity of the installed program: its files and dependencies against lists of hashes."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from pathlib import Path

from puntobanco.base.refusal import Refusal
from puntobanco.base.version import DISTRIBUTIONS
from puntobanco_floor.domain.house.program_faults import coded, fault_words

PROGRAM = "puntobanco-floor"
"""The distribution of a node; it requires our other two."""

HERE = Path(__file__).parents[2]
"""The folder that our packages are installed in."""

OWN = tuple(f"{name}/" for name in DISTRIBUTIONS.values())
ENTRY_POINTS = "entry_points.txt"
"""It says which code a command runs, so it is compared like code."""
SIGNATURE = ".sig"
"""How the name of a signature goes on after that of the file."""

CODE = (".py", ".pyc", ".so", ".pyd", ".pth", ENTRY_POINTS)
"""How the names of files end that decide what Python runs."""

INSTALLER = ("pip/", "pip-")
"""What installs packages differs with Python itself, and no program imports it."""

VIRTUALENV = ("_virtualenv.py", "_virtualenv.pth")
"""In no list: some of those who make environments add them. The digest has them."""


@dataclass(frozen=True)
class Program:
    """What was found: the installed release, none for a checkout; the first file that differs."""

    release: str = ""
    files: int = 0
    fault: str = ""  # for people, here and now
    digest: str = ""  # of names and contents of all files
    code: str = ""  # of the fault, with its file: what the journal has


@dataclass
class _Look:
    """Names with the digests of their contents, and what differs."""

    found: dict[str, str] = field(default_factory=dict)
    faults: list[tuple[str, str]] = field(default_factory=list)  # a code with its file, and words

    def differs(self, code: str, file: str = "", said: str = "") -> None:
        fault = coded(code, file)
        self.faults.append((fault, said or fault_words(fault).en))


def program(listed: str = "", key: str = "") -> Program:
    """The installed release and what it depends on, checked file by file. A checkout or an editable
    install is none. Where a signed list of the release and its public key are given, the package's
    own files are held against that too: who changes a file and its RECORD cannot sign.

    It finds a half-done upgrade, a bad disk and an edited file; the digest, held against the one
    that was accepted, also finds a file that was changed together with its list, and a package that
    was added with one. Scripts and what is in `__pycache__` are not looked at, nor is Python
    itself: keep the folders read-only, and see deploy/checkfiles.py.
    """
    own = _installed()
    if own is None:
        if not (listed or key):
            return Program()
        none = coded("checkout")
        return Program(fault=fault_words(none).en, code=none)
    look = _Look()
    folders = set[Path]()
    for each in dependencies():
        folder = Path(str(each.locate_file("")))
        folders.add(folder)
        _compare(look, _title(each), _listed(each), folder)
    for folder in sorted(folders):
        _look_for_more(look, folder)
    for name in DISTRIBUTIONS.values():
        found = import_module(name).__file__  # where Python imports it from
        if found is None or Path(found).parents[1].resolve() != HERE.resolve():
            look.differs("shadowed", name)
    if listed or key:
        _compare_signed(look, listed, key)
    code, fault = look.faults[0] if look.faults else ("", "")
    return Program(own.version, len(look.found), fault, digest_of(look.found), code)


def _installed() -> Distribution | None:
    """Find this program as pip installed it; a checkout is none."""
    try:
        own = distribution(PROGRAM)
    except PackageNotFoundError:
        return None
    installed = Path(str(own.locate_file(""))).resolve()
    is_ours = installed == HERE.resolve()
    return own if is_ours and f"{DISTRIBUTIONS[PROGRAM]}/__init__.py" in _listed(own) else None


def digest_of(found: Mapping[str, str]) -> str:
    """Of names and contents, whatever the order in which they were found.

    >>> digest_of({"a": "x", "b": "y"}) == digest_of({"b": "y", "a": "x"})
    True
    """
    lines = [f"{name} {hash_}\n" for name, hash_ in sorted(found.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def dependencies() -> list[Distribution]:
    """Find our installed distributions and those that they require."""
    return [distribution(name) for name in sorted(wanted())]


def wanted() -> dict[str, frozenset[str]]:
    """Name the installed distributions that a node needs, each with its extras: of ours, all."""
    found = dict[str, frozenset[str]]()
    waiting = [(PROGRAM, frozenset[str]())]
    while waiting:
        name, extras = waiting.pop()
        if name in found and extras <= found[name]:
            continue
        try:
            each = distribution(name)
        except PackageNotFoundError:  # for another system, or an extra that is not installed
            continue
        if name in DISTRIBUTIONS:
            extras = frozenset(each.metadata.get_all("Provides-Extra") or ())
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
        look.differs("unlisted", title)
    for name, said in listed.items():
        try:
            data = (folder / name).read_bytes()
        except OSError:
            look.differs("missing", name)
            continue
        digest = _digest(data)
        # pip's own notes differ from machine to machine
        if ".dist-info/" not in name or name.endswith(ENTRY_POINTS):
            look.found[name] = digest
        if said != f"sha256={digest}":
            look.differs("changed", name)


def is_own(name: str) -> bool:
    """Whether a file is of our distributions: of their packages, or the list of their commands.

    >>> is_own("puntobanco_floor-0.3.0.dist-info/entry_points.txt")
    True
    """
    folder, _, below = name.partition("/")
    is_list = below == ENTRY_POINTS and folder.partition("-")[0] in DISTRIBUTIONS.values()
    return is_list or name.startswith(OWN)


def _compare_signed(look: _Look, listed: str, key: str) -> None:
    if not (listed and key):
        said = "the signed list of a release and its key are given together"
        look.differs("signed-list", listed, said)
        return
    try:
        signed = signed_list(Path(listed), Path(key))
    except Refusal as refusal:
        look.differs("signed-list", listed, refusal.reason)
        return
    found = {name: hash_ for name, hash_ in look.found.items() if is_own(name)}
    for name in sorted(signed.keys() | found.keys()):
        if name not in found:
            look.differs("signed-missing", name)
        elif name not in signed:
            look.differs("signed-added", name)
        elif found[name] != signed[name]:
            look.differs("signed-changed", name)


def signed_list(path: Path, key: Path) -> dict[str, str]:
    """Read the hashes that a release was signed with: `sha256sum` lines, an Ed25519 signature."""
    # not above: the rest looks at a program whose dependencies may be missing
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
        Ed25519PublicKey,
    )
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415
        load_pem_public_key,
    )

    try:
        data = path.read_bytes()
        signature = path.with_name(path.name + SIGNATURE).read_bytes()
        public = load_pem_public_key(key.read_bytes())
    except OSError as error:
        why = (error.strerror or "").lower()
        raise Refusal(f"cannot read {error.filename} to compare the release: {why}") from None
    except ValueError:
        raise Refusal(f"{key} is no public key (PEM)") from None
    if not isinstance(public, Ed25519PublicKey):
        raise Refusal(f"{key} is no Ed25519 key")
    try:
        public.verify(signature, data)
    except InvalidSignature:
        raise Refusal(f"{path} was not signed with the key of {key}") from None
    pairs = [line.split("  ", 1) for line in data.decode().splitlines()]
    return {name: _encoded(bytes.fromhex(digits)) for digits, name in pairs}


def _look_for_more(look: _Look, folder: Path) -> None:
    """Code beside that of the dependencies: Python might run it in its place."""
    known = set(VIRTUALENV)
    for each in distributions(path=[str(folder)]):
        known |= {file.as_posix() for file in each.files or ()}
    for path in sorted(_code_below(folder)):
        name = path.relative_to(folder).as_posix()
        if name not in known or not path.is_file():
            look.differs("added", name)
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
    return _encoded(hashlib.sha256(data).digest())


def _encoded(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
