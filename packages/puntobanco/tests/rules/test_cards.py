import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco import FIVE_ELEMENTS, STANDARD, Deck, Shoe, parse_cards
from puntobanco.rules.cards import (
    CARD_LIMIT,
    code,
    codes,
    deck_of,
    name,
    parse_card,
    points_of,
    rank_of,
    suit_of,
    symbol,
)
from puntobanco.rules.refusals import CardRefused, UnknownCard
from puntobanco.rules.shoe import MAX_SHOE_CARDS
from tests.support.claims import proves, reads


@proves(mbs="2.1", super_six_plus="2.2 2.2.1")
def test_decks_have_52_and_65_cards_and_no_card_in_common() -> None:
    assert (len(STANDARD.cards), len(FIVE_ELEMENTS.cards)) == (52, 65)
    assert not set(STANDARD.cards) & set(FIVE_ELEMENTS.cards)
    assert len({code(c) for c in (*STANDARD.cards, *FIVE_ELEMENTS.cards)}) == 117


@given(st.integers(0, CARD_LIMIT - 1))
def test_codes_round_trip(card: int) -> None:
    assert parse_card(code(card)) == card
    assert deck_of(card).parse(code(card)) == card


@pytest.mark.parametrize(
    "text", ["", "9", "9x", "10h", "9H", "ah", "9h ", "Js9", "Jf", "Ss", "９h", "\n", "Kg"]
)
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(UnknownCard, match="rank then suit"):
        parse_card(text)


@pytest.mark.parametrize(
    ("deck", "text", "reason"),
    [
        (STANDARD, "9f", "five-element deck; this game plays 52-card"),
        (FIVE_ELEMENTS, "9h", "52-card deck; this game plays five-element"),
    ],
)
def test_a_card_of_the_other_deck_is_refused_by_name(deck: Deck, text: str, reason: str) -> None:
    with pytest.raises(UnknownCard, match=reason):
        deck.parse(text)


@proves(mbs="2.1", super_six_plus="2.2.1")
def test_no_deck_has_a_joker() -> None:
    """Every card is one of thirteen ranks of a suit, each once; nothing else can be written."""
    for deck in (STANDARD, FIVE_ELEMENTS):
        ranks_and_suits = {(rank, suit) for rank in range(13) for suit in deck.suits}
        assert sorted((rank_of(card), suit_of(card)) for card in deck.cards) == sorted(
            ranks_and_suits
        )
        for joker in ("JK", "XX", "X1", "*s", "0s", "Joker", "?"):
            with pytest.raises(UnknownCard):
                deck.parse(joker)


@proves(mbs="3.3 3.3.1 3.3.2", super_six_plus="3.8", six_star="1.1.12")
def test_point_values() -> None:
    for deck in (STANDARD, FIVE_ELEMENTS):
        values = [points_of(card) for card in deck.cards]
        assert values == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0] * len(deck.suits)


@proves(six_star="1.1.2")
@reads(8)
def test_five_elements_are_fire_gold_earth_wood_water() -> None:
    assert [name(parse_card(f"A{suit}")).en for suit in "fgewa"] == [
        "Ace of Fire",
        "Ace of Gold",
        "Ace of Earth",
        "Ace of Wood",
        "Ace of Water",
    ]
    assert [symbol(parse_card(c)) for c in ("Th", "Sf", "9a")] == ["10♥", "S火", "9水"]


def test_cards_are_read_apart_by_spaces_or_commas() -> None:
    assert codes(parse_cards("9f, 2g Tf,4e", FIVE_ELEMENTS)) == "9f 2g Tf 4e"


def test_a_shoe_knows_what_it_can_still_hold() -> None:
    seven = parse_card("7h")
    shoe = Shoe.fresh(STANDARD, 8).without([seven] * 8)
    assert (len(shoe), shoe.count(seven)) == (408, 0)
    with pytest.raises(CardRefused, match=r"7h .* none of them; rescan"):
        shoe.without([seven])
    with pytest.raises(CardRefused, match="only 1 of them"):
        Shoe.fresh(STANDARD, 1).without([seven] * 2)


def test_a_shoe_holds_at_most_its_bound() -> None:
    assert len(Shoe(STANDARD, (MAX_SHOE_CARDS, *[0] * 51))) == MAX_SHOE_CARDS
    with pytest.raises(CardRefused, match="more than a shoe holds"):
        Shoe(STANDARD, (MAX_SHOE_CARDS + 1, *[0] * 51))
    with pytest.raises(CardRefused, match="whole number"):
        Shoe(STANDARD, (-1, *[1] * 51))
    with pytest.raises(CardRefused, match="52 counts"):
        Shoe(STANDARD, (1, 2))


def test_a_shoe_may_hold_just_some_cards() -> None:
    aces = Shoe.holding(STANDARD, {parse_card("As"): 3})
    assert (len(aces), aces.count(parse_card("As")), aces.count(parse_card("Af"))) == (3, 3, 0)
