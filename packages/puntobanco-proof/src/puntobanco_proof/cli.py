"""Commands: `verify` checks a receipt; `witness` creates, shows and serves a witness."""

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
from puntobanco_proof.listening import bind_sockets, build_address, verify_tls
from puntobanco_proof.tree.notes import read_vkey
from puntobanco_proof.witness.decisions import Decider
from puntobanco_proof.witness.identity import create_identity, load_identity
from puntobanco_proof.witness.memory import Memory, create_memory

_log = logging.getLogger("puntobanco.witness")

PORT = 8047
MAX_CONNECTIONS = 100
"""Further connections get status 503."""

KEEP_ALIVE_S = 30

_file = click.Path(exists=True, dir_okay=False, path_type=Path)

_folder = click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="The folder with the keys and the memory of the witness.",
)


@click.command
@click.argument("receipt", type=_file)
@click.option(
    "--policy",
    type=_file,
    help="A policy file: the logs and witnesses that you trust.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the checks and facts as JSON.")
def verify(receipt: Path, policy: Path | None, *, as_json: bool) -> None:
    """Verify a receipt: its round, payments, signatures and place in the public log.

    Exit with status 0 if the receipt is proven, 1 if it is false, 2 if some of it is unproven.
    """
    from puntobanco_proof.verifier.verify import main  # noqa: PLC0415 - a witness does not need it

    arguments = [str(receipt), *(["--policy", str(policy)] if policy else [])]
    sys.exit(main([*arguments, *(["--json"] if as_json else [])]))


@click.group(help="Run a witness: cosign the logs of floors and remember their checkpoints.")
def witness() -> None:
    pass


@witness.command(help="Create a witness: two keys and an empty memory.")
@click.option("--name", required=True, help="Name of the witness, such as witness.example.org/w1.")
@_folder
def init(name: str, folder: Path) -> None:
    create_identity(folder, name)  # first: it refuses a folder that holds a witness
    create_memory(folder)
    click.echo(f"created witness {name} in {folder}; lines for a policy:")
    _show(folder, "")


@witness.command(help="Show the policy lines that a floor and its patrons copy.")
@_folder
@click.option("--url", default="", help="Address of the witness, to include in its line.")
def show(folder: Path, url: str) -> None:
    _show(folder, url)


def _show(folder: Path, url: str) -> None:
    click.echo(load_identity(folder).build_policy_lines(url), nl=False)


@witness.command(help="Serve the witness until SIGINT or SIGTERM.")
@_folder
@click.option(
    "--log",
    "keys",
    multiple=True,
    required=True,
    metavar="VKEY",
    help="Key of a log to cosign, as its floor publishes it; repeat for more logs.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=PORT,
    show_default=True,
    type=click.IntRange(1, 65_535),
    help="Port to listen on.",
)
@click.option("--tls-cert", default="", help="TLS certificate (PEM).")
@click.option("--tls-key", default="", help="TLS private key (PEM).")
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
    verify_tls(host, tls_cert, tls_key, or_else=", or listen on 127.0.0.1 behind a proxy")
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
        limit_concurrency=MAX_CONNECTIONS,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=10,
        ssl_certfile=tls_cert or None,
        ssl_keyfile=tls_key or None,
    )
    with bind_sockets(host, port) as sockets:
        click.echo(
            f"witness {identity.name} on {build_address(host, port, has_tls=bool(tls_cert))}"
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
