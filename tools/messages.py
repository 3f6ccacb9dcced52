"""What the browser reads and sends, for the declarations that `tools.typescript` writes."""

import typing

from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.service.cage_windows import WindowView
from puntobanco_floor.service.pit.board import Board
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.broadcast import public_kind
from puntobanco_floor.service.view_builder import HouseView, Lobby
from puntobanco_floor.views.dealer_view import DealerView
from puntobanco_floor.views.table_view import TableView
from puntobanco_floor.web import (
    admin,
    admin_options,
    audit_api,
    cage,
    command_api,
    dealer,
    lab,
    login,
    patron_api,
    pit,
    receipts,
    reports,
)
from puntobanco_floor.web.app import find_handlers
from puntobanco_floor.web.problems import Problem
from tools.typescript import Kind, Messages, answers

_WEB = (
    patron_api,
    receipts,
    login,
    command_api,
    admin,
    admin_options,
    dealer,
    pit,
    cage,
    reports,
    audit_api,
    lab,
)


def ours(definitions: Definitions = OURS) -> Messages:
    handlers = [handler for module in _WEB for handler in find_handlers(module)]
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
