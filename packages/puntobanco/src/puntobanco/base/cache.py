"""The user's cache folder: what takes long to make and can always be made again."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

from puntobanco.base.version import __version__


def cache_folder() -> Path:
    """`PUNTOBANCO_CACHE`, else `puntobanco` in the user's cache folder."""
    named = os.environ.get("PUNTOBANCO_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    return Path(base) / "puntobanco"


@cache
def code_hash(*modules: str) -> str:
    """A hash of these modules' source and the version: what they made is stale when they change."""
    digest = hashlib.sha256(__version__.encode())
    for name in modules:
        file = import_module(name).__file__
        assert file is not None
        digest.update(Path(file).read_bytes())
    return digest.hexdigest()


def key(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def keep(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file atomically: a reader sees all of it or nothing. That it cannot be written is no
    error, because a cache can always be made again.
    """
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=path.suffix)
        os.close(handle)
        try:
            write(Path(name))
            Path(name).replace(path)
        finally:
            with suppress(FileNotFoundError):
                Path(name).unlink()
