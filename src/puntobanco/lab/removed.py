"""What one card less of each kind does to each bet, grouped so that a chart has as few bars as tell
the whole truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from puntobanco.catalog import rules_id
from puntobanco.events import Record
from puntobanco.lab.sheets import Figure
from puntobanco.odds.figures import number
from puntobanco.odds.removal import Removal
from puntobanco.rules.cards import Card, points_of, rank_of, suit_name, suit_of
from puntobanco.rules.game import Game


class RemovalSeries(Record):
    """Suits that have the same effects."""

    suits: str
    effects: tuple[
        Figure, ...
    ]  # one for each kind of card; in dollars for a bonus, else of the return


class RemovalBet(Record):
    """`by` is what the kinds of cards are: point values, ranks, or suits where nothing else
    matters.
    """

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
        game=game.id, rules=rules_id(game), decks=decks, cards=decks * len(game.deck), bets=bets
    )


def _bet(game: Game, removal: Removal) -> RemovalBet:
    id_, _, bonus = removal.bet.partition(" ")
    groups, effects = _alike(game, removal), removal.effects
    if all(len({effects[c] for c in cards}) == 1 for _, cards in groups) and len(groups) > 1:
        firsts = tuple(_figure(effects[cards[0]], bonus=bool(bonus)) for _, cards in groups)
        kinds = tuple(name for name, _ in groups)
        return RemovalBet(
            bet=id_,
            bonus=bool(bonus),
            by="suits",
            kinds=kinds,
            series=(RemovalSeries(suits="", effects=firsts),),
        )
    by_points = all(
        len({effects[c] for c in cards if points_of(c) == p}) == 1
        for _, cards in groups
        for p in range(10)
    )
    series = tuple(
        RemovalSeries(
            suits=name,
            effects=tuple(
                _figure(effects[c], bonus=bool(bonus)) for c in _one_of_each(cards, by_points)
            ),
        )
        for name, cards in groups
    )
    ranks = tuple("10" if rank == "T" else rank for rank in game.deck.rank_codes)
    kinds = tuple("0123456789") if by_points else ranks
    return RemovalBet(
        bet=id_,
        bonus=bool(bonus),
        by="points" if by_points else "ranks",
        kinds=kinds,
        series=series,
    )


def _alike(game: Game, removal: Removal) -> list[tuple[str, list[Card]]]:
    """Suits with the same effects together, and what they are called."""
    together = dict[tuple[Fraction, ...], list[int]]()
    for suit in game.deck.suits:
        own = tuple(effect for card, effect in removal.effects.items() if suit_of(card) == suit)
        together.setdefault(own, []).append(suit)
    named, word = [], "element" if game.deck.has_elements else "suit"
    for suits in together.values():
        name = ", ".join(suit_name(suit).en for suit in suits)
        name = (
            f"any {word}"
            if len(together) == 1
            else name
            if len(suits) < 3 or len(together) > 2
            else f"other {word}s"
        )
        named.append((name, [card for card in removal.effects if suit_of(card) == suits[0]]))
    return named


def _one_of_each(cards: Sequence[Card], by_points: bool) -> list[Card]:
    if not by_points:
        return sorted(cards, key=rank_of)
    return [next(card for card in cards if points_of(card) == points) for points in range(10)]


def _figure(effect: Fraction, *, bonus: bool) -> Figure:
    """A change of the return in percentage points, or of a bonus in cents, with its sign.

    >>> _figure(Fraction(-41, 10_000), bonus=False).text
    '−0.4100%'
    >>> _figure(Fraction(1, 8_000), bonus=True).text
    '+0.0125¢'
    """
    text = f"{float(effect) * 100:+.4f}" if effect else "0"
    return Figure(
        **number(effect), text=text.replace("-", "\N{MINUS SIGN}") + ("¢" if bonus else "%")
    )
