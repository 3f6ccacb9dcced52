"""Several nodes on one PostgreSQL, as processes: killed, frozen, raced. With PUNTOBANCO_SLOW=1 for longer."""

import asyncio
import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import psycopg
import pytest
from msgspec.structs import replace

from puntobanco import GAMES
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.cage import commands as g
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import Entry, read_entry
from puntobanco_floor.domain.events import BetsClosed, BetsOpened, Clock, WagerPlaced
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.clock import needs_shoe
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.store.batch import STORE, Answer, Request
from puntobanco_floor.store.open_store import open_store
from puntobanco_proof.entry.format import canonical
from tests.storage.servers import database
from tests.support.patience import PATIENCE_S

read_answer = msgspec.json.Decoder(Answer).decode
"""As `node` writes one."""

SLOW = bool(os.environ.get("PUNTOBANCO_SLOW"))
TRANSACTIONS = 10_000 if SLOW else 3_000
TABLE = "table:1"
UNSTORED = ("not-stored", "command-reused")


class Node:
    """A process, and how to end, freeze and replace it."""

    def __init__(self, floor: "Floor", number: int) -> None:
        self.floor, self.number = floor, number
        self.socket = str(floor.folder / f"{number}.sock")
        self.start()

    def start(self) -> None:
        Path(self.socket).unlink(missing_ok=True)
        arguments = [
            self.floor.url,
            str(self.floor.keys),
            str(self.floor.folder / f"{self.number}.heads"),
            self.socket,
        ]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.storage.node", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"

    def stop(self) -> None:
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


@dataclass
class Floor:
    """A database and its nodes."""

    url: str
    folder: Path
    nodes: list[Node] = field(default_factory=list)

    @property
    def keys(self) -> Path:
        return self.folder / "floor.keys"

    def sound(self) -> None:
        report = audit(self.url, keys=self.keys, heads=sorted(self.folder.glob("*.heads")))
        assert report.fault is None

    def entries(self, stream: str = TABLE) -> list[Entry]:
        with open_store(self.url, keys=self.keys, heads=self.folder / "look.heads") as store:
            return [read_entry(data) for _, data in store.entries(stream)]


@contextmanager
def floor(postgres: str, nodes: int) -> Iterator[Floor]:
    scratch = TemporaryDirectory(prefix="pb", ignore_cleanup_errors=True)
    with database(postgres) as url, scratch as folder:
        found = Floor(url, Path(folder))
        open_store(url, keys=found.keys, heads=found.folder / "0.heads").close()
        try:
            found.nodes += [Node(found, n) for n in range(1, nodes + 1)]
            yield found
        finally:
            for node in found.nodes:
                node.stop()


class Client:
    """Sends over one connection and matches answers by id; resends to another node until answered."""

    def __init__(self, floor_: Floor, name: str, *, patience: float = 2.5) -> None:
        self.floor, self.name, self.patience = floor_, name, patience
        self.ids = (f"{name}-{n}" for n in itertools.count())
        self.at = random.Random(name).randrange(len(floor_.nodes))
        self.answers = dict[str, Answer]()
        self.sent = dict[str, Command]()
        self.resent = 0

    async def ask(self, command: Command, stream: str = TABLE) -> Answer:
        """Until it is answered for good; what was not stored is sent again."""
        id_ = next(self.ids)
        self.sent[id_] = command
        line = canonical(Request(stream=stream, id=id_, command=command)) + b"\n"
        while True:
            answer = await self._once(line)
            if answer is not None and answer.code not in UNSTORED:
                assert answer.id == id_
                assert self.answers.setdefault(id_, answer) == answer
                return answer
            self.resent += 1
            self.at = (self.at + 1) % len(self.floor.nodes)
            await asyncio.sleep(0.05)

    async def _once(self, line: bytes) -> Answer | None:
        with suppress(OSError, asyncio.TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(self.patience):
                async with connection(self.floor.nodes[self.at].socket) as (reader, writer):
                    writer.write(line)
                    found = await reader.readuntil(b"\n")
                    return read_answer(found)
        return None


@asynccontextmanager
async def connection(
    socket: str,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_unix_connection(socket, limit=1 << 20)
    try:
        yield reader, writer
    finally:
        writer.close()


async def opened(floor_: Floor, names: list[str], *, stream: str = TABLE, clock: Clock) -> Client:
    pit = Client(floor_, f"pit-{stream.replace(':', '-')}")
    limits = replace(default_limits(GAMES["rapid"]), large_buy_in_cents=0)
    for command in (
        c.OpenTable(by="pit", game="rapid", limits=limits, clock=clock),
        c.NewShoe(by="pit"),
    ):
        assert (await pit.ask(command, stream)).ok
    for name in names:
        assert (await pit.ask(c.SeatSession(by=name, session=name), stream)).ok
        assert (await pit.ask(c.BuyIn(by="cage", session=name, cents=10**9), stream)).ok
    return pit


def test_nodes_that_die_and_freeze_lose_nothing_and_close_on_time(postgres: str) -> None:
    """Three nodes under load; every few seconds one is killed or frozen."""
    seconds = 300 if SLOW else 9
    names = [f"s{i}" for i in range(12)]
    with floor(postgres, 3) as found:
        clients = asyncio.run(_under_fire(found, names, seconds))
        entries = found.entries()
        found.sound()
    by_seq = {entry.seq: entry for entry in entries}
    accepted = Counter[int]()
    for client in clients:
        for id_, answer in client.answers.items():
            if answer.ok:
                entry = by_seq[answer.seq]  # nothing acknowledged is lost
                assert (entry.by, entry.command) == (client.name, client.sent[id_].name())
                accepted[answer.seq] += 1
    assert set(accepted.values()) == {1}  # nothing is done twice
    assert set(accepted) == {
        entry.seq for entry in entries if entry.by in set(names) and entry.command == "place-wager"
    }
    late = _lateness(entries)
    assert len(late) >= seconds // 6
    assert max(late) < 2_000, f"a close came {max(late)} ms late"
    assert sum(client.resent for client in clients) > 0  # the nodes really went away


async def _under_fire(found: Floor, names: list[str], seconds: float) -> list[Client]:
    clock = Clock(betting_ms=900, guard_ms=50, card_ms=50, pause_ms=100, automatic=True)
    pit = await opened(found, names, clock=clock)
    clients = [Client(found, name) for name in names]
    over = time.monotonic() + seconds
    round_ = [0]

    async def bettor(client: Client) -> None:
        chance = random.Random(client.name)
        while time.monotonic() < over:
            bet = chance.choice(("player", "banker", "tie"))
            number = max(1, round_[0])
            answer = await client.ask(
                c.PlaceWager(
                    by=client.name, round=number, session=client.name, bet=bet, stake_cents=1_000
                )
            )
            if answer.code == "wrong-round":
                round_[0] = max(round_[0], int(answer.words.en.split()[1]))
            await asyncio.sleep(chance.random() * 0.1)

    async def trouble() -> None:
        chance = random.Random(5)
        while time.monotonic() < over - 4:
            await asyncio.sleep(1 + 2 * chance.random())
            node = chance.choice(found.nodes)
            if chance.random() < 0.5:
                node.stop()
                await asyncio.sleep(chance.random())
                await asyncio.to_thread(node.start)
            else:
                node.process.send_signal(signal.SIGSTOP)
                await asyncio.sleep(0.5 + 2.5 * chance.random())
                node.process.send_signal(signal.SIGCONT)

    async def shoes() -> None:
        while time.monotonic() < over:
            await asyncio.sleep(0.5)
            state = await asyncio.to_thread(_state, found)
            if needs_shoe(state):
                await pit.ask(c.EndShoe(by="pit"))
                await pit.ask(c.NewShoe(by="pit"))

    await asyncio.gather(*(bettor(client) for client in clients), trouble(), shoes())
    return clients


def _state(found: Floor):  # type: ignore[no-untyped-def]
    with open_store(found.url, keys=found.keys, heads=found.folder / "look.heads") as store:
        return store.table(TABLE).state


def _lateness(entries: list[Entry]) -> list[int]:
    """How long after its deadline each round was closed."""
    deadlines = {
        e.round: e.closes_at for entry in entries for e in entry.events if isinstance(e, BetsOpened)
    }
    closes = {
        e.round: entry.at for entry in entries for e in entry.events if isinstance(e, BetsClosed)
    }
    return [at - (deadlines[n] or 0) for n, at in closes.items()]


def test_wagers_raced_against_no_more_bets(postgres: str) -> None:
    """From several nodes at once: none is accepted after the close, each is answered, none twice."""
    wanted = 1_000_000 if SLOW else 3_000
    names = [f"s{i}" for i in range(250)]
    bets = ("player", "banker", "tie", "player-pair", "banker-pair")
    with floor(postgres, 2) as found:
        sent, answered = asyncio.run(_race(found, names, bets, wanted))
        entries = found.entries()
        found.sound()
    assert sent == answered >= wanted
    closed = {
        e.round: entry.seq for entry in entries for e in entry.events if isinstance(e, BetsClosed)
    }
    placed = [
        (e.round, entry.seq)
        for entry in entries
        for e in entry.events
        if isinstance(e, WagerPlaced)
    ]
    assert all(seq < closed[number] for number, seq in placed)
    assert 0 < len(placed) < sent  # some were in time and some were late


async def _race(
    found: Floor, names: list[str], bets: tuple[str, ...], wanted: int
) -> tuple[int, int]:
    pit = await opened(found, names, clock=Clock())
    chance, sent, answered = random.Random(1), 0, Counter[str]()
    for number in range(1, 1 + wanted // 100):
        opened_ = await pit.ask(c.OpenBets(by="pit"))
        if not opened_.ok:
            await pit.ask(c.EndShoe(by="pit"))
            await pit.ask(c.NewShoe(by="pit"))
            await pit.ask(c.OpenBets(by="pit"))
        lines: list[list[bytes]] = [[] for _ in found.nodes]
        for i, (name, bet) in enumerate(itertools.product(names, bets)):
            command = c.PlaceWager(by=name, round=number, session=name, bet=bet, stake_cents=1_000)
            request = Request(stream=TABLE, id=f"{number}-{bet}", command=command)
            lines[i % len(lines)].append(canonical(request) + b"\n")
        sent += sum(map(len, lines))

        async def flood(node: Node, own: list[bytes]) -> None:
            async with connection(node.socket) as (reader, writer):
                writer.writelines(own)
                for _ in own:
                    answer = read_answer(await reader.readuntil(b"\n"))
                    assert answer.ok or answer.code == "bets-are-closed", answer
                    answered["in time" if answer.ok else "late"] += 1

        async def close() -> None:
            await asyncio.sleep(chance.random() * 0.2)
            await pit.ask(c.CloseBets(by="pit"))

        await asyncio.gather(
            *(flood(node, own) for node, own in zip(found.nodes, lines, strict=True)), close()
        )
        while (await pit.ask(c.DealCard(by="pit"))).ok:
            pass
        assert (await pit.ask(c.Settle(by="pit"))).ok
        if sent >= wanted and len(answered) == 2:  # both, in time and late
            return sent, answered.total()
    raise AssertionError(f"never both in time and late: {answered}")


def test_vouchers_between_tables_never_deadlock(postgres: str, tmp_path: Path) -> None:
    """Two tables and a window of the cage, two nodes, random traffic with vouchers that cross."""
    with database(postgres) as url:
        stores = [
            open_store(url, keys=tmp_path / "keys", heads=tmp_path / f"{n}.heads") for n in (1, 2)
        ]
        try:
            asyncio.run(_traffic(stores, url))
        finally:
            for store in stores:
                store.close()
        with psycopg.connect(url) as connection_:
            row = connection_.execute(
                "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
            ).fetchone()
        assert row == (0,)
        report = audit(
            url, keys=tmp_path / "keys", heads=[tmp_path / "1.heads", tmp_path / "2.heads"]
        )
        assert report.fault is None


async def _traffic(stores, url: str) -> None:  # type: ignore[no-untyped-def]
    streams, ids, pool = ("table:1", "table:2", "cage:1"), itertools.count(), list[str]()
    for stream in streams:
        opened = (
            g.OpenShift(by="carl", float_cents=0)
            if stream == "cage:1"
            else c.OpenTable(by="pit", game="rapid")
        )
        assert (await stores[0].asked(Request(stream=stream, id="open", command=opened))).ok

    def done() -> int:
        with psycopg.connect(url, autocommit=True) as connection_:
            row = connection_.execute(
                "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
            ).fetchone()
        assert row is not None
        return int(row[0])

    enough = asyncio.Event()

    async def patron(name: str) -> None:
        chance = random.Random(name)

        async def ask(stream: str, command: Command) -> Answer:
            answer: Answer = await chance.choice(stores).asked(
                Request(stream=stream, id=str(next(ids)), command=command)
            )
            return answer

        while not enough.is_set():
            stream, voucher = chance.choice(streams), f"v{next(ids)}"
            if stream == "cage:1":
                if pool and chance.random() < 0.6:
                    await ask(stream, g.PayVoucher(by="carl", voucher=chance.choice(pool[-8:])))
                elif (
                    await ask(
                        stream, g.SellVoucher(by="carl", voucher=voucher, cents=700, valid_ms=10**9)
                    )
                ).ok:
                    pool.append(voucher)
                continue
            await ask(stream, c.SeatSession(by=name, session=name))
            if pool and chance.random() < 0.6:  # two may try for the same one
                await ask(
                    stream, c.RedeemVoucher(by=name, session=name, voucher=chance.choice(pool[-8:]))
                )
            else:
                await ask(stream, c.BuyIn(by=name, session=name, cents=1_000))
            if (await ask(stream, c.IssueVoucher(by=name, session=name, voucher=voucher))).ok:
                pool.append(voucher)

    async def watch() -> None:
        while await asyncio.to_thread(done) < TRANSACTIONS:
            await asyncio.sleep(0.5)
        enough.set()

    await asyncio.wait_for(asyncio.gather(*(patron(f"p{n}") for n in range(8)), watch()), 240)


@pytest.mark.waits
def test_a_frozen_node_that_wakes_up_cannot_write(postgres: str, tmp_path: Path) -> None:
    """Stopped inside its transaction, holding the head: others go on after a second, and it finds itself cut off."""
    from puntobanco_floor.store.postgres import PostgresStore  # noqa: PLC0415

    freezes, frozen_now, thaws = threading.Event(), threading.Event(), threading.Event()

    def freeze(point: str) -> None:
        if point == "commit" and freezes.is_set():
            freezes.clear()
            frozen_now.set()
            assert thaws.wait(PATIENCE_S)  # as a stopped process: the whole node does nothing

    with database(postgres) as url:
        healthy = open_store(url, keys=tmp_path / "keys", heads=tmp_path / "1.heads")
        frozen = PostgresStore(
            url, keys=tmp_path / "keys", heads=tmp_path / "2.heads", point=freeze
        )
        try:
            assert healthy.ask(
                Request(stream=TABLE, id="open", command=c.OpenTable(by="pit", game="rapid"))
            ).ok
            freezes.set()
            waiting = frozen.submit(
                Request(stream=TABLE, id="a", command=c.SeatSession(by="a", session="a"))
            )
            assert frozen_now.wait(PATIENCE_S)
            assert healthy.ask(
                Request(stream=TABLE, id="b", command=c.SeatSession(by="b", session="b"))
            ).ok
            assert not waiting.done(), "the other went on while it stood still"
            thaws.set()
            late = waiting.result(PATIENCE_S)
            assert late.ok  # its transaction was ended; it was decided anew, after the other
            assert late.seq == 5
            # each node's key is admitted before the first entry that it writes
            assert [read_entry(data).by for _, data in healthy.entries(TABLE)] == [
                STORE,
                "pit",
                "b",
                STORE,
                "a",
            ]
        finally:
            healthy.close()
            frozen.close()


def test_a_hundred_hints_of_a_stream_read_it_twice(postgres: str, tmp_path: Path) -> None:
    """Once for those that came before it was read, once for those that came meanwhile."""
    from puntobanco_floor.store.postgres import PostgresStore  # noqa: PLC0415

    read = list[str]()

    class Node(PostgresStore):
        async def _listen(self, name: str) -> None:
            read.append(name)
            await asyncio.sleep(0.2)
            await super()._listen(name)

    with database(postgres) as url:
        writer = open_store(url, keys=tmp_path / "keys", heads=tmp_path / "1.heads")
        node = Node(url, keys=tmp_path / "keys", heads=tmp_path / "2.heads", notify=False)
        try:
            heard = threading.Event()
            node.watchers.append(lambda *_: heard.set())
            answer = writer.ask(
                Request(stream=TABLE, id="open", command=c.OpenTable(by="pit", game="rapid"))
            )
            for _ in range(100):
                node._loop.call_soon_threadsafe(node._heard, TABLE, answer.seq)
            assert heard.wait(PATIENCE_S)
            assert 1 <= len(read) <= 4, "the poll may come twice between"
        finally:
            writer.close()
            node.close()


@pytest.mark.parametrize("lost", ["before the commit", "after the commit"])
def test_a_connection_lost_at_the_commit_is_asked_again(
    postgres: str, tmp_path: Path, lost: str
) -> None:
    """Nobody can know whether the commit came through; the id tells."""
    from puntobanco_floor.store.postgres import PostgresStore  # noqa: PLC0415

    again = [True]

    def cut(point: str) -> None:
        if again[0] and point == ("commit" if lost == "before the commit" else "committed"):
            again[0] = False
            raise ConnectionResetError("cut")

    with database(postgres) as url:
        store = open_store(url, keys=tmp_path / "keys", heads=tmp_path / "0.heads")
        store.close()
        with PostgresStore(
            url, keys=tmp_path / "keys", heads=tmp_path / "1.heads", point=cut
        ) as node:
            answer = node.ask(
                Request(stream=TABLE, id="open", command=c.OpenTable(by="pit", game="rapid"))
            )
            assert answer.ok
            assert answer.seq == 2  # after the node's key
            assert len(list(node.entries(TABLE))) == 2
