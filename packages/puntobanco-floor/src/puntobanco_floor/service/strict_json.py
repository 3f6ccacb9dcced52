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

from puntobanco.base.characters import escaped, too_deep, verify_texts
from puntobanco.base.refusal import BadInput

T = TypeVar("T")

MAX_TOLD = 200
"""Characters of what was wrong; a field's name may be as long as the body."""

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
        raise too_deep() from None
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
        raise too_deep() from None
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
