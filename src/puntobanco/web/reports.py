"""Reports over HTTP: the same as at the command line, as JSON, CSV, HTML and PDF. One is made at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Annotated, TypeVar

from litestar import MediaType, get
from litestar.datastructures import State
from litestar.params import Parameter

from puntobanco.floor.reports import pages
from puntobanco.floor.reports.interval import Kind, parse_day
from puntobanco.floor.reports.make import report
from puntobanco.floor.reports.rows import Report
from puntobanco.floor.service import Floor
from puntobanco.floor.staff import verify_sees
from puntobanco.web.asking import Asker
from puntobanco.web.staff import person_of

T = TypeVar("T")
Day = Annotated[str | None, Parameter(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", max_length=10)]
_PATH = "/api/staff/reports/{kind:str}"


@get(_PATH, summary="A report of a day, or of the month, the year or the life up to it")
async def figures(request: Asker, state: State, kind: Kind, day: Day = None) -> Report:
    return await _made(request, state, kind, day, lambda found: found)


@get(f"{_PATH}/csv", summary="The same as CSV", media_type="text/csv")
async def figures_csv(request: Asker, state: State, kind: Kind, day: Day = None) -> str:
    return await _made(request, state, kind, day, pages.as_csv)


@get(f"{_PATH}/html", summary="The same as a page", media_type=MediaType.HTML)
async def figures_html(request: Asker, state: State, kind: Kind, day: Day = None) -> str:
    return await _made(request, state, kind, day, pages.as_html)


@get(f"{_PATH}/pdf", summary="The same as a PDF", media_type="application/pdf")
async def figures_pdf(request: Asker, state: State, kind: Kind, day: Day = None) -> bytes:
    return await _made(request, state, kind, day, pages.as_pdf)


async def _made(request: Asker, state: State, kind: Kind, day: str | None, form: Callable[[Report], T]) -> T:
    verify_sees(person_of(request), "reports")
    floor: Floor = state.floor
    last = parse_day(day) if day else None

    def make() -> T:
        return form(report(floor.database, kind, now=int(time.time() * 1000), day=last))

    async with state.one_report:
        return await asyncio.to_thread(make)


HANDLERS = [figures, figures_csv, figures_html, figures_pdf]
