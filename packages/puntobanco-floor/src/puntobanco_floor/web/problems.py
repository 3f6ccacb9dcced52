"""What goes wrong, in one line for people; and which status it has."""

from __future__ import annotations

import logging

import msgspec

from puntobanco.base.refusal import BadInput, BadText, ExtraNeeded, Refusal
from puntobanco.base.words import Words
from puntobanco_floor.audit.refusals import NoSuchRecord, NoSuchRound
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.refusals import CauseRefused, Excluded, UnknownReview
from puntobanco_floor.evidence.refusals import NoReceipt, NoSuchLink
from puntobanco_floor.lab.refusals import LabIsBusy, NotDealtInTime, NotPlayedHere
from puntobanco_floor.reports.interval import BadDay
from puntobanco_floor.service.refusals import (
    CardNeeded,
    CountsBlind,
    LoginRefused,
    NoSuchTable,
    NotAllowed,
    PatronCardRefused,
    PinRefused,
    Refused,
    SessionOver,
    TooManyTries,
)
from puntobanco_floor.store.batch import Answer
from puntobanco_floor.store.errors import BadDatabase, DatabaseUnavailable, InDoubt, NotStored
from puntobanco_floor.web.routing import HTTPException, Request, Response
from puntobanco_proof.entry.record import Record

_log = logging.getLogger("puntobanco.web")
STATUS: dict[type[Refusal], int] = {
    NoSuchTable: 404,
    NoSuchRound: 404,
    NoReceipt: 404,
    NoSuchLink: 404,
    NoSuchRecord: 404,
    BadDay: 404,
    NotPlayedHere: 404,
    UnknownReview: 404,
    BadInput: 400,
    BadText: 400,
    CauseRefused: 400,
    LoginRefused: 401,
    TooManyTries: 429,
    NotAllowed: 403,
    PinRefused: 403,
    CountsBlind: 403,
    Excluded: 403,
    PatronCardRefused: 403,
    CardNeeded: 403,
    SessionOver: 401,
    NotStored: 503,
    InDoubt: 503,
    DatabaseUnavailable: 503,
    LabIsBusy: 503,
    NotDealtInTime: 503,
    ExtraNeeded: 501,
}
RETRY_S = 2
"""When who was told that there is too much to do may come again."""

_BY_CODE = {"unknown": 404}
"""For what a machine has answered: of a refusal that was stored, the code is left."""


def retry_after(status: int) -> dict[str, str]:
    """The header for who can come again; none where that would not help."""
    return {"Retry-After": str(RETRY_S)} if status in (429, 503) else {}


class Problem(Record):
    """Why something was refused, for people, with the clause where a rulebook decides it."""

    code: str
    reason: Words
    clause: str = ""
    # what is wrong with what was filled in, by field
    fields: dict[str, str] = msgspec.field(default_factory=dict)


def problem(code: str, said: Words) -> Problem:
    return Problem(code=code, reason=said)


def refused(answer: Answer) -> HTTPException:
    extra = {"code": answer.code, "clause": answer.clause, "reason": answer.words}
    return HTTPException(detail=answer.words.en, status_code=409, extra=extra)


def said_with(status: int, said: Words) -> HTTPException:
    """An answer of that status, in both languages."""
    return HTTPException(detail=said.en, status_code=status, extra={"reason": said})


def too_many() -> HTTPException:
    return said_with(429, say.TOO_MANY_TRIES)


def on_refusal(request: Request, refusal: Refusal) -> Response[Problem] | Response[str]:
    if isinstance(refusal, BadDatabase):  # the node has opened it before: it is away, not bad
        _log.error("request %s failed: %s", request.url.path, refusal)
        refusal = DatabaseUnavailable()
    status = STATUS.get(type(refusal)) or _BY_CODE.get(refusal.code, 409)
    if _is_lost(request, status):
        return _no_page()
    fields = refusal.fields if isinstance(refusal, Refused) else {}
    told = Problem(
        code=refusal.code,
        reason=refusal.words,
        clause=refusal.clause or "",
        fields=fields,
    )
    return Response(told, status_code=status, headers=retry_after(status))


def on_fault(request: Request, error: Exception) -> Response[Problem]:
    _log.error(
        "request %s %s failed by a fault of this program; report the traceback",
        request.method,
        request.url.path,
        exc_info=error,
    )
    return Response(problem("fault", say.FAULT), status_code=500)


NO_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>There is no such page</title>
<link rel="icon" href="/screens/base/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/screens/base/tokens.css">
<link rel="stylesheet" href="/screens/enrol/screen.css">
</head>
<body class="felt">
<main id="enrol"><section class="notice"><h1>There is no such page</h1>
<p class="zh-says cjk" lang="zh-Hant">沒有此頁</p>
<a class="home" href="/">All tables <span class="cjk" lang="zh-Hant">所有賭枱</span></a>
</section></main>
</body>
</html>
"""


def _is_lost(request: Request, status: int) -> bool:
    """Whether somebody has typed an address that shows nothing: a page helps, JSON does not."""
    is_page = "text/html" in request.headers.get("accept", "")
    return status == 404 and is_page and not request.url.path.startswith("/api/")


def _no_page() -> Response[str]:
    return Response(NO_PAGE, status_code=404, media_type="text/html; charset=utf-8")


def on_http(request: Request, error: HTTPException) -> Response[Problem] | Response[str]:
    if _is_lost(request, error.status_code):
        return _no_page()
    extra = error.extra
    code = extra.get("code", f"http-{error.status_code}")
    reason = extra.get("reason") or Words(error.detail, Refusal.in_short.zh)
    told = Problem(code=code, reason=reason, clause=extra.get("clause", ""))
    headers = {**retry_after(error.status_code), **(error.headers or {})}
    return Response(told, status_code=error.status_code, headers=headers)


def on_error(request: Request, error: Exception) -> Response[Problem] | Response[str]:
    if isinstance(error, Refusal):
        return on_refusal(request, error)
    if isinstance(error, HTTPException):
        return on_http(request, error)
    return on_fault(request, error)
