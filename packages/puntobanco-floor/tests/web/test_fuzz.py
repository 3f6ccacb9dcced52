"""A million messages that nobody should send: the floor answers, cuts off, and changes nothing that it should not."""

import asyncio
import json
import os
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import puntobanco_floor.domain.events as e
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.store.reader import reading
from puntobanco_floor.web.socket import MESSAGES_AT_ONCE
from tests.support.http import http
from tests.support.patience import PATIENCE_S
from tests.support.served import Served, api, asked, staff_tokens
from tests.web.raw import BINARY, TEXT, Line, NotUpgraded, fragments, frame
from tests.web.rubbish import Rubbish, Sent, place

SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
MESSAGES = 1_000_000 if SLOW else 10_000
GROWTH_MB = 48
"""What the server may hold at the end more than after a tenth of the messages."""

TABLE = 6  # a dealer runs it: no clock writes to its journal
STRANGERS, GAMBLERS, SILENT = 18, 6, 40
AT_ONCE = MESSAGES_AT_ONCE - 10


class Counts:
    """Of the whole run, by all workers."""

    def __init__(self) -> None:
        self.left = self.sent = 0
        self.kinds, self.codes, self.closed = Counter[str](), Counter[str](), Counter[int]()
        self.done = Counter[
            tuple[str, str, str, int]
        ]()  # what was accepted: who, which event, bet, cents
        self.connections = self.cut_told = self.cut_untold = 0

    def __str__(self) -> str:
        told = f"{self.sent:,} messages, {self.connections:,} connections, {self.done.total():,} accepted"
        return f"kinds {dict(self.kinds)}\ncodes {dict(self.codes)}\nclosed with {dict(self.closed)}\n{told}"


class Worker(Rubbish):
    """One session, one connection after another; what a cut left unanswered is asked again, with the same id."""

    def __init__(
        self, served: Served, counts: Counts, n: int, token: str, *, others: str, plays: bool
    ) -> None:
        super().__init__(n, others=others, plays=plays)
        self.served, self.counts, self.token = served, counts, token
        self.session = token.partition("~")[0]
        self.answer = dict[str, Any]()  # by id, what was answered to it
        self.pending = set[str]()

    async def run(self) -> None:
        while self.counts.left > 0:
            await self.connection()

    async def connection(self) -> None:
        chance, counts = self.chance, self.counts
        line = await Line.open(
            self.served.port, f"/ws/{TABLE}", Authorization=f"Bearer {self.token}"
        )
        counts.connections += 1
        batch: list[tuple[str, Sent]] = [
            ("again", (self.first[id_], id_)) for id_ in sorted(self.pending)
        ]
        many, kinds = min(AT_ONCE, max(counts.left, 1)), self.kinds()
        while len(batch) < many:
            kind = chance.choice(kinds)
            batch.append((kind.__name__, kind()))
        ending, last = self.ending() if chance.random() < 0.2 else ("", [])
        data, expected = list[bytes](), Counter[str]()
        for name, (payload, reply) in batch:
            counts.kinds[name] += 1
            chosen = chance.random()
            if chosen < 0.03 and name != "again":  # bytes are no text, whatever they spell
                data.append(frame(BINARY, payload))
                expected["bad"] += 1
                counts.kinds["binary"] += 1
                continue
            if reply not in ("bad", "welcome", "one"):
                if self.first.setdefault(reply, payload) is payload:
                    self.recent.append(reply)
                if reply not in self.answer:
                    self.pending.add(reply)
                reply = reply if payload == self.first[reply] else f"other {reply}"  # noqa: PLW2901
            expected[reply] += 1
            data.append(fragments(payload, chance) if chosen < 0.1 else frame(TEXT, payload))
            counts.kinds["fragmented"] += chosen < 0.1
        if ending:
            expected["bad"] += (
                len(last) if ending == "told" else 0
            )  # at most: it is cut off on the way
            counts.kinds[f"ends: {ending}"] += 1
        counts.left -= len(data) + len(last)
        counts.sent += len(data) + len(last)
        line.send(b"".join([*data, *last]))
        try:
            await asyncio.wait_for(self.listen(line, expected, ending), PATIENCE_S)
        finally:
            line.drop()
            counts.closed[line.closed_with] += 1

    async def listen(self, line: Line, expected: Counter[str], ending: str) -> None:
        """Exactly what is due and nothing else; less where the connection was cut."""
        heard, bye, asked_last = Counter[str](), False, False
        if ending == "gone":
            await line.writer.drain()
            if self.chance.random() < 0.5:
                return
        first = await line.hear()
        assert first is None or json.loads(first)["t"] == "welcome"
        assert first is not None or ending
        while True:
            if heard.total() == expected.total() and not ending and not asked_last:
                asked_last = True  # what would come twice comes before the answer to this
                line.send(frame(TEXT, b'{"t":"sync"}'))
                expected["welcome"] += 1
            elif asked_last and heard.total() >= expected.total():
                break
            if ending == "gone" and heard.total() >= expected.total():
                break
            data = await line.hear()
            if data is None:
                break
            message = json.loads(data)
            match message["t"]:
                case "welcome":
                    heard["welcome"] += 1
                case "answered":
                    heard[self.answered(message)] += 1
                case "bye":
                    bye = True
                case other:
                    assert other == "mine", f"table {TABLE} has no clock: {message}"
        odd = sum((heard - expected).values())  # what a mutated message became
        assert odd <= expected["one"], (heard - expected, expected, ending)
        if not ending:
            assert asked_last, f"cut off for nothing: {line.closed_with} {expected - heard}"
            assert odd == expected["one"], (expected, heard)
            assert expected - heard == Counter(one=odd) - Counter(one=0), (
                expected - heard,
                heard - expected,
            )
        elif ending == "told":
            self.counts.cut_told += bye and line.closed_with == 4408
            self.counts.cut_untold += not bye
        elif ending != "gone":
            assert str(line.closed_with) == ending, (line.closed_with, ending)

    def answered(self, message: dict[str, Any]) -> str:
        """The same id and body: the same answer, always."""
        id_, code = str(message["id"]), message["code"]
        self.counts.codes[code or "ok"] += 1
        assert code != "not-stored", message  # the disk of a test is well
        if code == "bad-message":
            assert not id_
            return "bad"
        if id_ not in self.first:
            assert not message["ok"], f"a message that was spoilt is accepted: {message}"
            return id_
        if code == "command-reused":
            return f"other {id_}"
        before = self.answer.setdefault(id_, message)
        assert before == message, "the same command, another answer"
        if id_ in self.pending:
            self.pending.discard(id_)
            if message["ok"]:
                self.accept(json.loads(self.first[id_]))
        return id_

    def accept(self, body: dict[str, Any]) -> None:
        assert self.plays, f"accepted without a seat: {body}"
        event = {"place": "WagerPlaced", "raise": "WagerRaised", "withdraw": "WagerWithdrawn"}[
            body["t"]
        ]
        cents = (
            0 if body["t"] == "withdraw" else body.get("stake_cents") or body["by_cents"]
        )  # it may be all of it
        self.counts.done[self.session, event, body["bet"], cents] += 1

    async def settle_up(self) -> None:
        """What is still unanswered is asked once more."""
        line = await Line.open(
            self.served.port, f"/ws/{TABLE}", Authorization=f"Bearer {self.token}"
        )
        assert len(self.pending) < MESSAGES_AT_ONCE
        for id_ in sorted(self.pending):
            line.send(frame(TEXT, self.first[id_]))
        while self.pending:
            data = await asyncio.wait_for(line.hear(), PATIENCE_S)
            assert data is not None
            message = json.loads(data)
            if message["t"] == "answered":
                self.answered(message)
        line.drop()


async def odd_handshakes(port: int, token: str) -> Counter[int]:
    """What a handshake can be wrong in: refused, and never a fault."""
    seen = Counter[int]()
    tries: list[tuple[str, dict[str, str]]] = [
        ("/ws/6", {}),
        ("/ws/6", {"Authorization": "Bearer x"}),
        ("/ws/6", {"Authorization": "Bearer g1.\xe9"}),
        ("/ws/6", {"Cookie": "puntobanco=\xff.\xff"}),
        ("/ws/99", {"Authorization": f"Bearer {token}"}),
        ("/ws/x", {"Authorization": f"Bearer {token}"}),
        ("/ws/" + "9" * 400, {"Authorization": f"Bearer {token}"}),
        ("/ws/%00", {"Authorization": f"Bearer {token}"}),
        ("/ws/-6", {"Authorization": f"Bearer {token}"}),
        ("/", {}),
        ("/api/tables", {}),
        ("/ws/6", {"Cookie": f"puntobanco={token}", "Origin": "http://evil.example"}),
        (
            "/ws/6",
            {
                "Authorization": f"Bearer {token}",
                "Sec-WebSocket-Protocol": "a, b",
                "Sec-WebSocket-Extensions": "x; y",
            },
        ),
    ]
    for path, headers in tries:
        try:
            (await Line.open(port, path, **headers)).drop()
            seen[101] += 1
        except NotUpgraded as refused:
            seen[refused.status] += 1
        except (OSError, asyncio.IncompleteReadError):
            seen[0] += 1
    return seen


async def silent(port: int, token: str, n: int) -> Line:
    """Half-open: a handshake cut short, or none, or one after which nothing is said or read."""
    if n % 2:
        return await Line.open(port, f"/ws/{TABLE}", Authorization=f"Bearer {token}")
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        (
            b"",
            b"GET /ws/6 HT",
            b"GET /ws/6 HTTP/1.1\r\nUpgrade: websocket\r\n",
            b"\x16\x03\x01\x02",
        )[n // 2 % 4]
    )
    return Line(reader, writer)


def memory_mb(served: Served) -> float:
    told = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(served.process.pid)], capture_output=True, check=True
    )
    return int(told.stdout) / 1024


def entries_of(served: Served, after: int = 0) -> list[tuple[int, bytes]]:
    with reading(str(served.database)) as reader:
        return list(reader.entries(f"table:{TABLE}", after=after))


def event_of(data: bytes, seq: int) -> tuple[str, str, str, int]:
    entry = read_entry(data, stream=f"table:{TABLE}", seq=seq)
    [event] = entry.events
    assert isinstance(event, e.WagerPlaced | e.WagerRaised | e.WagerWithdrawn)
    assert event.session == entry.by
    cents = {"WagerPlaced": event.stake_cents, "WagerRaised": getattr(event, "by_cents", 0)}.get(
        type(event).__name__, 0
    )
    return entry.by, type(event).__name__, event.bet, cents


def warm(served: Served) -> None:
    """Until the pit has loaded what it works out odds with: that memory is no leak."""
    token, until = staff_tokens(served, "sam")["sam"], time.monotonic() + PATIENCE_S
    while not api(served, "GET", "/api/staff/pit", token)[1]["tables"][0]["returns"]:
        assert time.monotonic() < until
        time.sleep(0.3)


def by_staff(served: Served, *commands: tuple[str, dict[str, str]]) -> None:
    """By the dealer, who logs in anew: idle for five minutes is too long."""
    token = staff_tokens(served, "dora")["dora"]
    for n, (command, fields) in enumerate(commands):
        id_ = f"{command}-{n}"
        assert asked(served, token, id_, command, table=TABLE, **fields)[1]["ok"], command


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    yield served
    served.stop()


async def run(served: Served, workers: list[Worker], counts: Counts) -> tuple[float, float]:
    """All of them at once; the server's memory after a tenth, and at the end."""
    token, quiet = workers[-1].token, list[Line]()
    try:
        for n in range(SILENT):
            quiet.append(await silent(served.port, token, n))
        shook = await odd_handshakes(served.port, token)
        assert shook[101] == 1, shook
        assert not [status for status in shook if status >= 500], shook
        memory = list[float]()
        for most in (MESSAGES // 10, MESSAGES):
            counts.left = most - counts.sent
            await asyncio.gather(*(worker.run() for worker in workers))
            memory.append(memory_mb(served))
        await asyncio.gather(*(worker.settle_up() for worker in workers))
        return memory[0], memory[1]
    finally:
        for line in quiet:
            line.drop()
        await asyncio.sleep(0.1)  # so that every socket is closed


def test_a_million_messages_change_only_what_valid_commands_change(floor: Served) -> None:
    pid, began, counts = floor.process.pid, time.monotonic(), Counts()
    tokens = [
        json.loads(http(floor, "POST", "/api/guest")[2])["token"]
        for _ in range(STRANGERS + GAMBLERS)
    ]
    for token in tokens[:GAMBLERS]:
        assert (
            http(floor, "POST", f"/api/tables/{TABLE}/seat", Authorization=f"Bearer {token}")[0]
            == 200
        )
    by_staff(floor, ("open-bets", {}))
    warm(floor)
    before, others = entries_of(floor), tokens[0].partition("~")[0]
    workers = [
        Worker(floor, counts, n, token, others=others, plays=n < GAMBLERS)
        for n, token in enumerate(tokens)
    ]
    early, late = asyncio.run(run(floor, workers, counts))
    print(
        f"\n{counts}, {time.monotonic() - began:.0f} s, {early:.0f} MB after a tenth, {late:.0f} MB at the end"
    )

    assert floor.process.poll() is None
    assert floor.process.pid == pid
    assert http(floor, "GET", "/healthz")[0] == 200
    log = (floor.folder / "log").read_text()
    assert "Traceback" not in log
    assert "ERROR" not in log
    assert late - early < GROWTH_MB
    assert counts.sent >= MESSAGES
    assert counts.cut_told > 0
    assert counts.cut_untold == 0, "cut off without a word"
    assert {"ok", "bad-message", "command-reused", "wrong-round", "not-seated"} <= set(
        counts.codes
    ), counts.codes

    after = entries_of(floor)
    assert after[: len(before)] == before
    written = Counter(event_of(data, seq) for seq, data in after[len(before) :])
    assert written == counts.done, (written - counts.done, counts.done - written)
    assert written.total() > MESSAGES // 500

    by_staff(
        floor,
        ("close-bets", {}),
        *(("enter-card", {"card": card}) for card in ("9s", "2h", "8d", "4c")),
        ("settle", {}),
    )
    floor.stop()
    report = audit(floor.database)
    assert report.sound, report.fault


def test_the_same_command_over_three_connections_at_once_has_one_effect_and_one_answer(
    floor: Served,
) -> None:
    token = json.loads(http(floor, "POST", "/api/guest")[2])["token"]
    assert (
        http(floor, "POST", f"/api/tables/{TABLE}/seat", Authorization=f"Bearer {token}")[0] == 200
    )
    by_staff(floor, ("open-bets", {}))
    before, commands = (
        len(entries_of(floor)),
        [place(f"p{n}", 1, "banker", 1_000) for n in range(10)],
    )
    commands += [place(f"p{n}", 1, "player", 1_000) for n in range(10, 20)]

    async def answers() -> dict[str, dict[str, Any]]:
        line = await Line.open(floor.port, f"/ws/{TABLE}", Authorization=f"Bearer {token}")
        heard = dict[str, dict[str, Any]]()
        try:
            line.send(b"".join(frame(TEXT, command) for command in commands))
            while len(heard) < len(commands):
                data = await asyncio.wait_for(line.hear(), PATIENCE_S)
                assert data is not None
                message = json.loads(data)
                if message["t"] == "answered":
                    assert heard.setdefault(message["id"], message) is message, "answered twice"
        finally:
            line.drop()
        return heard

    async def together() -> list[dict[str, dict[str, Any]]]:
        return await asyncio.gather(*(answers() for _ in range(3)))

    first, second, third = asyncio.run(together())
    assert first == second == third
    assert len(entries_of(floor)) - before == sum(answer["ok"] for answer in first.values()) == 2
