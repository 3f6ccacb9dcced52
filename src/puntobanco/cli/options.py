"""Arguments and options that several commands share."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from puntobanco.catalog import find_game
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES


class GameType(click.ParamType[Game]):
    """A game's id, or the path of a designer's own game.py."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:  # noqa: ARG002
        return value if isinstance(value, Game) else find_game(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        ids = [CompletionItem(id_, help=game.title.en) for id_, game in GAMES.items() if id_.startswith(incomplete)]
        return ids or [CompletionItem(incomplete, type="file")]


game_argument = click.argument("game", type=GameType())
decks_option = click.option("--decks", type=int, help="Number of decks; by default 8 where the game allows it.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
lang_option = click.option(
    "--lang", type=click.Choice(["en", "zh"]), default="en", help="English or Traditional Chinese."
)


def echo_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))


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
                    raise click.ClickException(f"{_named(path)} has a line of over {MAX_LINE:,} characters")
                yield line
    except (OSError, ValueError, AttributeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not utf-8 text"
        reason = "it is closed" if path == "-" and not isinstance(error, UnicodeDecodeError) else reason
        raise click.ClickException(f"cannot read {_named(path)}: {reason.lower()}") from None


def _named(path: str) -> str:
    return "standard input" if path == "-" else path
