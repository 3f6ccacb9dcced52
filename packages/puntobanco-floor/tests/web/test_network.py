"""The open network: slow, many, foreign and malformed requests, and whom they must not keep out."""

import asyncio
import json
import socket
import ssl
import time
from asyncio import selector_events, sslproto
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from argon2 import PasswordHasher
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from puntobanco_floor.cli.serve import READ_BYTES, _limit_reads
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.client_network import network_of
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.passwords import Passwords, verify_is_verifier
from puntobanco_floor.settings import DEFAULTS
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.web.app import create_app
from puntobanco_floor.web.context import web_for
from puntobanco_floor.web.fast_socket import FRAMES_OF_A_MESSAGE
from puntobanco_floor.web.middleware import MAX_COOKIES, with_own_cookies
from puntobanco_floor.web.slow_clients import Waiting, protocol
from tests.support.forked import Forked
from tests.support.http import http
from tests.support.patience import PATIENCE_S, until, wait_until
from tests.support.ports import free_port
from tests.support.quick_server import quick_clock
from tests.support.served import Served, api, staff_tokens
from tests.web.raw import MORE, PING, PONG, TEXT, Line, frame

REQUEST_S = 1
MOST = 20
VIEWERS = 5


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A demonstration whose limits are small enough to be reached."""
    found = Served(
        tmp_path_factory.mktemp("narrow"),
        "--demo",
        "--request-s",
        str(REQUEST_S),
        "--viewers",
        str(VIEWERS),
        "--viewers-per-address",
        "3",
    )
    yield found
    found.stop()


# Slow clients

HANDSHAKE = (
    b"GET /ws/views HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
LOGIN = b"POST /api/staff/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def half_open(served: Served, start: bytes = b"", at: str = "127.0.0.1") -> socket.socket:
    found = socket.create_connection(
        ("127.0.0.1", served.port), timeout=PATIENCE_S, source_address=(at, 0)
    )
    if start:
        found.sendall(start)
    return found


def is_closed(connection: socket.socket) -> bool:
    """Whether the server has closed it; what it said before is read."""
    connection.settimeout(0.001)
    try:
        return not connection.recv(65_536)
    except TimeoutError:
        return False
    except OSError:
        return True


@pytest.mark.waits
@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"GET /healthz HTTP/1.1\r\nHost: local",
        LOGIN + b'Content-Length: 40\r\n\r\n{"name"',
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /hea",
    ],
    ids=["nothing", "half a head", "half a body", "half a second request"],
)
def test_a_request_that_does_not_come_is_not_waited_for(narrow: Served, start: bytes) -> None:
    with half_open(narrow, start) as connection:
        wait_until(lambda: is_closed(connection), "the end")


@pytest.mark.parametrize(
    "rest",
    [b"Content-Length: 100\r\n", b"Transfer-Encoding: chunked\r\n", b"X-Line: 1\r\n" * 200],
    ids=["a body", "a body in parts", "many lines"],
)
def test_a_handshake_that_nobody_reads_is_not_kept(narrow: Served, rest: bytes) -> None:
    """With a body that never came 1,200 connections of one address stayed, beyond all limits."""
    with half_open(narrow, HANDSHAKE + rest + b"\r\n") as connection:
        wait_until(lambda: is_closed(connection), "the end")


@pytest.mark.waits
def test_a_request_that_drips_has_no_more_time(narrow: Served) -> None:
    with half_open(narrow, b"GET /healthz HTTP/1.1\r\n") as connection:
        began = time.monotonic()
        while not is_closed(connection):
            assert time.monotonic() - began < PATIENCE_S
            try:
                connection.sendall(b"X-Drip: 1\r\n")
            except OSError:
                break
            time.sleep(0.1)


@asynccontextmanager
async def listening(app: Any, *, most: int, limit_s: float = PATIENCE_S) -> AsyncIterator[int]:
    """Serve an application with these limits, and yield the port."""
    port = free_port()
    http = protocol(limit_s=limit_s, most=most)
    server = uvicorn.Server(uvicorn.Config(app, port=port, http=http, lifespan="off"))
    serving = asyncio.ensure_future(server.serve())
    await until(lambda: server.started)
    try:
        yield port
    finally:
        server.should_exit = server.force_exit = True
        await serving


def test_those_who_ask_nothing_make_room_for_who_comes() -> None:
    """1,500 of them kept everybody out of a node with 1,024 files, for as long as they stayed."""

    async def no_content(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def go() -> None:
        async with listening(no_content, most=MOST) as port:
            idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3 * MOST)]
            await until(lambda: sum(reader.at_eof() for reader, _ in idle) == 2 * MOST, "room")
            assert not any(reader.at_eof() for reader, _ in idle[2 * MOST :]), "the oldest go"
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = await asyncio.wait_for(reader.readline(), PATIENCE_S)
            assert answer == b"HTTP/1.1 204 No Content\r\n"
            for _, other in [*idle, (reader, writer)]:
                other.close()

    asyncio.run(go())


@pytest.mark.waits
def test_an_answer_that_is_not_read_is_not_kept() -> None:
    """uvicorn waits for ever for such a client."""
    ended = asyncio.Event()

    async def endless(_scope: Any, receive: Any, send: Any) -> None:
        async def hear() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            ended.set()

        hearing = asyncio.ensure_future(hear())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while not ended.is_set():
            part = {"type": "http.response.body", "body": bytes(65_536), "more_body": True}
            await send(part)
            await asyncio.sleep(0)
        await hearing

    async def go() -> None:
        async with listening(endless, most=MOST, limit_s=REQUEST_S) as port:
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                await asyncio.wait_for(ended.wait(), PATIENCE_S)

    asyncio.run(go())


@pytest.mark.waits
def test_a_socket_is_no_request_that_does_not_come(narrow: Served) -> None:
    async def go() -> None:
        viewer = await opened(narrow)
        beats = 0
        while beats < 2:  # one every five seconds
            beats += json.loads(await asyncio.wait_for(viewer.recv(), PATIENCE_S))["t"] == "beat"
        await viewer.close()

    asyncio.run(go())


class Client:
    """A connection that only remembers whether it was cut off."""

    is_cut = False
    unread = False

    def cut(self) -> None:
        self.is_cut = True

    def has_unread(self) -> bool:
        return self.unread


def test_the_oldest_makes_room() -> None:
    waiting = Waiting(limit_s=10, most=3)
    clients = [Client() for _ in range(5)]
    for now, client in enumerate(clients):
        waiting.add(client, now)
    assert [client.is_cut for client in clients] == [True, True, False, False, False]
    assert len(waiting) == 3


def test_who_has_asked_is_not_cut_off_before_the_server_comes_to_it() -> None:
    """All of a crowd is accepted before the first is read: 300 of 500 terminals were cut off."""
    waiting = Waiting(limit_s=10, most=4)
    crowd = [Client() for _ in range(6)]
    for client in crowd:
        client.unread = True
        waiting.add(client, 0.0)
    assert not any(client.is_cut for client in crowd)
    idle = [Client() for _ in range(6)]
    for client in crowd:
        waiting.discard(client)  # it was read
    for client in idle:
        waiting.add(client, 1.0)
    assert [client.is_cut for client in idle] == [True] * 2 + [False] * 4


def test_time_runs_from_the_first_byte_that_is_waited_for_and_ends_with_the_request() -> None:
    waiting = Waiting(limit_s=10, most=9)
    slow, quick = Client(), Client()
    waiting.add(slow, 0)
    waiting.add(quick, 1)
    waiting.add(slow, 9)  # more bytes: no more time
    waiting.discard(quick)
    waiting.sweep(9.9)
    assert not slow.is_cut
    waiting.sweep(10.0)
    assert slow.is_cut
    assert not quick.is_cut
    assert len(waiting) == 0


def test_who_has_asked_and_was_never_read_has_more_time() -> None:
    """10,000 terminals that come back at once: the last are read after the time that a request may take."""
    waiting = Waiting(limit_s=10, most=9)
    early, late = Client(), Client()
    late.unread = True
    waiting.add(early, 0)
    waiting.add(late, 0)
    waiting.sweep(10.0)
    assert (early.is_cut, late.is_cut) == (True, False)
    late.unread = False
    waiting.sweep(19.9)
    assert not late.is_cut
    waiting.sweep(20.0)
    assert late.is_cut


def test_a_network_of_one_subscriber_is_one_address() -> None:
    same = {network_of(f"2001:db8:1:2::{n}") for n in range(9)}
    assert len(same) == 1
    assert network_of("::ffff:192.0.2.7") == network_of("192.0.2.7")
    assert network_of("192.0.2.7") != network_of("192.0.2.8")
    assert network_of("") == network_of("no address")


# One read, and one connection, hold nobody up


@pytest.mark.parametrize(
    "sent",
    [frame(PING, b""), frame(PONG, b""), frame(MORE, b"", last=False), frame(TEXT, b"x")],
    ids=["pings", "pongs", "empty parts", "messages"],
)
@pytest.mark.parametrize("path", ["/ws/views", "/ws/1"])
def test_frames_of_a_connection_are_bounded_whatever_they_are(
    served: Served, path: str, sent: bytes
) -> None:
    """40,000 empty pings in one read held everybody up for 400 ms, and no limit counted them."""
    token = api(served, "POST", "/api/guest")[1]["token"]
    most = FRAMES_OF_A_MESSAGE * DEFAULTS.messages_burst

    async def go() -> None:
        line = await Line.open(served.port, path, Authorization=f"Bearer {token}")
        start = frame(TEXT, b"", last=False) if sent[0] == MORE else b""
        line.send(start + 8 * most * sent)
        while await asyncio.wait_for(line.hear(), PATIENCE_S):
            pass
        line.drop()

    asyncio.run(go())


def test_pings_within_the_bound_are_answered(served: Served) -> None:
    most = FRAMES_OF_A_MESSAGE * DEFAULTS.messages_burst

    async def go() -> None:
        line = await Line.open(served.port, "/ws/views")
        line.send((most - 1) * frame(PING, b"?"))
        answers = await asyncio.wait_for(line.reader.readexactly(3 * (most - 1)), PATIENCE_S)
        assert answers == (most - 1) * b"\x8a\x01?"
        line.drop()

    asyncio.run(go())


def test_a_body_in_parts_ends_with_the_answer(served: Served) -> None:
    """Refused at once, its parts would be looked at for as long as a request may take."""
    head = b"POST /nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with half_open(served, head + b"1\r\nx\r\n") as connection:
        said = b""
        while part := connection.recv(65_536):
            said += part
        assert said.startswith(b"HTTP/1.1 404")


def test_a_read_is_of_a_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((selector_events, "_SelectorTransport"), (sslproto, "SSLProtocol")):
        kind = getattr(module, name)
        monkeypatch.setattr(kind, "max_size", kind.max_size)  # as it was, after the test
    _limit_reads()
    sizes = list[int]()

    class Counting(asyncio.Protocol):
        def data_received(self, data: bytes) -> None:
            sizes.append(len(data))

    async def go() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(Counting, "127.0.0.1", 0)
        _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(bytes(10 * READ_BYTES))
        await until(lambda: sum(sizes) == 10 * READ_BYTES)
        writer.close()
        server.close()

    asyncio.run(go())
    assert max(sizes) <= READ_BYTES
    assert sslproto.SSLProtocol.max_size == READ_BYTES, "asyncio makes its buffer of this size"


# Viewers


async def opened(served: Served, *, at: str = "127.0.0.1", token: str = "") -> ClientConnection:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    address = f"ws://127.0.0.1:{served.port}/ws/views"
    return await connect(address, additional_headers=headers, local_addr=(at, 0))


async def refused(served: Served, **given: str) -> int:
    with pytest.raises(InvalidStatus) as found:
        await opened(served, **given)
    return found.value.response.status_code


def test_anonymous_viewers_keep_nobody_of_the_staff_out(narrow: Served) -> None:
    token = staff_tokens(narrow, "dora")["dora"]

    async def go() -> None:
        anonymous = [await opened(narrow) for _ in range(3)]
        assert await refused(narrow) == 503
        anonymous += [await opened(narrow, at="127.0.0.2") for _ in range(VIEWERS - 3)]
        assert await refused(narrow, at="127.0.0.3") == 503
        dealer = await opened(narrow, token=token)
        await dealer.send(json.dumps({"t": "watch", "what": ["dealer:6"]}))
        assert json.loads(await asyncio.wait_for(dealer.recv(), PATIENCE_S))["what"] == "dealer:6"
        for each in (*anonymous, dealer):
            await each.close()

    asyncio.run(go())


def test_one_login_has_so_many_screens_and_no_more(served: Served) -> None:
    token, other = staff_tokens(served, "dora", "sue").values()

    async def go() -> None:
        screens = [await opened(served, token=token) for _ in range(20)]
        assert await refused(served, token=token) == 503
        screens.append(await opened(served, token=other))
        for each in screens:
            await each.close()

    asyncio.run(go())


async def views_heard(viewer: ClientConnection, what: list[Any]) -> None:
    async for text in viewer:
        message = json.loads(text)
        if message["t"] == "view":
            what.append(message)


def test_a_watch_is_answered_to_who_asked(served: Served) -> None:
    """The dealer's table stands still: whoever watches it already hears nothing of others."""

    async def go() -> None:
        patient, busy = await opened(served), await opened(served)
        watch = json.dumps({"t": "watch", "what": ["table:6"]})
        heard, answered = list[Any](), list[Any]()
        hearing = [
            asyncio.create_task(views_heard(viewer, what))
            for viewer, what in ((patient, heard), (busy, answered))
        ]
        await patient.send(watch)
        await until(lambda: heard, "the first view")
        for n in range(1, 6):
            await busy.send(watch)
            await until(lambda n=n: len(answered) >= n, "an answer")  # type: ignore[misc]
        assert len(heard) == 1
        for task in hearing:
            task.cancel()
        await patient.close()
        await busy.close()

    asyncio.run(go())


def test_a_session_has_so_many_sockets_and_the_oldest_makes_room(served: Served) -> None:
    token = api(served, "POST", "/api/guest")[1]["token"]

    async def go() -> None:
        # the dealer's table, where nothing happens: pages that do not read are cut off elsewhere
        address = f"ws://127.0.0.1:{served.port}/ws/6"
        headers = {"Authorization": f"Bearer {token}"}
        come = partial(connect, address, additional_headers=headers, open_timeout=PATIENCE_S)
        pages = [await come() for _ in range(9)]
        await asyncio.wait_for(pages[0].wait_closed(), PATIENCE_S)
        for page in pages[1:]:
            assert page.close_code is None
            await page.close()

    asyncio.run(go())


# Who asks, and for what


def raw(served: Served, head: str, body: bytes = b"") -> tuple[int, dict[str, str], bytes]:
    """An answer to exactly these lines."""
    with half_open(served, head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body) as connection:
        said = b""
        while part := connection.recv(65_536):
            said += part
    first, _, rest = said.partition(b"\r\n")
    lines, _, answer = rest.partition(b"\r\n\r\n")
    pairs = (line.split(": ", 1) for line in lines.decode().splitlines())
    return int(first.split()[1]), {name.lower(): value for name, value in pairs}, answer


def got(
    served: Served, path: str, *lines: str, method: str = "GET", host: str = "localhost"
) -> Any:
    head = [f"{method} {path} HTTP/1.1", f"Host: {host}", *lines, "Connection: close"]
    return raw(served, "\n".join(head))


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:8000", 200),
        ("127.0.0.1", 200),
        ("[::1]:8000", 200),
        ("192.0.2.1:80", 200),
        ("evil.example", 421),
        ("evil.example:8000", 421),
        ("localhost.evil.example", 421),
        ("[", 421),
        ("127.0.0.1.evil.example", 421),
    ],
)
@pytest.mark.parametrize("path", ["/healthz", "/metrics"])
def test_a_name_that_is_not_ours_is_answered_nothing(
    served: Served, path: str, host: str, status: int
) -> None:
    """DNS rebinding: a page of evil.example, whose name now has our address."""
    assert got(served, path, host=host)[0] == status


def test_the_names_of_a_floor_are_set(tmp_path: Path) -> None:
    floor = Served(tmp_path, "--demo", "--hosts", "floor.example, *.pit.example")
    try:
        for host in ("floor.example", "3.pit.example", "127.0.0.1"):
            assert got(floor, "/healthz", host=host)[0] == 200
        for host in ("pit.example", "a.b.pit.example", "xfloor.example"):
            assert got(floor, "/healthz", host=host)[0] == 421
    finally:
        floor.stop()


def test_the_metrics_port_of_a_loopback_is_for_our_names_too(tmp_path: Path) -> None:
    port = free_port()
    floor = Served(tmp_path, "--demo", "--metrics-port", str(port))
    try:
        for host, status in (("127.0.0.1", 200), ("evil.example", 421)):
            line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
            line.request("GET", "/metrics", headers={"Host": host})
            assert line.getresponse().status == status
            line.close()
    finally:
        floor.stop()


def test_sockets_too_are_for_our_names(served: Served) -> None:
    async def go() -> int:
        with pytest.raises(InvalidStatus) as found:
            async with connect(
                f"ws://evil.example:{served.port}/ws/views", host="127.0.0.1", port=served.port
            ):
                pass
        return found.value.response.status_code

    assert asyncio.run(go()) == 421


def test_an_origin_has_a_scheme(served: Served) -> None:
    body = json.dumps({"name": "dora", "password": "x"}).encode()
    other = f"https://127.0.0.1:{served.port}"
    kind = "application/json"
    path = "/api/staff/login"
    assert http(served, "POST", path, body=body, Content_Type=kind, Origin=other)[0] == 403
    ours = f"http://127.0.0.1:{served.port}"
    assert http(served, "POST", path, body=body, Content_Type=kind, Origin=ours)[0] == 401


@pytest.mark.parametrize("path", ["/api/staff/login", "/api/guest", "/api/enrol", "/api/session"])
def test_other_sites_neither_log_in_nor_enrol_nor_begin(served: Served, path: str) -> None:
    """Login CSRF: a form of another site makes a browser of ours somebody else's."""
    body = json.dumps({"name": "dora", "password": "x", "code": "x"}).encode()
    for origin in ("http://evil.example", "null", ""):
        for kind in ("text/plain", "application/json"):
            status, headers, _ = http(
                served, "POST", path, body=body, Content_Type=kind, Origin=origin
            )
            assert (status, headers["set-cookie"]) == (403, None)


@pytest.mark.parametrize("path", ["/api/staff/login", "/api/guest", "/api/enrol", "/api/session"])
@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain; application/json",
    ],
)
def test_a_body_is_json_and_says_so(served: Served, path: str, kind: str) -> None:
    body = json.dumps({"name": "dora", "password": "x", "code": "x"}).encode()
    status, headers, _ = http(served, "POST", path, body=body, Content_Type=kind)
    assert (status, headers["set-cookie"]) == (415, None)


@pytest.mark.parametrize("path", ["/healthz", "/", "/api/floor", "/screens/base/icon.svg"])
def test_head_is_get_without_the_body(served: Served, path: str) -> None:
    status, headers, body = got(served, path, method="HEAD")
    assert (status, body) == (200, b"")
    _, whole, content = got(served, path)
    assert headers["content-type"] == whole["content-type"]
    assert int(headers["content-length"]) == len(content)


def test_head_changes_nothing_and_finds_nothing_where_get_does_not(served: Served) -> None:
    assert got(served, "/nowhere", method="HEAD")[0] == 404
    assert got(served, "/api/guest", method="HEAD")[0] == 405


def test_nobody_is_told_what_serves(served: Served) -> None:
    _, headers, _ = got(served, "/healthz")
    assert "server" not in headers
    assert "strict-transport-security" not in headers
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_a_head_has_a_bound(served: Served) -> None:
    assert got(served, "/healthz", f"X-Long: {'x' * 14_000}")[0] == 200
    assert got(served, "/healthz", f"X-Long: {'x' * 17_000}")[0] in (400, 431)
    many = [f"X-{n}: x" for n in range(150)]
    assert got(served, "/healthz", *many)[0] == 431


def test_a_request_looks_up_one_login_whatever_its_cookies_say(tmp_path: Path) -> None:
    async def go() -> list[str]:
        with SqliteStore(tmp_path / "floor.db") as store:
            floor = Floor(store, KeyRing.load(store.ring_path))
            looked_up = list[str]()

            async def recall(token: str, *, is_used: bool = True) -> None:
                assert not is_used, "nobody touched the page"
                looked_up.append(token)

            floor.logins.recall = recall  # type: ignore[method-assign]
            app = create_app(web_for(floor), start=floor.start)
            others = "; ".join(f"c{n}=staff_{n}" for n in range(1_500))
            cookie = f"{others}; puntobanco-staff=staff_mine; puntobanco-staff=staff_other"
            headers = [(b"cookie", cookie.encode()[-12_000:]), (b"host", b"localhost")]
            await asked_of(app, headers)
            return looked_up

    assert len(asyncio.run(go())) == 1


async def asked_of(app: Any, headers: list[tuple[bytes, bytes]]) -> None:
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/healthz",
        "raw_path": b"/healthz",
        "query_string": b"",
        "headers": headers,
        "client": ("192.0.2.7", 1),
        "scheme": "http",
        "root_path": "",
        "http_version": "1.1",
        "server": ("localhost", 80),
        "asgi": {"version": "3.0"},
    }

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    sent = list[Any]()

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    assert sent[0]["status"] == 200


def test_eight_cookies_of_ours_are_looked_at_and_none_of_others() -> None:
    many = b";".join(b"puntobanco=%d; other=%d" % (n, n) for n in range(9))
    [(name, kept)] = with_own_cookies([(b"cookie", many)])
    assert name == b"cookie"
    assert kept == b"; ".join(b"puntobanco=%d" % n for n in range(MAX_COOKIES))
    assert with_own_cookies([(b"cookie", b"other=1; puntobanco-x=2")]) == []


@pytest.mark.parametrize(
    "verifier",
    [
        "x" * 40,
        "$argon2id$" + "x" * 40,
        "$2b$12$" + "x" * 53,
        f"{'0' * 8}$argon2id$v=19$m=8,t=1,p=1$x$y",
    ],
)
def test_a_malformed_verifier_is_refused_when_it_is_set(served: Served, verifier: str) -> None:
    ada = staff_tokens(served, "ada")["ada"]
    for command in (
        {"command": "add-staff", "person": "vera", "role": "dealer", "verifier": verifier},
        {"command": "change-staff", "person": "dora", "verifier": verifier},
    ):
        path = "/api/staff/house/commands"
        body = {"id": f"v-{command['command']}-{len(verifier)}", "command": command}
        status, answer = api(served, "POST", path, ada, body)
        assert (status, answer["code"]) == (409, "no-verifier")
    assert staff_tokens(served, "dora")


def test_one_that_was_set_before_lets_nobody_in() -> None:
    ring = KeyRing.fresh()
    passwords = Passwords(ring, PasswordHasher())
    assert not passwords.holds("x" * 40, "x")
    assert not passwords.holds("$argon2id$" + "x" * 40, "x")
    verify_is_verifier(passwords.verifier("long enough words"))
    verify_is_verifier(None)


# Under TLS


def certificate(folder: Path) -> tuple[str, str]:
    """For floor.example, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "floor.example")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("floor.example")]), False)
        .sign(key, hashes.SHA256())
    )
    cert, private = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return str(cert), str(private)


class Secured:
    """A demonstration under TLS."""

    def __init__(self, folder: Path) -> None:
        cert, key = certificate(folder)
        self.port = free_port()
        given = ("--port", str(self.port), "--database", str(folder / "floor.db"))
        tls = ("--tls-cert", cert, "--tls-key", key, "--request-s", str(REQUEST_S))
        clock = quick_clock(1_500, 300)
        self.process = Forked(clock, "serve", "--demo", *given, *tls, log=folder / "log")
        self.context = ssl.create_default_context(cafile=cert)
        self.context.check_hostname = False
        wait_until(self.is_up, "the server")

    def is_up(self) -> bool:
        try:
            return self.asked("GET", "/healthz")[0] == 200
        except OSError:
            assert self.process.poll() is None
            return False

    def asked(self, method: str, path: str, **headers: str) -> tuple[int, Any]:
        given = {"Host": "floor.example", **headers}
        line = HTTPSConnection("127.0.0.1", self.port, context=self.context, timeout=PATIENCE_S)
        try:
            line.request(method, path, headers=given)
            answer = line.getresponse()
            answer.read()
            return answer.status, answer.headers
        finally:
            line.close()


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    found = Secured(tmp_path_factory.mktemp("secured"))
    yield found
    found.process.terminate()
    found.process.wait(PATIENCE_S)


def test_browsers_are_told_to_come_by_tls_only(secured: Secured) -> None:
    status, headers = secured.asked("GET", "/healthz")
    assert status == 200
    assert headers["strict-transport-security"] == "max-age=31536000"
    assert headers["server"] is None


def test_under_tls_an_origin_is_one_of_tls(secured: Secured) -> None:
    for origin, status in (("http://floor.example", 403), ("https://floor.example", 201)):
        assert secured.asked("POST", "/api/guest", Origin=origin)[0] == status


def test_the_certificate_says_what_the_floor_is_called(secured: Secured) -> None:
    for host, status in (("evil.example", 421), ("127.0.0.1", 200), ("floor.example", 200)):
        assert secured.asked("GET", "/healthz", Host=host)[0] == status


@pytest.mark.waits
def test_a_handshake_of_tls_is_not_waited_for_either(secured: Secured) -> None:
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", secured.port), timeout=PATIENCE_S) as connection:
        assert connection.recv(100) == b""
    assert time.monotonic() - began < 50  # asyncio's own limit is 60 s


def test_a_plain_http_connection_is_used_again(served: Served) -> None:
    line = HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE_S)
    for _ in range(5):
        line.request("GET", "/healthz")
        answer = line.getresponse()
        assert answer.status == 200
        answer.read()
    line.close()
