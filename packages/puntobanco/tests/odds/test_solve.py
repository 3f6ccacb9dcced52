"""Exact odds against a second solver, published figures, plain enumeration, and laws."""

import os
import random
from fractions import Fraction
from math import perm
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from puntobanco import (
    FIVE_ELEMENTS,
    GAMES,
    STANDARD,
    Game,
    Predicate,
    Refusal,
    Shoe,
    banker,
    one_suit,
    player,
    same,
    tie,
)
from puntobanco.odds.par import ParSheet, par_sheet
from puntobanco.odds.plan import plan_for
from puntobanco.odds.solve import probabilities, probability, weights
from puntobanco.rules.predicates import decider
from tests.rules.test_predicates import BUILT_IN, MEASURES, tree_strategy
from tests.support import brute
from tests.support.claims import reads
from tests.support.deals import every_order

# Trees of few leaves: one that tells all 52 cards apart in all six slots takes a plan of millions of rows.
leaves_ = st.one_of(
    st.sampled_from(BUILT_IN[:9]),
    st.builds(lambda m, n: m(n), st.sampled_from(MEASURES), st.integers(-3, 13)),
    st.builds(lambda m, n: m(n, ...), st.sampled_from(MEASURES), st.integers(-3, 13)),
)
trees = tree_strategy(leaves_, 3)

SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
LAWS = 100 if SLOW else 10
"""Pairs of trees: the plans of one pair take a third of a second."""

EVERY_SHEET = [(game.id, decks) for game in GAMES.values() for decks in game.decks]


def second(game: Game, shoe: Shoe) -> dict[str, dict[str, Fraction] | Fraction]:
    """The second solver's answers, by bet, in the order of the bet's lines."""
    counts = np.array(shoe.counts, np.int64).reshape(len(game.deck.suits), 13)
    n = {
        k: Fraction(v, perm(len(shoe), 6))
        for k, v in brute.solve(counts, elements=game.id == "six-star").items()
    }
    six = n["six_two"] + n["six_three"]
    hot_p, hot_b = n.get("player_flaming", Fraction(0)), n.get("banker_flaming", Fraction(0))
    star = game.id == "six-star"
    answers: dict[str, list[Fraction]] = {
        "player": [hot_p, n["player"] - hot_p] if star else [n["player"]],
        "banker": [six, hot_b, n["banker"] - six - hot_b] if star else [six, n["banker"] - six],
        "tie": [n["tie"]],
        "player-pair": [n["player_pair"]],
        "banker-pair": [n["banker_pair"]],
        "fortune-six": [n["six_two"], n["six_three"]],
        "super-six-plus": [n["six_two"], n["six_three"]],
    }
    if star:
        answers["element-bonus"] = [n["element_4"], n["element_5"], n["element_6"]]
        answers["bonus"] = [n["both_flaming"], n["six_stars"]]
    answers["round"] = [n[k] for k in ("player", "banker", "tie", "cards_4", "cards_5", "cards_6")]
    return answers  # type: ignore[return-value]


def agrees(sheet: ParSheet) -> None:
    expected = second(sheet.game, sheet.shoe)
    assert [sheet.player, sheet.banker, sheet.tie, *sheet.cards] == expected["round"]
    for odds in sheet.bets:
        assert [line.probability for line in odds.lines] == expected[odds.bet.id], odds.bet.id
        assert odds.push == (sheet.tie if odds.bet.push else 0)
        if odds.bonus:
            assert [b.probability for b in odds.bonus] == expected["bonus"]


@pytest.mark.long
@pytest.mark.parametrize(("game_id", "decks"), EVERY_SHEET)
@reads(10)
def test_both_solvers_agree_on_every_line_of_every_game_and_number_of_decks(
    game_id: str, decks: int
) -> None:
    sheet = par_sheet(GAMES[game_id], decks)
    agrees(sheet)
    assert sheet.player + sheet.banker + sheet.tie == 1
    assert sum(sheet.cards) == 1
    assert all(odds.hit + odds.push + odds.lose == 1 for odds in sheet.bets)


def depleted(game: Game, cards: int, rng: random.Random) -> Shoe:
    """So many cards at random out of eight decks."""
    drawn = rng.sample([card for card in game.deck.cards for _ in range(8)], cards)
    return Shoe.holding(game.deck, {card: drawn.count(card) for card in drawn})


@pytest.mark.long
@pytest.mark.parametrize(
    "cards", [6, 7, 8, 9, 10, 12, 15, 20, 30, 40, 52, 60, 80, 100, 130, 180, 230, 300, 350, 400]
)
@pytest.mark.parametrize("game_id", ["fortune-six", "six-star"])
def test_both_solvers_agree_on_depleted_shoes_down_to_six_cards(game_id: str, cards: int) -> None:
    game = GAMES[game_id]
    agrees(par_sheet(game, depleted(game, cards, random.Random(cards))))


def test_published_counts_for_eight_decks() -> None:
    """Ordered deals of six from 8 x 52: the total as in "Baccarat: an analysis on calculations" (excelpunks, 2019); the
    three counts as several public programs print them for eight decks."""
    counts, orders = weights((banker.wins, player.wins, tie), Shoe.fresh(STANDARD, 8))
    assert orders == 4_998_398_275_503_360
    assert counts == [2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216]


@pytest.mark.long
def test_published_edges() -> None:
    """Banker six at 12 and 20 to 1 costs 16.6836 % at eight decks; pairs 10.36, 13.04 and 9.83 %; six ties 1.924 %."""
    sheet = par_sheet(GAMES["fortune-six"], 8)
    assert f"{-float(sheet.bet('fortune-six').ev):.6f}" == "0.166836"
    assert f"{-float(sheet.bet('player-pair').ev):.4f}" == "0.1036"
    assert f"{-float(par_sheet(GAMES['rapid'], 4).bet('player-pair').ev):.4f}" == "0.1304"
    assert f"{-float(par_sheet(GAMES['six-star'], 8).bet('player-pair').ev):.4f}" == "0.0983"
    assert f"{float(probability(tie & banker.points(6), Shoe.fresh(STANDARD, 8))):.5f}" == "0.01924"


@pytest.mark.parametrize(("small", "large"), [pytest.param(4, 5, marks=pytest.mark.long), (8, 10)])
def test_ranks_do_not_care_how_many_suits_there_are(small: int, large: int) -> None:
    """65 x d holds as many of each rank as 52 x 5d/4."""
    elements, standard = (
        par_sheet(GAMES["sands-elements"], small),
        par_sheet(GAMES["fortune-six"], large),
    )
    assert len(elements.shoe) == len(standard.shoe)
    for one, other in zip(elements.bets, standard.bets, strict=True):
        assert (one.ev, one.variance, one.hit) == (other.ev, other.variance, other.hit)


def enumerated(predicate: Predicate, game: Game, cards: list[int]) -> Fraction:
    """Every order of these few cards, dealt by the rules."""
    decide = decider([[predicate]])
    answers = [decide(*round_.slots) == (0,) for round_ in every_order(game, cards)]
    return Fraction(sum(answers), len(answers))


@pytest.mark.long
@settings(max_examples=40, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.sampled_from(["rapid", "six-star"]), st.randoms(use_true_random=False), trees)
def test_any_tree_agrees_with_dealing_out_every_order_of_a_few_cards(
    game_id: str, rng: random.Random, tree: Predicate
) -> None:
    game = GAMES[game_id]
    cards = (
        [int(c) for c in rng.choices(game.deck.cards, k=6)]
        if rng.random() < 0.5
        else [int(c) for c in rng.choices(rng.sample(game.deck.cards, 4), k=6)]
    )
    shoe = Shoe.holding(game.deck, {c: cards.count(c) for c in cards})  # type: ignore[misc]
    assert probability(tree, shoe, tableau=game.tableau) == enumerated(tree, game, cards)


@pytest.mark.long
@pytest.mark.parametrize(
    "predicate",
    [
        same(player.first.suit, player.second.suit) & banker.wins,
        ~one_suit & banker.wins,
        one_suit | player.pair,
        banker.pair & player.pair & tie,
        player.third.suit(4) & banker.third.rank(0, ..., 4),
        banker.third.suit(4, ...) & ~player.natural,
        (player.first.points + banker.third.points)(5, ...),
    ],
)
def test_trees_that_mix_ranks_suits_and_points(predicate: Predicate) -> None:
    game = GAMES["six-star"]
    for seed in range(4):
        few = random.Random(seed).sample(game.deck.cards, 5)
        cards = random.Random(seed).choices(few, k=7)
        shoe = Shoe.holding(game.deck, {c: cards.count(c) for c in cards})
        assert probability(predicate, shoe) == enumerated(predicate, game, [int(c) for c in cards])


@pytest.mark.long
@settings(max_examples=LAWS, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(leaves_, leaves_)
def test_laws_of_probability(a: Predicate, b: Predicate) -> None:
    shoe = Shoe.fresh(STANDARD, 1)
    both, either, pa, pb, not_a = probabilities((a & b, a | b, a, b, ~a), shoe)
    assert both + either == pa + pb
    assert pa + not_a == 1


@pytest.mark.long
def test_a_plan_is_kept_and_one_that_is_damaged_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUNTOBANCO_CACHE", str(tmp_path))
    plan_for.cache_clear()
    predicate, shoe = player.points(3) & banker.points(5), Shoe.fresh(STANDARD, 6)
    first = probability(predicate, shoe)
    [kept] = (tmp_path / "plans").iterdir()
    for damage in (None, b"", b"PK\x03\x04 not a plan", kept.read_bytes()[:200]):
        if damage is not None:
            kept.write_bytes(damage)
        plan_for.cache_clear()
        assert probability(predicate, shoe) == first
    monkeypatch.setenv("PUNTOBANCO_CACHE", "/proc/nowhere")
    plan_for.cache_clear()
    assert probability(predicate, shoe) == first


def test_too_few_cards_have_no_odds() -> None:
    with pytest.raises(Refusal, match="5 cards are too few: a round may take 6"):
        probability(tie, Shoe.holding(STANDARD, {STANDARD.cards[0]: 5}))


def test_the_largest_shoe_still_fits() -> None:
    shoe = Shoe(FIVE_ELEMENTS, (21,) * 65)
    assert len(shoe) == 1_365
    assert sum(probabilities((player.wins, banker.wins, tie), shoe)) == 1
