"""An audit from a checkpoint that the auditor kept: what it need not check again, and the proof.

The log's first leaves are those of the checkpoint. An entry that seals a period and has its leaf
among them vouches for the snapshot whose hash it holds, so that its stream is checked from there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import select

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.machine import State
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store import schema
from puntobanco_floor.store.errors import LogFault
from puntobanco_floor.store.log_tables import LogView, Range, verifiers_of
from puntobanco_floor.store.reader import Reader, VoucherRow
from puntobanco_floor.transparency.publication import verify_goes_on
from puntobanco_proof.entry.format import Fault, hash_entry
from puntobanco_proof.tree import log_tree, merkle
from puntobanco_proof.tree.checkpoints import Checkpoint, open_checkpoint
from puntobanco_proof.tree.leaves import build_leaf, derive_salt


@dataclass
class Since:
    """The log at a checkpoint; `starts` are the last entries that are not checked again."""

    reader: Reader
    ring: KeyRing
    checkpoint: Checkpoint
    where: str
    starts: dict[str, int] = field(default_factory=dict)
    states: dict[str, State] = field(default_factory=dict)

    @classmethod
    def open(cls, reader: Reader, ring: KeyRing, note: str, where: str) -> Since:
        """Verify that the log has only grown since the checkpoint, and find each stream's start."""
        view = LogView(reader.connection)
        origin, size = view.standing()
        checkpoint = open_checkpoint(note, verifiers_of(ring, origin)).checkpoint
        verify_goes_on(view, checkpoint, f"the checkpoint {where}")
        proof = log_tree.prove_consistency(checkpoint.size, size, view.hashes(size))
        if not log_tree.is_consistent(
            checkpoint.size, checkpoint.root, size, view.root(size), proof
        ):
            raise LogFault(f"the log of {size} leaves does not go on from the checkpoint {where}")
        found = cls(reader, ring, checkpoint, where)
        for name in reader.streams():
            found._start(name, view)
        return found

    def _start(self, name: str, view: LogView) -> None:
        covered = view.covered(name, self.checkpoint.size)
        for seq in reversed(self.reader.snapshot_places(name, upto=covered - 1)):
            place = view.place(name, seq + 1)
            if place is None or place.index >= self.checkpoint.size:
                continue  # the entry that sealed it was set aside since
            self.prove(name, seq + 1)
            begin = self.reader.restored(name, seq)
            # one of an older kind cannot be read: then the stream is checked from its first entry
            if begin is not None:
                self.starts[name], self.states[name] = seq, begin.state
            return

    def prove(self, stream: str, seq: int) -> Entry:
        """Return an entry that the log had at the checkpoint; raise a fault if it had another."""
        view, size = LogView(self.reader.connection), self.checkpoint.size
        place = view.place(stream, seq)
        keys = {key.id: key.key for key in self.ring.of("leaves")}
        for _, data in self.reader.entries(stream, after=seq - 1, upto=seq):
            entry = self.reader.definitions.read(data, stream=stream, seq=seq)
            if place is None or place.index >= size or place.key not in keys:
                break
            own = build_leaf(
                derive_salt(keys[place.key], stream, seq, place.epoch), hash_entry(data)
            )
            proof = log_tree.prove_inclusion(place.index, size, view.hashes(size))
            if not log_tree.is_included(
                merkle.hash_leaf(own), place.index, size, proof, self.checkpoint.root
            ):
                break
            return entry
        raise Fault(f"is not in the log of the checkpoint {self.where}", stream=stream, seq=seq)

    def is_before(self, stream: str | None, seq: int | None) -> bool:
        """Whether an entry is one of those that are not checked again."""
        return stream is not None and seq is not None and seq <= self.starts.get(stream, 0)

    def after_start(self, logged: Range) -> Range:
        """Leave out the entries whose leaves the checkpoint has and that are not checked again."""
        before = min(logged.last, self.starts.get(logged.stream, 0)) - logged.first + 1
        if before <= 0 or logged.place + before > self.checkpoint.size:
            return logged
        return logged._replace(first=logged.first + before, place=logged.place + before)

    def issued(self, voucher: str, row: VoucherRow) -> None:
        """Verify that an entry before the start has issued a voucher as its row says."""
        stream, seq = row.issued_stream, row.issued_seq
        made = list[tuple[str, int, int]]()
        for event in self.prove(stream, seq).events:
            if isinstance(event, e.VoucherMade):
                made.append((event.voucher, event.cents, event.expires_at))
        if (voucher, row.cents, row.expires_at) not in made:
            raise Fault(f"has not issued voucher {voucher}", stream=stream, seq=seq)

    def moves(self) -> list[tuple[str, int, e.Event]]:
        """The moves that were on the way at the starts, or decided there not long before."""
        found = list[tuple[str, int, e.Event]]()
        for name, state in self.states.items():
            if not isinstance(state, TableState):
                continue
            entries = {each.entry for each in state.moving.values()}
            entries |= {each.entry for each in state.moves.values()}
            for seq in sorted(entries):
                for event in self.prove(name, seq).events:
                    if isinstance(event, e.MoveReserved | e.MoveDecided):
                        found.append((name, seq, event))
        return found

    def set_aside(self) -> set[str]:
        """The streams of which entries were set aside."""
        return set(self.reader.connection.scalars(select(schema.set_aside.c.stream).distinct()))

    def describe(self) -> list[str]:
        """List what is not checked again."""
        size = self.checkpoint.size
        said = [f"the log has only grown since the checkpoint {self.where} of {size} leaves"]
        for name, seq in self.starts.items():
            said.append(f"{name}: entries 1 to {seq} were not checked again")
        if self.starts:
            said.append(
                "nor were transfers, answers, vouchers and heads of these entries, and tiles of "
                f"the log before leaf {size}: they are as sound as the audit that kept {self.where}"
            )
        else:
            said.append("it covers no sealed period: every entry was checked again")
        return said
