"""A stream from a snapshot: read only if this program wrote its kind, and if the journal holds its
hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec

from puntobanco.events import PeriodSealed
from puntobanco.journal import hash_of, read_entry
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.batch import Stream
from puntobanco.table.state import SNAPSHOT


def from_snapshot(name: str, seq: int, data: bytes, sealing: bytes) -> Stream | None:
    """`sealing` is the entry after it, which sealed the period; None where the journal must be read
    from the start.
    """
    with suppress(KeyError, AssertionError, msgspec.MsgspecError, Refusal):
        plain: Mapping[str, Any] = msgspec.json.decode(data)
        [sealed] = read_entry(sealing, stream=name, seq=seq + 1).events
        assert isinstance(sealed, PeriodSealed)
        assert sealed.snapshot == hash_of(data)
        assert (plain["state"]["snapshot"], plain["state"]["seq"]) == (SNAPSHOT, seq)
        return Stream.from_plain(name, plain)
    return None
