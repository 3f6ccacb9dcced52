"""Effects of removal for the lab's charts, grouped into as few bars as tell the whole truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

from puntobanco.base.record import Record
from puntobanco.odds.card_counting import Removal
from puntobanco.odds.par_report import number
from puntobanco.rules.cards import Card, points_of, rank_of, suit_name, suit_of
from puntobanco.rules.game import Game
from puntobanco_floor.lab.sheets import Figure, minus


class RemovalSeries(Record):
    """Suits that have the same effects."""

    suits: str
    effects: tuple[Figure, ...]  # one for each kind of card: of the return, or a bonus's dollars


class RemovalBet(Record):
    """A bet, or its bonus, by point values, ranks, or suits where nothing else matters."""

    bet: str
    bonus: bool
    by: Literal["points", "ranks", "suits"]
    kinds: tuple[str, ...]
    series: tuple[RemovalSeries, ...]


class RemovalView(Record):
    game: str
    rules: str
    decks: int
    cards: int
    bets: tuple[RemovalBet, ...]


def removal_view(game: Game, decks: int, removals: Sequence[Removal]) -> RemovalView:
    bets = tuple(_bet(game, removal) for removal in removals)
    return RemovalView(
        game=game.id, rules=game.rules_id, decks=decks, cards=decks * len(game.deck), bets=bets
    )


def _bet(game: Game, removal: Removal) -> RemovalBet:
    id_, _, bonus = removal.bet.partition(" ")
    groups = _alike(game, removal)

    def series(suits: str, cards: Iterable[Card]) -> RemovalSeries:
        figures = [_figure(removal.effects[card], bonus=bool(bonus)) for card in cards]
        return RemovalSeries(suits=suits, effects=tuple(figures))

    by: Literal["points", "ranks", "suits"]
    if len(groups) > 1 and _same_within(groups, removal, suit_of):
        by = "suits"
        kinds = list(groups)
        bars = [series("", (cards[0] for cards in groups.values()))]
    elif _same_within(groups, removal, points_of):
        by = "points"
        kinds = list("0123456789")
        bars = [series(suits, _one_of_each_point(cards)) for suits, cards in groups.items()]
    else:
        by = "ranks"
        kinds = ["10" if rank == "T" else rank for rank in game.deck.rank_codes]
        bars = [series(suits, sorted(cards, key=rank_of)) for suits, cards in groups.items()]
    return RemovalBet(bet=id_, bonus=bool(bonus), by=by, kinds=tuple(kinds), series=tuple(bars))


def _same_within(
    groups: Mapping[str, Sequence[Card]], removal: Removal, kind: Callable[[Card], int]
) -> bool:
    """Whether cards of one kind have one effect, in every group of suits."""
    for cards in groups.values():
        effects = {(kind(card), removal.effects[card]) for card in cards}
        if len(effects) > len({kind(card) for card in cards}):
            return False
    return True


def _alike(game: Game, removal: Removal) -> dict[str, list[Card]]:
    """Suits with the same effects together: what they are called, and the cards of one of them."""
    word = "element" if game.deck.has_elements else "suit"
    groups = removal.alike(game.deck)
    named = {}
    for suits in groups:
        name = ", ".join(suit_name(suit).en for suit in suits)
        if len(groups) == 1:
            name = f"any {word}"
        elif len(groups) == 2 and len(suits) > 2:
            name = f"other {word}s"
        named[name] = removal.of_suit(suits[0])
    return named


def _one_of_each_point(cards: Sequence[Card]) -> list[Card]:
    first = {points_of(card): card for card in reversed(cards)}
    return [first[points] for points in range(10)]


def _figure(effect: Fraction, *, bonus: bool) -> Figure:
    """A change of the return in percentage points, or of a bonus in cents, with its sign.

    >>> _figure(Fraction(-41, 10_000), bonus=False).text
    '−0.4100%'
    >>> _figure(Fraction(1, 8_000), bonus=True).text
    '+0.0125¢'
    """
    text = "0"
    if effect:
        text = f"{float(effect) * 100:+.4f}"
    unit = "¢" if bonus else "%"
    return Figure(**number(effect), text=minus(text) + unit)
