import pickle
from collections.abc import Callable
from typing import Any

import pytest

from puntobanco import (
    FIVE_ELEMENTS,
    GAMES,
    STANDARD,
    Bet,
    Dollars,
    Game,
    Odds,
    Pays,
    Predicate,
    Pushes,
    Refusal,
    banker,
    player,
    tie,
)
from puntobanco.base.words import Words
from puntobanco.rules.game import MAX_BETS, MAX_COMPARISONS, MAX_DEPTH
from puntobanco.rules.predicates import all_reads, measure_size
from puntobanco.rules.refusals import BadGame
from tests.support.claims import proves, reads
from tests.support.deals import dealt

LINE = Pays(tie, Odds(8, 1))
RAPID = GAMES["rapid"]
TITLE = Words("X")


@proves(mbs="2.1 3.1 3.2", super_six_plus="2.2.1 3.1 3.2")
@reads(36)
def test_decks_and_literal_announcements() -> None:
    said = {
        id_: (g.deck.id, g.decks, g.announcements.by, g.announcements.open, g.announcements.close)
        for id_, g in GAMES.items()
    }
    please, no_more = "Place your bets, please", "No more bets"
    assert said == {
        "six-star": ("five-elements", range(4, 11), "dealer", please, no_more),
        "fortune-six": ("standard", range(4, 11), "dealer", please, no_more),
        "super-six-plus": ("standard", range(4, 9), "terminal", "Place Your Bets", "No More Bets"),
        "sands-elements": ("five-elements", range(4, 11), "dealer", please, no_more),
        "rapid": ("standard", range(4, 11), "terminal", please, no_more),
    }


@proves(dealer_tables="5.6 5.7", super_six_plus="3.2", rapid="3.2")
@reads(20, 21)
def test_late_wagers_and_withdrawals_are_refused_under_each_games_own_clause() -> None:
    late = {id_: (g.basics.late_wager, g.basics.late_withdrawal) for id_, g in GAMES.items()}
    assert late == {
        "six-star": ("5.6", "5.7"),
        "fortune-six": ("5.6", "5.7"),
        "sands-elements": ("5.6", "5.7"),
        "super-six-plus": ("3.2", "reading 21"),
        "rapid": ("3.2", "reading 21"),
    }


@reads(41)
@proves(mbs="3.9")
def test_both_totals_are_announced_before_any_third_card() -> None:
    assert {id_: g.basics.announce_totals for id_, g in GAMES.items()} == {
        "six-star": "3.9",
        "fortune-six": "3.9",
        "super-six-plus": "reading 41",
        "sands-elements": "3.9",
        "rapid": "3.9",
    }
    assert dealt("six-star", "3w Lg 2e Lf 9a 6f").announcement == (5, 0)


@proves(mbs="3.10.1", super_six_plus="3.10")
def test_a_tie_is_cited_under_its_own_clause() -> None:
    assert {id_: g.basics.tie for id_, g in GAMES.items()} == {
        "six-star": "3.10.1",
        "fortune-six": "3.10.1",
        "super-six-plus": "3.10",
        "sands-elements": "3.10.1",
        "rapid": "3.10.1",
    }


@proves(
    mbs="1.1",
    dealer_tables="2.2 2.2.1 2.2.2 2.2.3 2.2.4 2.2.5",
    six_star="2.2.6",
    rapid="2.2",
    super_six_plus="3.3",
)
def test_the_bets_are_those_the_layouts_name() -> None:
    main = ["player", "banker", "tie", "player-pair", "banker-pair"]
    assert {id_: [b.id for b in g.bets] for id_, g in GAMES.items()} == {
        "six-star": [*main, "fortune-six", "element-bonus"],
        "fortune-six": [*main, "fortune-six"],
        "super-six-plus": [*main, "super-six-plus"],
        "sands-elements": [*main, "fortune-six"],
        "rapid": main,
    }


@pytest.mark.parametrize(
    ("build", "reason"),
    [
        (lambda: Bet("Tie", TITLE, pays=(LINE,)), "cannot be a bet's id"),
        (lambda: Bet("a b", TITLE, pays=(LINE,)), "cannot be a bet's id"),
        (lambda: Bet("x", TITLE, pays=()), "no pay line"),
        (lambda: Bet("x", TITLE, pays=(Pays(tie, Dollars(5)),)), "a pay line is"),
        (lambda: Bet("x", TITLE, pays=(LINE,), bonus=(LINE,)), "a bonus line is"),
        (lambda: Pays(loose(banker.points), Odds(1, 1)), "not a condition"),
        (lambda: Pays(tie, loose(8)), "a line pays Odds"),
        (lambda: Pushes(loose(True)), "not compared with =="),
        (
            lambda: RAPID.with_bets(Bet("tie", TITLE, pays=(LINE,)), id="y", title="Y"),
            "has a bet tie already",
        ),
        (lambda: RAPID.with_bets(id="Y!", title="Y"), "cannot be a game's id"),
        (lambda: RAPID.with_bets(*many(MAX_BETS - 4), id="y", title="Y"), "1 to 64 bets, not 65"),
        (lambda: changed(decks=[4, 5]), "decks is a range"),
        (lambda: changed(decks=range(0, 4)), "decks is a range"),
        (lambda: changed(decks=range(4, 4)), "decks is a range"),
        (lambda: changed(decks=range(4, 28)), "more than 1,400 cards"),
        (lambda: changed(bets=()), "1 to 64 bets, not 0"),
        (
            lambda: changed(irregularities=RAPID.irregularities * 2),
            "two grounds named foreign-card",
        ),
    ],
)
def test_a_definition_that_cannot_be_a_game_is_refused(
    build: Callable[[], object], reason: str
) -> None:
    with pytest.raises(BadGame, match=reason):
        build()


def loose(value: object) -> Any:
    """What a designer without a type checker may write."""
    return value


def many(n: int) -> list[Bet]:
    return [Bet(f"b{i}", TITLE, pays=(LINE,)) for i in range(n)]


def changed(**fields: object) -> Game:
    return Game(**{**RAPID.__getstate__(), **fields})  # type: ignore[arg-type]


def test_the_most_bets_and_the_largest_shoe_are_accepted() -> None:
    assert len(RAPID.with_bets(*many(MAX_BETS - 5), id="y", title="Y").bets) == MAX_BETS
    assert changed(decks=range(4, 27)).decks[-1] * len(STANDARD) == 1_352


def bet_on(when: Predicate) -> Bet:
    return Bet("x", Words("X"), pays=(Pays(when, Odds(1, 1)),))


def test_a_condition_that_doubles_at_each_step_is_refused_at_once() -> None:
    ranks = [player.initial_points(points) for points in range(10)] * 6
    when: Predicate = player.pair
    for step, each in enumerate(ranks):  # 2 ** 60 comparisons, if they were written out
        when = (when & ~each) | (~when & each)
        if step == 10:
            bet_on(when)
    with pytest.raises(BadGame, match=f"bet x: its conditions come to .*{MAX_COMPARISONS:,} at"):
        bet_on(when)


def test_conditions_inside_one_another_have_a_bound() -> None:
    when: Predicate = player.pair
    while measure_size(when)[1] < MAX_DEPTH:
        when = (when & player.points(4)) if measure_size(when)[1] % 2 else (when | banker.points(4))
    bet_on(when)
    with pytest.raises(BadGame, match=f"bet x: {MAX_DEPTH} conditions inside one another at most"):
        bet_on(~when)


def test_a_game_survives_pickling_and_still_decides(game: Game) -> None:
    game.decide  # noqa: B018 - the compiled function cannot be pickled and must not be
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    cards = game.deck.cards
    assert again.decide(*cards[:6]) == game.decide(*cards[:6])


def test_unknown_bets_are_named_with_those_there_are() -> None:
    with pytest.raises(Refusal, match="rapid has no bet 'dragon'; it has player, banker, tie"):
        RAPID.bet("dragon")


def test_a_deck_is_chosen_by_the_game() -> None:
    assert GAMES["sands-elements"].deck is FIVE_ELEMENTS
    lines = [line for bet in GAMES["sands-elements"].bets for line in bet.pays]
    assert "suit" not in {read.attribute for line in lines for read in all_reads(line.when)}
    assert player.pair in [line.when for bet in RAPID.bets for line in bet.pays]
