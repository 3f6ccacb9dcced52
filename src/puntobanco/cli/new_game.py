"""`new-game`: write a commented game file that works, to start from."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import click

from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.rules.games import GAMES

STARTERS = {
    "added": "one of our games with a side bet more",
    "replaced": "one of our games with a bet of its own replaced",
    "push": "a side bet that can return the stake",
    "bonus": "a side bet with a bonus in dollars",
    "whole": "a game from nothing, all on one page",
}
"""The ways to begin: each is a file in `starters`."""

_LISTED = "; ".join(f"{name}: {what}" for name, what in STARTERS.items())


@click.command("new-game")
@click.argument("file", type=Path)
@click.option(
    "--start",
    type=click.Choice(list(STARTERS)),
    default="added",
    show_default=True,
    help=f"{_LISTED}.",
)
def new_game(file: Path, start: str) -> None:
    """Write a commented game file that works, to start from; never over a file that is there."""
    text = starter(start, file)
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise Refusal(f"{file} is there already; name another file") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refusal(f"cannot write {file}: {reason}") from None
    console.line(f"wrote {file}: {STARTERS[start]}")
    console.line(f"next: puntobanco check {file}")


def starter(start: str, file: Path) -> str:
    """The text of a starter, with an id and a title from the name of the file."""
    if file.suffix != ".py":
        raise Refusal(f"a game is a Python file: name it {file.stem or 'my_game'}.py, not {file}")
    words = re.findall(r"[a-z0-9]+", file.stem.lower())
    id_ = "-".join(words)
    if not words or not id_[0].isalpha() or id_ in GAMES:
        raise Refusal(
            f"the game's id comes from the name of the file, and {file.stem!r} gives none of its "
            f"own; name it for example my_game.py"
        )
    text = files("puntobanco.cli.starters").joinpath(f"{start}.py").read_text("utf-8")
    title = " ".join(words).title()
    return text.replace("my-game", id_).replace("My Game", title).replace("my_game.py", str(file))
