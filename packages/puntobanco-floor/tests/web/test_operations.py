"""What operators and their machines see: health, readiness, metrics, the log, and a stop with a farewell."""

import asyncio
import itertools
import json
import re
import signal
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple

import pytest
import yaml
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from puntobanco.base.version import __version__
from puntobanco_floor.client import Terminal
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.metrics import Histogram, Text
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.readiness import KEPT_S, Readiness, Ready
from puntobanco_floor.service.staff_logins import PREFIX
from puntobanco_floor.store.reader import reading
from tests.support.forked import command_line
from tests.support.http import http
from tests.support.patience import PATIENCE_S, until
from tests.support.ports import free_port
from tests.support.served import Served, api, new_bets, staff_tokens

LINE = re.compile(r'^[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[0-9.e+-]+$')


class Operated(Served):
    """A demonstration with a metrics port, and its log as JSON."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.metrics_port = free_port()
        super().__init__(
            folder,
            "--demo",
            "--metrics-port",
            str(self.metrics_port),
            "--log-format",
            "json",
            *options,
        )

    def metric_text(self) -> str:
        with urllib.request.urlopen(
            f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=PATIENCE_S
        ) as answer:
            assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
            return str(answer.read().decode())

    def metrics(self) -> dict[str, float]:
        lines = [line for line in self.metric_text().splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}

    def logged(self) -> list[dict[str, Any]]:
        lines = (self.folder / "log").read_text().splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Operated]:
    found = Operated(tmp_path_factory.mktemp("floor"))
    yield found
    found.stop()


def test_health_and_readiness_have_details_and_no_secrets(operated: Operated) -> None:
    assert api(operated, "GET", "/healthz") == (200, {"status": "ok", "version": __version__})
    status, said = api(operated, "GET", "/readyz")
    assert (status, said["ready"], said["store"], said["following"], said["stopping"]) == (
        200,
        True,
        "ok",
        "ok",
        False,
    )
    assert said["checks"] == {"code": "warned", "schema": "passed"}, "the database was new"
    assert str(operated.folder) not in json.dumps(said)


@pytest.mark.waits
def test_a_node_stays_ready_when_a_cage_has_opened(operated: Operated) -> None:
    carl = staff_tokens(operated, "carl")["carl"]
    assert (
        api(operated, "POST", "/api/staff/cage/1/open", carl, {"id": "shift", "cents": 50_000})[0]
        == 200
    )
    time.sleep(KEPT_S)
    assert api(operated, "GET", "/readyz")[0] == 200


def test_metrics_count_what_terminals_do(operated: Operated) -> None:
    async def play() -> None:
        async with Terminal(operated.address, table=5) as terminal:
            await terminal.seat()
            await new_bets(terminal)
            assert (await terminal.place("banker", 1_000)).ok
            assert not (await terminal.place("banker", 1)).ok
            now = operated.metrics()
            assert now['puntobanco_terminals{table="table:5"}'] == 1
            assert now['puntobanco_sessions{table="table:5"}'] == 1

    before = operated.metrics()
    asyncio.run(play())
    after = operated.metrics()

    def rose(name: str) -> float:
        return after[name] - before[name]

    assert rose('puntobanco_wagers_total{outcome="accepted"}') == 1
    assert rose('puntobanco_wagers_total{outcome="refused"}') == 1
    assert rose("puntobanco_answer_seconds_count") == rose("puntobanco_messages_in_total") == 2
    assert rose("puntobanco_messages_out_total") >= 3
    assert rose("puntobanco_connections_total") == 1
    assert rose("puntobanco_entries_total") >= 3
    assert rose("puntobanco_commit_seconds_count") == rose("puntobanco_batch_commands_count") > 0
    assert (
        after['puntobanco_answer_seconds_bucket{le="+Inf"}']
        == after["puntobanco_answer_seconds_count"]
    )
    assert 10**7 < after["process_resident_memory_bytes"] < 10**10
    assert all(f'puntobanco_table_idle_seconds{{table="table:{n}"}}' in after for n in range(1, 7))


def test_metrics_are_text_that_prometheus_reads(operated: Operated) -> None:
    """Each name once with its help and type before its values; each line as the format has it."""
    text, typed = operated.metric_text(), set[str]()
    for line in text.splitlines():
        if line.startswith("# TYPE"):
            assert line.split()[2] not in typed
            typed.add(line.split()[2])
        elif not line.startswith("# HELP"):
            assert LINE.fullmatch(line), line
            name = re.split(r"[{ ]", line)[0]
            assert name in typed or re.sub(r"_(bucket|sum|count)$", "", name) in typed, name


DEPLOY = Path(__file__).parents[4] / "deploy"
OF_PROMETHEUS = {"up": {"job", "instance"}}
"""What Prometheus itself knows of what it asks."""

GIVEN_BY_PROMETHEUS = {"job", "instance"}
PROMQL = {"and", "on", "by", "sum", "max", "count", "rate", "increase", "histogram_quantile"}
_NAME = r"[a-zA-Z_]\w*"


class Read(NamedTuple):
    """What an expression of Prometheus asks for."""

    names: set[str]
    labels: set[str]
    equal: set[tuple[str, str, str]]  # metric, label, value


def read_promql(text: str) -> Read:
    """Enough of the language for our own files: names outside of braces, labels inside of braces and in groupings."""
    equal = set[tuple[str, str, str]]()
    for name, inside in re.findall(rf"({_NAME})\{{([^}}]*)\}}", text):
        pairs = re.findall(rf'({_NAME})="([^"]*)"', inside)
        assert inside == ",".join(f'{label}="{value}"' for label, value in pairs), text
        equal |= {(name, label, value) for label, value in pairs}
    bare = re.sub(r"\{[^}]*\}|\[\d+[smhd]\]", "", text)
    groupings = re.findall(r"\b(?:by|on) \(([^)]*)\)", bare)
    bare = re.sub(r"\b(by|on) \([^)]*\)", r"\1", bare)
    assert bare.count("(") == bare.count(")"), text
    names = set(re.findall(rf"(?<![\w.]){_NAME}", bare)) - PROMQL
    labels = {label.strip() for inside in groupings for label in inside.split(",")}
    return Read(names, labels, equal)


def expressions() -> dict[str, str]:
    rules = yaml.safe_load((DEPLOY / "alerts.yml").read_text("utf-8"))
    found = {rule["alert"]: rule["expr"] for group in rules["groups"] for rule in group["rules"]}
    for panel in json.loads((DEPLOY / "grafana.json").read_text("utf-8"))["panels"]:
        for target in panel["targets"]:
            found[f"{panel['title']} {target['refId']}"] = target["expr"]
    return found


def test_dashboard_and_alerts_ask_for_what_a_node_answers(operated: Operated) -> None:
    """A figure that is renamed would leave a panel empty and an alarm silent for ever."""
    given = dict[str, set[tuple[str, str]]]()
    for line in operated.metrics():
        name, _, inside = line.partition("{")
        given.setdefault(name, set()).update(re.findall(rf'({_NAME})="([^"]*)"', inside))
    asked_for = set[str]()
    for title, text in expressions().items():
        read = read_promql(text)
        assert read.names, title
        assert read.names <= given.keys() | OF_PROMETHEUS, title
        asked_for |= read.names
        has = {label for name in read.names & given.keys() for label, _ in given[name]}
        assert read.labels <= has | GIVEN_BY_PROMETHEUS, title
        for name, label, value in read.equal:
            is_given = (label, value) in given.get(name, ())
            assert is_given or label in GIVEN_BY_PROMETHEUS, f"{title}: {label}={value}"
    shown = {re.sub(r"_(bucket|sum|count)$", "", name) for name in asked_for}
    offered = {re.sub(r"_(bucket|sum|count)$", "", name) for name in given}
    assert shown - set(OF_PROMETHEUS) == offered, "every figure is somewhere"


def test_an_alert_says_what_is_wrong_and_what_to_do() -> None:
    rules = yaml.safe_load((DEPLOY / "alerts.yml").read_text("utf-8"))
    for rule in rules["groups"][0]["rules"]:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"].keys() == {"summary", "todo"}
        assert re.fullmatch(r"\d+[smh]", rule.get("for", "0s"))


def test_panels_of_the_dashboard_do_not_overlap() -> None:
    taken = set[tuple[int, int]]()
    for panel in json.loads((DEPLOY / "grafana.json").read_text("utf-8"))["panels"]:
        at = panel["gridPos"]
        columns = range(at["x"], at["x"] + at["w"])
        rows = range(at["y"], at["y"] + at["h"])
        cells = set(itertools.product(columns, rows))
        assert not cells & taken, panel["title"]
        assert max(columns) < 24
        taken |= cells


def test_metrics_are_not_for_the_public(operated: Operated) -> None:
    """On the main port to this machine only, and to nobody for whom a proxy stands."""
    assert http(operated, "GET", "/metrics")[0] == 200
    for name in ("X_Forwarded_For", "Forwarded", "Via", "X_Real_IP"):
        assert http(operated, "GET", "/metrics", body=None, **{name: "203.0.113.9"})[0] == 404


def asked(operated: Operated, method: str, path: str) -> int:
    request = urllib.request.Request(
        f"http://127.0.0.1:{operated.metrics_port}{path}", method=method
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/", "GET", 404),
        ("/metrics", "POST", 405),
        ("/api/tables", "GET", 404),
        ("/readyz", "GET", 200),
        ("/healthz?x=1", "GET", 200),
    ],
)
def test_the_metrics_port_has_three_paths(
    operated: Operated, path: str, method: str, status: int
) -> None:
    assert asked(operated, method, path) == status


def test_rubbish_at_the_metrics_port_is_dropped(operated: Operated) -> None:
    for data in (b"\0\1\2\r\n\r\n", b"GET\r\n\r\n", b"G" * 20_000):
        with socket.create_connection(("127.0.0.1", operated.metrics_port), timeout=10) as raw:
            raw.sendall(data)
            raw.shutdown(socket.SHUT_WR)
            assert not raw.recv(100).startswith(b"HTTP/1.0 200")
    assert operated.metrics()["puntobanco_stopping"] == 0


def test_idle_connections_do_not_jam_the_metrics_port(operated: Operated) -> None:
    """A probe must not be answered 503 because somebody keeps connections and says nothing."""
    with ExitStack() as idle:
        for _ in range(100):
            address = ("127.0.0.1", operated.metrics_port)
            idle.enter_context(socket.create_connection(address, timeout=PATIENCE_S))
        assert operated.metrics()["puntobanco_stopping"] == 0


def test_the_log_is_json_lines_without_secrets(operated: Operated) -> None:
    """Logins right and wrong, tickets, vouchers: nothing of them is in the log."""
    tokens = staff_tokens(operated, "dora")
    body = {"name": "dora", "password": "hunter2-is-my-password"}
    assert api(operated, "POST", "/api/staff/login", body=body)[0] == 401
    assert (
        api(operated, "POST", "/api/staff/login", body={**body, "name": "hunter2-is-my-password"})[
            0
        ]
        == 401
    )
    assert operated.metrics()['puntobanco_logins_total{outcome="refused"}'] == 2

    async def cash_out() -> tuple[str, str]:
        async with Terminal(operated.address, table=4) as terminal:
            await terminal.seat()
            number, _ = await terminal.cash_out()
            return number, str(terminal.token)

    number, ticket = asyncio.run(cash_out())
    lines = operated.logged()
    assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)
    [tested] = [line for line in lines if line["message"].startswith("self-test warned")]
    assert set(tested["fields"]) == {"code", "schema"}
    refused = [line for line in lines if line["message"] == "login of staff refused"]
    assert [line["fields"] for line in refused] == [
        {"person": "dora", "source": "127.0.0.1"},
        {"person": "somebody unknown", "source": "127.0.0.1"},
    ]
    assert all(len(line["request"]) == 12 for line in refused)
    written = json.dumps(lines)
    assert not any(
        secret in written for secret in ("hunter2", number, ticket, tokens["dora"], PREFIX)
    )


def test_a_request_has_an_id_in_its_answer(operated: Operated) -> None:
    ids = {http(operated, "GET", "/healthz")[1]["x-request-id"] for _ in range(3)}
    assert len(ids) == 3


class Bettor:
    """A terminal that places wagers until it hears the farewell."""

    def __init__(self, served: Served, number: int) -> None:
        self.served, self.number = served, number
        self.asked, self.answers, self.byes, self.code = (
            list[str](),
            dict[str, Any](),
            list[str](),
            0,
        )
        self.round = 0

    async def play(self) -> None:
        token = str((await asyncio.to_thread(api, self.served, "POST", "/api/guest"))[1]["token"])
        await asyncio.to_thread(api, self.served, "POST", "/api/tables/5/seat", token)
        address, headers = (
            f"ws://127.0.0.1:{self.served.port}/ws/5",
            {"Authorization": f"Bearer {token}"},
        )
        async with connect(address, additional_headers=headers) as ws:
            self.round = json.loads(await ws.recv())["table"]["round"]
            sending = asyncio.create_task(self._send(ws))
            with suppress(ConnectionClosed):
                async for data in ws:
                    self._heard(json.loads(data), sending)
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            self.code = ws.close_code or 0

    async def _send(self, ws: ClientConnection) -> None:
        for i in itertools.count():
            place = {
                "t": "place",
                "id": f"{self.number}-{i}",
                "round": self.round,
                "bet": "tie",
                "stake_cents": 1_000,
            }
            self.asked.append(f"{self.number}-{i}")
            await ws.send(json.dumps(place))
            await asyncio.sleep(0.05)

    def _heard(self, message: dict[str, Any], sending: asyncio.Task[None]) -> None:
        if message["t"] == "answered":
            self.answers[message["id"]] = message
        elif message["t"] == "events":
            opened = [
                event["round"] for event in message["events"] if event["event"] == "BetsOpened"
            ]
            self.round = max([self.round, *opened])
        elif message["t"] == "bye":
            self.byes.append(message["reason"]["en"])
            sending.cancel()


@pytest.mark.waits
def test_a_stop_tells_terminals_answers_what_was_asked_and_is_not_ready_at_once(
    tmp_path: Path,
) -> None:
    """Terminals that bet all the time: each hears the farewell, and no wager is taken without an answer."""
    served = Operated(tmp_path, "--drain-s", "5")
    bettors = [Bettor(served, n) for n in range(20)]

    async def through() -> None:
        playing = [asyncio.create_task(bettor.play()) for bettor in bettors]
        await until(lambda: all(bettor.answers for bettor in bettors), "an answer to everybody")
        await until(
            lambda: any(x["ok"] for bettor in bettors for x in bettor.answers.values()),
            "a wager that is taken",
        )
        served.process.send_signal(signal.SIGTERM)
        while (await asyncio.to_thread(api, served, "GET", "/readyz"))[0] != 503:
            assert not any(bettor.byes for bettor in bettors), (
                "the farewell came before the node said it was not ready"
            )
        assert served.metrics()["puntobanco_stopping"] == 1
        await asyncio.wait_for(asyncio.gather(*playing), PATIENCE_S)

    try:
        asyncio.run(through())
        served.process.wait(PATIENCE_S)
    finally:
        served.stop()
    assert [bettor.byes for bettor in bettors] == [["The server restarts"]] * 20
    assert {bettor.code for bettor in bettors} == {1012}
    for bettor in bettors:
        answered = [id_ in bettor.answers for id_ in bettor.asked]
        assert answered == sorted(answered, reverse=True), (
            "only what crossed the farewell has no answer"
        )
    with reading(str(served.database)) as reader:
        entries = [read_entry(data) for _, data in reader.entries("table:5")]
    taken = [answer for bettor in bettors for answer in bettor.answers.values() if answer["ok"]]
    assert len(taken) == sum(entry.command == "place-wager" for entry in entries), (
        "each that was taken was answered"
    )
    assert taken


def test_a_taken_metrics_port_is_one_line(tmp_path: Path, operated: Operated) -> None:
    at = ("--database", str(tmp_path / "x.db"), "--port", "1")
    done = command_line("serve", "--demo", *at, "--metrics-port", str(operated.metrics_port))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "cannot listen on 127.0.0.1" in done.stderr


def test_a_logout_ends_a_login(operated: Operated) -> None:
    token = staff_tokens(operated, "ada")["ada"]
    assert token.startswith(PREFIX)
    assert api(operated, "GET", "/api/admin/staff", token)[0] == 200
    assert api(operated, "POST", "/api/staff/logout", token)[0] == 204
    assert api(operated, "GET", "/api/admin/staff", token)[0] == 401


def test_histograms_count_at_their_bounds() -> None:
    seen, text = Histogram((1, 2)), Text()
    for value in (1, 1.5, 2, 3):
        seen.observe(value)
    text.histogram("x", "Sizes.", seen)
    assert str(text).splitlines()[2:] == [
        'x_bucket{le="1"} 1',
        'x_bucket{le="2"} 3',
        'x_bucket{le="+Inf"} 4',
        "x_sum 7.5",
        "x_count 4",
    ]


def test_labels_are_escaped() -> None:
    text = Text()
    text.gauge("x", "X.", {'a"b\\c\nd': 1}, label="t")
    assert str(text).splitlines()[-1] == 'x{t="a\\"b\\\\c\\nd"} 1'


class Stub:
    """A store that says where streams stand, or fails."""

    definitions = OURS
    node = SimpleNamespace(id="n1")
    blocked: ClassVar[dict[str, str]] = {}
    in_doubt: ClassVar[dict[str, int]] = {}
    failing = ""
    heads_file = ring_path = Path("floor.heads")
    log = None

    def __init__(self, standing: dict[str, int] | Exception) -> None:
        self._standing = standing

    def corrected(self, wall_ms: int) -> int:
        return wall_ms

    def standing(self) -> dict[str, int]:
        if isinstance(self._standing, Exception):
            raise self._standing
        return self._standing


def test_a_node_with_every_table_blocked_is_not_ready() -> None:
    stub: Any = Stub({"floor": 0, "table:1": 3, "table:2": 5})
    stub.blocked = {"table:1": "its tail was cut off", "table:2": "its tail was cut off"}
    floor = Floor(stub, KeyRing.fresh())
    found = asyncio.run(Readiness(stub, floor.follower, floor.shutdown).look())
    assert not found.ready
    assert found.following == "every table is blocked: its tail was cut off"


def test_a_node_whose_last_write_failed_is_not_ready() -> None:
    stub: Any = Stub({})
    stub.failing = "disk I/O error"
    floor = Floor(stub, KeyRing.fresh())
    found = asyncio.run(Readiness(stub, floor.follower, floor.shutdown).look())
    assert (found.ready, found.store) == (False, "cannot be written: disk I/O error")


@pytest.mark.parametrize(
    ("standing", "store", "following"),
    [
        ({}, "ok", "ok"),
        ({"table:9": 3}, "ok", "table:9 is behind the journal"),
        ({"floor": 1}, "ok", "floor is behind the journal"),
        (OSError("gone"), "cannot be read: gone", "unknown"),
        (KeyError("postgresql://x:y@z"), "cannot be read: KeyError", "unknown"),
    ],
)
def test_a_node_is_ready_when_the_store_answers_and_the_journal_is_followed(
    standing: Any, store: str, following: str
) -> None:
    stub: Any = Stub(standing)
    floor = Floor(stub, KeyRing.fresh())

    async def look() -> list[Ready]:
        readiness = Readiness(stub, floor.follower, floor.shutdown)
        first = await readiness.look()
        floor.shutdown.drain()
        return [first, await readiness.look()]

    first, draining = asyncio.run(look())
    assert (first.ready, first.store, first.following) == (
        store == following == "ok",
        store,
        following,
    )
    assert (draining.ready, draining.stopping) == (False, True), (
        "at once, whatever was seen a moment ago"
    )
