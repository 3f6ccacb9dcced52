"""Finds a game: by its id, or in a designer's own Python file."""

from __future__ import annotations

import hashlib
import json
import sys
import traceback
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.predicates import say
from puntobanco.rules.refusals import Refusal, UnknownGame

MAX_FILE_BYTES = 1_000_000
_REGISTERED = dict[str, Game]()


def find_game(name: str) -> Game:
    """The built-in game with that id, or the one game that the file at that path defines."""
    if name in GAMES:
        return GAMES[name]
    if name.endswith(".py") or "/" in name or "\\" in name:
        return load_game(Path(name))
    raise UnknownGame(f"there is no game {name!r}; the games are {', '.join(GAMES)}, or give the path of a game.py")


def register(game: Game) -> None:
    """Make a designer's game known by its id, so that tables and journals can name it."""
    if game.id in GAMES:
        raise UnknownGame(f"{game.id} is a built-in game; give yours an id of its own")
    _REGISTERED[game.id] = game


def games() -> list[Game]:
    """Those that a table can be opened with: built in, then registered."""
    return [*GAMES.values(), *_REGISTERED.values()]


def game_named(id_: str) -> Game:
    """The game of that id: built in, or registered."""
    game = GAMES.get(id_) or _REGISTERED.get(id_)
    if game is None:
        raise UnknownGame(f"there is no game {id_!r} here; a game of your own is given as a file (--game game.py)")
    return game


@lru_cache(maxsize=64)
def digest(game: Game) -> str:
    """A hash of what is played: deck, table of play, and each bet's lines in words with what they pay."""
    table = game.tableau
    lines = [
        (bet.id, line.pays.words.en, say(line.when).en, line.clause)
        for bet in game.bets
        for line in bet.pays + bet.bonus
    ]
    pushes = [(bet.id, say(bet.push.when).en, bet.push.clause) for bet in game.bets if bet.push]
    draws = [sorted(s) for s in (table.naturals, table.player_draws, table.banker_draws_alone, *table.banker_draws)]
    grounds = [(i.ground.id, i.clause) for i in game.irregularities]
    told = (game.id, game.rulebook, game.version, game.deck.id, str(game.decks), draws, lines, pushes, grounds)
    return hashlib.sha256(json.dumps(told, ensure_ascii=False).encode()).hexdigest()


@lru_cache(maxsize=64)
def rules_id(game: Game) -> str:
    """Which rulebook, in which version."""
    return " ".join(filter(None, (game.id, game.rulebook or "house", game.version)))


def load_game(path: Path) -> Game:
    """Run a designer's file and return the game it defines: `GAME`, or the only game in it."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_FILE_BYTES + 1)
        source = raw.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a text file"
        raise UnknownGame(f"cannot read {path}: {reason.lower()}") from None
    if len(raw) > MAX_FILE_BYTES:
        raise UnknownGame(f"{path} is too large to be a game ({MAX_FILE_BYTES:,} bytes at most)")
    name = f"puntobanco_game_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]}"
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # where dataclasses and pickle look for it
    folder = str(path.parent)
    sys.path.insert(0, folder)  # a designer may keep shared terms in a file beside it
    try:
        exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a game file may raise anything, sys.exit() too
        del sys.modules[name]
        raise UnknownGame(f"{path}{_line(error, path)}: {_what(error)}") from None
    finally:
        with suppress(ValueError):
            sys.path.remove(folder)
    return _only_game(module, path)


def _only_game(module: ModuleType, path: Path) -> Game:
    chosen = module.__dict__.get("GAME")
    if isinstance(chosen, Game):
        return chosen
    own = {id(v): v for v in vars(module).values() if isinstance(v, Game) and v is not GAMES.get(v.id)}
    if len(own) == 1:
        return next(iter(own.values()))
    found = "defines no game" if not own else f"defines {len(own)} games"
    raise UnknownGame(f"{path} {found}; give it one Game(...), or name the one you mean GAME")


def _line(error: BaseException, path: Path) -> str:
    if isinstance(error, SyntaxError) and error.lineno:
        return f", line {error.lineno}"
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
    return f", line {lines[-1]}" if lines else ""


def _what(error: BaseException) -> str:
    """One line, whatever was raised."""
    if isinstance(error, Refusal):
        return str(error)
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
    except BaseException:
        text = "it cannot be printed"
    return f"{type(error).__name__}: {' '.join(text.split())}"[:300]
