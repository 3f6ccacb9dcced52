"""How benchmarks measure: the fastest of five runs."""

import time
from collections.abc import Callable

BEST_OF = 5


def best(work: Callable[[], object], repeats: int = 1) -> float:
    """Seconds a call, the fastest of five runs."""
    runs = []
    for _ in range(BEST_OF):
        start = time.perf_counter()
        for _ in range(repeats):
            work()
        runs.append((time.perf_counter() - start) / repeats)
    return min(runs)
