"""What the browser reads and sends, for the declarations that `tools.typescript` writes."""

import typing

from puntobanco.definitions import OURS, Definitions
from puntobanco.floor.cage import WindowView
from puntobanco.floor.pit.board import Board
from puntobanco.floor.screens import HouseView, Lobby
from puntobanco.floor.terminals import wire
from puntobanco.floor.terminals.public_events import public_kind
from puntobanco.floor.views.dealer import DealerView
from puntobanco.floor.views.table import TableView
from puntobanco.web import (
    admin,
    audit,
    cage,
    choices,
    commands,
    dealer,
    lab,
    login,
    patrons,
    pit,
    receipts,
    reports,
)
from puntobanco.web.problems import Problem
from tools.typescript import Kind, Messages, answers

_WEB = (patrons, receipts, login, commands, admin, choices, dealer, pit, cage, reports, audit, lab)


def ours(definitions: Definitions = OURS) -> Messages:
    handlers = [handler for module in _WEB for handler in module.HANDLERS]
    return Messages(
        sent=(wire.View, wire.NotSeen, Problem),
        taken=(*typing.get_args(wire.FromTerminal), wire.Watch),
        unions={
            "FromTerminal": typing.get_args(wire.FromTerminal),
            "ToTerminal": typing.get_args(wire.ToTerminal),
            "PublicEvent": public_kinds(definitions),
        },
        views={
            "lobby": Lobby,
            "table:{number:int}": TableView,
            "dealer:{number:int}": DealerView,
            "pit": Board,
            "cage:{number:int}": WindowView,
            "house": HouseView,
        },
        gets=answers("GET", handlers),
        posts=answers("POST", handlers),
    )


def public_kinds(definitions: Definitions) -> tuple[Kind, ...]:
    """Events as everybody at a table hears them: without their private fields."""
    return tuple(public_kind(kind) for kind in definitions.events if kind.traits.public)
