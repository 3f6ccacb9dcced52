"""`python -m tests.quick_server CLOCK ARGUMENTS...`: the command line with quick clocks and cheap passwords.

CLOCK is a demonstration's `Clock` as JSON.
"""

import sys

import msgspec
from argon2 import PasswordHasher

from puntobanco.cli import main
from puntobanco.events import Clock
from puntobanco.floor.world import World

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


def command(clock: Clock, *arguments: str) -> list[str]:
    """What starts a process of it."""
    as_json = msgspec.json.encode(clock).decode()
    return [sys.executable, "-m", "tests.quick_server", as_json, *arguments]


if __name__ == "__main__":
    clock = msgspec.json.decode(sys.argv[1], type=Clock)
    main(sys.argv[2:], world=World(hasher=CHEAP, demo_clock=clock))
