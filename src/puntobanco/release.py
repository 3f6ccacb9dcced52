"""Integrity of the installed release: each file against the hash in the wheel's own list."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

PACKAGE = "puntobanco"
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Code:
    """What was found: the installed release, none for a checkout; the first file that differs."""

    release: str = ""
    files: int = 0
    fault: str = ""


def code() -> Code:
    """The installed release, checked file by file. A checkout or an editable install is none.

    It finds a half-done upgrade, a bad disk and an edited file. Whoever may write there can change
    the list too, and compiled files are not looked at: keep the folder read-only.
    """
    try:
        found = distribution(PACKAGE)
    except PackageNotFoundError:
        return Code()
    listed = _listed(found)
    installed = Path(str(found.locate_file(PACKAGE)))
    if f"{PACKAGE}/__init__.py" not in listed or installed.resolve() != HERE.resolve():
        return Code()
    fault = next(_faults(listed, HERE), "")
    return Code(found.version, len(listed), fault)


def _listed(found: Distribution) -> dict[str, str]:
    """The package's files with their hashes, as RECORD has them."""
    listed = {}
    for file in found.files or ():
        if file.parts[0] == PACKAGE and file.hash is not None:
            listed[file.as_posix()] = f"{file.hash.mode}={file.hash.value}"
    return listed


def _faults(listed: Mapping[str, str], root: Path) -> Iterator[str]:
    for name, said in listed.items():
        try:
            data = (root.parent / name).read_bytes()
        except OSError:
            yield f"{name} is missing"
            continue
        if said != f"sha256={_digest(data)}":
            yield f"{name} is not the file of the release"
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root.parent).as_posix()
        if name not in listed:
            yield f"{name} does not belong to the release"


def _digest(data: bytes) -> str:
    """As RECORD writes it.

    >>> _digest(b"")
    '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'
    """
    digest = hashlib.sha256(data).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
