"""Reports over HTTP: the same as at the command line, as JSON, CSV, HTML and PDF. One is made at a
time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, TypeVar

import msgspec

from puntobanco_floor.reports import liability as owed
from puntobanco_floor.reports import report_pages
from puntobanco_floor.reports.interval import Kind, parse_day
from puntobanco_floor.reports.report import report
from puntobanco_floor.reports.rows import Report
from puntobanco_floor.web.request import Asker, seen_by
from puntobanco_floor.web.routing import get

T = TypeVar("T")
Day = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", max_length=10)] | None
_PATH = "/api/staff/reports/{kind:str}"


@get("/api/staff/reports/liability", summary="What the house owes on vouchers")
async def liability(request: Asker) -> owed.Liability:
    return await _liability(request)


@get("/api/staff/reports/liability.csv", summary="The same as CSV", media_type="text/csv")
async def liability_csv(request: Asker) -> str:
    return owed.as_csv(await _liability(request))


async def _liability(request: Asker) -> owed.Liability:
    web = seen_by(request, "liability")
    return await asyncio.to_thread(
        owed.liability,
        web.floor.database,
        house=web.house.name,
        demo=web.floor.demo,
        now=web.now_ms(),
    )


@get(_PATH, summary="A report of a day, or of the month, the year or the life up to it")
async def figures(request: Asker, kind: Kind, day: Day = None) -> Report:
    return await _made(request, kind, day, lambda found: found)


@get(f"{_PATH}/csv", summary="The same as CSV", media_type="text/csv")
async def figures_csv(request: Asker, kind: Kind, day: Day = None) -> str:
    return await _made(request, kind, day, report_pages.as_csv)


@get(f"{_PATH}/html", summary="The same as a page", media_type="text/html")
async def figures_html(request: Asker, kind: Kind, day: Day = None) -> str:
    return await _made(request, kind, day, report_pages.as_html)


@get(f"{_PATH}/pdf", summary="The same as a PDF", media_type="application/pdf")
async def figures_pdf(request: Asker, kind: Kind, day: Day = None) -> bytes:
    return await _made(request, kind, day, report_pages.as_pdf)


async def _made(request: Asker, kind: Kind, day: str | None, form: Callable[[Report], T]) -> T:
    web = seen_by(request, "reports")
    last = parse_day(day) if day else None

    def make() -> T:
        found = report(web.floor.database, kind, now=web.now_ms(), day=last)
        return form(found)

    async with web.one_report:
        return await asyncio.to_thread(make)
