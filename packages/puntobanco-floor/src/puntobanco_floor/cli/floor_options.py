"""Options that several floor commands share: databases, causes, the gaming day, every setting."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import Field
from functools import wraps
from pathlib import Path
from typing import Any

import click
import msgspec
from click.core import ParameterSource

from puntobanco.base.refusal import Refusal
from puntobanco.cli.options import F, file_option
from puntobanco.rules.causes import TABLE_CAUSES
from puntobanco_floor.domain.commands import Reason
from puntobanco_floor.settings import (
    DEFAULTS,
    FIELDS,
    PREFIX,
    bounds_of,
    database_named,
    parsed,
    read,
)


def reason_text(text: str) -> str:
    """Why, as the journal takes it; a command that is made here is not checked by its decoder."""
    try:
        return msgspec.convert(text.strip(), Reason)
    except msgspec.ValidationError:
        raise Refusal("a reason has 1 to 400 characters") from None


def cause_options(command: F) -> F:
    """`--cause` and `--note`: why a table or the floor is stopped, or a table closed."""
    note = click.option(
        "--note", default="", help="More about it, for staff; patrons are not told."
    )
    cause = click.option(
        "--cause",
        required=True,
        type=click.Choice(TABLE_CAUSES),
        help="Why; patrons read it in their language.",
    )
    return cause(note(command))


_URL = "sqlite:///floor.db, a path, or postgresql://..."


def verify_no_password(database: str | None) -> None:
    """Everybody on a machine reads its command lines."""
    if not database:
        return
    from puntobanco_floor.store.addresses import has_password  # noqa: PLC0415 - else no store

    if has_password(database):
        raise Refusal(
            "a password does not belong on a command line: write the address into a file that only "
            "you read, and name it with --database-file"
        )


def other_database(database: str | None, file: Path | None) -> str | None:
    """One that is named besides the floor's own: here, or in a file where it has a password."""
    verify_no_password(database)
    if not (database or file):
        return None
    given = {"database": database, "database_file": file and str(file)}
    return database_named(file=None, environment={}, given=given)


def database_option(command: F) -> Callable[..., Any]:
    """The database of the floor, found as `serve` finds it: named here, in a file, in the
    environment or in a file of settings; else the usual one.
    """

    @click.option("--database", metavar="URL", help=f"{_URL}; by default {DEFAULTS.database}")
    @file_option("--database-file", "A file that holds the address, where it has a password.")
    @file_option("--config", "A file of settings that names the database.")
    @wraps(command)
    def called(
        database: str | None, database_file: Path | None, config: Path | None, **options: Any
    ) -> Any:
        verify_no_password(database)
        given = {"database": database, "database_file": str(database_file or "") or None}
        if config is None and (said := os.environ.get(f"{PREFIX}CONFIG")):
            config = Path(said)
        named = database_named(file=config, environment=os.environ, given=given)
        return command(database=named, **options)

    return called


def names_a_database() -> bool:
    """Whether this command line does, and not only the environment."""
    source = click.get_current_context().get_parameter_source
    given = ("database", "database_file", "config")
    return any(source(name) is ParameterSource.COMMANDLINE for name in given)


stream_option = click.option("--table", metavar="STREAM", help="One stream only, such as table:1.")


keys_option = file_option("--keys", "The key ring; by default beside the database.")


def release_options(command: F) -> F:
    """As the settings of the same names have them."""
    for name in ("release_key", "release_list"):
        flag = f"--{name.replace('_', '-')}"
        help_ = FIELDS[name].metadata["help"]
        command = click.option(
            flag, default="", metavar="FILE", envvar=f"{PREFIX}{name.upper()}", help=help_
        )(command)
    return command


def round_of(text: str) -> tuple[str, int]:
    """A stream and the number of a round there, from `table:1:812` or `1:812`."""
    stream, _, number = text.rpartition(":")
    is_number = number.isascii() and number.isdigit() and len(number) <= 15
    if not stream or not is_number:
        raise Refusal(
            f"{text!r:.60} names no round; write the table and the number, such as table:1:812"
        )
    if ":" not in stream:
        stream = f"table:{stream}"
    return stream, int(number)


def minutes_of(text: str) -> int:
    """Minutes after midnight, from `06:00`."""
    found = re.fullmatch(r"([01][0-9]|2[0-3]):([0-5][0-9])", text)
    if found is None:
        raise Refusal(f"{text!r:.40} is no time of day; write it as 06:00")
    hours, minutes = map(int, found.groups())
    return 60 * hours + minutes


zone_option = click.option(
    "--zone",
    default="UTC",
    show_default=True,
    help="The time zone of a new house, such as Asia/Singapore.",
)


day_starts_option = click.option(
    "--day-starts",
    type=minutes_of,
    default="00:00",
    show_default=True,
    metavar="TIME",
    help="When its gaming day starts, such as 06:00.",
)


# Settings

_CONFIG = "puntobanco.config"


def config_file() -> Path | None:
    """The file that the settings of this command were read from, if any."""
    found: Path | None = click.get_current_context().meta.get(_CONFIG)
    return found


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Call it with the settings of the file, the environment and the command line; its other
    options are passed on.
    """

    def called(config: str | None, **options: Any) -> None:
        given = dict[str, Any]()
        others = dict[str, Any]()
        for name, value in options.items():
            if name not in FIELDS:
                others[name] = value
            elif isinstance(value, bool):
                given[name] = value
            elif value is not None:
                given[name] = parsed(name, value)
        verify_no_password(given.get("database"))
        file = config or os.environ.get(f"{PREFIX}CONFIG")
        path = Path(file) if file else None
        click.get_current_context().meta[_CONFIG] = path
        command(read(file=path, environment=os.environ, given=given), **others)

    called.__doc__ = command.__doc__  # what --help says
    wrapped: Callable[..., None] = called
    for spec in reversed(FIELDS.values()):
        wrapped = _setting_option(spec)(wrapped)
    return click.option(
        "--config",
        metavar="FILE",
        help="Settings as TOML; the environment and options win over it.",
    )(wrapped)


def _setting_option(spec: Field[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    flag = f"--{spec.name.replace('_', '-')}"
    said = spec.metadata
    default = spec.default
    if default is False:
        return click.option(flag, spec.name, is_flag=True, default=None, help=said["help"])
    help_ = said["help"]
    notes = _notes(spec)
    if notes:
        help_ += f"  [{'; '.join(notes)}]"
    if default is True or said["choices"]:
        choices = click.Choice(said["choices"] or ("on", "off"))
        return click.option(flag, spec.name, type=choices, help=help_)
    metavar = said["metavar"] or type(default).__name__.upper()
    return click.option(flag, spec.name, metavar=metavar, help=help_)


def _notes(spec: Field[Any]) -> list[str]:
    """The default and the bounds, where there are any."""
    default = str(spec.default)
    if spec.default is True:
        default = "on"
    elif isinstance(spec.default, float):
        default = f"{spec.default:g}"
    notes = [f"default: {default}"] if default else []
    if spec.metadata["within"]:
        notes.append(bounds_of(spec))
    return notes
