"""The cage's part of the API: windows, shifts, vouchers for cash and cash for vouchers."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec

from puntobanco_floor.domain.cage import commands as g
from puntobanco_floor.domain.commands import Cents, Command, Note
from puntobanco_floor.domain.proposals import ProposalNumber
from puntobanco_floor.domain.table.commands import Adjust
from puntobanco_floor.evidence.receipt import open_link
from puntobanco_floor.service.administration import must
from puntobanco_floor.service.cage_windows import VoucherFound, WindowView
from puntobanco_floor.service.roles import verify_approves, verify_may, verify_sees, verify_two
from puntobanco_floor.service.terminals.wire import CommandId
from puntobanco_floor.store.batch import Answer
from puntobanco_floor.web.context import Web, get_web
from puntobanco_floor.web.patron_api import VoucherPaper, voucher_paper
from puntobanco_floor.web.request import Asker, post_action, read_person, seen_by, verify_pin
from puntobanco_floor.web.routing import get
from puntobanco_proof.entry.record import Record
from puntobanco_proof.receipt_format import Kind

WindowId = Annotated[int, msgspec.Meta(ge=1, le=1_000)]


class Amount(Record):
    """With an id of its own: asked again, it has one effect and the same answer."""

    id: CommandId
    cents: Cents


class Counted(Record):
    id: CommandId
    cents: g.Counted


class Number(Record):
    id: CommandId
    number: Annotated[str, msgspec.Meta(max_length=40)]


class PaymentAsked(Record):
    id: CommandId
    payment: ProposalNumber


class PaymentRejected(Record):
    """The reason is told to who asked."""

    id: CommandId
    payment: ProposalNumber
    reason: Note = ""


class ReceiptShown(Record):
    """The address of a receipt, as its code has it."""

    address: Annotated[str, msgspec.Meta(max_length=600)]


class ReceiptFound(Record):
    """A receipt that a patron shows, and the adjustments of its table that wait for its session: of
    its round, where it is of one.
    """

    kind: Kind
    table: str
    round: int  # 0 where it is not of a round
    session: str
    proposals: list[int]


class Looked(Record):
    number: Annotated[str, msgspec.Meta(max_length=40)]


@get(
    "/api/staff/cage/{window:int}",
    summary="A cage window: its shift, what waits for a second person, what is owed",
)
async def window_view(request: Asker, window: WindowId) -> WindowView:
    return await seen_by(request, "cage").floor.screens.cage(window)


@post_action("/api/staff/vouchers/look-up", summary="A voucher by its number; nothing is paid")
async def look_up(request: Asker, data: Looked) -> VoucherFound:
    web = _look_up(request)
    trusted = web.floor.follower.house.trusted
    return await asyncio.to_thread(web.floor.cage.look_up, data.number, web.now_ms(), trusted)


@post_action(
    "/api/staff/receipts/look-up",
    summary="A patron's receipt by its address, and the adjustments that wait for it",
)
async def look_up_receipt(request: Asker, data: ReceiptShown) -> ReceiptFound:
    web = _look_up(request)
    _, _, token = data.address.strip().rpartition("/")
    link = open_link(web.floor.ring, token.removesuffix(".json"), web.now_ms())
    round_ = link.number if link.kind in ("round", "wager") else 0
    waiting = web.floor.follower.stream(link.table).state.proposals.waiting
    found = list[int]()
    for number, proposal in sorted(waiting.items()):
        asked = proposal.command
        is_own = (asked["command"], asked.get("session")) == (Adjust.name(), link.session)
        if is_own and round_ in (0, asked["round"]):
            found.append(number)
    return ReceiptFound(
        kind=link.kind, table=link.table, round=round_, session=link.session, proposals=found
    )


@post_action("/api/staff/cage/{window:int}/open", summary="Open a shift with its float")
async def open_shift(request: Asker, window: WindowId, data: Counted) -> Answer:
    by = _may(request, g.OpenShift)
    web = get_web(request)
    now = web.now_ms()
    answer = web.floor.cage.open_shift(window, by, data.id, data.cents, web.house, now)
    return await must(answer)


@post_action("/api/staff/cage/{window:int}/sell", summary="Cash for a voucher")
async def sell(request: Asker, window: WindowId, data: Amount) -> VoucherPaper:
    by = _may(request, g.SellVoucher)
    web = get_web(request)
    paper = await web.floor.cage.sell(window, by, data.id, data.cents)
    return voucher_paper(paper, web)


@post_action(
    "/api/staff/cage/{window:int}/pay", summary="A voucher for cash; a large or expired one waits"
)
async def pay(request: Asker, window: WindowId, data: Number) -> Answer:
    by = _may(request, g.PayVoucher)
    return await must(get_web(request).floor.cage.pay(window, by, data.id, data.number))


@post_action("/api/staff/cage/{window:int}/approve", summary="A payment approved by somebody else")
async def approve(request: Asker, window: WindowId, data: PaymentAsked) -> Answer:
    by = _may(request, g.Approve)
    web, person = get_web(request), read_person(request)
    waits = await web.floor.cage.proposed(window, data.payment)
    if waits is not None:
        kind = type(web.floor.store.definitions.cage.held(waits))
        verify_approves(web.house, waits.by, person, kind)
    await verify_pin(request, person)
    return await _do(request, window, data.id, g.Approve(by=by, proposal=data.payment))


@post_action("/api/staff/cage/{window:int}/reject", summary="A payment turned down")
async def reject(request: Asker, window: WindowId, data: PaymentRejected) -> Answer:
    by = _may(request, g.Reject)
    command = g.Reject(by=by, proposal=data.payment, reason=data.reason)
    return await _do(request, window, data.id, command)


@post_action(
    "/api/staff/cage/{window:int}/withdraw", summary="A payment taken back by who asked for it"
)
async def withdraw(request: Asker, window: WindowId, data: PaymentAsked) -> Answer:
    by = _may(request, g.WithdrawProposal)
    return await _do(request, window, data.id, g.WithdrawProposal(by=by, proposal=data.payment))


@post_action("/api/staff/cage/{window:int}/count", summary="The cashier's count of the drawer")
async def count(request: Asker, window: WindowId, data: Counted) -> Answer:
    by = _may(request, g.CountShift)
    floor = get_web(request).floor
    await floor.propagator.settled()  # cash of tables that is on its way to the drawer
    return await must(floor.cage.count(g.CountShift, window, by, data.id, data.cents))


@post_action(
    "/api/staff/cage/{window:int}/confirm", summary="Somebody else's count; the same ends the shift"
)
async def confirm(request: Asker, window: WindowId, data: Counted) -> Answer:
    by = _may(request, g.ConfirmCount)
    web, person = get_web(request), read_person(request)
    holder = web.house.windows.get(window)
    verify_two(web.house, holder.cashier if holder else by, person)
    await verify_pin(request, person)
    cage = web.floor.cage
    return await must(cage.count(g.ConfirmCount, window, by, data.id, data.cents))


def _look_up(request: Asker) -> Web:
    person = read_person(request)
    verify_sees(person, "cage")
    web = get_web(request)
    web.limits.lookups.verify(person.name)
    return web


def _may(request: Asker, kind: type[Command]) -> str:
    person = read_person(request)
    verify_may(person, kind)
    return person.name


async def _do(request: Asker, window: int, id_: str, command: Command) -> Answer:
    return await must(get_web(request).floor.cage.ask(window, id_, command))
