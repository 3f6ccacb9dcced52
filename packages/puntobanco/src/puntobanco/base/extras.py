"""Extras: packages that one purpose alone needs, and what is said where they are not installed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from puntobanco.base.refusal import ExtraNeeded
from puntobanco.base.version import DISTRIBUTIONS, __version__

PACKAGES = {
    "fast": ("numba",),
    "cluster": ("distributed",),
    "gpu": ("numba.cuda",),
    "report": ("typst", "vl_convert"),
    "table": ("arro3",),
    "witness": ("uvicorn", "starlette"),
    "postgres": ("asyncpg", "psycopg"),
    "fonts": ("fontTools", "brotli"),
}
"""The modules that each extra brings, as they are imported."""

ELSEWHERE = {
    "witness": "puntobanco-proof",
    "postgres": "puntobanco-floor",
    "fonts": "puntobanco-floor",
}
"""Extras of our other distributions; all others are extras of the library."""

_CHECKOUT = Path(__file__).parents[5]
"""Where this file lies in a checkout: `packages` is in it."""


def install(extra: str) -> str:
    """Say how to install an extra."""
    distribution = ELSEWHERE.get(extra, "puntobanco")
    return f"install the extra {extra}: pip install {_place(distribution, extra)}"


def add(distribution: str) -> str:
    """Say how to install another of our distributions, with those that it requires."""
    every = list(DISTRIBUTIONS)
    needed = every[: every.index(distribution) + 1]
    missing = [name for name in needed if find_spec(DISTRIBUTIONS[name]) is None]
    return f"install it: pip install {' '.join(map(_place, missing))}"


def _place(distribution: str, extra: str = "") -> str:
    """Name a file or a folder, because our names on an index belong to someone else."""
    wanted = f"[{extra}]" if extra else ""
    folder = f"packages/{distribution}"
    if (_CHECKOUT / folder / "pyproject.toml").exists():
        return f"--editable '{folder}{wanted}'"
    return f"'./{distribution.replace('-', '_')}-{__version__}-py3-none-any.whl{wanted}'"


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
    if top in DISTRIBUTIONS.values():
        return ExtraNeeded(f"{name} is missing from this installation; install its wheel again")
    needs = f"this needs the package {top}"
    if not isinstance(error, ModuleNotFoundError):
        needs += f" ({error})"
    for extra, packages in PACKAGES.items():
        if name in packages or top in packages:
            return ExtraNeeded(f"{needs}; {install(extra)}")
    return ExtraNeeded(f"{needs}: pip install {top}")
