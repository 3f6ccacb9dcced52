"""What goes wrong, in one line for people; and which status it has."""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from puntobanco.events import Record
from puntobanco.floor.admin import Refused
from puntobanco.floor.passwords import LoginRefused
from puntobanco.floor.past.journal_pages import NoSuchRecord
from puntobanco.floor.past.patron_replay import NoSuchRound
from puntobanco.floor.patrons import CardRefused
from puntobanco.floor.refusals import NoSuchTable
from puntobanco.floor.roles import NotAllowed
from puntobanco.house.refusals import Excluded
from puntobanco.lab.simulated import NotDealtInTime
from puntobanco.lab.work import LabIsBusy, NoReports, NotPlayedHere
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.batch import Answer
from puntobanco.storage.errors import NotStored
from puntobanco.table.refusals import UnknownReview

_log = logging.getLogger("puntobanco.web")
_STATUS: dict[type[Refusal], int] = {
    NoSuchTable: 404,
    NoSuchRound: 404,
    NoSuchRecord: 404,
    NotPlayedHere: 404,
    UnknownReview: 404,
    LoginRefused: 401,
    NotAllowed: 403,
    Excluded: 403,
    CardRefused: 403,
    NotStored: 503,
    LabIsBusy: 503,
    NotDealtInTime: 503,
    NoReports: 501,
}
_BY_CODE = {"unknown": 404}
"""For what a machine has answered: of a refusal that was stored, the code is left."""


class Problem(Record):
    """Why something was refused, for people, with the clause where a rulebook decides it."""

    code: str
    reason: str
    clause: str = ""
    # what is wrong with what was filled in, by field
    fields: dict[str, str] = msgspec.field(default_factory=dict)


def refused(answer: Answer) -> HTTPException:
    return HTTPException(
        detail=answer.reason, status_code=409, extra={"code": answer.code, "clause": answer.clause}
    )


def too_many(what: str = "tries") -> HTTPException:
    return HTTPException(detail=f"too many {what}; wait a little", status_code=429)


def on_refusal(_: Request[Any, Any, State], refusal: Refusal) -> Response[Problem]:
    status = _STATUS.get(type(refusal)) or _BY_CODE.get(refusal.code, 409)
    fields = refusal.fields if isinstance(refusal, Refused) else {}
    problem = Problem(
        code=refusal.code, reason=refusal.reason, clause=refusal.clause or "", fields=fields
    )
    return Response(problem, status_code=status)


def on_fault(request: Request[Any, Any, State], error: Exception) -> Response[Problem]:
    _log.error(
        "request %s %s failed by a fault of this program; report the traceback",
        request.method,
        request.url.path,
        exc_info=error,
    )
    problem = Problem(code="fault", reason="a fault in this program; nothing was taken")
    return Response(problem, status_code=500)


def on_http(_: Request[Any, Any, State], error: HTTPException) -> Response[Problem]:
    extra = error.extra if isinstance(error.extra, dict) else {}
    code = str(extra.get("code", f"http-{error.status_code}"))
    reason = _misread(error.extra) if isinstance(error.extra, list) else error.detail
    clause = str(extra.get("clause", ""))
    problem = Problem(code=code, reason=reason, clause=clause)
    return Response(problem, status_code=error.status_code, headers=error.headers)


def _misread(faults: list[Any]) -> str:
    """Which field, and what is wrong with it: Litestar's own sentence names only the address that
    was asked.
    """
    told = list[str]()
    for fault in faults:
        where = f"{fault['key']}: " if "key" in fault else ""
        told.append(f"{where}{fault['message']}")
    return f"that cannot be read: {'; '.join(told)}"
