"""The drawing table, all 110 cells in all five games, against the table as printed."""

from itertools import product

import pytest

from puntobanco import GAMES, PUNTO_BANCO, Game, Round
from puntobanco.rules.cards import Card
from puntobanco.rules.terms import Slot
from tests.support.claims import proves, reads
from tests.support.deals import dealt

# A row is banker's two-card total; columns are the points of player's third card, then "player stood".
# D draws, S stands, x cannot be reached: a natural has ended the round.
PRINTED = """
     0 1 2 3 4 5 6 7 8 9 stood
  0  D D D D D D D D D D D
  1  D D D D D D D D D D D
  2  D D D D D D D D D D D
  3  D D D D D D D D S D D
  4  S S D D D D D D S S D
  5  S S S S D D D D S S D
  6  S S S S S S D D S S S
  7  S S S S S S S S S S S
  8  x x x x x x x x x x x
  9  x x x x x x x x x x x
"""
CELLS = [
    (int(row[0]), third, cell)
    for row in (line.split() for line in PRINTED.splitlines()[2:])
    for third, cell in zip((*range(10), None), row[1:], strict=True)
]


def of_points(game: Game, points: int) -> Card:
    """A card worth that much: an ace to nine, or a ten."""
    return game.deck.cards[points - 1 if points else 9]


def with_totals(game: Game, player: int, banker: int) -> Round:
    """Four cards: each hand a ten and its total."""
    ten = of_points(game, 0)
    four = (ten, ten, of_points(game, player), of_points(game, banker))
    return Round.start(game, 8).deal_all(four)


def test_the_printed_table_has_110_cells() -> None:
    assert len(CELLS) == 110


@proves(
    numbered_table="3.9.1 3.9.3 3.9.4",
    sands_elements="3.9:table",
    mbs="3.9",
    super_six_plus="3.5 3.6 1:baccarat-table-of-play",
)
@pytest.mark.parametrize(("banker", "third", "cell"), CELLS)
def test_banker_draws_by_the_table(game: Game, banker: int, third: int | None, cell: str) -> None:
    players = range(6) if third is not None else (6, 7)
    for player in players:
        round_ = with_totals(game, player, banker)
        if cell == "x":
            assert round_.next_slot is None, (
                "a banker natural ends the round before player could draw"
            )
            continue
        if third is not None:
            assert round_.next_slot is Slot.P3
            round_ = round_.deal(of_points(game, third))
        assert round_.next_slot is (Slot.B3 if cell == "D" else None)


@proves(numbered_table="3.9.2", sands_elements="3.9:table", super_six_plus="3.6")
def test_player_draws_on_five_and_below(game: Game) -> None:
    for player, banker in product(range(10), range(8)):
        expected = Slot.P3 if player <= 5 else None
        round_ = with_totals(game, player, banker)
        assert (round_.next_slot if round_.next_slot is Slot.P3 else None) is expected


@proves(
    numbered_table="3.9.1",
    six_star="1.1.8",
    fortune_six="1.1.4",
    sands_elements="1.1.4 3.9:table",
    rapid="1.1.3",
    super_six_plus="1:natural 3.5 3.6",
)
@reads(13)
@pytest.mark.parametrize(
    ("player", "banker"),
    [(8, b) for b in range(10)]
    + [(9, b) for b in range(10)]
    + [(p, 8) for p in range(10)]
    + [(p, 9) for p in range(10)],
)
def test_naturals_come_first(game: Game, player: int, banker: int) -> None:
    """Super Six Plus 3.5 alone would let banker draw on 0-5 against a player's natural; 3.6 forbids it."""
    round_ = with_totals(game, player, banker)
    assert round_.is_complete
    assert round_.next.clause == game.tableau.clauses.natural
    assert "natural" in round_.next.why.en


def test_a_natural_needs_two_cards() -> None:
    """Player's three-card nine stops nobody: banker with 5 against a third card of 4 still draws."""
    assert dealt("rapid", "2s Ts 3s 5s 4s").next_slot is Slot.B3


@reads(13)
def test_all_five_games_share_one_table(game: Game) -> None:
    shared = ("naturals", "player_draws", "banker_draws_alone", "banker_draws")
    assert all(getattr(game.tableau, part) == getattr(PUNTO_BANCO, part) for part in shared)


@pytest.mark.parametrize(
    ("game_id", "cards", "reasons"),
    [
        ("six-star", "3w Lg 2e Lf", ["Player has 5 and draws [3.9.2]"]),
        (
            "six-star",
            "3w Lg 2e Lf 9a",
            ["Banker has 0 against Player's third card worth 9: draws [3.9.4]"],
        ),
        (
            "rapid",
            "6s 5s Ks Kh",
            [
                "Player has 6 and stands [3.9.2]",
                "Banker has 5 against a Player who stood: draws [3.9.3]",
            ],
        ),
        (
            "rapid",
            "6s 6h Ks Kh",
            [
                "Player has 6 and stands [3.9.2]",
                "Banker has 6 against a Player who stood: stands [3.9.3]",
            ],
        ),
        (
            "super-six-plus",
            "6s 5s Ks Kh",
            [
                "Player has 6 and stands [3.6]",
                "Banker has 5 against a Player who stood: draws [3.5]",
            ],
        ),
        (
            "super-six-plus",
            "8s 9s Ks Kh",
            ["Player has a natural 8 and Banker has a natural 9: no more cards [3.6]"],
        ),
        (
            "sands-elements",
            "2f 3f 2g 3g 8a",
            ["Banker has 6 against Player's third card worth 8: stands [3.9:table]"],
        ),
        ("fortune-six", "2s 3s", ["Player's second card [3.7.1]"]),
        ("super-six-plus", "2s 3s 4s", ["Banker's second card [3.4]"]),
    ],
)
def test_every_draw_says_why_with_its_clause(game_id: str, cards: str, reasons: list[str]) -> None:
    said = [
        f"{reason.why.en} [{reason.clause}]" for reason in dealt(GAMES[game_id], cards).next.reasons
    ]
    assert said == reasons
