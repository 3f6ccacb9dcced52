"""A game as data: its canonical definition, its digest, and where two definitions first differ.

`game_schema.KINDS` declares every kind of value that a game is made of, and which of its fields are
structure (what is dealt, decided and paid) and which are text (what people read). A field at its
default is not written, so that the language can grow without changing the digest of a game that
does not use what is new. The digest is over the structure.

>>> from puntobanco.rules.games import RAPID
>>> game_of(define(RAPID)) == RAPID
True
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from puntobanco.base.canonical import canonical
from puntobanco.rules.game import Game
from puntobanco.rules.game_schema import (
    ABSENT,
    KINDS,
    Definition,
    Place,
    Plain,
    kind_of,
    label_of,
    told,
)
from puntobanco.rules.refusals import BadGame

VERSION = 1
"""Of the way a game is written down and hashed. Another one is not read."""

MAX_BYTES = 400_000
"""Of a definition as JSON; the largest of the five games has about 32,000."""

_GAME = KINDS["game"]
_NO_DEFINITION = (KeyError, TypeError, ValueError, AttributeError, RecursionError)
"""What is raised where something stands in a definition that this program never writes."""


def define(game: Game) -> Definition:
    """The game as plain data, structure and words; refused where something in it is no data."""
    if type(game) is not Game:
        raise BadGame(f"{kind_of(game)} is no game that can be written as data")
    definition = {"definition": VERSION, **_GAME.write(game, Place())}
    if len(canonical(definition)) > MAX_BYTES:
        raise BadGame(f"game {game.id} is too large: {MAX_BYTES:,} bytes of definition at most")
    return definition


def game_of(definition: Mapping[str, Plain]) -> Game:
    """The game that a definition describes; a bad or newer one is refused with the place in it."""
    try:
        text = canonical(definition)
    except _NO_DEFINITION:
        raise BadGame("the definition: this cannot be written as JSON") from None
    if len(text) > MAX_BYTES:
        raise BadGame(f"the definition: {MAX_BYTES:,} bytes at most")
    return _read(text)


@lru_cache(maxsize=128)
def _read(text: bytes) -> Game:
    """Cached by all its bytes, so that every table of one definition shares one game."""
    definition = json.loads(text)
    game = _GAME.read(_body(definition), Place())
    assert isinstance(game, Game)
    again = define(game)
    if again != definition:
        where = _first(definition, again, Place()).place
        raise BadGame(f"{where}: is not written as this program writes it")
    return game


def structure(definition: Mapping[str, Plain]) -> Definition:
    """What is dealt, decided and paid, without the words."""
    try:
        return _GAME.structure(_body(definition))
    except _NO_DEFINITION:
        raise BadGame("the definition: it is no definition of a game") from None


def digest(game: Game | Mapping[str, Plain]) -> str:
    """SHA-256 of the version and the structure: which game was played, whatever its words are."""
    if isinstance(game, Game):
        return _digest_of_game(game)
    return _digest(game)


@lru_cache(maxsize=128)
def _digest_of_game(game: Game) -> str:
    return _digest(define(game))


def _digest(definition: Mapping[str, Plain]) -> str:
    front = f"puntobanco game {VERSION}\n".encode()
    try:
        whole = front + canonical(structure(definition))
    except _NO_DEFINITION:
        raise BadGame("the definition: it is no definition of a game") from None
    return hashlib.sha256(whole).hexdigest()


def written_digest(definition: Mapping[str, Plain]) -> str:
    """SHA-256 of a whole definition, words included: what somebody has approved."""
    return hashlib.sha256(canonical(definition)).hexdigest()


class Difference(NamedTuple):
    """Where two structures first differ, and what each has there."""

    place: str
    first: str
    second: str


def first_difference(first: Mapping[str, Plain], second: Mapping[str, Plain]) -> Difference | None:
    """Between two definitions, words left out; None where they are the same game."""
    mine = structure(first)
    other = structure(second)
    if mine == other:
        return None
    return _first(mine, other, Place())


def _first(mine: Plain, other: Plain, place: Place) -> Difference:
    """What both have and differ in comes before what only one has."""
    missing: Difference | None = None
    for label, one, two in _side_by_side(mine, other):
        if one == two:
            continue
        at = place.item(label) if isinstance(mine, list) else place.at(str(label))
        if one is not ABSENT and two is not ABSENT:
            return _first(one, two, at)
        missing = missing or Difference(at.path, told(one), told(two))
    return missing or Difference(place.path, told(mine), told(other))


def _side_by_side(mine: Plain, other: Plain) -> Iterator[tuple[object, Plain, Plain]]:
    """What stands at the same place in both: by key, by id where items have one, or by number."""
    if isinstance(mine, dict) and isinstance(other, dict):
        one = mine
        two = other
    elif isinstance(mine, list) and isinstance(other, list):
        one = _labelled(mine)
        two = _labelled(other)
        if list(one) != list(two) and set(one) == set(two):  # the same, in another order
            one = dict(enumerate(mine))
            two = dict(enumerate(other))
    else:
        return
    for label in {**one, **two}:
        yield label, one.get(label, ABSENT), two.get(label, ABSENT)


def _labelled(items: list[Plain]) -> dict[object, Plain]:
    return {label_of(item, n): item for n, item in enumerate(items)}


def _body(definition: Mapping[str, Plain]) -> Definition:
    """Without the version in front, once that is known."""
    if not isinstance(definition, Mapping):
        raise BadGame(f"the definition: an object belongs here, not {told(definition)}")
    version = definition.get("definition")
    if type(version) is not int or version != VERSION:
        known = f"it is of version {told(version)}, and this program reads {VERSION}"
        raise BadGame(f"the definition: {known}; a newer program may read it")
    return {key: value for key, value in definition.items() if key != "definition"}
