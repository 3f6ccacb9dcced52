"""The malfunction policy of the served rules page, held to what a server that dies by kill -9 in mid-deal really does."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.audit.round_replay import story
from puntobanco_floor.client import Terminal
from puntobanco_floor.domain import events as e
from puntobanco_floor.store.reader import reading
from tests.support.claims import reads
from tests.support.patience import PATIENCE_S, wait_until
from tests.support.rounds import TABLE as DEALERS
from tests.support.rounds import dealt
from tests.support.served import Served, api, asked, new_bets, staff_tokens

VIRTUAL = 5


def policy(served: Served, table: int) -> str:
    """As the page says it to a patron."""
    _, page = api(served, "GET", f"/api/tables/{table}/rules")
    [said] = [
        row["cells"][0]["en"]
        for section in page["sections"]
        for row in section["rows"]
        if section["title"]["en"] == "Faults and disputes" and row["clause"] == "reading 31"
    ]
    return str(said)


def events(served: Served, table: int, round_: int) -> list[e.Event]:
    with reading(str(served.database)) as reader:
        return [event for _, event in story(reader, f"table:{table}", round_).events]


def seen(served: Served, table: int) -> Any:
    return api(served, "GET", f"/api/tables/{table}")[1]


async def wagered(served: Served) -> int:
    """The round that it is in."""
    async with Terminal(served.address, table=VIRTUAL) as terminal:
        await terminal.seat()
        await new_bets(terminal)
        assert (await terminal.place("banker", 1_000)).ok
        assert terminal.table is not None
        return terminal.table.round


def killed_while_dealing(served: Served) -> int:
    """With a wager in it and its first cards on the table. Where the last was quicker, in another round."""
    while True:
        round_ = asyncio.run(asyncio.wait_for(wagered(served), PATIENCE_S))
        wait_until(partial(has, served, round_, e.CardDealt))
        served.kill()
        if not has(served, round_, e.RoundSettled):
            return round_
        served.start()


def has(served: Served, round_: int, kind: type[e.Event]) -> bool:
    return any(isinstance(event, kind) for event in events(served, VIRTUAL, round_))


@pytest.mark.waits
@reads(31, 46)
def test_killed_in_mid_deal_a_round_is_finished_and_its_wagers_are_settled(tmp_path: Path) -> None:
    served = Served(tmp_path)
    try:
        said = policy(served, VIRTUAL)
        assert "is finished by rule, with the cards as committed" in said
        assert "its wagers are settled" in said
        round_ = killed_while_dealing(served)
        before = events(served, VIRTUAL, round_)
        dealt_before = [event.card for event in before if isinstance(event, e.CardDealt)]
        served.start()
        wait_until(
            lambda: has(served, round_, e.RoundSettled) or has(served, round_, e.RoundVoided)
        )
    finally:
        served.stop()
    after = events(served, VIRTUAL, round_)
    [settled] = [event for event in after if isinstance(event, e.RoundSettled)]
    assert settled.cards.split()[: len(dealt_before)] == dealt_before
    assert [(line.bet, line.stake_cents) for line in settled.lines] == [("banker", 1_000)]
    assert settled.lines[0].outcome != "void"
    assert not any(isinstance(event, e.RoundVoided) for event in after)
    assert audit(served.database).fault is None


@pytest.mark.waits
@reads(31, 46)
def test_at_a_dealers_table_the_cards_as_they_lie_are_played_on_or_two_people_void(
    tmp_path: Path,
) -> None:
    served = Served(tmp_path)
    try:
        said = policy(served, DEALERS)
        tokens = staff_tokens(served, "dora", "sam", "sue")
        dealt(served, tokens, "one", "2h", "9s")
        first = seen(served, DEALERS)["round"]
        served.kill()
        served.start()
        assert "or as they lie" in said
        assert seen(served, DEALERS)["cards"] == {"p1": "2h", "b1": "9s"}
        tokens = staff_tokens(served, "dora", "sam", "sue")  # a login ends with its server
        rest: list[dict[str, Any]] = [
            {"command": "enter-card", "card": "3d"},
            {"command": "enter-card", "card": "Tc"},
            {"command": "settle"},
        ]
        for n, command in enumerate(rest):
            assert asked(served, tokens["dora"], f"on-{n}", **command)[1]["ok"]
        assert "two people decide whether the round goes on or is void" in said
        dealt(served, tokens, "two", "2h")
        assert asked(served, tokens["dora"], "stop", "declare-irregularity", ground="malfunction")[
            1
        ]["ok"]
        proposal = asked(served, tokens["sam"], "void", "void-round")[1]["proposal"]
        alone = asked(served, tokens["sam"], "alone", "approve", proposal=proposal)[1]
        assert alone["code"] == "second-person-needed"
        assert asked(served, tokens["sue"], "both", "approve", proposal=proposal)[1]["ok"]
    finally:
        served.stop()
    [settled] = [x for x in events(served, DEALERS, first) if isinstance(x, e.RoundSettled)]
    assert settled.cards == "2h 9s 3d Tc"
    second = events(served, DEALERS, first + 1)
    [void] = [event for event in second if isinstance(event, e.RoundVoided)]
    assert "all wagers on it are returned" in said
    assert {line.outcome for line in void.lines} == {"void"}
    assert all(line.returned_cents == line.stake_cents for line in void.lines)
    assert "Rounds that were settled stand" in said
    assert not any(isinstance(x, e.RoundReopened) for x in events(served, DEALERS, first))
    assert audit(served.database).fault is None
