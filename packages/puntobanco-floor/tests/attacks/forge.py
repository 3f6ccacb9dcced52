"""The attacker, who does it well: hashes chained again, tables beside mended, signed with the key that he holds."""

import random
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import TypeAlias

from msgspec.structs import asdict, replace

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entry import Entry, write_entry
from puntobanco_floor.domain.machine import Funds
from puntobanco_floor.domain.stream_rules import BeginEpoch
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import NodeKey
from puntobanco_floor.store.batch import (
    Answer,
    Stream,
    read_answer,
    snapshot,
    transfers_of,
    write_answer,
)
from puntobanco_proof.entry.format import (
    NOTHING,
    Origin,
    canonical,
    generate_salts,
    hash_bytes,
    split_entry,
)
from puntobanco_proof.entry.heads import Head
from tests.attacks.floor import BUY_IN, OTHER, TABLE, Floor, Row, Tables, entries_of, heads_of, of

Sign: TypeAlias = Callable[[int, str], Head | None]
"""A head for an entry and its hash; none where he cannot sign and leaves it out."""

STOLEN = 77_000_000
SPARE = {
    "first": "f",
    "middle": "m",
    "around a signature": "s",
    "before the checkpoint": "w",
    "after the checkpoint": "u",
    "last": "l",
}
"""The patrons whose entries are attacked, by place: they sit down, buy in, and do nothing else."""


class Forger:
    """One attack on one stream. `key` is the one that he holds, if any."""

    def __init__(
        self, floor: Floor, tables: Tables, place: str, key: NodeKey | None, chance: random.Random
    ) -> None:
        self.floor, self.tables, self.place = floor, deepcopy(tables), place
        self.key, self.chance = key, chance
        self.entries = entries_of(tables)
        self.signed = heads_of(tables)
        self.leaves_heads_out = chance.random() < 0.5

    # What he does to the journal

    def target(self, *, neighbour: bool = False, is_signed: bool | None = None) -> int:
        """The index of a buy-in at the place; with `neighbour` the next entry is one too."""
        found = list[int]()
        for n, entry in enumerate(self.entries):
            is_spare = entry.command == "buy-in" and self._is_spare(entry)
            after = self.entries[n + 1] if n + 1 < len(self.entries) else None
            if not is_spare or is_signed not in (None, entry.seq in self.signed):
                continue
            if not neighbour or (after and after.command == "buy-in" and self._is_spare(after)):
                found.append(n)
        if self.place == "last":
            return found[-1]
        if self.place == "around a signature" and is_signed is None:
            return found[-2] if neighbour else self.chance.choice(found[-2:])
        return self.chance.choice(found)

    def _is_spare(self, entry: Entry) -> bool:
        event = entry.events[0]
        return isinstance(event, e.CreditsBought) and event.session[0] == SPARE[self.place]

    def append(self) -> Tables:
        """Credits for a patron, in the cashier's name, after an entry of the place."""
        at = self.target()
        return self.rewritten([*self.entries[: at + 1], self.gift(at), *self.entries[at + 1 :]])

    def gift(self, at: int) -> Entry:
        last = self.entries[at]
        stolen = e.CreditsBought(session="ann", cents=STOLEN + self.chance.randrange(1000))
        made = replace(last, by="carl", command="buy-in", id=f"x{self.chance.random()}")
        return replace(made, events=(stolen,), salt=next(generate_salts()))

    def change(self) -> Tables:
        at = self.target()
        return self.rewritten([*self.entries[:at], self.changed(at), *self.entries[at + 1 :]])

    def changed(self, at: int) -> Entry:
        entry = self.entries[at]
        event = entry.events[0]
        assert isinstance(event, e.CreditsBought | e.SessionSeated | e.RoundSettled), entry
        if not isinstance(event, e.CreditsBought):
            return replace(entry, by="eve")
        more = replace(event, cents=BUY_IN + 1 + self.chance.randrange(STOLEN))
        return replace(entry, events=(more,))

    def remove(self) -> Tables:
        at = self.target()
        return self.rewritten([*self.entries[:at], *self.entries[at + 1 :]])

    def reorder(self) -> Tables:
        at = self.target(neighbour=True)
        one, two = self.entries[at : at + 2]
        return self.rewritten([*self.entries[:at], two, one, *self.entries[at + 2 :]])

    def cut(self) -> Tables:
        return self.rewritten(self.entries[: self._end()])

    def _end(self) -> int:
        """How many entries he leaves; around a signature, so that the last is not a signed one."""
        if self.place == "last":
            return len(self.entries) - 1
        return self.target(is_signed=False if self.place == "around a signature" else None) + 1

    def change_in_place(self) -> Tables:
        """One entry with its own root put right, and nothing after it: later signatures stay."""
        at = self.target(is_signed=False if self.place == "around a signature" else None)
        data = write_entry(self.changed(at)).data
        return self._replaced(at, data)

    def change_a_part(self) -> Tables:
        """Who asked, under the header as it was signed."""
        at = self.target()
        entry = self.entries[at]
        header, salt, parts = split_entry(write_entry(entry).data)
        parts[0] = canonical(Origin(by="eve", command=entry.command, id=entry.id))
        data = b"[" + header + b',"' + salt.encode() + b'",' + b",".join(parts) + b"]"
        return self._replaced(at, data)

    def _replaced(self, at: int, data: bytes) -> Tables:
        for row in of(self.tables, "entries"):
            if row["seq"] == at + 1:
                row["data"] = data
        return self.tables

    def own_key(self) -> Tables:
        """An entry, signed with a key of his own that he has admitted himself."""
        self.key = NodeKey(self.chance.randbytes(32), KeyRing.fresh())
        roots = self.floor.ring.signer[0]
        admission = replace(self.key.admitted(TABLE), root=roots)
        at = len(self.entries) - 1
        entry = replace(self.gift(at), by="store", command="admit-key", id="", events=(admission,))
        return self.rewritten([*self.entries, entry, self.gift(at)])

    def old_root(self) -> Tables:
        """The same, and a root key of the floor certifies it, which was replaced since it leaked."""
        self.key = NodeKey(self.chance.randbytes(32), self.floor.old_ring)
        at = len(self.entries) - 1
        admission = self.key.admitted(TABLE)
        entry = replace(self.gift(at), by="store", command="admit-key", id="", events=(admission,))
        return self.rewritten([*self.entries, entry, self.gift(at)])

    def another_stream(self) -> Tables:
        """Credits at a table that never knew his key: he admits it there, with the certificate by which
        this one did.
        """
        assert self.key is not None, "who has none appends"
        stream = Stream.empty(OTHER, OURS.table)
        entries = entries_of(self.tables, OTHER)
        for entry in entries:
            stream.follow(entry, write_entry(entry).hash)
        [admitted] = [x for entry in self.entries for x in entry.events if self._is_mine(x)]
        self._forge(stream, entries[-1], "admit-key", (admitted,))
        for command in (
            c.SeatSession(by="eve", session="eve"),
            c.BuyIn(by="carl", session="eve", cents=STOLEN),
        ):
            state, funds = stream.state, Funds(stream.balances)
            events = OURS.table.decide(state, funds, command, state.at)
            self._forge(stream, entries[-1], command.name(), events)
        head = self.key.sign(OTHER, 1, stream.state.seq, stream.head)
        self.tables["heads"].append(asdict(head))
        [standing] = of(self.tables, "streams", OTHER)
        standing |= {"seq": stream.state.seq, "hash": stream.head}
        for account, cents in stream.balances.items():
            row: Row = {"stream": OTHER, "account": account, "cents": cents}
            self.tables["balances"].append(row)
        return self.tables

    def _is_mine(self, event: e.Event) -> bool:
        return (
            isinstance(event, e.KeyAdmitted) and self.key is not None and event.key == self.key.id
        )

    def _forge(
        self,
        stream: Stream,  # type: ignore[type-arg]
        like: Entry,
        command: str,
        events: tuple[e.Event, ...],
    ) -> None:
        seq = stream.state.seq + 1
        made = replace(like, seq=seq, command=command, events=events, prev=stream.head)
        entry = replace(
            made, id=f"x{seq}" if command != "admit-key" else "", salt=next(generate_salts())
        )
        data, hash_ = write_entry(entry)
        stream.follow(entry, hash_)
        self.tables["entries"].append({"stream": OTHER, "seq": seq, "data": data})
        for n, (debit, credit, cents) in enumerate(transfers_of(entry)):
            row = {"stream": OTHER, "seq": seq, "n": n, "debit": debit, "credit": credit}
            self.tables["transfers"].append({**row, "cents": cents})
        if entry.id:
            answer = Answer(id=entry.id, ok=True, seq=seq, at=entry.at)
            self.tables["answers"].append(made_up(entry.by, entry.id, answer) | {"stream": OTHER})

    def other_epoch(self) -> Tables:
        """An entry, whose head is signed for an epoch that nobody began."""
        tables = self.rewritten([*self.entries, self.gift(len(self.entries) - 1)])
        last = len(self.entries) + 1
        for row in of(tables, "heads"):
            if row["seq"] == last:
                row["epoch"] = 2
                if self.key:
                    row.update(asdict(self.key.sign(TABLE, 2, last, str(row["hash"]))))
        return tables

    def new_epoch(self) -> Tables:
        """The tail cut off, and an epoch begun in the names of two people who know nothing of it."""
        kept = self.entries[: self._end()]
        stream = Stream.empty(TABLE, OURS.table)
        for entry in kept:
            stream.follow(entry, "")
        begin = BeginEpoch(by="sam", second="sue", epoch=2, reason="disk")
        begun = OURS.table.decide(stream.state, Funds(stream.balances), begin, kept[-1].at)
        made = replace(
            kept[-1], by="sam", command="begin-epoch", id="", salt=next(generate_salts())
        )
        return self.rewritten([*kept, replace(made, epoch=2, events=begun)])

    # How he covers it

    def rewritten(self, entries: Sequence[Entry]) -> Tables:
        """The stream with these entries, and every row beside it that follows from them."""
        entries = self._as_though(list(entries))
        stream = Stream.empty(TABLE, OURS.table)
        tables, mine = self.tables, _Rows()
        ends = {entry.seq: head for entry in self.entries if (head := self.signed.get(entry.seq))}
        for seq, old in enumerate(entries, 1):
            entry = self._linked(stream, old, seq, mine)
            data, hash_ = write_entry(entry)
            stream.follow(entry, hash_)
            mine.entries.append({"stream": TABLE, "seq": seq, "data": data})
            for n, (debit, credit, cents) in enumerate(transfers_of(entry)):
                row = {"stream": TABLE, "seq": seq, "n": n, "debit": debit, "credit": credit}
                mine.transfers.append({**row, "cents": cents})
            mine.seqs[entry.by, entry.id] = seq, entry.at
            is_new = old.seq != seq or old not in self.entries
            is_end = old.seq in ends or is_new or seq == len(entries)
            head = self._head(seq, hash_, entry.epoch) if is_end else None
            if head is not None:
                mine.heads.append(asdict(head))
            mine.see(entry)
        self._put(tables, mine, stream)
        return tables

    def _as_though(self, entries: list[Entry]) -> list[Entry]:
        """In the first period a key signs nothing that came later or earlier than its own time:
        so he writes the whole stream as though there had been no other key.
        """
        if self.key is None or self.place != "first" or self.key.id not in self._known():
            return entries
        others = [x for x in entries if not isinstance(x.events[0], e.KeyRetired | e.KeyAdmitted)]
        admitted = replace(self.entries[0], events=(self.key.admitted(TABLE),))
        return [admitted, *others]

    def _known(self) -> set[str]:
        return {self.floor.node.id, self.floor.retired.id}

    def _linked(self, stream: Stream, old: Entry, seq: int, mine: "_Rows") -> Entry:  # type: ignore[type-arg]
        """An entry after where the stream stands; a snapshot that it seals is made again."""
        state, events = stream.state, old.events
        sealed = events[0]
        if isinstance(sealed, e.PeriodSealed):
            data = snapshot(stream.machine, state, stream.balances, stream.head)
            mine.snapshots.append(
                {"stream": TABLE, "seq": seq - 1, "hash": hash_bytes(data), "data": data}
            )
            events = (replace(sealed, snapshot=hash_bytes(data)),)
        epoch = max(old.epoch, state.epoch)
        at = max(old.at, state.at)
        prev = stream.head if seq > 1 else NOTHING
        return replace(old, seq=seq, at=at, prev=prev, epoch=epoch, events=events)

    def _head(self, seq: int, hash_: str, epoch: int) -> Head | None:
        """The one that is there, if it still fits; else his own, or an old signature under a new
        hash.
        """
        there = self.signed.get(seq)
        if there is not None and (there.hash, there.epoch) == (hash_, epoch):
            return there
        if self.key is not None:
            return self.key.sign(TABLE, epoch, seq, hash_)
        if self.leaves_heads_out:
            return None
        stale = there or self.signed[max(self.signed)]
        return replace(stale, seq=seq, hash=hash_, epoch=epoch)

    def _put(self, tables: Tables, mine: "_Rows", stream: Stream) -> None:  # type: ignore[type-arg]
        [standing] = of(tables, "streams")
        standing |= {"seq": stream.state.seq, "hash": stream.head, "at": stream.state.at}
        standing["due_at"] = stream.due_at
        made = {
            "entries": mine.entries,
            "transfers": mine.transfers,
            "snapshots": mine.snapshots,
            "heads": mine.heads,
            "answers": self._answers(mine),
            "balances": [
                {"stream": TABLE, "account": account, "cents": cents}
                for account, cents in stream.balances.items()
                if cents
            ],
        }
        for name, rows in made.items():
            others = [row for row in tables[name] if row["stream"] != TABLE]
            tables[name] = others + rows
        tables["vouchers"] = list(mine.vouchers.values())

    def _answers(self, mine: "_Rows") -> list[Row]:
        """Each command that has an entry has an answer with its number."""
        found, seqs = list[Row](), dict(mine.seqs)
        rows = {(row["asked_by"], row["command_id"]): row for row in of(self.tables, "answers")}
        for (by, id_), row in rows.items():
            answer = read_answer(bytes(row["answer"]))  # type: ignore[call-overload]
            if not answer.ok:
                found.append(row)
            elif (by, id_) in seqs:
                seq, _ = seqs.pop((str(by), str(id_)))
                found.append({**row, "answer": write_answer(replace(answer, seq=seq))})
        for (by, id_), (seq, at) in seqs.items():
            if id_:
                answer = Answer(id=id_, ok=True, seq=seq, at=at)
                found.append(made_up(by, id_, answer))
        return found


class _Rows:
    """Rows of the stream as he writes them."""

    def __init__(self) -> None:
        self.entries, self.transfers = list[Row](), list[Row]()
        self.snapshots, self.heads = list[Row](), list[Row]()
        self.vouchers = dict[str, Row]()
        self.seqs = dict[tuple[str, str], tuple[int, int]]()  # by whom, id -> seq, at

    def see(self, entry: Entry) -> None:
        for event in entry.events:
            if isinstance(event, e.VoucherMade):
                self.vouchers[event.voucher] = voucher_row(event, entry.seq)
            elif isinstance(event, e.VoucherTaken):
                redeemed: Row = {"redeemed_stream": TABLE, "redeemed_seq": entry.seq}
                self.vouchers[event.voucher] |= redeemed


def voucher_row(event: "e.VoucherMade", seq: int) -> Row:
    return {
        "voucher": event.voucher,
        "cents": event.cents,
        "expires_at": event.expires_at,
        "issued_stream": TABLE,
        "issued_seq": seq,
        "redeemed_stream": None,
        "redeemed_seq": None,
    }


def made_up(by: str, id_: str, answer: Answer, body: bytes = b"") -> Row:
    return {
        "stream": TABLE,
        "asked_by": by,
        "command_id": id_,
        "body": body,
        "answer": write_answer(answer),
        "at": answer.at,
        "refused_at": None if answer.ok else answer.at,
    }
