"""The referee: reads what is committed and hears what is answered, and stops the world when the two disagree.

It folds the journal by itself, keeps every patron's purse with its own arithmetic, and settles rounds by the rules that
were written by hand (`tests/support/oracle.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from puntobanco.base.refusal import Refusal
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entries import Entry, chained
from puntobanco_floor.domain.house.gaming_day import Calendar
from puntobanco_floor.domain.machine import CLOCK, Machine, State
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.reports.collection import gather
from puntobanco_floor.reports.figures import Thresholds
from puntobanco_floor.reports.interval import Interval
from puntobanco_floor.reports.reconciliation import comparisons, count_vouchers
from puntobanco_floor.store.batch import (
    REFUSED_KEPT_MS,
    STORE,
    Answer,
    Request,
    Stream,
    read_answer,
    state_hash,
)
from puntobanco_floor.store.errors import CommandReused, NotStored
from puntobanco_floor.store.reader import reading
from puntobanco_floor.store.sqlite_file import connect
from puntobanco_proof.entry.format import NOTHING, Fault, canonical
from puntobanco_proof.entry.heads import Head
from tests.support import oracle

if TYPE_CHECKING:
    from tests.soak.nodes import SteppedStore
    from tests.soak.world import World

LATE_MS = 2_000
"""A close may come so much after its deadline, while some node is up."""

CUT_MS = 7_200_000
"""A world is cut for reports within its last two hours."""

PATRON = "session:"
OPEN_VOUCHERS = "SELECT voucher, cents FROM vouchers WHERE redeemed_seq IS NULL"
Key = tuple[str, str, str]  # stream, who asks, command id


class Broken(BaseException):
    """Something does not hold. No `except Exception` on the way may swallow it."""


class Book:
    """One stream, as the referee has read it."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        # a table's, but for the floor's, of which nothing more is asked
        self.machine = cast("Machine[TableState]", OURS.machine_of(stream))
        self.state = self.machine.empty(stream=stream)
        self.head = NOTHING
        self.log = list[tuple[str, str]]()  # by and command of every entry
        self.credits = dict[str, int]()  # session -> what it has, by the events
        self.held = 0  # set apart for hand pays
        self.patrons = dict[str, str]()
        self.stakes = dict[tuple[str, str], int]()
        self.closed_round = 0
        self.opened_at = 0  # table time
        self.betting_since = 0  # simulated time
        self.settled = 0

    # Money, without the ledger

    def take(self, event: e.Event) -> None:
        match event:
            case (
                e.WagerPlaced(session=session, bet=bet, stake_cents=cents)
                | e.WagerRaised(session=session, bet=bet, by_cents=cents)
            ):
                self._stake(session, bet, cents)
            case e.WagerWithdrawn(session=session, bet=bet, by_cents=cents):
                self._stake(session, bet, -cents)
            case e.CreditsBought() | e.CreditsLoaded() | e.VoucherRedeemed():
                self._gain(event.session, event.cents)
            case e.CashedOut() if event.approved_by:
                self.held -= event.cents
                if self.held < 0:
                    raise Broken(f"{self.stream}: more was paid by hand than was set apart")
            case e.Proposed() if event.held_cents:
                self.held += event.held_cents
                self._gain(event.session, -event.held_cents)
            case e.ProposalRejected() | e.ProposalWithdrawn() if event.returned_cents:
                self.held -= event.returned_cents
                self._gain(event.session, event.returned_cents)
            case e.CashedOut() | e.VoucherIssued():
                self._gain(event.session, -event.cents)
            case e.RoundSettled():
                self.settled += 1
                self._verify_lines(event)
                self._pay(event.lines)
            case e.RoundVoided():
                if {(x.session, x.bet): x.paid_cents for x in event.lines} != self.stakes:
                    raise Broken(
                        f"{self.stream}: void round {event.round} does not return every stake"
                    )
                self._pay(event.lines)
            case e.RoundReopened():
                for recovery in event.recoveries:
                    self._gain(recovery.line.session, -recovery.recovered_cents)
            case e.BetsOpened():
                self.stakes = {}
            case e.SessionSeated(session=session, patron=patron):
                self.patrons[session] = patron
            case e.SessionEnded(session=session):
                if self.credits.pop(session, 0):
                    raise Broken(f"{self.stream}: {session} left credits behind")

    def _gain(self, session: str, cents: int) -> None:
        self.credits[session] = self.credits.get(session, 0) + cents
        if self.credits[session] < 0:
            raise Broken(f"{self.stream}: {session} has {self.credits[session]} cents")

    def _stake(self, session: str, bet: str, cents: int) -> None:
        self._gain(session, -cents)
        self.stakes[session, bet] = self.stakes.get((session, bet), 0) + cents
        if not self.stakes[session, bet]:
            del self.stakes[session, bet]

    def _pay(self, lines: Sequence[e.Line]) -> None:
        for line in lines:
            if paid := line.paid_cents - line.set_off_cents:
                self._gain(line.session, paid)

    def _verify_lines(self, event: e.RoundSettled) -> None:
        """Every stake has its line, and is paid by the rules that were written by hand."""
        if {(x.session, x.bet): x.stake_cents for x in event.lines} != self.stakes:
            raise Broken(
                f"{self.stream}: round {event.round} settles other stakes than were accepted"
            )
        if not event.lines:
            return
        game, cards = self.state.playing.id, event.cards.split()
        nets, bonus = (
            oracle.nets(game, cards),
            100 * oracle.tie_bonus_dollars(cards) if game == "six-star" else 0,
        )
        had_bonus = set[str]()
        for line in event.lines:
            net = line.returned_cents + line.winnings_cents - line.stake_cents
            right = (
                bonus if line.bet == "tie" and self.patrons[line.session] not in had_bonus else 0
            )
            if line.bet == "tie":
                had_bonus.add(self.patrons[line.session])
            if net != line.stake_cents * nets[line.bet] or line.bonus_cents != right:
                raise Broken(
                    f"{self.stream}: round {event.round} pays {line}, the rulebook {nets[line.bet]} to 1"
                )


class Referee:
    def __init__(self, world: World) -> None:
        self.world = world
        self.books = dict[str, Book]()
        self.answers = dict[Key, tuple[c.Command, Answer]]()
        self.owners = dict[tuple[str, int], Key]()  # stream and entry -> the command it answers
        self.seen = Counter[str]()  # kinds of events, and of replies
        self.issued, self.redeemed = dict[str, int](), dict[str, int]()
        self._db = connect(world.path, read_only=True)

    def close(self) -> None:
        self._db.close()

    # What is committed

    def look(self, store: SteppedStore | None = None) -> None:
        """Read on where anybody wrote; compare with what a node that just wrote holds in memory."""
        for stream, seq in self._db.execute("SELECT stream, seq FROM streams").fetchall():
            book = self.books.get(stream)
            if book is None:
                book = self.books[stream] = Book(stream)
            if book.state.seq != seq:
                self._read(book)
                self.world.changed(book)
        if self.world.complaints:
            raise Broken(self.world.complaints[0])
        if store is not None:
            for held in store.held():
                self._compare(self.books[held.name], held)

    def _read(self, book: Book) -> None:
        after = book.state
        rows = self._db.execute(
            "SELECT seq, data FROM entries WHERE stream = ? AND seq > ? ORDER BY seq",
            (book.stream, after.seq),
        ).fetchall()
        try:
            for entry, head in chained(
                rows, book.stream, seq=after.seq, head=book.head, at=after.at
            ):
                self._entry(book, entry)
                book.head = head
        except Fault as fault:
            raise Broken(f"the journal does not hold: {fault.reason}") from None
        self._verify_balances(book)

    def _entry(self, book: Book, entry: Entry) -> None:
        before = book.state
        for event in entry.events:
            if isinstance(event, e.WagerPlaced | e.WagerRaised | e.WagerWithdrawn):
                self._verify_in_time(book, entry, event.round)
            elif isinstance(event, e.BetsClosed):
                book.closed_round = event.round
                self._verify_close(book)
            elif isinstance(event, e.VoucherIssued):
                if event.voucher in self.issued:
                    raise Broken(f"voucher {event.voucher} is issued twice")
                self.issued[event.voucher] = event.cents
            elif isinstance(event, e.VoucherRedeemed):
                if event.voucher in self.redeemed or self.issued.get(event.voucher) != event.cents:
                    raise Broken(
                        f"voucher {event.voucher} is redeemed twice, or for other money than it is worth"
                    )
                self.redeemed[event.voucher] = event.cents
            self.seen[type(event).__name__] += 1
            book.take(event)
        book.state = book.machine.follow(book.state, entry)
        book.log.append((entry.by, entry.command))
        if entry.stream == FLOOR:
            return
        if book.state.phase == "betting" and before.phase != "betting":
            book.betting_since = self.world.now
            book.opened_at = entry.at if book.state.rounds != before.rounds else book.opened_at

    def _verify_in_time(self, book: Book, entry: Entry, round_: int) -> None:
        deadline = book.state.round.deadline if book.state.round else None
        if book.closed_round >= round_:
            raise Broken(
                f"{book.stream} entry {entry.seq}: a wager on round {round_} after its bets were closed"
            )
        if deadline is not None and entry.at >= deadline:
            raise Broken(
                f"{book.stream} entry {entry.seq}: a wager {entry.at - deadline} ms after the deadline"
            )

    def _verify_close(self, book: Book) -> None:
        late = self.world.overdue(book)
        if late > LATE_MS:
            raise Broken(f"{book.stream}: bets closed {late} ms late")

    def watch(self) -> None:
        """Between entries: a close that does not come at all."""
        for book in self.books.values():
            if book.stream != FLOOR and book.state.phase == "betting":
                self._verify_close(book)

    def _verify_balances(self, book: Book) -> None:
        rows = self._db.execute(
            "SELECT account, cents FROM balances WHERE stream = ?", (book.stream,)
        ).fetchall()
        if sum(cents for _, cents in rows):
            raise Broken(
                f"{book.stream}: debits and credits differ by {sum(cents for _, cents in rows)} cents"
            )
        self._compare_money(book, dict(rows), "the database")

    def _compare_money(self, book: Book, balances: Mapping[str, int], whose: str) -> None:
        kept = {
            account.removeprefix(PATRON): x
            for account, x in balances.items()
            if account.startswith(PATRON)
        }
        right = {session: cents for session, cents in book.credits.items() if cents}
        if kept != right:
            wrong = sorted(s for s in kept.keys() | right.keys() if kept.get(s) != right.get(s))
            told = ", ".join(f"{s} {right.get(s, 0)} (not {kept.get(s, 0)})" for s in wrong)
            raise Broken(
                f"{book.stream} at entry {book.state.seq}: {whose} is wrong, by the events it is {told}"
            )

    def _compare(self, book: Book, held: Stream[State]) -> None:
        """What a node holds in memory, where it stands at the same entry."""
        if held.state.seq == book.state.seq:
            if (held.state, held.head) != (book.state, book.head):
                raise Broken(
                    f"{book.stream}: a node's memory is not the fold of the journal at {book.state.seq}"
                )
            self._compare_money(book, held.balances, "a node's memory")

    # What is answered

    def told(self, request: Request, reply: Answer | Refusal) -> None:
        """A client hears this reply; it must be true, and the same every time."""
        key = (request.stream, request.command.by, request.id)
        self.seen[reply.code or "ok"] += 1
        if not isinstance(reply, Answer):
            self._refused(key, request, reply)
            return
        before = self.answers.get(key)
        if before is not None and _is_forgotten(before[1], reply):
            before = None
        if before is not None:
            if before[0] != request.command:
                raise Broken(
                    f"{key}: the answer to another command of this id: {before[0]}, now {request.command}"
                )
            if before[1] != reply:
                raise Broken(f"{key}: answered {before[1]}, now {reply}")
            return
        self.answers[key] = (request.command, reply)
        if reply.ok:
            self._acknowledged(key, request.command, reply)

    def _acknowledged(self, key: Key, command: c.Command, reply: Answer) -> None:
        stream, by, _ = key
        log = self.books[stream].log if stream in self.books else []
        if reply.seq > len(log):
            raise Broken(
                f"{key}: acknowledged as entry {reply.seq}, which is lost: the journal ends at {len(log)}"
            )
        if log[reply.seq - 1] != (by, command.name()):
            raise Broken(
                f"{key}: {command.name()} is acknowledged as entry {reply.seq}: {log[reply.seq - 1]}"
            )
        owner = self.owners.setdefault((stream, reply.seq), key)
        if owner != key:
            raise Broken(f"{key}: acknowledged as entry {reply.seq}, which is that of {owner}")

    def _refused(self, key: Key, request: Request, reply: Refusal) -> None:
        match reply:
            case NotStored():
                if (
                    "a fault in this program" in reply.reason
                    or "journal does not hold" in reply.reason
                ):
                    raise Broken(f"{key}: {request.command}: {reply.reason}")
            case CommandReused():
                if not self.world.clients[request.command.by].is_forgetful:
                    raise Broken(f"{key}: {reply.reason}")
            case _:
                raise Broken(f"{key}: {reply!r}")

    # The end of the world

    def verify_all(self, heads: Sequence[Path]) -> int:
        """When everything is answered; the cents that cannot be found."""
        self.look()
        self._verify_answers()
        for book in self.books.values():
            mine = {seq for stream, seq in self.owners if stream == book.stream}
            there = {n for n, (by, _) in enumerate(book.log, 1) if by not in (CLOCK, STORE)}
            if mine != there:
                wrong = min(mine ^ there)
                raise Broken(
                    f"{book.stream} entry {wrong} {book.log[wrong - 1]}: nobody's command, or done twice"
                )
            self._verify_fold(book)
        report = audit(self.world.path, heads=heads, keys=self.world.keys)
        if report.fault is not None:
            raise Broken(f"audit: {report.fault}")
        self._verify_reports()
        self._verify_heads(heads)
        return self._cents_lost()

    def _verify_reports(self) -> None:
        """Reports of the whole and of two parts, cut anywhere, tie out to the ledger."""
        ended, last = max(book.state.at for book in self.books.values()), 2**50
        cut = self.world.chance.randrange(ended - CUT_MS, ended)
        with reading(str(self.world.path)) as reader:
            for start, end in ((0, last), (0, cut), (cut, last)):
                found = gather(reader, Interval("life", start, end), Thresholds(), Calendar())
                for tie in comparisons(found, count_vouchers(reader, found, start, end), start):
                    if tie.report_cents != tie.ledger_cents:
                        raise Broken(f"a report of {start} to {end} does not tie out: {tie}")

    def _verify_heads(self, files: Sequence[Path]) -> None:
        """Every node has started again since it last died: the files know every signed head, and where streams stand."""
        filed = {line for file in files for line in file.read_bytes().splitlines()}
        wanted = "SELECT stream, epoch, seq, hash, key, signature FROM heads"
        heads = {Head(*row) for row in self._db.execute(wanted)}
        ends = {(head.stream, head.seq, head.hash) for head in heads}
        for book in self.books.values():
            if (book.stream, book.state.seq, book.head) not in ends:
                raise Broken(f"no node has signed where {book.stream} stands")
        for head in heads:
            if canonical(head) not in filed:
                raise Broken(f"no file of heads knows {head}")
        for key, (_, answer) in self.answers.items():
            if answer.ok and (answer.head not in heads or answer.head.seq < answer.seq):
                raise Broken(f"{key}: receipted with {answer.head}, for entry {answer.seq}")

    def _verify_answers(self) -> None:
        rows = self._db.execute(
            "SELECT stream, asked_by, command_id, answer FROM answers"
        ).fetchall()
        stored = {(stream, by, id_): read_answer(answer) for stream, by, id_, answer in rows}
        last = Counter[str]()  # when each stream last refused something
        for (stream, _, _), (_, answer) in self.answers.items():
            if not answer.ok:
                last[stream] = max(last[stream], answer.at)
        given = {
            key: replace(answer, head=None)
            for key, (_, answer) in self.answers.items()
            if answer.ok or answer.at >= last[key[0]] - REFUSED_KEPT_MS
        }
        if stored != given:
            wrong = min(
                key for key in stored.keys() | given.keys() if stored.get(key) != given.get(key)
            )
            raise Broken(
                f"{wrong}: the database has {stored.get(wrong)!r}, the client heard {given.get(wrong)!r}"
            )
        for key, (command, answer) in self.answers.items():
            if answer.ok:
                self._acknowledged(key, command, answer)

    def _verify_fold(self, book: Book) -> None:
        """As a node would load it now; and as the referee has folded it from the first entry on."""
        loaded = self.world.loaded(book.stream)
        own = Stream(book.stream, book.machine, book.state, loaded.balances, book.head)
        if state_hash(loaded) != state_hash(own):
            raise Broken(
                f"{book.stream}: what is loaded from the last snapshot is not the fold of the journal"
            )
        self._compare(book, loaded)
        self._verify_balances(book)

    def _cents_lost(self) -> int:
        """Patrons' credits and vouchers by the events, less what the database has of them."""
        rows = self._db.execute("SELECT stream, account, cents FROM balances").fetchall()
        kept = Counter(
            {
                (stream, account): cents
                for stream, account, cents in rows
                if account.startswith(PATRON)
            }
        )
        kept.update({("", v): cents for v, cents in self._db.execute(OPEN_VOUCHERS)})
        right = Counter(
            {
                (b.stream, PATRON + s): cents
                for b in self.books.values()
                for s, cents in b.credits.items()
            }
        )
        right.update({("", v): cents for v, cents in self.issued.items() if v not in self.redeemed})
        lost = sum(abs(right[place] - kept[place]) for place in right.keys() | kept.keys())
        if lost:
            raise Broken(f"{lost} cents are lost")
        return lost


def _is_forgotten(before: Answer, now: Answer) -> bool:
    """A refusal is kept for a time; after that the command is decided anew."""
    return not before.ok and now.at > before.at + REFUSED_KEPT_MS
