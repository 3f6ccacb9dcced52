"""Receipts: the answer to an accepted wager carries the signed head of its commit."""

import asyncio

import pytest
from immutables import Map
from msgspec.structs import replace

from puntobanco_floor.client import Terminal
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.node_keys import Admitted, keys_after
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.store.open_store import files_of
from puntobanco_floor.store.reader import reading
from puntobanco_proof.entry.format import Fault
from puntobanco_proof.entry.heads import Head
from tests.support.served import Served, new_bets

TABLE = 2


def _wagers(served: Served) -> tuple[wire.Answered, wire.Answered, Head | None]:
    """One that is accepted, one that is refused, and the head that the client kept."""

    async def play() -> tuple[wire.Answered, wire.Answered, Head | None]:
        async with Terminal(served.address, table=TABLE) as terminal:
            await terminal.seat()
            await new_bets(terminal)
            accepted = await terminal.place("banker", 1_000)
            refused = await terminal.place("banker", 1)
            return accepted, refused, terminal.head

    return asyncio.run(play())


def _journal(served: Served, upto: int) -> list[tuple[Entry, str]]:
    """Entries with their hashes; the reader checks that each follows from the one before."""
    with reading(str(served.database)) as reader:
        return list(reader.chain(f"table:{TABLE}", upto=upto))


def test_an_accepted_wager_is_receipted_by_a_head_over_its_entry(served: Served) -> None:
    accepted, refused, kept = _wagers(served)
    assert accepted.ok
    assert not refused.ok
    assert refused.head is None
    head = accepted.head
    assert head is not None
    assert kept == head

    chain = _journal(served, upto=head.seq)
    last, hash_ = chain[-1]
    assert (last.stream, last.epoch, last.seq, hash_) == (
        head.stream,
        head.epoch,
        head.seq,
        head.hash,
    )
    [wager] = [entry for entry, _ in chain if entry.id == accepted.id]
    assert wager.command == "place-wager"

    keys = Map[str, Admitted]()
    for entry, _ in chain:
        keys = keys_after(keys, entry)
    ring, _ = files_of(str(served.database))
    trust = Trust(KeyRing.load(ring).public())
    trust.verify(head, keys)

    before, hash_before = chain[-2]
    for forged in (replace(head, hash=hash_before), replace(head, seq=before.seq)):
        with pytest.raises(Fault, match="signature"):
            trust.verify(forged, keys)
    with pytest.raises(Fault, match="does not count there"):
        trust.verify(head, keys.delete(head.key))
    with pytest.raises(Fault, match="not certified"):
        Trust({}).verify(head, keys)
