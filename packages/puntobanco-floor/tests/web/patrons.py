"""Patrons who bet at a table while its nodes come and go, and what the journal has of their wagers."""

import asyncio
import random
from typing import Any

import puntobanco_floor.domain.events as e
from puntobanco_floor.client import Terminal
from puntobanco_floor.domain.entries import Entry, read_entry
from puntobanco_floor.service.terminals.wire import Answered
from puntobanco_floor.store.reader import reading
from tests.support.patience import PATIENCE_S
from tools.topology import Topology

ANSWER_S = PATIENCE_S


class Patron:
    """Bets at one table as long as it is told to; notes what it asked and what it was answered."""

    def __init__(self, terminal: Terminal, number: int) -> None:
        self.terminal, self.chance = terminal, random.Random(number)
        self.answers = list[tuple[str, Answered]]()

    async def play(self, trouble: asyncio.Task[Any]) -> None:
        """As long as that goes on."""
        terminal = self.terminal
        while not trouble.done():
            try:
                await asyncio.wait_for(terminal.betting(), ANSWER_S)
            except TimeoutError:
                raise AssertionError(f"no bets for {ANSWER_S} s: {self.seen()}") from None
            bet = self.chance.choice(("banker", "player", "tie"))
            answer = await asyncio.wait_for(terminal.place(bet, 1_000), ANSWER_S)
            self.answers.append(("place", answer))
            if answer.ok and self.chance.random() < 0.3:
                self.answers.append(
                    ("raise", await asyncio.wait_for(terminal.raise_(bet, 1_000), ANSWER_S))
                )
            await asyncio.sleep(self.chance.uniform(0.05, 0.4))

    def seen(self) -> str:
        """What the terminal shows, and whether it still tries to connect."""
        t = self.terminal
        shown = f"{t.table.phase} round {t.table.round} seq {t.table.seq}" if t.table else "nothing"
        return f"table {t.number} {shown}; {t.reconnects} reconnects, {'on' if t._socket else 'off'} line, {t._task!r}"


def entries_of(floor: Topology, table: int) -> list[Entry]:
    name = f"table:{table}"
    with reading(floor.url) as reader:
        return [read_entry(data, stream=name, seq=seq) for seq, data in reader.entries(name)]


def wagers_in(entries: list[Entry]) -> int:
    return sum(
        isinstance(event, e.WagerPlaced | e.WagerRaised)
        for entry in entries
        for event in entry.events
    )
