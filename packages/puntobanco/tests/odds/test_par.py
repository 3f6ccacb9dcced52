"""Par sheets: expected value, variance, bonus, combinations, removal, against settling every order of a few cards."""

import os
import random
from fractions import Fraction
from pathlib import Path

import pytest

from puntobanco import (
    GAMES,
    Bet,
    Dollars,
    Game,
    Odds,
    Pays,
    Shoe,
    Wager,
    Words,
    banker,
    player,
    settle,
    tie,
)
from puntobanco.game_files import find_game
from puntobanco.odds.card_counting import DEPTHS, removals, vulnerability
from puntobanco.odds.par import combine, par_sheet
from tests.support.claims import reads
from tests.support.deals import every_order

EXAMPLE = str(Path(__file__).parents[4] / "examples/lucky_rapid.py")
STAKE_CENTS = 1_000
SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
TOGETHER = slice(None) if SLOW else slice(0, 5, 2)
"""Of a game's bets, those that are wagered together: Player, Tie with its bonus and Banker Pair. All pairs of all bets
take half a minute.
"""


def nets(game: Game, cards: list[int]) -> list[list[Fraction]]:
    """What a wager of ten dollars on each bet comes to, in dollars with its bonus, in every order of these cards."""
    wagers = [Wager("ann", bet.id, STAKE_CENTS) for bet in game.bets]
    settled = (settle(game, round_, wagers) for round_ in every_order(game, cards))
    return [[Fraction(line.net_cents, 100) for line in lines] for lines in settled]


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


SHOES = [
    ("six-star", "9f 9f Tf Tf 4f 5f"),
    ("six-star", "Sf Lg Ff Sg Lf Fa"),
    ("six-star", "6f Tg 3f 3f Te 9w"),
    ("six-star", "2f Tf 4f Sf 6f 3f"),
    ("fortune-six", "2s 2h 3h 4c 9d 6s"),
    ("super-six-plus", "Ks Kh 6d 6c 3s As"),
    (EXAMPLE, "9h 8d Th Tc 4h 5h"),
]


@pytest.mark.parametrize(("game_id", "codes"), SHOES)
def test_expected_value_variance_and_covariance_are_those_of_settling_every_order(
    game_id: str, codes: str
) -> None:
    game = find_game(game_id)
    cards = [int(game.deck.parse(c)) for c in codes.split()]
    shoe = Shoe.holding(game.deck, {c: cards.count(c) for c in cards})  # type: ignore[misc]
    settled = nets(game, cards)
    columns = [list(column) for column in zip(*settled, strict=True)]
    sheet, stake = par_sheet(game, shoe), Fraction(STAKE_CENTS, 100)
    for odds, column in zip(sheet.bets, columns, strict=True):
        assert odds.ev_at(stake) * stake == mean(column)
        assert (
            odds.variance_at(stake) * stake**2 == mean([x * x for x in column]) - mean(column) ** 2
        )
    bets, columns = game.bets[TOGETHER], columns[TOGETHER]
    sums = [sum(row[TOGETHER], Fraction(0)) for row in settled]
    together = combine(game, shoe, {bet.id: stake for bet in bets})
    assert together.ev == mean(sums)
    assert together.variance == mean([total**2 for total in sums]) - together.ev**2
    for a, column_a in zip(bets, columns, strict=True):
        for b, column_b in zip(bets, columns, strict=True):
            product = mean([x * y for x, y in zip(column_a, column_b, strict=True)])
            assert together.covariance[a.id, b.id] == product - mean(column_a) * mean(column_b)


def test_a_bonus_beside_lines_that_pay_differently() -> None:
    """A designer's bet: a bonus that may come with either of two lines, or with a line that reads suits."""
    base = GAMES["six-star"]
    pays = (
        Pays(tie & player.pair, Odds(20, 1)),
        Pays(tie, Odds(6, 1)),
        Pays(banker.first.suit(4) & player.pair, Odds(2, 1)),
    )
    bonus = (Pays(player.first.suit(4), Dollars(7)), Pays(banker.points(0, ..., 4), Dollars(3)))
    game = base.with_bets(Bet("x", Words("X"), pays=pays, bonus=bonus), id="mine", title="Mine")
    for codes in ("9f 9g Tf Tg 4f 4g", "2f 2g 2f 2g Tf Tg", "Sf Sf 3g 3f 5f 6g"):
        cards = [int(game.deck.parse(c)) for c in codes.split()]
        shoe = Shoe.holding(game.deck, {c: cards.count(c) for c in cards})  # type: ignore[misc]
        column = [row[-1] for row in nets(game, cards)]
        odds, stake = par_sheet(game, shoe).bet("x"), Fraction(STAKE_CENTS, 100)
        assert odds.ev_at(stake) * stake == mean(column)
        assert (
            odds.variance_at(stake) * stake**2 == mean([v * v for v in column]) - mean(column) ** 2
        )


@reads(2)
def test_the_six_star_tie_depends_on_the_stake() -> None:
    tie = par_sheet(GAMES["six-star"], 8).bet("tie")
    assert f"{-float(tie.ev_at(Fraction(5))):.3f}" == "0.092"
    even = tie.break_even_stake
    assert even is not None
    assert tie.ev_at(even) == 0
    assert tie.ev_at(even * 2) < 0 < tie.ev_at(even / 2)
    assert tie.ev_at(Fraction(10**12)) - tie.ev < Fraction(1, 10**9)
    assert par_sheet(GAMES["fortune-six"], 8).bet("tie").break_even_stake is None


def test_element_bonus_at_four_decks_is_flagged_and_eight_decks_are_not() -> None:
    assert par_sheet(GAMES["six-star"], 4).bet("element-bonus").flags == (
        "returns less than 75 % to patrons",
    )
    assert all(not odds.flags for odds in par_sheet(GAMES["six-star"], 8).bets)


def test_an_award_that_is_too_rare_is_flagged() -> None:
    game = find_game(EXAMPLE)
    shoe = Shoe.holding(
        game.deck, {c: 1 if i else 1_000 for i, c in enumerate(game.deck.cards[:6])}
    )
    assert any(
        "1 in 100 million" in flag for odds in par_sheet(game, shoe).bets for flag in odds.flags
    )


@pytest.mark.parametrize("game_id", ["six-star", "fortune-six"])
def test_effects_of_removal_weighted_over_the_shoe_sum_to_zero(game_id: str) -> None:
    game = GAMES[game_id]
    rng = random.Random(8)
    for shoe in (
        game.shoe(8),
        game.shoe(4).without(rng.sample([c for c in game.deck.cards for _ in range(4)], 100)),
    ):
        for removal in removals(game, shoe):
            assert sum(effect * shoe.count(card) for card, effect in removal.effects.items()) == 0
            for weaker, stronger in zip(removal.counts, removal.counts[1:], strict=False):
                assert weaker.correlation <= stronger.correlation <= 1.0000001


def test_removing_a_six_hurts_fortune_six_most() -> None:
    removal = next(
        r
        for r in removals(GAMES["fortune-six"], GAMES["fortune-six"].shoe(8))
        if r.bet == "fortune-six"
    )
    worst, _ = removal.classes[-1]
    assert {card % 13 + 1 for card in worst} == {6}
    assert removal.counts[0].correlation > 0.9


def test_vulnerability_is_reproducible_exact_in_each_shoe_and_worse_deeper() -> None:
    game, calls = GAMES["fortune-six"], list[int]()
    first = vulnerability(game, 8, samples=60, seed=5, progress=calls.append)
    assert first == vulnerability(game, 8, samples=60, seed=5)
    assert first != vulnerability(game, 8, samples=60, seed=6)
    assert sum(calls) == 60 * len(DEPTHS) == 60 * 6
    six = [d for d in first if d.bet == "fortune-six"]
    assert [d.dealt for d in six] == list(DEPTHS)
    assert six[-1].best > six[0].best
    assert all(d.per_100 >= 0 and d.favourable_error <= 0.5 for d in first)
    pairs = vulnerability(game, 8, samples=40, seed=1)
    assert max(d.favourable for d in pairs if d.bet in ("player", "banker")) < 0.5


def test_a_bets_bonus_counts_at_its_stake() -> None:
    game = GAMES["six-star"]
    without = [d for d in vulnerability(game, 8, samples=10) if d.bet == "tie"]
    small = [d for d in vulnerability(game, 8, samples=10, stake=Fraction(1)) if d.bet == "tie"]
    assert max(d.best for d in without) < min(d.best for d in small)


def test_a_designers_bet_gets_its_par_sheet() -> None:
    sheet = par_sheet(find_game(EXAMPLE), 8)
    for bet in ("both-natural", "big-banker", "suited-player"):
        assert -1 < sheet.bet(bet).ev < 0
    assert sheet.bet("suited-player").hit == Fraction(8 * 13 - 1, 415)
