"""The pit's watch: fair cards raise the alarm as rarely as stated, biased ones do."""

import itertools
import random
from collections import Counter

import pytest

import puntobanco_floor.domain.events as e
from puntobanco.odds.par import par_sheet
from puntobanco.rules.cards import parse_cards, points_of
from puntobanco.rules.games import FORTUNE_SIX, SIX_STAR
from puntobanco.rules.round import Round
from puntobanco.rules.shoe import Shoe
from puntobanco_floor.domain.entries import Entry, read_entry
from puntobanco_floor.domain.house.gaming_day import Calendar, Cut
from puntobanco_floor.service.pit.fairness import FALSE_ALARMS, Returns, evidence
from puntobanco_floor.service.pit.watch import (
    LARGE_WAGER_CENTS,
    LARGE_WIN_CENTS,
    LATE_ATTEMPTS,
    Watch,
    is_watched,
    may_be_watched,
)
from tests.table.notation import Table, play


def dealt(cards: list[int], left: Shoe) -> tuple[Round, Shoe]:
    round_ = Round.start(FORTUNE_SIX, left)
    while not round_.is_complete:
        round_ = round_.deal(cards.pop())
    counts = list(left.counts)
    for card in round_.cards:
        counts[FORTUNE_SIX.deck.cards.index(card)] -= 1
    return round_, Shoe(left.deck, tuple(counts))


def shoe_of(rng: random.Random, biased: float = 0.0) -> list[int]:
    """A shuffled shoe; a biased one has some of its nines exchanged for picture cards."""
    cards: list[int] = [card for card in FORTUNE_SIX.deck.cards for _ in range(8)]
    tens = [card for card in FORTUNE_SIX.deck.cards if points_of(card) == 0]
    cards = [
        rng.choice(tens) if points_of(card) in (8, 9) and rng.random() < biased else card
        for card in cards
    ]
    rng.shuffle(cards)
    return cards


def alarms(seed: int, rounds: int, biased: float = 0.0) -> int:
    """How many bets raise the alarm in a day of so many rounds."""
    rng, returns, raised = random.Random(seed), Returns(FORTUNE_SIX, 8), 0
    cards = shoe_of(rng, biased)
    for _ in range(rounds):
        if len(cards) < 20:
            cards = shoe_of(rng, biased)
        loose = Round.start(
            FORTUNE_SIX, Shoe(FORTUNE_SIX.deck, (26,) * 52)
        )  # a biased shoe holds what no fresh one has
        while not loose.is_complete:
            loose = loose.deal(cards.pop())
        raised += len(returns.saw(loose))
    return raised


def test_fair_cards_raise_the_alarm_no_more_often_than_stated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At a rate of 5 % a day, so that it can be counted: 120 days of fair cards, looked at after every round."""
    monkeypatch.setattr("puntobanco_floor.service.pit.fairness.FALSE_ALARMS", 0.05)
    days = 120
    raised = sum(alarms(seed, 250) > 0 for seed in range(days))
    assert raised <= days * 0.05 + 3 * (days * 0.05 * 0.95) ** 0.5
    assert FALSE_ALARMS == 0.001


def test_a_biased_shoe_raises_the_alarm_within_a_day() -> None:
    assert all(alarms(seed, 400, biased=0.5) > 0 for seed in range(5))
    assert not any(alarms(seed, 400) for seed in range(5))


def test_a_bet_that_wins_too_often_raises_the_alarm_by_itself() -> None:
    """A tie again and again, of cards that are even enough."""
    returns, raised = Returns(FORTUNE_SIX, 8), list[str]()
    ties = itertools.cycle(
        [
            "2s 2h 7d 7c",
            "3s 3h 6d 6c",
            "4s 4h 5d 5c",
            "9s 9h Td Tc",
            "Qs Qh 8d 8c",
            "Js Jh 9s 9h",
            "As Ah 8d 8c",
            "Ks Kh 9d 9c",
        ]
    )
    for _, cards in zip(range(24), ties, strict=False):
        raised += returns.saw(
            Round.start(FORTUNE_SIX, 8).deal_all(parse_cards(cards, FORTUNE_SIX.deck))
        )
    assert raised[0] == "tie"


def test_evidence_is_one_at_the_start_and_a_martingale_under_fair_cards() -> None:
    assert evidence(0, 0, 0.3) == pytest.approx(1)
    for hits, rounds, chance in ((0, 5, 0.1), (3, 9, 0.45), (40, 90, 0.45), (1, 1_000, 0.0005)):
        after = chance * evidence(hits + 1, rounds + 1, chance) + (1 - chance) * evidence(
            hits, rounds + 1, chance
        )
        assert after == pytest.approx(evidence(hits, rounds, chance))


class Pit:
    """A table played by script, and the watch that sees its entries as a floor would show them."""

    def __init__(self) -> None:
        self.table, self.watch, self.seen = Table(), Watch(), 0

    def plays(self, script: str) -> None:
        for line in script.strip().splitlines():
            play(line, self.table)
            self.look()

    def look(self) -> None:
        new = [
            read_entry(data, stream="table:1", seq=seq)
            for seq, data in self.table.rows[self.seen :]
        ]
        self.seen = len(self.table.rows)
        watched = [entry for entry in new if is_watched(entry)]
        for entry in watched:
            assert any(may_be_watched(type(event)) for event in entry.events)
        if watched:
            self.watch.saw(self.table.state, watched)
            self.watch.worked_out(self.table.state, watched)

    @property
    def kinds(self) -> Counter[str]:
        return Counter(alert.kind for alert in self.watch.alerts)


ROUND = """
open                                  -> BetsOpened
wager ann player 5000.00              -> WagerPlaced
wager ann tie 100.00                  -> WagerPlaced
close                                 -> BetsClosed
card 9s                               -> CardDealt
card 9h                               -> CardDealt
card Td                               -> CardDealt
card Th                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
"""


def opened() -> Pit:
    pit = Pit()
    pit.plays("""
open-table fortune-six patron=100000.00 buyin=0.00 -> TableOpened
shoe physical                         -> ShoeStarted
seat ann                              -> SessionSeated
buy ann 20000.00                      -> CreditsBought
""")
    return pit


def test_large_wagers_and_large_wins_are_alerts_once_each() -> None:
    pit = opened()
    pit.plays(ROUND)
    assert pit.kinds == {"large-wager": 1}
    assert LARGE_WAGER_CENTS == 500_000
    pit.plays(ROUND.replace("ann tie 100.00", "ann tie 1500.00"))
    assert pit.kinds == {"large-wager": 2, "large-win": 1}
    assert LARGE_WIN_CENTS == 1_000_000


def test_the_days_figures_are_the_ledgers() -> None:
    pit = opened()
    pit.plays(ROUND)
    figures = pit.watch.figures("table:1", pit.table.now)
    balances = pit.table.stream.balances
    assert (figures.drop_cents, figures.rounds, figures.voids) == (2_000_000, 1, 0)
    assert figures.win_cents == balances.get("bank", 0) + balances.get("bonus", 0)
    assert figures.staked_cents == 510_000
    pit.plays("""
reopen wrong-card-count by=sam        -> Proposed 1
approve 1 by=sue                      -> ProposalApproved, RoundReopened
void by=sam                           -> Proposed 2
approve 2 by=sue                      -> ProposalApproved, RoundVoided
""")
    figures = pit.watch.figures("table:1", pit.table.now)
    assert (figures.rounds, figures.voids, figures.voided_cents, figures.win_cents) == (
        0,
        1,
        510_000,
        0,
    )
    assert pit.watch.figures("table:1", pit.table.now + 86_400_000).drop_cents == 0, (
        "a new day begins at nothing"
    )


def test_the_pits_day_is_the_gaming_day_of_the_house() -> None:
    pit = opened()
    calendar = Calendar((Cut("Asia/Singapore", 360),))
    pit.watch = Watch(lambda: calendar)
    pit.seen = 0
    pit.look()
    today = calendar.span_at(pit.table.now)
    assert pit.watch.figures("table:1", today.end - 1).drop_cents == 2_000_000
    assert pit.watch.figures("table:1", today.end).drop_cents == 0


def test_several_late_wagers_in_a_round_are_one_alert() -> None:
    watch = Watch()
    for _ in range(LATE_ATTEMPTS + 2):
        watch.was_late("table:1", 7, "ann", at=1)
    watch.was_late("table:1", 8, "ann", at=1)
    assert [(alert.kind, alert.round) for alert in watch.alerts] == [("late", 7)]


def test_returns_are_held_against_the_exact_ones_of_the_decks_in_play() -> None:
    pit = opened()
    pit.plays(ROUND)
    found = {row.bet: row for row in pit.watch.returns("table:1")}
    assert set(found) == {bet.id for bet in FORTUNE_SIX.bets}
    assert (found["tie"].won, found["tie"].rounds) == (1, 1)
    assert found["tie"].actual == pytest.approx(9)
    assert found["tie"].exact == pytest.approx(float(1 + par_sheet(FORTUNE_SIX, 8).bet("tie").ev))
    assert not any(row.alarm for row in found.values())
    assert Returns(SIX_STAR, 6).chances != Returns(SIX_STAR, 8).chances


def test_wagers_that_are_not_large_are_not_worth_the_way() -> None:
    small = e.WagerPlaced(round=1, session="ann", bet="player", stake_cents=LARGE_WAGER_CENTS - 1)
    large = e.WagerPlaced(round=1, session="ann", bet="player", stake_cents=LARGE_WAGER_CENTS)
    assert [is_watched(_entry(event)) for event in (small, large)] == [False, True]


def _entry(event: e.AnyEvent) -> Entry:
    return Entry(
        stream="table:1",
        epoch=1,
        id="",
        salt="",
        seq=1,
        at=1,
        by="ann",
        command="place-wager",
        rules="",
        prev="0" * 64,
        events=(event,),
    )
