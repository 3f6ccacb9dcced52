"""Extras: packages that one purpose alone needs, and what is said where they are not installed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from puntobanco.base.refusal import ExtraNeeded
from puntobanco.base.version import PACKAGES as OURS
from puntobanco.base.version import __version__

PACKAGES = {
    "fast": ("numba",),
    "cluster": ("distributed",),
    "gpu": ("numba.cuda",),
    "postgres": ("asyncpg", "psycopg"),
    "report": ("typst", "vl_convert"),
    "table": ("arro3",),
    "fonts": ("fontTools", "brotli"),
}
"""What each extra brings, as it is imported."""

_SOURCE = Path(__file__).parents[3]


def install(extra: str) -> str:
    """How to add an extra: to what was installed, because no index has this package."""
    if (_SOURCE / "pyproject.toml").exists():
        return f"install the extra {extra}: pip install --editable '.[{extra}]'"
    wheel = f"puntobanco-{__version__}-py3-none-any.whl"
    return f"install the extra {extra}: pip install './{wheel}[{extra}]'"


def has(extra: str) -> bool:
    """Whether all its packages are installed. They are looked for and not imported."""
    return all(find_spec(name) is not None for name in PACKAGES[extra])


@cache
def has_numba() -> bool:
    return has("fast")


def verify_numba(what: str) -> None:
    if not has_numba():
        raise ExtraNeeded(f"{what} is compiled by Numba; {install('fast')}")


def package(name: str) -> ModuleType:
    """A package that is loaded when it is used, or a refusal that says how to install it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise lacking(error, name) from None


def lacking(error: ImportError, name: str = "") -> ExtraNeeded:
    """The refusal where a module was not found, or cannot be loaded."""
    name = name or error.name or ""
    top = name.partition(".")[0]
    if top in OURS:
        return ExtraNeeded(f"{name} is missing from this installation; install its wheel again")
    needs = f"this needs the package {top}"
    if not isinstance(error, ModuleNotFoundError):
        needs += f" ({error})"
    for extra, packages in PACKAGES.items():
        if name in packages or top in packages:
            return ExtraNeeded(f"{needs}; {install(extra)}")
    return ExtraNeeded(f"{needs}: pip install {top}")
