"""How a round ends: every wager settled by the rules, or returned."""

from __future__ import annotations

import msgspec

import puntobanco.events as e
from puntobanco.roads import result_of
from puntobanco.rules.cards import codes
from puntobanco.rules.settle import Wager, settle, void
from puntobanco.table import commands as c
from puntobanco.table.context import Asked, Events, verify_decided
from puntobanco.table.state import TableState


def settle_round(asked: Asked, command: c.Settle) -> Events:
    del command
    state, round_ = asked.state, asked.state.current
    verify_decided(state)
    owed = dict(round_.owed)
    lines = settle(state.playing, round_.play, _wagers(state))
    result = result_of(round_.play)
    reveal, nonce = _reveal(asked)
    return (
        e.RoundSettled(
            round=round_.number,
            player=round_.play.player_points,
            banker=round_.play.banker_points,
            result=result.winner[0].upper() + "b" * result.banker_pair + "p" * result.player_pair,
            cards=codes(round_.play.cards),
            lines=tuple(
                _set_off(
                    e.Line(
                        key[0],
                        key[1],
                        line.wager.stake_cents,
                        line.outcome,
                        line.winnings_cents,
                        line.returned_cents,
                        line.bonus_cents,
                        line.clause,
                        line.bonus_clause or "",
                    ),
                    owed,
                )
                for key, line in zip(sorted(round_.wagers), lines, strict=True)
            ),
            reveal=reveal,
            nonce=nonce,
        ),
    )


def void_event(asked: Asked, ground: str, clause: str) -> e.RoundVoided:
    round_ = asked.state.current
    lines = void(asked.state.playing, _wagers(asked.state), clause=clause)
    owed = dict(round_.owed)
    reveal, nonce = _reveal(asked)
    return e.RoundVoided(
        round=round_.number,
        ground=ground,
        clause=clause,
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
        lines=tuple(
            _set_off(
                e.Line(
                    key[0],
                    key[1],
                    w.stake_cents,
                    line.outcome,
                    0,
                    line.returned_cents,
                    0,
                    line.clause,
                ),
                owed,
            )
            for key, w, line in zip(sorted(round_.wagers), _wagers(asked.state), lines, strict=True)
        ),
        reveal=reveal,
        nonce=nonce,
    )


def _wagers(state: TableState) -> list[Wager]:
    """The round's wagers in one order; a bonus goes by patron, so each names the patron who placed
    it.
    """
    round_ = state.round
    assert round_ is not None
    return [
        Wager(round_.patrons[session], bet, round_.wagers[session, bet])
        for session, bet in sorted(round_.wagers)
    ]


def _set_off(line: e.Line, owed: dict[str, int]) -> e.Line:
    """What a session owes from a reopened round comes first out of what it is paid."""
    part = min(owed.get(line.session, 0), line.paid_cents)
    if not part:
        return line
    owed[line.session] -= part
    return msgspec.structs.replace(line, set_off_cents=part)


def _reveal(asked: Asked) -> tuple[str, str]:
    """The cards that a continuous virtual shoe committed to for this round."""
    order = asked.order if asked.state.current.commitment else None
    return (order.text, order.nonce.hex()) if order else ("", "")
