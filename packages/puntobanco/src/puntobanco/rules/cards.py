"""Cards: small ints, two decks, and their codes.

A card is `13 * suit + rank`. Suits 0-3 make the standard deck, suits 4-8 the five elements, so that
a card knows its deck. Ranks 0-12 are ace, two to ten and three pictures: jack, queen, king or Sau,
Luk, Fuk.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from puntobanco.base.words import Words
from puntobanco.rules.refusals import BadGame, UnknownCard

ACE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN = range(10)
JACK, QUEEN, KING = SAU, LUK, FUK = range(10, 13)
SPADES, HEARTS, DIAMONDS, CLUBS, FIRE, GOLD, EARTH, WOOD, WATER = range(9)
RANKS_PER_SUIT = 13
CARD_LIMIT = 9 * RANKS_PER_SUIT

_SUIT_CODES = "shdcfgewa"
_SUIT_SYMBOLS = "♠♥♦♣火金土木水"
_SUIT_NAMES = (
    Words("Spades", "黑桃"),
    Words("Hearts", "紅心"),
    Words("Diamonds", "方塊"),
    Words("Clubs", "梅花"),
    Words("Fire", "火"),
    Words("Gold", "金"),
    Words("Earth", "土"),
    Words("Wood", "木"),
    Words("Water", "水"),
)
_RANK_NAMES = ("Ace", "2", "3", "4", "5", "6", "7", "8", "9", "10")


class Card(int):
    """A card: a whole number that prints as the card it is, `9♥`.

    >>> Card(21), Card(21) == 21
    (9♥, True)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        if 0 <= self < CARD_LIMIT:
            return symbol(self)
        return f"Card({int(self)})"


@dataclass(frozen=True)
class Deck:
    """One deck: which suits it has and how its thirteen ranks are written."""

    id: str
    name: Words
    suits: range
    rank_codes: str
    pictures: tuple[Words, Words, Words]

    def __post_init__(self) -> None:
        suits = self.suits
        every = range(len(_SUIT_CODES))
        is_span = isinstance(suits, range) and suits and suits.step == 1
        if not is_span or not set(suits) <= set(every):
            raise BadGame(f"a deck's suits are a range within {every}, not {suits!r:.60}")
        if not isinstance(self.rank_codes, str) or len(self.rank_codes) != RANKS_PER_SUIT:
            wanted = f"{RANKS_PER_SUIT} rank codes, such as A23456789TJQK"
            raise BadGame(f"a deck has {wanted}, not {self.rank_codes!r:.60}")
        if not isinstance(self.pictures, tuple) or len(self.pictures) != 3:
            raise BadGame(f"a deck has three pictures, each Words, not {self.pictures!r:.60}")

    def __repr__(self) -> str:
        return f"<Deck {self.id}: {len(self)} cards>"

    @property
    def has_elements(self) -> bool:
        """Whether its suits are elements rather than spades, hearts, diamonds and clubs."""
        return self.suits[0] >= FIRE

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """One of each card, suit by suit from the ace up."""
        first = self.suits[0] * RANKS_PER_SUIT
        return CARDS[first : first + len(self)]

    def __len__(self) -> int:
        return len(self.suits) * RANKS_PER_SUIT

    def __contains__(self, card: int) -> bool:
        return card // RANKS_PER_SUIT in self.suits

    def rank_name(self, rank: int) -> Words:
        """What this deck calls a rank: "9", "Queen", "Luk"."""
        if rank < 10:
            return Words(_RANK_NAMES[rank])
        return self.pictures[rank - 10]

    def parse(self, code: str) -> Card:
        """The card of this deck with that code; a card of the other deck is refused by name."""
        card = parse_card(code)
        if card not in self:
            other = deck_of(card).name.en
            raise UnknownCard(
                f"{code} belongs to the {other} deck; this game plays {self.name.en} cards"
            )
        return card


STANDARD = Deck(
    "standard",
    Words("52-card", "52 張"),
    range(4),
    "A23456789TJQK",
    (Words("Jack", "J"), Words("Queen", "Q"), Words("King", "K")),
)
"""Spades, hearts, diamonds and clubs, 52 cards."""

FIVE_ELEMENTS = Deck(
    "five-elements",
    Words("five-element", "五行"),
    range(4, 9),
    "A23456789TSLF",
    (Words("Sau", "壽"), Words("Luk", "祿"), Words("Fuk", "福")),
)
"""Fire, gold, earth, wood and water, 65 cards, with Sau, Luk and Fuk for pictures."""

DECKS = {deck.id: deck for deck in (STANDARD, FIVE_ELEMENTS)}


def rank_of(card: int) -> int:
    return card % RANKS_PER_SUIT


def suit_of(card: int) -> int:
    return card // RANKS_PER_SUIT


def points_of(card: int) -> int:
    """Ace one, two to nine their face, ten and pictures nothing."""
    rank = card % RANKS_PER_SUIT
    return rank + 1 if rank < TEN else 0


def deck_of(card: int) -> Deck:
    return STANDARD if card in STANDARD else FIVE_ELEMENTS


def suit_name(suit: int) -> Words:
    return _SUIT_NAMES[suit]


def _code(card: int) -> str:
    return deck_of(card).rank_codes[rank_of(card)] + _SUIT_CODES[suit_of(card)]


CARDS = tuple(map(Card, range(CARD_LIMIT)))
CODES = tuple(map(_code, CARDS))
_CARDS = dict(zip(CODES, CARDS, strict=True))


def parse_card(code: str) -> Card:
    """
    >>> code(parse_card("9f")), points_of(parse_card("Lw"))
    ('9f', 0)
    """
    try:
        return _CARDS[code]
    except (KeyError, TypeError):
        raise UnknownCard(
            f"{code!r:.20} is no card; write rank then suit: A 2-9 T J Q K with s h d c, "
            "or A 2-9 T S L F with f g e w a (fire gold earth wood water)"
        ) from None


def parse_cards(cards: str | Iterable[int | str], deck: Deck) -> tuple[Card, ...]:
    """Return cards of a deck, given as text with spaces or commas, or as codes or cards in a list.

    >>> parse_cards("9s, 2h", STANDARD) == parse_cards(["9s", 14], STANDARD)
    True
    """
    if isinstance(cards, str):
        cards = cards.replace(",", " ").split()
    if not isinstance(cards, Iterable):
        raise UnknownCard(f"cards are codes, such as '9s 2h', not {cards!r:.40}")
    return tuple(_card(card, deck) for card in cards)


def _card(card: int | str, deck: Deck) -> Card:
    if isinstance(card, str):
        return deck.parse(card)
    if isinstance(card, int) and 0 <= card < CARD_LIMIT:
        return CARDS[card]
    raise UnknownCard(f"a card is a code, such as 9s, not {card!r:.40}")


def code(card: int) -> str:
    return CODES[card]


def codes(cards: Iterable[int]) -> str:
    return " ".join(CODES[c] for c in cards)


def symbol(card: int) -> str:
    """A card as it looks on a table: `9♥`, `壽火`.

    >>> symbol(parse_card("Th")), symbol(parse_card("9f"))
    ('10♥', '9火')
    """
    rank = rank_of(card)
    face = "10"
    if rank != TEN:
        face = deck_of(card).rank_codes[rank]
    return face + _SUIT_SYMBOLS[suit_of(card)]


def name(card: int) -> Words:
    """
    >>> name(parse_card("Lw")).en
    'Luk of Wood'
    """
    rank = deck_of(card).rank_name(rank_of(card))
    return Words("{} of {}", "{1}{0}").format(rank, suit_name(suit_of(card)))
