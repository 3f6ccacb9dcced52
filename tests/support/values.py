"""Values for a field of a command by its type, for fields that no list of the tests names. The first is a good one."""

import types
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Meta

from puntobanco.rules.causes import OTHER, Cause


def values_of(type_: Any) -> tuple[object, ...]:
    """
    >>> values_of(bool), values_of(int | None), values_of(tuple[str, ...])[1:]
    ((False, True), (1, 0, 5000, None), ((),))
    >>> values_of(Annotated[int, Meta(ge=2)]), values_of(Literal["upheld", "refused"])
    ((2, 1, 0, 5000), ('upheld', 'refused'))
    """
    origin, args = get_origin(type_), get_args(type_)
    if origin is Annotated:
        bounds = [mark for mark in type_.__metadata__ if isinstance(mark, Meta)]
        return _within(values_of(args[0]), bounds)
    if origin is Literal:
        return args
    if origin in (Union, types.UnionType):
        kinds = [kind for kind in args if kind is not type(None)]
        none = (None,) if len(kinds) < len(args) else ()
        return (*(value for kind in kinds for value in values_of(kind)), *none)
    if origin is tuple:
        return ((values_of(args[0])[0],), ())
    if origin is dict:
        return ({},)
    if type_ in _PLAIN:
        return tuple(_PLAIN[type_])
    assert isinstance(type_, type), f"no values for {type_}"
    assert issubclass(type_, msgspec.Struct), f"no values for {type_}"
    required = [field for field in msgspec.structs.fields(type_) if field.required]
    return (type_(**{field.name: values_of(field.type)[0] for field in required}),)


_PLAIN: dict[object, Sequence[object]] = {
    bool: (False, True),
    int: (1, 0, 5_000),
    str: ("so", "", "as asked, 如所求"),
    Cause: (Cause(OTHER, ("so",)),),
}


def _within(values: tuple[object, ...], bounds: Sequence[Meta]) -> tuple[object, ...]:
    """With a good one first: at the least number that is allowed."""
    least = max((bound.ge or 0 for bound in bounds if bound.ge is not None), default=0)
    over = max((bound.gt + 1 for bound in bounds if bound.gt is not None), default=0)
    good = max(least, over)
    if isinstance(values[0], int) and good > 1:
        return (good, *values)
    return values
