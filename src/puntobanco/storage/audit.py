"""The audit: everything recomputed from the journal alone, and what cannot be proved said plainly.

The chain of hashes, the signatures, the file of heads; every state from the one before; every
settlement by the rules; every commitment of a virtual shoe against the cards dealt; every cent
against the tables of transfers, balances and vouchers; every answer; every snapshot. The first
fault ends it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from sqlalchemy import inspect
from sqlalchemy.exc import SQLAlchemyError

import puntobanco.events as e
from puntobanco.catalog import redefined
from puntobanco.definitions import OURS, Definitions
from puntobanco.house.state import HouseState
from puntobanco.journal import (
    BEGIN_EPOCH,
    Decode,
    Entry,
    Fault,
    Head,
    Row,
    chained,
    hash_of,
    read_heads,
    verify_standing,
)
from puntobanco.key_files import PublicFile, read_file
from puntobanco.keys import KeyRing, roots_in
from puntobanco.ledger import MOVING, is_balanced
from puntobanco.machine import FIRST_SNAPSHOT, SNAPSHOT, State
from puntobanco.mix import mixed
from puntobanco.rules.cards import code
from puntobanco.rules.refusals import Refusal
from puntobanco.signing import Trust
from puntobanco.storage import schema
from puntobanco.storage.answered import Answered
from puntobanco.storage.archive import Archive
from puntobanco.storage.audited_moves import AuditedMoves
from puntobanco.storage.audited_vouchers import AuditedVouchers
from puntobanco.storage.batch import Stream, snapshot, transfers_of
from puntobanco.storage.errors import first_line
from puntobanco.storage.locate import files_of
from puntobanco.storage.log import LogFault
from puntobanco.storage.log_audit import Others, audit_log
from puntobanco.storage.patrons import unreachable
from puntobanco.storage.publication import read_published
from puntobanco.storage.reader import Reader, StreamRow, TransferRow, reading
from puntobanco.table.settling import lines_by_rule
from puntobanco.table.state import TableState
from puntobanco.tlog.checkpoints import Checkpoint
from puntobanco.vault import Order, revealed

NO_OTHERS = Others()


@dataclass
class Report:
    """What was looked at, the first fault if there is one, and what nobody could prove from these
    files.
    """

    streams: int = 0
    entries: int = 0
    rounds: int = 0
    voids: int = 0
    reopened: int = 0
    wagers: int = 0
    staked_cents: int = 0
    moves: int = 0  # from table to table
    shoes: int = 0
    mixed: int = 0  # of the shoes, by witnesses
    abandoned: int = 0  # of the shoes: to be mixed, and not mixed
    signatures: int = 0
    leaves: int = 0  # of the transparency log
    checkpoints: int = 0
    witnesses: int = 0  # that have seen the log as it is here
    fault: str | None = None
    fault_stream: str = ""  # and the entry at which it was found, where it is of one
    fault_seq: int = 0
    unproven: list[str] = field(default_factory=list)
    # what is no fault of the journal, and somebody should know
    warnings: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        return self.fault is None


def audit(
    where: Path | str,
    *,
    heads: Sequence[Path] = (),
    keys: Path | None = None,
    table: str | None = None,
    report: Report | None = None,
    definitions: Definitions = OURS,
    others: Others = NO_OTHERS,
) -> Report:
    """A database with its key ring and its files of heads: one for each node that wrote. Those
    beside it are found. `others` is what others have seen of its log.

    Who gives a `report` can read in it from another thread how far it is.
    """
    url = str(where)
    own_keys, own_heads = files_of(url)
    if keys is None and own_keys.exists():
        keys = own_keys
    files = list(heads)
    if not files and own_heads.exists():
        files = [own_heads]
    # before the database: nodes that play on write there first, and are ahead of what was read
    filed, published = _heads(files), read_published(others.folder)
    with reading(url, definitions) as reader:
        # after the view is taken: a node signs with a new key only once the ring has it
        trust = Trust.of(roots_in(keys)) if keys else None
        found = audit_reader(reader, heads=filed, trust=trust, table=table, report=report)
        if found.sound and table is None:
            _log(reader, keys, others, published, found)
    return found


def _log(
    reader: Reader,
    keys: Path | None,
    others: Others,
    published: Checkpoint | LogFault | None,
    report: Report,
) -> None:
    """The transparency log, where the database is of a version that has one."""
    if not inspect(reader.connection).has_table(schema.log.name):
        return
    is_ring = keys is not None and not isinstance(read_file(keys), PublicFile)
    ring = KeyRing.load(keys) if keys is not None and is_ring else None
    try:
        found = audit_log(reader, ring, others, published)
    except Fault as fault:
        report.fault, report.fault_stream, report.fault_seq = fault.reason, fault.stream, fault.seq
        return
    report.leaves, report.checkpoints = found.leaves, found.checkpoints
    report.witnesses = found.witnesses
    report.unproven += found.unproven


def audit_archive(
    archive: Archive,
    *,
    trust: Trust | None = None,
    definitions: Definitions = OURS,
) -> Report:
    """One sealed period, alone: the same checks, from the snapshot it starts with."""
    report, header = Report(streams=1), archive.header
    report.unproven.append(
        "an archive is one period: what came before and after it was not looked at"
    )
    if trust is None:
        report.unproven.append("no key ring was given: signatures were not checked")
    try:
        begin = archive.begin(definitions.machine_of(header.stream))
        snapshots = dict[int, tuple[str, bytes]]()
        if archive.start:
            snapshots[header.first - 1] = hash_of(archive.start), archive.start
        signed = {head.seq: head for head in archive.heads}
        stream = _Stream(
            begin,
            signed,
            snapshots,
            [],
            trust,
            report,
            AuditedVouchers(),
            AuditedMoves(),
            is_archive=True,
        )
        stream.check(archive.rows, decode=definitions.decode)
        if stream.stream.state.seq != header.last:
            raise stream.fault(f"the archive ends before entry {header.last}", header.last)
    except Fault as fault:
        report.fault = fault.reason
    return report


def _heads(paths: Sequence[Path]) -> list[Head] | Fault | None:
    """All heads of all files; the fault of a file that cannot be read; None without any file."""
    found = list[Head]()
    for path in paths:
        try:
            with path.open("rb") as lines:
                found += read_heads(lines)
        except OSError as error:
            return Fault(f"cannot read the file of heads {path}: {first_line(error).lower()}")
        except Fault as fault:
            return fault
    return found if paths else None


def audit_reader(
    reader: Reader,
    *,
    heads: list[Head] | Fault | None,
    trust: Trust | None,
    table: str | None = None,
    report: Report | None = None,
) -> Report:
    report = report or Report()
    try:
        if isinstance(heads, Fault):
            raise heads
        _all(reader, heads, trust, table, report)
    except Fault as fault:
        report.fault, report.fault_stream, report.fault_seq = fault.reason, fault.stream, fault.seq
    except SQLAlchemyError:
        raise
    except Exception as error:  # whatever a value does that does not belong there
        report.fault = f"the database holds what cannot be read: {type(error).__name__} {error}"
    if heads is None:
        report.unproven.append(
            "no file of heads was given: a tail cut off together with its head would not be seen"
        )
    if trust is None:
        report.unproven.append("no key ring was given: signatures were not checked")
    return report


def _all(
    reader: Reader,
    heads: list[Head] | None,
    trust: Trust | None,
    table: str | None,
    report: Report,
) -> None:
    definitions = reader.definitions
    standing, written = reader.streams(), reader.written()
    for name in sorted(written - set(standing)):
        raise Fault("has entries and no head", stream=name, seq=0)
    if table is not None and table not in standing:
        raise Fault(f"there is no stream {table}; there are {', '.join(standing) or 'none'}")
    for name in sorted(reader.signed() - set(standing)):
        raise Fault("has signed heads and no entries", stream=name, seq=0)
    vouchers, moves, moving_cents, epoch = AuditedVouchers(), AuditedMoves(), 0, 1
    house: HouseState | None = None
    for name, row in standing.items():
        if table is not None and name != table:
            continue
        own = [head for head in heads or () if head.stream == name]
        begin = Stream.empty(name, definitions.machine_of(name))
        signed, snapshots = reader.heads(name), reader.snapshots(name)
        stream = _Stream(begin, signed, snapshots, own, trust, report, vouchers, moves)
        rows, transfers = reader.entries(name), reader.transfers(name)
        answered = Answered(reader, name)
        stream.check(rows, transfers=transfers, answered=answered, decode=definitions.decode)
        answered.end()
        stream.check_tables(reader, row)
        # of what was verified: a row could say any
        state = stream.stream.state
        moving_cents += stream.stream.balances.get(MOVING, 0)
        epoch = max(epoch, state.epoch)
        if isinstance(state, HouseState):
            house = state
        report.streams += 1
    if table is None:
        verify_standing(heads or (), standing, epoch)
        vouchers.check(reader, report.warnings)
        report.moves = moves.check(moving_cents, report.warnings)
        if house is not None:
            _verify_cards(reader, house)
    else:
        report.unproven.append(
            "only one stream was looked at: vouchers and moves between tables were not checked"
        )


def _verify_cards(reader: Reader, house: HouseState) -> None:
    """That a row leads to each patron whom the house protects; whether it is the right card only
    the key ring could tell, which the self-test has.
    """
    lost = unreachable(reader.connection, house, None)
    if lost:
        raise Fault(
            f"no row of the table of patrons leads to {lost[0]}, who is excluded or has limits",
            stream=house.stream,
            advice=f"of such there are {len(lost)}: run `puntobanco patron mend --from BACKUP`",
        )


def _as_dealt(order: Order, seed: str) -> list[str]:
    """The cards of a shoe in the order in which they must have been dealt: as committed to, or, of
    a shoe that witnesses mixed, under the permutation of its seed.
    """
    cards = mixed(order.cards, bytes.fromhex(seed)) if seed else order.cards
    return [code(card) for card in cards]


class _Stream:
    """One stream, entry by entry."""

    def __init__(
        self,
        begin: Stream[State],
        signed: dict[int, Head],
        snapshots: Mapping[int, tuple[str, bytes]],
        filed: list[Head],
        trust: Trust | None,
        report: Report,
        vouchers: AuditedVouchers,
        moves: AuditedMoves,
        *,
        is_archive: bool = False,
    ) -> None:
        self.is_archive = is_archive
        self.stream, self.name, self.first = begin, begin.name, begin.state.seq
        self.signed, self.snapshots = signed, snapshots
        self.trust, self.report, self.beside = trust, report, (vouchers, moves)
        self.filed_at = dict[int, list[Head]]()
        for head in filed:
            self.filed_at.setdefault(head.seq, []).append(head)
        self.lost = 0  # heads on file of entries that a recovery did not bring back
        self.dealt = list[str]()  # from the virtual shoe on the table, in order

    def check(
        self,
        rows: Iterable[Row],
        *,
        transfers: Iterator[TransferRow] | None = None,
        answered: Answered | None = None,
        decode: Decode,
    ) -> None:
        """Every entry, and the tables of transfers and answers beside it where there are any."""
        begin = self.stream
        for entry, head in chained(
            rows,
            self.name,
            seq=self.first,
            head=begin.head,
            at=begin.state.at,
            epoch=begin.state.epoch,
            decode=decode,
        ):
            self._before(entry)
            before = self.stream.state
            self._entry(entry, head)
            if transfers is not None:
                self._transfers(entry, transfers)
            if answered is not None:
                answered.see(entry)
            self._after(entry, before, head)
        seq = self.stream.state.seq
        if transfers is not None and next(transfers, None) is not None:
            raise self.fault("the table of transfers has more than the journal", seq)
        if not is_balanced(self.stream.balances):
            raise self.fault("debits and credits differ", seq)
        for stray in sorted(set(self.signed) - set(range(self.first + 1, seq + 1))):
            raise self.fault("a head is signed that has no entry", stray)
        last = max(self.signed, default=self.first)
        if last < seq:
            raise self.fault(f"no node has signed what comes after entry {last}", last + 1)
        if self.trust is not None and seq and not self.is_archive:
            self._verify_end(self.trust, self.signed[last])

    def _verify_end(self, trust: Trust, last: Head) -> None:
        """The last signature, by a root key that is not replaced."""
        filed = [head for heads in self.filed_at.values() for head in heads]
        seen = max(filed, key=lambda head: (head.epoch, head.seq), default=None)
        end = Head(stream=self.name, epoch=last.epoch, seq=last.seq, hash=self.stream.head)
        trust.verify_end(end, self.stream.state.keys, last, seen)

    def check_tables(self, reader: Reader, row: StreamRow) -> None:
        """What stands in the database beside the journal."""
        seq, hash_ = row.seq, row.hash
        if (self.stream.state.seq, self.stream.head) != (seq, hash_):
            raise self.fault(
                f"the stream's head is entry {seq} {hash_[:12]}; the last entry is another", seq
            )
        if row.at != self.stream.state.at:
            raise self.fault("the time of the stream's head is not that of the last entry", seq)
        if reader.due_at(self.name) != self.stream.due_at:
            raise self.fault("the stream's head says another time when the clock is due", seq)
        if reader.balances(self.name) != self.stream.balances:
            raise self.fault("the table of balances is not what the journal comes to", seq)
        epoch = self.stream.state.epoch
        for late in sorted(set(self.filed_at) - set(range(1, seq + 1))):
            newest = max(head.epoch for head in self.filed_at[late])
            if not late:
                self._restored(newest > epoch)
            elif newest >= epoch:
                raise Fault(
                    f"the file of heads knows entry {late}: the tail was cut off after {seq}",
                    stream=self.name,
                    seq=late,
                    advice=BEGIN_EPOCH,
                )
            else:
                self.lost += 1
        if self.lost:
            self.report.warnings.append(
                f"{self.name}: a recovery has lost {self.lost} commits that the file of heads knows"
            )
        self._leftovers(seq)

    def _restored(self, waits: bool) -> None:
        """A head without an entry was filed by a restore, and asks for an epoch."""
        if waits:
            self.report.warnings.append(
                f"{self.name} was restored: nodes do not open it before `puntobanco epoch begin`"
            )

    def fault(self, reason: str, seq: int) -> Fault:
        return Fault(reason, stream=self.name, seq=seq)

    def _before(self, entry: Entry) -> None:
        """What must hold of the state that the entry meets."""
        state = self.stream.state
        for event in entry.events:
            if isinstance(event, e.Wagered):
                self._wager(state, entry)
            elif isinstance(event, e.PeriodSealed):
                self._sealed(event, entry)

    def _wager(self, state: State, entry: Entry) -> None:
        round_ = state.round if isinstance(state, TableState) else None
        deadline = round_.deadline if round_ else None
        if deadline is not None and entry.at >= deadline:
            raise self.fault("a wager was taken after bets closed", entry.seq)

    def _entry(self, entry: Entry, head: str) -> None:
        try:
            self.stream.follow(entry, head)
        except AssertionError as error:
            raise self.fault(str(error), entry.seq) from None
        if entry.rules != self.stream.state.rules:
            raise self.fault(f"names the rules {entry.rules!r}", entry.seq)

    def _transfers(self, entry: Entry, stored: Iterator[TransferRow]) -> None:
        for n, transfer in enumerate(transfers_of(entry)):
            if next(stored, None) != (entry.seq, n, *transfer):
                raise self.fault("the table of transfers differs from the journal", entry.seq)

    def _after(self, entry: Entry, before: State, head: str) -> None:
        self.report.entries += 1
        state = self.stream.state
        if isinstance(state, TableState) and state.game and state.opened == entry.seq:
            self._game(state, entry.seq)
        for event in entry.events:
            for books in self.beside:
                books.see(event, self.name, entry.seq)
            if isinstance(before, TableState):
                self._of_table(event, before, entry.seq)
        self._signature(entry, head)
        for filed in self.filed_at.get(entry.seq, ()):
            if filed.epoch < entry.epoch:  # of what was lost before this epoch
                self.lost += 1
                continue
            if filed.hash != head:
                raise self.fault("is not the entry that the file of heads knows", entry.seq)
            if filed != self.signed.get(entry.seq):
                raise self.fault("has not the signature that the file of heads knows", entry.seq)

    def _of_table(self, event: e.Event, before: TableState, seq: int) -> None:
        if isinstance(event, e.Reckoning):
            self._reckoning(event, before, seq)
        if getattr(event, "commitment", ""):  # other cards are committed to from here on
            self.dealt.clear()
        is_virtual = before.shoe is not None and before.shoe.dealing == "virtual"
        if isinstance(event, e.CardDealt) and is_virtual:
            self.dealt.append(event.card)
        elif isinstance(event, e.ShoeEnded):
            self._shoe(event, before, seq)

    def _reckoning(self, event: e.Reckoning, before: TableState, seq: int) -> None:
        """A round that was settled or void, or whose settlement was taken back."""
        report = self.report
        if event.settles < 0:
            report.reopened += 1
            return
        if event.settles:
            self._settlement(event.round, event.lines, before, seq)
            report.rounds += 1
            report.wagers += len(event.lines)
            report.staked_cents += sum(line.stake_cents for line in event.lines)
        else:
            report.voids += 1
        if before.round and before.round.commitment:
            self._round_cards(event, before.round.commitment, seq)

    def _game(self, state: TableState, seq: int) -> None:
        """Its rounds are judged by the definition it was opened with; this program may have another
        by now.
        """
        changed = None if state.source else redefined(state.definition, state.digest)
        if changed:
            self.report.warnings.append(f"{self.name} entry {seq}: {changed.words.en}")

    def _settlement(
        self, round_: int, lines: Sequence[e.Line], before: TableState, seq: int
    ) -> None:
        """Every line anew, by the rules."""
        said = [line.by_rule for line in lines]
        right = [line.by_rule for line in lines_by_rule(before)]
        for a, b in zip_longest(said, right):
            if a != b:
                raise self.fault(f"round {round_}: a line says {a}, the rules say {b}", seq)

    def _shoe(self, event: e.ShoeEnded, before: TableState, seq: int) -> None:
        shoe = before.shoe
        assert shoe is not None, "`evolve` has checked it"
        self.report.shoes += 1
        if not shoe.commitment:
            return
        if not event.order:
            self.report.unproven.append(
                f"{self.name} shoe {shoe.number} was ended without revealing its cards"
            )
            return
        order = self._revealed(event.order, event.nonce, seq)
        if order.commitment != shoe.commitment:
            raise self.fault(
                f"the cards revealed are not those that shoe {shoe.number} committed to", seq
            )
        full = Counter(dict.fromkeys(before.playing.deck.cards, shoe.decks))
        if Counter(order.cards) != full:
            raise self.fault(f"shoe {shoe.number} did not hold {shoe.decks} whole decks", seq)
        self.report.abandoned += event.abandoned
        self.report.mixed += bool(shoe.seed)
        if shoe.waits_for_mix:  # no card of it was dealt, as `evolve` has checked
            return
        turned = [shoe.first_card] if shoe.first_card else []
        cards, burned = _as_dealt(order, shoe.seed), len(turned) + shoe.burn
        dealt = cards[burned : burned + len(self.dealt)]
        if cards[: len(turned)] != turned or dealt != self.dealt:
            raise self.fault(
                f"the cards dealt are not those that shoe {shoe.number} committed to", seq
            )
        self.dealt.clear()

    def _round_cards(self, event: e.Reckoning, committed: str, seq: int) -> None:
        cards, nonce = event.revealed()
        if not cards:
            self.report.unproven.append(
                f"{self.name} round {event.round} did not reveal the cards it committed to"
            )
            return
        order = self._revealed(cards, nonce, seq)
        if order.commitment != committed:
            raise self.fault(
                f"the cards revealed are not those that round {event.round} committed to", seq
            )
        if cards.split()[: len(self.dealt)] != self.dealt:
            raise self.fault(
                f"the cards dealt are not those that round {event.round} committed to", seq
            )

    def _revealed(self, text: str, nonce: str, seq: int) -> Order:
        try:
            return revealed(text, nonce)
        except (Refusal, ValueError):
            raise self.fault("the revealed cards cannot be read", seq) from None

    def _signature(self, entry: Entry, head: str) -> None:
        signed = self.signed.get(entry.seq)
        if signed is None:
            return
        if (signed.hash, signed.epoch) != (head, entry.epoch):
            raise self.fault("is not the entry whose head was signed", entry.seq)
        self._verify(signed)

    def _verify(self, head: Head) -> None:
        if self.trust is None:
            return
        self.trust.verify(head, self.stream.state.keys)
        self.report.signatures += 1

    def _sealed(self, event: e.PeriodSealed, entry: Entry) -> None:
        kept = self.snapshots.get(entry.seq - 1)
        own = self._own_snapshot(event.snapshot)
        if own is None:
            raise self.fault("the snapshot is not the state that was sealed", entry.seq)
        if kept != (event.snapshot, own) and not (kept is None and self.is_archive):
            raise self.fault(
                "the snapshot that is kept is missing, or not the one that was sealed", entry.seq
            )

    def _own_snapshot(self, sealed: str) -> bytes | None:
        """What the replay comes to, as whichever version of the program sealed it wrote it."""
        stream = self.stream
        for version in range(SNAPSHOT, FIRST_SNAPSHOT - 1, -1):
            own = snapshot(stream.machine, stream.state, stream.balances, stream.head, version)
            if hash_of(own) == sealed:
                return own
        return None

    def _leftovers(self, seq: int) -> None:
        """What is so far, and cannot be proved before something else has happened."""
        state, report = self.stream.state, self.report
        shoe = state.shoe if isinstance(state, TableState) else None
        if shoe and shoe.commitment:
            report.unproven.append(
                f"{self.name} shoe {shoe.number} is in play: its commitment is checked at its end"
            )
        if self.filed_at and max(self.filed_at) < seq:
            behind = seq - max(self.filed_at)
            report.unproven.append(f"{self.name}: the file of heads is {behind} entries behind")
