"""The command line with quick clocks of a demonstration, and cheap passwords."""

from argon2 import PasswordHasher

from puntobanco.cli import main
from puntobanco_floor.domain.events import Clock
from puntobanco_floor.environment import World

CHEAP = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)


def quick_clock(betting_ms: int, pause_ms: int) -> Clock:
    return Clock(
        betting_ms=betting_ms,
        guard_ms=50,
        card_ms=50,
        pause_ms=pause_ms,
        automatic=True,
        new_shoes=True,
    )


def run(clock: Clock, *arguments: str) -> None:
    main(list(arguments), world=World(hasher=CHEAP, demo_clock=clock))
