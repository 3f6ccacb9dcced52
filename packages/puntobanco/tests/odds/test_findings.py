"""What `check` says by exact odds: true of the decks it names, silent where nothing is to be said."""

from dataclasses import replace
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
    Predicate,
    Words,
    banker,
    player,
    same,
    tie,
)
from puntobanco.game_check import fewest_decks, lowest_edge, odds_findings
from puntobanco.odds.par import par_sheet
from puntobanco.rules.cards import parse_cards
from puntobanco.rules.round import Round
from puntobanco.rules.settle import Wager, settle
from tests.test_cli import Runner, run

__all__ = ["run"]
HALF = Odds(1, 2)
RAPID = GAMES["rapid"]
FIRST = [view for hand in (player, banker) for view in (hand.first, hand.second)]
FOUR_ALIKE = same(*(view.rank for view in FIRST)) & same(*(view.suit for view in FIRST))
SUITED_PAIRS = [hand.pair & same(hand.first.suit, hand.second.suit) for hand in (player, banker)]


def game_of(when: Predicate, decks: range, pays: Odds = HALF) -> Game:
    return replace(RAPID, decks=decks, bets=(Bet("x", Words("X"), pays=(Pays(when, pays),)),))


def notes(game: Game) -> list[str]:
    return [finding.text for finding in odds_findings(game)]


@pytest.mark.parametrize(
    ("when", "needed"),
    [
        (player.wins, 1),
        (tie, 1),
        (player.pair, 1),
        (SUITED_PAIRS[0], 2),
        (SUITED_PAIRS[0] & SUITED_PAIRS[1], 2),
        (
            SUITED_PAIRS[0]
            & same(player.first.rank, player.third.rank)
            & same(player.first.suit, player.third.suit),
            3,
        ),
        (FOUR_ALIKE, 4),
    ],
)
def test_a_line_is_said_to_need_exactly_the_decks_it_needs(when: Predicate, needed: int) -> None:
    said = [note for note in notes(game_of(when, range(1, 11))) if "can only pay" in note]
    assert said == ([f"x: line 1 can only pay with {needed} decks or more"] if needed > 1 else [])
    chances = [
        bool(par_sheet(game_of(when, range(1, 11)), decks).bet("x").hit) for decks in range(1, 11)
    ]
    assert chances == [decks >= needed for decks in range(1, 11)]


def test_a_line_that_no_allowed_number_of_decks_can_pay_is_an_error() -> None:
    [error] = [
        finding
        for finding in odds_findings(game_of(FOUR_ALIKE, range(1, 4)))
        if finding.kind == "error"
    ]
    assert error.text == "x: line 1 can never pay with 1 to 3 decks"


@pytest.mark.long
def test_six_of_one_element_need_no_more_than_the_fewest_decks(run: Runner) -> None:
    game = GAMES["six-star"]
    assert not any("can only pay" in note for note in notes(game))
    assert "decks or more" not in run("check", "six-star").out
    round_ = Round.start(game, 4).deal_all(parse_cards("2w Aw 3w Aw Tw 4w", game.deck))
    [line] = settle(game, round_, [Wager("ann", "element-bonus", 1_000)])
    assert line.winnings_cents == 5_000_000


def test_a_return_above_all_that_is_staked_is_noted_and_flagged() -> None:
    game = game_of(player.wins, range(8, 9), Odds(5, 1))
    odds = par_sheet(game, 8).bet("x")
    assert odds.ev > 1
    assert odds.flags == ("returns more than 100 % to patrons",)
    [warning] = odds_findings(game)
    assert warning.kind == "warning"
    assert warning.text == (
        "x: favours the patron with 8 decks: the house edge is "
        f"{float(odds.edge) * 100:.4f} % with 8 decks"
    )
    assert (
        par_sheet(game_of(player.wins | ~player.wins, range(8, 9), Odds(1, 2)), 8).bet("x").flags
        != ()
    )
    even = game_of(player.wins, range(8, 9), Odds(1, 1))
    assert par_sheet(even, 8).bet("x").flags == ()


@pytest.mark.long
def test_flags_name_the_decks_they_hold_for() -> None:
    assert "element-bonus: returns less than 75 % to patrons with 4 decks" in notes(
        GAMES["six-star"]
    )
    assert par_sheet(GAMES["six-star"], 5).bet("element-bonus").flags == ()


def test_a_bonus_that_favours_small_stakes_is_noted() -> None:
    bet = Bet(
        "x",
        Words("X"),
        pays=(Pays(tie, Odds(8, 1)),),
        bonus=(Pays(tie & player.points(9), Dollars(100)),),
    )
    game = replace(RAPID, decks=range(8, 9), bets=(bet,))
    even = par_sheet(game, 8).bet("x").break_even_stake
    assert even is not None
    assert notes(game) == [
        f"x: with its bonus, a stake below {float(even):.2f} returns more than 100 % to patrons with 8 decks"
    ]
    assert par_sheet(game, 8).bet("x").ev_at(even - Fraction(1, 100)) > 0


def test_check_tells_what_the_odds_say(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "generous.py"
    path.write_text(
        "from puntobanco import GAMES, Bet, Odds, Pays, Words, player\n"
        "game = GAMES['rapid'].with_bets(Bet('gift', Words('Gift'), pays=(Pays(player.wins, Odds(5, 1)),)),"
        " id='generous', title='Generous')\n"
    )
    said = run("check", str(path)).out
    assert "warning: gift: favours the patron with 4 to 10 decks: the house edge is -1" in said
    assert "no bet favours" not in said
    assert said.endswith("generous: sound; 6 bets, 7 lines, every one can pay; 1 warning\n")


def test_an_edge_below_zero_is_found_however_small_it_is() -> None:
    """By fractions: the odds next to the fair ones on either side, of those that can be written."""
    won = par_sheet(game_of(tie, range(8, 9)), 8).bet("x").hit
    fair = (1 - won) / won
    risk = 100_000
    below = Odds(int(fair * risk), risk)
    above = Odds(int(fair * risk) + 1, risk)
    for odds, favours in ((below, False), (above, True)):
        game = game_of(tie, range(8, 9), odds)
        edge = lowest_edge(game).edge
        assert abs(edge) < Fraction(1, risk)
        assert (edge < 0) == favours
        assert any("favours" in text for text in notes(game)) == favours


def test_the_fewest_decks_of_a_line_are_found_below_those_that_are_allowed() -> None:
    """A game of four decks or more may have lines that one, two or three would do for."""
    lines = (player.wins, SUITED_PAIRS[0], FOUR_ALIKE)
    bets = [Bet(f"x{n}", Words("X"), pays=(Pays(when, HALF),)) for n, when in enumerate(lines)]
    game = replace(RAPID, bets=tuple(bets))
    assert game.decks[0] == 4
    assert fewest_decks(game) == {"x0": [1], "x1": [2], "x2": [4]}


def test_the_fewest_decks_of_a_bonus_are_found_too() -> None:
    bonus = (Pays(tie & SUITED_PAIRS[0], Dollars(5)),)
    bet = Bet("x", Words("X"), pays=(Pays(tie, Odds(8, 1)),), bonus=bonus)
    assert fewest_decks(replace(RAPID, bets=(bet,))) == {"x": [1, 2]}
