"""The demonstration: a table of each game, staff with new passwords, play credits that are worth
nothing.
"""

from __future__ import annotations

import asyncio
import base64
import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import count

import puntobanco.events as e
from puntobanco.floor.admin import Administration
from puntobanco.floor.playable import Playable
from puntobanco.floor.service import Floor
from puntobanco.journal import Fault
from puntobanco.keys import KeyRing
from puntobanco.names import FLOOR, is_table
from puntobanco.rules.definition import digest
from puntobanco.rules.games import GAMES
from puntobanco.storage.batch import Request
from puntobanco.storage.store import Store
from puntobanco.table import commands as c
from puntobanco.table.state import TableState

BETTING_MS, GUARD_MS, CARD_MS, PAUSE_MS = 15_000, 1_000, 900, 4_000
DEMO_STAFF: dict[str, e.Role] = {
    "ada": "administrator",
    "dora": "dealer",
    "sam": "supervisor",
    "sue": "supervisor",
    "carl": "cashier",
    "otto": "auditor",
}


def _password(ring: KeyRing, name: str) -> str:
    return base64.urlsafe_b64encode(ring.derived(f"demonstration {name}")[:9]).decode()


async def open_demo(store: Store, ring: KeyRing, own: Sequence[Playable] = ()) -> dict[str, str]:
    """A table of each game that the server deals, and one that a dealer runs; those that are open
    stay as they are.

    Then a table of each game of a designer's `own` that no open table plays, under the next number
    that is free.

    The staff's passwords are returned: made from the key ring, so that every start and every node
    prints the same.
    """
    floor = Floor(store, ring, demo=True)
    await floor.read(FLOOR)
    passwords = {name: _password(ring, name) for name in DEMO_STAFF}
    admin = floor.administration("demo")
    if not floor.house.is_open:
        first = next(iter(DEMO_STAFF))
        await admin.open_house("Demonstration", first, passwords[first], demo=True)
        await floor.read(FLOOR)
    floor.verify_set_up()
    for name, role in DEMO_STAFF.items():
        if name not in floor.house.staff:
            await admin.add_staff(name, role, passwords[name])
    there = set(await asyncio.to_thread(store.names))
    await asyncio.gather(*(_go_on(floor, name) for name in there if is_table(name)))
    clock = e.Clock(
        betting_ms=BETTING_MS,
        guard_ms=GUARD_MS,
        card_ms=CARD_MS,
        pause_ms=PAUSE_MS,
        automatic=True,
        new_shoes=True,
    )
    for number, game in enumerate(GAMES.values(), 1):
        if f"table:{number}" not in there:
            await admin.add_table(number, Playable(game), clock=clock)
    if f"table:{len(GAMES) + 1}" not in there:
        await admin.add_table(
            len(GAMES) + 1, Playable(GAMES["fortune-six"]), clock=e.Clock(), physical=True
        )
    await _open_own(store, admin, own, clock)
    return passwords


async def _open_own(
    store: Store, admin: Administration, own: Sequence[Playable], clock: e.Clock
) -> None:
    names = [name for name in await asyncio.to_thread(store.names) if is_table(name)]
    played = {
        state.digest
        for name in names
        if (state := await _state(store, name)) and state.phase != "down"
    }
    numbers = count(len(GAMES) + 2)
    for one in own:
        if digest(one.game) not in played:
            number = next(number for number in numbers if f"table:{number}" not in names)
            await admin.add_table(number, one, clock=clock)
            played.add(digest(one.game))


async def _state(store: Store, name: str) -> TableState | None:
    """None for a table whose journal cannot be read: the floor says so when it starts."""
    with suppress(Fault):
        return (await asyncio.to_thread(store.table, name)).state
    return None


async def _go_on(floor: Floor, name: str) -> None:
    """A round whose bets were closed when the server stopped is dealt out at once, and the next one
    opens.

    Nobody waits in front of a demonstration for a round that was under way. The store's own clock
    does the same more slowly: whoever comes second is refused.
    """
    by = "demo"
    for _ in range(20):
        state = await _state(floor.store, name)
        if state is None:
            return
        round_ = state.round
        if not state.clock.automatic or state.phase in ("down", "stopped"):
            return
        if state.phase == "betting":
            if round_ and (
                round_.dealer_closes or (round_.closes_at and round_.closes_at > time.time() * 1000)
            ):
                return
            command: c.AnyCommand = c.CloseBets(by=by)
        elif state.phase in ("closed", "dealing") and round_:
            command = c.Settle(by=by) if round_.play.is_complete else c.DealCard(by=by)
        else:
            command = c.OpenBets(by=by)
        answer = await floor.store.asked(
            Request(stream=name, id=secrets.token_hex(8), command=command)
        )
        if not answer.ok:
            if isinstance(
                command, c.OpenBets
            ):  # the shoe must be changed first, or the table is stopped
                return
            await asyncio.sleep(0.25)
