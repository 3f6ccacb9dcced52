"""How benchmarks measure: the fastest of five runs; and how large they are."""

import os
import time
from collections.abc import Callable

SCALE = float(os.environ.get("BENCH_SCALE", "1"))
"""Part of the usual size: a test runs each at a thousandth, where no figure means anything."""


def sized(usual: int, least: int = 1) -> int:
    """So many, at this scale."""
    return max(least, round(usual * SCALE))


def lasting(usual_s: float, least_s: float = 0.5) -> float:
    """So many seconds, at this scale."""
    return max(least_s, usual_s * SCALE)


BEST_OF = sized(5)


def best(work: Callable[[], object], repeats: int = 1) -> float:
    """Seconds a call, the fastest of five runs."""
    runs, repeats = [], sized(repeats)
    for _ in range(BEST_OF):
        start = time.perf_counter()
        for _ in range(repeats):
            work()
        runs.append((time.perf_counter() - start) / repeats)
    return min(runs)
