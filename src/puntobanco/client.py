"""A typed client: a terminal in Python, over the same wire as the browser's.

async with Terminal("http://127.0.0.1:8000", table=1) as terminal:
    await terminal.seat()
    await terminal.betting()
    print(await terminal.place("banker", 1_000))
"""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
import urllib.error
import urllib.request
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from puntobanco.events import Complaint
from puntobanco.floor.terminals import wire
from puntobanco.floor.views.changes import changed
from puntobanco.floor.views.recall import Recall
from puntobanco.floor.views.table import SessionView, TableView
from puntobanco.journal import Head
from puntobanco.rules.refusals import Refusal

TIMEOUT_S = 10.0
SERVER_FAULT = 500
TOO_MANY = 429


class FloorRefused(Refusal):
    """What the floor said no to."""

    remedy = "Read the reason, which is the floor's own."


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
        with error:
            said = json.loads(error.read() or b"{}")
        raise FloorRefused(
            said.get("reason", str(error)), clause=said.get("clause") or None
        ) from None


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
        self._asked = dict[str, tuple[bytes, asyncio.Future[wire.Answered]]]()
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
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()

    # Over HTTP

    async def _http(self, method: str, path: str, body: object = None) -> Any:
        return await asyncio.to_thread(asked, method, self.address + path, self.token, body)

    async def seat(self) -> SessionView:
        """A seat; in the demonstration with play credits."""
        return await self._my("seat")

    async def redeem(self, number: str) -> SessionView:
        return await self._my("redeem", {"number": number})

    async def limit(
        self, *, loss_cents: int | None = None, minutes: int | None = None
    ) -> dict[str, Any]:
        """Limits of one's own for a day; narrower ones hold at once, wider ones tomorrow."""
        found = await self._http(
            "POST", "/api/me/limits", {"loss_cents": loss_cents, "minutes": minutes}
        )
        return dict(found)

    async def recall(self, round_: int) -> Recall:
        """A past round, as a replay."""
        return msgspec.convert(
            await self._http("GET", f"/api/tables/{self.number}/rounds/{round_}"), Recall
        )

    async def ask_review(self, round_: int, complaint: Complaint, note: str = "") -> SessionView:
        """Ask the house to look at a past round again; its answer comes in `mine`."""
        body = {"id": f"{self._run}-{next(self._ids)}", "complaint": complaint, "note": note}
        return await self._my(f"rounds/{round_}/review", body)

    async def _my(self, what: str, body: object = None) -> SessionView:
        found = await self._http("POST", f"/api/tables/{self.number}/{what}", body)
        view = msgspec.convert(found, SessionView)
        self.seen.own(view)
        return view

    async def cash_out(self) -> tuple[str, int]:
        """All credits to a voucher: its number and what it is worth. The session is over with
        that: another `Terminal` begins the next.
        """
        body = {"id": f"{self._run}-{next(self._ids)}"}
        for last in (
            False,
            False,
            True,
        ):  # a lost answer is asked for again: the same id, the same voucher
            try:
                paper = await self._http("POST", f"/api/tables/{self.number}/cash-out", body)
                break
            except OSError:
                if last:
                    raise
                await asyncio.sleep(1)
        return str(paper["number"]), int(paper["cents"])

    # Over the wire

    async def place(self, bet: str, stake_cents: int) -> wire.Answered:
        return await self._command(
            lambda i, n: wire.Place(id=i, round=n, bet=bet, stake_cents=stake_cents)
        )

    async def raise_(self, bet: str, by_cents: int) -> wire.Answered:
        return await self._command(
            lambda i, n: wire.Raise(id=i, round=n, bet=bet, by_cents=by_cents)
        )

    async def withdraw(self, bet: str, by_cents: int | None = None) -> wire.Answered:
        return await self._command(
            lambda i, n: wire.Withdraw(id=i, round=n, bet=bet, by_cents=by_cents)
        )

    async def _command(self, make: Any) -> wire.Answered:
        assert self.table is not None, "enter the terminal before you use it"
        if self._refused is not None:
            raise self._refused
        id_ = f"{self._run}-{next(self._ids)}"
        data = wire.write(make(id_, self.table.round))
        future: asyncio.Future[wire.Answered] = asyncio.get_running_loop().create_future()
        self._asked[id_] = (data, future)
        await self._send(data)
        return await future

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
            except (
                OSError,
                ConnectionClosed,
                TimeoutError,
                InvalidMessage,
            ):  # gone, perhaps in the first words
                pass
            except InvalidStatus as refused:
                status = refused.response.status_code
                if status < SERVER_FAULT and status != TOO_MANY:  # the others pass
                    await self._give_up(FloorRefused(_reason(refused)))
                    return
            self._socket = None
            self.reconnects += 1
            await asyncio.sleep(0.2)

    async def _give_up(self, refused: FloorRefused) -> None:
        """Everybody who waits hears why; nothing would come any more."""
        self._socket = None
        self._refused = refused
        for _, future in self._asked.values():
            if not future.done():
                future.set_exception(refused)
        self._asked.clear()
        async with self._changed:
            self._changed.notify_all()

    async def _heard(self, message: wire.ToTerminal) -> None:
        if self.seen.follow(message):
            await self._send(wire.write(wire.Sync()))
        match message:
            case wire.Welcome():
                for data, _ in list(self._asked.values()):  # the same ids: no effect twice
                    await self._send(data)
            case wire.Answered():
                self._keep(message.head)
                asked = self._asked.pop(message.id, None)
                if asked is not None and not asked[1].done():
                    asked[1].set_result(message)
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


def _reason(refused: InvalidStatus) -> str:
    """The floor's own words, where it gave any."""
    with suppress(ValueError, KeyError, TypeError):
        return str(json.loads(refused.response.body)["reason"])
    return f"the connection was refused: {refused}"
