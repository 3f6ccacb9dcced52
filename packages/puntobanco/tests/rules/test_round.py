import random
import re
from itertools import product

import pytest

from puntobanco import GAMES, Game, Refusal, Round, Shoe, parse_cards
from puntobanco.rules.cards import Card, codes, parse_card
from tests.support import oracle
from tests.support.claims import proves, reads
from tests.support.deals import complete, dealt


@proves(
    mbs="3.6 3.7 3.7.1 3.7.2",
    six_star="1.1.6 1.1.7",
    fortune_six="1.1.2 1.1.3",
    sands_elements="1.1.2 1.1.3",
    rapid="1.1.1 1.1.2",
    super_six_plus="3.4",
)
def test_first_and_third_cards_are_players_second_and_fourth_bankers(game: Game) -> None:
    a, b, c, d = game.deck.cards[:4]
    round_, hands = Round.start(game, 8), []
    for card in (a, b, c, d):
        hands.append(round_.next.hand)
        round_ = round_.deal(card)
    assert hands == ["player", "banker", "player", "banker"]
    assert (round_.player, round_.banker) == ((a, c), (b, d))


def test_a_round_is_immutable() -> None:
    start = Round.start(GAMES["rapid"], 8)
    start.deal(parse_card("7h"))
    assert start.cards == ()
    with pytest.raises(AttributeError):
        start.slots = (0,) * 6  # type: ignore[misc]


@proves(
    mbs="3.4 3.4.1 3.4.2",
    six_star="1.1.10",
    fortune_six="1.1.6",
    sands_elements="1.1.6",
    rapid="1.1.6",
    super_six_plus="1:point-total",
)
@reads(14)
def test_a_total_is_the_last_digit(game: Game) -> None:
    two, nine, eight, ten = (game.deck.cards[n] for n in (1, 8, 7, 9))
    assert Round.start(game, 8).deal_all((two, ten, two, nine)).player_points == 4
    assert Round.start(game, 8).deal_all((nine, ten, eight, ten)).player_points == 7
    assert Round.start(game, 8).deal_all((two, ten, two, ten, nine)).player_points == 3


def test_hands_and_totals_agree_with_the_rules_written_by_hand(game: Game) -> None:
    rng = random.Random(20170317)
    for _ in range(2_000):
        round_ = complete(game, rng)
        player, banker, used = oracle.deal(codes(round_.cards).split())
        assert (codes(round_.player).split(), codes(round_.banker).split()) == (player, banker)
        assert used == len(round_.cards)
        assert (round_.player_points, round_.banker_points) == (
            oracle.points(player),
            oracle.points(banker),
        )


@proves(mbs="3.10", super_six_plus="3.7 3.9")
def test_the_higher_total_wins(game: Game) -> None:
    """Every two totals that two hands can stand on: six to nine with two cards, by any of the games' decks."""
    suit, ten = game.deck.suits[0] * 13, game.deck.suits[1] * 13 + 9
    for player, banker in product((6, 7, 8, 9), repeat=2):
        round_ = dealt(game, codes((suit + player - 1, suit + banker - 1, ten, ten)))
        assert round_.is_complete
        assert round_.winner == (
            "player" if player > banker else "banker" if banker > player else "tie"
        )
    assert dealt("super-six-plus", "8h 8d Kh").winner is None


@pytest.mark.parametrize(
    ("cards", "extra", "reason"),
    [
        (
            "9h 7h Kh Kd",
            "2s",
            r"complete with 4 cards, Player has a natural 9: no more cards \[3.9.1\]",
        ),
        (
            "2h 3h 2d 3d 8s",
            "2s",
            r"complete with 5 cards, Banker has 6 against .*: stands \[3.9.4\]",
        ),
        ("Kh Kd Qh Qd 2s 3s", "2s", "complete with 6 cards, both hands are finished"),
        ("Kh", "9f", "9f belongs to the five-element deck"),
    ],
)
def test_a_card_that_cannot_be_dealt_is_refused(cards: str, extra: str, reason: str) -> None:
    round_ = dealt("rapid", cards)
    with pytest.raises(Refusal) as refused:
        round_.deal(parse_card(extra))
    assert re.search(reason, str(refused.value))


@pytest.mark.parametrize("number", [-1, 117, 10_000])
def test_a_number_that_is_no_card_is_refused(number: int) -> None:
    with pytest.raises(Refusal, match="is no card"):
        Round.start(GAMES["rapid"], 8).deal(number)


def test_a_card_the_shoe_cannot_hold_any_more_is_refused() -> None:
    kings = dealt("fortune-six", "Kh Kh Kh Kh", decks=4)
    with pytest.raises(Refusal, match="the shoe holds only 4 of them"):
        kings.deal(parse_card("Kh"))
    assert dealt("fortune-six", "Kh Kh Kh Kh Kh", decks=5).player_points == 0


def test_a_later_round_starts_from_what_is_left() -> None:
    game = GAMES["fortune-six"]
    shoe = Shoe.fresh(game.deck, 4).without(parse_cards("7h 7h 7h", game.deck))
    once = Round.start(game, shoe).deal(parse_card("7h"))
    with pytest.raises(Refusal, match="only 1 of them"):
        once.deal(parse_card("7h"))


@proves(six_star="2.1", super_six_plus="2.2.1")
@reads(35)
def test_any_number_of_decks_in_range_and_no_other(game: Game) -> None:
    low, high = (4, 8) if game.id == "super-six-plus" else (4, 10)
    for decks in range(low, high + 1):
        assert len(Round.start(game, decks).shoe) == decks * len(game.deck)
    for decks in (low - 1, high + 1, 0, -8):
        with pytest.raises(Refusal, match=f"{low} to {high} decks, not {decks}") as refused:
            Round.start(game, decks)
        assert refused.value.clause == game.basics.decks


def test_a_card_is_a_plain_int() -> None:
    assert Card(12) == 12
