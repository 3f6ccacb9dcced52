"""Record: the base of every value that is written down or sent; frozen, with no field unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, dataclass_transform

import msgspec

if TYPE_CHECKING:

    @dataclass_transform(frozen_default=True)  # for the type checker every record is frozen
    class _RecordMeta(msgspec.StructMeta):
        pass

else:
    _RecordMeta = type(msgspec.Struct)  # one of our own would cost speed


class Record(msgspec.Struct, metaclass=_RecordMeta, frozen=True, forbid_unknown_fields=True):
    """A value that is written down. Fields are given by name."""


R = TypeVar("R", bound=Record)


def fill_record(kind: type[R], source: object, /, **given: object) -> R:
    """Build a record from the fields given; all others are attributes of `source`.

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
