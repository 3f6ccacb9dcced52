"""Opening and closing a table; its shoes: new, counted, ended."""

from __future__ import annotations

import msgspec

import puntobanco.events as e
from puntobanco.rules.definition import Definition, define, digest, game_of
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.refusals import UnknownGame, UnknownGround
from puntobanco.rules.round import MAX_CARDS
from puntobanco.table import commands as c
from puntobanco.table import refusals as r
from puntobanco.table.asked import Asked, Events, on
from puntobanco.table.limits import default_limits, verify_limits
from puntobanco.table.state import ShoeState, TableState
from puntobanco.table.stops import declaration, incident

MAX_CLOCK_MS = 3_600_000


@on(c.OpenTable)
def open_table(asked: Asked, command: c.OpenTable) -> Events:
    del asked
    definition = _definition(command)
    game = game_of(definition)
    limits = command.limits or default_limits(game)
    verify_limits(game, limits)
    _verify_clock(game, command.clock)
    opened = e.TableOpened(
        game=game.id, digest=digest(game), definition=definition, limits=limits, clock=command.clock,
        source="" if command.definition is None else command.source,  # a built-in game has no file
    )  # fmt: skip
    return (opened,)


def _definition(command: c.OpenTable) -> Definition:
    """A built-in game's, or the one that was given; a built-in game's id names that game and no other."""
    if command.definition is None:
        if command.game not in GAMES:
            raise UnknownGame(
                f"there is no game {command.game!r:.60} here; the games are {', '.join(GAMES)}, and one of your own is "
                "opened by its file: puntobanco table add NUMBER game.py"
            )
        return define(GAMES[command.game])
    game = game_of(command.definition)
    if game.id in GAMES:
        raise UnknownGame(f"{game.id} is a built-in game; give yours an id of its own")
    if game.id != command.game:
        raise UnknownGame(f"the definition is of {game.id}, not of {command.game!r:.60}")
    return command.definition


def _verify_clock(game: Game, clock: e.Clock) -> None:
    times = (clock.betting_ms, clock.guard_ms, clock.card_ms, clock.pause_ms)
    if not all(0 <= ms <= MAX_CLOCK_MS for ms in times):
        raise r.BadCommand(f"the times of a clock are 0 to {MAX_CLOCK_MS:,} milliseconds")
    if clock.automatic and not (clock.betting_ms and clock.pause_ms):
        raise r.BadCommand("a table that runs by itself needs a betting time, and a pause in which people can act")
    if clock.new_shoes:
        _verify_shoe(game, clock.decks or game.default_decks, cut=clock.cut, burn=0)


@on(c.CloseTable)
def _(asked: Asked, command: c.CloseTable) -> Events:
    ended = _shoe_ended(asked) if asked.state.shoe else ()
    return (*ended, e.TableClosed(reason=command.reason))


@on(c.HaltTable)
def _(asked: Asked, command: c.HaltTable) -> Events:
    state = asked.state
    if state.closing:
        raise r.NotNow(f"the table closes already: {state.halted}")
    if state.halted and not command.closes:
        raise r.NotNow(f"the table is stopped already: {state.halted}")
    # One that closes stays stopped whatever becomes of the floor.
    by_floor = command.by_floor and not command.closes
    return (e.TableHalted(reason=command.reason, by_floor=by_floor, closes=command.closes),)


@on(c.RestartTable)
def _(asked: Asked, command: c.RestartTable) -> Events:
    del command
    if not asked.state.halted:
        raise r.NotNow("the table is not stopped")
    return (e.TableRestarted(),)


@on(c.ChangeLimits)
def _(asked: Asked, command: c.ChangeLimits) -> Events:
    verify_limits(asked.state.playing, command.limits)
    return (e.LimitsChanged(limits=command.limits),)


@on(c.ChangeClock)
def _(asked: Asked, command: c.ChangeClock) -> Events:
    _verify_clock(asked.state.playing, command.clock)
    return (e.ClockChanged(clock=command.clock),)


@on(c.NewShoe)
def _(asked: Asked, command: c.NewShoe) -> Events:
    state, game = asked.state, asked.state.playing
    if state.shoe is not None:
        raise r.ShoeRefused(f"shoe {state.shoe.number} is on the table; end it first")
    decks = game.default_decks if command.decks is None else command.decks
    _verify_shoe(game, decks, cut=command.cut, burn=command.burn)
    if command.source == "continuous" and (command.cut or command.burn):
        command = msgspec.structs.replace(command, cut=0, burn=0)  # every round starts from the full set
    committed = asked.order.commitment if asked.order and command.source == "shoe" else ""
    assert bool(committed) == (command.dealing == "virtual" and command.source == "shoe")
    return (
        e.ShoeStarted(
            shoe=state.shoes + 1, source=command.source, dealing=command.dealing, decks=decks, cut=command.cut,
            burn=command.burn, commitment=committed,
        ),
    )  # fmt: skip


def _verify_shoe(game: Game, decks: int, *, cut: int, burn: int) -> None:
    cards = len(game.shoe(decks))
    if min(cut, burn) < 0 or cut + burn + MAX_CARDS > cards:
        raise r.ShoeRefused(f"{burn} burned and {cut} behind the cut card leave no round of {cards} cards")


def shoe_on_table(state: TableState) -> ShoeState:
    if state.shoe is None:
        raise r.ShoeRefused("no shoe is on the table; put one on first")
    return state.shoe


@on(c.CountShoe)
def _(asked: Asked, command: c.CountShoe) -> Events:
    state, shoe = asked.state, shoe_on_table(asked.state)
    if shoe.dealing == "virtual":
        raise r.ShoeRefused("a virtual shoe cannot be counted; its commitment proves its cards")
    expected = len(state.playing.shoe(shoe.decks))
    counted = e.ShoeCounted(shoe=shoe.number, counted=command.cards, expected=expected)
    if command.cards == expected:
        return (counted,)
    detail = f"{command.cards} cards counted, {expected} expected"
    try:
        return (counted, *declaration(asked, "wrong-deck-count", detail, None))
    except UnknownGround:  # no clause voids a round for it: an incident, and the shoe is retired (reading 26)
        why = "cards are missing or too many; no clause voids a round for it; the shoe is retired"
        return (counted, incident("wrong-deck-count", "reading 26", why, detail, spoils=True))


@on(c.EndShoe)
def _(asked: Asked, command: c.EndShoe) -> Events:
    del command
    shoe_on_table(asked.state)
    return _shoe_ended(asked)


def _shoe_ended(asked: Asked) -> Events:
    shoe, order = shoe_on_table(asked.state), asked.order
    if shoe.commitment and order is not None:  # without its key a shoe ends unrevealed
        return (e.ShoeEnded(shoe=shoe.number, order=order.text, nonce=order.nonce.hex()),)
    return (e.ShoeEnded(shoe=shoe.number),)
