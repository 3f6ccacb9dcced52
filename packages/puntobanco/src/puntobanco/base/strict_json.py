"""Strict JSON: the decoder of every body and message that comes in, over HTTP and the wire.

It takes a value of the type that is expected and nothing that merely looks like one: `"1000"`,
`1e3` and `true` are no cents. Readers differ in which of two equal keys they take, so that what was
checked may not be what is done: a key that stands twice in one object is refused.
"""

from __future__ import annotations

import json
import re
from typing import NoReturn, TypeVar

import msgspec

from puntobanco.base.characters import escaped, verify_text
from puntobanco.base.refusal import BadInput

T = TypeVar("T")

MAX_DEPTH = 100
"""Objects and lists inside one another; the deepest that this program writes, a game's conditions,
stay far below.
"""

MAX_TOLD = 200
"""Characters of what was wrong; a field's name may be as long as the body."""

SECRET_FIELDS = frozenset({"before", "password", "shown"})
"""Passwords: nobody is shown them, and one that was chosen long ago must still open the door."""

LINES_FIELDS = frozenset({"source"})
"""A game's file: text of many lines."""

_NAMES = {
    "int": "a whole number",
    "float": "a number with decimals",
    "str": "a text",
    "bool": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "an object",
}
_NAME = re.compile(f"`({'|'.join(_NAMES)})`")
_PLACE = re.compile(r"^(.*) - at `(?:key in )?\$\.?(.*)`$", re.DOTALL)


def read(decoder: msgspec.json.Decoder[T], data: bytes | str) -> T:
    """What the decoder makes of the data; a `BadInput` names the field that is wrong."""
    found = decode(decoder, data)
    verify(data)
    return found


def decode(decoder: msgspec.json.Decoder[T], data: bytes | str) -> T:
    """The first half of `read`: types alone."""
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        _refuse(str(error))
    except RecursionError:
        _refuse_depth()
    except UnicodeError:
        _refuse("it is not UTF-8")
    except msgspec.DecodeError as error:
        _refuse(f"it is no JSON: {error}")


def verify(data: bytes | str) -> None:
    """The second half of `read`, of JSON that was decoded once already: unique keys, depth, texts.
    Numbers stay text here, however long they are.
    """
    try:
        found = json.loads(
            data,
            object_pairs_hook=_object,
            parse_int=_number,
            parse_float=_number,
            parse_constant=_number,
        )
    except RecursionError:
        _refuse_depth()
    verify_texts(found)


def misread(error: msgspec.ValidationError) -> str:
    """What a decoder says is wrong, with the field first."""
    said = str(error)
    found = _PLACE.match(said)
    text = _NAME.sub(lambda name: _NAMES[name[1]], found[1] if found else said)
    text = text.replace("Expected", "expected").replace(", got ", ", not ")
    field = f"{found[2]}: " if found and found[2] else ""
    return escaped(f"{field}{text}")[:MAX_TOLD]


def _refuse(why: str) -> NoReturn:
    raise BadInput(f"that cannot be read: {misread(msgspec.ValidationError(why))}") from None


def _refuse_depth() -> NoReturn:
    raise BadInput(f"that cannot be read: more than {MAX_DEPTH} levels deep") from None


def _number(text: str) -> None:
    """A number: the decoder has looked at it."""


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen = set[str]()
    for key, _ in pairs:
        if key in seen:
            raise BadInput(
                f'that cannot be read: "{escaped(f"{key:.40}")}" stands twice in one object'
            )
        seen.add(key)
    return found


def verify_texts(value: object, field: str = "", depth: int = 1) -> None:
    """Refuse a hidden character in any text of plain data, and data that is nested too deep."""
    if isinstance(value, str):
        if field not in SECRET_FIELDS:
            verify_text(value, field or "the text", lines=field in LINES_FIELDS)
        return
    if not isinstance(value, dict | list | tuple):
        return
    if depth > MAX_DEPTH:
        _refuse_depth()
    if not isinstance(value, dict):
        for item in value:
            verify_texts(item, field, depth + 1)
        return
    for key, item in value.items():
        verify_text(key, "a field's name")
        verify_texts(item, key, depth + 1)
