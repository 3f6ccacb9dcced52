"""Events: what has happened at a table, as values. Their names and fields are the words of the
journal.

Cards are codes, money is whole cents, times are milliseconds since 1970. A field that is added
later needs a default, so that journals of earlier versions still read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, dataclass_transform

import msgspec

Source = Literal["shoe", "continuous"]
Dealing = Literal["virtual", "physical"]
Burn = int | Literal["first-card"]
"""So many cards unseen; or the first card is turned, and as many as its points follow it unseen
(ten for none).
"""


# for the type checker every record below is frozen; at run time a metaclass would cost speed
if TYPE_CHECKING:

    @dataclass_transform(frozen_default=True)
    class _RecordMeta(msgspec.StructMeta):
        pass

    class Record(msgspec.Struct, metaclass=_RecordMeta, frozen=True, forbid_unknown_fields=True):
        """A value that is written down. Fields are given by name."""

else:

    class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
        """A value that is written down. Fields are given by name."""


class BetLimits(Record):
    """What one wager on a bet may be. `closed`: none is taken; the amounts are kept for when it is
    opened again.
    """

    min_cents: int
    max_cents: int
    step_cents: int
    closed: bool = False


class Limits(Record):
    """What a table takes. `patron_max_cents` is one patron's stakes in a round, all bets and
    sessions together.
    """

    bets: dict[str, BetLimits]
    patron_max_cents: int
    exposure_max_cents: int
    differential_cents: int | None = None  # how far stakes on player and banker may lie apart
    staff_load_cents: int = 0  # a staff load above this needs a second person
    # more than this is paid by hand, by two people, and never as a voucher; 0: no such limit
    hand_pay_cents: int = 0
    # a buy-in above this needs a second person; 0: no such limit
    large_buy_in_cents: int = 1_000_000


class Clock(Record):
    """A table's times; zero means that a person decides."""

    betting_ms: int = 0
    guard_ms: int = 0  # between "No more bets" and the first card
    card_ms: int = 0  # between cards, where the server deals
    pause_ms: int = 0  # between rounds, where the server deals
    automatic: bool = False  # the server deals, settles and opens by itself
    new_shoes: bool = False  # and changes the shoe by itself
    # a dealer's bets too; else the time there is a guide, and the dealer closes
    closes_by_clock: bool = False


class Cards(Record):
    """What a new shoe of the table is, where nobody says otherwise: house procedure (readings 28 to
    30).
    """

    # or an electronic shuffler that shuffles without end, where the rulebook has one
    source: Source = "shoe"
    dealing: Dealing = "virtual"
    decks: int = 0  # 0: the game's default
    cut: int = 14  # cards behind the cut card
    burn: Burn = 0
    count_shoes: bool = False  # a dealer's shoe comes with its set id and a count of all its cards
    # of a shuffler: its set is changed, and the roads start afresh, after so many
    road_rounds: int = 100


class Line(msgspec.Struct, frozen=True, array_like=True):
    """What became of one wager."""

    session: str
    bet: str
    stake_cents: int
    outcome: str
    winnings_cents: int
    returned_cents: int
    bonus_cents: int
    clause: str
    bonus_clause: str = ""
    # of what is paid, the part that goes to what the session still owes from a reopened round
    set_off_cents: int = 0

    @property
    def paid_cents(self) -> int:
        """What leaves `wagers`, `bank` and `bonus`."""
        return self.returned_cents + self.winnings_cents + self.bonus_cents


class Recovery(msgspec.Struct, frozen=True, array_like=True):
    """What is taken back of one line when its round is reopened; what the session no longer has is
    unrecovered.
    """

    line: Line
    recovered_cents: int
    unrecovered_cents: int


class Event(Record, tag_field="event", tag=True):
    """Something that has happened."""


# The table


class TableOpened(Event):
    """With the game itself, as data: whoever reads the journal later needs nothing else to know
    what was played.
    """

    game: str
    digest: str  # of the definition's structure
    definition: dict[str, object]  # structure and words
    limits: Limits
    clock: Clock
    cards: Cards = Cards()
    source: str = ""  # a designer's own file, to be read and never run; none for a built-in game


class LimitsChanged(Event):
    limits: Limits


class ClockChanged(Event):
    clock: Clock


class CardsChanged(Event):
    """It holds from the next shoe on."""

    cards: Cards


class TableHalted(Event):
    """No new round opens; the one in play ends by rule."""

    reason: str
    by_floor: bool = False  # with the whole floor, and restarted with it
    closes: bool = False  # and the table closes when that round is over


class TableRestarted(Event):
    pass


class TableClosed(Event):
    reason: str


# The shoe


class ShoeStarted(Event):
    shoe: int
    source: Source
    dealing: Dealing
    decks: int
    cut: int
    burn: int  # cards that left unseen
    commitment: str = ""  # of a virtual shoe; a continuous one commits with each round
    set_id: str = ""  # of a dealer's cards
    first_card: str = ""  # turned and burned, seen by everybody, before those


class ShoeCounted(Event):
    shoe: int
    counted: int
    expected: int
    set_id: str = ""


class LastHandCalled(Event):
    """The cut card is out: the shoe is changed after this round."""

    round: int
    shoe: int
    clause: str


class CardsBurned(Event):
    """Cards that left the shoe without entering a round: these, and so many that nobody saw."""

    shoe: int
    cards: str
    unseen: int
    detail: str
    proposed_by: str
    approved_by: str


class ShoeEnded(Event):
    shoe: int
    order: str = ""  # of a virtual shoe, from its first card to its last
    nonce: str = ""


# Sessions and their credits


class SessionSeated(Event):
    session: str
    patron: str  # who; the session itself when nobody is known
    since: int = 0
    loss_cents: int | None = None  # the most that this session may lose, by the patron's own wish
    play_ms: int | None = None  # and how long it may bet


class SessionLimited(Event):
    """The patron's own limits have changed."""

    session: str
    loss_cents: int | None
    play_ms: int | None


class SessionStopped(Event):
    """The session takes no more wagers; those in play are settled like any other."""

    session: str
    reason: str


class SessionRestarted(Event):
    session: str


class SessionEnded(Event):
    session: str
    patron: str = ""
    net_cents: int = 0  # what left with the patron, less what came in
    played_ms: int = 0


class CreditsBought(Event):
    """For cash, which lies in the drawer of that shift at that cage window; by two people where it
    is large.
    """

    session: str
    cents: int
    window: int = 0  # none where a demonstration gives credits
    shift: int = 0
    proposed_by: str = ""
    approved_by: str = ""


class CreditsLoaded(Event):
    """For cash that the staff collected."""

    session: str
    cents: int
    reason: str
    window: int = 0
    shift: int = 0
    proposed_by: str = ""
    approved_by: str = ""


class VoucherRedeemed(Event):
    session: str
    voucher: str
    cents: int


class VoucherIssued(Event):
    session: str
    voucher: str
    cents: int
    expires_at: int


class CashedOut(Event):
    """Cash from the cage. A large one is a hand pay, by two people, of cents that were set apart
    before.
    """

    session: str
    cents: int
    window: int = 0
    shift: int = 0
    proposed_by: str = ""
    approved_by: str = ""


# The round


class BetsOpened(Event):
    round: int
    shoe: int
    announcement: str
    closes_at: int | None
    commitment: str = ""  # of the cards of this round, from a continuous virtual shoe
    dealer_closes: bool = False  # the time is a guide: bets are open until the dealer closes them


class WagerPlaced(Event):
    round: int
    session: str
    bet: str
    stake_cents: int


class WagerRaised(Event):
    round: int
    session: str
    bet: str
    by_cents: int
    stake_cents: int


class WagerWithdrawn(Event):
    round: int
    session: str
    bet: str
    by_cents: int
    stake_cents: int  # what stays


class BetsClosed(Event):
    round: int
    announcement: str


class CardDealt(Event, omit_defaults=True):
    round: int
    slot: str
    card: str
    why: str
    clause: str
    by_hand: bool = False  # keyed, where the reader did not read it


class TotalsAnnounced(Event):
    round: int
    player: int
    banker: int
    clause: str


class CardQuestioned(Event):
    """A card that cannot be; the dealer is asked to scan again or to correct an earlier one."""

    round: int
    card: str
    why: str


class CardCorrected(Event):
    round: int
    slot: str
    before: str
    after: str
    proposed_by: str = ""
    approved_by: str = ""
    clause: str = ""  # of the ground for which the round was stopped


class IrregularityDeclared(Event):
    round: int
    ground: str
    clause: str
    detail: str
    cards_left: int | None = None


class IncidentRecorded(Event):
    """Something to be kept that voids nothing."""

    ground: str
    clause: str
    why: str
    detail: str
    spoils_shoe: bool = False


class Proposed(Event):
    """A command that waits for a second person; the cents that it would pay of a session's credits
    are set apart.
    """

    proposal: int
    about: Literal["round", "shoe", "money"]
    at: int
    command: dict[str, object]
    session: str = ""
    held_cents: int = 0


class ProposalApproved(Event):
    proposal: int
    by: str


class ProposalRejected(Event):
    """What was set apart goes back to the session's credits."""

    proposal: int
    by: str
    reason: str
    session: str = ""
    returned_cents: int = 0


class ProposalWithdrawn(Event):
    """By who asked; what was set apart goes back."""

    proposal: int
    session: str = ""
    returned_cents: int = 0


class ProposalLapsed(Event):
    """It was about a round that is over, or goes on otherwise; `why` says what ended it."""

    proposal: int
    why: str


class RoundResumed(Event):
    round: int
    proposed_by: str
    approved_by: str


class RoundReconstructed(Event):
    round: int
    ground: str
    clause: str
    dealt: str  # the cards as they lay
    order: str  # in their true order
    surplus: str  # of these, not needed; burned
    proposed_by: str
    approved_by: str


class RoundVoided(Event):
    round: int
    ground: str
    clause: str
    lines: tuple[Line, ...]
    proposed_by: str = ""
    approved_by: str = ""
    reveal: str = ""  # of a continuous virtual shoe: the cards committed to, and the nonce
    nonce: str = ""


class RoundSettled(Event):
    round: int
    result: str  # as the roads write it
    player: int
    banker: int
    cards: str
    lines: tuple[Line, ...]
    reveal: str = ""
    nonce: str = ""


class RoundReopened(Event):
    round: int
    ground: str
    clause: str
    recoveries: tuple[Recovery, ...]
    proposed_by: str
    approved_by: str
    detail: str = ""


# The house: what has no table

Role = Literal["dealer", "supervisor", "cashier", "auditor", "administrator"]


class HouseOpened(Event):
    house: str
    demo: bool


class StaffAdded(Event):
    person: str
    role: Role
    verifier: str  # of the password; useless without the key ring


class StaffChanged(Event):
    person: str
    role: Role
    verifier: str
    disabled: str  # why, or nothing


class LoginNoted(Event):
    person: str
    ok: bool


class TerminalAdded(Event):
    terminal: str
    table: str  # where it stands; empty: anywhere
    code: str  # hash of the code that enrols it, once
    expires_at: int


class TerminalEnrolled(Event):
    terminal: str
    key: str  # hash of the key that the device keeps


class TerminalChanged(Event):
    terminal: str
    table: str
    code: str
    expires_at: int
    key: str
    disabled: str


class PatronExcluded(Event):
    patron: str
    reason: str
    until: int | None


class PatronReadmitted(Event):
    patron: str


class PatronLimited(Event):
    """The patron's own limits a day from now on, and those asked for that are wider, which wait."""

    patron: str
    loss_cents: int | None
    minutes: int | None
    wider: tuple[int | None, int | None] | None = None  # loss and minutes
    wider_at: int = 0


class VisitEnded(Event):
    """What a session with limits has lost and how long it played; it counts for the rest of the
    day.
    """

    patron: str
    session: str
    net_cents: int
    played_ms: int


class FloorStopped(Event):
    reason: str


class FloorStarted(Event):
    pass


class DayEnded(Event):
    day: int  # days since 1970


class WindowTaken(Event):
    """A cage window is a cashier's for its next shift, and the cashier has no other."""

    window: int
    cashier: str
    shift: int
    since: int


class WindowLeft(Event):
    window: int
    shift: int


# A cage window


class ShiftOpened(Event):
    shift: int
    cashier: str
    float_cents: int
    since: int


class VoucherSold(Event):
    """Cash for a voucher; by two people where it is large."""

    voucher: str
    cents: int
    expires_at: int
    proposed_by: str = ""
    approved_by: str = ""


class VoucherPaid(Event):
    """A voucher for cash; by two people where it is large, or has expired."""

    voucher: str
    cents: int
    proposed_by: str = ""
    approved_by: str = ""
    expired: bool = False


class CashNoted(Event):
    """Cash of a table that came into this window's drawer, or left it (below zero); the table's
    entry moved it.
    """

    shift: int
    table: str
    entry: int
    cents: int
    late: bool = False  # that shift was closed before; its drawer cannot have been right


class ShiftCounted(Event):
    """A first count; told to nobody before somebody else has counted too."""

    shift: int
    counted_cents: int
    by: str
    salt: str = ""  # so that the hash of the entry does not tell the figure to who tries them all


class CountsDiffered(Event):
    """Two people counted, and not the same: both count again."""

    shift: int
    first_cents: int
    second_cents: int
    by: str  # who counted second
    salt: str = ""


class ShiftClosed(Event):
    """Two people counted the same. What should lie there is the float, what came in, less what went
    out.
    """

    shift: int
    cashier: str
    first: str  # who counted first: the cashier, or a supervisor where the cashier is gone
    by: str  # who counted second
    since: int
    float_cents: int
    in_cents: int
    out_cents: int
    counted_cents: int
    expected_cents: int
    difference_cents: int


# The journal itself


class PeriodSealed(Event):
    """The end of a period: the hash of state and balances, from which the next can be checked
    alone.
    """

    period: int
    snapshot: str


class ClockStepped(Event):
    """The wall clock was moved; table time runs on."""

    wall_ms: int
    table_ms: int


AnyTableEvent: TypeAlias = (
    TableOpened
    | LimitsChanged
    | ClockChanged
    | CardsChanged
    | TableHalted
    | TableRestarted
    | TableClosed
    | ShoeStarted
    | ShoeCounted
    | LastHandCalled
    | ShoeEnded
    | SessionSeated
    | SessionLimited
    | SessionStopped
    | SessionRestarted
    | SessionEnded
    | CreditsBought
    | CreditsLoaded
    | VoucherRedeemed
    | VoucherIssued
    | CashedOut
    | BetsOpened
    | WagerPlaced
    | WagerRaised
    | WagerWithdrawn
    | BetsClosed
    | CardDealt
    | TotalsAnnounced
    | CardQuestioned
    | CardCorrected
    | IrregularityDeclared
    | IncidentRecorded
    | Proposed
    | ProposalApproved
    | ProposalRejected
    | ProposalWithdrawn
    | ProposalLapsed
    | RoundResumed
    | RoundReconstructed
    | RoundVoided
    | RoundSettled
    | RoundReopened
    | PeriodSealed
    | CardsBurned
)

AnyHouseEvent: TypeAlias = (
    HouseOpened
    | StaffAdded
    | StaffChanged
    | LoginNoted
    | TerminalAdded
    | TerminalEnrolled
    | TerminalChanged
    | PatronExcluded
    | PatronReadmitted
    | PatronLimited
    | VisitEnded
    | FloorStopped
    | FloorStarted
    | DayEnded
    | WindowTaken
    | WindowLeft
    | ClockStepped
)

AnyCageEvent: TypeAlias = (
    ShiftOpened
    | VoucherSold
    | VoucherPaid
    | CashNoted
    | ShiftCounted
    | CountsDiffered
    | ShiftClosed
)

AnyEvent: TypeAlias = AnyTableEvent | AnyHouseEvent | AnyCageEvent
