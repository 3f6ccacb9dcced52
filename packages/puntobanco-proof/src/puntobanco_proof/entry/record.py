"""Record: base class of stored and sent values; frozen, and refuses unknown fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, dataclass_transform

import msgspec

if TYPE_CHECKING:

    @dataclass_transform(frozen_default=True)  # tell the type checker that records are frozen
    class _RecordMeta(msgspec.StructMeta):
        pass

else:
    _RecordMeta = type(msgspec.Struct)  # a metaclass of our own would be slower


class Record(msgspec.Struct, metaclass=_RecordMeta, frozen=True, forbid_unknown_fields=True):
    """A stored or sent value; pass its fields by name."""


R = TypeVar("R", bound=Record)


def fill_record(kind: type[R], source: object, /, **given: object) -> R:
    """Build a record from the given fields, and from attributes of `source` for the others.

    >>> from fractions import Fraction
    >>> class Share(Record):
    ...     who: str
    ...     numerator: int
    >>> fill_record(Share, Fraction(1, 3), who="ann")
    Share(who='ann', numerator=1)
    """
    for name in kind.__struct_fields__:
        if name not in given:
            given[name] = getattr(source, name)
    return kind(**given)
