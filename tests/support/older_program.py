"""The table as programs before 0.3.0 decided it: any ground where the server deals, and any void that two people want.

Journals that were written then must replay for ever; a store with these definitions writes such a one.
"""

from dataclasses import replace

from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.machine import Events
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import Asked
from puntobanco_floor.domain.table.stops import declaration, void_event


def declare(asked: Asked, command: c.DeclareIrregularity) -> Events:
    return declaration(asked, command.ground, command.detail, command.cards_left)


def void(asked: Asked, command: c.VoidRound) -> Events:
    del command
    stop = asked.state.current.stop
    assert stop is not None
    return (void_event(asked, stop.ground, stop.clause),)


OLDER = replace(
    OURS,
    table=OURS.table.plus(decides={c.DeclareIrregularity: declare, c.VoidRound: void}, evolves={}),
)
