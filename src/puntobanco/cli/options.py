"""Arguments and options that several commands share."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from fractions import Fraction
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from puntobanco.catalog import find_game
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.money import parse_cents
from puntobanco.rules.refusals import Refusal, StakeRefused


class GameType(click.ParamType[Game]):
    """A game's id, or the path of a designer's own game.py."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:  # noqa: ARG002
        return value if isinstance(value, Game) else find_game(value)

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        ids = [
            CompletionItem(id_, help=game.title.en)
            for id_, game in GAMES.items()
            if id_.startswith(incomplete)
        ]
        return ids or [CompletionItem(incomplete, type="file")]


game_argument = click.argument("game", type=GameType())
decks_option = click.option(
    "--decks", type=int, help="Number of decks; by default 8 where the game allows it."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
lang_option = click.option(
    "--lang", type=click.Choice(["en", "zh"]), default="en", help="English or Traditional Chinese."
)


def wager(text: str) -> tuple[str, int]:
    """A bet and a stake in cents, from `banker=100`."""
    bet, equals, amount = text.partition("=")
    if not equals:
        raise StakeRefused(
            f"{text!r:.60} is no wager; write the bet and the stake, such as banker=100"
        )
    return bet.strip(), parse_cents(amount)


def dollars(text: str, what: str) -> Fraction:
    """An amount of more than nothing, in dollars."""
    cents = parse_cents(text)
    if cents <= 0:
        raise StakeRefused(f"{what} must be more than zero, not {text:.40}")
    return Fraction(cents, 100)


def no_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """For reading JSON: an object that names something twice is refused, not half read."""
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        raise Refusal(
            f"{next(k for k in keys if keys.count(k) > 1)!r:.60} stands twice in one object"
        )
    return value


def echo_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))


def today() -> date:
    """In UTC, as everything on paper has it."""
    return datetime.now(UTC).date()


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
        reason = (
            error.strerror
            if isinstance(error, OSError) and error.strerror
            else "it is not utf-8 text"
        )
        reason = (
            "it is closed" if path == "-" and not isinstance(error, UnicodeDecodeError) else reason
        )
        raise click.ClickException(f"cannot read {_named(path)}: {reason.lower()}") from None


def _named(path: str) -> str:
    return "standard input" if path == "-" else path
