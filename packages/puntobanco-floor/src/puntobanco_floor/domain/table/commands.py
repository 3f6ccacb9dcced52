"""Commands: what is asked of a table, in the imperative. `by` is who asks."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco.rules.causes import SESSION_CAUSES, TABLE_CAUSES, Cause
from puntobanco_floor.domain import proposals
from puntobanco_floor.domain.commands import (
    CASHIERS,
    DEALERS,
    DECIDERS,
    MANAGERS,
    SUPERVISORS,
    Allowance,
    Anything,
    Cash,
    Cents,
    Command,
    CommandTraits,
    Id,
    Note,
)
from puntobanco_floor.domain.machine import Asked, Events
from puntobanco_floor.domain.proposals import (  # noqa: F401 - commands of this machine, too
    Approve,
    Reject,
    WithdrawProposal,
    always,
)
from puntobanco_floor.domain.table.state import (
    ALWAYS,
    BETTING,
    BETWEEN,
    DEALING,
    DOWN,
    IN_PLAY,
    OPEN,
    STOPPED,
    TableState,
)

MAX_SOURCE = 200_000
"""Characters of a designer's file."""

Said = Annotated[str, Meta(min_length=1, max_length=400)] | Cause
"""A cause of the floor, or one that a person chose. Older programs gave a person's own words."""

CardCode = Annotated[str, Meta(min_length=1, max_length=8)]
CardCodes = Annotated[str, Meta(max_length=200)]
CardCount = Annotated[int, Meta(ge=0, le=10_000)]
Moment = Annotated[int, Meta(ge=0, le=2**53)]
MAX_BURN = 50
MAX_MIXERS = 32
WitnessName = Annotated[str, Meta(min_length=1, max_length=200)]
Signature = Annotated[str, Meta(max_length=1_024)]
MAX_REVIEW_NOTE = 200


# When a second person is needed


def once_it_counts(
    asked: Asked[TableState], command: CorrectCard, found: Events
) -> e.Proposed | None:
    """A dealer corrects alone while cards are dealt; not once the round is stopped or complete."""
    state = asked.state
    counts = state.phase == "stopped" or state.current.play.is_complete
    return always(asked, command, found) if counts else None


def above_staff_load(
    asked: Asked[TableState], command: LoadCredits, found: Events
) -> e.Proposed | None:
    limits = asked.state.limits
    is_large = limits is not None and command.cents > limits.staff_load_cents
    return always(asked, command, found) if is_large else None


def above_buy_in(asked: Asked[TableState], command: BuyIn, found: Events) -> e.Proposed | None:
    limits = asked.state.limits
    is_large = limits is not None and 0 < limits.large_buy_in_cents < command.cents
    return always(asked, command, found) if is_large else None


def above_hand_pay(asked: Asked[TableState], command: CashOut, found: Events) -> e.Proposed | None:
    """Ask by all that the session has: a large sum paid in parts is still a large sum. So is any
    sum of a session from before a recovery. The cents are set apart, and paid whatever is won
    since.
    """
    before, session = asked.state.proposals, command.session
    has = asked.funds.of(session) + before.held_for(session)
    if not (asked.state.is_hand_pay(has) or asked.state.sessions[session].by_two):
        return None
    [cents] = (event.cents for event in found if isinstance(event, e.CashedOut))
    exact = msgspec.structs.replace(command, cents=cents)
    return proposals.propose(before, exact, asked.now, session=session, held_cents=cents)


# The commands


class OpenTable(Command):
    """With a built-in game by its id, or with a designer's definition and the text of its file."""

    traits = CommandTraits(title=Words("open the table", "開啟賭枱"), phases=DOWN, by=MANAGERS)

    game: Annotated[str, Meta(max_length=400)]
    limits: e.Limits | None = None  # the game's own defaults
    clock: e.Clock = e.Clock()
    cards: e.Cards = e.Cards()
    definition: dict[str, Anything] | None = None
    source: Annotated[str, Meta(max_length=MAX_SOURCE)] = ""


class CloseTable(Command):
    traits = CommandTraits(
        title=Words("close the table", "關閉賭枱"),
        phases=BETWEEN,
        by=MANAGERS,
        cards=True,
        causes=TABLE_CAUSES,
    )

    reason: Note | Cause = ""


class HaltTable(Command):
    """No new round; the one in play ends by rule. With `closes` the clock then closes the table."""

    traits = CommandTraits(
        title=Words("stop the table", "暫停賭枱"), phases=OPEN, by=MANAGERS, causes=TABLE_CAUSES
    )

    reason: Said
    by_floor: bool = False
    closes: bool = False


class RestartTable(Command):
    traits = CommandTraits(
        title=Words("start the table again", "恢復賭枱"), phases=OPEN, by=MANAGERS
    )


class ChangeLimits(Command):
    """Made at once between rounds. In a round it is scheduled. The same for clock and cards."""

    traits = CommandTraits(title=Words("change the limits", "更改限額"), phases=OPEN, by=MANAGERS)

    limits: e.Limits


class ChangeClock(Command):
    traits = CommandTraits(title=Words("change the clock", "更改計時"), phases=OPEN, by=MANAGERS)

    clock: e.Clock


class ChangeCards(Command):
    traits = CommandTraits(
        title=Words("change the cards of new shoes", "更改新靴設定"), phases=OPEN, by=MANAGERS
    )

    cards: e.Cards


class WithdrawChange(Command):
    traits = CommandTraits(
        title=Words("withdraw a scheduled change", "撤回預定更改"), phases=IN_PLAY, by=MANAGERS
    )

    kind: e.ChangeKind


class NewShoe(Command):
    """Fields that are not given are as the table is set."""

    traits = CommandTraits(
        title=Words("put on a new shoe", "換上新靴"), phases=BETWEEN, by=SUPERVISORS, cards=True
    )

    dealing: e.Dealing | None = None
    source: e.Source | None = None
    decks: int | None = None
    cut: Annotated[int, Meta(ge=0, le=1_000)] | None = None
    burn: Annotated[int, Meta(ge=0, le=MAX_BURN)] | Literal["first-card"] | None = None
    first_card: Annotated[str, Meta(max_length=8)] = ""
    set_id: Annotated[str, Meta(max_length=64)] = ""
    counted: CardCount | None = None


class BurnCards(Command):
    """Cards that left the shoe outside a round: these codes, and so many unseen."""

    traits = CommandTraits(
        title=Words("count cards out of the shoe", "從牌靴中剔除牌"),
        about="shoe",
        phases=OPEN - {"betting"},
        by=DEALERS,
        second=always,
    )

    cards: CardCodes = ""
    unseen: Annotated[int, Meta(ge=0, le=50)] = 0
    detail: Note = ""


class CountShoe(Command):
    """All cards of the set: in the shoe, on the table, among the discards."""

    traits = CommandTraits(
        title=Words("count the shoe", "點算牌靴"), phases=OPEN - {"stopped"}, by=DEALERS
    )

    cards: CardCount


class EndShoe(Command):
    traits = CommandTraits(
        title=Words("end the shoe", "結束此靴"), phases=BETWEEN, by=SUPERVISORS, cards=True
    )


class MixShoe(Command):
    """The answers of the witnesses that the shoe names; a node gives it, once it has all."""

    traits = CommandTraits(title=Words("mix the shoe", "混洗牌靴"), phases=BETWEEN, cards=True)

    shoe: Annotated[int, Meta(ge=1)]
    signatures: Annotated[dict[WitnessName, Signature], Meta(max_length=MAX_MIXERS)]


class AbandonShoe(Command):
    """A shoe that was to be mixed and was not in time; the clock gives it."""

    traits = CommandTraits(title=Words("abandon the shoe", "棄用此靴"), phases=BETWEEN, cards=True)


class SeatSession(Command):
    """The limits are the patron's own: the most this session may lose, and how long it may bet."""

    traits = CommandTraits(title=Words("seat a session", "入座"), phases=OPEN)

    session: Id
    patron: Annotated[str, Meta(max_length=64)] = ""
    loss_cents: Allowance | None = None
    play_ms: Allowance | None = None


class LimitSession(Command):
    traits = CommandTraits(title=Words("set a session's own limits", "設定自訂限額"), phases=ALWAYS)

    session: Id
    loss_cents: Allowance | None
    play_ms: Allowance | None


class StopSession(Command):
    """No more wagers; those in play are settled like any other."""

    traits = CommandTraits(
        title=Words("stop a session", "暫停客人投注"),
        phases=ALWAYS,
        by=MANAGERS,
        causes=SESSION_CAUSES,
    )

    session: Id
    reason: Said


class RestartSession(Command):
    traits = CommandTraits(
        title=Words("let a session play again", "恢復客人投注"), phases=ALWAYS, by=MANAGERS
    )

    session: Id


class LeaveSeat(Command):
    traits = CommandTraits(title=Words("leave the seat", "離座"), phases=ALWAYS)

    session: Id


class ReserveMove(Command):
    """All credits on the way to another table; the session follows when they have arrived."""

    traits = CommandTraits(title=Words("move to another table", "轉往另一賭枱"), phases=ALWAYS)

    session: Id
    move: Id
    to: Id


class ArriveMove(Command):
    """By the floor: credits that another table has reserved, the epoch of that reservation, and why
    the house lets the patron play no more, if it does not.
    """

    traits = CommandTraits(title=Words("receive a move", "接收轉來的餘額"), phases=ALWAYS)

    session: Id
    move: Id
    came_from: Id
    epoch: Annotated[int, Meta(ge=1)]
    cents: Cents
    until: Moment
    patron: Annotated[str, Meta(max_length=64)]
    in_cents: int
    since: Moment
    loss_cents: Allowance | None = None
    play_ms: Allowance | None = None
    objection: Cause | None = None


class SettleMove(Command):
    """The credits have arrived; the floor gives it."""

    traits = CommandTraits(title=Words("settle a move", "完成轉移"), phases=ALWAYS)

    session: Id
    move: Id


class ReturnMove(Command):
    """They were refused at the other table; the floor gives it."""

    traits = CommandTraits(title=Words("return a move", "退回轉移"), phases=ALWAYS)

    session: Id
    move: Id
    reason: Cause


class BuyIn(Cash):
    """Cash for credits. Above `large_buy_in_cents` it waits for a second person."""

    traits = CommandTraits(
        title=Words("take a buy-in", "收取買入款"),
        about="money",
        phases=OPEN,
        by=CASHIERS,
        second=above_buy_in,
    )

    session: Id
    cents: Cents


class LoadCredits(Cash):
    """Credits for cash that the staff collected. Above `staff_load_cents` it waits for two."""

    traits = CommandTraits(
        title=Words("load credits", "存入餘額"),
        about="money",
        phases=OPEN,
        by=CASHIERS,
        second=above_staff_load,
    )

    session: Id
    cents: Cents
    reason: Note = ""


class RedeemVoucher(Command):
    traits = CommandTraits(title=Words("redeem a voucher", "兌換票券"), phases=OPEN)

    session: Id
    voucher: Id


class IssueVoucher(Command):
    """All credits to a voucher, good for so long or until then; the session ends."""

    traits = CommandTraits(title=Words("cash out to a voucher", "兌出票券"), phases=ALWAYS)

    session: Id
    voucher: Id
    expires_at: Annotated[int, Meta(gt=0, le=2**53)] = 2**53
    valid_ms: Annotated[int, Meta(gt=0, le=10**12)] | None = None


class CashOut(Cash):
    """Credits for cash; the session ends when none are left. Above `hand_pay_cents` it is a hand
    pay: the cents are set apart at once, and a second person decides.
    """

    traits = CommandTraits(
        title=Words("pay credits out in cash", "以現金支付餘額"),
        about="money",
        phases=ALWAYS,
        by=CASHIERS,
        second=above_hand_pay,
    )

    session: Id
    cents: Cents | None = None


class OpenBets(Command):
    traits = CommandTraits(
        title=Words("open bets", "開始投注"), phases=BETWEEN, by=DEALERS, cards=True, stakes=True
    )


class PlaceWager(Command):
    traits = CommandTraits(title=Words("place a wager", "投注"), phases=BETTING, stakes=True)

    round: int
    session: Id
    bet: str
    stake_cents: Cents


class RaiseWager(Command):
    traits = CommandTraits(title=Words("raise a wager", "加注"), phases=BETTING, stakes=True)

    round: int
    session: Id
    bet: str
    by_cents: Cents


class WithdrawWager(Command):
    traits = CommandTraits(title=Words("withdraw a wager", "撤回投注"), phases=BETTING)

    round: int
    session: Id
    bet: str
    by_cents: Cents | None = None


class CloseBets(Command):
    traits = CommandTraits(title=Words("close bets", "截止投注"), phases=BETTING, by=DEALERS)


class DealCard(Command):
    traits = CommandTraits(
        title=Words("deal a card", "派牌"), phases=DEALING, by=DEALERS, cards=True
    )


class EnterCard(Command):
    """A card that the dealer has scanned, or keyed `by_hand`, which everybody is told."""

    traits = CommandTraits(title=Words("enter a card", "輸入牌"), phases=DEALING, by=DEALERS)

    card: CardCode
    by_hand: bool = False


class CorrectCard(Command):
    traits = CommandTraits(
        title=Words("correct a card", "更正牌"),
        phases=frozenset({"dealing", "stopped"}),
        by=DEALERS,
        second=once_it_counts,
    )

    slot: Annotated[str, Meta(max_length=2)]
    card: CardCode


class DeclareIrregularity(Command):
    """A ground of the rulebook or the house; of the server, a malfunction only (reading 49)."""

    traits = CommandTraits(
        title=Words("declare an irregularity", "申報異常情況"),
        phases=OPEN - {"stopped"},
        by=DEALERS,
    )

    ground: Annotated[str, Meta(max_length=64)]
    detail: Note = ""
    cards_left: Annotated[int, Meta(ge=0)] | None = None


class Reconstruct(Command):
    """The cards in the order in which they should have been drawn."""

    traits = CommandTraits(
        title=Words("reconstruct the round", "還原此局"), phases=STOPPED, by=DEALERS, second=always
    )

    order: CardCodes


class VoidRound(Command):
    """Where the server deals, only while it cannot read the cards of the round (reading 49)."""

    traits = CommandTraits(
        title=Words("void the round", "此局作廢"),
        phases=STOPPED,
        by=DEALERS,
        second=always,
        cards=True,
    )


class Resume(Command):
    """It was a false alarm, or the fault is over: the round goes on."""

    traits = CommandTraits(
        title=Words("resume the round", "繼續此局"), phases=STOPPED, by=DEALERS, second=always
    )


class Reopen(Command):
    traits = CommandTraits(
        title=Words("reopen the round", "重開此局"),
        phases=frozenset({"settled"}),
        by=DEALERS,
        second=always,
    )

    ground: Annotated[str, Meta(max_length=64)]
    detail: Note = ""


class Settle(Command):
    traits = CommandTraits(
        title=Words("settle the round", "結算此局"),
        phases=frozenset({"dealing"}),
        by=DEALERS,
        cards=True,
    )


class AskReview(Command):
    """By a patron, or by the desk for one who may have left: look at a past round again. The floor
    fills in the round's rules, who of the staff dealt it or ruled on it, and whose session it was.
    """

    traits = CommandTraits(title=Words("ask for a review", "要求覆核"), phases=ALWAYS, by=DECIDERS)

    session: Id
    round: int
    complaint: e.Complaint
    note: Annotated[str, Meta(max_length=MAX_REVIEW_NOTE)] = ""
    rules: Annotated[str, Meta(max_length=400)] = ""
    dealt_by: tuple[Id, ...] = ()
    ruled_by: tuple[Id, ...] = ()
    patron: Annotated[str, Meta(max_length=64)] = ""  # of a session that has ended


class AnswerReview(Command):
    """The house's decision on a review, under a clause of the game. It moves no money."""

    traits = CommandTraits(
        title=Words("answer a review", "答覆覆核"), phases=ALWAYS, by=SUPERVISORS
    )

    review: Annotated[int, Meta(ge=1)]
    decision: e.Decision
    clause: Annotated[str, Meta(min_length=1, max_length=64)]
    note: Annotated[str, Meta(min_length=1, max_length=400)]


class Adjust(Command):
    """Pay a patron what a ruling on a past round awards, always by two people. It names a review
    that was answered in the patron's favour, or the round alone; and a clause or an inspector's
    direction.

    A seated session gets credits. For a patron who has left, the cashier who approves it pays cash
    against the receipt. The floor reads the rules of the round from the journal.
    """

    traits = CommandTraits(
        title=Words("pay what a ruling awards", "支付裁決補付款項"),
        about="money",
        phases=ALWAYS,
        by=SUPERVISORS,
        second=always,
    )

    session: Id
    round: int
    cents: Cents
    note: Annotated[str, Meta(min_length=1, max_length=MAX_REVIEW_NOTE)]  # for the patron
    review: Annotated[int, Meta(ge=0)] = 0  # 0: none
    clause: Annotated[str, Meta(max_length=64)] = ""
    direction: Annotated[str, Meta(max_length=MAX_REVIEW_NOTE)] = ""
    rules: Annotated[str, Meta(max_length=400)] = ""
