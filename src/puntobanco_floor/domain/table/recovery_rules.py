"""A table after a recovery, or after entries were set aside: its round is void by rule, and a shoe
whose cards may have been seen is retired.
"""

from __future__ import annotations

import msgspec

from puntobanco.rules.causes import Cause
from puntobanco_floor.domain import proposals, recovery
from puntobanco_floor.domain.recovery import BeginEpoch, SetEntriesAside
from puntobanco_floor.domain.table.preconditions import Asked, Events
from puntobanco_floor.domain.table.settling import void_event
from puntobanco_floor.domain.table.stops import (
    MALFUNCTION,
    MALFUNCTION_CLAUSE,
    declaration,
    incident,
)


def begin_epoch(asked: Asked, command: BeginEpoch) -> Events:
    begun = recovery.begin_epoch(asked, command)
    return (*_round_ended(asked, command), *_shoe_retired(asked, command), *begun)


def set_aside(asked: Asked, command: SetEntriesAside) -> Events:
    """Entries that no node signed were shown to nobody: the shoe is played on with. Others were."""
    aside, *begun = recovery.set_aside(asked, command)
    retired = _shoe_retired(asked, command) if begun else ()
    return (aside, *_round_ended(asked, command), *retired, *begun)


def _round_ended(asked: Asked, command: BeginEpoch | SetEntriesAside) -> Events:
    """Void as after any malfunction (reading 31); what was lost of it nobody can say."""
    state = asked.state
    if not state.is_in_play:
        # a settled round is not looked at again: what was proposed about it goes
        return tuple(proposals.lapsed(state.proposals, "round", "closed"))
    by_two = msgspec.structs.replace(asked, proposed_by=command.by, approved_by=command.second)
    void = void_event(by_two, MALFUNCTION, MALFUNCTION_CLAUSE)
    if state.phase == "stopped":
        return (void,)
    return (*declaration(asked, MALFUNCTION, command.reason, None), void)


def _shoe_retired(asked: Asked, command: BeginEpoch | SetEntriesAside) -> Events:
    """Cards that were dealt from it in the lost time would come again, or are not among those that
    the books have as dealt.
    """
    if asked.state.shoe is None:
        return ()
    why = Cause("cards-may-be-lost")
    return (incident(MALFUNCTION, MALFUNCTION_CLAUSE, why, command.reason, spoils=True),)
