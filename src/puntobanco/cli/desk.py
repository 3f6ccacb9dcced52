"""A desk at the command line: a store that only does what it is asked, and administration by who
sits there.
"""

from __future__ import annotations

import asyncio
import getpass
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from puntobanco.cli import show
from puntobanco.cli.options import echo_json
from puntobanco.floor import propagate
from puntobanco.floor.admin import Administration, Refused
from puntobanco.floor.passwords import Passwords
from puntobanco.house import commands as h
from puntobanco.house.state import HouseState
from puntobanco.journal import Fault, read_entry
from puntobanco.keys import KeyRing
from puntobanco.names import is_table, table_name
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.batch import Answer, Request
from puntobanco.storage.locate import files_of, open_store
from puntobanco.storage.store import Store
from puntobanco.table import commands as c
from puntobanco.table.state import TableState

WAIT_S = 120.0
"""How long a change waits for the round in play to end."""

F = TypeVar("F", bound=Callable[..., Any])


class Desk:
    """A store that only does what it is asked, and administration by who sits here."""

    def __init__(
        self, database: str, keys: str | None, heads: str | None, *, new: bool = False
    ) -> None:
        self.database = database
        self._told = set[str]()
        ring_path, heads_path = files_of(
            database, keys=Path(keys) if keys else None, heads=Path(heads) if heads else None
        )
        if not new and not ring_path.exists():
            raise Refusal(
                f"there is no key ring at {ring_path}; `puntobanco init` makes a floor, "
                "--keys names another"
            )
        self.store: Store = open_store(database, keys=ring_path, heads=heads_path, clock=False)
        try:
            self.admin = Administration(self._ask, Passwords(KeyRing.load(ring_path)), by=_who())
            if not new and not self.house.is_open:
                raise Refusal("this floor is not set up; `puntobanco init` does it")
        except BaseException:
            self.store.close()
            raise

    @property
    def house(self) -> HouseState:
        return self.store.house().state

    def tables(self) -> dict[str, TableState]:
        """Those that can be read; of the others it is said why not, once."""
        found = dict[str, TableState]()
        names = [name for name in self.store.names() if is_table(name)]
        for name in sorted(names, key=lambda name: (len(name), name)):
            try:
                found[name] = self.store.table(name).state
            except Fault as fault:
                self._blocked(name, fault)
        return found

    def _blocked(self, name: str, fault: Fault) -> None:
        if name not in self._told:
            self._told.add(name)
            click.echo(f"{name} is blocked: {fault}; run puntobanco audit --table {name}", err=True)

    def table(self, number: int) -> TableState:
        state = self.store.table(table_name(number)).state
        if state.game is None:
            raise Refusal(
                f"there is no table {number}; `puntobanco table list` shows those there are"
            )
        return state

    async def _ask(self, stream: str, command: c.AnyCommand | h.AnyHouseCommand) -> Answer:
        """Ask, and carry what follows to other streams, as a floor that is served would."""
        answer = await self.store.asked(
            Request(stream=stream, id=secrets.token_hex(8), command=command)
        )
        if answer.ok:
            _, data = next(self.store.entries(stream, after=answer.seq - 1))
            entry = read_entry(data, stream=stream, seq=answer.seq)
            if propagate.is_carried(entry):
                for request in propagate.carried(entry, self.house, self.tables()):
                    await self.store.asked(request)
        return answer

    async def between_rounds(self, do: Callable[[], Awaitable[Any]]) -> None:
        """A round that is open is let end; the change is made in the pause after it."""
        until, told = time.monotonic() + WAIT_S, False
        while True:
            try:
                await do()
            except Refused as refusal:
                if refusal.code != "not-now" or time.monotonic() > until:
                    raise
                if not told:
                    click.echo("a round is in play; waiting for its end", err=True)
                    told = True
                await asyncio.sleep(0.25)
            else:
                return


def _who() -> str:
    name = ""
    with suppress(Exception):
        name = re.sub(r"[^A-Za-z0-9._-]", "", getpass.getuser())
    return f"os:{name or 'user'}"[:64]


def desk(function: F) -> F:
    """A command at a desk: options for the database, a floor that is set up."""

    @click.option(
        "--database",
        default="floor.db",
        show_default=True,
        metavar="URL",
        help="SQLite, or postgresql://...",
    )
    @click.option("--keys", metavar="FILE", help="The key ring; by default beside the database.")
    @click.option(
        "--heads", metavar="FILE", help="The file of heads; by default beside the database."
    )
    @wraps(function)
    def with_desk(database: str, keys: str | None, heads: str | None, **options: Any) -> Any:
        found = Desk(database, keys, heads)
        try:
            return _run(function(found, **options))
        finally:
            found.store.close()

    return with_desk  # type: ignore[return-value]


def _run(result: Any) -> Any:
    return asyncio.run(result) if isinstance(result, Coroutine) else result


def shown(
    rows: Iterable[msgspec.Struct], as_json: bool, columns: dict[str, Callable[[Any], str]]
) -> None:
    rows = list(rows)
    if as_json:
        echo_json([msgspec.to_builtins(row) for row in rows])
    elif rows:
        show.table(tuple(columns), [tuple(cell(row) for cell in columns.values()) for row in rows])
    else:
        show.line("none")


def utc(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def once(what: str, secret: str) -> None:
    show.line(f"{what}, shown this once: ", show.Styled(secret, "bold"))
