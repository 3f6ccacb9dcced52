"""Shoes as they are played at each table: the cards left and the stakes of every round, from live
states, or from the day's entries after a restart.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco.rules.cards import parse_cards
from puntobanco.rules.game import Game
from puntobanco.rules.round import Round
from puntobanco.rules.shoe import Shoe
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.service.pit.advantage import ShoePlay

MAX_ENDED = 1_000
"""Shoes that wait to be compared; the oldest is dropped."""


class EndedShoe(NamedTuple):
    table: str
    at: int
    play: ShoePlay


class ShoePlays:
    def __init__(self) -> None:
        self.ended = deque[EndedShoe](maxlen=MAX_ENDED)
        self._plays = dict[str, ShoePlay]()  # of the shoe on each table

    def settled(self, state: TableState, play: Round, event: e.Outcome, at: int) -> None:
        """Add a settled round that the table still shows. A set that is shuffled for each round
        has no edge that varies, and is left out.
        """
        table = state.stream
        shoe = state.shoe
        number = state.current.shoe
        place = 0
        found = self._plays.get(table)
        if shoe is not None and shoe.number == number:
            if shoe.source != "shoe":
                return
            place = len(state.results) + state.voids - 1
            if found is None or found.shoe != number:
                found = self.begin(table, state.playing, shoe.decks, number, at)
        if found is not None and found.shoe == number:
            patrons = state.current.patrons
            found.saw(event.round, place, play.shoe, _wagers(event.lines, patrons))

    def over(self, table: str, shoe: int, at: int) -> None:
        """The shoe has ended: it can be compared."""
        found = self._plays.get(table)
        if found is not None and found.shoe == shoe:
            del self._plays[table]
            if found.stakes:
                self.ended.append(EndedShoe(table, at, found))

    def begin(self, table: str, game: Game, decks: int, shoe: int, at: int) -> ShoePlay:
        if table in self._plays:
            self.over(table, self._plays[table].shoe, at)
        found = self._plays[table] = ShoePlay(game, decks, shoe)
        return found


class PastShoes:
    """Follows a table's entries of the day up to its present state, for shoes that began in it."""

    def __init__(self, plays: ShoePlays, state: TableState) -> None:
        self._plays = plays
        self._state = state
        self._left: Shoe | None = None  # unknown
        self._play: ShoePlay | None = None
        self._patrons = {session: seat.patron for session, seat in state.sessions.items()}

    def saw(self, event: e.Event, at: int) -> None:
        """Take in one event; where the cards left cannot be known, the rest of the shoe is left
        out.
        """
        try:
            self._saw(event, at)
        except Refusal:  # cards that another game or shoe does not have
            self._left = None

    def _saw(self, event: e.Event, at: int) -> None:
        game = self._state.playing
        if seat := e.seat_taken(event):
            self._patrons[seat.session] = seat.patron
        elif isinstance(event, e.ShoeStarted):
            self._left = None
            if event.source == "shoe":
                self._left = _without(game.shoe(event.decks), event.first_card, game)
                table = self._state.stream
                self._play = self._plays.begin(table, game, event.decks, event.shoe, at)
        elif isinstance(event, e.ShoeMixed) and self._left:
            self._left = _without(self._left, event.first_card, game)
        elif isinstance(event, e.Outcome) and event.settles:
            if self._left and self._play:
                wagers = _wagers(event.lines, self._patrons)
                self._play.saw(event.round, 0, self._left, wagers)
                self._left = _without(self._left, event.cards, game)
        elif isinstance(event, e.CardsBurned | e.Reckoning):  # a void round, or one taken back
            self._left = None
        elif shoe := e.shoe_over(event):
            self._plays.over(self._state.stream, shoe, at)


def _without(left: Shoe, cards: str, game: Game) -> Shoe:
    return left.without(parse_cards(cards, game.deck)) if cards else left


def _wagers(
    lines: Iterable[e.Line], patrons: Mapping[str, str]
) -> Iterable[tuple[str, str, str, int]]:
    for line in lines:
        patron = patrons.get(line.session, line.session)
        yield patron, line.session, line.bet, line.stake_cents
