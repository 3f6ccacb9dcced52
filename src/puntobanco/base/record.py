"""Record: the base of every value that is written down or sent; frozen, with no field unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING, dataclass_transform

import msgspec

if TYPE_CHECKING:

    @dataclass_transform(frozen_default=True)  # for the type checker every record is frozen
    class _RecordMeta(msgspec.StructMeta):
        pass

else:
    _RecordMeta = type(msgspec.Struct)  # one of our own would cost speed


class Record(msgspec.Struct, metaclass=_RecordMeta, frozen=True, forbid_unknown_fields=True):
    """A value that is written down. Fields are given by name."""
