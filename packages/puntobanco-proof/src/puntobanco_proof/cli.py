"""Commands: `verify` checks a receipt; `witness` makes a witness, shows its keys and serves it."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from puntobanco.base import server_log
from puntobanco.base.extras import package
from puntobanco.base.version import __version__
from puntobanco_proof.listening import bound, shown_address, verify_private
from puntobanco_proof.tree.notes import read_vkey
from puntobanco_proof.witness.decisions import Decider
from puntobanco_proof.witness.identity import load_identity, make_identity
from puntobanco_proof.witness.memory import Memory, make_memory

_log = logging.getLogger("puntobanco.witness")

PORT = 8047
MOST_AT_ONCE = 100
"""Connections; others are told to come again."""

KEEP_ALIVE_S = 30

_file = click.Path(exists=True, dir_okay=False, path_type=Path)

_folder = click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Where the witness keeps its keys and its memory.",
)


@click.command
@click.argument("receipt", type=_file)
@click.option(
    "--policy",
    type=_file,
    help="A file with the log and the witnesses that you believe.",
)
@click.option("--json", "as_json", is_flag=True, help="Print lines and facts as JSON.")
def verify(receipt: Path, policy: Path | None, *, as_json: bool) -> None:
    """Verify a receipt of a floor: its round, payments, signatures and place in the public log.

    It ends with status 0 if the receipt holds, 1 if it is false, and 2 if not all of it is proven.
    """
    from puntobanco_proof.verifier.verify import main  # noqa: PLC0415 - a witness needs none

    words = [str(receipt), *(["--policy", str(policy)] if policy else [])]
    sys.exit(main([*words, *(["--json"] if as_json else [])]))


@click.group(help="A witness: it cosigns logs of other people's floors, and remembers them.")
def witness() -> None:
    pass


@witness.command(help="Make a witness: two keys, and an empty memory.")
@click.option("--name", required=True, help="Of the witness, such as witness.example.org/w1.")
@_folder
def init(name: str, folder: Path) -> None:
    make_identity(folder, name)  # first: refused where a witness is already
    make_memory(folder)
    click.echo(f"witness {name} is in {folder}; its lines for a policy:")
    _show(folder, "")


@witness.command(help="Show the lines that a floor and its patrons copy into their policies.")
@_folder
@click.option("--url", default="", help="Where the witness is served, to stand in its line.")
def show(folder: Path, url: str) -> None:
    _show(folder, url)


def _show(folder: Path, url: str) -> None:
    click.echo(load_identity(folder).policy_lines(url), nl=False)


@witness.command(help="Serve the witness until it is told to stop.")
@_folder
@click.option(
    "--log",
    "keys",
    multiple=True,
    required=True,
    metavar="VKEY",
    help="The key of a log to cosign, as its floor publishes it; may be repeated.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option(
    "--port",
    default=PORT,
    show_default=True,
    type=click.IntRange(1, 65_535),
    help="On which port.",
)
@click.option("--tls-cert", default="", help="Certificate for TLS (PEM).")
@click.option("--tls-key", default="", help="Its private key (PEM).")
@click.option("--until-eof", is_flag=True, help="Stop when standard input ends.")
def serve(
    folder: Path,
    keys: Sequence[str],
    host: str,
    port: int,
    tls_cert: str,
    tls_key: str,
    *,
    until_eof: bool,
) -> None:
    uvicorn = package("uvicorn")
    http_server = package("puntobanco_proof.witness.http_server")
    verify_private(host, tls_cert, tls_key, or_else=", or listen on 127.0.0.1 behind a proxy")
    server_log.configure("text", "info")
    verifiers = [read_vkey(key) for key in keys]
    identity = load_identity(folder)
    memory = Memory(folder)
    decider = Decider(identity, memory, verifiers, now=lambda: int(time.time()))
    config = uvicorn.Config(
        http_server.create_app(decider),
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="off",
        limit_concurrency=MOST_AT_ONCE,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=10,
        ssl_certfile=tls_cert or None,
        ssl_keyfile=tls_key or None,
    )
    with bound(host, port) as sockets:
        click.echo(
            f"witness {identity.name} on {shown_address(host, port, has_tls=bool(tls_cert))}"
        )
        _log.info("serving", extra={"fields": {"port": port, "version": __version__}})
        server = uvicorn.Server(config)
        if until_eof:
            threading.Thread(target=_stop_at_eof, args=(server,), daemon=True).start()
        server.run(sockets)
    memory.close()


def _stop_at_eof(server: Any) -> None:
    """Stop the server when the program that started it ends or closes its pipe."""
    sys.stdin.buffer.read()
    server.should_exit = True
