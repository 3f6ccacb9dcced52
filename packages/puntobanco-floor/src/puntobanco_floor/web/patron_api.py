"""The patrons' part of the API: tables, sessions, seats, vouchers, limits of their own, past
rounds.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

import msgspec

from puntobanco.base.words import Words
from puntobanco.rules.causes import told_of
from puntobanco_floor.audit.round_replay import RoundPage, recall, round_page
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.events import Complaint
from puntobanco_floor.domain.house.commands import Minutes
from puntobanco_floor.domain.house.state import Bounds
from puntobanco_floor.domain.stream_names import MOST, table_name
from puntobanco_floor.domain.table.commands import MAX_REVIEW_NOTE, Allowance, AskReview
from puntobanco_floor.service import voucher_numbers
from puntobanco_floor.service.patron_lookup import CARD, MAX_CARD
from puntobanco_floor.service.terminals.wire import CommandId
from puntobanco_floor.service.tickets import Ticket
from puntobanco_floor.store.batch import Answer
from puntobanco_floor.views.game_view import RulesView, rules_view
from puntobanco_floor.views.table_view import Recall, SessionView, TableView
from puntobanco_floor.web.context import Web, get_web
from puntobanco_floor.web.problems import refused, said_with
from puntobanco_floor.web.request import (
    COOKIE,
    CREDENTIALS_BYTES,
    DEVICE_COOKIE,
    NO_ID,
    Asker,
    BeforeEntry,
    Once,
    RoundId,
    TableId,
    limit,
    post_action,
    read_ticket,
    read_token,
    set_cookie,
    verify_rate,
)
from puntobanco_floor.web.routing import Response, get, post
from puntobanco_proof.entry.record import Record

KEPT_S = 10 * 365 * 86_400
TICKET_S = 86_400
"""A browser that was closed finds its session, and a voucher that was not put away, for a day."""


class Guest(Record):
    """A session; programs send the token as `Authorization: Bearer`, browsers have it in a
    cookie.
    """

    session: str
    token: str
    csrf: str


class FloorView(Record):
    house: str
    demo: bool
    stopped: Words | None  # why no round opens anywhere
    terminal: str  # the name under which the device that asks is enrolled; none: it is not
    zone: str  # by whose clocks times are shown
    session: bool  # whether who asks has one, for /api/me


class Enrol(Record):
    code: Annotated[str, msgspec.Meta(max_length=40)]


class Enrolled(Record):
    """The key that the device keeps, as `Authorization: Bearer` for /api/session; browsers have it
    in a cookie.
    """

    terminal: str
    key: str
    table: str


class Begin(Record):
    """Who plays, where the terminal has read a member's card: its id. No answer has it; the patron
    is known by another, random one.
    """

    card: Annotated[str, msgspec.Meta(max_length=MAX_CARD, pattern=CARD)] | None = None


class OwnLimits(Record):
    """What a day may cost: none is no limit. Narrower holds at once, wider waits a day."""

    loss_cents: Allowance | None = None
    minutes: Minutes | None = None


class LimitsAsked(Once):
    """The same, with an id of its own: asked again, it has one effect."""

    loss_cents: Allowance | None = None
    minutes: Minutes | None = None


class LimitsView(Record):
    loss_cents: int | None
    minutes: int | None
    lost_cents: int  # today, in sessions that have ended; below zero: won
    played_ms: int
    wider: OwnLimits | None  # asked for, and waiting
    wider_at: int | None


class Me(Record):
    session: str
    patron: str
    csrf: str
    demo: bool
    limits: LimitsView
    tables: list[SessionView]
    reality_check_minutes: int  # how often the terminal tells time and net; 0: never


class VoucherPaper(Record):
    """A voucher as it is printed; the number is shown this once."""

    number: str
    shown: str
    cents: int
    expires_at: int
    qr: tuple[str, ...]  # rows of modules; 1 is dark
    house: str
    demo: bool
    at: int
    place: str  # the table or the window that issued it, and its entry there
    seq: int
    session: str  # whose credits it was; of a voucher that was sold, nobody's


class CashOutAsked(Record):
    """With an id of its own: asked again, when the answer was lost, it brings the same voucher."""

    id: CommandId


class MoveAsked(Record):
    """With an id of its own: asked again, when the answer was lost, it is the same move."""

    id: CommandId
    to: Annotated[int, msgspec.Meta(ge=1, le=MOST)]


class ReviewWanted(Record):
    """With an id of its own: asked again, it is the same review."""

    id: CommandId
    complaint: Complaint
    note: Annotated[str, msgspec.Meta(max_length=MAX_REVIEW_NOTE)] = ""


class Redeem(Once):
    """With an id of its own: asked again, when the answer was lost, it is the same redemption."""

    number: Annotated[str, msgspec.Meta(max_length=40)]


@get(
    "/api/floor",
    summary="The house, whether it is a demonstration, and whether this device is enrolled",
)
async def floor_view(request: Asker) -> FloorView:
    web = get_web(request)
    key, _ = read_token(request, DEVICE_COOKIE)
    terminal = web.floor.tickets.terminal_with(key) or ""
    stopped = told_of(web.house.stopped)
    return FloorView(
        house=web.house.name,
        demo=web.floor.demo,
        stopped=stopped or None,
        terminal=terminal,
        zone=web.house.calendar.cut_at(web.now_ms()).zone,
        session=web.floor.tickets.read(read_token(request)[0]) is not None,
    )


@get("/api/tables", summary="All tables as everybody sees them")
async def tables(request: Asker) -> list[TableView]:
    return get_web(request).floor.screens.tables()


@get("/api/tables/{number:int}", summary="One table")
async def table(request: Asker, number: TableId) -> TableView:
    return get_web(request).floor.screens.table(table_name(number))


@get(
    "/api/tables/{number:int}/rules",
    summary="The rules of the table's game, in both languages, with clauses",
)
async def rules(request: Asker, number: TableId) -> RulesView:
    floor = get_web(request).floor
    stream = floor.follower.stream(table_name(number))
    return rules_view(stream.state.playing, voucher_days=floor.settings.voucher_days)


@post("/api/guest", summary="A guest session, in the demonstration only", status_code=201)
async def guest(request: Asker) -> Response[Guest]:
    web = get_web(request)
    if not web.floor.demo:
        raise said_with(404, say.NO_GUESTS)
    verify_rate(request, web.limits.guests)
    token, by_cookie = read_token(request)
    known = web.floor.tickets.read(token) if by_cookie else None
    if known is None or web.floor.seats.is_over(known):
        token = web.floor.tickets.new_guest()
    return _begun(web, token, 201)


def _begun(web: Web, token: str, status_code: int = 200) -> Response[Guest]:
    session = str(web.floor.tickets.session(token))
    csrf = web.floor.tickets.csrf(token)
    answer = Response(Guest(session=session, token=token, csrf=csrf), status_code)
    set_cookie(answer, web, COOKIE, token, TICKET_S)
    return answer


@post(
    "/api/enrol",
    summary="Enrol this device with the code of a terminal, once",
    status_code=201,
    guards=[limit("enrolments")],
    max_body_bytes=CREDENTIALS_BYTES,
)
async def enrol(request: Asker, data: Enrol) -> Response[Enrolled]:
    web = get_web(request)
    name, key = await web.floor.seats.enrol(data.code)
    enrolled = Enrolled(terminal=name, key=key, table=web.house.terminals[name].table)
    answer = Response(enrolled, 201)
    set_cookie(answer, web, DEVICE_COOKIE, key, KEPT_S)
    return answer


@post_action(
    "/api/session",
    summary="The session at this enrolled terminal, or a new one",
    max_body_bytes=CREDENTIALS_BYTES,
)
async def session(request: Asker, data: Begin) -> Response[Guest]:
    web = get_web(request)
    key, _ = read_token(request, DEVICE_COOKIE)
    terminal = web.floor.tickets.terminal_with(key)
    if terminal is None:
        raise said_with(401, say.NOT_ENROLLED)
    # a card that is new makes a row: a device may not make them without end
    if data.card:
        web.limits.cards.verify(terminal)
    token = await web.floor.seats.token_at(terminal, data.card or "")
    return _begun(web, token)


@get("/api/me", summary="The session that asks, where it is seated, and its own limits")
async def me(request: Asker) -> Me:
    web = get_web(request)
    ticket = read_ticket(request)
    views = [web.floor.screens.session(name, ticket.session) for name in web.floor.follower.streams]
    return Me(
        session=ticket.session,
        patron=ticket.patron,
        csrf=web.floor.tickets.csrf(read_token(request)[0]),
        demo=web.floor.demo,
        limits=_limits(web.house.bounds(ticket.who)),
        tables=[view for view in views if view.seated or view.balance_cents],
        reality_check_minutes=web.floor.settings.reality_check_minutes,
    )


def _limits(bounds: Bounds) -> LimitsView:
    wider = None
    if bounds.wider:
        loss_cents, minutes = bounds.wider
        wider = OwnLimits(loss_cents=loss_cents, minutes=minutes)
    return LimitsView(
        loss_cents=bounds.loss_cents,
        minutes=bounds.minutes,
        lost_cents=-bounds.net_cents,
        played_ms=bounds.played_ms,
        wider=wider,
        wider_at=bounds.wider_at if wider else None,
    )


@post_action("/api/me/limits", summary="Limits of one's own: loss and time a day")
async def limits(request: Asker, data: LimitsAsked) -> LimitsView:
    web = get_web(request)
    ticket = read_ticket(request)
    web.limits.changes.verify(ticket.asker)
    await web.floor.seats.limit(ticket, data.loss_cents, data.minutes, data.id or "")
    return _limits(web.house.bounds(ticket.who))


@post_action(
    "/api/tables/{number:int}/seat", summary="Take a seat; in the demonstration with play credits"
)
async def seat(request: Asker, number: TableId, data: Once | None = None) -> SessionView:
    web, ticket, name = _at_table(request, number)
    answer = await web.floor.seats.take(name, ticket, (data or NO_ID).id or "")
    return await session_after(web, name, ticket.session, answer)


@post_action(
    "/api/tables/{number:int}/move",
    summary="To another table with all credits: the session there, or here while it is on the way",
)
async def move(request: Asker, number: TableId, data: MoveAsked) -> SessionView:
    web, ticket, name = _at_table(request, number)
    to = table_name(data.to)
    web.limits.changes.verify(ticket.asker)
    decided = await web.floor.seats.move(name, ticket, to, data.id)
    place, seq = (to, decided) if decided else (name, web.floor.follower.stream(name).state.seq)
    await web.floor.follower.caught_up(place, seq)
    return web.floor.screens.session(place, ticket.session)


@post_action(
    "/api/tables/{number:int}/leave",
    summary="Leave the seat; credits are cashed out, or moved, first",
)
async def leave(request: Asker, number: TableId, data: Once | None = None) -> SessionView:
    web, ticket, name = _at_table(request, number)
    answer = await web.floor.seats.leave(name, ticket.session, (data or NO_ID).id or "")
    return await session_after(web, name, ticket.session, answer)


@post_action("/api/tables/{number:int}/cash-out", summary="All credits to a voucher")
async def cash_out(request: Asker, number: TableId, data: CashOutAsked) -> VoucherPaper:
    web, ticket, name = _at_table(request, number)
    paper = await web.floor.seats.cash_out(name, ticket.session, data.id)
    return voucher_paper(paper, web)


def _at_table(request: Asker, number: int) -> tuple[Web, Ticket, str]:
    """Return what a handler needs for the session that asks, and the name of its table."""
    return get_web(request), read_ticket(request), table_name(number)


def voucher_paper(paper: voucher_numbers.Paper, web: Web) -> VoucherPaper:
    return VoucherPaper(
        **paper._asdict(),
        shown=voucher_numbers.shown(paper.number),
        qr=voucher_numbers.qr(paper.number),
        house=web.house.name,
        demo=web.floor.demo,
    )


async def session_after(web: Web, name: str, session: str, answer: Answer) -> SessionView:
    """Return a session as an accepted command leaves it."""
    if not answer.ok:
        raise refused(answer)
    await web.floor.follower.caught_up(name, answer.seq)
    return web.floor.screens.session(name, session)


@post_action(
    "/api/tables/{number:int}/redeem",
    summary="Credits from a voucher",
    max_body_bytes=CREDENTIALS_BYTES,
)
async def redeem(request: Asker, number: TableId, data: Redeem) -> SessionView:
    web, ticket, name = _at_table(request, number)
    web.limits.redemptions.verify(ticket.asker)
    answer = await web.floor.seats.redeem(name, ticket, data.number, data.id or "")
    return await session_after(web, name, ticket.session, answer)


@get(
    "/api/tables/{number:int}/last-round",
    summary="The last round that was settled or void, as a replay",
)
async def last_round(request: Asker, number: TableId) -> Recall:
    floor = get_web(request).floor
    name = table_name(number)
    table = floor.follower.stream(name).state
    return await _recalled(request, name, table.rounds - table.is_in_play)


@get("/api/tables/{number:int}/rounds/{round_:int}", summary="Any past round, as a replay")
async def past_round(request: Asker, number: TableId, round_: RoundId) -> Recall:
    return await _recalled(request, table_name(number), round_)


@get(
    "/api/tables/{number:int}/rounds",
    summary="Past rounds, newest first and a page at a time; of wagers only those of the session",
)
async def past_rounds(
    request: Asker, number: TableId, before: BeforeEntry = None, *, mine: bool = True
) -> RoundPage:
    web, ticket, name = _at_table(request, number)
    state = web.floor.follower.stream(name).state
    web.limits.recalls.verify(ticket.asker)
    seat = state.sessions.get(ticket.session)
    page = partial(
        round_page,
        web.floor.database,
        name,
        ticket.session,
        before=before or state.seq + 1,
        mine=mine,
        since=seat.since if seat and mine else 0,
    )
    return await web.past.run(ticket.asker, page)


async def _recalled(request: Asker, name: str, number: int) -> Recall:
    web = get_web(request)
    ticket = read_ticket(request)
    web.floor.follower.stream(name)
    web.limits.recalls.verify(ticket.asker)
    replay = partial(recall, web.floor.database, name, number, ticket.session, demo=web.floor.demo)
    return await web.past.run(ticket.asker, replay)


@post_action(
    "/api/tables/{number:int}/rounds/{round_:int}/review",
    summary="Ask for a review of a past round",
)
async def ask_review(
    request: Asker, number: TableId, round_: RoundId, data: ReviewWanted
) -> SessionView:
    web, ticket, name = _at_table(request, number)
    web.floor.follower.stream(name)
    web.limits.recalls.verify(ticket.asker)
    session = ticket.session
    asked = AskReview(
        by=session, session=session, round=round_, complaint=data.complaint, note=data.note
    )
    answer = await web.floor.reviews.ask(name, data.id, asked)
    return await session_after(web, name, session, answer)
