"""A typed client: a terminal in Python, over the same wire as the browser's.

async with Terminal("http://127.0.0.1:8000", table=1) as terminal:
    await terminal.seat()
    await terminal.betting()
    print(await terminal.place("banker", 1_000))
"""

from __future__ import annotations

import asyncio
import http.client
import itertools
import json
import secrets
import time
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words
from puntobanco_floor.domain.events import Complaint
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.views.table_view import Recall, SessionView, TableView, changed
from puntobanco_proof.entry.heads import Head

TIMEOUT_S = 10.0
REPEAT_S = 600.0
"""How long a command is sent again. Refusals are forgotten after fifteen minutes: sent later than
that, it could be decided anew. After this its outcome is only looked up.
"""

AGAIN_S = 0.5
MAX_AGAIN_S = 8.0
LOGGED_OUT = 401
TOO_MANY = 429
SERVER_FAULT = 500
NOT_OFFERED = 501
UNKNOWN = "unknown"
UNDECIDED = ("in-doubt", "not-stored", "database-unavailable")
"""Codes of answers over the wire that decide nothing."""


class FloorRefused(Refusal):
    """What the floor said no to: its code, and the HTTP status (0 over the wire)."""

    remedy = "Read the reason, which is the floor's own."

    def __init__(
        self, reason: Words | str, *, clause: str | None = None, code: str = "", status: int = 0
    ) -> None:
        super().__init__(reason, clause=clause)
        self.code, self.status = code or type(self).code, status

    @property
    def leaves_doubt(self) -> bool:
        """Whether the floor failed, so that it is not known what became of a command."""
        return self.status >= SERVER_FAULT and self.status != NOT_OFFERED

    @property
    def is_decision(self) -> bool:
        """Whether it is about the command, not about the session or the request rate."""
        return not self.leaves_doubt and self.status not in (LOGGED_OUT, TOO_MANY)


def asked(method: str, address: str, token: str | None = None, body: object = None) -> Any:
    """One request; a refusal is raised with the floor's own words."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None
    if body is not None:
        data = json.dumps(body).encode()
    if data is not None:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(address, method=method, headers=headers, data=data)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise _refused(error) from None
    except (http.client.HTTPException, ValueError) as error:
        raise ConnectionError(f"the answer was cut off: {error}") from None


def _refused(error: urllib.error.HTTPError) -> FloorRefused:
    said = dict[str, Any]()
    with error, suppress(ValueError, OSError, http.client.HTTPException):  # a proxy says no JSON
        said = json.load(error)
    return FloorRefused(
        _reason(said, str(error)),
        clause=said.get("clause") or None,
        code=said.get("code", ""),
        status=error.code,
    )


def enrol(address: str, code: str) -> str:
    """The key of a terminal, for the code that an administrator was shown; keep it, the code is
    used up.
    """
    url = f"{address.rstrip('/')}/api/enrol"
    answer = asked("POST", url, body={"code": code})
    return str(answer["key"])


class Seen:
    """A table and a session, kept up to date from the messages of the wire. It needs no knowledge
    of events: a message says what it changes.
    """

    def __init__(self) -> None:
        self.table: TableView | None = None
        self.mine: SessionView | None = None
        self.is_behind = False  # something was missed: the whole view was asked for

    def follow(self, message: wire.ToTerminal) -> bool:
        """Whether something was missed, so that a `sync` is to be sent: once, and then what comes
        is passed over until the whole view is there.
        """
        match message:
            case wire.Welcome():
                self.table = message.table
                self.mine = message.session
                self.is_behind = False
            case wire.Mine():
                self.own(message.session)
            case wire.Events() if not self.is_behind:
                self.is_behind = not self._happened(message)
                return self.is_behind
        return False

    def own(self, session: SessionView) -> None:
        """The session's own view, unless a later one is there."""
        if self.mine is None or session.seq >= self.mine.seq:
            self.mine = session

    def _happened(self, message: wire.Events) -> bool:
        """Whether it follows on what is known, or was known before."""
        table = self.table
        if table is None:
            return False
        if message.v <= table.v:
            return True
        if message.v - len(message.events) != table.v:
            return False
        after = changed(table, message.set, message.add)
        self.table = replace(after, v=message.v, seq=message.seq, at=message.at)
        self._end_round(table, after)
        return True

    def _end_round(self, before: TableView, after: TableView) -> None:
        """Wagers are of a round, lines stand while it is settled or void; nobody is told one by one
        that this is over.
        """
        mine = self.mine
        if mine is None:
            return
        is_new = after.round != before.round
        if is_new:
            mine = replace(mine, wagers={})
        if is_new or after.phase not in ("settled", "void"):
            mine = replace(mine, lines=())
        self.mine = mine


@dataclass
class _Asked:
    """A wager that is not decided."""

    data: bytes
    future: asyncio.Future[wire.Answered]
    since: float = field(default_factory=time.monotonic)
    tries: int = 0

    @property
    def may_repeat(self) -> bool:
        return time.monotonic() - self.since < REPEAT_S


class Terminal:
    """A session at one table. A connection that is lost is made again, and what was not answered is
    sent again.
    """

    def __init__(
        self,
        address: str,
        *,
        table: int,
        token: str | None = None,
        key: str | None = None,
        card: str | None = None,
    ) -> None:
        """With the token of a session, or the key of an enrolled terminal; in the demonstration
        with neither.
        """
        self.address = address.rstrip("/")
        self.number = table
        self.token = token
        self.key = key
        self.card = card
        self.seen = Seen()
        self.head: Head | None = None  # the furthest that a wager was receipted with
        self.events = asyncio.Queue[dict[str, Any]](10_000)
        self.reconnects = 0
        self._ids = map(str, itertools.count())
        self._run = secrets.token_hex(4)
        self._asked = dict[str, _Asked]()
        self._repeats = set[asyncio.Task[None]]()
        self._changed = asyncio.Condition()
        self._socket: ClientConnection | None = None
        self._refused: FloorRefused | None = None

    @property
    def table(self) -> TableView | None:
        return self.seen.table

    @property
    def mine(self) -> SessionView | None:
        return self.seen.mine

    async def __aenter__(self) -> Terminal:
        if self.token is None and self.key is not None:
            self.token = self.key
            begun = await self._http("POST", "/api/session", {"card": self.card})
            self.token = str(begun["token"])
        elif self.token is None:
            self.token = str((await self._http("POST", "/api/guest"))["token"])
        self._task = asyncio.create_task(self._stay_connected())
        try:
            await self.until(lambda: self.table is not None)
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = [self._task, *self._repeats]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()

    # Over HTTP

    async def _http(self, method: str, path: str, body: object = None) -> Any:
        return await asyncio.to_thread(asked, method, self.address + path, self.token, body)

    async def _do(self, path: str, body: dict[str, Any], outcomes: str = "") -> Any:
        """Send a command under one id until the floor has decided it. A lost connection or a fault
        of the server decides nothing, and a refusal of a repeat says nothing about the tries
        before it: that is looked up.
        """
        id_ = f"{self._run}-{next(self._ids)}"
        outcome = f"{outcomes or f'/api/tables/{self.number}'}/commands/{id_}"
        since, in_doubt, tries = time.monotonic(), False, 0
        while True:
            try:
                if time.monotonic() - since < REPEAT_S:
                    return await self._http("POST", path, {**body, "id": id_})
                return await self._http("GET", outcome)
            except OSError:
                in_doubt = True
            except FloorRefused as refused:
                if in_doubt and refused.is_decision:
                    with suppress(OSError):
                        return await self._confirm(outcome, refused)
                elif not (refused.leaves_doubt or (in_doubt and refused.status == TOO_MANY)):
                    raise
                in_doubt = True
            await asyncio.sleep(_pause_s(tries))
            tries += 1

    async def _confirm(self, outcome: str, refused: FloorRefused) -> Any:
        """Hold a refusal of a repeat against the journal; an outcome that is still in doubt is an
        `OSError`.
        """
        try:
            return await self._http("GET", outcome)
        except FloorRefused as found:
            if found.leaves_doubt or found.status == TOO_MANY:
                raise ConnectionError(found.reason) from None
            raise (refused if found.code == UNKNOWN else found) from None

    async def seat(self) -> SessionView:
        """A seat; in the demonstration with play credits."""
        return await self._my("seat")

    async def redeem(self, number: str) -> SessionView:
        return await self._my("redeem", {"number": number})

    async def limit(
        self, *, loss_cents: int | None = None, minutes: int | None = None
    ) -> dict[str, Any]:
        """Limits of one's own for a day; narrower ones hold at once, wider ones tomorrow."""
        asked = {"loss_cents": loss_cents, "minutes": minutes}
        found = await self._do("/api/me/limits", asked, "/api/me")
        if "played_ms" not in found:  # looked up: an answer, without the limits
            found = (await self._http("GET", "/api/me"))["limits"]
        return dict(found)

    async def recall(self, round_: int) -> Recall:
        """A past round, as a replay."""
        return msgspec.convert(
            await self._http("GET", f"/api/tables/{self.number}/rounds/{round_}"), Recall
        )

    async def ask_review(self, round_: int, complaint: Complaint, note: str = "") -> SessionView:
        """Ask the house to look at a past round again; its answer comes in `mine`."""
        body = {"complaint": complaint, "note": note}
        return await self._my(f"rounds/{round_}/review", body)

    async def _my(self, what: str, body: dict[str, Any] | None = None) -> SessionView:
        found = await self._do(f"/api/tables/{self.number}/{what}", body or {})
        view = msgspec.convert(found, SessionView)
        self.seen.own(view)
        return view

    async def cash_out(self) -> tuple[str, int]:
        """All credits to a voucher: its number and what it is worth. The session is over with
        that: another `Terminal` begins the next.
        """
        paper = await self._do(f"/api/tables/{self.number}/cash-out", {})
        return str(paper["number"]), int(paper["cents"])

    # Over the wire

    async def place(self, bet: str, stake_cents: int) -> wire.Answered:
        return await self._command(wire.Place, bet=bet, stake_cents=stake_cents)

    async def raise_(self, bet: str, by_cents: int) -> wire.Answered:
        return await self._command(wire.Raise, bet=bet, by_cents=by_cents)

    async def withdraw(self, bet: str, by_cents: int | None = None) -> wire.Answered:
        return await self._command(wire.Withdraw, bet=bet, by_cents=by_cents)

    async def _command(
        self, kind: type[wire.Place | wire.Raise | wire.Withdraw], **fields: Any
    ) -> wire.Answered:
        assert self.table is not None, "enter the terminal before you use it"
        if self._refused is not None:
            raise self._refused
        id_ = f"{self._run}-{next(self._ids)}"
        data = wire.write(kind(id=id_, round=self.table.round, **fields))
        future: asyncio.Future[wire.Answered] = asyncio.get_running_loop().create_future()
        self._asked[id_] = _Asked(data, future)
        await self._send(data)
        return await future

    def _repeat(self, id_: str, delay_s: float = 0.0) -> None:
        task = asyncio.create_task(self._ask_again(id_, delay_s))
        self._repeats.add(task)
        task.add_done_callback(self._repeats.discard)

    async def _ask_again(self, id_: str, delay_s: float) -> None:
        """The same id: no effect twice. After a while the outcome is only looked up."""
        await asyncio.sleep(delay_s)
        asked = self._asked.get(id_)
        if asked is None:
            return
        if asked.may_repeat:
            await self._send(asked.data)
            return
        try:
            await self._http("GET", f"/api/tables/{self.number}/commands/{id_}")
            self._decided(wire.Answered(id=id_, ok=True))
        except FloorRefused as refused:
            if refused.is_decision:
                answer = wire.Answered(id=id_, ok=False, code=refused.code, reason=refused.words)
                self._decided(answer)
                return
            self._repeat(id_, MAX_AGAIN_S)
        except OSError:
            self._repeat(id_, MAX_AGAIN_S)

    def _decided(self, answer: wire.Answered) -> None:
        asked = self._asked.pop(answer.id, None)
        if asked is not None and not asked.future.done():
            asked.future.set_result(answer)

    async def _send(self, data: bytes) -> None:
        socket = self._socket
        if socket is not None:
            with suppress(ConnectionClosed):  # it is sent again when the connection is back
                await socket.send(data, text=True)

    async def betting(self) -> None:
        """Until bets are open."""
        await self.until(lambda: self.table is not None and self.table.phase == "betting")

    async def until(self, holds: Any) -> None:
        """Until this holds of what was heard; who was turned away for good hears that instead."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._refused is not None or holds())
        if self._refused is not None and not holds():
            raise self._refused

    async def _stay_connected(self) -> None:
        address = f"{self.address.replace('http', 'ws', 1)}/ws/{self.number}"
        headers = {"Authorization": f"Bearer {self.token}"}
        while True:
            try:
                async with connect(
                    address, additional_headers=headers, compression=None, max_queue=None
                ) as socket:
                    self._socket = socket
                    async for data in socket:
                        await self._heard(wire.read_to_terminal(data))
            except (OSError, ConnectionClosed, InvalidMessage):
                pass  # gone, perhaps in the first words
            except InvalidStatus as refused:
                status = refused.response.status_code
                if status < SERVER_FAULT and status != TOO_MANY:  # the others pass
                    await self._give_up(FloorRefused(_turned_away(refused), status=status))
                    return
            self._socket = None
            self.reconnects += 1
            await asyncio.sleep(0.2)

    async def _give_up(self, refused: FloorRefused) -> None:
        """Everybody who waits hears why; nothing would come any more."""
        self._socket = None
        self._refused = refused
        for asked in self._asked.values():
            if not asked.future.done():
                asked.future.set_exception(refused)
        self._asked.clear()
        async with self._changed:
            self._changed.notify_all()

    async def _heard(self, message: wire.ToTerminal) -> None:
        if self.seen.follow(message):
            await self._send(wire.write(wire.Sync()))
        match message:
            case wire.Welcome():
                for id_, asked in list(self._asked.items()):  # in the order in which they were sent
                    if asked.may_repeat:
                        await self._send(asked.data)
                    else:
                        self._repeat(id_)
            case wire.Answered() if message.code in UNDECIDED and message.id in self._asked:
                asked = self._asked[message.id]
                self._repeat(message.id, _pause_s(asked.tries))
                asked.tries += 1
            case wire.Answered():
                self._keep(message.head)
                self._decided(message)
            case wire.Events():
                self._note(message.events)
        async with self._changed:
            self._changed.notify_all()

    def _keep(self, head: Head | None) -> None:
        if head is None:
            return
        kept = self.head
        if kept is None or (head.epoch, head.seq) > (kept.epoch, kept.seq):
            self.head = head

    def _note(self, events: list[Any]) -> None:
        """For whoever reads `events`; the oldest make room."""
        for event in events:
            if self.events.full():
                self.events.get_nowait()
            self.events.put_nowait(event)


def _pause_s(tries: int) -> float:
    """How long to wait before a command is sent again."""
    return float(min(MAX_AGAIN_S, AGAIN_S * 2 ** min(tries, 10)))


def _turned_away(refused: InvalidStatus) -> Words | str:
    said = None
    with suppress(ValueError, TypeError):
        said = json.loads(refused.response.body)
    return _reason(said, f"the connection was refused: {refused}")


def _reason(problem: Any, otherwise: str) -> Words | str:
    """The floor's own words, where it gave any."""
    with suppress(KeyError, TypeError):
        return Words(**problem["reason"])
    return otherwise
