"""Two people at the command line: each names an account of the house and gives its password."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from puntobanco.cli.options import F, read_text
from puntobanco.commands import MANAGERS
from puntobanco.floor.passwords import LoginRefused, Passwords
from puntobanco.house.state import HouseState
from puntobanco.refusals import SecondPersonNeeded
from puntobanco.storage.epochs import TwoPeople

NoteWrong = Callable[[str], object]
"""Writes down that somebody's password was wrong."""

Verify = Callable[[HouseState, Passwords, NoteWrong], TwoPeople]
"""Given the house: the two people, or a refusal."""


def two_people(function: F) -> F:
    """Options for both; the command gets `verify`, which asks for what was not given."""

    @click.option("--first", required=True, metavar="NAME", help="Who asks for it.")
    @click.option("--second", required=True, metavar="NAME", help="Who says the same.")
    @_password_option("--first-password-file")
    @_password_option("--second-password-file")
    @wraps(function)
    def with_people(
        first: str,
        second: str,
        first_password_file: str | None,
        second_password_file: str | None,
        **options: Any,
    ) -> Any:
        def verify(house: HouseState, passwords: Passwords, note_wrong: NoteWrong) -> TwoPeople:
            if first == second:
                raise SecondPersonNeeded(f"{first} cannot be both people")
            files = {first: first_password_file, second: second_password_file}
            for name, path in files.items():
                _verify(house, passwords, note_wrong, name, path)
            return TwoPeople(first, second)

        return function(verify=verify, **options)

    return with_people  # type: ignore[return-value]


def _password_option(flag: str) -> Callable[[F], F]:
    return click.option(
        flag, metavar="FILE", help='The password, "-" for standard input; by default you are asked.'
    )


def _verify(
    house: HouseState, passwords: Passwords, note_wrong: NoteWrong, name: str, path: str | None
) -> None:
    if path:
        password = read_text(path).strip("\r\n")
    else:
        password = click.prompt(f"Password of {name}", hide_input=True)
    person = house.staff.get(name)
    is_right = passwords.holds(person.verifier if person else None, password)
    if person is not None and person.may_enter and not is_right:
        note_wrong(name)
    if person is None or not is_right or not person.may_enter:
        raise LoginRefused(f"wrong name or password, or {name} may not log in")
    if person.role not in MANAGERS:
        raise LoginRefused(f"{name} is a {person.role}; a supervisor or an administrator may")
