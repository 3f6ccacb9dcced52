"""Game files: a game found by its id, in a designer's Python file, or in a distribution that
publishes it; errors in one line.

`python -m puntobanco.game_files ID` prints a published game as data. A node runs it as a process of
its own, so that nothing in a designer's module can stop the node.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout, suppress
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TypeAlias

from puntobanco.base import words
from puntobanco.base.refusal import Refusal
from puntobanco.rules import cards, hands, irregularities, tableau
from puntobanco.rules import game as game_parts
from puntobanco.rules.causes import Cause
from puntobanco.rules.definition import define, digest, first_difference
from puntobanco.rules.game import Game
from puntobanco.rules.game_schema import Definition
from puntobanco.rules.games import GAMES
from puntobanco.rules.refusals import UnknownGame

MAX_FILE_BYTES = 1_000_000

GameLike: TypeAlias = Game | str | os.PathLike[str]
"""A game itself, the id of a built-in or published one, or the path of a designer's own game.py."""

PUBLISHED = "puntobanco.games"
"""The group of entry points by which a distribution publishes games: `ID = "module:GAME"`."""


class OwnGame(NamedTuple):
    """A designer's game, and the text of the file that made it."""

    game: Game
    source: str


def find_game(game: GameLike) -> Game:
    """The built-in game with that id, the one game that the file at that path defines, or the
    game that an installed distribution publishes under that id. A game is returned unchanged. A
    file is run at every call: keep what it gives.

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
    own = read_published(name)
    if own is not None:
        return own.game
    known = ", ".join(dict.fromkeys((*GAMES, *published())))
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
            f"{path}{_name_line(error, path)}: {explain(error, module.__dict__)}"
        ) from None
    finally:
        with suppress(ValueError):
            sys.path.remove(folder)
    return OwnGame(_only_game(module, path), source)


def published() -> dict[str, list[EntryPoint]]:
    """The games that installed distributions publish, by id; nothing of theirs is loaded."""
    found = dict[str, list[EntryPoint]]()
    for point in entry_points(group=PUBLISHED):
        found.setdefault(point.name, []).append(point)
    return found


def read_published(id_: str) -> OwnGame | None:
    """Load the game that a distribution publishes under this id. No id of ours can be replaced."""
    points = published().get(id_)
    if not points:
        return None
    makers = [f"{point.dist.name} {point.dist.version}" for point in points if point.dist]
    said = f"{' and '.join(makers)}: game {id_!r:.60}"
    if id_ in GAMES:
        raise UnknownGame(f"{said} is built in; give it an id of its own")
    if len(points) > 1:
        raise UnknownGame(f"{said} is published more than once; uninstall all but one")
    [point] = points
    said += f", {point.value}"
    try:
        game = point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module may raise anything, sys.exit() too
        raise UnknownGame(f"{said}: {explain(error, {})}") from None
    if not isinstance(game, Game):
        raise UnknownGame(f"{said}: this is no Game; name the one in the module")
    if game.id != id_:
        raise UnknownGame(f"{said}: its id is {game.id}; publish it as {game.id}")
    source = ""
    with suppress(OSError):  # compiled, or made as it was imported
        source = inspect.getsource(sys.modules[point.module])
    return OwnGame(game, source)


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


def _name_line(error: BaseException, path: Path) -> str:
    if isinstance(error, SyntaxError) and error.lineno:
        return f", line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f", line {lines[-1]}" if lines else ""


# Errors of a game file, each as one line: what is wrong, and what to write instead

_PACKAGE = "puntobanco"
_MOST_CHARACTERS = 300

_PLAIN = {
    "Compare": "condition",
    "And": "condition",
    "Or": "condition",
    "Not": "condition",
    "Named": "condition",
    "Measure": "measure",
    "CardView": "card",
    "Hand": "hand",
    "mappingproxy": "GAMES",
}
"""What Python names by our classes, as designers call it."""

_MEASURED = "a measure becomes a condition when called, such as banker.points(6)"
_JOINED = "join conditions with & | ~, and measures with + - * %"
_CARDS = "its cards are .first, .second and .third, and .cards(3) asks how many"

_ADVICE = (
    (r"'condition' is not callable", "a condition takes no brackets: tie, not tie()"),
    (r"unsupported operand .*'measure'", f"{_JOINED}; {_MEASURED}"),
    (r"unsupported operand .*'condition'", _JOINED),
    (r"not supported between .*'condition'", _JOINED),
    (r"'hand' (is not|has no len)", _CARDS),
    (r"'measure' is not", _MEASURED),
    (r"'(str|tuple|Words)' is not callable", "is a comma missing on the line before?"),
    (r"Ground.__call__", 'a ground takes its clause, such as FOREIGN_CARD("H1")'),
    (r"was never closed", "add the bracket that closes it"),
    (r"unterminated string", "add the quote that ends the text"),
    (r"unindent|unexpected indent|expected an indented", "begin the lines of a block alike"),
    (r"invalid character", "write plain quotes and signs, as a keyboard has them"),
    (r"positional argument follows keyword", "name=value comes after what has no name"),
)
"""What to write, by what Python said."""

_HOMES = (game_parts, hands, words, tableau, cards)
"""Modules whose names a game file uses; the package itself has most of them."""


def explain(error: BaseException, names: Mapping[str, object]) -> str:
    """One line, whatever was raised; `names` are those that the file had defined by then."""
    if isinstance(error, Refusal):
        return str(error)
    said = _read_message(error)
    if _is_ours(error):
        return said
    advice = _advice(error, said, names)
    kind = type(error).__name__
    told = f"{kind}: {said}" if said else kind
    return f"{told}; {advice}" if advice else told


def _read_message(error: BaseException) -> str:
    try:
        told = str(error.msg if isinstance(error, SyntaxError) else error)
    except BaseException:  # a class of the file's own may do anything
        told = "it cannot be printed"
    told = re.sub(r"'(\w+)' object|object of type '(\w+)'|'(\w+)'", _name_plainly, told)
    told = re.sub(r"\.__init__\(\)| \(\S+\.py\)", _shorten_call, told)
    return " ".join(told.split())[:_MOST_CHARACTERS]


def _name_plainly(found: re.Match[str]) -> str:
    name = found[1] or found[2] or found[3]
    return f"'{_PLAIN.get(name, name)}'"


def _shorten_call(found: re.Match[str]) -> str:
    """`Bet.__init__()` is `Bet()`; where a module lies says nothing to a designer."""
    return "()" if found[0].endswith("()") else ""


def _is_ours(error: BaseException) -> bool:
    """Whether a module of ours raised it on purpose: then it says all that there is to say."""
    if not isinstance(error, TypeError):
        return False
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    raised_in = frames[-1].f_globals.get("__name__", "") if frames else ""
    return str(raised_in).startswith(f"{_PACKAGE}.")


def _advice(error: BaseException, said: str, names: Mapping[str, object]) -> str:
    match error:
        case NameError(name=str(name)):
            return _advise_on_name(name, names)
        case AttributeError(name=str(name), obj=owner):
            return _advise_on_attribute(name, owner)
        case ModuleNotFoundError():
            return "a game file may import puntobanco, and files that lie beside it"
        case ImportError():
            return _advise_on_import(said)
        case KeyError(args=(str(key),)):
            return _suggest(key, GAMES, "the games are")
        case SystemExit():
            return "a game file only defines a game: take this out"
    for pattern, advice in _ADVICE:
        if re.search(pattern, said):
            return advice
    if isinstance(error, TypeError):
        return _advise_on_call(said)
    return ""


def _advise_on_name(name: str, names: Mapping[str, object]) -> str:
    home = _find_home(name)
    if home:
        return f"add it: from {home} import {name}"
    public = (each for each in names if not each.startswith("_"))
    return _suggest(name, (*public, *_all_names()), "define it above, or import it")


def _advise_on_import(said: str) -> str:
    found = re.match(r"cannot import name '(\w+)' from '([\w.]+)'", said)
    if not found or not found[2].startswith("puntobanco"):
        return ""
    home = _find_home(found[1])
    if home:
        return f"write: from {home} import {found[1]}"
    return _suggest(found[1], _all_names(), "docs/how-to/write-a-game.md lists the words")


def _advise_on_attribute(name: str, owner: object) -> str:
    if owner is GAMES:
        return 'write GAMES["rapid"]'
    if name in ("colour", "color"):
        return "ask for suits: .suit(HEARTS, DIAMONDS), from puntobanco.rules.cards"
    known = [each for each in dir(owner) if not each.startswith("_")]
    if isinstance(owner, hands.Measure):
        return _MEASURED
    if not type(owner).__module__.startswith("puntobanco"):
        return ""
    return _suggest(name, known, f"it has {', '.join(known)}")


def _advise_on_call(said: str) -> str:
    """A call of something of ours with the wrong arguments: what it takes."""
    found = re.match(r"(?:(\w+)\.)?(\w+)\(\) (?:missing|got|takes)", said)
    if not found:
        return ""
    owner, name = found.groups()
    called = getattr(_find_value(owner), name, None) if owner else _find_value(name)
    return f"write {name}({_list_parameters(called)})" if callable(called) else ""


def _list_parameters(called: Callable[..., object]) -> str:
    parts = []
    for name, parameter in inspect.signature(called).parameters.items():
        form = _FORMS.get(parameter.kind, "{}")
        part = form.format(name)
        is_needed = parameter.default is parameter.empty
        if name != "self":
            parts.append(part if is_needed else f"[{part}]")
    return ", ".join(parts)


_FORMS: dict[object, str] = {
    inspect.Parameter.KEYWORD_ONLY: "{}=...",
    inspect.Parameter.VAR_POSITIONAL: "{}, ...",
}


def _suggest(name: str, known: Iterable[str], otherwise: str) -> str:
    names = list(dict.fromkeys(known))
    lower = {each.lower(): each for each in names}
    near = get_close_matches(name.lower(), lower, n=1, cutoff=0.7)
    if near:
        return f"did you mean {lower[near[0]]}?"
    if otherwise.endswith(" are"):
        return f"{otherwise} {', '.join(names)}"
    return otherwise


def _find_value(name: str) -> object:
    for module in _HOMES:
        if name in vars(module):
            return getattr(module, name)
    return None


def _find_home(name: str) -> str:
    """Where a game file imports a name from; empty where there is none."""
    if name in _public_names():
        return _PACKAGE
    is_word = name in vars(cards) and name.isupper()
    is_ground = isinstance(vars(irregularities).get(name), irregularities.Ground)
    if is_word:
        return cards.__name__
    return irregularities.__name__ if is_ground else ""


def _public_names() -> list[str]:
    names: list[str] = import_module(_PACKAGE).__all__
    return names


def _all_names() -> list[str]:
    return [*_public_names(), *(name for name in vars(cards) if name.isupper())]


def main() -> None:
    told: dict[str, object]
    with redirect_stdout(sys.stderr):  # a designer's module may print
        try:
            own = read_published(sys.argv[1])
            assert own is not None, "the node has found its entry point"
            told = {"definition": define(own.game), "source": own.source}
        except Refusal as refusal:
            told = {"error": str(refusal)}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
