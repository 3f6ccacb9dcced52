"""Two ways to sum a plan, compiled by Numba and in NumPy: one contract, the same fractions."""

import random
from math import perm

import numpy as np
import pytest

from puntobanco import FIVE_ELEMENTS, GAMES, Game, Shoe, banker, player, tie
from puntobanco.odds import compiled, solve
from puntobanco.odds.par import ParSheet, par_sheet
from puntobanco.odds.plan import plan_for
from puntobanco.odds.solve import probabilities
from puntobanco.rules.shoe import MAX_SHOE_CARDS
from puntobanco.rules.tableau import PUNTO_BANCO
from tests.odds.test_solve import EVERY_SHEET, depleted

DEPLETED = [6, 7, 8, 9, 10, 12, 15, 20, 30, 40, 52, 60, 80, 100, 130, 180, 230, 300, 350, 400]


def both(game: Game, shoe: Shoe | int, patch: pytest.MonkeyPatch) -> tuple[ParSheet, ParSheet]:
    """The sheet with Numba, and as it is where Numba is not installed."""
    patch.setattr(solve, "has_numba", lambda: True)
    with_numba = par_sheet(game, shoe)
    patch.setattr(solve, "has_numba", lambda: False)
    patch.setattr(compiled, "sums", None)  # whoever asks for it now fails
    without = par_sheet(game, shoe)
    patch.undo()
    return with_numba, without


@pytest.mark.long
@pytest.mark.parametrize("game_id", GAMES)
def test_every_par_sheet_is_the_same_with_and_without_numba(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheets = [decks for game, decks in EVERY_SHEET if game == game_id]
    assert sheets
    for decks in sheets:
        with_numba, without = both(GAMES[game_id], decks, monkeypatch)
        assert with_numba == without, decks


def test_there_are_33_of_them() -> None:
    assert len(EVERY_SHEET) == 33
    assert len(DEPLETED) == 20


@pytest.mark.long
@pytest.mark.parametrize("game_id", ["six-star"])
def test_so_are_twenty_depleted_shoes_down_to_six_cards(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GAMES[game_id]
    for cards in DEPLETED:
        shoe = depleted(game, cards, random.Random(cards))
        with_numba, without = both(game, shoe, monkeypatch)
        assert with_numba == without, cards


def test_no_sum_passes_64_bits() -> None:
    """Neither a product of six factors nor the number of all orders, in the largest shoe there can be."""
    assert perm(MAX_SHOE_CARDS, 6) < MAX_SHOE_CARDS**6 < 2**63


def test_the_largest_shoe_fits_both(monkeypatch: pytest.MonkeyPatch) -> None:
    shoe = Shoe(FIVE_ELEMENTS, (21,) * 65)
    monkeypatch.setattr(solve, "has_numba", lambda: False)
    assert sum(probabilities((player.wins, banker.wins, tie), shoe)) == 1


def test_a_class_that_has_run_out_adds_nothing() -> None:
    """One card of each of two points: no hand has three cards of one, and no product is negative."""
    plan = plan_for((player.wins, tie), FIVE_ELEMENTS, PUNTO_BANCO)
    counts = np.zeros(65, np.int64)
    counts[:7] = 1
    values = np.concatenate(([1], (plan.members @ counts)[plan.factor_class] - plan.factor_less))
    assert values.min() < 0
    found = [
        way(values, plan.factors, plan.dealt, plan.coefficients)
        for way in (solve.sums, compiled.sums)
    ]
    assert (found[0] == found[1]).all()
    assert (found[0] >= 0).all()
