"""A floor after a recovery, as staff and patrons meet it: what is refused, and in which words."""

import asyncio
from pathlib import Path

import pytest

from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.refusals import AwaitsPayment, NotConfirmed
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.environment import World
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.recovery.epochs import begin_epoch
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.service.refusals import LoginRefused
from puntobanco_floor.service.tickets import Ticket
from puntobanco_floor.store.open_store import open_store
from tests.floor.started import started
from tests.storage.test_contract import Asker
from tests.storage.test_epochs import PEOPLE, floor_of


def test_nobody_logs_in_or_sits_down_before_people_have_confirmed(tmp_path: Path) -> None:
    url, keys = str(tmp_path / "floor.db"), tmp_path / "keys"
    with open_store(url, keys=keys, clock=False) as store:
        floor_of(store)
        house = Asker(store, FLOOR, "recovered")
        ring = KeyRing.load(keys)
        verifier = Passwords(ring, World().hasher).verifier("of the dealer")
        house.do(h.AddStaff(by="root", person="dora", role="dealer", verifier=verifier))
        begin_epoch(store, PEOPLE, "disk lost", nothing_lost=True)

        async def day() -> None:
            floor = Floor(store, ring, database=url)
            async with started(floor):
                with pytest.raises(
                    LoginRefused, match="another supervisor or administrator confirms"
                ):
                    await floor.logins.login("dora", "of the dealer")
                # who does not know the password is told nothing
                with pytest.raises(LoginRefused, match="wrong name, password or one-time code"):
                    await floor.logins.login("dora", "guessed")
                guest = Ticket("guest", "", floor.world.now_ms())
                with pytest.raises(NotConfirmed, match="confirm the exclusions"):
                    await floor.seats.take("table:1", guest)
                confirm = h.ConfirmExclusions(by="sue", second="root")
                answer = await floor.commands.ask_house(confirm)
                await floor.follower.caught_up(FLOOR, answer.seq)
                assert (await floor.seats.take("table:1", guest)).ok
                other = Asker(store, "table:2", "other")
                await asyncio.to_thread(other.open_table)
                await floor.follower.latest("table:2")
                with pytest.raises(AwaitsPayment, match="paid at the cage first"):
                    await floor.seats.take("table:2", Ticket("ann", ""))
                answer = await floor.commands.ask_house(h.ConfirmStaff(by="sue", person="dora"))
                await floor.follower.caught_up(FLOOR, answer.seq)
                _, person = await floor.logins.login("dora", "of the dealer")
                assert person.role == "dealer"

        asyncio.run(day())
