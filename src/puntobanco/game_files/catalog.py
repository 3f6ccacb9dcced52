"""The catalog: finds a game by its id or in a designer's Python file, and says how a recorded one
differs from ours.
"""

from __future__ import annotations

import hashlib
import os
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TypeAlias

from puntobanco.game_files.game_errors import explained
from puntobanco.rules.causes import Cause
from puntobanco.rules.definition import define, digest, first_difference
from puntobanco.rules.game import Game
from puntobanco.rules.game_schema import Definition
from puntobanco.rules.games import GAMES
from puntobanco.rules.refusals import UnknownGame

MAX_FILE_BYTES = 1_000_000

GameLike: TypeAlias = Game | str | os.PathLike[str]
"""A game itself, the id of a built-in one, or the path of a designer's own game.py."""


class OwnGame(NamedTuple):
    """A designer's game, and the text of the file that made it."""

    game: Game
    source: str


def find_game(game: GameLike) -> Game:
    """The built-in game with that id, or the one game that the file at that path defines; a game
    is given back as it is. The file is run at every call: keep what it gives.

    >>> find_game("rapid")
    <Game rapid: Rapid No Commission Baccarat, 5 bets, 4 to 10 decks>
    """
    if isinstance(game, Game):
        return game
    if isinstance(game, os.PathLike):
        return load_game(Path(game))
    name = str(game)
    if name in GAMES:
        return GAMES[name]
    if is_file(name):
        return load_game(Path(name))
    known = ", ".join(GAMES)
    raise UnknownGame(
        f"there is no game {name!r}; the games are {known}, or give the path of a game.py"
    )


def is_file(name: str) -> bool:
    """Whether it is written like a path rather than an id."""
    return name.endswith(".py") or "/" in name or "\\" in name


def redefined(recorded: Definition, recorded_digest: str) -> Cause | None:
    """How this program defines a built-in game otherwise than a table recorded it, if it does."""
    game = GAMES.get(str(recorded.get("id")))
    if game is None or digest(game) == recorded_digest:
        return None
    digests = recorded_digest[:12], digest(game)[:12]
    found = first_difference(recorded, define(game))
    if found is None:
        return Cause("other-digest", (game.id, *digests))
    return Cause("other-rules", (game.id, *found, *digests))


def load_game(path: Path) -> Game:
    return read_game(path).game


def read_game(path: Path) -> OwnGame:
    """Run a designer's file for the game it defines: `GAME`, or the only game in it."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_FILE_BYTES + 1)
        source = raw.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        raise UnknownGame(f"cannot read {path}: {reason.lower()}") from None
    if len(raw) > MAX_FILE_BYTES:
        raise UnknownGame(f"{path} is too large to be a game ({MAX_FILE_BYTES:,} bytes at most)")
    place = hashlib.sha256(str(path.resolve()).encode())
    name = f"puntobanco_game_{place.hexdigest()[:16]}"
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # where dataclasses and pickle look for it
    folder = str(path.parent)
    sys.path.insert(0, folder)  # a designer may keep shared terms in a file beside it
    try:
        code = compile(source, str(path), "exec", dont_inherit=True)
        exec(code, module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a game file may raise anything, sys.exit() too
        del sys.modules[name]
        raise UnknownGame(
            f"{path}{_line(error, path)}: {explained(error, module.__dict__)}"
        ) from None
    finally:
        with suppress(ValueError):
            sys.path.remove(folder)
    return OwnGame(_only_game(module, path), source)


def _only_game(module: ModuleType, path: Path) -> Game:
    chosen = module.__dict__.get("GAME")
    if isinstance(chosen, Game):
        return chosen
    games = [value for value in vars(module).values() if isinstance(value, Game)]
    # by identity: a game may have two names, and one may be imported
    own = {id(game): game for game in games if game is not GAMES.get(game.id)}
    if len(own) == 1:
        return next(iter(own.values()))
    found = "defines no game" if not own else f"defines {len(own)} games"
    how = "give it one Game(...), or name the one you mean GAME; `puntobanco new-game` writes one"
    raise UnknownGame(f"{path} {found}; {how}")


def _line(error: BaseException, path: Path) -> str:
    if isinstance(error, SyntaxError) and error.lineno:
        return f", line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f", line {lines[-1]}" if lines else ""
