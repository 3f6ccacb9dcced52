"""Events of sessions at a table, and of the money that comes in and goes out with them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from puntobanco.base.money import dollars
from puntobanco.base.words import Words
from puntobanco.rules.causes import Cause
from puntobanco_floor.domain.event import Event, EventTraits, Figure, Figures, MayBeByTwo
from puntobanco_floor.domain.ledger import (
    ADJUSTMENTS,
    CAGE,
    HELD,
    MOVING,
    VOUCHERS,
    Transfer,
    Transfers,
    account_of,
)
from puntobanco_floor.domain.stream_names import place_words


class SessionSeated(Event):
    traits = EventTraits(group="table", carried=True)
    words = Words("{session} takes a seat", "{session} 入座")
    session: str
    patron: str  # who; the session itself when nobody is known
    since: int = 0
    loss_cents: int | None = None  # the most that this session may lose, by the patron's own wish
    play_ms: int | None = None  # and how long it may bet


def seat_taken(event: Event) -> SessionSeated | None:
    return event if isinstance(event, SessionSeated) else None


class SessionLimited(Event):
    traits = EventTraits(group="table")
    words = Words("{session} has other limits of the patron's own", "{session} 更改自訂限額")
    session: str
    loss_cents: int | None
    play_ms: int | None


class SessionStopped(Event):
    """The session takes no more wagers; those in play are settled like any other."""

    traits = EventTraits(group="table", heading="stop")
    words = Words("session {session} stopped: {reason}", "{session} 已停止：{reason}")
    session: str
    reason: str | Cause


class SessionRestarted(Event):
    traits = EventTraits(group="table", heading="stop", carried=True)
    words = Words("session {session} goes on", "{session} 繼續")
    session: str


class SessionEnded(Event):
    traits = EventTraits(group="table", carried=True)
    words = Words("{session} leaves, {net_cents} net", "{session} 離座，淨額 {net_cents}")
    session: str
    patron: str = ""
    net_cents: int = 0  # what left with the patron, less what came in
    played_ms: int = 0
    moved_to: str = ""  # the table where the visit goes on: it is counted there

    def says(self) -> Words:
        if not self.moved_to:
            return super().says()
        said = Words("{} goes on at {}", "{} 轉往{}繼續")
        return said.format(self.session, place_words(self.moved_to))


# Cash and vouchers


class CreditsBought(MayBeByTwo):
    """For cash in the drawer of that shift at that cage window; a large one is by two people."""

    traits = EventTraits(group="money", heading="large buy-in", carried=True)
    words = Words("{session} buys {cents} for cash", "{session} 以現金買入 {cents}")
    session: str
    cents: int
    window: int = 0  # none where a demonstration gives credits
    shift: int = 0

    def reported(self) -> str:
        if not self.approved_by:
            return ""
        return f"{dollars(self.cents)} by {self.session}{self.by_two()}"

    def transfers(self) -> Transfers:
        return (Transfer(CAGE, account_of(self.session), self.cents),)

    def figures(self) -> Figures:
        return (Figure("bought_cents", self.cents, self.session),)


class CreditsLoaded(MayBeByTwo):
    """For cash that the staff collected."""

    traits = EventTraits(group="money", heading="staff load", carried=True)
    session: str
    cents: int
    reason: str
    window: int = 0
    shift: int = 0

    def says(self) -> Words:
        said = Words("{} gets {}{}", "{} 獲存入 {}{}")
        why = f" {self.reason}".rstrip()
        return said.format(self.session, dollars(self.cents), why)

    def reported(self) -> str:
        why = f": {self.reason}" if self.reason else ""
        return f"{dollars(self.cents)} to {self.session}{why}{self.by_two()}"

    def transfers(self) -> Transfers:
        return (Transfer(CAGE, account_of(self.session), self.cents),)

    def figures(self) -> Figures:
        loaded = Figure("loaded_cents", self.cents, self.session)
        return loaded, Figure("loads", 1, self.session)


class CashedOut(MayBeByTwo):
    """Cash from the cage. Two people approve a hand pay, of cents that were set apart before."""

    traits = EventTraits(group="money", heading="hand pay", carried=True)
    words = Words("{session} is paid {cents} in cash", "{session} 獲付現金 {cents}")
    session: str
    cents: int
    window: int = 0
    shift: int = 0

    def reported(self) -> str:
        if not self.approved_by:
            return ""
        return f"{dollars(self.cents)} to {self.session}{self.by_two()}"

    def transfers(self) -> Transfers:
        """What two people pay was set apart when it was asked for."""
        paid_from = HELD if self.approved_by else account_of(self.session)
        return (Transfer(paid_from, CAGE, self.cents),)

    def figures(self) -> Figures:
        name = "hand_paid_cents" if self.approved_by else "cashed_out_cents"
        return (Figure(name, self.cents, self.session),)


class VoucherRedeemed(Event):
    traits = EventTraits(group="money", beside=True)
    words = Words("{session} redeems a voucher of {cents}", "{session} 兌換票券 {cents}")
    session: str
    voucher: str
    cents: int
    expires_at: int = 0  # of the voucher

    def transfers(self) -> Transfers:
        return (Transfer(VOUCHERS, account_of(self.session), self.cents),)

    def figures(self) -> Figures:
        return (Figure("redeemed_cents", self.cents, self.session),)


class VoucherIssued(Event):
    traits = EventTraits(group="money", beside=True)
    words = Words("{session} takes {cents} as a voucher", "{session} 取票券 {cents}")
    session: str
    voucher: str
    cents: int
    expires_at: int

    def transfers(self) -> Transfers:
        return (Transfer(account_of(self.session), VOUCHERS, self.cents),)

    def figures(self) -> Figures:
        return (Figure("issued_cents", self.cents, self.session),)


class CreditsAdjusted(MayBeByTwo):
    """What a ruling on a past round awards a patron, by two people: credits for a seated session,
    cash from the drawer of that shift for a patron who has left.
    """

    traits = EventTraits(group="money", heading="adjustment", carried=True)
    session: str
    cents: int
    round: int
    note: str  # for the patron
    review: int = 0  # that it follows from; 0: none
    clause: str = ""  # of the round's rules
    direction: str = ""  # an inspector's, where no clause is cited
    window: int = 0  # 0: paid as credits
    shift: int = 0

    @property
    def ground(self) -> str:
        return self.clause or self.direction

    def says(self) -> Words:
        said = Words(
            "{} is paid {} for round {}, {}{}: “{}”", "{0} 因第 {2} 局獲補付 {1}，{3}{4}：「{5}」"
        )
        how = Words("as credits", "存入餘額")
        if self.window:
            how = Words("in cash at window {}", "於帳房 {} 號窗口以現金支付").format(self.window)
        review = Words("")
        if self.review:
            review = Words(", review {}", "，覆核 {}").format(self.review)
        return said.format(self.session, dollars(self.cents), self.round, how, review, self.note)

    def reported(self) -> str:
        return f"{self.says().en} [{self.ground}]{self.by_two()}"

    def transfers(self) -> Transfers:
        paid_to = CAGE if self.window else account_of(self.session)
        return (Transfer(ADJUSTMENTS, paid_to, self.cents),)

    def figures(self) -> Figures:
        count = Figure("adjustments", 1)
        if self.window:  # no credits, so on no terminal's meters
            return Figure("adjusted_cash_cents", self.cents), count
        return Figure("adjusted_cents", self.cents, self.session), count


CashMoved = CreditsBought | CreditsLoaded | CashedOut | CreditsAdjusted
"""Cash between a session and a drawer. An adjustment moves some if it names a window."""


# Moves: a session and its credits go from one table to another. The same id stands in the entries
# of both: reserved, arrived and settled; or reserved, refused and returned


class MoveReserved(Event):
    """At the old table: the credits are on the way, with the visit that they belong to."""

    traits = EventTraits(group="money", carried=True)
    words = Words("{session} goes with {cents} to {to}", "{session} 攜 {cents} 前往{to}")
    session: str
    move: str  # the id, in both streams
    to: str
    cents: int
    until: int  # it does not arrive later
    patron: str
    in_cents: int  # of the visit: what came in and has not left
    since: int
    loss_cents: int | None = None  # the patron's own limits
    play_ms: int | None = None

    def transfers(self) -> Transfers:
        return (Transfer(account_of(self.session), MOVING, self.cents),)

    def figures(self) -> Figures:
        return (Figure("moved_out_cents", self.cents, self.session),)


class MoveArrived(Event):
    """At the new table, where the session is seated."""

    traits = EventTraits(group="money", carried=True)
    words = Words(
        "{session} brings {cents} from {came_from}", "{session} 由{came_from}攜來 {cents}"
    )
    session: str
    move: str
    came_from: str
    cents: int
    until: int
    in_cents: int
    since: int

    def transfers(self) -> Transfers:
        return (Transfer(MOVING, account_of(self.session), self.cents),)

    def figures(self) -> Figures:
        return (Figure("moved_in_cents", self.cents, self.session),)


class MoveRefused(Event):
    """At the new table: nothing arrives there, now or later."""

    traits = EventTraits(group="money", carried=True)
    words = Words(
        "{session} cannot come from {came_from}: {reason}",
        "{session} 未能由{came_from}轉來：{reason}",
    )
    session: str
    move: str
    came_from: str
    until: int
    reason: Cause


class MoveSettled(Event):
    traits = EventTraits(group="money", carried=True)
    words = Words("{session} has arrived with {cents} at {to}", "{session} 的 {cents} 已到達{to}")
    session: str
    move: str
    to: str
    cents: int
    stopped: str | Cause = ""  # the session was stopped here while they were on the way


class MoveReturned(Event):
    """At the old table: they were refused at the other, and are credits here again."""

    traits = EventTraits(group="money", carried=True)
    words = Words("{session} has {cents} back: {reason}", "{session} 的 {cents} 已退回：{reason}")
    session: str
    move: str
    to: str
    cents: int
    in_cents: int
    reason: Cause

    def transfers(self) -> Transfers:
        return (Transfer(MOVING, account_of(self.session), self.cents),)

    def figures(self) -> Figures:
        return (Figure("moved_out_cents", -self.cents, self.session),)


MoveDecided = MoveArrived | MoveRefused
"""What the new table says of a move, once."""

MoveClosed = MoveSettled | MoveReturned
"""What the old table says then."""

Moved = MoveReserved | MoveDecided | MoveClosed
"""Any step of a move."""


# Reviews: a patron asks the house to look at a past round again, and the house answers. They move
# no money: a reopening or a correction does, and after the next round an adjustment


Complaint: TypeAlias = Literal[
    "wrong-payment", "wrong-result", "wager-not-taken", "wager-not-mine", "malfunction", "other"
]
Decision: TypeAlias = Literal["upheld", "corrected", "referred"]

NOT_TAKEN: Complaint = "wager-not-taken"
"""The one complaint about a round in which the patron had no wager."""

COMPLAINTS: dict[str, Words] = {
    "wrong-payment": Words("The payment is wrong", "派彩有誤"),
    "wrong-result": Words("A card or the result is wrong", "牌或結果有誤"),
    "wager-not-taken": Words("A wager was not taken", "投注未獲接受"),
    "wager-not-mine": Words("A wager was not mine", "有投注並非本人所下"),
    "malfunction": Words("The equipment failed", "設備故障"),
    "other": Words("Something else", "其他"),
}
"""What a patron may ask about, by code. A code is never given another meaning."""

DECISIONS: dict[str, Words] = {
    "upheld": Words("The round stands as it was played", "該局維持原有結果"),
    "corrected": Words("It is put right, as the note says", "予以更正，詳見說明"),
    "referred": Words("It is referred to the inspector", "已轉交督察處理"),
}
"""What the house may answer, by code."""

PAYABLE: frozenset[str] = frozenset({"corrected", "referred"})
"""Decisions that an adjustment may follow from: by the house, or by the inspector's direction."""


def complaint_words(code: str) -> Words:
    """One of a later version of the program stands for itself."""
    return COMPLAINTS.get(code, Words(code))


def decision_words(code: str) -> Words:
    return DECISIONS.get(code, Words(code))


class ReviewAsked(Event):
    """A patron, or the staff for one, asks for a review of a round that is over."""

    traits = EventTraits(group="decisions", heading="review asked")
    review: int  # its number at this table
    round: int
    session: str
    patron: str  # who; the session itself when nobody is known
    at: int
    complaint: str  # one of COMPLAINTS
    note: str  # in the patron's own words
    rules: str  # of the round: its rulebook and version
    dealt_by: tuple[str, ...] = ()  # of the staff; none of them answers it
    ruled_by: tuple[str, ...] = ()  # void, reopened, corrected or the like; nor do these
    asked_by: str = ""  # of the staff, at the desk; none: the patron, on the terminal

    @property
    def barred(self) -> tuple[str, ...]:
        """Staff who do not answer it, each once; dealers first, as older journals have them."""
        people = dict.fromkeys((*self.dealt_by, *self.ruled_by, self.asked_by))
        return tuple(filter(None, people))

    def says(self) -> Words:
        said = Words("{} asks for review {} of round {}: {}{}", "{} 要求覆核 {}，第 {} 局：{}{}")
        if self.asked_by:
            said = Words(
                "{5} asks for {0}, review {1} of round {2}: {3}{4}",
                "{5} 代 {0} 要求覆核 {1}，第 {2} 局：{3}{4}",
            )
        complaint, note = complaint_words(self.complaint), _quoted(self.note)
        return said.format(self.session, self.review, self.round, complaint, note, self.asked_by)

    def reported(self) -> str:
        return self.says().en


class ReviewAnswered(Event):
    """The house's decision, under a clause of the game's rules."""

    traits = EventTraits(group="decisions", heading="review answered")
    review: int
    round: int
    session: str
    decision: str  # one of DECISIONS
    clause: str
    note: str  # for the patron
    by: str
    payable: bool = False  # an adjustment may follow; earlier versions did not record it

    def says(self) -> Words:
        said = Words("review {} of round {} answered: {}{}", "覆核 {}（第 {} 局）裁決：{}{}")
        decision = decision_words(self.decision)
        return said.format(self.review, self.round, decision, _quoted(self.note))

    def reported(self) -> str:
        return f"{self.says().en} [{self.clause}]"


def _quoted(note: str) -> Words:
    return Words(f", “{note}”", f"，「{note}」") if note else Words("")
