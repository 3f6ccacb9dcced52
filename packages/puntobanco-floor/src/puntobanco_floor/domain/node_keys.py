"""Node keys as a stream knows them: what certifies one, and the entries between which it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from puntobanco_floor.domain.entry import Entry
from puntobanco_floor.domain.stream_events import KeyAdmitted, KeyRetired
from puntobanco_proof.entry.format import Fault

if TYPE_CHECKING:
    from immutables import Map


class Admitted(msgspec.Struct, frozen=True):
    """A key as a stream knows it: what certifies it, and the entries between which it counts."""

    public: str
    root: str
    certificate: str
    since: int
    until: int = 0  # the entry that retired it; 0: none yet

    @property
    def is_retired(self) -> bool:
        return self.until > 0

    def counts_at(self, seq: int) -> bool:
        return self.since <= seq and (self.until == 0 or seq < self.until)


def admitted(keys: Map[str, Admitted], event: KeyAdmitted, seq: int) -> Map[str, Admitted]:
    """The keys of a stream after its entry `seq` has admitted one, or certified it anew."""
    before = keys.get(event.key)
    if before is not None and (before.is_retired or before.public != event.public):
        raise Fault(f"key {event.key} was admitted before")
    since = before.since if before else seq
    key = Admitted(event.public, event.root, event.certificate, since=since)
    return keys.set(event.key, key)


def retired(keys: Map[str, Admitted], event: KeyRetired, seq: int) -> Map[str, Admitted]:
    key = keys.get(event.key)
    if key is None or key.until:
        raise Fault(f"key {event.key} is none that could be retired")
    return keys.set(event.key, msgspec.structs.replace(key, until=seq))


def keys_after(keys: Map[str, Admitted], entry: Entry) -> Map[str, Admitted]:
    """The keys of a stream after an entry, where nothing else of it is wanted."""
    for event in entry.events:
        if isinstance(event, KeyAdmitted):
            keys = admitted(keys, event, entry.seq)
        elif isinstance(event, KeyRetired):
            keys = retired(keys, event, entry.seq)
    return keys
