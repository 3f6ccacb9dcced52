"""Past rounds: the entries of one, the replay that its patron may see, a list of a table's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import puntobanco_floor.domain.events as e
from puntobanco.base.progress import Begin, counted, silent
from puntobanco.rules.cards import code
from puntobanco.rules.game import Game
from puntobanco_floor.audit.archive import Archive
from puntobanco_floor.audit.refusals import NoSuchRound
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.ledger import account_of
from puntobanco_floor.domain.stream_names import place_words
from puntobanco_floor.domain.table.state import RoundState, TableState, slots_of
from puntobanco_floor.store.batch import Stream
from puntobanco_floor.store.reader import Reader, reading
from puntobanco_floor.views.game_view import paying
from puntobanco_floor.views.table_view import (
    ComplaintView,
    Draw,
    Recall,
    corrected_of,
    reconstructed_of,
    shuffle_of,
    stop_view,
    why_of,
)
from puntobanco_proof.entry.format import Fault
from puntobanco_proof.entry.record import Record


@dataclass
class Story:
    """A round from the opening of its bets to the opening of the next ones."""

    stream: str
    number: int
    game: Game
    rules: str
    before: TableState  # as bets opened
    after: TableState
    entries: list[Entry]
    after_cents: dict[str, int]  # balances as the round was last settled or void
    revealed: tuple[str, str] = ("", "")  # its shoe's order and nonce, once the shoe is over

    @property
    def events(self) -> Iterator[tuple[Entry, e.Event]]:
        return ((entry, event) for entry in self.entries for event in entry.events)


def story(reader: Reader, stream: str, number: int, begin: Begin = silent) -> Story:
    if stream not in reader.streams():
        raise Fault(
            f"there is no stream {stream}; there are {', '.join(reader.streams()) or 'none'}"
        )
    machine = reader.definitions.table
    found = reader.snapshot_before(stream, number)
    start = Stream.restored(stream, machine, found[1]) if found else Stream.empty(stream, machine)
    first, last = start.state.seq, reader.streams()[stream].seq
    entries = reader.chain(stream, after=first, head=start.head)
    told = _found(start, counted(entries, begin("entries", last - first)), number)
    return replace(told, revealed=_revealed(reader, told))


def _revealed(reader: Reader, found: Story) -> tuple[str, str]:
    """By the end of its shoe, which is the last entry of a period."""
    shoe, last = found.before.shoe, found.entries[-1].seq
    assert shoe is not None, "bets open on a shoe"
    for seq in reader.snapshot_places(found.stream, upto=2**62):
        if seq < found.entries[0].seq:
            continue
        for entry in reader.decoded(found.stream, after=seq - 1, upto=seq):
            ended = e.end_of(entry.events, shoe.number)
            if ended is not None:
                return ended.revealed()
        if seq > last:
            break
    return "", ""


def archived_story(archive: Archive, number: int, definitions: Definitions = OURS) -> Story:
    return _found(archive.begin(definitions.table), archive.entries(definitions), number)


def _found(stream: Stream[TableState], entries: Iterable[tuple[Entry, str]], number: int) -> Story:
    found, before = list[Entry](), stream.state
    cents_after = dict[str, int]()
    for entry, head in entries:
        opens = e.round_opened(entry.events)
        if opens is not None and opens > number:
            break
        if opens == number:
            before = stream.state
        stream.follow(entry, head)
        if opens == number or found:
            found.append(entry)
            if any(isinstance(x, e.Outcome) for x in entry.events):
                cents_after = dict(stream.balances)
    if not found:
        raise Fault(f"{stream.name} has no round {number}; its last is {stream.state.rounds}")
    return Story(
        stream.name,
        number,
        before.playing,
        found[0].rules,
        before,
        stream.state,
        found,
        cents_after,
    )


# The replay for a patron, marked as one, with funds before and after


def recall(database: str, table: str, number: int, session: str, *, demo: bool) -> Recall:
    return build_recall(load_story(database, table, number), session, demo=demo)


def load_story(database: str, table: str, number: int) -> Story:
    """From the database, apart from the tables that play."""
    try:
        with reading(database) as reader:
            return story(reader, table, number)
    except Fault:
        raise NoSuchRound(say.NO_ROUND.format(number, place_words(table))) from None


def build_recall(found: Story, session: str, *, demo: bool) -> Recall:
    ends = [(entry.at, event) for entry, event in found.events if isinstance(event, e.Outcome)]
    round_ = found.after.round
    if not ends or found.after.is_in_play or round_ is None:
        raise NoSuchRound(say.ROUND_NOT_OVER.format(found.number))
    at, end = ends[-1]
    lines = [line for line in end.lines if line.session == session]
    wagered = sum(line.stake_cents for line in lines)
    paid = sum(line.paid_cents for line in lines)
    after = found.after_cents.get(account_of(session), 0)
    shoe = found.before.shoe
    assert shoe is not None, "bets open on a shoe"
    order, nonce = found.revealed
    reopenings = [event for _, event in found.events if isinstance(event, e.RoundReopened)]
    last = reopenings[-1] if reopenings else None
    return Recall(
        replay=True,
        table=found.stream,
        round=found.number,
        game=found.game.id,
        rules=found.rules,
        at=at,
        result=end.result,
        clause=end.clause,
        player=round_.play.player_points,
        banker=round_.play.banker_points,
        cards=_draws(round_),
        corrected=corrected_of(round_),
        reconstructed=reconstructed_of(found.game, round_),
        reopened=stop_view(last.ground, last.clause) if last else None,
        lines=lines,
        wagered_cents=wagered,
        paid_cents=paid,
        after_cents=after,
        demo=demo,
        complaints=_complaints(found, session, at, has_wagers=bool(lines)),
        shoe=shoe.number,
        shuffle=shuffle_of(shoe),
        order=order,
        nonce=nonce,
        paying=paying(found.game, round_.play) if round_.play.is_complete else {},
        before_cents=after + wagered - paid + sum(line.set_off_cents for line in lines),
    )


def _complaints(found: Story, session: str, at: int, *, has_wagers: bool) -> list[ComplaintView]:
    """List what the session may complain of: without wagers only that one was not taken."""
    seat = found.after.sessions.get(session)
    was_there = seat is not None and seat.since <= at
    if not (has_wagers or was_there):
        return []
    codes = tuple(e.COMPLAINTS) if has_wagers else (e.NOT_TAKEN,)
    views = list[ComplaintView]()
    for each in codes:
        words = e.complaint_words(each)
        views.append(ComplaintView(code=each, text=words))
    return views


def _draws(round_: RoundState) -> list[Draw]:
    """List the cards in dealing order, each with what the table of play called for."""
    found = list[Draw]()
    for dealt, (slot, card) in enumerate(slots_of(round_).items()):
        why = why_of(round_.play, dealt)
        draw = Draw(slot=slot, card=code(card), why=why.text, clause=why.clause)
        found.append(draw)
    return found


# The list: newest first, a page at a time, with what a session staked and got

ROUNDS_MOST = 20
"""Rounds of one page."""

ENTRIES_MOST = 5_000
"""Entries that one page looks through, however few rounds it finds there."""

_KINDS = (b"RoundSettled", b"RoundVoided")


class RoundRow(Record):
    """A round, and of its wagers those of the session that asks."""

    round: int
    at: int
    result: str  # as the roads write it, or VOID
    staked_cents: int
    back_cents: int  # stakes that came back and winnings


class RoundPage(Record):
    rounds: list[RoundRow]
    before: int | None  # the entry from which the next page goes back; none: there are no more


def round_page(
    database: str, table: str, session: str, *, before: int, mine: bool, since: int = 0
) -> RoundPage:
    """From the database, apart from the tables that play; back to `since`, when the session began.

    A round that was settled anew is listed as it was settled last.
    """
    found = dict[int, RoundRow]()
    seq = before
    with reading(database) as reader:
        for seq, data in reader.entries_before(table, before, most=ENTRIES_MOST):
            # most entries are wagers, and are passed over unread
            if not any(kind in data for kind in _KINDS):
                continue
            entry = reader.definitions.read(data, stream=table, seq=seq)
            if entry.at < since:
                return RoundPage(rounds=list(found.values()), before=None)
            for end in entry.events:
                if isinstance(end, e.Outcome):
                    row = _row(end, entry.at, session)
                    if row.staked_cents or not mine:
                        found.setdefault(row.round, row)
            if len(found) == ROUNDS_MOST:
                break
    return RoundPage(rounds=list(found.values()), before=seq if seq > 1 else None)


def _row(end: e.RoundSettled | e.RoundVoided, at: int, session: str) -> RoundRow:
    lines = [line for line in end.lines if line.session == session]
    return RoundRow(
        round=end.round,
        at=at,
        result=end.result,
        staked_cents=sum(line.stake_cents for line in lines),
        back_cents=sum(line.paid_cents for line in lines),
    )
