"""Moves raced among tables on two nodes, which are killed: `python -m tests.support.moves --moves 100000`.

Each node is a process with a whole floor behind a Unix socket, on one PostgreSQL. Patrons move as fast as they are
answered, wager now and then, and ask again with the same id, at the other node, where no answer comes. Afterwards the
journals are read: every move that was asked for happened exactly once, all credits are where their patron is, the audit
ties out, and nobody has lost more than the limit that he set himself, which goes along from table to table.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

from puntobanco import GAMES
from puntobanco.base.refusal import Refusal
from puntobanco_floor.audit.floor_audit import Report, audit
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.ledger import MOVING, is_patron
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.refusals import NotMoved
from puntobanco_floor.service.seats import move_id, reservation
from puntobanco_floor.service.tickets import Ticket
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.errors import CommandReused, NotStored
from puntobanco_floor.store.open_store import open_store
from tests.storage.servers import database, server
from tests.support.patience import PATIENCE_S

TABLES = tuple(f"table:{n}" for n in range(1, 5))
PATRONS, NODES = 24, 2
BOUGHT_CENTS, LOSS_CENTS, STAKE_CENTS = 1_000_000, 7_500, 2_500
SEATS = PATRONS // len(TABLES) + 5  # a table is full at times
WAGERS = 0.05  # of the moves, a wager first
BLIND = 0.2  # of the moves, without a look at the other table before: it refuses, and they go back
KILLED_AFTER = 60  # moves that were answered, about: one of the nodes
KILLS = 100  # at most, about: a long race is one of moves, not of starts
ANSWERED_S = 10.0
CLOCK = e.Clock(betting_ms=1_500, pause_ms=250, automatic=True, new_shoes=True)
HASH = "0123456789abcdef" * 4


def patrons() -> list[str]:
    return [f"g{n:016x}" for n in range(PATRONS)]


# A node


async def serve(url: str, keys: str, heads: str, socket: str) -> None:
    store = open_store(url, keys=Path(keys), heads=Path(heads))
    floor = Floor(store, KeyRing.load(Path(keys)), database=url, demo=True)
    await floor.start()
    floor.pit._do = lambda *_: None  # type: ignore[method-assign] # exact odds are no part of this, and take a core

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            asked = json.loads(line)
            with suppress(ConnectionError):
                writer.write(json.dumps(await answered(floor, asked)).encode() + b"\n")
                await writer.drain()

    served = await asyncio.start_unix_server(client, socket)
    print("ready", flush=True)
    await served.serve_forever()


async def answered(floor: Floor, asked: dict[str, Any]) -> str:
    """What became of a move: the answer that a patron's screen would be given."""
    session, at, to, id_ = asked["session"], asked["at"], asked["to"], asked["id"]
    ticket = Ticket(session, "", floor.world.now_ms())
    try:
        if asked["wager"]:
            await wager(floor, at, session, id_)
        if asked["blind"]:
            arrived = await floor.seats.take_along(reservation(at, session, to, id_))
        else:
            arrived = await floor.seats.move(at, ticket, to, id_)
    except NotMoved as refusal:
        return "stays" if "You stay" in refusal.reason else "refused before"
    except NotStored as not_stored:
        return f"again: {not_stored}"
    except Refusal as refusal:
        return f"refused {refusal.code}"
    return "moved" if arrived else "on the way"


async def wager(floor: Floor, table: str, session: str, id_: str) -> None:
    round_ = floor.follower.stream(table).state.rounds
    command = c.PlaceWager(
        by=session, round=round_, session=session, bet="tie", stake_cents=STAKE_CENTS
    )
    with suppress(CommandReused):  # asked again in another round: it stands as it was
        await floor.commands.ask(table, f"wager {id_}", command)


@dataclass
class Node:
    """A process with a floor."""

    place: "Place"
    number: int
    process: asyncio.subprocess.Process | None = None
    kills: int = 0
    longest_start_s: float = 0.0

    @property
    def socket(self) -> str:
        return str(self.place.folder / f"{self.number}.sock")

    async def start(self) -> None:
        began = time.monotonic()
        Path(self.socket).unlink(missing_ok=True)
        heads = self.place.folder / f"{self.number}.heads"
        with (self.place.folder / f"{self.number}.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.support.moves", "node", self.place.url),
                *(str(self.place.keys), str(heads), self.socket),
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )
        assert self.process.stdout is not None
        said = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE_S)
        assert said == b"ready\n", f"node {self.number} did not start"
        self.longest_start_s = max(self.longest_start_s, time.monotonic() - began)

    async def kill(self) -> None:
        """As a machine that loses its power: -9, and what it held is gone."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        await self.process.wait()
        self.kills += 1


@dataclass
class Place:
    url: str
    folder: Path
    keys: Path
    nodes: list[Node] = field(default_factory=list)


# Patrons


def is_open(said: str) -> bool:
    """Whether a move has to be asked for again; nothing was said where a node died with it."""
    return said in ("", "on the way") or said.startswith("again")


@dataclass
class Patron:
    """Moves from where it is to another table, and asks again until it is answered."""

    place: Place
    session: str
    at: str
    chance: random.Random
    outcomes: Counter[str] = field(default_factory=Counter)
    # of each move that was answered for good: from where, and whether it has arrived
    answers: dict[str, bool] = field(default_factory=dict)
    again: int = 0

    async def move(self, n: int) -> None:
        to = self.chance.choice([name for name in TABLES if name != self.at])
        id_ = f"{self.session}-{n}"
        wagers, blind = self.chance.random() < WAGERS, self.chance.random() < BLIND
        asked = {
            "session": self.session,
            "at": self.at,
            "to": to,
            "id": id_,
            "wager": wagers,
            "blind": blind,
        }
        until = time.monotonic() + PATIENCE_S
        while is_open(said := await self._asked(asked)):
            assert time.monotonic() < until, f"{asked} is not decided; the last answer: {said!r}"
            self.again += 1
            await asyncio.sleep(0.02)
        self.outcomes[said] += 1
        if said == "refused in-play":  # and so it stays under this id: another move, a little later
            await asyncio.sleep(0.2)
        if not said.startswith("refused"):
            self.answers[move_id(self.at, self.session, id_)] = said == "moved"
        if said == "moved":
            self.at = to

    async def _asked(self, asked: dict[str, object]) -> str:
        """Nothing where nobody answered: a node died with it, or before."""
        node = self.chance.choice(self.place.nodes)
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(ANSWERED_S):
                reader, writer = await asyncio.open_unix_connection(node.socket)
                try:
                    writer.write(json.dumps(asked).encode() + b"\n")
                    return str(json.loads(await reader.readuntil(b"\n")))
                finally:
                    writer.close()
        return ""


# The race


def set_up(place: Place) -> None:
    """A house, its tables, and patrons with limits of their own, all of them at the first tables."""
    limits = replace(default_limits(GAMES["rapid"]), large_buy_in_cents=0, seats=SEATS)
    ids = iter(range(1_000_000))
    with open_store(place.url, keys=place.keys, heads=place.folder / "0.heads") as store:

        def do(stream: str, command: c.Command) -> None:
            answer = store.ask(Request(stream=stream, id=f"set-up {next(ids)}", command=command))
            assert answer.ok, answer

        do(
            FLOOR,
            h.OpenHouse(by="init", house="The race", administrator="ada", verifier=HASH, demo=True),
        )
        for name in TABLES:
            do(name, c.OpenTable(by="pit", game="rapid", limits=limits, clock=CLOCK))
        for n, session in enumerate(patrons()):
            table = TABLES[n % len(TABLES)]
            do(
                FLOOR,
                h.LimitPatron(by=session, patron=session, loss_cents=LOSS_CENTS, minutes=None),
            )
            do(table, c.SeatSession(by=session, session=session, loss_cents=LOSS_CENTS))
            do(table, c.BuyIn(by="carl", session=session, cents=BOUGHT_CENTS))


async def race(place: Place, moves: int, seed: int, most_s: float) -> list[Patron]:
    place.nodes += [Node(place, n) for n in range(1, NODES + 1)]
    for node in place.nodes:
        await node.start()
    people = [
        Patron(place, session, TABLES[n % len(TABLES)], random.Random(f"{seed} {session}"))
        for n, session in enumerate(patrons())
    ]
    left, end = iter(range(moves)), time.monotonic() + most_s

    async def go_on(patron: Patron) -> None:
        for n in left:
            await patron.move(n)
            if time.monotonic() > end:
                return

    between = max(KILLED_AFTER, moves // KILLS)
    killing = asyncio.create_task(kill_now_and_then(place, people, between, random.Random(seed)))
    try:
        await asyncio.gather(*map(go_on, people))
    finally:
        killing.cancel()
        with suppress(asyncio.CancelledError):
            await killing
    return people


async def kill_now_and_then(
    place: Place, people: list[Patron], between: int, chance: random.Random
) -> None:
    """By what was done, not by a clock, which a busy machine would outrun."""
    next_at = 0
    while True:
        next_at += chance.randint(between // 2, between * 3 // 2)
        while sum(person.outcomes.total() for person in people) < next_at:
            await asyncio.sleep(0.01)
        node = chance.choice(place.nodes)
        await node.kill()
        await node.start()


async def come_to_an_end(place: Place) -> None:
    """A node that starts drives what is on the way; then all of them end."""
    for node in place.nodes:
        await node.kill()
    await place.nodes[0].start()
    until = time.monotonic() + PATIENCE_S
    while on_the_way(place):
        assert time.monotonic() < until, "something stays on the way"
        await asyncio.sleep(0.1)
    await place.nodes[0].kill()


def on_the_way(place: Place) -> int:
    with open_store(
        place.url, keys=place.keys, heads=place.folder / "look.heads", clock=False
    ) as store:
        return sum(len(store.table(name).state.moving) for name in TABLES)


# What the journals say


@dataclass
class Judged:
    """The figures of a race, once everything holds."""

    moves: int = 0  # answered for good
    arrived: int = 0
    refused: int = 0
    kills: int = 0
    longest_start_s: float = 0.0
    asked_again: int = 0
    wagers: int = 0
    limited: int = 0  # patrons who have reached their limit
    most_lost_cents: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    report: Report = field(default_factory=Report)


def judge(place: Place, people: list[Patron]) -> Judged:
    found = Judged(
        kills=sum(node.kills for node in place.nodes),
        longest_start_s=max(node.longest_start_s for node in place.nodes),
        asked_again=sum(p.again for p in people),
    )
    found.report = audit(place.url, keys=place.keys, heads=sorted(place.folder.glob("*.heads")))
    assert found.report.sound, found.report.fault
    reserved, arrived, refused, closed = (Counter[str]() for _ in range(4))
    credits, seated, moving = Counter[str](), dict[str, list[str]](), 0
    lost = Counter[str]()
    with open_store(
        place.url, keys=place.keys, heads=place.folder / "look.heads", clock=False
    ) as store:
        for name in TABLES:
            for entry in store.decoded(name):
                for event in entry.events:
                    match event:
                        case e.MoveReserved(move=move):
                            reserved[move] += 1
                        case e.MoveArrived(move=move):
                            arrived[move] += 1
                        case e.MoveRefused(move=move):
                            refused[move] += 1
                        case e.MoveSettled(move=move) | e.MoveReturned(move=move):
                            closed[move] += 1
                        case e.WagerPlaced():
                            found.wagers += 1
            stream = store.table(name)
            moving += stream.balances.get(MOVING, 0)
            for account, cents in stream.balances.items():
                if is_patron(account):
                    credits[account.removeprefix("session:")] += cents
            for session in stream.state.sessions:
                seated.setdefault(session, []).append(name)
            if stream.state.is_in_play:
                for (session, _), cents in stream.state.current.wagers.items():
                    credits[session] += cents
    # every move that was answered happened once, as it was answered; none else did
    answers = {move: is_there for person in people for move, is_there in person.answers.items()}
    assert reserved.keys() == closed.keys() == answers.keys() == arrived.keys() | refused.keys()
    for counts in (reserved, closed, arrived, refused):
        assert set(counts.values()) <= {1}
    assert not arrived.keys() & refused.keys()
    assert {move for move, is_there in answers.items() if is_there} == arrived.keys()
    assert moving == 0
    # everybody sits where he was told, and nowhere else
    assert seated == {person.session: [person.at] for person in people}
    for person in people:
        lost[person.session] = BOUGHT_CENTS - credits[person.session]
        assert lost[person.session] <= LOSS_CENTS, (
            f"{person.session} lost {lost[person.session]} cents"
        )
    found.moves, found.arrived, found.refused = len(answers), len(arrived), len(refused)
    found.limited = sum(cents > LOSS_CENTS - STAKE_CENTS for cents in lost.values())
    found.most_lost_cents = max(lost.values())
    assert found.report.moves == found.moves
    found.outcomes = sum((person.outcomes for person in people), Counter())
    return found


@contextmanager
def placed(postgres: str) -> Iterator[Place]:
    scratch = TemporaryDirectory(prefix="pb", ignore_cleanup_errors=True)
    with database(postgres) as url, scratch as folder:
        yield Place(url, Path(folder), Path(folder) / "floor.keys")


def run(postgres: str, moves: int, seed: int, most_s: float = float("inf")) -> Judged:
    with placed(postgres) as place:
        set_up(place)

        async def whole() -> list[Patron]:
            try:
                people = await race(place, moves, seed, most_s)
                await come_to_an_end(place)
            finally:
                for node in place.nodes:
                    if node.process is not None and node.process.returncode is None:
                        await node.kill()
            return people

        return judge(place, asyncio.run(whole()))


def main() -> None:
    if sys.argv[1:2] == ["node"]:
        asyncio.run(serve(*sys.argv[2:]))
        return
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--moves", type=int, default=1_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument(
        "--seconds", type=float, default=float("inf"), help="no more moves begin after so long"
    )
    given = options.parse_args()
    began = time.monotonic()
    with server() as postgres:
        found = run(postgres, given.moves, given.seed, given.seconds)
    took = time.monotonic() - began
    print(
        f"{found.moves:,} moves, each once: {found.arrived:,} arrived, {found.refused:,} refused and returned; "
        f"{found.kills} kills, a start {found.longest_start_s:.1f} s at most, {found.asked_again:,} asked again; {found.wagers:,} wagers, {found.limited} of {PATRONS} "
        f"patrons at their limit, at most {found.most_lost_cents / 100:.2f} of {LOSS_CENTS / 100:.2f} lost; "
        f"{dict(found.outcomes)}; audit sound over {found.report.entries:,} entries; {took:.0f} s, seed {given.seed}, pid {os.getpid()}"
    )


if __name__ == "__main__":
    main()
