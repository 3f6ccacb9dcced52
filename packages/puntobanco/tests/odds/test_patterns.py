"""Conditions that compare cards all over a round: exact where their deals can be listed, refused in time elsewhere."""

import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from puntobanco import (
    FIVE_ELEMENTS,
    GAMES,
    PUNTO_BANCO,
    STANDARD,
    Predicate,
    Shoe,
    any_of,
    banker,
    different,
    par_sheet,
    player,
    probability,
    same,
    simulate,
)
from puntobanco.odds import patterns, plan
from puntobanco.odds.par import partial_sheet
from puntobanco.odds.patterns import ways_to_draw
from puntobanco.odds.plan import plan_for
from puntobanco.rules import validation
from puntobanco.rules.cards import Card
from puntobanco.rules.refusals import PlanTooLarge
from tests.odds.hard import HARD_GAME, PAIRS, SIMULATED, SOLVED, game_with
from tests.odds.test_solve import enumerated
from tests.test_cli import Runner, run

__all__ = ["run"]

Forget = Callable[[], None]


@pytest.fixture
def forget(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Forget:
    """No plan is known: neither in memory nor in the cache folder."""
    monkeypatch.setenv("PUNTOBANCO_CACHE", str(tmp_path / "cache"))

    def clear() -> None:
        plan_for.cache_clear()
        plan._made.cache_clear()

    clear()
    return clear


def few_cards(seed: int, deck_id: str) -> tuple[Shoe, list[int]]:
    deck = GAMES[deck_id].deck
    rng = random.Random(seed)
    cards = rng.choices(rng.sample(deck.cards, 5), k=7)
    return Shoe.holding(deck, {Card(c): cards.count(c) for c in cards}), [int(c) for c in cards]


LISTED = {
    "two identical": SOLVED["two identical"],
    "four of a kind": SOLVED["four of a kind"],
    "all ranks differ": SOLVED["all ranks differ"],
    "two pairs": SOLVED["two pairs"],
    "none identical, and banker wins": banker.wins
    & ~any_of(*(same(a.rank, b.rank) & same(a.suit, b.suit) for a, b in PAIRS)),
    "different cards": different(player.first.rank, banker.first.rank)
    | different(player.first.suit, banker.first.suit),
}


@pytest.mark.long
@pytest.mark.parametrize("game_id", ["rapid", "six-star"])
@pytest.mark.parametrize("name", LISTED)
@pytest.mark.usefixtures("forget")
def test_listed_deals_agree_with_dealing_out_every_order_of_a_few_cards(
    name: str, game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "MAX_FOLDS", 0)  # so that nothing is folded
    for seed in range(3):
        shoe, cards = few_cards(seed, game_id)
        predicate = LISTED[name]
        assert probability(predicate, shoe) == enumerated(predicate, GAMES[game_id], cards)


@pytest.mark.long
@pytest.mark.parametrize("decks", [1, 8])
@pytest.mark.parametrize(
    "predicate",
    [
        player.pair,
        player.pair & banker.wins,
        same(player.first.rank, banker.first.rank) & same(player.first.suit, banker.first.suit),
        ~player.pair | ~same(player.first.suit, player.second.suit),
    ],
    ids=range(4),
)
def test_folding_and_listing_give_the_same(
    predicate: Predicate, decks: int, forget: Forget, monkeypatch: pytest.MonkeyPatch
) -> None:
    shoe = Shoe.fresh(STANDARD, decks).without([STANDARD.cards[0], STANDARD.cards[30]])
    monkeypatch.setattr(patterns, "MAX_DEALS", 0)
    folded = probability(predicate, shoe)
    forget()
    monkeypatch.undo()
    monkeypatch.setattr(plan, "MAX_FOLDS", 0)
    monkeypatch.setenv("PUNTOBANCO_CACHE", "/proc/nowhere")
    assert probability(predicate, shoe) == folded


def test_the_chance_that_six_cards_of_one_deck_are_of_six_kinds_is_one() -> None:
    assert probability(SOLVED["two identical"], Shoe.fresh(STANDARD, 1)) == 0
    four_kinds = Shoe.holding(STANDARD, dict.fromkeys(STANDARD.cards[:4], 10))
    # aces of four suits: nobody has a natural, so six cards are dealt
    assert probability(SOLVED["two identical"], four_kinds) == 1


@pytest.mark.usefixtures("forget")
def test_first_cards_are_identical_as_often_as_they_should_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plan, "MAX_FOLDS", 0)
    identical = same(player.first.rank, banker.first.rank) & same(
        player.first.suit, banker.first.suit
    )
    assert probability(identical, Shoe.fresh(STANDARD, 8)) == Fraction(7, 415)
    assert probability(identical, Shoe.fresh(FIVE_ELEMENTS, 8)) == Fraction(7, 519)


def test_suits_that_are_compared_across_ranks_are_no_identical_cards() -> None:
    """Forty classes of points and suits are too many to list."""
    alike = same(player.first.suit, banker.first.suit)
    for predicate in (alike, alike | player.pair, alike & player.pair):
        assert patterns.list_deals([predicate], STANDARD, PUNTO_BANCO) is None


def test_ways_to_draw_add_up_to_all_orders() -> None:
    """Two cards are alike, or of two kinds; in order."""
    ways = ways_to_draw([8, 8, 7, 8])
    assert ways[(2,)] + ways[(1, 1)] == 31 * 30
    assert ways[(1,)] == 31
    assert (5,) in ways_to_draw([5])
    assert (6,) not in ways_to_draw([5])


@pytest.mark.long
def test_hard_bets_are_solved_as_a_simulation_counts_them() -> None:
    game = game_with(**{name.replace(" ", "-"): when for name, when in SOLVED.items()})
    run = simulate(game, rounds=1e7)
    assert not run.sheet.unsolved
    assert run.passed


def test_the_bound_of_folds_is_where_it_says(
    forget: Forget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "MAX_DEALS", 0)
    shoe = Shoe.fresh(STANDARD, 8)
    planner = plan._Planner((player.pair,), STANDARD, PUNTO_BANCO)
    planner.plan()
    monkeypatch.setattr(plan, "MAX_FOLDS", planner.folds)
    assert probability(player.pair, shoe) == Fraction(31, 415)
    forget()
    monkeypatch.setattr(plan, "MAX_FOLDS", planner.folds - 1)
    with pytest.raises(PlanTooLarge, match="no exact chance within bounds of: Banker's first two"):
        probability(banker.pair & player.pair, shoe)


@pytest.mark.usefixtures("forget")
def test_the_bound_of_rows_is_where_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MAX_DEALS", 0)
    shoe = Shoe.fresh(STANDARD, 8)
    ace = player.first.rank(0)  # an ace or not: two ways
    monkeypatch.setattr(plan, "MAX_ROWS", 2)
    assert probability(ace, shoe) == Fraction(1, 13)
    monkeypatch.setattr(plan, "MAX_ROWS", 1)
    with pytest.raises(PlanTooLarge):
        probability(banker.first.rank(0), shoe)


def test_the_bound_of_listed_deals_is_where_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [same(player.first.rank, banker.third.rank)]
    monkeypatch.setattr(patterns, "MAX_DEALS", 13**6 - 1)
    assert patterns.list_deals(asked, STANDARD, PUNTO_BANCO) is None
    monkeypatch.setattr(patterns, "MAX_DEALS", 13**6)
    assert patterns.list_deals(asked, STANDARD, PUNTO_BANCO) is not None


def test_the_bound_of_a_walk_is_where_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    bet = GAMES["rapid"].bet("player-pair")
    monkeypatch.setattr(validation, "MAX_FOLDS", 1_483)
    validation.combinations_of(GAMES["rapid"], tuple(bet.deciding))
    monkeypatch.setattr(validation, "MAX_FOLDS", 1_482)
    with pytest.raises(validation.TooManyRounds):
        validation.combinations_of(GAMES["rapid"], tuple(bet.deciding))


@pytest.mark.long
def test_a_bet_without_exact_odds_is_named_and_can_still_be_simulated() -> None:
    game = game_with(pair=player.pair, alike=SIMULATED["same suit pattern"])
    with pytest.raises(PlanTooLarge, match=r"alike: there is no exact chance .*Same suit pattern"):
        par_sheet(game)
    partial = partial_sheet(game, 8)
    assert [bet.id for bet in partial.unsolved] == ["alike"]
    assert partial.bet("pair").hit == Fraction(31, 415)
    found = simulate(game, rounds=1e5)
    assert found.passed
    wins, loses = found.verdict.estimates
    assert (wins.bet, wins.pays, loses.pays) == ("alike", "2 to 1", "loses")
    assert wins.count + loses.count == found.rounds
    [edge] = found.verdict.edges
    assert abs(edge.edge - (1 - 3 * wins.share)) < 1e-9
    assert abs(edge.error - 3 * wins.error) < 1e-9
    assert "alike" not in found.table()["bet"]
    assert list(found.estimates()["count"]) == [wins.count, loses.count]
    assert list(found.edges()["bet"]) == ["alike"]


@pytest.mark.long
def test_check_and_odds_say_which_bet_has_no_exact_odds(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "hard.py"
    file.write_text(HARD_GAME)
    checked = run("check", str(file))
    assert checked.status == 2
    assert "error: alike: there is no exact chance within bounds of: Alike" in checked.out
    assert "a table needs the exact house edge of every bet" in checked.out
    assert f"next: puntobanco simulate {file}" in " ".join(checked.out.split())
    asked = run("odds", str(file))
    assert asked.status == 2
    assert asked.err.startswith("puntobanco: alike: there is no exact chance")
    assert f"next: puntobanco simulate {file}" in asked.err
    dealt = run("simulate", str(file), "--rounds", "1e5")
    assert dealt.status == 0
    assert "no exact odds within bounds, so estimated and not judged:" in dealt.out
    told = run("simulate", str(file), "--rounds", "1e5", "--json").json
    [alike] = [bet for bet in told["bets"] if bet["bet"] == "alike"]
    assert alike["lines"][0]["expected"] is None
    assert 0 < alike["lines"][0]["standard_error"] < alike["edge_standard_error"]


def test_a_push_is_listed_by_check_and_odds(run: Runner) -> None:
    for command in ("check", "odds"):
        lines = run(command, "rapid").out.splitlines()
        assert any(
            "player " in line and "the hands tie" in line and "push" in line for line in lines
        )
