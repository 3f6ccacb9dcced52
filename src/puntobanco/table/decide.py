"""`decide(state, funds, command, now)`: the events that follow from a command, or a refusal with reason and clause.

A pure function: no clock, no randomness, no database. Money comes in as `funds`; the cards of a virtual shoe come in as
`order`, of which only the next place is looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

import puntobanco.events as e
from puntobanco.catalog import digest, game_named
from puntobanco.ledger import account_of
from puntobanco.roads import result_of
from puntobanco.rules.cards import Card, code, codes, parse_card
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.irregularities import Evidence, Ruling, Stage, ground_in, redeal, rule_on
from puntobanco.rules.money import format_cents
from puntobanco.rules.refusals import CardRefused, Refusal, UnknownGround
from puntobanco.rules.round import MAX_CARDS, Round
from puntobanco.rules.settle import Wager, settle, void
from puntobanco.rules.terms import NO_CARD, Slot
from puntobanco.table import commands as c
from puntobanco.table import refusals as r
from puntobanco.table.clock import undecided
from puntobanco.table.evolve import corrected_order
from puntobanco.table.limits import default_limits, exposure_of, verify_limits
from puntobanco.table.phases import ALLOWED, SAYS
from puntobanco.table.state import RoundState, ShoeState, TableState
from puntobanco.vault import Order

C = TypeVar("C", bound=c.Command)
Events = tuple[e.Event, ...]

MALFUNCTION = "malfunction"
"""A fault of the equipment. No rulebook has a ground for it; regulation 15 and reading 31 do."""
MALFUNCTION_CLAUSE = "reading 31"

MAX_SESSIONS = 100_000
MAX_PROPOSALS = 100
MAX_CLOCK_MS = 3_600_000


class Voucher(msgspec.Struct, frozen=True):
    """A voucher as the house knows it."""

    cents: int
    expires_at: int
    redeemed: bool = False


@dataclass(frozen=True)
class Funds:
    """Balances of this stream's accounts, and the vouchers that commands name."""

    balances: Mapping[str, int] = field(default_factory=dict)
    vouchers: Mapping[str, Voucher] = field(default_factory=dict)

    def of(self, session: str) -> int:
        return self.balances.get(account_of(session), 0)


class Asked(msgspec.Struct, frozen=True):
    """What a decision may look at."""

    state: TableState
    funds: Funds
    now: int
    order: Order | None
    proposed_by: str = ""
    approved_by: str = ""

    @property
    def round(self) -> RoundState:
        assert self.state.round is not None, "this phase has a round"
        return self.state.round


_DECIDE = dict[type[c.Command], Callable[[Asked, c.Command], Events]]()


def decide(state: TableState, funds: Funds, command: c.Command, now: int, *, order: Order | None = None) -> Events:
    """The events, never none; or a refusal."""
    kind = type(command)
    if state.phase not in ALLOWED[kind]:
        raise _not_now(state, command)
    asked = Asked(state, funds, now, order)
    found = _DECIDE[kind](asked, command)
    if kind in _BY_TWO and _needs_second_person(state, command):
        return _proposed(state, command)
    return found


def _not_now(state: TableState, command: c.Command) -> Refusal:
    """Late wagers and withdrawals have their own clause; the rest says what the table is doing."""
    says, game = SAYS[state.phase], state.game
    if game is None or state.phase == "down":
        return r.NotNow(f"{command.name()} cannot be done now: {SAYS['down']}")
    words, basics = game.announcements, game.basics
    if isinstance(command, c.PlaceWager | c.RaiseWager):
        if not _is_closed(state):
            wait = "" if state.is_in_play else f'; wait for "{words.open}"'
            return r.BetsAreClosed(f"bets are not open: {says}{wait}", clause=words.open_clause)
        kept = "; the wager stands as it was" if isinstance(command, c.RaiseWager) else ""
        return r.BetsAreClosed(f'round {state.rounds}: "{words.close}" was called{kept}', clause=basics.late_wager)
    if isinstance(command, c.WithdrawWager) and _is_closed(state):
        return r.WithdrawalTooLate(
            f'round {state.rounds}: "{words.close}" was called; the wager plays', clause=basics.late_withdrawal
        )
    if isinstance(command, c.Reopen) and state.is_in_play:  # reading 24
        return r.NotNow(f"round {state.rounds} is open: earlier results stand", clause=_clause_of(game, command.ground))
    return r.NotNow(f"{command.name()} cannot be done now: {says}")


def _is_closed(state: TableState) -> bool:
    """Whether bets were closed in the round that is in play; one may also be stopped while they are open."""
    stop = state.round.stop if state.round else None
    return state.is_in_play and not (stop and stop.phase == "betting")


def _clause_of(game: Game, ground: str) -> str | None:
    return next((i.clause for i in game.irregularities if i.ground.id == ground), None)


def on(kind: type[C]) -> Callable[[Callable[[Asked, C], Events]], Callable[[Asked, C], Events]]:
    def register(function: Callable[[Asked, C], Events]) -> Callable[[Asked, C], Events]:
        _DECIDE[kind] = function  # type: ignore[assignment]
        return function

    return register


# The second person


_BY_TWO = frozenset({c.VoidRound, c.Reconstruct, c.Resume, c.Reopen, c.CorrectCard, c.LoadCredits})


def _needs_second_person(state: TableState, command: c.Command) -> bool:
    if isinstance(command, c.CorrectCard):
        return state.round is not None and state.round.play.is_complete
    if isinstance(command, c.LoadCredits):
        assert state.limits is not None
        return command.cents > state.limits.staff_load_cents
    return True


def _proposed(state: TableState, command: c.Command) -> Events:
    held: dict[str, object] = msgspec.to_builtins(command)
    for number, waiting in state.proposals.items():
        if waiting.command == held:
            raise r.NotNow(f"proposal {number} asks for the same and waits for a second person")
    if len(state.proposals) >= MAX_PROPOSALS:
        raise r.NotNow(f"{MAX_PROPOSALS} proposals wait for a second person; decide those first")
    return (e.Proposed(proposal=state.proposed + 1, command=held),)


@on(c.Approve)
def _(asked: Asked, command: c.Approve) -> Events:
    state, number = asked.state, command.proposal
    proposal = state.proposals.get(number)
    if proposal is None:
        raise r.UnknownProposal(f"no proposal {number} waits for approval")
    if proposal.by == command.by:
        raise r.SecondPersonNeeded(f"{command.by} proposed it; somebody else approves or rejects")
    held = msgspec.convert(proposal.command, c.AnyCommand)
    if state.phase not in ALLOWED[type(held)]:
        raise _not_now(state, held)
    by_two = Asked(state, asked.funds, asked.now, asked.order, proposal.by, command.by)
    return (e.ProposalApproved(proposal=number), *_DECIDE[type(held)](by_two, held))


@on(c.Reject)
def _(asked: Asked, command: c.Reject) -> Events:
    if command.proposal not in asked.state.proposals:
        raise r.UnknownProposal(f"no proposal {command.proposal} waits for approval")
    return (e.ProposalRejected(proposal=command.proposal, reason=command.reason),)


def _verify_decided(state: TableState) -> None:
    number = undecided(state)
    if number is not None:
        raise r.NotNow(f"proposal {number} on this round waits for a second person")


# The table


@on(c.OpenTable)
def _(asked: Asked, command: c.OpenTable) -> Events:
    game = game_named(command.game)
    limits = command.limits or default_limits(game)
    verify_limits(game, limits)
    _verify_clock(game, command.clock)
    del asked
    return (e.TableOpened(game=game.id, digest=digest(game), limits=limits, clock=command.clock),)


def _verify_clock(game: Game, clock: e.Clock) -> None:
    times = (clock.betting_ms, clock.guard_ms, clock.card_ms, clock.pause_ms)
    if not all(0 <= ms <= MAX_CLOCK_MS for ms in times):
        raise r.BadCommand(f"the times of a clock are 0 to {MAX_CLOCK_MS:,} milliseconds")
    if clock.automatic and not (clock.betting_ms and clock.pause_ms):
        raise r.BadCommand("a table that runs by itself needs a betting time, and a pause in which people can act")
    if clock.new_shoes:
        _verify_shoe(game, clock.decks or game.default_decks, cut=clock.cut, burn=0)


@on(c.CloseTable)
def _(asked: Asked, command: c.CloseTable) -> Events:
    ended = _shoe_ended(asked) if asked.state.shoe else ()
    return (*ended, e.TableClosed(reason=command.reason))


@on(c.ChangeLimits)
def _(asked: Asked, command: c.ChangeLimits) -> Events:
    verify_limits(asked.state.playing, command.limits)
    return (e.LimitsChanged(limits=command.limits),)


@on(c.ChangeClock)
def _(asked: Asked, command: c.ChangeClock) -> Events:
    _verify_clock(asked.state.playing, command.clock)
    return (e.ClockChanged(clock=command.clock),)


# The shoe


@on(c.NewShoe)
def _(asked: Asked, command: c.NewShoe) -> Events:
    state, game = asked.state, asked.state.playing
    if state.shoe is not None:
        raise r.ShoeRefused(f"shoe {state.shoe.number} is on the table; end it first")
    decks = game.default_decks if command.decks is None else command.decks
    _verify_shoe(game, decks, cut=command.cut, burn=command.burn)
    if command.source == "continuous" and (command.cut or command.burn):
        command = msgspec.structs.replace(command, cut=0, burn=0)  # every round starts from the full set
    committed = asked.order.commitment if asked.order and command.source == "shoe" else ""
    assert bool(committed) == (command.dealing == "virtual" and command.source == "shoe")
    return (
        e.ShoeStarted(
            shoe=state.shoes + 1, source=command.source, dealing=command.dealing, decks=decks, cut=command.cut,
            burn=command.burn, commitment=committed,
        ),
    )  # fmt: skip


def _verify_shoe(game: Game, decks: int, *, cut: int, burn: int) -> None:
    cards = len(game.shoe(decks))
    if min(cut, burn) < 0 or cut + burn + MAX_CARDS > cards:
        raise r.ShoeRefused(f"{burn} burned and {cut} behind the cut card leave no round of {cards} cards")


def _shoe_on_table(state: TableState) -> ShoeState:
    if state.shoe is None:
        raise r.ShoeRefused("no shoe is on the table; put one on first")
    return state.shoe


@on(c.CountShoe)
def _(asked: Asked, command: c.CountShoe) -> Events:
    state, shoe = asked.state, _shoe_on_table(asked.state)
    if shoe.dealing == "virtual":
        raise r.ShoeRefused("a virtual shoe cannot be counted; its commitment proves its cards")
    expected = len(state.playing.shoe(shoe.decks))
    counted = e.ShoeCounted(shoe=shoe.number, counted=command.cards, expected=expected)
    if command.cards == expected:
        return (counted,)
    detail = f"{command.cards} cards counted, {expected} expected"
    try:
        return (counted, *_declared(asked, "wrong-deck-count", detail, None))
    except UnknownGround:  # no clause voids a round for it: an incident, and the shoe is retired (reading 26)
        why = "cards are missing or too many; no clause voids a round for it; the shoe is retired"
        return (counted, _incident("wrong-deck-count", "reading 26", why, detail, spoils=True))


@on(c.EndShoe)
def _(asked: Asked, command: c.EndShoe) -> Events:
    del command
    _shoe_on_table(asked.state)
    return _shoe_ended(asked)


def _shoe_ended(asked: Asked) -> Events:
    shoe, order = _shoe_on_table(asked.state), asked.order
    if shoe.commitment and order is not None:  # without its key a shoe ends unrevealed
        return (e.ShoeEnded(shoe=shoe.number, order=order.text, nonce=order.nonce.hex()),)
    return (e.ShoeEnded(shoe=shoe.number),)


# Sessions and their credits


def _verify_seated(state: TableState, session: str) -> None:
    if session not in state.sessions:
        raise r.NotSeated(f"session {session} has no seat at this table")


@on(c.SeatSession)
def _(asked: Asked, command: c.SeatSession) -> Events:
    if command.session in asked.state.sessions:
        raise r.AlreadySeated(f"session {command.session} is seated already")
    if len(asked.state.sessions) >= MAX_SESSIONS:
        raise r.NotNow(f"the table has {MAX_SESSIONS:,} sessions; no more can be seated")
    return (e.SessionSeated(session=command.session, patron=command.patron or command.session),)


@on(c.LeaveSeat)
def _(asked: Asked, command: c.LeaveSeat) -> Events:
    _verify_seated(asked.state, command.session)
    _verify_not_in_play(asked.state, command.session)
    if asked.funds.of(command.session):
        raise r.InPlay(f"session {command.session} has credits; cash out first")
    return (e.SessionEnded(session=command.session),)


def _verify_not_in_play(state: TableState, session: str) -> None:
    if state.is_in_play and state.wagers_of(session):
        raise r.InPlay(f"session {session} has wagers in play; cash out when the round is settled")


@on(c.BuyIn)
def _(asked: Asked, command: c.BuyIn) -> Events:
    _verify_seated(asked.state, command.session)
    return (e.CreditsBought(session=command.session, cents=command.cents),)


@on(c.LoadCredits)
def _(asked: Asked, command: c.LoadCredits) -> Events:
    _verify_seated(asked.state, command.session)
    return (
        e.CreditsLoaded(
            session=command.session, cents=command.cents, reason=command.reason,
            proposed_by=asked.proposed_by, approved_by=asked.approved_by,
        ),
    )  # fmt: skip


@on(c.RedeemVoucher)
def _(asked: Asked, command: c.RedeemVoucher) -> Events:
    _verify_seated(asked.state, command.session)
    voucher = asked.funds.vouchers.get(command.voucher)
    if voucher is None:
        raise r.VoucherRefused("there is no such voucher")
    if voucher.redeemed:
        raise r.VoucherRefused("this voucher was redeemed before")
    if asked.now >= voucher.expires_at:
        raise r.VoucherRefused("this voucher has expired; the cage can help")
    return (e.VoucherRedeemed(session=command.session, voucher=command.voucher, cents=voucher.cents),)


@on(c.IssueVoucher)
def _(asked: Asked, command: c.IssueVoucher) -> Events:
    cents = _all_credits(asked, command.session)
    if command.voucher in asked.funds.vouchers:
        raise r.VoucherRefused("a voucher of that number exists already")
    if command.expires_at <= asked.now:
        raise r.VoucherRefused("a voucher expires later than now")
    issued = e.VoucherIssued(
        session=command.session, voucher=command.voucher, cents=cents, expires_at=command.expires_at
    )
    return (issued, e.SessionEnded(session=command.session))


@on(c.CashOut)
def _(asked: Asked, command: c.CashOut) -> Events:
    cents = _all_credits(asked, command.session)
    return (e.CashedOut(session=command.session, cents=cents), e.SessionEnded(session=command.session))


def _all_credits(asked: Asked, session: str) -> int:
    _verify_seated(asked.state, session)
    _verify_not_in_play(asked.state, session)
    cents = asked.funds.of(session)
    if not cents:
        raise r.NotEnoughCredits(f"session {session} has no credits to cash out")
    return cents


# Wagers


@on(c.OpenBets)
def _(asked: Asked, command: c.OpenBets) -> Events:
    del command
    state, game, shoe = asked.state, asked.state.playing, _shoe_on_table(asked.state)
    _verify_decided(state)
    if shoe.spoiled:
        raise r.ShoeMustBeChanged(f"shoe {shoe.number} cannot be played on with ({shoe.spoiled}); change it")
    if shoe.source == "shoe":
        if shoe.cards_left < MAX_CARDS:
            raise r.ShoeMustBeChanged(
                f"{shoe.cards_left} cards are left and a round may take {MAX_CARDS}; change the shoe"
            )
        if shoe.cards_left <= shoe.cut:
            raise r.ShoeMustBeChanged("the cut card is out; change the shoe")
    continuous = shoe.dealing == "virtual" and shoe.source == "continuous"
    betting = state.clock.betting_ms
    return (
        e.BetsOpened(
            round=state.rounds + 1, shoe=shoe.number, announcement=game.announcements.open,
            closes_at=asked.now + betting if betting else None,
            commitment=asked.order.commitment if continuous and asked.order else "",
        ),
    )  # fmt: skip


@on(c.PlaceWager)
def _(asked: Asked, command: c.PlaceWager) -> Events:
    bet = _verify_open(asked, command)
    if (command.session, bet.id) in asked.round.wagers:
        raise r.LimitRefused(f"{bet.id} has a wager of this session already; raise it")
    _verify_stake(asked, command.session, bet, command.stake_cents, command.stake_cents)
    return (e.WagerPlaced(round=command.round, session=command.session, bet=bet.id, stake_cents=command.stake_cents),)


@on(c.RaiseWager)
def _(asked: Asked, command: c.RaiseWager) -> Events:
    bet = _verify_open(asked, command)
    stake = _stake_of(asked, command.session, bet) + command.by_cents
    _verify_stake(asked, command.session, bet, command.by_cents, stake)
    return (
        e.WagerRaised(
            round=command.round, session=command.session, bet=bet.id, by_cents=command.by_cents, stake_cents=stake
        ),
    )


@on(c.WithdrawWager)
def _(asked: Asked, command: c.WithdrawWager) -> Events:
    bet = _verify_open(asked, command)
    stake = _stake_of(asked, command.session, bet)
    by = stake if command.by_cents is None else command.by_cents
    left, limits = stake - by, _limits(asked.state, bet)
    if left < 0:
        raise r.LimitRefused(f"only {format_cents(stake)} lie on {bet.id}")
    if left and (left < limits.min_cents or left % limits.step_cents):
        raise r.LimitRefused(
            f"{format_cents(left)} cannot stay on {bet.id}: the minimum is {format_cents(limits.min_cents)} "
            f"in steps of {format_cents(limits.step_cents)}; withdraw all of it"
        )
    _verify_differential(asked, bet, -by)
    return (e.WagerWithdrawn(round=command.round, session=command.session, bet=bet.id, by_cents=by, stake_cents=left),)


def _verify_open(asked: Asked, command: c.PlaceWager | c.RaiseWager | c.WithdrawWager) -> Bet:
    """The bet; refuses another round, a passed deadline, and a session without a seat."""
    state, round_ = asked.state, asked.round
    if command.round != round_.number:
        raise r.WrongRound(f"the round that is open is {round_.number}, not {command.round}")
    if round_.closes_at is not None and asked.now >= round_.closes_at:
        basics = state.playing.basics
        if isinstance(command, c.WithdrawWager):
            raise r.WithdrawalTooLate(
                f"round {round_.number}: the time is up; the wager plays", clause=basics.late_withdrawal
            )
        raise r.BetsAreClosed(f"round {round_.number}: the time is up", clause=basics.late_wager)
    _verify_seated(state, command.session)
    return state.playing.bet(command.bet)


def _stake_of(asked: Asked, session: str, bet: Bet) -> int:
    stake = asked.round.wagers.get((session, bet.id), 0)
    if not stake:
        raise r.LimitRefused(f"session {session} has no wager on {bet.id}")
    return stake


def _limits(state: TableState, bet: Bet) -> e.BetLimits:
    assert state.limits is not None, "an open table has limits"
    return state.limits.bets[bet.id]


def _verify_stake(asked: Asked, session: str, bet: Bet, by_cents: int, stake_cents: int) -> None:
    """Whether the stake may become this much: the bet's limits, the patron's, the table's; last, the credits."""
    limits = asked.state.limits
    assert limits is not None, "an open table has limits"
    own = limits.bets[bet.id]
    if not own.min_cents <= stake_cents <= own.max_cents:
        low, high = format_cents(own.min_cents), format_cents(own.max_cents)
        raise r.LimitRefused(f"a wager on {bet.id} is {low} to {high} here, not {format_cents(stake_cents)}")
    if stake_cents % own.step_cents:
        step = format_cents(own.step_cents)
        raise r.LimitRefused(f"a wager on {bet.id} goes in steps of {step}, not {format_cents(stake_cents)}")
    if asked.round.totals.get(asked.state.sessions[session].patron, 0) + by_cents > limits.patron_max_cents:
        raise r.LimitRefused(f"one patron's wagers in a round are at most {format_cents(limits.patron_max_cents)}")
    exposure = asked.round.exposure_cents + exposure_of(bet, by_cents)
    if bet.bonus and by_cents == stake_cents:
        exposure += bet.top_bonus_cents
    if exposure > limits.exposure_max_cents:
        raise r.LimitRefused(
            f"the table would risk more than {format_cents(limits.exposure_max_cents)} in this round; wager less"
        )
    if limits.differential_cents is not None:
        _verify_differential(asked, bet, by_cents)
    if asked.funds.of(session) < by_cents:
        raise r.NotEnoughCredits(
            f"the credits are {format_cents(asked.funds.of(session))}; {format_cents(by_cents)} are needed"
        )


def _verify_differential(asked: Asked, bet: Bet, by_cents: int) -> None:
    limits = asked.state.limits
    assert limits is not None
    if limits.differential_cents is None or bet.id not in ("player", "banker"):
        return
    stakes = {id_: asked.round.stakes.get(id_, 0) for id_ in ("player", "banker")}
    stakes[bet.id] += by_cents
    if abs(stakes["player"] - stakes["banker"]) > limits.differential_cents:
        raise r.LimitRefused(
            f"stakes on player and banker may lie {format_cents(limits.differential_cents)} apart at this table"
        )


@on(c.CloseBets)
def _(asked: Asked, command: c.CloseBets) -> Events:
    del command
    words = asked.state.playing.announcements
    return (e.BetsClosed(round=asked.round.number, announcement=words.close),)


# Cards


@on(c.DealCard)
def _(asked: Asked, command: c.DealCard) -> Events:
    del command
    shoe, round_ = _shoe_of_round(asked), asked.round
    if shoe.dealing != "virtual":
        raise r.ShoeRefused("a dealer deals from this shoe: enter the card")
    _verify_card_due(asked)
    assert asked.order is not None, "a virtual shoe has an order"
    place = shoe.drawn if shoe.source == "shoe" else len(round_.play.cards)
    if place >= len(asked.order.cards):  # the table calls for a card and there is none: void by rule
        declared = _declared(asked, "insufficient-cards", "the virtual shoe has no card left", 0)
        [stop] = declared
        assert isinstance(stop, e.IrregularityDeclared)
        return (*declared, _void_event(asked, stop.ground, stop.clause))
    return _dealt(asked, asked.order.cards[place])


@on(c.EnterCard)
def _(asked: Asked, command: c.EnterCard) -> Events:
    shoe, round_ = _shoe_of_round(asked), asked.round
    if shoe.dealing == "virtual":
        raise r.ShoeRefused("the server deals from this shoe: no card is entered")
    _verify_card_due(asked)
    try:
        card = parse_card(command.card)
        round_.play.verify_deal(card)
    except CardRefused as refusal:
        if round_.questioned != command.card:
            return (e.CardQuestioned(round=round_.number, card=command.card, why=refusal.reason),)
        return _declared(asked, "foreign-card", f"{command.card} was entered twice: {refusal.reason}", None)
    return _dealt(asked, card)


def _shoe_of_round(asked: Asked) -> ShoeState:
    """The shoe, if it is still the one that the round began with."""
    shoe = _shoe_on_table(asked.state)
    if shoe.number != asked.round.shoe:
        raise r.ShoeRefused(
            f"shoe {asked.round.shoe} of this round is off the table; reconstruct all of it, or void it"
        )
    return shoe


def _verify_card_due(asked: Asked) -> None:
    state, play = asked.state, asked.round.play
    if play.is_complete:
        raise CardRefused(f"the round is complete: {play.next.why.en}", clause=play.next.clause)
    ready = state.changed_at + state.clock.guard_ms
    if state.phase == "closed" and asked.now < ready:
        raise r.TooEarly(f"the first card comes {state.clock.guard_ms} ms after bets close")


def _dealt(asked: Asked, card: int) -> Events:
    round_, upcoming = asked.round, asked.round.play.next
    assert upcoming.slot is not None, "a card is due"
    dealt = e.CardDealt(
        round=round_.number,
        slot=upcoming.slot.name.lower(),
        card=code(card),
        why=upcoming.why.en,
        clause=upcoming.clause,
    )
    return (dealt, *_announced(asked, round_.play.deal(card)))


def _announced(asked: Asked, after: Round) -> Events:
    """Both totals, once four cards lie and whenever they come to others: ahead of any third card (reading 41)."""
    before = asked.round.play
    if after.slots[Slot.B2] == NO_CARD:
        return ()
    if before.slots[Slot.B2] != NO_CARD and before.announcement == after.announcement:
        return ()
    player, banker = after.announcement
    clause = asked.state.playing.basics.announce_totals
    return (e.TotalsAnnounced(round=asked.round.number, player=player, banker=banker, clause=clause),)


@on(c.CorrectCard)
def _(asked: Asked, command: c.CorrectCard) -> Events:
    round_ = asked.round
    if round_.dealing == "virtual":
        raise r.ShoeRefused("the server dealt this round: its cards are not misread")
    try:
        slot = Slot[command.slot.upper()]
    except KeyError:
        raise r.CorrectionRefused(f"{command.slot!r} is no place of a card; they are p1 b1 p2 b2 p3 b3") from None
    before, after = round_.play.slots[slot], parse_card(command.card)
    if before == NO_CARD:
        raise r.CorrectionRefused(f"no card lies at {command.slot}")
    if before == after:
        raise r.CorrectionRefused(f"{command.card} is what lies at {command.slot}")
    play, surplus = redeal(round_.play, corrected_order(round_.play, slot, after))
    if surplus or _lost_places(round_.play, play) or (round_.surplus and not play.is_complete):
        raise r.CorrectionRefused(
            f"with {command.card} at {command.slot} the table would have drawn otherwise: "
            "declare wrong-card-count and reconstruct",
            clause=_clause_of(asked.state.playing, "wrong-card-count"),
        )
    round_.play.shoe.without((*play.cards, *_surplus(round_)))
    return (
        e.CardCorrected(
            round=round_.number, slot=command.slot.lower(), before=code(before), after=code(after),
            proposed_by=asked.proposed_by, approved_by=asked.approved_by,
        ),
        *_announced(asked, play),
    )  # fmt: skip


def _surplus(round_: RoundState) -> tuple[Card, ...]:
    return tuple(parse_card(card) for card in round_.surplus.split())


def _lost_places(before: Round, after: Round) -> bool:
    """Whether a card has come to lie in another hand than the one it was dealt to."""
    return [c == NO_CARD for c in before.slots] != [c == NO_CARD for c in after.slots]


# Irregularities


@on(c.DeclareIrregularity)
def _(asked: Asked, command: c.DeclareIrregularity) -> Events:
    return _declared(asked, command.ground, command.detail, command.cards_left)


def _incident(ground: str, clause: str, why: str, detail: str, *, spoils: bool = False) -> e.IncidentRecorded:
    return e.IncidentRecorded(ground=ground, clause=clause, why=why, detail=detail, spoils_shoe=spoils)


def _declared(asked: Asked, ground: str, detail: str, cards_left: int | None) -> Events:
    """The round stops for a decision; where no round is in play an incident is recorded and nothing is void."""
    state = asked.state
    if ground == MALFUNCTION:
        if not state.is_in_play:
            why = "no round is in play: nothing to void, earlier results stand"
            return (_incident(ground, MALFUNCTION_CLAUSE, why, detail),)
        clause = MALFUNCTION_CLAUSE
    else:
        ruling = _ruled(asked, ground, None, cards_left)
        if state.phase == "settled" and ruling.follows != "incident":
            raise r.NotNow(f"round {asked.round.number} is settled: reopen it for {ground}", clause=ruling.clause)
        if not state.is_in_play:
            spoils = ruling.ground.spoils_shoe and state.shoe is not None
            nothing = "no round is in play: nothing to void, earlier results stand"
            why = ruling.why.en if ruling.follows == "incident" else nothing
            return (_incident(ground, ruling.clause, why, detail, spoils=spoils),)
        clause = ruling.clause
    return (
        e.IrregularityDeclared(
            round=asked.round.number, ground=ground, clause=clause, detail=detail, cards_left=cards_left
        ),
    )


def _ruled(asked: Asked, ground: str, corrected: tuple[Card, ...] | None, cards_left: int | None) -> Ruling:
    state = asked.state
    play = state.round.play if state.round else Round.start(state.playing, state.playing.default_decks)
    stage: Stage = "settled" if not state.is_in_play else "initial-deal" if len(play.cards) < 5 else "third-card"
    # While bets are open no card of the round is dealt: what was dealt wrongly was an earlier round's (reading 24).
    late = state.phase == "betting" and ground_in(state.playing, ground).ground.before_next_round
    evidence = Evidence(round=play, stage=stage, next_round_open=late, corrected=corrected, cards_left=cards_left)
    return rule_on(state.playing, ground, evidence)


@on(c.Reconstruct)
def _(asked: Asked, command: c.Reconstruct) -> Events:
    round_, stop = asked.round, asked.round.stop
    assert stop is not None, "a stopped round has a ground"
    if stop.ground == MALFUNCTION or round_.dealing == "virtual":
        raise r.NotNow("there is no order of cards to reconstruct: resume the round or void it")
    if stop.phase == "betting":
        raise r.NotNow("bets were open and no card was dealt: resume the round or void it")
    order = tuple(parse_card(card) for card in command.order.replace(",", " ").split())
    ruling = _ruled(asked, stop.ground, order, stop.cards_left)
    _verify_whole(round_, order)
    assert ruling.round is not None, "a reconstruction has a round"
    return (
        e.RoundReconstructed(
            round=round_.number, ground=stop.ground, clause=stop.clause, dealt=codes(round_.play.cards),
            order=codes(order), surplus=codes(ruling.surplus), proposed_by=asked.proposed_by,
            approved_by=asked.approved_by,
        ),
        *_announced(asked, ruling.round),
    )  # fmt: skip


def _verify_whole(round_: RoundState, order: tuple[Card, ...]) -> None:
    """Refuses an order that the shoe cannot have held, or that leaves out what an earlier reconstruction left over."""
    round_.play.shoe.without(order)
    missing = Counter((*round_.play.cards, *_surplus(round_))) - Counter(order)
    if missing:
        raise r.CorrectionRefused(f"the order given lacks {codes(missing)}, which an earlier reconstruction left over")


@on(c.VoidRound)
def _(asked: Asked, command: c.VoidRound) -> Events:
    del command
    stop = asked.round.stop
    assert stop is not None, "a stopped round has a ground"
    return (_void_event(asked, stop.ground, stop.clause),)


def _void_event(asked: Asked, ground: str, clause: str) -> e.RoundVoided:
    round_ = asked.round
    lines = void(asked.state.playing, _wagers(asked.state), clause=clause)
    owed = dict(round_.owed)
    reveal, nonce = _reveal(asked)
    return e.RoundVoided(
        round=round_.number, ground=ground, clause=clause, proposed_by=asked.proposed_by, approved_by=asked.approved_by,
        lines=tuple(
            _set_off(e.Line(key[0], key[1], w.stake_cents, line.outcome, 0, line.returned_cents, 0, line.clause), owed)
            for key, w, line in zip(sorted(round_.wagers), _wagers(asked.state), lines, strict=True)
        ),
        reveal=reveal, nonce=nonce,
    )  # fmt: skip


def _wagers(state: TableState) -> list[Wager]:
    """The round's wagers in one order; a bonus goes by patron, so each names the patron who placed it."""
    round_ = state.round
    assert round_ is not None
    return [Wager(round_.patrons[session], bet, round_.wagers[session, bet]) for session, bet in sorted(round_.wagers)]


def _set_off(line: e.Line, owed: dict[str, int]) -> e.Line:
    """What a session owes from a reopened round comes first out of what it is paid."""
    part = min(owed.get(line.session, 0), line.paid_cents)
    if not part:
        return line
    owed[line.session] -= part
    return msgspec.structs.replace(line, set_off_cents=part)


def _reveal(asked: Asked) -> tuple[str, str]:
    """The cards that a continuous virtual shoe committed to for this round."""
    order = asked.order if asked.round.commitment else None
    return (order.text, order.nonce.hex()) if order else ("", "")


@on(c.Resume)
def _(asked: Asked, command: c.Resume) -> Events:
    del command
    return (e.RoundResumed(round=asked.round.number, proposed_by=asked.proposed_by, approved_by=asked.approved_by),)


@on(c.Settle)
def _(asked: Asked, command: c.Settle) -> Events:
    del command
    state, round_ = asked.state, asked.round
    _verify_decided(state)
    owed = dict(round_.owed)
    lines = settle(state.playing, round_.play, _wagers(state))
    result = result_of(round_.play)
    reveal, nonce = _reveal(asked)
    return (
        e.RoundSettled(
            round=round_.number, player=round_.play.player_points, banker=round_.play.banker_points,
            result=result.winner[0].upper() + "b" * result.banker_pair + "p" * result.player_pair,
            cards=codes(round_.play.cards),
            lines=tuple(
                _set_off(e.Line(
                    key[0], key[1], line.wager.stake_cents, line.outcome, line.winnings_cents, line.returned_cents,
                    line.bonus_cents, line.clause, line.bonus_clause or "",
                ), owed)
                for key, line in zip(sorted(round_.wagers), lines, strict=True)
            ),
            reveal=reveal, nonce=nonce,
        ),
    )  # fmt: skip


@on(c.Reopen)
def _(asked: Asked, command: c.Reopen) -> Events:
    round_ = asked.round
    if round_.dealing == "virtual":
        raise r.NotNow("the server dealt this round by its commitment; its result stands")
    ruling = _ruled(asked, command.ground, None, None)
    if ruling.follows == "incident":
        raise r.NotNow(f"{command.ground} reopens no settled round; earlier results stand", clause=ruling.clause)
    balances = dict[str, int]()
    recoveries = list[e.Recovery]()
    for line in round_.lines:
        has = balances.setdefault(line.session, asked.funds.of(line.session))
        recovered = min(has, line.paid_cents - line.set_off_cents)
        balances[line.session] = has - recovered
        recoveries.append(e.Recovery(line, recovered, line.paid_cents - recovered))
    return (
        e.RoundReopened(
            round=round_.number, ground=command.ground, clause=ruling.clause, recoveries=tuple(recoveries),
            proposed_by=asked.proposed_by, approved_by=asked.approved_by,
        ),
    )  # fmt: skip


assert set(_DECIDE) == set(ALLOWED) == set(c.COMMANDS), "every command has its rule and its phases"
