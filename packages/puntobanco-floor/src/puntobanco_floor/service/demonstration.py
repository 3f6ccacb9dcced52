"""The demonstration: a table of each game, staff whose passwords come from the key ring, play
credits that are worth nothing.
"""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections.abc import Sequence
from contextlib import suppress
from itertools import count

import puntobanco_floor.domain.events as e
from puntobanco.rules.definition import digest
from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.house.gaming_day import Cut
from puntobanco_floor.domain.stream_names import FLOOR, is_table, table_name
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.environment import NowMs
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.administration import Administration
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.table_games import Playable
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.store import Store
from puntobanco_proof.entry.format import Fault

DEMO_STAFF: dict[str, e.Role] = {
    "ada": "administrator",
    "dora": "dealer",
    "sam": "supervisor",
    "sue": "supervisor",
    "carl": "cashier",
    "otto": "auditor",
}


def _password(ring: KeyRing, name: str) -> str:
    # by the oldest key: it stays the same where keys are rotated
    mac = ring.macs("passwords", f"demonstration {name}")[-1]
    return base64.urlsafe_b64encode(bytes.fromhex(mac)[:9]).decode()


async def open_demo(
    floor: Floor,
    own: Sequence[Playable] = (),
    day: Cut = Cut(),  # noqa: B008 - a frozen value
) -> dict[str, str]:
    """A table of each game that the server deals, and one that a dealer runs; those that are open
    stay as they are.

    Then a table of each game of a designer's `own` that no open table plays, under the next number
    that is free.

    The staff's passwords are returned: made from the key ring, so that every start and every node
    prints the same.
    """
    store = floor.store
    follower = floor.follower
    clock = floor.world.demo_clock
    await follower.read(FLOOR)
    passwords = {name: _password(floor.ring, name) for name in DEMO_STAFF}
    admin = floor.commands.administration("demo")
    if not follower.house.is_open:
        first = next(iter(DEMO_STAFF))
        await admin.open_house("Demonstration", first, passwords[first], demo=True, day=day)
        await follower.read(FLOOR)
    follower.verify_set_up(demo=True)
    for name, role in DEMO_STAFF.items():
        if name not in follower.house.staff:
            await admin.add_with_password(name, role, passwords[name])
    there = set(await asyncio.to_thread(store.names))
    open_ = [name for name in there if is_table(name)]
    await asyncio.gather(*(_go_on(store, name, floor.world.now_ms) for name in open_))
    for number, game in enumerate(GAMES.values(), 1):
        if f"table:{number}" not in there:
            await _begin(admin, number, Playable(game), clock)
    by_dealer = len(GAMES) + 1
    if f"table:{by_dealer}" not in there:
        game = GAMES["fortune-six"]
        await admin.add_table(by_dealer, Playable(game), clock=e.Clock(), physical=True)
    await _open_own(store, admin, own, clock)
    return passwords


async def _begin(admin: Administration, number: int, game: Playable, clock: e.Clock) -> None:
    """Open a table and its bets at once; with mixing witnesses, the clock opens the bets."""
    await admin.add_table(number, game, clock=clock)
    for command in (c.NewShoe(by=admin.by), c.OpenBets(by=admin.by)):
        await admin.ask(table_name(number), command)


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
            await _begin(admin, number, one, clock)
            played.add(digest(one.game))


async def _state(store: Store, name: str) -> TableState | None:
    """None for a table whose journal cannot be read: the floor says so when it starts."""
    with suppress(Fault):
        return (await asyncio.to_thread(store.table, name)).state
    return None


async def _go_on(store: Store, name: str, now_ms: NowMs) -> None:
    """Deal out a round that a stop interrupted, faster than the clock does, and open the next."""
    for _ in range(20):
        state = await _state(store, name)
        command = _next_step(state, now_ms()) if state else None
        if command is None:
            return
        request = Request(stream=name, id=secrets.token_hex(8), command=command)
        answer = await store.asked(request)
        if not answer.ok:
            if isinstance(command, c.OpenBets):
                return  # the shoe must be changed first, or the table is stopped
            await asyncio.sleep(0.25)


def _next_step(state: TableState, now: int) -> Command | None:
    """None where the table waits for people, or for patrons who still bet."""
    by = "demo"
    round_ = state.round
    if not state.clock.automatic or state.phase in ("down", "stopped"):
        return None
    if state.phase == "betting":
        is_open = round_ and (round_.dealer_closes or (round_.closes_at and round_.closes_at > now))
        return None if is_open else c.CloseBets(by=by)
    if state.phase in ("closed", "dealing") and round_:
        if round_.play.is_complete:
            return c.Settle(by=by)
        return c.DealCard(by=by)
    return c.OpenBets(by=by)
