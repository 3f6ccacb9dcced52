"""The world: what a floor takes from outside its journal. It is passed in once, where a floor is
composed, so that a test can give another clock, cheap passwords and quick rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from argon2 import PasswordHasher

from puntobanco_floor.domain.events import Clock

NowMs = Callable[[], int]
"""The wall clock, in milliseconds."""

DEALT_CLOCK = Clock(
    betting_ms=15_000,
    guard_ms=1_000,
    card_ms=900,
    pause_ms=4_000,
    automatic=True,
    new_shoes=True,
)
"""The clock of a table that the server deals."""


def wall_ms() -> int:
    return int(time.time() * 1000)


@dataclass(frozen=True)
class World:
    """The time, what a password costs to verify, and how quick a demonstration's tables are."""

    now_ms: NowMs = wall_ms
    hasher: PasswordHasher = field(default_factory=partial(PasswordHasher, parallelism=1))
    demo_clock: Clock = DEALT_CLOCK
