"""Extras: packages that one purpose alone needs, and what is said where they are not installed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from puntobanco.rules.refusals import Refusal


class ExtraNeeded(Refusal):
    """What cannot be done without packages that are not installed."""

    remedy = "Install the extra that is named: `pip install 'puntobanco[fast]'`."


@cache
def has_numba() -> bool:
    """Whether loops can be compiled. It is looked for and not imported, which takes long."""
    return find_spec("numba") is not None


def verify_numba(what: str) -> None:
    if not has_numba():
        raise ExtraNeeded(f"{what} is compiled by Numba: pip install 'puntobanco[fast]'")


def package(name: str, install: str) -> ModuleType:
    """A package that is loaded when it is used, or a refusal that names what to install."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        what = f"this needs the package {name.partition('.')[0]}"
        raise ExtraNeeded(f"{what}: pip install '{install}'") from None
