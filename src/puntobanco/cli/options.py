"""Arguments and options that several commands share."""

from __future__ import annotations

import json
import sys
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


def read_text(path: str) -> str:
    """A file's text, or standard input for "-"."""
    if path == "-":
        return sys.stdin.buffer.read().decode("utf-8", errors="replace")
    try:
        return Path(path).read_text("utf-8")
    except OSError as error:
        raise click.ClickException(f"cannot read {path}: {(error.strerror or 'input error').lower()}") from None
    except UnicodeDecodeError:
        raise click.ClickException(f"cannot read {path}: it is not UTF-8 text") from None
