"""Errors of a designer's game file, each as one line: what is wrong, and what to write instead."""

from __future__ import annotations

import inspect
import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from importlib import import_module

from puntobanco.base import words
from puntobanco.base.refusal import Refusal
from puntobanco.rules import cards, game, hands, irregularities, tableau
from puntobanco.rules.games import GAMES

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

_HOMES = (game, hands, words, tableau, cards)
"""Modules whose names a game file uses; the package itself has most of them."""


def explained(error: BaseException, names: Mapping[str, object]) -> str:
    """One line, whatever was raised; `names` are those that the file had defined by then."""
    if isinstance(error, Refusal):
        return str(error)
    said = _said(error)
    if _is_ours(error):
        return said
    advice = _advice(error, said, names)
    kind = type(error).__name__
    told = f"{kind}: {said}" if said else kind
    return f"{told}; {advice}" if advice else told


def _said(error: BaseException) -> str:
    try:
        told = str(error.msg if isinstance(error, SyntaxError) else error)
    except BaseException:  # a class of the file's own may do anything
        told = "it cannot be printed"
    told = re.sub(r"'(\w+)' object|object of type '(\w+)'|'(\w+)'", _plainly, told)
    told = re.sub(r"\.__init__\(\)| \(\S+\.py\)", _called, told)
    return " ".join(told.split())[:_MOST_CHARACTERS]


def _plainly(found: re.Match[str]) -> str:
    name = found[1] or found[2] or found[3]
    return f"'{_PLAIN.get(name, name)}'"


def _called(found: re.Match[str]) -> str:
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
            return _of_name(name, names)
        case AttributeError(name=str(name), obj=owner):
            return _of_attribute(name, owner)
        case ModuleNotFoundError():
            return "a game file may import puntobanco, and files that lie beside it"
        case ImportError():
            return _of_import(said)
        case KeyError(args=(str(key),)):
            return _nearest(key, GAMES, "the games are")
        case SystemExit():
            return "a game file only defines a game: take this out"
    for pattern, advice in _ADVICE:
        if re.search(pattern, said):
            return advice
    if isinstance(error, TypeError):
        return _of_call(said)
    return ""


def _of_name(name: str, names: Mapping[str, object]) -> str:
    home = _home_of(name)
    if home:
        return f"add it: from {home} import {name}"
    public = (each for each in names if not each.startswith("_"))
    return _nearest(name, (*public, *_all_names()), "define it above, or import it")


def _of_import(said: str) -> str:
    found = re.match(r"cannot import name '(\w+)' from '([\w.]+)'", said)
    if not found or not found[2].startswith("puntobanco"):
        return ""
    home = _home_of(found[1])
    if home:
        return f"write: from {home} import {found[1]}"
    return _nearest(found[1], _all_names(), "docs/how-to/write-a-game.md lists the words")


def _of_attribute(name: str, owner: object) -> str:
    if owner is GAMES:
        return 'write GAMES["rapid"]'
    if name in ("colour", "color"):
        return "ask for suits: .suit(HEARTS, DIAMONDS), from puntobanco.rules.cards"
    known = [each for each in dir(owner) if not each.startswith("_")]
    if isinstance(owner, hands.Measure):
        return _MEASURED
    if not type(owner).__module__.startswith("puntobanco"):
        return ""
    return _nearest(name, known, f"it has {', '.join(known)}")


def _of_call(said: str) -> str:
    """A call of something of ours with the wrong arguments: what it takes."""
    found = re.match(r"(?:(\w+)\.)?(\w+)\(\) (?:missing|got|takes)", said)
    if not found:
        return ""
    owner, name = found.groups()
    called = getattr(_value_of(owner), name, None) if owner else _value_of(name)
    return f"write {name}({_taken(called)})" if callable(called) else ""


def _taken(called: Callable[..., object]) -> str:
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


def _nearest(name: str, known: Iterable[str], otherwise: str) -> str:
    names = list(dict.fromkeys(known))
    lower = {each.lower(): each for each in names}
    near = get_close_matches(name.lower(), lower, n=1, cutoff=0.7)
    if near:
        return f"did you mean {lower[near[0]]}?"
    if otherwise.endswith(" are"):
        return f"{otherwise} {', '.join(names)}"
    return otherwise


def _value_of(name: str) -> object:
    for module in _HOMES:
        if name in vars(module):
            return getattr(module, name)
    return None


def _home_of(name: str) -> str:
    """Where a game file imports a name from; empty where there is none."""
    if name in _public():
        return _PACKAGE
    is_word = name in vars(cards) and name.isupper()
    is_ground = isinstance(vars(irregularities).get(name), irregularities.Ground)
    if is_word:
        return cards.__name__
    return irregularities.__name__ if is_ground else ""


def _public() -> list[str]:
    names: list[str] = import_module(_PACKAGE).__all__
    return names


def _all_names() -> list[str]:
    return [*_public(), *(name for name in vars(cards) if name.isupper())]
