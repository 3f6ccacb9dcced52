"""Receipts: links for the session that asks, the page and the file behind a link, the verifiers."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import Annotated

import msgspec

from puntobanco.base.words import Words
from puntobanco_floor.audit.refusals import NoSuchRound
from puntobanco_floor.domain.refusals import NO_ROUND
from puntobanco_floor.domain.stream_names import place_words, table_name
from puntobanco_floor.evidence.disclosure import event_in
from puntobanco_floor.evidence.receipt import (
    LIVES_MS,
    NOTHING,
    House,
    Link,
    Maker,
    Span,
    find_voucher,
    open_link,
    seal_link,
    span_of_round,
    span_of_session,
    span_of_shoe,
)
from puntobanco_floor.evidence.refusals import NoReceipt
from puntobanco_floor.service import voucher_numbers
from puntobanco_floor.service.client_network import network_of
from puntobanco_floor.service.tickets import Ticket
from puntobanco_floor.store.reader import Reader, reading
from puntobanco_floor.web.context import Web, get_web
from puntobanco_floor.web.pages import send_download, send_page
from puntobanco_floor.web.request import Asker, TableId, read_address, read_ticket
from puntobanco_floor.web.routing import Response, get, post
from puntobanco_proof.entry.format import Fault
from puntobanco_proof.entry.record import Record
from puntobanco_proof.receipt_format import Kind, Receipt, What, encode_receipt
from puntobanco_proof.verifier import FILES, read_verifier

SESSION_MS = 2 * 86_400_000
"""A session's receipt goes back so far."""

JSON, WORDS = ".json", ".words.json"
Number = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]


class ReceiptAsked(Record):
    """`number` is the round's or the shoe's; of a voucher the entry that issued it."""

    kind: Kind
    number: Number = 0
    bet: Annotated[str, msgspec.Meta(max_length=64)] = ""


class ReceiptLink(Record):
    """Where the receipt is until its day; who has the address has the receipt."""

    path: str
    url: str
    qr: tuple[str, ...]  # of the address, rows of modules; 1 is dark
    ends_at: int
    proven: bool  # that it is in the log; else recorded and signed, and the proof follows


@post(
    "/api/tables/{number:int}/receipts",
    summary="A receipt of a wager, round, voucher, session or shoe, as a link",
    status_code=201,
)
async def ask_receipt(request: Asker, number: TableId, data: ReceiptAsked) -> ReceiptLink:
    web = get_web(request)
    ticket = read_ticket(request)
    table = table_name(number)
    web.floor.follower.stream(table)
    web.limits.recalls.verify(ticket.asker)
    link, receipt = await web.past.run(ticket.asker, partial(_made, web, table, ticket, data))
    path = f"/receipt/{seal_link(web.floor.ring, link)}"
    scheme = "https" if web.secure else "http"
    url = f"{scheme}://{request.headers.get('host', '')}{path}"
    qr = voucher_numbers.qr(url)
    return ReceiptLink(path=path, url=url, qr=qr, ends_at=link.ends, proven=receipt.is_proven)


def _made(web: Web, table: str, ticket: Ticket, asked: ReceiptAsked) -> tuple[Link, Receipt]:
    """Made once, so that a link leads to something."""
    now = web.now_ms()
    with reading(web.floor.database) as reader:
        span = _span(reader, table, ticket.session, asked, now)
        link = Link(
            kind=asked.kind,
            table=table,
            number=asked.number,
            session="" if asked.kind == "shoe" else ticket.session,
            bet=asked.bet if asked.kind == "wager" else "",
            first=span.first,
            last=span.last,
            ends=now + LIVES_MS,
        )
        return link, _receipt(web, reader, link)


def _span(reader: Reader, table: str, session: str, asked: ReceiptAsked, now: int) -> Span:
    if asked.kind == "shoe":
        return span_of_shoe(reader, table, asked.number)
    if asked.kind == "session":
        return span_of_session(reader, table, session, since=now - SESSION_MS)
    if asked.kind == "voucher":
        return Span(asked.number, asked.number)
    try:
        return span_of_round(reader, table, asked.number)
    except Fault:
        raise NoSuchRound(NO_ROUND.format(asked.number, place_words(table))) from None


def _receipt(web: Web, reader: Reader, link: Link) -> Receipt:
    span = Span(link.first, link.last)
    what = What(kind=link.kind, table=link.table, session=link.session, bet=link.bet)
    if link.kind == "shoe":
        # it goes on while it is played: what its link shows grows with it
        span = span_of_shoe(reader, link.table, link.number)
        what = msgspec.structs.replace(what, shoe=link.number)
    elif link.kind == "voucher":
        what = msgspec.structs.replace(what, voucher=_voucher(reader, link))
    elif link.kind in ("round", "wager"):
        span = span_of_round(reader, link.table, link.number)
        what = msgspec.structs.replace(what, round=link.number)
    keeper = web.floor.log
    house = House(
        web.house.name,
        keeper.policy,
        is_demonstration=web.floor.settings.demo and keeper.has_witnesses,
    )
    return Maker(reader, keeper.log, web.floor.ring, house).receipt(what, span)


def _voucher(reader: Reader, link: Link) -> str:
    """What the books know a voucher by that the session was issued."""
    for entry in reader.decoded(link.table, after=link.first - 1, upto=link.last):
        voucher = find_voucher(entry, link.session)
        if voucher:
            return voucher
    raise NoReceipt(NOTHING)


@get("/receipt/{name:str}", include_in_schema=False)
async def receipt_page(request: Asker, name: str) -> Response[bytes]:
    """The page, or the file or its words where the name ends so."""
    web = get_web(request)
    token = name.removesuffix(WORDS).removesuffix(JSON)
    link = open_link(web.floor.ring, token, web.now_ms())
    if not name.endswith(JSON):
        return send_page(request, "receipt")
    asker = network_of(read_address(request))
    web.limits.recalls.verify(asker)
    if name.endswith(WORDS):
        told = await web.past.run(asker, partial(_told, web, link))
        return Response(msgspec.json.encode(told), media_type="application/json")
    data = await web.past.run(asker, partial(_file, web, link))
    return send_download(data, "receipt.json", "application/json")


def _told(web: Web, link: Link) -> dict[str, Words]:
    """The events of a receipt in words, by their texts; a patron's line has none."""
    with reading(web.floor.database) as reader:
        receipt = _receipt(web, reader, link)
    parts = [part.part for entry in receipt.entries for part in entry.parts]
    return {part: event_in(part.encode()).says() for part in parts if part.startswith("{")}


def _file(web: Web, link: Link) -> bytes:
    with reading(web.floor.database) as reader:
        return encode_receipt(_receipt(web, reader, link))


@cache
def _content() -> str:
    """The content policy of the verifier's page as the page itself has it, and no frame around."""
    found = re.search(rb'Content-Security-Policy" content="([^"]+)"', read_verifier("verify.html"))
    assert found is not None, "the page names its script and style by hash"
    return f"{found[1].decode()}; frame-ancestors 'none'"


def _served(name: str) -> Response[bytes]:
    headers = {"content-security-policy": _content(), "cache-control": "no-cache"}
    return Response(read_verifier(name), media_type=FILES[name], headers=headers)


@get("/verify.html", include_in_schema=False)
async def verify_page() -> Response[bytes]:
    return _served("verify.html")


@get("/verify.py", include_in_schema=False)
async def verify_program() -> Response[bytes]:
    return _served("verify.py")
