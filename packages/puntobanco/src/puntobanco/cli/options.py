"""Arguments and options that several commands share, and how their values are read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime
from fractions import Fraction
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from puntobanco.base.money import parse_cents
from puntobanco.base.refusal import Refusal, StakeRefused
from puntobanco.game_files import find_game, published
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.settle import Wager, verify_wager

F = TypeVar("F", bound=Callable[..., Any])


_GAME_NAMED = f"{__name__}.game"


def game_named() -> str:
    """The id or path by which the command was given its game, for the next command."""
    return str(click.get_current_context().meta[_GAME_NAMED])


class GameType(click.ParamType[Game]):
    """A game's id, built in or published, or the path of a designer's own game.py."""

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
        others = [id_ for id_ in published() if id_.startswith(incomplete)]
        if others:
            return [CompletionItem(id_) for id_ in others]
        return [CompletionItem(incomplete, type="file")]


def optional_path(text: str) -> Path | None:
    """A path; an empty text is an option that was not given, as in `--keys "$KEYS"`."""
    return Path(text) if text else None


def file_option(flag: str, help_: str) -> Callable[[F], F]:
    return click.option(flag, type=optional_path, metavar="FILE", help=help_)


# Games

game_argument = click.argument("game", type=GameType())
decks_option = click.option(
    "--decks", type=int, help="Number of decks; by default 8 where the game allows it."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def decks_of(game: Game, decks: int | None) -> int:
    """The decks that were asked for, or the game's own number."""
    return game.default_decks if decks is None else decks


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
