import os
import random
from dataclasses import replace

import pytest

from puntobanco import (
    GAMES,
    Bet,
    Dollars,
    Game,
    Odds,
    Pays,
    Pushes,
    banker,
    one_suit,
    player,
    same,
    tie,
)
from puntobanco.base.words import Words
from puntobanco.rules.predicates import decider
from puntobanco.rules.round import Round
from puntobanco.rules.validation import combinations_of, findings
from tests.support.deals import complete

RAPID = GAMES["rapid"]
TITLE = Words("X")
SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"


def errors(game: Game) -> list[str]:
    return [finding.text for finding in findings(game) if finding.kind == "error"]


def with_bet(bet: Bet, base: Game = RAPID) -> Game:
    return replace(base, bets=(bet,))


@pytest.mark.parametrize(
    "game_id",
    [pytest.param(id_, marks=() if id_ == "rapid" else pytest.mark.long) for id_ in GAMES],
)
def test_the_five_games_hold_what_they_claim(game_id: str) -> None:
    assert errors(GAMES[game_id]) == []


@pytest.mark.parametrize(
    ("bet", "error"),
    [
        (
            Bet("x", TITLE, pays=(Pays(tie & banker.wins, Odds(1, 1)),)),
            "line 1 (the hands tie and Banker wins) can never pay",
        ),
        (
            Bet("x", TITLE, pays=(Pays(player.pair & player.initial_points(9), Odds(1, 1)),)),
            "can never pay",
        ),
        (
            Bet("x", TITLE, pays=(Pays(player.cards(3) & banker.natural, Odds(1, 1)),)),
            "can never pay",
        ),
        (
            Bet(
                "x",
                TITLE,
                pays=(
                    Pays(banker.wins, Odds(1, 1)),
                    Pays(banker.wins & banker.points(6), Odds(1, 2)),
                ),
            ),
            "line 2 (Banker wins and Banker has 6 points) is always decided by an earlier line; put the rarer line first",
        ),
        (
            Bet("x", TITLE, pays=(Pays(tie, Odds(8, 1)),), push=Pushes(tie & player.pair)),
            "the push (the hands tie and Player's first two cards are a pair) can never",
        ),
        (
            Bet("x", TITLE, pays=(Pays(tie, Odds(8, 1)),), bonus=(Pays(banker.wins, Dollars(5)),)),
            "the bonus for Banker wins can never be paid",
        ),
        (
            Bet("x", TITLE, pays=(Pays(tie, Odds(8, 1), "77.7"),)),
            "bet x cites clause '77.7', which mbs-rapid-2017-02-17 does not have",
        ),
        (
            Bet("x", TITLE, pays=(Pays(tie.named("T", clause="88"), Odds(8, 1)),)),
            "cites clause '88'",
        ),
        (
            Bet(
                "x",
                TITLE,
                pays=(
                    Pays(same(player.third.suit, banker.third.suit) & banker.cards(2), Odds(8, 1)),
                ),
            ),
            "can never pay",
        ),
    ],
)
def test_a_false_claim_is_found(bet: Bet, error: str) -> None:
    found = errors(with_bet(bet))
    assert len(found) == 1
    assert error in found[0]


def test_an_unknown_rulebook_is_an_error_and_house_rules_are_clauses() -> None:
    assert "rulebook 'macau-2030' is not known" in errors(replace(RAPID, rulebook="macau-2030"))[0]
    own = Bet("x", TITLE, pays=(Pays(tie, Odds(8, 1), "H1"),))
    assert errors(replace(with_bet(own), house_rules={"H1": "Ties pay."})) == []


def test_what_few_decks_allow_is_not_called_impossible() -> None:
    """An ace, then the ace of spades: with one deck the walk must not have used that card up itself."""
    bet = Bet(
        "x",
        TITLE,
        pays=(
            Pays(player.first.points(1) & player.third.rank(0) & player.third.suit(0), Odds(8, 1)),
        ),
    )
    assert errors(replace(with_bet(bet), decks=range(1, 2))) == []


@pytest.mark.long
def test_notes_tell_what_is_worth_knowing() -> None:
    notes = [f.text for f in findings(GAMES["six-star"]) if f.kind == "note"]
    assert "banker: lines 1 and 3 can hold together; line 1 decides" in notes
    assert "banker: stakes go in steps of $0.10, so that payouts are whole cents" in notes
    assert not any(note.startswith(("fortune-six", "element-bonus: lines")) for note in notes)
    sure = [
        f.text for f in findings(with_bet(Bet("x", TITLE, pays=(Pays(tie | ~tie, Odds(1, 1)),))))
    ]
    assert "x: this bet can never lose" in sure


@pytest.mark.long
def test_the_walk_finds_exactly_the_combinations_that_random_rounds_show() -> None:
    """Where suits are asked for beside much else, a walk takes seconds: all of it together in `make slow`."""
    every = (tie, banker.wins & banker.points(6), player.pair, banker.cards(3), one_suit)
    few, fewer = (every, every) if SLOW else (every[:4], every[::2])
    for game, asked in ((RAPID, few), (GAMES["six-star"], fewer)):
        found = combinations_of(game, asked)
        decide, rng = decider([[p] for p in asked]), random.Random(3)
        shown = {
            tuple(answer == 0 for answer in decide(*complete(game, rng, 4).slots))
            for _ in range(20_000 if SLOW else 5_000)
        }
        assert shown <= set(found)
        for answers, cards in found.items():
            round_ = Round.start(game, game.decks[-1]).deal_all(cards)
            assert round_.is_complete
            assert tuple(answer == 0 for answer in decide(*round_.slots)) == answers
