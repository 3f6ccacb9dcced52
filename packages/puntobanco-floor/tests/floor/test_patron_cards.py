"""The table of patrons' cards, tampered with: what the command line, a node that starts, the self-test and the audit say."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.refusals import PatronCardRefused
from puntobanco_floor.store.open_store import open_store
from tests.fixtures.versions import OLDEST, unpack
from tests.floor.started import started
from tests.floor.test_recovery_commands import by, drill
from tests.test_cli import Runner, run

__all__ = ["drill", "run"]


def changed(path: str, sql: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)


def said_of_patrons(drill: Runner) -> str:
    checks = drill("selftest", "--database", "floor.db", "--json").json["checks"]
    [found] = [check for check in checks if check["name"] == "patrons"]
    return f"{found['outcome']}: {found['said']}"


def test_an_excluded_patrons_row_that_is_gone_is_missed_and_mended(drill: Runner) -> None:
    bob = drill("patron", "exclude", "bob", "--reason", "asked for it").out.split()[0]
    assert said_of_patrons(drill).startswith("passed")
    assert drill("backup", "--database", "floor.db", "--to", "later").status == 0
    changed("floor.db", "DELETE FROM patrons")
    assert "warned: no card leads any more to 1" in said_of_patrons(drill)
    audited = drill("audit", "--database", "floor.db")
    assert audited.status == 1
    assert f"leads to {bob}" in audited.out + audited.err
    assert "knows no patron" in drill.refused("patron", "find", "bob")
    assert f"no card leads to {bob}" in drill.refused("patron", "mend", "--from", "backup/floor.db")
    assert "1 are put back" in drill("patron", "mend", "--from", "later/floor.db").out
    assert drill("patron", "find", "bob").out.strip() == bob
    assert said_of_patrons(drill).startswith("passed")
    assert drill("audit", "--database", "floor.db").status == 0


def test_two_people_give_up_a_patron_to_whom_no_card_leads(drill: Runner) -> None:
    bob = drill("patron", "exclude", "bob", "--reason", "asked for it").out.split()[0]
    give_up = ("patron", "give-up", bob, "--reason", "no backup has it")
    assert "nothing is given up" in drill.refused(*give_up, *by("sue", "root"))
    changed("floor.db", "UPDATE patrons SET card = 'ff'")
    assert "1 rows were not written" in drill("patron", "mend").out
    assert "both people" in drill.refused(*give_up, *by("sue", "sue"))
    again = drill("patron", "exclude", "bob", "--reason", "asked for it").out.split()[0]
    assert again != bob
    assert f"{bob} is given up" in drill(*give_up, *by("sue", "root")).out
    assert "0 are put back" in drill("patron", "mend", "--from", "backup/floor.db").out
    assert said_of_patrons(drill).startswith("passed")
    assert again in drill("patron", "list").out
    assert drill("audit", "--database", "floor.db").status == 0


def test_a_floor_from_before_binds_its_cards_at_the_first_start_and_never_again(
    tmp_path: Path,
) -> None:
    path = unpack(tmp_path, OLDEST)
    changed(str(path), "INSERT INTO patrons (card, patron, made_at) VALUES ('aa', 'p-22222222', 1)")

    async def served(card: str) -> bool:
        with open_store(str(path), clock=False) as store:
            floor = Floor(store, KeyRing.load(store.ring_path), database=str(path))
            async with started(floor):
                assert floor.follower.house.cards_bound
                row = floor.patrons.rows.row_of(card)
                assert row is not None
                return row.is_believed(floor.ring, is_bound=True)

    assert asyncio.run(served("aa")), "given one, and the journal says so"
    changed(str(path), "INSERT INTO patrons (card, patron, made_at) VALUES ('bb', 'p-33333333', 1)")
    assert not asyncio.run(served("bb"))
    assert asyncio.run(served("aa"))


def test_the_pit_is_told(drill: Runner) -> None:
    drill("patron", "exclude", "bob", "--reason", "asked for it")
    changed("floor.db", "DELETE FROM patrons")

    async def served() -> None:
        with open_store("floor.db", clock=False) as store:
            floor = Floor(store, KeyRing.load(store.ring_path), database="floor.db")
            async with started(floor):
                assert (await floor.screens.pit("supervisor")).unreachable == 1
                with pytest.raises(PatronCardRefused):
                    await floor.seats.token_at("T1", "bob")

    asyncio.run(served())
