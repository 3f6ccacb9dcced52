"""`serve`: the floor as a web server, and the witness beside a demonstration."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import logging
import math
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from asyncio import constants, selector_events, sslproto
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple, NoReturn

import click
import uvicorn

from puntobanco.base import server_log
from puntobanco.base.refusal import Refusal
from puntobanco.base.version import __version__
from puntobanco.cli import console
from puntobanco.cli.options import optional_path
from puntobanco_floor.cli.floor_options import (
    config_file,
    day_starts_option,
    reason_text,
    with_settings,
    zone_option,
)
from puntobanco_floor.cli.offline_admin import Verify, note_try, two_people
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.gaming_day import Cut
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.environment import World
from puntobanco_floor.integrity.self_test import SelfTest, selftest
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.demonstration import DEMO_STAFF, open_demo
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.service.readiness import Readiness
from puntobanco_floor.service.table_games import Playable, from_file, from_published
from puntobanco_floor.settings import Settings
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.engines import sqlite_path
from puntobanco_floor.store.errors import NotStored
from puntobanco_floor.store.log_tables import TransparencyLog
from puntobanco_floor.store.nodes import ReadyNodes
from puntobanco_floor.store.open_store import files_of, open_store
from puntobanco_floor.store.sqlite_file import serving
from puntobanco_floor.transparency.refusals import Unwitnessed
from puntobanco_floor.web.app import create_app
from puntobanco_floor.web.context import web_for
from puntobanco_floor.web.health import metrics_socket
from puntobanco_floor.web.hosts import find_hosts
from puntobanco_floor.web.server_shutdown import GracefulServer
from puntobanco_proof.listening import bind_sockets, build_address, verify_tls
from puntobanco_proof.witness.identity import KEYS, Identity, create_identity, load_identity
from puntobanco_proof.witness.memory import create_memory

_log = logging.getLogger("puntobanco.serve")

SWITCH_S = 0.0005
"""The store's writer and the terminals' loop let go of the interpreter at every write to disk or
network; by default each may then wait 5 ms to have it back, many times in one batch.
"""

GARBAGE = (2_000, 10, 5_000)
"""The garbage collector looks at little at a time, since wagers wait for it, and seldom at all of a
large heap.
"""

READ_BYTES = 8_192
"""Read from one connection before others have their turn: 40,000 empty frames, or a body in as many
parts, in one read held up everybody for half a second.
"""

WAITING_SHARE = 4
"""Of the files that this process may have open, one in so many is a connection that asks nothing;
the oldest of them makes room. Without it 1,500 such connections kept everybody out.
"""

FEW_FILES = 1_024
"""The number of open files to assume on a system that does not tell its limit."""

IO_ERROR = 74
"""Exit status after a commit in doubt, EX_IOERR of sysexits.h; systemd starts the node again."""


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
    metavar="GAME",
    help="With --demo: open a table of this game.py of your own, or published game; repeatable.",
)
@click.option(
    "--witness",
    "with_witness",
    is_flag=True,
    help="With --demo: a witness beside it, run by this computer, which proves nothing.",
)
@click.option(
    "--unwitnessed",
    type=reason_text,
    metavar="REASON",
    help="By two people: open also where none of the floor's witnesses can be reached.",
)
@zone_option
@day_starts_option
@two_people
@with_settings
def serve(
    settings: Settings,
    *,
    own: Sequence[str],
    with_witness: bool,
    unwitnessed: str | None,
    zone: str,
    day_starts: int,
    verify: Verify,
) -> None:
    world = click.get_current_context().find_object(World) or World()
    designs = [from_published(name) or from_file(Path(name)) for name in own]
    by_two = None if unwitnessed is None else ByTwo(unwitnessed, verify)
    day = Cut(zone, day_starts)
    serve_floor(settings, designs, world, day, by_two, with_witness=with_witness)


class ByTwo(NamedTuple):
    """Why a floor is to be opened without its witnesses, and how the two people are asked."""

    reason: str
    verify: Verify


def serve_floor(
    settings: Settings,
    designs: Sequence[Playable],
    world: World,
    day: Cut,
    unwitnessed: ByTwo | None = None,
    *,
    with_witness: bool = False,
) -> None:
    """Compose a floor and its web server, and run it until it is told to stop."""
    if designs and not settings.demo:
        raise Refusal(
            "--game is for --demo; on a real floor open a table of it: puntobanco table "
            "add NUMBER game.py"
        )
    if with_witness and not settings.demo:
        raise Refusal(
            "--witness is for --demo; on a real floor somebody else runs it: puntobanco witness"
        )
    if day != Cut() and not settings.demo:
        raise Refusal(
            "--zone and --day-starts are for a new house; this one is changed by "
            "puntobanco floor gaming-day"
        )
    verify_listening(settings)
    server_log.configure(settings.log_format, settings.log_level)
    named_keys = optional_path(settings.keys)
    named_heads = optional_path(settings.heads)
    keys, heads = files_of(settings.database, keys=named_keys, heads=named_heads)
    tested = selftest(
        settings.database,
        keys=keys,
        heads=heads,
        demo=settings.demo,
        clock_tolerance_s=settings.clock_tolerance_s,
        release_list=settings.release_list,
        release_key=settings.release_key,
        publication=settings.publication,
    )
    tested.verify()
    gc.set_threshold(*GARBAGE)
    sys.setswitchinterval(SWITCH_S)
    _more_files()
    with ExitStack() as opened:
        # first: a port that is in use is said before a floor is opened and passwords are printed
        sockets = opened.enter_context(bind_sockets(settings.host, settings.port))
        metrics = metrics_socket(settings.metrics_host, settings.metrics_port)
        if not is_postgres(settings.database):
            opened.enter_context(serving(sqlite_path(settings.database)))
        store = open_store(
            settings.database,
            keys=keys,
            heads=heads,
            notify=settings.notify,
            connections=settings.connections,
        )
        opened.callback(store.close)
        store.on_stopped = _end_process
        if with_witness:
            folder = heads.with_name(f"{heads.name}.witness")
            settings = opened.enter_context(witness_beside(settings, store.log, folder))
        floor = Floor(
            store,
            KeyRing.load(keys),
            database=settings.database,
            demo=settings.demo,
            settings=settings,
            config=config_file(),
            world=world,
        )
        _open_log(floor, unwitnessed)
        passwords = asyncio.run(_set_up(floor, designs, day))
        _log_selftest(tested)
        _say(settings, floor.follower.house.name, passwords)
        _run(floor, tested, metrics, sockets)


def _end_process(_: str) -> NoReturn:
    """End at once after a commit in doubt, which the store has logged: connections drop, and no
    client hears an answer that may be false.
    """
    logging.shutdown()
    os._exit(IO_ERROR)


def _open_log(floor: Floor, by_two: ByTwo | None) -> None:
    """Compare it with what was published and witnessed; one that is behind is not opened."""
    store, log = floor.store, floor.log
    try:
        log.open()
    except Unwitnessed:
        if by_two is None:
            raise
        passwords = Passwords(floor.ring, World().hasher)
        people = by_two.verify(store.house().state, passwords, partial(note_try, store))
        command = h.OpenUnwitnessed(
            by=people.first,
            second=people.second,
            node=store.node.id,
            reason=by_two.reason,
            size=log.log.size(),
        )
        answer = store.ask(Request(stream=FLOOR, id=secrets.token_hex(8), command=command))
        if not answer.ok:
            raise NotStored(f"{FLOOR} refused: {answer.words.en}") from None
        log.open(unwitnessed=True)
        _log.warning(
            "witnesses not reached, and the floor opened without them by %s and %s: %s",
            people.first,
            people.second,
            by_two.reason,
        )


async def _set_up(floor: Floor, designs: Sequence[Playable], day: Cut) -> dict[str, str]:
    """The passwords of a demonstration's staff."""
    passwords = await open_demo(floor, designs, day) if floor.demo else {}
    await floor.follower.read(FLOOR)
    floor.follower.verify_set_up(demo=floor.demo)
    return passwords


def _run(
    floor: Floor,
    tested: SelfTest,
    metrics: socket.socket | None,
    sockets: list[socket.socket],
) -> None:
    settings = floor.settings
    nodes = ReadyNodes(settings.database)
    readiness = Readiness(
        floor.store, floor.follower, floor.shutdown, tested, floor.log, nodes=nodes
    )
    secure = bool(settings.tls_cert or settings.proxy)
    web = web_for(floor, secure=secure, readiness=readiness)
    config = uvicorn.Config(
        create_app(web, start=floor.start, stop=floor.stop, metrics=metrics),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=settings.keep_alive_s,
        http=_http_protocol(settings),
        ws=_terminal_protocol(settings),
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
    _limit_reads()
    _log.info("serving", extra={"fields": {"port": settings.port, "version": __version__}})
    with closing(nodes):
        GracefulServer(config, floor.shutdown, settings).run(sockets)


def _http_protocol(settings: Settings) -> type[asyncio.Protocol] | Literal["auto"]:
    """Ours, with time limits, or uvicorn's own where its parts are not what they were."""
    try:
        from puntobanco_floor.web.slow_clients import protocol  # noqa: PLC0415
    except ImportError as error:
        _log.warning(
            "uvicorn %s has no HTTP that can be limited (%s): slow clients are not cut off; "
            "install a version that pyproject.toml allows",
            uvicorn.__version__,
            error,
        )
        return "auto"
    most = _count_files() // WAITING_SHARE
    return protocol(limit_s=settings.request_s, most=most)


def _limit_handshakes(limit_s: float) -> None:
    """Of TLS: uvicorn passes none on, and asyncio's own is a minute."""
    for name in ("SSL_HANDSHAKE_TIMEOUT", "SSL_SHUTDOWN_TIMEOUT"):
        setattr(constants, name, limit_s)


def _limit_reads() -> None:
    """asyncio's own are 256 KiB, and a connection under TLS keeps a buffer of that size."""
    for module, kind in ((selector_events, "_SelectorTransport"), (sslproto, "SSLProtocol")):
        getattr(module, kind).max_size = READ_BYTES


def _terminal_protocol(settings: Settings) -> type[asyncio.Protocol] | Literal["auto"]:
    """Ours, or uvicorn's own where its private parts are not what they were: slower, and the
    same.
    """
    try:
        from puntobanco_floor.web.fast_socket import protocol  # noqa: PLC0415
    except ImportError as error:
        _log.warning(
            "uvicorn %s cannot lend terminals its short ways (%s): they are served by plain ASGI, "
            "more slowly; install a version that pyproject.toml allows",
            uvicorn.__version__,
            error,
        )
        return "auto"
    return protocol(settings)


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


def verify_listening(settings: Settings) -> None:
    """Refuse settings that would send data unencrypted, or would trust every address as a proxy."""
    for address in settings.proxy.split(",") if settings.proxy else ():
        _verify_proxy(address.strip())
    verify_tls(
        settings.host,
        settings.tls_cert,
        settings.tls_key,
        has_proxy=bool(settings.proxy),
        or_else=", or --proxy ADDRESSES where a proxy has TLS",
    )


def _verify_proxy(address: str) -> None:
    """Require the addresses of a proxy: a node believes it where its clients come from."""
    try:
        network = ipaddress.ip_network(address, strict=False)
    except ValueError:
        raise Refusal(
            f"--proxy takes addresses or networks such as 10.0.0.5, not {address!r:.60}"
        ) from None
    if not network.prefixlen:
        raise Refusal(f"--proxy {address} would believe everybody; give the addresses of the proxy")


def public_address(settings: Settings) -> str:
    """Return the address that a browser is given."""
    has_tls = bool(settings.tls_cert)
    names = find_hosts(settings).names or ()
    return build_address(settings.host, settings.port, has_tls=has_tls, names=names)


def _count_files() -> int:
    """Return how many files this process may have open."""
    with suppress(ImportError):  # not on every system
        import resource  # noqa: PLC0415

        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if files != resource.RLIM_INFINITY:
            return files
    return FEW_FILES


def _say(settings: Settings, house: str, passwords: dict[str, str]) -> None:
    address = public_address(settings)
    if settings.demo:
        console.line(console.Styled("DEMO", "bold red"), ": play credits only, worth nothing")
    console.line(f"floor  {address}")
    console.line(f"API    {address}api/openapi.json")
    if settings.demo and settings.witness_policy:
        console.line(f"witness  {DEMO_WITNESS}; its policy is {settings.witness_policy}")
    if not settings.demo:
        console.line(f"house  {house}")
        console.line(f"TLS    {_tls(settings)}")
    if passwords:
        console.line(f"staff  {address}staff")
        rows = [(name, DEMO_STAFF[name], password) for name, password in passwords.items()]
        console.table(("name", "role", "password"), rows)
        console.line("a demonstration prints passwords and has no second factor: never for money")


def _tls(settings: Settings) -> str:
    if settings.proxy:
        return "at the proxy"
    return "here" if settings.tls_cert else "none: loopback only"


# The witness of a demonstration

DEMO_WITNESS = "run-by-this-computer/proves-nothing"
"""It runs on the computer that it is to vouch for, and its name says so wherever witnesses are
named.
"""

WITNESS_HOST = "127.0.0.1"
WITNESS_STARTS_S = 30.0
WITNESS_STOPS_S = 10.0


@contextmanager
def witness_beside(settings: Settings, log: TransparencyLog, folder: Path) -> Iterator[Settings]:
    """Serve a witness until the floor ends; the settings get a policy that names it."""
    log.open(settings.log_origin)
    keys = [verifier.text for verifier in log.verifiers()]
    identity = _load_or_make_witness(folder)
    port = _find_free_port()
    url = f"http://{WITNESS_HOST}:{port}"
    policy = folder / "policy.txt"
    logs = "".join(f"log {key}\n" for key in keys)
    policy.write_text(f"{logs}{identity.build_policy_lines(url)}quorum {DEMO_WITNESS}\n", "utf-8")
    command = [sys.executable, "-m", "puntobanco", "witness", "serve", "--until-eof"]
    command += ["--folder", str(folder), "--port", str(port)]
    for key in keys:
        command += ["--log", key]
    # its standard input ends with this program, however that ends: none is left running
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        _wait_until_served(process, url)
        yield replace(settings, witness_policy=str(policy))
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(WITNESS_STOPS_S)
        process.kill()


def _load_or_make_witness(folder: Path) -> Identity:
    """The same at every start: a witness that forgot would vouch for anything."""
    if (folder / KEYS).exists():
        return load_identity(folder)
    found = create_identity(folder, DEMO_WITNESS)
    create_memory(folder)
    return found


def _find_free_port() -> int:
    with socket.socket() as found:
        found.bind((WITNESS_HOST, 0))
        port: int = found.getsockname()[1]
    return port


def _wait_until_served(process: subprocess.Popen[bytes], url: str) -> None:
    until = time.monotonic() + WITNESS_STARTS_S
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/status", timeout=WITNESS_STARTS_S):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise Refusal(
        "the witness of the demonstration does not start; see what it said above, or serve without "
        "--witness"
    )
