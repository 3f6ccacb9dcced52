"""Subjects of receipts: the entries of a table that a receipt is about, and which parts of each it
shows. It shows no part that its session may not see.
"""

from __future__ import annotations

from collections.abc import Callable
from types import UnionType
from typing import NamedTuple

import puntobanco_floor.domain.table.events as e
from puntobanco.base.words import Words
from puntobanco_floor.audit.round_replay import story
from puntobanco_floor.domain.entry import Entry
from puntobanco_floor.evidence.disclosure import Piece, may_see, named_by, pieces_of
from puntobanco_floor.evidence.refusals import NoReceipt
from puntobanco_floor.store.reader import Reader
from puntobanco_proof.receipt_format import What

MOST_ENTRIES = 400
"""Of one receipt: a long shoe has a hundred rounds, a session fewer movements of money."""

MOST_CARDS = 1_000
"""Entries of one card each that are read for a shoe: most are left out again where their round is
settled. Eight decks are fewer.
"""


NOTHING = Words("there is nothing of yours to show here", "此處沒有可顯示的記錄")
TOO_MUCH = Words("there is more to show than a receipt holds", "內容超出一張收據的上限")

_IN_SESSION = (
    e.SessionSeated
    | e.SessionLimited
    | e.SessionStopped
    | e.SessionRestarted
    | e.SessionEnded
    | e.CreditsBought
    | e.CreditsLoaded
    | e.CreditsAdjusted
    | e.CashedOut
    | e.VoucherRedeemed
    | e.VoucherIssued
    | e.MoveReserved
    | e.MoveArrived
    | e.MoveSettled
    | e.MoveReturned
)
"""What a session's receipt shows: where it sat, and its money in and out; wagers have their own."""

_OF_SHOE = frozenset({"ShoeStarted", "ShoeMixed", "ShoeEnded"})


class Found(NamedTuple):
    """An entry that a receipt shows in part: the places of the parts."""

    seq: int
    data: bytes
    places: list[int]
    is_named: bool  # whether one of them names the session


Wanted = Callable[[Piece], bool]


def choose_parts(reader: Reader, what: What, first: int, last: int) -> list[Found]:
    """Between two entries of the table; refuses where there is nothing, or too much."""
    wanted = _WANTED[what.kind](what)
    needed = _NEEDED[what.kind]
    is_whole = False
    shown, cards = list[Found](), 0
    for seq, data in reader.entries(what.table, after=first - 1, upto=last):
        entry = reader.definitions.read(data, stream=what.table, seq=seq)
        seen = (piece for piece in pieces_of(entry) if may_see(piece, what.session))
        own = [piece for piece in seen if wanted(piece)]
        is_whole = is_whole or any(isinstance(piece.event, needed) for piece in own)
        if own:
            is_named = any(named_by(piece) for piece in own)
            shown.append(Found(seq, data, [piece.place for piece in own], is_named))
            cards += all(isinstance(piece.event, e.CardDealt) for piece in own)
        if cards > MOST_CARDS or len(shown) - cards > MOST_ENTRIES:
            raise NoReceipt(TOO_MUCH)
    if not is_whole:
        raise NoReceipt(NOTHING)
    return shown


def _of_wager(what: What) -> Wanted:
    def wanted(piece: Piece) -> bool:
        event, line = piece.event, piece.line
        if getattr(event, "round", 0) != what.round:
            return False
        if line is not None:
            return (line.session, line.bet) == (what.session, what.bet)
        if isinstance(event, e.Wagered):
            return (event.session, event.bet) == (what.session, what.bet)
        own = (what.session, what.bet)
        is_own = any((line.session, line.bet) == own for line in getattr(event, "lines", ()))
        return isinstance(event, e.Reckoning) and is_own

    return wanted


def _of_round(what: What) -> Wanted:
    def wanted(piece: Piece) -> bool:
        event = piece.event
        return (
            isinstance(event, e.BetsOpened | e.Wagered | e.BetsClosed | e.Reckoning)
            and event.round == what.round
        )

    return wanted


def _of_voucher(what: What) -> Wanted:
    def wanted(piece: Piece) -> bool:
        event = piece.event
        return isinstance(event, e.VoucherIssued) and event.voucher == what.voucher

    return wanted


def _of_session(what: What) -> Wanted:
    def wanted(piece: Piece) -> bool:
        event = piece.event
        return isinstance(event, _IN_SESSION) and event.session == what.session

    return wanted


def _of_shoe(what: What) -> Wanted:
    """What everybody at the table saw of it. A round of an earlier shoe may be reopened while this
    one lies there: it is not shown.
    """
    rounds = set[int]()

    def wanted(piece: Piece) -> bool:
        event = piece.event
        if type(event).__name__ in _OF_SHOE:
            return getattr(event, "shoe", 0) == what.shoe
        if isinstance(event, e.BetsOpened) and event.shoe == what.shoe:
            rounds.add(event.round)
        is_of_round = isinstance(event, e.Outcome | e.CardDealt) and event.round in rounds
        return piece.line is None and is_of_round

    return wanted


_WANTED: dict[str, Callable[[What], Wanted]] = {
    "wager": _of_wager,
    "round": _of_round,
    "voucher": _of_voucher,
    "session": _of_session,
    "shoe": _of_shoe,
}


_NEEDED: dict[str, UnionType | type[e.Event]] = {
    "wager": e.Wagered,
    "round": e.BetsOpened,
    "voucher": e.VoucherIssued,
    "session": e.SessionSeated,
    "shoe": e.ShoeStarted,
}
"""Without which it is no receipt of its kind, and a verifier refuses it."""


def drop_repeated_cards(reader: Reader, what: What, shown: list[Found]) -> list[Found]:
    """Rounds of a shoe that is over: the cards of each, once. Before the end there is nothing that
    its cards could be held against.
    """
    events = list[tuple[Found, e.Event]]()
    for each in shown:
        entry = reader.definitions.read(each.data, stream=what.table, seq=each.seq)
        events += [(each, event) for event in entry.events]
    of_shoe = [event for _, event in events if getattr(event, "shoe", 0) == what.shoe]
    is_over = any(isinstance(event, e.ShoeEnded) for event in of_shoe)
    settled = {event.round for _, event in events if isinstance(event, e.RoundSettled)}
    kept = list[Found]()
    for each in shown:
        own = [event for found_, event in events if found_ is each]
        dealt = [event.round for event in own if isinstance(event, e.CardDealt)]
        is_settled = any(isinstance(event, e.RoundSettled) for event in own)
        is_round = is_settled or bool(dealt)
        is_told = is_settled or not settled.issuperset(dealt)
        if not is_round or (is_over and is_told):
            kept.append(each)
    return kept


def find_voucher(entry: Entry, session: str) -> str:
    """What the books know the voucher by that an entry issued to a session; nothing if none."""
    for event in entry.events:
        if isinstance(event, e.VoucherIssued) and event.session == session:
            return event.voucher
    return ""


# Where to look


class Span(NamedTuple):
    first: int
    last: int


def span_of_round(reader: Reader, table: str, number: int) -> Span:
    entries = story(reader, table, number).entries
    return Span(entries[0].seq, entries[-1].seq)


def span_of_shoe(reader: Reader, table: str, number: int) -> Span:
    """From the snapshot before it to the entry that ends it, or to the last one."""
    first, last = 0, reader.streams()[table].seq
    for seq in reader.snapshot_places(table, upto=last):
        state = reader.snapshot(table, seq).state
        shoes = state.get("shoes", 0)
        if isinstance(shoes, int) and shoes < number:
            first = seq
        elif shoes == number and state.get("shoe") is None:
            return Span(first + 1, seq)
    return Span(first + 1, last)


def span_of_session(reader: Reader, table: str, session: str, *, since: int) -> Span:
    """From its seat on; not before `since`, which bounds what is read."""
    first = reader.first_at(table, since)
    name = f'"{session}"'.encode()
    named = [seq for seq, data in reader.entries(table, after=first - 1) if name in data]
    if not named:
        raise NoReceipt(NOTHING)
    return Span(named[0], named[-1])
