"""Every game on the felt: each bet has its spot, its hand, and what it pays in words short enough to read there."""

import random

import pytest

from puntobanco.base.words import Words
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.settle import Wager, settle
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.views.game_view import felt, hand_of, notes, paying
from tests.support.deals import complete, dealt
from tests.support.english import english

SHORT = 60


@pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))
def test_every_bet_has_a_spot_with_every_line_and_its_clause(game: Game) -> None:
    spots = felt(game, default_limits(game))
    assert [spot.bet for spot in spots] == [bet.id for bet in game.bets]
    assert [spot.bet for spot in spots if spot.main] == ["player", "banker", "tie"]
    for spot, bet in zip(spots, game.bets, strict=True):
        assert [(x.pays.en, x.clause) for x in spot.lines] == [
            (x.pays.words.en, x.clause) for x in (*bet.pays, *bet.bonus)
        ]
        assert sum(not line.when for line in spot.lines) <= 1, "only one line needs no condition"
        assert all(
            len(line.when.en) <= SHORT and "[" not in line.when.en + line.when.zh
            for line in spot.lines
            if line.when
        )


def test_a_side_bet_lies_with_the_hand_whose_cards_decide_it() -> None:
    found = {bet.id: hand_of(bet) for bet in GAMES["six-star"].bets}
    assert found == {
        "player": "player",
        "banker": "banker",
        "tie": "tie",
        "player-pair": "player",
        "banker-pair": "banker",
        "fortune-six": "",
        "element-bonus": "",
    }


def test_the_words_of_a_spot() -> None:
    [banker] = [
        spot
        for spot in felt(GAMES["six-star"], default_limits(GAMES["six-star"]))
        if spot.bet == "banker"
    ]
    assert [(english(line.when), line.pays.en) for line in banker.lines] == [
        ("Banker wins on six", "1 to 2"),
        ("Banker has Flaming 9's", "1.2 to 1"),
        ("", "1 to 1"),
    ]


def test_what_all_lines_ask_for_is_said_once_on_the_spot() -> None:
    """D16 and D8 of the rules audit: a spot that says "2 cards 12 to 1" does not say of what."""
    game = GAMES["six-star"]
    said = {spot.bet: spot.asks for spot in felt(game, default_limits(game))}
    assert said == {
        "player": None,
        "banker": None,
        "tie": None,
        "player-pair": Words("Player's first two cards are a pair", "閒首兩張牌成對"),
        "banker-pair": Words("Banker's first two cards are a pair", "莊首兩張牌成對"),
        "fortune-six": Words("Banker wins on six", "莊以六點勝出"),
        "element-bonus": Words("every card dealt is of one element", "全部牌屬同一五行"),
    }


def test_the_felt_says_what_flaming_nines_and_six_stars_are() -> None:
    """D9 of the rules audit."""
    game = GAMES["six-star"]
    spots = {spot.bet: spot for spot in felt(game, default_limits(game))}
    lines = (*spots["player"].lines, *spots["tie"].lines)
    meant = {english(line.when): english(line.means) for line in lines}
    assert meant["Player has Flaming 9's"] == "two Fire cards that make nine"
    both = meant["Player has Flaming 9's and Banker has Flaming 9's"]
    assert both == "two Fire cards that make nine"
    assert "one Sau, one Luk and one Fuk" in meant["6 Stars"]
    assert "皆為火且合計九點" in (lines[0].means or Words("")).zh


@pytest.mark.parametrize(
    ("cards", "names"),
    [
        ("9f 2g Tf 4e", ["Player has Flaming 9's"]),
        (
            "9f 8f Tf Af",
            [
                "Player has Flaming 9's",
                "Banker has Flaming 9's",
                "every card dealt is of one element",
            ],
        ),
        ("Sf Sg Lf Lg Ff Fg", ["6 Stars"]),
        ("9f 2g Te 4e", []),
    ],
)
def test_a_round_is_called_what_the_rulebook_calls_it(cards: str, names: list[str]) -> None:
    found = notes(GAMES["six-star"], dealt("six-star", cards))
    assert [note.text.en for note in found] == names
    assert all(note.text.zh and note.clause.startswith("1.1.") for note in found)


@pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))
def test_pairs_and_naturals_need_no_note(game: Game) -> None:
    cards = "9s 2h Ts 2d" if game.deck.id == "standard" else "9g 2g Te 2a"
    assert notes(game, dealt(game, cards)) == ()


@pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))
def test_the_lines_that_pay_are_those_that_wagers_are_settled_by(game: Game) -> None:
    """In a hundred rounds: a bet has lines that pay where it wins, and they come to what is paid."""
    rng = random.Random(22)
    for _ in range(100):
        play = complete(game, rng)
        found = paying(game, play)
        wagers = [Wager("ann", bet.id, bet.step_cents * 1_000) for bet in game.bets]
        for bet, line in zip(game.bets, settle(game, play, wagers), strict=True):
            assert (bet.id in found) == (line.outcome == "wins")
            if bet.id in found:
                odds, *bonus = found[bet.id]
                assert bet.odds[odds].winnings(line.wager.stake_cents) == line.winnings_cents
                awards = [bet.awards[place - len(bet.pays)].cents for place in bonus]
                assert sum(awards) == line.bonus_cents


def test_both_lines_of_a_tie_with_a_bonus_pay() -> None:
    play = dealt("six-star", "9f 9f Tf Tf")
    assert paying(GAMES["six-star"], play)["tie"] == (0, 1)
