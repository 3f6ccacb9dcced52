"""Many worlds, one after another or some at a time."""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
from collections.abc import Iterator

from tests.soak.world import WORLD_HOURS, Tally, World


def plan(hours: float, seed: int, worlds: int | None) -> Iterator[tuple[int, float]]:
    """Seeds and lengths: a world is ten table-hours, the last one what is left."""
    while hours > 1e-9 and worlds != 0:
        length = min(WORLD_HOURS, hours)
        yield seed, length
        hours, seed = hours - length, seed + 1
        worlds = None if worlds is None else worlds - 1


def play(wanted: tuple[int, float]) -> tuple[int, Tally]:
    """One world; garbage is collected between worlds, not in them."""
    seed, hours = wanted
    gc.collect()
    gc.disable()
    try:
        return seed, World(seed, table_hours=hours).run()
    finally:
        gc.enable()


def _at_work() -> None:
    """Ctrl-C is the first process's business; when it ends the others, they still put their files away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def tallies(wanted: Iterator[tuple[int, float]], jobs: int) -> Iterator[tuple[int, Tally]]:
    if jobs == 1:
        yield from map(play, wanted)
        return
    with multiprocessing.get_context("spawn").Pool(jobs, _at_work) as pool:
        yield from pool.imap_unordered(play, wanted)
