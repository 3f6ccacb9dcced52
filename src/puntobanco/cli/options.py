"""Arguments and options that several commands share, and how their values are read."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import wraps
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from puntobanco.base.money import StakeRefused, parse_cents
from puntobanco.base.refusal import Refusal
from puntobanco.game_files.catalog import find_game
from puntobanco.rules.causes import TABLE_CAUSES
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.settle import Wager, verify_wager
from puntobanco_floor.domain.recovery import Reason
from puntobanco_floor.settings import DEFAULTS, FIELDS, PREFIX, database_named
from puntobanco_floor.store.addresses import has_password

F = TypeVar("F", bound=Callable[..., Any])


_GAME_NAMED = f"{__name__}.game"


def game_named() -> str:
    """The id or path by which the command was given its game, for the next command."""
    return str(click.get_current_context().meta[_GAME_NAMED])


class GameType(click.ParamType[Game]):
    """A game's id, or the path of a designer's own game.py."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:  # noqa: ARG002
        if ctx is not None:
            ctx.meta[_GAME_NAMED] = value
        return find_game(value)

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        matching = [game for game in GAMES.values() if game.id.startswith(incomplete)]
        if matching:
            return [CompletionItem(game.id, help=game.title.en) for game in matching]
        return [CompletionItem(incomplete, type="file")]


def optional_path(text: str) -> Path | None:
    """A path; an empty text is an option that was not given, as in `--keys "$KEYS"`."""
    return Path(text) if text else None


def file_option(flag: str, help_: str) -> Callable[[F], F]:
    return click.option(flag, type=optional_path, metavar="FILE", help=help_)


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


# Games

game_argument = click.argument("game", type=GameType())
decks_option = click.option(
    "--decks", type=int, help="Number of decks; by default 8 where the game allows it."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def decks_of(game: Game, decks: int | None) -> int:
    """The decks that were asked for, or the game's own number."""
    return game.default_decks if decks is None else decks


# Databases and their files

_URL = "sqlite:///floor.db, a path, or postgresql://..."


def verify_no_password(database: str | None) -> None:
    """Everybody on a machine reads its command lines."""
    if database and has_password(database):
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


# The gaming day


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


# Money


def wager(text: str) -> tuple[str, int]:
    """A bet and a stake in cents, from `banker=100`."""
    bet, equals, amount = text.partition("=")
    if not equals:
        raise StakeRefused(
            f"{text!r:.60} is no wager; write the bet and the stake, such as banker=100"
        )
    return bet.strip(), parse_cents(amount)


def stakes_of(game: Game, wagers: Iterable[str]) -> dict[str, Fraction]:
    """What is staked on each bet, in dollars; a bet that is named twice has both stakes."""
    stakes = dict[str, Fraction]()
    for text in wagers:
        bet, cents = wager(text)
        verify_wager(game, Wager("patron", bet, cents))
        before = stakes.get(bet, Fraction(0))
        stakes[bet] = before + Fraction(cents, 100)
    return stakes


def dollars(text: str, what: str) -> Fraction:
    """An amount of more than nothing, in dollars."""
    cents = parse_cents(text)
    if cents <= 0:
        raise StakeRefused(f"{what} must be more than zero, not {text:.40}")
    return Fraction(cents, 100)


def no_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """For reading JSON: an object that names something twice is refused, not half read."""
    value = dict[str, object]()
    for key, item in pairs:
        if key in value:
            raise Refusal(f"{key!r:.60} stands twice in one object")
        value[key] = item
    return value


def today() -> date:
    """In UTC, as everything on paper has it; the day of `SOURCE_DATE_EPOCH` where that is set, so
    that a sheet can be made again to the byte.
    """
    said = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(said), UTC) if said.isdigit() else datetime.now(UTC)
    return now.date()


# Input

MAX_LINE = 1_000_000
"""Characters in a line of input, and bytes in a file that is read whole."""


def read_text(path: str) -> str:
    """A file's text, or standard input for "-"."""
    text = "".join(read_lines(path))
    if len(text) > MAX_LINE:
        raise click.ClickException(f"{_named(path)} is too long: {MAX_LINE:,} characters at most")
    return text


def read_lines(path: str) -> Iterator[str]:
    """A file's lines as they come, or those of standard input for "-"."""
    try:
        stream = sys.stdin.buffer if path == "-" else Path(path).open("rb")  # noqa: SIM115 - closed with its wrapper
        with TextIOWrapper(stream, "utf-8-sig", newline="\n") as text:
            while line := text.readline(MAX_LINE + 1):
                if len(line) > MAX_LINE:
                    raise click.ClickException(
                        f"{_named(path)} has a line of over {MAX_LINE:,} characters"
                    )
                yield line
    except (OSError, ValueError, AttributeError) as error:
        reason = _why_unreadable(path, error)
        raise click.ClickException(f"cannot read {_named(path)}: {reason}") from None


def _why_unreadable(path: str, error: Exception) -> str:
    if path == "-" and not isinstance(error, UnicodeDecodeError):
        return "it is closed"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return "it is not utf-8 text"


def _named(path: str) -> str:
    return "standard input" if path == "-" else path
