"""Two people at the command line: each names an account of the house and gives its password."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from puntobanco.cli.options import F, read_text
from puntobanco_floor.domain.commands import MANAGERS
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.state import NO_CREDENTIALS, Credentials, HouseState
from puntobanco_floor.domain.refusals import NotEnrolled, SecondPersonNeeded
from puntobanco_floor.environment import wall_ms
from puntobanco_floor.recovery.epochs import TwoPeople
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.service.refusals import LoginRefused

NoteTry = Callable[[h.NoteLogin], object]
"""Writes down that somebody's password was wrong, or that a one-time code is used up."""

Verify = Callable[[HouseState, Passwords, NoteTry], TwoPeople]
"""Given the house: the two people, or a refusal."""


def two_people(function: F) -> F:
    """Options for both; the command gets `verify`, which asks for what was not given."""

    @click.option("--first", metavar="NAME", help="Who asks for it; by default you are asked.")
    @click.option("--second", metavar="NAME", help="Who says the same; by default you are asked.")
    @_password_option("--first-password-file")
    @_password_option("--second-password-file")
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


def _password_option(flag: str) -> Callable[[F], F]:
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
