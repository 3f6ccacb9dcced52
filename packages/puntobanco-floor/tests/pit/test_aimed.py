"""A house that commits to the shoe it likes: it gains where nobody mixes, and nothing where witnesses do."""

import os
import random

import numpy as np
import pytest

from puntobanco.rules.cards import Card
from puntobanco.rules.games import RAPID
from puntobanco.rules.round import Round
from puntobanco_proof import mix
from tests.pit.aimed import CARDS, CUT, aimed, quickly_mixed, score_of, seed_of

SLOW = bool(os.environ.get("PUNTOBANCO_SLOW"))
UNMIXED = {"shoes": 10_000, "tries": 2**12} if SLOW else {"shoes": 100, "tries": 2**6}
MIXED = {"shoes": 1_000_000, "tries": 2**6} if SLOW else {"shoes": 2_000, "tries": 2**6}


def shuffled(seed: int) -> bytes:
    order = [n % 52 for n in range(CARDS)]
    random.Random(seed).shuffle(order)
    return bytes(order)


@pytest.mark.parametrize("seed", range(20))
def test_the_quick_derivation_is_the_tables(seed: int) -> None:
    cards = shuffled(seed)
    mixed_by = seed_of(cards, seed + 1)
    assert quickly_mixed(cards, mixed_by).tobytes() == mix.shuffle_by_seed(cards, mixed_by)


@pytest.mark.parametrize("seed", range(20))
def test_the_quick_score_is_that_of_the_rules(seed: int) -> None:
    cards = shuffled(seed)
    place, won = 0, 0
    while CARDS - place > CUT:
        play = Round.start(RAPID, 8)
        while not play.is_complete:
            play = play.deal(Card(cards[place]))
            place += 1
        won += (play.player_points > play.banker_points) - (play.player_points < play.banker_points)
    assert score_of(np.frombuffer(cards, np.uint8)) == won


@pytest.mark.long
def test_without_the_mix_the_best_of_many_orders_gains() -> None:
    figures = aimed(**UNMIXED, is_mixed=False, seed=21)
    print(figures)
    assert figures.z > 10


@pytest.mark.long
def test_with_the_mix_the_best_of_many_orders_gains_nothing() -> None:
    figures = aimed(**MIXED, is_mixed=True, seed=21)
    print(figures)
    assert figures.chosen_mean > figures.all_mean + 10  # it has chosen
    assert abs(figures.z) < 4
