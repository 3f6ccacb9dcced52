"""How tests wait: for what is to come, with a bound that a crowded machine keeps too. No test counts on a quiet one."""

import asyncio
import time
from collections.abc import Callable

PATIENCE_S = 120.0
"""So long may take on a crowded machine what takes a moment on a quiet one. Nothing waits so long where all is well."""

PATIENCE_MS = PATIENCE_S * 1000  # as browsers count

LOOK_S = 0.02


def wait_until(holds: Callable[[], object], what: str = "it") -> None:
    """Until this holds; looked at again and again."""
    until = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < until, f"{what} did not come in {PATIENCE_S:g} s"
        time.sleep(LOOK_S)


async def until(holds: Callable[[], object], what: str = "it") -> None:
    """The same beside other tasks of this loop."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, f"{what} did not come in {PATIENCE_S:g} s"
        await asyncio.sleep(LOOK_S)
