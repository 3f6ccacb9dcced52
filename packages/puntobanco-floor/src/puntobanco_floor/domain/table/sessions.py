"""Sessions and their credits: seats, buy-ins, loads, vouchers, cash-outs, moves to other tables."""

from __future__ import annotations

from immutables import Map
from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.money import dollars
from puntobanco.rules.causes import Cause, told_of
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.commands import MAX_CENTS
from puntobanco_floor.domain.machine import Events, check, take_voucher
from puntobanco_floor.domain.stream_names import is_table, place_words
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import MAX_SESSIONS
from puntobanco_floor.domain.table.state import Asked, Decided, Moving, Seat, TableState
from puntobanco_proof.entry.format import Fault

LASTS_MS = 300_000
"""How long credits may be on the way. What arrives later is refused, and goes back."""

KEPT_MS = 86_400_000
"""How much longer a table knows what it has decided. After that it does not answer, so credits
neither arrive twice, nor arrive and go back.
"""

FORGET_EVERY = 256
"""After so many moves those are forgotten that are older."""


def verify_seated(state: TableState, session: str) -> Seat:
    seat = state.sessions.get(session)
    if seat is None:
        raise r.NotSeated(r.NOT_SEATED)
    return seat


def verify_plays(state: TableState, session: str) -> Seat:
    """The seat; refuses what is not seated, waits only to be paid, or is on its way elsewhere."""
    seat = verify_seated(state, session)
    if seat.by_two:
        raise r.AwaitsPayment(r.AWAITS_PAYMENT)
    verify_not_moving(state, session)
    return seat


def verify_not_moving(state: TableState, session: str) -> None:
    moving = state.moving.get(session)
    if moving is not None:
        to = place_words(moving.to)
        raise r.OnTheWay(r.ON_THE_WAY.format(dollars(moving.cents), to))


def is_full(state: TableState) -> bool:
    seats = state.limits.seats if state.limits else 0
    return len(state.sessions) >= (seats or MAX_SESSIONS)


def seat_session(asked: Asked, command: c.SeatSession) -> Events:
    if command.session in asked.state.sessions:
        raise r.AlreadySeated(r.ALREADY_SEATED)
    if is_full(asked.state):
        raise r.NotNow(r.NO_SEAT_FREE)
    seated = e.SessionSeated(
        session=command.session,
        patron=command.patron or command.session,
        since=asked.now,
        loss_cents=command.loss_cents,
        play_ms=command.play_ms,
    )
    return (seated,)


def limit_session(asked: Asked, command: c.LimitSession) -> Events:
    verify_seated(asked.state, command.session)
    limited = e.SessionLimited(
        session=command.session, loss_cents=command.loss_cents, play_ms=command.play_ms
    )
    return (limited,)


def stop_session(asked: Asked, command: c.StopSession) -> Events:
    seat = verify_seated(asked.state, command.session)
    if seat.stopped:
        raise r.NotNow(r.SESSION_STOPPED)
    return (e.SessionStopped(session=command.session, reason=command.reason),)


def restart_session(asked: Asked, command: c.RestartSession) -> Events:
    seat = verify_seated(asked.state, command.session)
    if not seat.stopped:
        raise r.NotNow(r.SESSION_NOT_STOPPED)
    return (e.SessionRestarted(session=command.session),)


def verify_own_limits(asked: Asked, session: str, by_cents: int) -> Seat:
    """Return the seat; refuse past the loss or the time that the patron has allowed."""
    seat = verify_plays(asked.state, session)
    if seat.stopped:
        raise r.PatronLimitReached(r.STOPPED.format(told_of(seat.stopped)))
    if seat.ends_at is not None and asked.now >= seat.ends_at:
        raise r.PatronLimitReached(r.TIME_OVER)
    if seat.loss_cents is not None:
        left = seat.loss_cents - (seat.in_cents - asked.funds.of(session))
        if by_cents > left:
            raise r.PatronLimitReached(r.LIMIT_LEFT.format(dollars(max(left, 0))))
    return seat


def _ended(asked: Asked, session: str, out_cents: int) -> tuple[e.SessionEnded, ...]:
    """End a session whose last credits leave; it goes on while some wait for a hand pay."""
    state, seat = asked.state, asked.state.sessions[session]
    held = state.proposals.held_for(session)
    if held and not asked.approved_by:
        return ()
    ended = e.SessionEnded(
        session=session,
        patron=seat.patron,
        net_cents=out_cents - seat.in_cents,
        played_ms=asked.now - seat.since,
    )
    return (ended,)


def leave_seat(asked: Asked, command: c.LeaveSeat) -> Events:
    verify_seated(asked.state, command.session)
    verify_not_moving(asked.state, command.session)
    verify_not_in_play(asked.state, command.session)
    if asked.funds.of(command.session):
        raise r.InPlay(r.CASH_OUT_FIRST)
    if held := asked.state.proposals.held_for(command.session):
        raise r.InPlay(r.HAND_PAY_WAITS.format(dollars(held)))
    return _ended(asked, command.session, 0)


def verify_not_in_play(state: TableState, session: str) -> None:
    if is_in_play(state, session):
        raise r.InPlay(r.WAGERS_IN_PLAY)


def is_in_play(state: TableState, session: str) -> bool:
    return state.is_in_play and bool(state.wagers_of(session))


def buy_in(asked: Asked, command: c.BuyIn) -> Events:
    verify_plays(asked.state, command.session)
    window, shift = _drawer(asked, command)
    bought = e.CreditsBought(
        session=command.session,
        cents=command.cents,
        window=window,
        shift=shift,
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
    )
    return (bought,)


def _drawer(asked: Asked, command: c.BuyIn | c.LoadCredits | c.CashOut) -> tuple[int, int]:
    """Return whose cash it is: where a second person approves, the drawer that is open then."""
    return (asked.window, asked.shift) if asked.approved_by else (command.window, command.shift)


def load_credits(asked: Asked, command: c.LoadCredits) -> Events:
    verify_plays(asked.state, command.session)
    window, shift = _drawer(asked, command)
    loaded = e.CreditsLoaded(
        session=command.session,
        cents=command.cents,
        reason=command.reason,
        window=window,
        shift=shift,
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
    )
    return (loaded,)


def redeem_voucher(asked: Asked, command: c.RedeemVoucher) -> Events:
    verify_plays(asked.state, command.session)
    voucher = asked.funds.vouchers.get(command.voucher)
    if voucher is None:
        raise r.VoucherRefused(r.NO_VOUCHER)
    if voucher.redeemed:
        raise r.VoucherRefused(r.REDEEMED_BEFORE)
    if asked.now >= voucher.expires_at:
        raise r.VoucherRefused(r.VOUCHER_EXPIRED)
    if not asked.state.trusted.has(command.voucher, voucher):
        raise r.NotConfirmed(r.VOUCHER_UNCONFIRMED)
    redeemed = e.VoucherRedeemed(
        session=command.session,
        voucher=command.voucher,
        cents=voucher.cents,
        expires_at=voucher.expires_at,
    )
    return (redeemed,)


def issue_voucher(asked: Asked, command: c.IssueVoucher) -> Events:
    cents = _all_credits(asked, command.session)
    verify_plays(asked.state, command.session)
    if asked.state.is_hand_pay(cents):
        assert asked.state.limits is not None
        most = dollars(asked.state.limits.hand_pay_cents)
        raise r.HandPayNeeded(r.HAND_PAY_NEEDED.format(dollars(cents), most))
    if command.voucher in asked.funds.vouchers:
        raise r.VoucherRefused(r.VOUCHER_EXISTS)
    expires_at = command.expires_at if command.valid_ms is None else asked.now + command.valid_ms
    if expires_at <= asked.now:
        raise r.VoucherRefused(r.VOUCHER_TOO_SHORT)
    issued = e.VoucherIssued(
        session=command.session, voucher=command.voucher, cents=cents, expires_at=expires_at
    )
    return (issued, *_ended(asked, command.session, cents))


def cash_out(asked: Asked, command: c.CashOut) -> Events:
    session = command.session
    if asked.approved_by:  # these cents were set apart when it was asked for
        assert command.cents is not None, "a hand pay says how much"
        return (
            _cashed(asked, command, command.cents),
            *_ended_by_hand_pay(asked, session, command.cents),
        )
    has = _all_credits(asked, session)
    cents = has if command.cents is None else command.cents
    if cents > has:
        raise r.NotEnoughCredits(r.CANNOT_BE_PAID.format(dollars(has), dollars(cents)))
    if cents > MAX_CENTS:
        raise r.BadCommand(r.ONE_PAYMENT.format(dollars(MAX_CENTS)))
    ended = _ended(asked, session, cents) if cents == has else ()
    return (_cashed(asked, command, cents), *ended)


def _cashed(asked: Asked, command: c.CashOut, cents: int) -> e.CashedOut:
    window, shift = _drawer(asked, command)
    return e.CashedOut(
        session=command.session,
        cents=cents,
        window=window,
        shift=shift,
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
    )


def _ended_by_hand_pay(asked: Asked, session: str, cents: int) -> tuple[e.SessionEnded, ...]:
    """A session that has played on since it asked goes on playing."""
    is_last = asked.state.proposals.held_for(session) == cents
    if not is_last or asked.funds.of(session) or is_in_play(asked.state, session):
        return ()
    return _ended(asked, session, 0)


def _all_credits(asked: Asked, session: str) -> int:
    verify_seated(asked.state, session)
    verify_not_moving(asked.state, session)
    verify_not_in_play(asked.state, session)
    cents = asked.funds.of(session)
    if not cents:
        held = asked.state.proposals.held_for(session)
        if held:
            raise r.NotEnoughCredits(r.NO_CREDITS_BUT_HELD.format(dollars(held)))
        raise r.NotEnoughCredits(r.NO_CREDITS)
    return cents


# Moves, at the old table


def reserve_move(asked: Asked, command: c.ReserveMove) -> Events:
    state, session = asked.state, command.session
    seat = verify_own_limits(asked, session, 0)
    if not is_table(command.to):
        raise r.MoveRefused(r.NO_TABLE.format(place_words(command.to)))
    if command.to == state.stream:
        raise r.MoveRefused(r.SAME_TABLE.format(place_words(command.to)))
    verify_not_in_play(state, session)
    if held := state.proposals.held_for(session):
        raise r.InPlay(r.HAND_PAY_WAITS.format(dollars(held)))
    cents = asked.funds.of(session)
    if not cents:
        raise r.NotEnoughCredits(r.NOTHING_TO_MOVE)
    reserved = e.MoveReserved(
        session=session,
        move=command.move,
        to=command.to,
        cents=cents,
        until=asked.now + LASTS_MS,
        patron=seat.patron,
        in_cents=seat.in_cents,
        since=seat.since,
        loss_cents=seat.loss_cents,
        play_ms=seat.play_ms,
    )
    return (reserved,)


def settle_move(asked: Asked, command: c.SettleMove) -> Events:
    """The session leaves with it; unless a round that was reopened has paid it here since."""
    state, session = asked.state, command.session
    moving = _verify_reserved(state, session, command.move)
    seat = state.sessions[session]
    settled = e.MoveSettled(
        session=session,
        move=moving.move,
        to=moving.to,
        cents=moving.cents,
        stopped=seat.stopped,
    )
    if asked.funds.of(session) or is_in_play(state, session):
        return (settled,)
    ended = e.SessionEnded(session=session, patron=seat.patron, moved_to=moving.to)
    return settled, ended


def return_move(asked: Asked, command: c.ReturnMove) -> Events:
    moving = _verify_reserved(asked.state, command.session, command.move)
    returned = e.MoveReturned(
        session=command.session,
        move=moving.move,
        to=moving.to,
        cents=moving.cents,
        in_cents=moving.in_cents,
        reason=command.reason,
    )
    return (returned,)


def _verify_reserved(state: TableState, session: str, move: str) -> Moving:
    moving = state.moving.get(session)
    if moving is None or moving.move != move:
        raise r.MoveRefused(r.NO_SUCH_MOVE)
    return moving


# Moves, at the new table


def arrive_move(asked: Asked, command: c.ArriveMove) -> Events:
    """Once, whatever comes of it: asked again it is refused without an event."""
    state, session = asked.state, command.session
    if command.move in state.moves or asked.now >= command.until + KEPT_MS:
        raise r.MoveRefused(r.MOVE_DECIDED)
    reason = _objection(asked, command)
    if reason is not None:
        refused = e.MoveRefused(
            session=session,
            move=command.move,
            came_from=command.came_from,
            until=command.until,
            reason=reason,
        )
        return (refused,)
    arrived = e.MoveArrived(
        session=session,
        move=command.move,
        came_from=command.came_from,
        cents=command.cents,
        until=command.until,
        in_cents=command.in_cents,
        since=command.since,
    )
    if session in state.sessions:  # credits come together
        return (arrived,)
    seated = e.SessionSeated(
        session=session,
        patron=command.patron,
        since=command.since,
        loss_cents=command.loss_cents,
        play_ms=command.play_ms,
    )
    return seated, arrived


def _objection(asked: Asked, command: c.ArriveMove) -> Cause | None:
    state = asked.state
    if command.objection is not None:
        return command.objection
    if command.epoch != state.epoch:
        return Cause("move-before-recovery")
    if asked.now >= command.until:
        return Cause("move-too-late")
    if state.phase == "down":
        return Cause("move-table-closed")
    if state.halted:
        return Cause("move-table-halted")
    seat = state.sessions.get(command.session)
    if seat is not None:
        return _in_the_way(state, command, seat)
    if is_full(state):
        return Cause("move-table-full")
    if command.play_ms is not None and asked.now >= command.since + command.play_ms:
        return Cause("move-time-over")
    return None


def _in_the_way(state: TableState, command: c.ArriveMove, seat: Seat) -> Cause | None:
    """Of a seat that the session has here already."""
    if seat.by_two:
        return Cause("move-awaits-payment")
    if command.session in state.moving:
        return Cause("move-not-over")
    if seat.patron != command.patron:
        return Cause("move-other-patron")
    return None


# The next state


def session_seated(state: TableState, event: e.SessionSeated) -> TableState:
    check(event.session not in state.sessions, f"session {event.session} is seated twice")
    seat = Seat(event.patron, event.since, 0, event.loss_cents, event.play_ms)
    return replace(state, sessions=state.sessions.set(event.session, seat))


def change_seat(state: TableState, session: str, **changes: object) -> TableState:
    changed = replace(find_seat(state, session), **changes)
    return replace(state, sessions=state.sessions.set(session, changed))


def find_seat(state: TableState, session: str) -> Seat:
    seat = state.sessions.get(session)
    if seat is None:
        raise Fault(f"session {session} is not seated")
    return seat


def session_limited(state: TableState, event: e.SessionLimited) -> TableState:
    return change_seat(state, event.session, loss_cents=event.loss_cents, play_ms=event.play_ms)


def session_stopped(state: TableState, event: e.SessionStopped) -> TableState:
    check(bool(event.reason), "a session was stopped without a reason")
    return change_seat(state, event.session, stopped=event.reason)


def session_restarted(state: TableState, event: e.SessionRestarted) -> TableState:
    return change_seat(state, event.session, stopped="")


def credits_came_in(state: TableState, event: e.CreditsBought | e.CreditsLoaded) -> TableState:
    check(event.cents > 0, "moves nothing")
    return change_credits(state, event.session, event.cents)


def voucher_redeemed(state: TableState, event: e.VoucherRedeemed) -> TableState:
    check(event.cents > 0, "moves nothing")
    return take_voucher(change_credits(state, event.session, event.cents), event)


def credits_went_out(state: TableState, event: e.VoucherIssued | e.CashedOut) -> TableState:
    check(event.cents > 0, "moves nothing")
    # it left the credits when it was set apart
    if isinstance(event, e.CashedOut) and event.approved_by:
        return change_credits(state, event.session, 0)
    return change_credits(state, event.session, -event.cents)


def change_credits(state: TableState, session: str, cents: int) -> TableState:
    """The seat with so many credits brought in, or (below zero) taken away by the patron."""
    return change_seat(state, session, in_cents=find_seat(state, session).in_cents + cents)


# Moves: the next state


def move_reserved(state: TableState, event: e.MoveReserved) -> TableState:
    seat = find_seat(state, event.session)
    check(event.session not in state.moving, f"session {event.session} is on its way already")
    check(event.cents > 0, "moves nothing")
    check(seat.in_cents == event.in_cents, "takes along what never came in")
    moving = Moving(event.move, event.to, event.cents, event.in_cents, event.until, state.seq + 1)
    left = change_seat(state, event.session, in_cents=0)
    return replace(left, moving=state.moving.set(event.session, moving))


def move_settled(state: TableState, event: e.MoveSettled) -> TableState:
    _find_reserved(state, event)
    return replace(state, moving=state.moving.delete(event.session))


def move_returned(state: TableState, event: e.MoveReturned) -> TableState:
    moving = _find_reserved(state, event)
    check(moving.in_cents == event.in_cents, "brings back what did not leave")
    back = change_credits(state, event.session, event.in_cents)
    return replace(back, moving=state.moving.delete(event.session))


def _find_reserved(state: TableState, event: e.MoveSettled | e.MoveReturned) -> Moving:
    moving = state.moving.get(event.session)
    if moving is None or (moving.move, moving.cents) != (event.move, event.cents):
        raise Fault(f"move {event.move} was not reserved")
    return moving


def move_arrived(state: TableState, event: e.MoveArrived) -> TableState:
    decided = _decide_move(state, event)
    seat = find_seat(state, event.session)
    check(event.cents > 0, "moves nothing")
    in_cents, since = seat.in_cents + event.in_cents, min(seat.since, event.since)
    return change_seat(decided, event.session, in_cents=in_cents, since=since)


def move_refused(state: TableState, event: e.MoveRefused) -> TableState:
    return _decide_move(state, event)


def _decide_move(state: TableState, event: e.MoveDecided) -> TableState:
    check(event.move not in state.moves, f"move {event.move} was decided before")
    known = Decided(event.until, state.seq + 1)
    return replace(state, moves=_forget_old_moves(state).set(event.move, known))


def _forget_old_moves(state: TableState) -> Map[str, Decided]:
    """Forget now and then the moves that were decided too long ago for `arrive_move` to answer."""
    if len(state.moves) % FORGET_EVERY:
        return state.moves
    since = state.at - KEPT_MS
    return Map({move: known for move, known in state.moves.items() if known.until > since})
