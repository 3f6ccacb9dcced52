"""Whoever asks something of a table: each command has an id, and is sent, to any node, until it is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.errors import CommandReused

if TYPE_CHECKING:
    from tests.soak.world import World

Then = Callable[[Answer | None], object]
"""What follows an answer; None where the id was taken by another command."""


@dataclass
class Pending:
    request: Request
    then: Then
    tries: int = 0


class Client:
    """Sends commands with ids of its own, and sends them again, to any node, until each is answered."""

    def __init__(self, world: World, name: str, *, is_forgetful: bool = False) -> None:
        self.world, self.name, self.is_forgetful = world, name, is_forgetful
        self.chance = world.chance
        self.waiting = dict[int, Pending]()
        self.forgotten = list[Pending]()
        self.is_online = True
        self.last_id = 0

    def begin(self) -> None:
        raise NotImplementedError

    def ask(self, stream: str, command: Command, then: Then = lambda _: None) -> None:
        self.last_id += 1
        request = Request(stream=stream, id=str(self.last_id), command=command)
        pending = self.waiting[id(request)] = Pending(request, then)
        self._send(pending)

    def _send(self, pending: Pending) -> None:
        """The timer goes on until it is answered."""
        request = pending.request
        if id(request) not in self.waiting:
            return
        pending.tries += 1
        if self.is_online:
            self.world.reach(request)
            if self.chance.random() < 0.02:  # an impatient finger
                self.world.reach(request)
        self.world.after(
            self.chance.randint(400, 1_200) * min(pending.tries, 3), self._send, pending
        )

    def hear(self, request: Request, reply: Answer | Refusal) -> None:
        if not self.is_online:
            return
        self.world.referee.told(request, reply)
        pending = self.waiting.get(id(request))
        if pending is None:
            return
        if isinstance(reply, Answer):
            del self.waiting[id(request)]
            pending.then(reply)
        elif isinstance(reply, CommandReused):
            del self.waiting[id(request)]
            self.last_id += self.chance.randint(0, 40)
            pending.then(None)

    def is_asking(self, stream: str) -> bool:
        return any(p.request.stream == stream for p in self.waiting.values())

    def come_back(self) -> None:
        """The world winds up: whatever was ever asked is asked until it is answered."""
        self.is_online = True
        for pending in self.forgotten:
            self.waiting[id(pending.request)] = Pending(pending.request, lambda _: None)
            self._send(self.waiting[id(pending.request)])
        self.forgotten.clear()
