"""Our modules by name."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from puntobanco.base.version import DISTRIBUTIONS

RUN_BY_OTHERS = ("__main__", "migrations.env")


def our_modules() -> Iterator[str]:
    """Yield every package and module of ours that can be imported."""
    for package in DISTRIBUTIONS.values():
        yield package
        for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            if not module.name.endswith(RUN_BY_OTHERS):
                yield module.name
