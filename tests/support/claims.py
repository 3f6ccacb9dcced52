"""Which clauses and readings a test proves: decorators that put the claim on the test."""

from collections.abc import Callable
from typing import TypeVar

import pytest

F = TypeVar("F", bound=Callable[..., object])

MBS = ("six_star", "fortune_six", "sands_elements", "rapid")
NUMBERED_TABLE = (
    "six_star",
    "fortune_six",
    "rapid",
)  # sands-elements prints its table of play without numbers
DEALER_TABLES = ("six_star", "fortune_six", "sands_elements")
GROUPS = {"mbs": MBS, "numbered_table": NUMBERED_TABLE, "dealer_tables": DEALER_TABLES}


def proves(**clauses: str) -> Callable[[F], F]:
    """`proves(mbs="3.10 3.10.1", super_six_plus="3.9")`: clauses apart by spaces, by game or group of games."""
    claimed = [
        f"{game.replace('_', '-')} {clause}"
        for key, text in clauses.items()
        for game in GROUPS.get(key, (key,))
        for clause in text.split()
    ]
    return pytest.mark.clause(*claimed)


def reads(*numbers: int) -> Callable[[F], F]:
    return pytest.mark.reading(*numbers)
