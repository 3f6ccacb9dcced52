"""Fixtures and settings for all tests."""

import gc
import os
import threading
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from puntobanco import GAMES, Game

NIGHTLY = os.environ.get("PUNTOBANCO_SLOW") == "1"

settings.register_profile(
    "fixed",  # the same cases each time: a red run is red again
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=40,
    derandomize=True,
)
settings.register_profile(
    "explore", settings.get_profile("fixed"), max_examples=200, derandomize=False
)
settings.load_profile("explore" if NIGHTLY else "fixed")


WORKERS_A_CORE = 2
"""Tests wait for a server, a browser or a clock; with three a core they wait for each other."""


@pytest.hookimpl(optionalhook=True)  # without the plug-in nobody asks
def pytest_xdist_auto_num_workers() -> int:
    """What `--numprocesses auto` means."""
    return WORKERS_A_CORE * (os.cpu_count() or 1)


def pytest_collection_finish() -> None:
    """Tell the garbage collector that the tests stay to the end, so that it never walks them."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Make plans and kernels by this code; all workers of one run share them."""
    shared = (
        tmp_path_factory.getbasetemp().parent / "cache"
        if "PYTEST_XDIST_WORKER" in os.environ
        else None
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PUNTOBANCO_CACHE", str(shared or tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def _nothing_left_running() -> Iterator[None]:
    """The log keeper of a floor that a test forgot to stop writes into the next test's folder."""
    before = _keepers()
    yield
    assert _keepers() <= before, "a floor was started and not stopped"


def _keepers() -> set[threading.Thread]:
    return {each for each in threading.enumerate() if each.name == "puntobanco-log"}


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    """Each of the five games in turn."""
    return GAMES[request.param]
