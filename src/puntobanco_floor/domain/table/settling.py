"""How a round ends: every wager settled by the rules, or returned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

import puntobanco_floor.domain.events as e
from puntobanco.rules.cards import codes
from puntobanco.rules.settle import Line, Wager, settle, void
from puntobanco.scoreboards import result_of
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.preconditions import Asked, Events, verify_decided
from puntobanco_floor.domain.table.state import RoundState, TableState


def settle_round(asked: Asked, command: c.Settle) -> Events:
    del command
    state, round_ = asked.state, asked.state.current
    verify_decided(state)
    lines = lines_by_rule(state)  # first: it refuses a round that is not complete
    play, result = round_.play, result_of(round_.play)
    pairs = "b" * result.banker_pair + "p" * result.player_pair
    reveal, nonce = _reveal(asked)
    settled = e.RoundSettled(
        round=round_.number,
        player=play.player_points,
        banker=play.banker_points,
        result=result.winner[0].upper() + pairs,
        cards=codes(play.cards),
        lines=_set_off(round_, lines),
        reveal=reveal,
        nonce=nonce,
    )
    return (settled,)


def void_event(asked: Asked, ground: str, clause: str) -> e.RoundVoided:
    state, round_ = asked.state, asked.state.current
    returned = void(state.playing, _wagers(state), clause=clause)
    reveal, nonce = _reveal(asked)
    return e.RoundVoided(
        round=round_.number,
        ground=ground,
        clause=clause,
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
        lines=_set_off(round_, _lines(round_, returned)),
        reveal=reveal,
        nonce=nonce,
    )


def lines_by_rule(state: TableState) -> list[e.Line]:
    """What the rules say of the wagers and the cards on the table; set-offs are not theirs."""
    settled = settle(state.playing, state.current.play, _wagers(state))
    return _lines(state.current, settled)


def _lines(round_: RoundState, decided: Sequence[Line]) -> list[e.Line]:
    """As the journal has them, in the order of `_wagers`."""
    placed = zip(sorted(round_.wagers), decided, strict=True)
    return [e.Line.of(session, line) for (session, _), line in placed]


def _wagers(state: TableState) -> list[Wager]:
    """The round's wagers in one order; a bonus goes by patron, so each names the patron who placed
    it.
    """
    patrons, placed = state.current.patrons, sorted(state.current.wagers.items())
    return [Wager(patrons[session], bet, stake) for (session, bet), stake in placed]


def _set_off(round_: RoundState, lines: Iterable[e.Line]) -> tuple[e.Line, ...]:
    """What a session owes from a reopened round comes first out of what it is paid."""
    owed, found = dict(round_.owed), list[e.Line]()
    for line in lines:
        part = min(owed.get(line.session, 0), line.paid_cents)
        if part:
            owed[line.session] -= part
            found.append(msgspec.structs.replace(line, set_off_cents=part))
        else:
            found.append(line)
    return tuple(found)


def _reveal(asked: Asked) -> tuple[str, str]:
    """The cards that a continuous virtual shoe committed to for this round."""
    order = asked.order if asked.state.current.commitment else None
    return (order.text, order.nonce.hex()) if order else ("", "")
