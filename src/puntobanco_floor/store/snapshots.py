"""A stream from a snapshot: read only if this program wrote its kind, and if the journal holds its
hash.
"""

from __future__ import annotations

from contextlib import suppress

import msgspec

from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.domain.events import PeriodSealed
from puntobanco_floor.domain.machine import Machine, S
from puntobanco_floor.domain.snapshots import SNAPSHOT
from puntobanco_floor.store.batch import Snapshot, Stream
from puntobanco_proof.entry.format import hash_of

read_snapshot = msgspec.json.Decoder(Snapshot).decode


def is_sealed(sealed: PeriodSealed, data: bytes) -> bool:
    """Whether the journal has the hash of this snapshot."""
    return sealed.snapshot == hash_of(data)


def is_sealed_by(data: bytes, sealing: bytes) -> bool:
    """Whether this entry, the next one, has sealed the snapshot."""
    with suppress(Exception):  # whatever a forged one does to this program
        events = read_entry(sealing).events
        return any(isinstance(each, PeriodSealed) and is_sealed(each, data) for each in events)
    return False


def from_snapshot(
    name: str, machine: Machine[S], seq: int, data: bytes, sealing: bytes
) -> Stream[S] | None:
    """`sealing` is the entry after it, which sealed the period; None where the journal must be read
    from the start.
    """
    with suppress(Exception):  # whatever a forged one does to this program
        kept = read_snapshot(data)
        [sealed] = read_entry(sealing, stream=name, seq=seq + 1).events
        assert isinstance(sealed, PeriodSealed)
        assert is_sealed(sealed, data)
        assert (kept.state["snapshot"], kept.state["seq"]) == (SNAPSHOT, seq)
        return Stream.restored(name, machine, kept)
    return None
