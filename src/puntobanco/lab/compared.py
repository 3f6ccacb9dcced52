"""All games of a floor side by side at one number of decks: the same bet in one row, the best and
the worst named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from puntobanco.catalog import rules_id
from puntobanco.events import Record
from puntobanco.lab.sheets import STOPS, Figure, deviation, share
from puntobanco.odds.par import BetOdds, ParSheet
from puntobanco.paytable import hand_of
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.refusals import DecksRefused
from puntobanco.rules.words import heading

Rank = Literal["best", "worst", "same", "only", ""]
"""Of a cell in its row: the lowest edge, the highest, all alike, no other game has it; or nothing
to say.
"""


class ComparedGame(Record):
    """A column: a game, and why it has no figures where its rulebook does not allow so many
    decks.
    """

    game: str
    title: str
    heading: str
    rules: str
    deck_cards: int
    cards: int
    refused: str = ""
    clause: str = ""


class ComparedCell(Record):
    bet: str
    title: str
    pays: str
    edge: Figure
    hit: Figure
    deviation: Figure
    rank: Rank
    bonus: bool  # with the bonus, for each dollar of the stake


class ComparedRow(Record):
    row: str
    title: str
    hand: str
    cells: tuple[
        ComparedCell | None, ...
    ]  # one for each game; none where it does not offer the bet


class Extreme(Record):
    """The lowest or the highest edge of all, and where: games that share it share the line."""

    edge: Figure
    title: str
    games: tuple[str, ...]


class CompareView(Record):
    decks: int
    stake_cents: int
    stakes: tuple[int, ...]  # in cents, for a bet with a bonus
    bonus: tuple[str, ...]  # titles of the bets that depend on the stake
    games: tuple[ComparedGame, ...]
    rows: tuple[ComparedRow, ...]
    lowest: Extreme | None
    highest: Extreme | None


@dataclass
class _Row:
    """Bets of one id, or of another name for the same conditions."""

    bets: dict[str, BetOdds] = field(default_factory=dict)  # by game

    def takes(self, game: str, bet: Bet) -> bool:
        alike = any(
            odds.bet.id == bet.id or _whens(odds.bet) == _whens(bet) for odds in self.bets.values()
        )
        return alike and game not in self.bets


def _whens(bet: Bet) -> tuple[object, ...]:
    return tuple(line.when for line in bet.pays)


def compare_view(
    games: Sequence[Game], sheets: Mapping[str, ParSheet], decks: int, stake_cents: int
) -> CompareView:
    """`sheets` are of the games that allow so many decks."""
    rows = list[_Row]()
    for id_, sheet in sheets.items():
        for odds in sheet.bets:
            row = next((row for row in rows if row.takes(id_, odds.bet)), None)
            if row is None:
                rows.append(row := _Row())
            row.bets[id_] = odds
    stake = Fraction(stake_cents, 100)
    bonus = dict.fromkeys(
        odds.bet.title.en for row in rows for odds in row.bets.values() if odds.bonus
    )
    return CompareView(
        decks=decks,
        stake_cents=stake_cents,
        stakes=tuple(stop * 100 for stop in STOPS),
        bonus=tuple(bonus),
        games=tuple(_game(game, decks) for game in games),
        rows=tuple(_row(row, games, stake) for row in rows),
        lowest=_extreme(rows, sheets, stake, lowest=True),
        highest=_extreme(rows, sheets, stake, lowest=False),
    )


def _game(game: Game, decks: int) -> ComparedGame:
    refused = clause = ""
    try:
        game.shoe(decks)
    except DecksRefused as refusal:
        refused, clause = refusal.reason, refusal.clause or ""
    return ComparedGame(
        game=game.id,
        title=game.title.en,
        heading=heading(game).en,
        rules=rules_id(game),
        deck_cards=len(game.deck),
        cards=decks * len(game.deck),
        refused=refused,
        clause=clause,
    )


def _edge(odds: BetOdds, stake: Fraction) -> Fraction:
    return -odds.ev_at(stake) if odds.bonus else -odds.ev


def _row(row: _Row, games: Sequence[Game], stake: Fraction) -> ComparedRow:
    edges = {id_: _edge(odds, stake) for id_, odds in row.bets.items()}
    titles = dict.fromkeys(odds.bet.title.en for odds in row.bets.values())
    first = next(iter(row.bets.values())).bet
    cells = tuple(
        _cell(row.bets[g.id], edges, edges[g.id], stake) if g.id in row.bets else None
        for g in games
    )
    return ComparedRow(row=first.id, title=" / ".join(titles), hand=hand_of(first), cells=cells)


def _cell(
    odds: BetOdds, edges: Mapping[str, Fraction], edge: Fraction, stake: Fraction
) -> ComparedCell:
    variance = odds.variance_at(stake) if odds.bonus else odds.variance
    pays = (
        *(line.line.pays.words.en for line in odds.lines),
        *(b.line.pays.words.en for b in odds.bonus),
    )
    return ComparedCell(
        bet=odds.bet.id,
        title=odds.bet.title.en,
        pays=", ".join(pays),
        edge=share(edge),
        hit=share(odds.hit, 3),
        deviation=deviation(variance),
        rank=rank_of(edge, tuple(edges.values())),
        bonus=bool(odds.bonus),
    )


def rank_of(edge: Fraction, all_of_them: Sequence[Fraction]) -> Rank:
    """>>> two, three = Fraction(2), Fraction(3)
    >>> rank_of(two, (two, three)), rank_of(three, (two, three))
    ('best', 'worst')
    >>> rank_of(two, (two, two)), rank_of(two, (two,))
    ('same', 'only')
    """
    low, high = min(all_of_them), max(all_of_them)
    if len(all_of_them) == 1:
        return "only"
    if low == high:
        return "same"
    return "best" if edge == low else "worst" if edge == high else ""


def _extreme(
    rows: Sequence[_Row], sheets: Mapping[str, ParSheet], stake: Fraction, *, lowest: bool
) -> Extreme | None:
    found = [
        (_edge(odds, stake), odds.bet.title.en, id_)
        for row in rows
        for id_, odds in row.bets.items()
    ]
    if not found:
        return None
    edge, title, _ = (min if lowest else max)(found, key=lambda each: each[0])
    games = tuple(sheets[id_].game.title.en for e, t, id_ in found if (e, t) == (edge, title))
    return Extreme(edge=share(edge), title=title, games=games)
