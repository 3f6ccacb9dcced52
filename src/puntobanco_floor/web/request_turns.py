"""Request turns: HTTP requests begin one at a time, each client in turn, at a rate for each client.

A request takes the event loop for about a millisecond, and a client that floods the floor would
keep wagers waiting. So a request waits for its turn, and the event loop answers wagers between two
turns. A client is a network; an enrolled terminal and a member of the staff are clients of their
own, whatever network they share.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import Any

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from puntobanco_floor.domain import refusals as say
from puntobanco_floor.service.client_network import network_of
from puntobanco_floor.web.context import Web
from puntobanco_floor.web.csrf import DEVICE_COOKIE, STAFF_COOKIE, address_of, token_of
from puntobanco_floor.web.problems import problem
from puntobanco_floor.web.request_bounds import answer
from puntobanco_floor.web.socket import Away

TURN_S = 0.001
"""Between two requests, at least: a node begins fewer than a thousand a second."""

PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
"""What monitors ask for; they have a turn and a rate of their own."""

TOO_MANY: Away = (429, problem("too-many-requests", say.TOO_MANY_REQUESTS))


class Turns:
    """Clients that wait, the next one first; each has a queue of its own."""

    def __init__(self) -> None:
        self._queues = OrderedDict[str, deque[asyncio.Future[None]]]()
        self._is_taken = False

    async def take(self, client: str) -> None:
        """Return at once if no request began a moment ago, otherwise at this client's turn."""
        loop = asyncio.get_running_loop()
        if not self._is_taken:
            self._is_taken = True
            loop.call_later(TURN_S, self._pass_on)
            return
        turn = loop.create_future()
        self._queues.setdefault(client, deque()).append(turn)
        await turn

    def _pass_on(self) -> None:
        while self._queues:
            client, queue = self._queues.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._queues[client] = queue  # behind the other clients
            if not turn.done():  # else its request was cancelled
                turn.set_result(None)
                asyncio.get_running_loop().call_later(TURN_S, self._pass_on)
                return
        self._is_taken = False


def with_turns(app: ASGIApp, web: Web) -> ASGIApp:
    turns = Turns()

    async def in_turn(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        client = client_of(scope, web)
        await turns.take(client)
        if web.limits.requests.take(client):
            await app(scope, receive, send)
        else:
            await answer(scope, receive, send, TOO_MANY)

    return in_turn


def client_of(scope: Scope, web: Web) -> str:
    """Return the name that a request is counted under. Everything here is checked by a MAC: a name
    that a client made up counts with its network.
    """
    connection = ASGIConnection[Any, Any, Any, Any](scope)
    network = network_of(address_of(connection))
    if scope["path"] in PROBES:
        return f"probes {network}"
    person = web.floor.logins.looking(token_of(connection, STAFF_COOKIE)[0])
    if person is not None:
        return f"staff {person.name}"
    ticket = web.floor.tickets.read(token_of(connection)[0])
    terminal = ticket.terminal if ticket else ""
    terminal = (
        terminal or web.floor.tickets.terminal_with(token_of(connection, DEVICE_COOKIE)[0]) or ""
    )
    return f"terminal {terminal}" if terminal else network
