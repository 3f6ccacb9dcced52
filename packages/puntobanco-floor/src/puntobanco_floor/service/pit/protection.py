"""Game protection: what every wager was worth for the cards unseen, and what the round in play may
cost at worst.

The edges and the unseen cards are those of a round that is over, as it began. Of a round that is
open for bets, or still played, nothing of the kind is worked out. And while bets are open nothing
is shown of the shoe in play: less the cards that everybody saw it would be what the next round is
worth, to whoever reads over a supervisor's shoulder.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache

from puntobanco.base.words import Words
from puntobanco.odds.par import BetOdds, ParSheet, par_sheet
from puntobanco.rules.cards import code, points_of, suit_name, suit_of
from puntobanco.rules.game import Game
from puntobanco.rules.shoe import Shoe
from puntobanco_floor.domain.table.state import TableState
from puntobanco_proof.entry.record import Record

FELL_BY = Fraction(1, 100)
"""An edge that fell by more than one point is worth a look; below nothing it is the player's."""


class WagerEdge(Record):
    """The house's edge for each dollar; the bonus counted in at the table's minimum."""

    bet: str
    title: Words
    stake_cents: (
        int | None
    )  # the stake at which a bonus is counted in; none where there is no bonus
    fresh: float
    now: float
    grade: str  # "", "fell" or "favourable" to the player


class Unseen(Record):
    suit: str  # as codes of cards write it
    name: Words
    count: int


class Protection(Record):
    round: int  # that is over; the figures are those with which it began
    shoe: int
    decks: int
    burned: int  # cards that left unseen, and are counted among the unseen
    unseen: int
    points: tuple[int, ...]  # unseen cards of 0 to 9 points
    expected: tuple[float, ...]  # the same of so many cards of a fresh shoe
    suits: tuple[Unseen, ...]
    edges: tuple[WagerEdge, ...]


class WorstCase(Record):
    """The cost of a bet if its best line comes, with fixed bonuses and without stakes."""

    bet: str
    title: Words
    pays: Words
    patrons: int  # who would get a fixed bonus
    stake_cents: int
    payout_cents: int


@lru_cache(maxsize=64)
def _fresh(game: Game, decks: int) -> ParSheet:
    return par_sheet(game, decks)


def protection(state: TableState) -> Protection | None:
    """Return the figures of a round that is settled or void, as it began."""
    round_ = state.round
    shoe = state.shoe
    limits = state.limits
    if round_ is None or limits is None or state.phase not in ("settled", "void"):
        return None
    left = round_.play.shoe
    same = shoe if shoe and shoe.number == round_.shoe else None
    decks = same.decks if same else state.playing.default_decks
    fresh = _fresh(state.playing, decks)
    now = par_sheet(state.playing, left)
    edges = tuple(
        _edge(before, after, limits.bets[before.bet.id].min_cents)
        for before, after in zip(fresh.bets, now.bets, strict=True)
    )
    points = _points(left)
    share = Fraction(len(left), max(1, len(fresh.shoe)))
    return Protection(
        round=round_.number,
        shoe=round_.shoe,
        decks=decks,
        burned=same.burn if same else 0,
        unseen=len(left),
        points=points,
        expected=tuple(float(n * share) for n in _points(fresh.shoe)),
        suits=_suits(left),
        edges=edges,
    )


def is_withheld(shoe: int, state: TableState) -> bool:
    """Whether this is the shoe in play, and bets are open on its next round."""
    in_play = state.shoe.number if state.shoe else 0
    return state.phase == "betting" and shoe == in_play


def shown(found: Protection | None, state: TableState) -> Protection | None:
    """What the board may tell just now."""
    if found and is_withheld(found.shoe, state):
        return None
    return found


def _edge(before: BetOdds, after: BetOdds, least_cents: int) -> WagerEdge:
    """An edge is the house's: what a patron loses."""
    stake = Fraction(least_cents, 100)
    fresh = -before.ev_at(stake)
    now = -after.ev_at(stake)
    return WagerEdge(
        bet=after.bet.id,
        title=after.bet.title,
        stake_cents=least_cents if after.bonus else None,
        fresh=float(fresh),
        now=float(now),
        grade=grade(fresh, now),
    )


def grade(fresh: Fraction, now: Fraction) -> str:
    """
    >>> [grade(Fraction(10, 100), Fraction(now, 100)) for now in (12, 9, 8, -1)]
    ['', '', 'fell', 'favourable']
    """
    if now < 0:
        return "favourable"
    return "fell" if fresh - now > FELL_BY else ""


def _points(shoe: Shoe) -> tuple[int, ...]:
    found = Counter[int]()
    for card in shoe.deck.cards:
        found[points_of(card)] += shoe.count(card)
    return tuple(found[points] for points in range(10))


def _suits(shoe: Shoe) -> tuple[Unseen, ...]:
    found = Counter[int]()
    letters = dict[int, str]()
    for card in shoe.deck.cards:
        suit = suit_of(card)
        letters[suit] = code(card)[-1]
        found[suit] += shoe.count(card)
    return tuple(
        Unseen(suit=letters[s], name=suit_name(s), count=found[s]) for s in shoe.deck.suits
    )


def worst_cases(state: TableState) -> list[WorstCase]:
    """Of the round in play, from its stakes; the dearest first. Nobody's cards are looked at."""
    round_ = state.round
    if round_ is None or not state.is_in_play:
        return []
    game = state.playing
    stakes = round_.stakes
    lines = {bet.id: bet.exposure_cents(stakes.get(bet.id, 0)) for bet in game.bets}
    with_bonus = [bet for bet in game.bets if bet.bonus and stakes.get(bet.id)]
    bonus = round_.exposure_cents - sum(lines.values())  # kept wager by wager: one for each session
    found = list[WorstCase]()
    for bet in game.bets:
        stake = stakes.get(bet.id, 0)
        cents = lines[bet.id]
        patrons = 0
        if not stake:
            continue
        if with_bonus and bet is with_bonus[0]:
            cents += bonus
            patrons = bonus // bet.top_bonus_cents
        found.append(
            WorstCase(
                bet=bet.id,
                title=bet.title,
                pays=bet.top_odds.words,
                patrons=patrons,
                stake_cents=stake,
                payout_cents=cents,
            )
        )
    return sorted(found, key=lambda case: -case.payout_cents)
