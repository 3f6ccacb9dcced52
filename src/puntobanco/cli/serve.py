"""`serve`: the floor as a web server."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import logging
import math
import socket
import sys
from asyncio import constants
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

import click
import uvicorn

from puntobanco import logs
from puntobanco.cli import show
from puntobanco.cli.configured import config_file, with_settings
from puntobanco.cli.options import day_starts_option, zone_option
from puntobanco.floor.demo import DEMO_STAFF, open_demo
from puntobanco.floor.playable import Playable, from_file
from puntobanco.floor.readiness import Readiness
from puntobanco.floor.service import Floor
from puntobanco.floor.world import World
from puntobanco.house.gaming_day import Cut
from puntobanco.keys import KeyRing
from puntobanco.names import FLOOR
from puntobanco.rules.refusals import Refusal
from puntobanco.settings import Settings
from puntobanco.storage.locate import files_of, open_store
from puntobanco.storage.selftest import SelfTest, selftest
from puntobanco.version import __version__
from puntobanco.web.app import create_app
from puntobanco.web.context import Web, web_for
from puntobanco.web.ops import metrics_socket
from puntobanco.web.shutdown import GracefulServer
from puntobanco.web.views_socket import turned_away

_log = logging.getLogger("puntobanco.serve")

SWITCH_S = 0.0005
"""The store's writer and the terminals' loop let go of the interpreter at every write to disk or
network; by default each may then wait 5 ms to have it back, many times in one batch.
"""

GARBAGE = (2_000, 10, 5_000)
"""The garbage collector looks at little at a time, since wagers wait for it, and seldom at all of a
large heap.
"""


def _is_ours(record: logging.LogRecord) -> bool:
    """Bytes that are no text are their sender's fault: it is cut off, and gets no traceback into
    our log for each.
    """
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))


@click.command(help="Serve the floor: tables, terminals and their pages.")
@click.option(
    "--game",
    "own",
    multiple=True,
    metavar="FILE",
    help="With --demo: open a table of this game.py of your own; may be repeated.",
)
@zone_option
@day_starts_option
@with_settings
def serve(settings: Settings, *, own: Sequence[str], zone: str, day_starts: int) -> None:
    world = click.get_current_context().find_object(World)
    designs = [from_file(Path(file)) for file in own]
    serve_floor(settings, designs, world or World(), Cut(zone, day_starts))


def serve_floor(settings: Settings, designs: Sequence[Playable], world: World, day: Cut) -> None:
    """Compose a floor and its web server, and run it until it is told to stop."""
    if designs and not settings.demo:
        raise Refusal(
            "--game is for --demo; on a real floor open a table of it: puntobanco table "
            "add NUMBER game.py"
        )
    if day != Cut() and not settings.demo:
        raise Refusal(
            "--zone and --day-starts are for a new house; this one is changed by "
            "puntobanco floor gaming-day"
        )
    _verify_private(settings)
    logs.configure(settings.log_format, settings.log_level)
    keys, heads = files_of(
        settings.database,
        keys=Path(settings.keys) if settings.keys else None,
        heads=Path(settings.heads) if settings.heads else None,
    )
    tested = selftest(
        settings.database,
        keys=keys,
        heads=heads,
        demo=settings.demo,
        clock_tolerance_s=settings.clock_tolerance_s,
    )
    tested.verify()
    gc.set_threshold(*GARBAGE)
    sys.setswitchinterval(SWITCH_S)
    _more_files()
    metrics = metrics_socket(settings.metrics_host, settings.metrics_port)
    store = open_store(
        settings.database,
        keys=keys,
        heads=heads,
        notify=settings.notify,
        connections=settings.connections,
    )
    try:
        floor = Floor(
            store,
            KeyRing.load(keys),
            database=settings.database,
            demo=settings.demo,
            settings=settings,
            config=config_file(),
            world=world,
        )
        passwords = asyncio.run(_set_up(floor, designs, day))
        _log_selftest(tested)
        _say(settings, floor.follower.house.name, passwords)
        _run(floor, tested, metrics)
    finally:
        store.close()


async def _set_up(floor: Floor, designs: Sequence[Playable], day: Cut) -> dict[str, str]:
    """The passwords of a demonstration's staff."""
    passwords = await open_demo(floor, designs, day) if floor.demo else {}
    await floor.follower.read(FLOOR)
    floor.follower.verify_set_up(demo=floor.demo)
    return passwords


def _run(floor: Floor, tested: SelfTest, metrics: socket.socket | None) -> None:
    settings = floor.settings
    readiness = Readiness(floor.store, floor.follower, floor.shutdown, tested)
    secure = bool(settings.tls_cert or settings.proxy)
    web = web_for(floor, secure=secure, readiness=readiness)
    config = uvicorn.Config(
        create_app(web, start=floor.start, stop=floor.stop, metrics=metrics),
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=settings.keep_alive_s,
        http=_http_protocol(settings, web),
        ws=_terminal_protocol(),
        ws_max_size=4 * settings.message_bytes,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=math.ceil(settings.stop_s),
        ssl_certfile=settings.tls_cert or None,
        ssl_keyfile=settings.tls_key or None,
        proxy_headers=bool(settings.proxy),
        forwarded_allow_ips=settings.proxy or None,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_ours)
    _limit_handshakes(settings.request_s)
    _log.info("serving", extra={"fields": {"port": settings.port, "version": __version__}})
    GracefulServer(config, floor.shutdown, settings).run()


def _http_protocol(settings: Settings, web: Web) -> type[asyncio.Protocol] | Literal["auto"]:
    """Ours, with time limits, or uvicorn's own where its parts are not what they were."""
    try:
        from puntobanco.web.slow_clients import protocol  # noqa: PLC0415
    except ImportError as error:
        _log.warning(
            "uvicorn %s has no HTTP that can be limited (%s): slow clients are not cut off; "
            "install a version that pyproject.toml allows",
            uvicorn.__version__,
            error,
        )
        return "auto"
    return protocol(
        limit_s=settings.request_s,
        per_address=settings.waiting_per_address,
        has_proxy=bool(settings.proxy),
        turned_away=turned_away(web),
    )


def _limit_handshakes(limit_s: float) -> None:
    """Of TLS: uvicorn passes none on, and asyncio's own is a minute."""
    for name in ("SSL_HANDSHAKE_TIMEOUT", "SSL_SHUTDOWN_TIMEOUT"):
        setattr(constants, name, limit_s)


def _terminal_protocol() -> type[asyncio.Protocol] | Literal["auto"]:
    """Ours, or uvicorn's own where its private parts are not what they were: slower, and the
    same.
    """
    try:
        from puntobanco.web.direct import TerminalProtocol  # noqa: PLC0415
    except ImportError as error:
        _log.warning(
            "uvicorn %s cannot lend terminals its short ways (%s): they are served by plain ASGI, "
            "more slowly; install a version that pyproject.toml allows",
            uvicorn.__version__,
            error,
        )
        return "auto"
    return TerminalProtocol


def _log_selftest(tested: SelfTest) -> None:
    """What passed, and what was only warned of; what failed was said in one line instead."""
    for check in tested.checks:
        if check.outcome == "warned":
            _log.warning("self-test, %s: %s", check.name, check.said)
    _log.info(
        "self-test %s",
        tested.outcome,
        extra={"fields": {check.name: check.said for check in tested.checks}},
    )


def _more_files() -> None:
    """A connection is an open file: as many as this process may have."""
    with suppress(ImportError, ValueError, OSError):  # not on every system
        import resource  # noqa: PLC0415

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _verify_private(settings: Settings) -> None:
    """Nothing travels in the clear beyond this machine."""
    tls_cert = settings.tls_cert
    tls_key = settings.tls_key
    proxy = settings.proxy
    if bool(tls_cert) != bool(tls_key):
        raise Refusal("TLS needs both --tls-cert and --tls-key")
    for file in filter(None, (tls_cert, tls_key)):
        if not Path(file).is_file():
            raise Refusal(f"there is no file {file}")
    for address in proxy.split(",") if proxy else ():
        _verify_address(address.strip())
    if not (_is_loopback(settings.host) or tls_cert or proxy):
        raise Refusal(
            f"{settings.host} can be reached from other machines: give --tls-cert and --tls-key, "
            "or --proxy ADDRESSES where a proxy has TLS"
        )


def _verify_address(address: str) -> None:
    """A proxy is somebody in particular: whoever is believed says himself from where he comes, and
    is not counted.
    """
    try:
        network = ipaddress.ip_network(address, strict=False)
    except ValueError:
        raise Refusal(
            f"--proxy takes addresses or networks such as 10.0.0.5, not {address!r:.60}"
        ) from None
    if not network.prefixlen:
        raise Refusal(f"--proxy {address} would believe everybody; give the addresses of the proxy")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _say(settings: Settings, house: str, passwords: dict[str, str]) -> None:
    scheme = "https" if settings.tls_cert else "http"
    address = f"{scheme}://{settings.host}:{settings.port}/"
    if settings.demo:
        show.line(show.Styled("DEMO", "bold red"), ": play credits only, worth nothing")
    show.line(f"floor  {address}")
    show.line(f"API    {address}api/openapi.json")
    if not settings.demo:
        show.line(f"house  {house}")
        show.line(f"TLS    {_tls(settings)}")
    if passwords:
        show.line(f"staff  {address}staff")
        rows = [(name, DEMO_STAFF[name], password) for name, password in passwords.items()]
        show.table(("name", "role", "password"), rows)
        show.line("a demonstration prints passwords and has no second factor: never for money")


def _tls(settings: Settings) -> str:
    if settings.proxy:
        return "at the proxy"
    return "here" if settings.tls_cert else "none: loopback only"
