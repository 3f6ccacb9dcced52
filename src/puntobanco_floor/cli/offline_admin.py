"""A desk at the command line: the floor's store without its clock, and administration in the name
of the system's user.
"""

from __future__ import annotations

import asyncio
import getpass
import re
import secrets
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from puntobanco.base.refusal import Refusal
from puntobanco.base.strict_json import verify_texts
from puntobanco.cli import console
from puntobanco.cli.options import F, file_option
from puntobanco_floor.cli.floor_options import database_option, keys_option, reason_text
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.stream_names import FLOOR, is_table, table_name
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.environment import World, wall_ms
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.recovery.epochs import TwoPeople
from puntobanco_floor.service import cross_stream_rules
from puntobanco_floor.service.administration import Administration, Made, must
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.service.patron_lookup import Patrons
from puntobanco_floor.service.refusals import LoginRefused
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.errors import InDoubt, NotStored
from puntobanco_floor.store.open_store import files_of, open_store
from puntobanco_floor.store.patron_ids import PatronTable
from puntobanco_floor.store.store import Store
from puntobanco_proof.entry.format import Fault

Row = TypeVar("Row", bound=msgspec.Struct)

PAUSES_S = (0.5, 1, 2, 4, 8, 15)
"""Between tries of a command whose outcome is in doubt."""

number_argument = click.argument("number", type=click.IntRange(1, 1_000_000))
name_argument = click.argument("name")
reason_option = click.option("--reason", required=True, type=reason_text)


class Desk:
    """The floor's store, which runs no clock here, and administration by the system's user."""

    def __init__(
        self,
        database: str,
        keys: Path | None,
        heads: Path | None,
        *,
        new: bool = False,
        recovering: bool = False,
    ) -> None:
        self.database = database
        self._told = set[str]()
        ring_path, heads_path = files_of(database, keys=keys, heads=heads)
        if not new and not ring_path.exists():
            raise Refusal(
                f"there is no key ring at {ring_path}; `puntobanco init` makes a floor, "
                "--keys names another"
            )
        self.store: Store = open_store(
            database, keys=ring_path, heads=heads_path, clock=False, recovering=recovering
        )
        try:
            ring = KeyRing.load(ring_path)
            self.patrons = Patrons(PatronTable(database), ring, wall_ms, self._house_state)
            passwords = Passwords(ring, World().hasher)
            self.ring = ring
            self.admin = Administration(self._ask, ring, passwords, by=_who(), now_ms=wall_ms)
            if not new and not self.house.is_open:
                raise Refusal("this floor is not set up; `puntobanco init` does it")
        except BaseException:
            self.store.close()
            raise

    @property
    def by(self) -> str:
        """Whose name the journal has for what is done here."""
        return self.admin.by

    @property
    def house(self) -> HouseState:
        return self.store.house().state

    def _house_state(self) -> HouseState:
        return self.house

    def tables(self) -> dict[str, TableState]:
        """Every table whose stream can be read; a blocked one is reported once."""
        found = dict[str, TableState]()
        names = [name for name in self.store.names() if is_table(name)]
        # by length first: table:2 comes before table:10
        for name in sorted(names, key=lambda name: (len(name), name)):
            try:
                found[name] = self.store.table(name).state
            except Fault as fault:
                self._blocked(name, fault)
        return found

    def _blocked(self, name: str, fault: Fault) -> None:
        if name not in self._told:
            self._told.add(name)
            todo = "" if fault.advice else f"; run puntobanco audit --table {name}"
            click.echo(f"{name} is blocked: {fault}{todo}", err=True)

    def table(self, number: int) -> TableState:
        state = self.store.table(table_name(number)).state
        if state.game is None:
            raise Refusal(
                f"there is no table {number}; `puntobanco table list` shows those there are"
            )
        return state

    def note_try(self, command: h.NoteLogin) -> None:
        """A password of two people, or a one-time code of theirs that is used up."""
        note_try(self.store, command)

    async def made_by_two(self, people: TwoPeople, made: Made) -> Made:
        """What the first has proposed, with the second; the whole code."""
        if not made.proposal:
            return made
        other = await self.admin.named(people.second).agree(self.house, made.proposal)
        return Made(name=made.name, code=f"{made.code} {other.code}".strip())

    async def do(self, stream: str, command: Command) -> int:
        """Give a command; a refusal is raised. The number of the proposal, where it waits."""
        answer = await must(self._ask(stream, command))
        return answer.proposal

    async def _ask(self, stream: str, command: Command) -> Answer:
        """Ask, and propagate what follows to other streams, as a floor that is served would. What
        was typed hides no character, as over the network.
        """
        verify_texts(msgspec.to_builtins(command))
        request = Request(stream=stream, id=secrets.token_hex(8), command=command)
        answer = await self._decided(request)
        if answer.ok:
            await self._propagate(stream, answer.seq)
        return answer

    async def _decided(self, request: Request) -> Answer:
        """Ask under one id until it is decided; after some tries say what to do."""
        for pause_s in PAUSES_S:
            with suppress(InDoubt):
                return await self.store.asked(request)
            await asyncio.sleep(pause_s)
        raise InDoubt(
            f"it is not known whether {request.command.name()} was recorded in {request.stream}; "
            "wait until the database answers, look at what is there now (`puntobanco table list`, "
            "`staff list`, `terminal list`), and run this command again only if it is not"
        )

    async def _propagate(self, stream: str, seq: int) -> None:
        entry = next(self.store.decoded(stream, after=seq - 1))
        if cross_stream_rules.is_carried(entry):
            for request in cross_stream_rules.carried(entry, self.house, self.tables()):
                await self.store.asked(request)


def people_of(found: Desk, verify: Callable[..., TwoPeople]) -> TwoPeople:
    """The two people, where the house decides by two; else the system's user alone."""
    if not found.house.by_two:
        return TwoPeople(found.by, "")
    return verify(found.house, found.admin.passwords, found.note_try)


def note_try(store: Store, command: h.NoteLogin) -> None:
    """In the journal, as at a login over the network: a one-time code is good once."""
    request = Request(stream=FLOOR, id=secrets.token_hex(8), command=command)
    # where the house's stream fails nobody logs in, and what is asked for may be to mend it
    with suppress(NotStored, InDoubt):
        answer = store.ask(request)
        if not answer.ok:
            raise LoginRefused(answer.words)


def _who() -> str:
    name = ""
    with suppress(Exception):  # a container may have no entry for its user
        name = re.sub(r"[^A-Za-z0-9._-]", "", getpass.getuser())
    return f"os:{name or 'user'}"[:64]


def desk(function: F) -> F:
    """A command at a desk: options for the database, a floor that is set up."""

    @database_option
    @keys_option
    @file_option("--heads", "The file of heads; by default beside the database.")
    @wraps(function)
    def with_desk(database: str, keys: Path | None, heads: Path | None, **options: Any) -> Any:
        found = Desk(database, keys, heads)
        try:
            result = function(found, **options)
            if isinstance(result, Coroutine):
                return asyncio.run(result)
            return result
        finally:
            found.store.close()

    return with_desk  # type: ignore[return-value]


def verify_name(name: str) -> None:
    try:
        msgspec.convert(name, h.Name)
    except msgspec.ValidationError:
        raise Refusal(
            f"{name!r:.60} is no name: letters, digits, and . _ - after the first, 32 at most"
        ) from None


def show_list(
    columns: Sequence[str],
    rows: Iterable[Row],
    cells: Callable[[Row], Sequence[str]],
    *,
    as_json: bool,
) -> None:
    """Rows as JSON with all their fields, or as a table with some of them."""
    rows = list(rows)
    if as_json:
        console.echo_json(msgspec.to_builtins(rows))
    elif rows:
        console.table(columns, map(cells, rows))
    else:
        console.line("none")


def minute(ms: int) -> str:
    """A time in UTC, to the minute."""
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def show_once(what: str, secret: str) -> None:
    """A secret that is kept as a hash only, so that nobody can show it again."""
    console.line(f"{what}, shown this once: ", console.Styled(secret, "bold"))
