"""What the clock owes a table, and when."""

from __future__ import annotations

from puntobanco.rules.round import MAX_CARDS
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.events import Clock, ScheduledChange
from puntobanco_floor.domain.machine import CLOCK, Due
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import BETWEEN, TableState

CLOSES_AFTER_MS = 5_000
"""How long the last result of a table that closes can at least be read."""

SQUEEZED_FROM = 4
"""With the fourth card both hands lie there."""

MIX_MS = 10_000
"""How long a table waits for the witnesses that mix its shoe; then the shoe is abandoned."""


def due(state: TableState) -> Due | None:
    """The next command by the clock; None where the table waits for a person."""
    clock, round_ = state.clock, state.round
    if state.phase == "betting" and round_ is not None and round_.deadline is not None:
        return Due(round_.deadline, c.CloseBets(by=CLOCK))
    if state.closing and state.phase in BETWEEN and undecided(state) is None:
        pause_ms = max(clock.pause_ms, CLOSES_AFTER_MS)
        close = c.CloseTable(by=CLOCK, reason=state.halted)
        return Due(state.changed_at + pause_ms, close)
    # first of all: no round opens before, and the pause may be the new one
    if state.scheduled and state.phase in BETWEEN and not state.closing:
        return Due(state.changed_at, _change(state.scheduled[0]))
    shoe = state.shoe
    if shoe is not None and shoe.waits_for_mix and state.phase in BETWEEN:
        return Due(state.changed_at + MIX_MS, c.AbandonShoe(by=CLOCK))
    if not clock.automatic or undecided(state) is not None or (shoe and shoe.dealing != "virtual"):
        return None
    # reopened, its own shoe is off
    if state.is_in_play and round_ is not None and round_.dealing != "virtual":
        return None
    if state.halted and state.phase in BETWEEN:
        return None
    return _next_step(state)


def _next_step(state: TableState) -> Due | None:
    clock, round_, shoe = state.clock, state.round, state.shoe
    since = state.changed_at
    if clock.new_shoes and state.phase in BETWEEN and needs_shoe(state):
        if shoe is None and state.cards.dealing != "virtual":  # somebody brings it
            return None
        change = c.EndShoe(by=CLOCK) if shoe else c.NewShoe(by=CLOCK)
        return Due(since + clock.pause_ms, change)
    if state.phase == "closed":
        return Due(since + clock.guard_ms, c.DealCard(by=CLOCK))
    if state.phase == "dealing" and round_ is not None:
        step = c.Settle(by=CLOCK) if round_.play.is_complete else c.DealCard(by=CLOCK)
        return Due(since + card_ms(clock, len(round_.play.cards)), step)
    if state.phase in BETWEEN and not needs_shoe(state):
        return Due(since + clock.pause_ms, c.OpenBets(by=CLOCK))
    return None


def card_ms(clock: Clock, dealt: int) -> int:
    """How long the table waits after a card; from the fourth on patrons may squeeze."""
    return max(clock.card_ms, clock.squeeze_ms) if dealt >= SQUEEZED_FROM else clock.card_ms


def _change(change: ScheduledChange) -> c.ChangeLimits | c.ChangeClock | c.ChangeCards:
    if change.limits is not None:
        return c.ChangeLimits(by=CLOCK, limits=change.limits)
    if change.clock is not None:
        return c.ChangeClock(by=CLOCK, clock=change.clock)
    assert change.cards is not None, "a change has a value"
    return c.ChangeCards(by=CLOCK, cards=change.cards)


def needs_shoe(state: TableState) -> bool:
    """Whether no round can open before the shoe is changed."""
    shoe = state.shoe
    if shoe is None or shoe.spoiled:
        return True
    if shoe.source == "continuous":
        return roads_are_full(state)
    return is_last_hand(shoe.cut, shoe.cards_left)


def is_last_hand(cut: int, cards_left: int) -> bool:
    """Whether the cut card is out, or the cards left may not do for another round (reading 28)."""
    return cards_left <= max(cut, MAX_CARDS - 1)


def roads_are_full(state: TableState) -> bool:
    """Whether the house starts the roads of a shuffler afresh, with a new set (reading 30)."""
    return len(state.results) + state.voids >= state.cards.road_rounds


def undecided(state: TableState) -> int | None:
    """Return the number of a proposal about the round that waits; the round waits with it."""
    return next(state.proposals.of("round"), None)


def verify_decided(state: TableState) -> None:
    number = undecided(state)
    if number is not None:
        raise r.NotNow(r.ROUND_PROPOSAL_WAITS.format(number))
