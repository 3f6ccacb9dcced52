"""`serve`: the floor as a web server."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import logging
import sys
from contextlib import suppress
from pathlib import Path

import click

from puntobanco.cli import show
from puntobanco.floor import wire
from puntobanco.floor.demo import DEMO_STAFF, open_demo
from puntobanco.floor.service import Floor
from puntobanco.keys import KeyRing
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.locate import files_of, open_store
from puntobanco.storage.machines import FLOOR
from puntobanco.web.app import create_app
from puntobanco.web.socket import TerminalProtocol

SWITCH_S = 0.0005
"""The store's writer and the terminals' loop let go of the interpreter at every write to disk or network; by default
each may then wait 5 ms to have it back, many times in one batch."""


def _is_ours(record: logging.LogRecord) -> bool:
    """Bytes that are no text are their sender's fault: it is cut off, and gets no traceback into our log for each."""
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))


@click.command(help="Serve the floor: tables, terminals and their pages.")
@click.option("--demo", is_flag=True, help="Tables of all five games, guests with play credits. Never for real money.")
@click.option("--database", default="floor.db", show_default=True, metavar="URL", help="SQLite, or postgresql://...")
@click.option("--keys", metavar="FILE", help="The key ring; by default beside the database.")
@click.option("--heads", metavar="FILE", help="The file of heads of this node; by default beside the database.")
@click.option(
    "--notify", type=click.Choice(["on", "off"]), default="on", show_default=True,
    help="LISTEN/NOTIFY and SKIP LOCKED on PostgreSQL; off for engines that lack them.",
)  # fmt: skip
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
@click.option("--tls-cert", metavar="FILE", help="Certificate chain, PEM; with --tls-key the server speaks TLS itself.")
@click.option("--tls-key", metavar="FILE", help="Its private key, PEM.")
@click.option(
    "--proxy", metavar="ADDRESSES", help="TLS ends at a proxy: its addresses, whose X-Forwarded-For is believed."
)
def serve(
    demo: bool, database: str, keys: str | None, heads: str | None, notify: str, host: str, port: int,
    tls_cert: str | None, tls_key: str | None, proxy: str | None,
) -> None:  # fmt: skip
    import uvicorn  # noqa: PLC0415

    _verify_private(host, tls_cert, tls_key, proxy)
    ring_path, heads_path = files_of(database, keys=Path(keys) if keys else None, heads=Path(heads) if heads else None)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    gc.set_threshold(50_000, 20, 100)  # few cycles are made, and large heaps are slow to look through
    sys.setswitchinterval(SWITCH_S)
    _more_files()
    secure = bool(tls_cert or proxy)
    store = open_store(database, keys=ring_path, heads=heads_path, notify=notify == "on")
    try:
        ring = KeyRing.load(ring_path)
        floor = Floor(store, ring, database=database, demo=demo)
        passwords = asyncio.run(open_demo(store, ring)) if demo else {}
        asyncio.run(floor.read(FLOOR))
        floor.verify_set_up()
        _say(f"{'https' if tls_cert else 'http'}://{host}:{port}/", floor, passwords, proxy)
        config = uvicorn.Config(
            create_app(floor, secure=secure), host=host, port=port, log_level="warning", access_log=False,
            ws=TerminalProtocol, ws_max_size=4 * wire.MAX_BYTES, ws_per_message_deflate=False,
            timeout_graceful_shutdown=3, ssl_certfile=tls_cert, ssl_keyfile=tls_key, proxy_headers=proxy is not None,
            forwarded_allow_ips=proxy,
        )  # fmt: skip
        logging.getLogger("uvicorn.error").addFilter(_is_ours)
        uvicorn.Server(config).run()
    finally:
        store.close()


def _more_files() -> None:
    """A connection is an open file: as many as this process may have."""
    with suppress(ImportError, ValueError, OSError):  # not on every system
        import resource  # noqa: PLC0415

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _verify_private(host: str, tls_cert: str | None, tls_key: str | None, proxy: str | None) -> None:
    """Nothing travels in the clear beyond this machine."""
    if bool(tls_cert) != bool(tls_key):
        raise Refusal("TLS needs both --tls-cert and --tls-key")
    for file in filter(None, (tls_cert, tls_key)):
        if not Path(file).is_file():
            raise Refusal(f"there is no file {file}")
    for address in (proxy or "").split(",") if proxy is not None else ():
        _verify_address(address.strip())
    if not (_is_loopback(host) or tls_cert or proxy):
        raise Refusal(
            f"{host} can be reached from other machines: give --tls-cert and --tls-key, "
            "or --proxy ADDRESSES where a proxy has TLS"
        )


def _verify_address(address: str) -> None:
    """A proxy is somebody in particular: whoever is believed says himself from where he comes, and is not counted."""
    try:
        network = ipaddress.ip_network(address, strict=False)
    except ValueError:
        raise Refusal(f"--proxy takes addresses or networks such as 10.0.0.5, not {address!r:.60}") from None
    if not network.prefixlen:
        raise Refusal(f"--proxy {address} would believe everybody; give the addresses of the proxy")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _say(address: str, floor: Floor, passwords: dict[str, str], proxy: str | None) -> None:
    if floor.demo:
        show.line(show.Styled("DEMO", "bold red"), ": play credits only, worth nothing")
    show.line(f"floor  {address}")
    show.line(f"API    {address}api/openapi.json")
    if not floor.demo:
        show.line(f"house  {floor.house.name}")
        show.line(
            "TLS    at the proxy" if proxy else "TLS    here" if address[4] == "s" else "TLS    none: loopback only"
        )
    if passwords:
        show.line("staff, for POST /api/staff/login; shown this once:")
        show.table(("name", "role", "password"), [(n, DEMO_STAFF[n], p) for n, p in passwords.items()])
