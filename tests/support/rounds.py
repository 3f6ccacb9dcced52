"""Rounds at the dealer's table of a served floor, with wagers of a guest: settled, void, and corrected."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from puntobanco_floor.client import Terminal
from tests.support.served import Served, api, asked

TABLE = 6


def dealt(served: Served, tokens: dict[str, str], name: str, *cards: str) -> None:
    """A round as far as these cards go, with wagers of a guest on three spots."""
    ids = (f"{name}-{n}" for n in range(99))
    assert asked(served, tokens["dora"], next(ids), "open-bets")[1]["ok"]
    with ThreadPoolExecutor(1) as apart:  # the loop of a browser may run in this thread
        apart.submit(asyncio.run, wagered(served)).result()
    commands: list[dict[str, Any]] = [
        {"command": "close-bets"},
        *({"command": "enter-card", "card": x} for x in cards),
    ]
    for command in commands:
        assert asked(served, tokens["dora"], next(ids), **command)[1]["ok"], command


async def wagered(served: Served) -> None:
    async with Terminal(served.address, table=TABLE) as terminal:
        await terminal.seat()
        for bet, cents in (("banker", 2_000), ("tie", 1_000), ("player", 1_000)):
            assert (await terminal.place(bet, cents)).ok


def three_rounds(served: Served, tokens: dict[str, str]) -> tuple[int, int, int]:
    """The banker wins with a natural nine; void, by two supervisors; a card corrected, by two people."""
    dora, sam, sue = tokens["dora"], tokens["sam"], tokens["sue"]
    dealt(served, tokens, "one", "2h", "9s", "3d", "Tc")
    assert asked(served, dora, "one-end", "settle")[1]["ok"]
    dealt(served, tokens, "two", "2h")
    assert asked(served, dora, "two-stop", "declare-irregularity", ground="wrong-card-count")[1][
        "ok"
    ]
    proposal = asked(served, sam, "two-void", "void-round")[1]["proposal"]
    assert asked(served, sue, "two-yes", "approve", proposal=proposal)[1]["ok"]
    dealt(served, tokens, "three", "2h", "9s", "3d", "9c")
    proposal = asked(served, dora, "three-fix", "correct-card", slot="b2", card="Tc")[1]["proposal"]
    assert asked(served, sam, "three-yes", "approve", proposal=proposal)[1]["ok"]
    assert asked(served, dora, "three-end", "settle")[1]["ok"]
    last: int = api(served, "GET", f"/api/tables/{TABLE}")[1]["round"]
    return last - 2, last - 1, last
