"""The games that a floor can open a table with: built in, and those of designers that its open
tables play.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from puntobanco.catalog import is_file, read_game
from puntobanco.rules.check import findings
from puntobanco.rules.definition import Definition, define
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.refusals import BadGame, Refusal, UnknownGame
from puntobanco.table.commands import MAX_SOURCE
from puntobanco.table.state import TableState


class Playable(NamedTuple):
    """A game that a table can be opened with."""

    game: Game
    definition: Definition | None = None  # none for a built-in game: the table has this program's
    source: str = ""  # a designer's file


class TwoGames(Refusal):
    """Two open tables play different games of one id."""

    remedy = "Close one of the tables, or give one of the games another id."


def playable(tables: Iterable[TableState]) -> list[Playable]:
    """Every game once, by what is played: two designs of one id are two."""
    found = {
        state.digest: state for state in tables if state.phase != "down" and state.game is not None
    }
    own = [state for state in found.values() if state.playing.id not in GAMES]
    return [
        *(Playable(game) for game in GAMES.values()),
        *(Playable(state.playing, state.definition, state.source) for state in own),
    ]


def playable_named(id_: str, tables: Iterable[TableState]) -> Playable:
    """By the id of a built-in game, or of one that an open table plays."""
    found = [one for one in playable(tables) if one.game.id == id_]
    if not found:
        raise UnknownGame(
            f"there is no game {id_!r:.60} here; the games are {', '.join(GAMES)}, and one "
            "of your own is opened by "
            "its file: puntobanco table add NUMBER game.py"
        )
    if len(found) > 1:
        raise TwoGames(
            f"tables of this floor play {len(found)} games called {id_}; open it by its file"
        )
    return found[0]


def from_file(path: Path) -> Playable:
    """A designer's file, run this once; what follows has the game as data, and the file as text."""
    game, source = read_game(path)
    if game.id in GAMES:
        raise UnknownGame(f"{game.id} is a built-in game; give yours an id of its own")
    wrong = next((each for each in findings(game) if each.kind == "error"), None)
    if wrong is not None:
        raise BadGame(f"{path}: {wrong.text}; `puntobanco check {path}` says all that is wrong")
    if len(source) > MAX_SOURCE:
        raise UnknownGame(
            f"{path} is too long for a table's journal: {MAX_SOURCE:,} characters at most"
        )
    return Playable(game, define(game), source or "\n")


def find_playable(name: str, tables: Iterable[TableState]) -> Playable:
    """A file where it is written like one, else an id."""
    if is_file(name):
        return from_file(Path(name))
    return playable_named(name, tables)
