"""Orders of cards: which cards of a virtual shoe a command needs, and what is done without them."""

from __future__ import annotations

import puntobanco_floor.domain.events as e
from puntobanco.rules.causes import Cause
from puntobanco.rules.game import Game
from puntobanco_floor.domain.machine import CLOCK, Events, Fresh, Held
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.shoes import cards_of
from puntobanco_floor.domain.table.state import ShoeState, TableState
from puntobanco_floor.domain.table.stops import MALFUNCTION, MALFUNCTION_CLAUSE, incident

CARDS_OF_A_ROUND = 6


def needed(state: TableState, command: c.Command) -> Fresh | Held | None:
    """The cards of a new shoe or round, or those kept since; None where the command needs none."""
    traits = command.traits
    if not traits.cards or (traits.phases is not None and state.phase not in traits.phases):
        return None
    if isinstance(command, c.NewShoe) and state.game and state.shoe is None:
        return _new_shoe(state, command)
    shoe = state.shoe
    if shoe is None or shoe.dealing != "virtual":
        return None
    if isinstance(command, c.MixShoe | c.AbandonShoe) and not shoe.waits_for_mix:
        return None
    if shoe.source == "shoe":
        return _held(command, shoe, state.cards_place, shoe.commitment)
    if isinstance(command, c.OpenBets):
        place = f"{state.stream}/round/{state.rounds + 1}"
        return Fresh(place, _cards(state.playing, shoe.decks), CARDS_OF_A_ROUND)
    committed = state.round.commitment if state.round else ""
    return _held(command, shoe, state.cards_place, committed)


def _new_shoe(state: TableState, command: c.NewShoe) -> Fresh | None:
    cards = cards_of(state, command)
    if cards.dealing != "virtual" or cards.source != "shoe":
        return None
    place = f"{state.stream}/shoe/{state.shoes + 1}"
    return Fresh(place, _cards(state.playing, cards.decks))


def _held(command: c.Command, shoe: ShoeState, place: str, commitment: str) -> Held:
    """A card cannot be dealt, nor a round opened, from cards that cannot be had; what cannot be
    revealed is ended without, and an audit says so.
    """
    opens = isinstance(command, c.OpenBets) and not shoe.spoiled
    is_vital = opens or isinstance(command, c.DealCard | c.MixShoe)
    return Held(place, commitment, is_vital=is_vital, seed=shoe.seed)


def _cards(game: Game, decks: int) -> list[int]:
    """Every card of so many fresh decks; refuses a number that the rulebook does not allow."""
    found = list[int]()
    for card, count in zip(game.deck.cards, game.shoe(decks).counts, strict=True):
        found += [card] * count
    return found


def malfunction(state: TableState, cause: Cause) -> tuple[c.Command, Events]:
    """The cards cannot be had: people decide (reading 31). The round stops for a decision; between
    rounds the shoe is not played on with.
    """
    command = c.DeclareIrregularity(by=CLOCK, ground=MALFUNCTION)
    if state.is_in_play:
        declared = e.IrregularityDeclared(
            round=state.current.number, ground=MALFUNCTION, clause=MALFUNCTION_CLAUSE, detail=cause
        )
        return command, (declared,)
    why = Cause("cards-not-had")
    return command, (incident(MALFUNCTION, MALFUNCTION_CLAUSE, why, cause, spoils=True),)
