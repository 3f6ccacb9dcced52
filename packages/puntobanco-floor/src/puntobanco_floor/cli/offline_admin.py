"""The desk: a floor without its clock, administered by the system's user or by two people."""

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
from typing import Any, Self, TypeVar

import click
import msgspec

from puntobanco.base.characters import verify_texts
from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.cli.options import F, file_option, read_text
from puntobanco_floor.cli.floor_options import database_option, keys_option, reason_text
from puntobanco_floor.domain.commands import MANAGERS, Command
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.state import NO_CREDENTIALS, Credentials, HouseState
from puntobanco_floor.domain.refusals import NotEnrolled, SecondPersonNeeded
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
            self.patrons = Patrons(PatronTable(database), ring, wall_ms, lambda: self.house)
            passwords = Passwords(ring, World().hasher)
            self.ring = ring
            self.admin = Administration(self._ask, ring, passwords, by=_who(), now_ms=wall_ms)
            if not new and not self.house.is_open:
                raise Refusal("this floor is not set up; `puntobanco init` does it")
        except BaseException:
            self.store.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    @property
    def by(self) -> str:
        """Whose name the journal has for what is done here."""
        return self.admin.by

    @property
    def house(self) -> HouseState:
        return self.store.house().state

    def tables(self) -> dict[str, TableState]:
        """Every table whose stream can be read; a blocked one is reported once."""
        found = dict[str, TableState]()
        names = [name for name in self.store.names() if is_table(name)]
        # by length first: table:2 comes before table:10
        for name in sorted(names, key=lambda name: (len(name), name)):
            try:
                found[name] = self.store.table(name).state
            except Fault as fault:
                if name not in self._told:
                    self._told.add(name)
                    todo = "" if fault.advice else f"; run puntobanco audit --table {name}"
                    click.echo(f"{name} is blocked: {fault}{todo}", err=True)
        return found

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
        with Desk(database, keys, heads) as found:
            result = function(found, **options)
            return asyncio.run(result) if isinstance(result, Coroutine) else result

    return with_desk  # type: ignore[return-value]


def verify_bounds(command: Command) -> Command:
    """Check lengths and ranges, as the decoder does for a command over the network."""
    return msgspec.convert(msgspec.to_builtins(command), type(command))


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


# Two people


NoteTry = Callable[[h.NoteLogin], object]
"""Writes down that somebody's password was wrong, or that a one-time code is used up."""

Verify = Callable[[HouseState, Passwords, NoteTry], TwoPeople]
"""Given the house: the two people, or a refusal."""


def two_people(function: F) -> F:
    """Options for both; the command gets `verify`, which asks for what was not given."""

    @click.option("--first", metavar="NAME", help="Who asks for it; by default you are asked.")
    @click.option("--second", metavar="NAME", help="Who says the same; by default you are asked.")
    @_password_file_option("--first-password-file")
    @_password_file_option("--second-password-file")
    @wraps(function)
    def with_people(
        first: str | None,
        second: str | None,
        first_password_file: str | None,
        second_password_file: str | None,
        **options: Any,
    ) -> Any:
        def verify(house: HouseState, passwords: Passwords, note: NoteTry) -> TwoPeople:
            one = first or click.prompt("Name of who asks for it")
            other = second or click.prompt("Name of the second person")
            if one == other:
                raise SecondPersonNeeded(f"{one} cannot be both people")
            files = {one: first_password_file, other: second_password_file}
            steps = {
                name: _verified(house, passwords, note, name, path) for name, path in files.items()
            }
            if not house.are_two(one, other):
                raise SecondPersonNeeded(
                    f"{one} and {other} are not two people: one of them gave out the code of "
                    "the other, who has not enrolled"
                )
            for name, step in steps.items():
                if step:  # from now on this one-time code is worth nothing at a login either
                    note(h.NoteLogin(by=name, person=name, ok=True, step=step))
            return TwoPeople(one, other)

        return function(verify=verify, **options)

    return with_people  # type: ignore[return-value]


def _password_file_option(flag: str) -> Callable[[F], F]:
    return click.option(
        flag,
        metavar="FILE",
        help='The password, and in a second line the one-time code; "-" for standard input; by '
        "default you are asked.",
    )


def _step(passwords: Passwords, name: str, own: Credentials, given: str) -> int:
    """Of a one-time code; 0 where it is wrong. One that was used at a login is worth nothing."""
    one_time = given or click.prompt(f"One-time code of {name}", hide_input=True)
    step = passwords.factors.step(name, own.factor, one_time, wall_ms() / 1000)
    if step is None or step <= own.step:
        return 0
    return step


def _verified(
    house: HouseState, passwords: Passwords, note: NoteTry, name: str, path: str | None
) -> int:
    """The time step of the one-time code, 0 where there is no second factor; or a refusal."""
    if path:
        password, _, one_time = read_text(path).strip("\r\n").partition("\n")
        password = password.rstrip("\r")
    else:
        password, one_time = click.prompt(f"Password of {name}", hide_input=True), ""
    person = house.staff.get(name)
    own = house.credentials.get(name, NO_CREDENTIALS)
    is_right = passwords.holds((person.verifier or None) if person else None, password)
    step = 0
    if own.factor:
        step = _step(passwords, name, own, one_time)
        is_right &= step > 0
    if person is not None and person.may_enter and not is_right:
        note(h.NoteLogin(by=name, person=name, ok=False))
    if person is None or not is_right or not person.may_enter:
        raise LoginRefused(
            f"wrong name, password or one-time code (each works once), or {name} may not log in"
        )
    if not house.has_enrolled(name):
        raise NotEnrolled(f"{name} has not enrolled; `puntobanco staff enrol {name}` does it")
    if person.role not in MANAGERS:
        raise LoginRefused(f"{name} is a {person.role}; a supervisor or an administrator may")
    return step
