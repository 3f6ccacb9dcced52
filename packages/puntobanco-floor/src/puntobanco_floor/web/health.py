"""For operators and their machines: health, readiness, metrics; on the main port, and on one of
their own.

Health and readiness are for anybody. Metrics are not for the public: on the main port they are
answered to this machine only, and never where a proxy stands before it; the metrics port
(`--metrics-port`) is for a network of operators.
"""

from __future__ import annotations

import asyncio
import ipaddress
import platform
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import uvicorn

from puntobanco.base.refusal import Refusal
from puntobanco.base.version import __version__
from puntobanco_floor.domain.ledger import VOUCHERS
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.metrics import CONTENT_TYPE, Text
from puntobanco_floor.service.readiness import Ready
from puntobanco_floor.store.reader import reading
from puntobanco_floor.transparency.keeper import LogStatus
from puntobanco_floor.web.context import Web, get_web
from puntobanco_floor.web.hosts import Hosts
from puntobanco_floor.web.middleware import with_bounds, with_headers
from puntobanco_floor.web.problems import Problem, on_fault
from puntobanco_floor.web.request import Asker
from puntobanco_floor.web.routing import (
    Application,
    HTTPException,
    NotFoundException,
    Response,
    get,
)
from puntobanco_proof.entry.record import Record

_FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
STOP_S = 2
"""A metrics client that does not read its answer holds up the end of a server so long."""


class Health(Record):
    status: str
    version: str


HEALTHY = Health(status="ok", version=__version__)


@get("/healthz", summary="Whether the server answers")
async def health() -> Health:
    return HEALTHY


@get(
    "/readyz",
    summary="Whether this node should be sent terminals; 503 where not",
    responses={503: (Ready, "Not now: the answer says why")},
)
async def ready(request: Asker) -> Response[Ready]:
    found = await get_web(request).readiness.look()
    return Response(found, status_code=200 if found.ready else 503)


@get("/metrics", include_in_schema=False)
async def metrics(request: Asker) -> Response[str]:
    web = get_web(request)
    if web.floor.settings.proxy or not _is_here(request):
        raise NotFoundException("metrics are for this machine, or on a port of their own")
    return await _as_text(web)


async def _as_text(web: Web) -> Response[str]:
    owed_cents = await asyncio.to_thread(vouchers_owed_cents, web)
    return Response(metrics_text(web, owed_cents), media_type=CONTENT_TYPE)


def _is_here(request: Asker) -> bool:
    """Whether it was asked on this machine, and not by somebody whom a proxy stands for."""
    if any(name in request.headers for name in _FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.client.host if request.client else "").is_loopback
    except ValueError:
        return False


# The metrics port


def metrics_socket(host: str, port: int) -> socket.socket | None:
    """Bound before the floor opens, so that a port that is taken is one clear line."""
    if not port:
        return None
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise Refusal(
            f"cannot listen on {host} port {port} for metrics: {why}; choose another --metrics-port"
        ) from None


class OperatorsServer(uvicorn.Server):
    """A second server in the same process: signals belong to the floor's own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _elsewhere(request: Asker, error: Exception) -> Response[dict[str, str]] | Response[Problem]:
    if not isinstance(error, HTTPException):
        return on_fault(request, error)
    is_get = error.status_code != 405
    reason = "/metrics, /healthz and /readyz are here" if is_get else "only GET"
    return Response({"reason": reason}, error.status_code)


@asynccontextmanager
async def metrics_port(web: Web, bound: socket.socket | None) -> AsyncIterator[None]:
    """The metrics port. It answers until the very last."""
    if bound is None:
        yield
        return

    @get("/metrics")
    async def operators_metrics() -> Response[str]:
        return await _as_text(web)

    routes = (health, ready, operators_metrics)
    app = Application(routes, state={"web": web}, on_error=_elsewhere)
    address: str = bound.getsockname()[0]
    # on loopback a page of another site could ask, by a name that it points here
    hosts = Hosts() if ipaddress.ip_address(address).is_loopback else Hosts(None)
    config = uvicorn.Config(
        with_headers(with_bounds(app, hosts), secure=False),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=STOP_S,
    )
    server = OperatorsServer(config)
    serving = asyncio.create_task(server.serve(sockets=[bound]))
    try:
        yield
    finally:
        server.should_exit = True
        await serving


_PAGE_BYTES = 4_096


def vouchers_owed_cents(web: Web) -> int | None:
    """Return what all streams owe on vouchers, tables and cage windows alike; None while the
    database does not answer. One stream alone may be below zero: it redeems what others issued.
    """
    try:
        with reading(web.floor.database) as reader:
            return reader.total(VOUCHERS)
    except Refusal:
        return None


def metrics_text(web: Web, owed_cents: int | None) -> str:
    """Return the page without secrets or patrons: tables, counts and times. `owed_cents` is owed on
    vouchers; a figure that is not known is left out.
    """
    text = Text()
    floor = web.floor
    work = floor.work
    stored = floor.store.work
    now = web.now_ms()
    streams = sorted(floor.follower.streams.items())
    text.info(
        "puntobanco_build_info",
        "Which program this is.",
        {"version": __version__, "python": platform.python_version()},
    )
    text.gauge("puntobanco_stopping", "1 when it was told to stop.", floor.shutdown.is_draining)
    terminals = {name: len(floor.rooms[name]) for name, _ in streams}
    text.gauge(
        "puntobanco_terminals", "Terminals connected to this node.", terminals, label="table"
    )
    idle_s = {name: max(0, now - stream.state.at) / 1000 for name, stream in streams}
    text.gauge(
        "puntobanco_table_idle_seconds", "Since the table's last entry.", idle_s, label="table"
    )
    seated = {name: len(stream.state.sessions) for name, stream in streams}
    text.gauge("puntobanco_sessions", "Sessions seated, on all nodes.", seated, label="table")
    if owed_cents is not None:
        text.gauge(
            "puntobanco_vouchers_outstanding_cents",
            "Owed on vouchers by the whole house, expired ones too.",
            owed_cents,
        )
    blocked = {*floor.store.blocked, *floor.follower.blocked}
    known = {FLOOR, *(name for name, _ in streams), *blocked}
    text.gauge(
        "puntobanco_stream_blocked",
        "1 where this node does not believe the journal of a stream and writes nothing there.",
        {name: name in blocked for name in sorted(known)},
        label="stream",
    )
    text.counter(
        "puntobanco_connections_total",
        "Connections of terminals; a reconnect is one more.",
        work.connections,
    )
    text.counter(
        "puntobanco_cut_off_total", "Terminals that were cut off.", work.cut_off, label="why"
    )
    text.counter("puntobanco_messages_in_total", "Messages from terminals.", work.messages_in)
    text.counter("puntobanco_messages_out_total", "Messages to terminals.", work.messages_out)
    text.counter(
        "puntobanco_wagers_total",
        "Wagers asked for, raised or withdrawn.",
        work.wagers,
        label="outcome",
    )
    text.histogram(
        "puntobanco_answer_seconds", "From a terminal's command to its answer.", work.answer_s
    )
    text.counter("puntobanco_logins_total", "Logins of staff.", work.logins, label="outcome")
    text.histogram("puntobanco_batch_commands", "Commands in one transaction.", stored.batch_size)
    text.histogram("puntobanco_commit_seconds", "Commits of the store.", stored.commit_s)
    text.counter(
        "puntobanco_entries_total", "Entries that this node wrote to the journal.", stored.entries
    )
    _add_log(text, floor.log.status)
    text.gauge("process_resident_memory_bytes", "Memory of this process.", _memory())
    cpu_s = round(time.process_time(), 3)
    text.counter("process_cpu_seconds_total", "Processor time of this process.", cpu_s)
    return str(text)


def _add_log(text: Text, log: LogStatus) -> None:
    text.gauge("puntobanco_log_leaves", "Leaves of the transparency log.", log.size)
    text.gauge("puntobanco_log_behind_entries", "Entries not in the log yet.", log.behind)
    text.gauge(
        "puntobanco_log_behind_seconds",
        "Since the oldest entry that is not in the log.",
        log.behind_s,
    )
    text.gauge(
        "puntobanco_log_published_leaves", "Leaves in the publication folder.", log.published
    )
    text.gauge(
        "puntobanco_log_witnessed_leaves", "Leaves that enough witnesses saw.", log.witnessed
    )
    text.gauge("puntobanco_log_fault", "1 where this node must not be open.", bool(log.fault))
    away = sum(bool(why) for why in log.witnesses.values())
    witnesses = {"answers": len(log.witnesses) - away, "away": away}
    text.gauge("puntobanco_witnesses", "Witnesses that the policy names.", witnesses, label="state")


def _memory() -> int:
    """Now, where the system says so; else the most there was."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE_BYTES
    with suppress(ImportError):
        import resource  # noqa: PLC0415

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return 0
