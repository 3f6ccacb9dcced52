"""One stream in an audit: chain, signatures, states, settlements, commitments, answers, tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from sqlalchemy.exc import SQLAlchemyError

import puntobanco_floor.domain.events as e
from puntobanco.base.progress import Advance, counted
from puntobanco.base.refusal import Refusal
from puntobanco.game_files import redefined
from puntobanco.rules.cards import code
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.entries import Decode, Entry, chained
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.ledger import MOVING, is_balanced
from puntobanco_floor.domain.machine import State
from puntobanco_floor.domain.snapshots import FIRST_SNAPSHOT, SNAPSHOT
from puntobanco_floor.domain.table.rulings import DoubtfulRuling, doubtful_rulings
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.domain.table.stops import lines_by_rule
from puntobanco_floor.journal.sealed_shoes import revealed
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.store.batch import Stream, read_answer, snapshot, transfers_of
from puntobanco_floor.store.reader import Reader, StreamRow, TransferRow
from puntobanco_proof.entry.format import Fault, Row, hash_bytes
from puntobanco_proof.entry.heads import BEGIN_EPOCH, Head
from puntobanco_proof.mix import shuffle_by_seed

AT_ONCE = 500
"""Entries whose answers are fetched together: one by one would take longer than all other checks.
"""


class Answered:
    """The answers of a stream. Each entry that a person asked for has its own row, so that the same
    command of the same person cannot be in two entries.
    """

    def __init__(self, reader: Reader, stream: str, *, after: int = 0) -> None:
        self._reader, self._stream, self._after = reader, stream, after
        self._asked = list[Entry]()  # not compared yet
        self._matched = 0

    def see(self, entry: Entry) -> None:
        if not entry.id:  # the clock's, or the store's
            return
        self._asked.append(entry)
        if len(self._asked) >= AT_ONCE:
            self._compare()

    def end(self) -> None:
        self._compare()
        kept = self._reader.answers_kept(self._stream, after=self._after)
        if kept != self._matched:
            raise Fault(
                f"the table of answers says that {kept} commands were done, the journal "
                f"{self._matched}",
                stream=self._stream,
            )

    def _compare(self) -> None:
        keys = [(entry.by, entry.id) for entry in self._asked]
        kept = self._reader.answers(self._stream, keys) if keys else {}
        for entry in self._asked:
            data = kept.get((entry.by, entry.id))
            if data is None:
                raise self._fault("has no answer in the table of answers", entry)
            answer = read_answer(data)
            if not answer.ok or answer.seq != entry.seq:
                raise self._fault("is not what the table of answers says of its command", entry)
        self._matched += len(self._asked)
        self._asked.clear()

    def _fault(self, reason: str, entry: Entry) -> Fault:
        return Fault(reason, stream=self._stream, seq=entry.seq)


NOTED = (e.VoucherMade, e.VoucherTaken, e.Moved, e.EntriesSetAside)
"""Events that are compared with those of other streams."""


@dataclass
class Report:
    """The figures of an audit, its first fault, and a list of what it could not prove."""

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
    # voids that today's table would refuse; they change no verdict
    rulings: list[DoubtfulRuling] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        return self.fault is None

    def add(self, other: Report) -> None:
        """Add the counts of another report, and what it could not prove."""
        for name, value in vars(other).items():
            if isinstance(value, int | list):
                setattr(self, name, getattr(self, name) + value)

    def fail(self, fault: Fault) -> None:
        self.fault, self.fault_stream, self.fault_seq = fault.reason, fault.stream, fault.seq


@dataclass
class Found:
    """What the audit of one stream comes to, for the checks over all streams."""

    report: Report = field(default_factory=Report)
    noted: list[tuple[e.Event, int]] = field(default_factory=list)  # with their entries
    is_reached: bool = False  # whether the stream has all entries that it had at first
    epoch: int = 1
    moving_cents: int = 0
    house: HouseState | None = None
    fault: Fault | None = None


def audit_stream(
    reader: Reader,
    name: str,
    cut: StreamRow,
    filed: list[Head],
    trust: Trust | None,
    advance: Advance = lambda _: None,
    start: int = 0,
) -> Found:
    """Check a stream as far as `cut`, from the snapshot after entry `start` if that is proved."""
    found, definitions = Found(), reader.definitions
    try:
        begin = _begin(reader, name, start)
        signed, snapshots = reader.heads(name, after=start), reader.snapshots(name, after=start - 1)
        later = [head for head in filed if head.seq > start or not head.seq]
        stream = AuditedStream(
            begin, signed, snapshots, later, trust, found, cut=cut.seq, advance=advance
        )
        rows, transfers = reader.entries(name, after=start), reader.transfers(name, after=start)
        answered = Answered(reader, name, after=start)
        stream.check(rows, transfers=transfers, answered=answered, decode=definitions.decode)
        answered.end()
        stream.check_tables(reader, reader.streams().get(name, cut))
        if not found.is_reached:
            raise stream.fault("was shortened while it was audited", cut.seq)
        found.report.streams = 1
    except Fault as fault:
        found.fault = fault
    except SQLAlchemyError:
        raise
    except Exception as error:  # whatever a value does that does not belong there
        found.fault = unreadable(error)
    return found


def _begin(reader: Reader, name: str, start: int) -> Stream[State]:
    if not start:
        return Stream.empty(name, reader.definitions.machine_of(name))
    begin = reader.restored(name, start)
    if begin is None:
        raise Fault("the snapshot is not the one that was sealed", stream=name, seq=start + 1)
    return begin


def unreadable(error: Exception) -> Fault:
    return Fault(f"the database holds what cannot be read: {type(error).__name__} {error}")


class AuditedStream:
    """One stream, entry by entry.

    The view may hold more than the audit is about: a process of its own takes its view a little
    later. Entries after `cut` are checked as well, and counted nowhere.
    """

    def __init__(
        self,
        begin: Stream[State],
        signed: dict[int, Head],
        snapshots: Mapping[int, tuple[str, bytes]],
        filed: list[Head],
        trust: Trust | None,
        found: Found,
        *,
        cut: int,
        advance: Advance = lambda _: None,
        is_archive: bool = False,
    ) -> None:
        self.is_archive, self.cut, self.advance = is_archive, cut, advance
        self.stream, self.name, self.first = begin, begin.name, begin.state.seq
        self.signed, self.snapshots = signed, snapshots
        self.trust, self.found = trust, found
        self.report, self.noted = found.report, found.noted
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
        self._reach(self.first)
        for entry, head in chained(
            counted(rows, self.advance),
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
            if entry.seq == self.cut:
                self._reach(entry.seq)
        seq = self.stream.state.seq
        self.report = self.found.report
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

    def _reach(self, seq: int) -> None:
        """Keep what the audit is about, and count nothing that comes after it."""
        if seq != self.cut:
            return
        state = self.stream.state
        self.found.is_reached = True
        self.found.epoch = state.epoch
        self.found.moving_cents = self.stream.balances.get(MOVING, 0)
        self.found.house = state if isinstance(state, HouseState) else None
        self.report, self.noted = Report(), []

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
            if not late:  # filed by a restore, which asks for an epoch
                if newest > epoch:
                    self.report.warnings.append(
                        f"{self.name} was restored: nodes do not open it before "
                        "`puntobanco epoch begin`"
                    )
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

    def fault(self, reason: str, seq: int) -> Fault:
        return Fault(reason, stream=self.name, seq=seq)

    def _before(self, entry: Entry) -> None:
        """What must hold of the state that the entry meets."""
        state = self.stream.state
        for event in entry.events:
            if isinstance(event, e.Wagered):
                round_ = state.round if isinstance(state, TableState) else None
                deadline = round_.deadline if round_ else None
                if deadline is not None and entry.at >= deadline:
                    raise self.fault("a wager was taken after bets closed", entry.seq)
            elif isinstance(event, e.PeriodSealed):
                self._sealed(event, entry)

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
        if isinstance(before, TableState):
            self.report.rulings += doubtful_rulings(entry, before)
        for event in entry.events:
            if isinstance(event, NOTED):
                self.noted.append((event, entry.seq))
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
        """Warn where this program has another definition of the game than the table plays."""
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
        which = f"shoe {shoe.number}"
        order = self._revealed(event.order, event.nonce, shoe.commitment, which, seq)
        full = Counter(dict.fromkeys(before.playing.deck.cards, shoe.decks))
        if Counter(order.cards) != full:
            raise self.fault(f"shoe {shoe.number} did not hold {shoe.decks} whole decks", seq)
        self.report.abandoned += event.abandoned
        self.report.mixed += bool(shoe.seed)
        if shoe.waits_for_mix:  # no card of it was dealt, as `evolve` has checked
            return
        turned = [shoe.first_card] if shoe.first_card else []
        # as committed to, or, of a shoe that witnesses mixed, under the permutation of its seed
        lay = shuffle_by_seed(order.cards, bytes.fromhex(shoe.seed)) if shoe.seed else order.cards
        cards, burned = [code(card) for card in lay], len(turned) + shoe.burn
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
        self._revealed(cards, nonce, committed, f"round {event.round}", seq)
        if cards.split()[: len(self.dealt)] != self.dealt:
            raise self.fault(
                f"the cards dealt are not those that round {event.round} committed to", seq
            )

    def _revealed(self, text: str, nonce: str, commitment: str, which: str, seq: int) -> Order:
        try:
            order = revealed(text, nonce)
        except (Refusal, ValueError):
            raise self.fault("the revealed cards cannot be read", seq) from None
        if order.commitment != commitment:
            raise self.fault(f"the cards revealed are not those that {which} committed to", seq)
        return order

    def _signature(self, entry: Entry, head: str) -> None:
        signed = self.signed.get(entry.seq)
        if signed is None:
            return
        if (signed.hash, signed.epoch) != (head, entry.epoch):
            raise self.fault("is not the entry whose head was signed", entry.seq)
        if self.trust is not None:
            self.trust.verify(signed, self.stream.state.keys)
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
            if hash_bytes(own) == sealed:
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
