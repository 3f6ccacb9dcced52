"""Commands: what is asked of a table, in the imperative. `by` is who asks."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import Meta

from puntobanco.commands import About, Allowance, Cash, Cents, Command, Id, Note
from puntobanco.events import Cards, Clock, Dealing, Limits, Source
from puntobanco.proposals import Approve, Reject, WithdrawProposal

MAX_SOURCE = 200_000
"""Characters of a designer's file."""

CardCode = Annotated[str, Meta(min_length=1, max_length=8)]
CardCodes = Annotated[str, Meta(max_length=200)]
CardCount = Annotated[int, Meta(ge=0, le=10_000)]
MAX_BURN = 50


class OpenTable(Command):
    """With a built-in game by its id, or with a designer's: its definition, and the text of its
    file.
    """

    game: Annotated[str, Meta(max_length=400)]
    limits: Limits | None = None  # the game's own defaults
    clock: Clock = Clock()
    cards: Cards = Cards()
    definition: dict[str, Any] | None = None
    source: Annotated[str, Meta(max_length=MAX_SOURCE)] = ""


class CloseTable(Command):
    reason: Note = ""


class HaltTable(Command):
    """No new round; the one in play ends by rule. With `closes` the clock then closes the table."""

    reason: Annotated[str, Meta(min_length=1, max_length=400)]
    by_floor: bool = False
    closes: bool = False


class RestartTable(Command):
    pass


class ChangeLimits(Command):
    limits: Limits


class ChangeClock(Command):
    clock: Clock


class ChangeCards(Command):
    cards: Cards


class NewShoe(Command):
    """What is not given is as the table is set. A dealer's cards have a set id, and are counted
    before play.
    """

    dealing: Dealing | None = None
    source: Source | None = None
    decks: int | None = None
    cut: Annotated[int, Meta(ge=0, le=1_000)] | None = None
    burn: Annotated[int, Meta(ge=0, le=MAX_BURN)] | Literal["first-card"] | None = None
    first_card: Annotated[str, Meta(max_length=8)] = ""
    set_id: Annotated[str, Meta(max_length=64)] = ""
    counted: CardCount | None = None


class BurnCards(Command):
    """Cards that left the shoe without entering a round: these codes, and so many that nobody
    saw.
    """

    about: ClassVar[About] = "shoe"

    cards: CardCodes = ""
    unseen: Annotated[int, Meta(ge=0, le=50)] = 0
    detail: Note = ""


class CountShoe(Command):
    """All cards of the set: in the shoe, on the table, among the discards."""

    cards: CardCount


class EndShoe(Command):
    pass


class SeatSession(Command):
    """The limits are the patron's own: the most this session may lose, and how long it may bet."""

    session: Id
    patron: Annotated[str, Meta(max_length=64)] = ""
    loss_cents: Allowance | None = None
    play_ms: Allowance | None = None


class LimitSession(Command):
    session: Id
    loss_cents: Allowance | None
    play_ms: Allowance | None


class StopSession(Command):
    """No more wagers; those in play are settled like any other."""

    session: Id
    reason: Annotated[str, Meta(min_length=1, max_length=400)]


class RestartSession(Command):
    session: Id


class LeaveSeat(Command):
    session: Id


class BuyIn(Cash):
    """Cash for credits. Above `large_buy_in_cents` it waits for a second person."""

    session: Id
    cents: Cents


class LoadCredits(Cash):
    """Credits for cash that the staff collected. Above `staff_load_cents` it waits for a second
    person.
    """

    session: Id
    cents: Cents
    reason: Note = ""


class RedeemVoucher(Command):
    session: Id
    voucher: Id


class IssueVoucher(Command):
    """All credits to a voucher; the session ends. It is good for so long, or until then, or for
    ever.
    """

    session: Id
    voucher: Id
    expires_at: Annotated[int, Meta(gt=0, le=2**53)] = 2**53
    valid_ms: Annotated[int, Meta(gt=0, le=10**12)] | None = None


class CashOut(Cash):
    """Credits for cash: all of them, or so many; the session ends when none are left.

    Above `hand_pay_cents` it is a hand pay: the cents are set apart at once, and a second person
    decides.
    """

    session: Id
    cents: Cents | None = None


class OpenBets(Command):
    pass


class PlaceWager(Command):
    round: int
    session: Id
    bet: str
    stake_cents: Cents


class RaiseWager(Command):
    round: int
    session: Id
    bet: str
    by_cents: Cents


class WithdrawWager(Command):
    """The whole wager, or part of it."""

    round: int
    session: Id
    bet: str
    by_cents: Cents | None = None


class CloseBets(Command):
    pass


class DealCard(Command):
    """The next card of a virtual shoe."""


class EnterCard(Command):
    """A card that the dealer has scanned, or keyed `by_hand`, which everybody is told."""

    card: CardCode
    by_hand: bool = False


class CorrectCard(Command):
    slot: Annotated[str, Meta(max_length=2)]
    card: CardCode


class DeclareIrregularity(Command):
    ground: Annotated[str, Meta(max_length=64)]
    detail: Note = ""
    cards_left: Annotated[int, Meta(ge=0)] | None = None


class Reconstruct(Command):
    """The cards in the order in which they should have been drawn."""

    order: CardCodes


class VoidRound(Command):
    pass


class Resume(Command):
    """It was a false alarm: the round goes on."""


class Reopen(Command):
    ground: Annotated[str, Meta(max_length=64)]
    detail: Note = ""


class Settle(Command):
    pass


AnyCommand: TypeAlias = (
    OpenTable
    | CloseTable
    | ChangeLimits
    | ChangeClock
    | ChangeCards
    | NewShoe
    | CountShoe
    | EndShoe
    | SeatSession
    | LeaveSeat
    | BuyIn
    | LoadCredits
    | RedeemVoucher
    | IssueVoucher
    | CashOut
    | OpenBets
    | PlaceWager
    | RaiseWager
    | WithdrawWager
    | CloseBets
    | DealCard
    | EnterCard
    | CorrectCard
    | DeclareIrregularity
    | Reconstruct
    | VoidRound
    | Resume
    | Reopen
    | Settle
    | Approve
    | Reject
    | WithdrawProposal
    | HaltTable
    | RestartTable
    | LimitSession
    | StopSession
    | RestartSession
    | BurnCards
)

COMMANDS: tuple[type[Command], ...] = AnyCommand.__args__

_decode = msgspec.json.Decoder(AnyCommand).decode


def parse_command(data: bytes) -> AnyCommand:
    command: AnyCommand = _decode(data)
    return command
