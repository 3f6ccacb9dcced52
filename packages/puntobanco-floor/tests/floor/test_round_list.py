"""Past rounds as a list: newest first, one's own or all, and never more looked through than a page may."""

from secrets import token_hex

import pytest

from puntobanco_floor.audit import round_replay
from puntobanco_floor.audit.round_replay import RoundPage, round_page
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.sqlite import SqliteStore

TABLE, ROUNDS = "table:1", 7
ANNS = (1, 2, 5)
"""The rounds in which she had a wager."""


def asked(store: SqliteStore, *commands: Command) -> None:
    for command in commands:
        answer = store.ask(Request(stream=TABLE, id=token_hex(8), command=command))
        assert answer.ok, answer.reason


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, int]:
    """A database with seven rounds; and the number after its last entry."""
    path = tmp_path_factory.mktemp("floor") / "floor.db"
    with SqliteStore(path, clock=False) as store:
        asked(store, c.OpenTable(by="boss", game="rapid"), c.NewShoe(by="boss"))
        for who in ("ann", "ben"):
            asked(store, c.SeatSession(by=who, session=who))
            asked(store, c.BuyIn(by="carl", session=who, cents=100_000))
        for round_ in range(1, ROUNDS + 1):
            asked(store, c.OpenBets(by="boss"))
            who = "ann" if round_ in ANNS else "ben"
            for bet in ("player", "banker"):
                wager = c.PlaceWager(by=who, round=round_, session=who, bet=bet, stake_cents=1_000)
                asked(store, wager)
            asked(store, c.CloseBets(by="boss"))
            while store.table(TABLE).state.phase != "settled":
                deal = Request(stream=TABLE, id=token_hex(8), command=c.DealCard(by="boss"))
                if not store.ask(deal).ok:
                    asked(store, c.Settle(by="boss"))
        end = store.table(TABLE).state.seq + 1
    return str(path), end


def page(
    floor: tuple[str, int], *, mine: bool, before: int | None = None, **more: int
) -> RoundPage:
    return round_page(floor[0], TABLE, "ann", before=before or floor[1], mine=mine, **more)


def test_all_rounds_come_newest_first_with_the_money_of_who_asks(floor: tuple[str, int]) -> None:
    found = page(floor, mine=False)
    assert [row.round for row in found.rounds] == list(range(ROUNDS, 0, -1))
    assert found.before is None, "there is nothing before the first"
    for row in found.rounds:
        assert row.staked_cents == (2_000 if row.round in ANNS else 0)
        assert row.result[0] in "BPT"
        # a stake on each hand: one of them wins, or both come back
        assert row.back_cents in ((1_500, 2_000) if row.round in ANNS else (0,))


def test_ones_own_rounds_are_those_with_a_wager(floor: tuple[str, int]) -> None:
    assert [row.round for row in page(floor, mine=True).rounds] == sorted(ANNS, reverse=True)


def test_pages_follow_each_other_without_a_gap_or_a_round_twice(
    floor: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(round_replay, "ROUNDS_MOST", 3)
    seen, before = list[int](), None
    sizes = list[int]()
    while True:
        found = page(floor, mine=False, before=before)
        seen += [row.round for row in found.rounds]
        sizes.append(len(found.rounds))
        before = found.before
        if before is None:
            break
    assert seen == list(range(ROUNDS, 0, -1))
    assert sizes[:2] == [3, 3]


def test_a_page_looks_through_a_bounded_number_of_entries_and_goes_on_from_there(
    floor: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(round_replay, "ENTRIES_MOST", 2)
    found = page(floor, mine=True)
    assert (found.rounds, found.before) == ([], floor[1] - 2), "none of hers in the last two"
    seen, before = list[int](), found.before
    while before is not None:
        found = page(floor, mine=True, before=before)
        assert before - (found.before or 1) <= 2
        seen += [row.round for row in found.rounds]
        before = found.before
    assert seen == sorted(ANNS, reverse=True)


def test_it_ends_where_the_session_began(floor: tuple[str, int]) -> None:
    late = page(floor, mine=True).rounds[0].at + 10**9
    found = page(floor, mine=True, since=late)
    assert (found.rounds, found.before) == ([], None)
