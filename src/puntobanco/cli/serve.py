"""`serve`: the floor as a web server."""

from __future__ import annotations

import asyncio
import gc
import logging
from pathlib import Path

import click

from puntobanco.cli import show
from puntobanco.floor import wire
from puntobanco.floor.service import Floor, open_demo
from puntobanco.floor.staff import Role
from puntobanco.keys import KeyRing
from puntobanco.storage.locate import files_of, open_store
from puntobanco.web.app import create_app

DEMO_STAFF: dict[str, Role] = {"dora": "dealer", "sam": "supervisor", "sue": "supervisor", "carl": "cashier"}


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
@click.option("--tls/--no-tls", default=False, help="Browsers come by TLS, through a proxy: cookies are marked secure.")
def serve(
    demo: bool, database: str, keys: str | None, heads: str | None, notify: str, host: str, port: int, tls: bool
) -> None:
    import uvicorn  # noqa: PLC0415

    ring_path, heads_path = files_of(database, keys=Path(keys) if keys else None, heads=Path(heads) if heads else None)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    gc.set_threshold(50_000, 20, 100)  # few cycles are made, and large heaps are slow to look through
    store = open_store(database, keys=ring_path, heads=heads_path, notify=notify == "on")
    try:
        if demo:
            asyncio.run(open_demo(store))
        floor = Floor(store, KeyRing.load(ring_path), demo=demo)
        address = f"http://{host}:{port}/"
        if demo:
            passwords = {name: floor.staff.add(name, role) for name, role in DEMO_STAFF.items()}
            show.line(show.Styled("DEMO", "bold red"), ": play credits only, worth nothing")
        show.line(f"floor  {address}")
        show.line(f"API    {address}api/openapi.json")
        if demo:
            show.line("staff, for POST /api/staff/login; shown this once:")
            show.table(("name", "role", "password"), [(n, DEMO_STAFF[n], p) for n, p in passwords.items()])
        config = uvicorn.Config(
            create_app(floor, secure=tls), host=host, port=port, log_level="warning", access_log=False,
            ws="websockets-sansio", ws_max_size=4 * wire.MAX_BYTES, ws_per_message_deflate=False,
            timeout_graceful_shutdown=3,
        )  # fmt: skip
        uvicorn.Server(config).run()
    finally:
        store.close()
