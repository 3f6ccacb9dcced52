"""All games of a floor side by side with one number of decks: the same bet in one row, the best
and the worst named.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from puntobanco.base.words import Words, join
from puntobanco.odds.par import BetOdds, ParSheet
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.refusals import DecksRefused
from puntobanco.rules.rules_page import heading
from puntobanco_floor.lab.sheets import STOPS, Figure, deviation, share
from puntobanco_floor.views.game_view import hand_of
from puntobanco_proof.entry.record import Record

Rank = Literal["best", "worst", "same", "only", ""]
"""Of a cell in its row: the lowest edge, the highest, all alike, or that no other game has it."""


class ComparedGame(Record):
    """A column: a game, and why it has no figures where it does not allow so many decks."""

    game: str
    title: Words
    heading: Words
    rules: str
    deck_cards: int
    cards: int
    refused: Words | None = None
    clause: str = ""


class ComparedCell(Record):
    bet: str
    title: Words
    pays: str
    edge: Figure
    hit: Figure
    deviation: Figure
    rank: Rank
    bonus: bool  # with the bonus, for each dollar of the stake


class ComparedRow(Record):
    row: str
    title: Words
    hand: str
    cells: tuple[ComparedCell | None, ...]  # one for each game; none where it has no such bet


class Extreme(Record):
    """The lowest or the highest edge of all, and where: games that share it share the line."""

    edge: Figure
    title: Words
    games: tuple[Words, ...]


class CompareView(Record):
    decks: int
    stake_cents: int
    stakes: tuple[int, ...]  # in cents, for a bet with a bonus
    bonus: tuple[Words, ...]  # titles of the bets that depend on the stake
    games: tuple[ComparedGame, ...]
    rows: tuple[ComparedRow, ...]
    lowest: Extreme | None
    highest: Extreme | None


@dataclass
class _Row:
    """Bets of one id, or of another name for the same conditions."""

    bets: dict[str, BetOdds] = field(default_factory=dict)  # by game

    def takes(self, game: str, bet: Bet) -> bool:
        if game in self.bets:
            return False
        return any(_is_alike(odds.bet, bet) for odds in self.bets.values())


def _is_alike(one: Bet, other: Bet) -> bool:
    if one.id == other.id:
        return True
    return [line.when for line in one.pays] == [line.when for line in other.pays]


def compare_view(
    games: Sequence[Game], sheets: Mapping[str, ParSheet], decks: int, stake_cents: int
) -> CompareView:
    """`sheets` are of the games that allow so many decks."""
    rows = list[_Row]()
    for id_, sheet in sheets.items():
        for odds in sheet.bets:
            row = next((row for row in rows if row.takes(id_, odds.bet)), None)
            if row is None:
                row = _Row()
                rows.append(row)
            row.bets[id_] = odds
    stake = Fraction(stake_cents, 100)
    bonus = dict[Words, None]()  # a set that keeps its order
    for row in rows:
        for odds in row.bets.values():
            if odds.bonus:
                bonus[odds.bet.title] = None
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
    refused, clause = None, ""
    try:
        game.shoe(decks)
    except DecksRefused as refusal:
        refused = refusal.words
        clause = refusal.clause or ""
    return ComparedGame(
        game=game.id,
        title=game.title,
        heading=heading(game),
        rules=game.rules_id,
        deck_cards=len(game.deck),
        cards=decks * len(game.deck),
        refused=refused,
        clause=clause,
    )


def _edge(odds: BetOdds, stake: Fraction) -> Fraction:
    if odds.bonus:
        return -odds.ev_at(stake)
    return -odds.ev


def _row(row: _Row, games: Sequence[Game], stake: Fraction) -> ComparedRow:
    edges = {id_: _edge(odds, stake) for id_, odds in row.bets.items()}
    titles = dict.fromkeys(odds.bet.title for odds in row.bets.values())
    first = next(iter(row.bets.values())).bet
    cells = []
    for game in games:
        odds = row.bets.get(game.id)
        cells.append(_cell(odds, list(edges.values()), stake) if odds else None)
    title = join(titles, en=" / ", zh="／")
    return ComparedRow(
        row=first.id,
        title=title,
        hand=hand_of(first),
        cells=tuple(cells),
    )


def _cell(odds: BetOdds, edges: Sequence[Fraction], stake: Fraction) -> ComparedCell:
    edge = _edge(odds, stake)
    variance = odds.variance_at(stake) if odds.bonus else odds.variance
    pays = [line.line.pays.words.en for line in odds.all_lines]
    return ComparedCell(
        bet=odds.bet.id,
        title=odds.bet.title,
        pays=", ".join(pays),
        edge=share(edge),
        hit=share(odds.hit, 3),
        deviation=deviation(variance),
        rank=rank_of(edge, edges),
        bonus=bool(odds.bonus),
    )


def rank_of(edge: Fraction, all_of_them: Sequence[Fraction]) -> Rank:
    """>>> two, three = Fraction(2), Fraction(3)
    >>> rank_of(two, (two, three)), rank_of(three, (two, three))
    ('best', 'worst')
    >>> rank_of(two, (two, two)), rank_of(two, (two,))
    ('same', 'only')
    """
    low = min(all_of_them)
    high = max(all_of_them)
    if len(all_of_them) == 1:
        return "only"
    if low == high:
        return "same"
    if edge == low:
        return "best"
    return "worst" if edge == high else ""


def _extreme(
    rows: Sequence[_Row], sheets: Mapping[str, ParSheet], stake: Fraction, *, lowest: bool
) -> Extreme | None:
    games = defaultdict[tuple[Fraction, Words], list[Words]](list)
    for row in rows:
        for id_, odds in row.bets.items():
            bet = (_edge(odds, stake), odds.bet.title)
            games[bet].append(sheets[id_].game.title)
    if not games:
        return None
    furthest = min if lowest else max
    edge, title = furthest(games, key=lambda bet: bet[0])
    return Extreme(edge=share(edge), title=title, games=tuple(games[edge, title]))
