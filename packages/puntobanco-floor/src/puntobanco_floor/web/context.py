"""Values for handlers: the floor, and what only the web has."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from puntobanco_floor.audit.audit_job import Verifier
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.environment import NowMs
from puntobanco_floor.lab.lab_queue import Lab
from puntobanco_floor.lab.worker_process import WorkerProcess
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.published_games import PublishedGames
from puntobanco_floor.service.readiness import Readiness
from puntobanco_floor.service.work_queue import WorkQueue
from puntobanco_floor.web.font_files import read_fonts
from puntobanco_floor.web.rate_limit import RateLimits
from puntobanco_floor.web.screen_files import File

MOST_RECALLS = 200
"""Patrons' recalls and receipts that wait at once."""


def _past() -> WorkQueue:
    return WorkQueue(ThreadPoolExecutor(1, "past"), most_waiting=MOST_RECALLS)


@dataclass(frozen=True, kw_only=True)
class Web:
    floor: Floor
    readiness: Readiness
    verifier: Verifier
    limits: RateLimits
    fonts: Mapping[str, File]
    secure: bool  # browsers come by TLS: a cookie travels no other way
    # jobs of the odds lab take seconds: they run in a process of their own
    lab: Lab = field(default_factory=lambda: Lab(WorkerProcess()))
    # a definition that came over HTTP is checked by a process; one runs at a time
    one_check: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    published: PublishedGames = field(default_factory=PublishedGames)
    # rounds and receipts of the past, for patrons: replayed one at a time
    past: WorkQueue = field(default_factory=_past)
    # a report reads much and is rare: one is made at a time
    one_report: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))

    @property
    def house(self) -> HouseState:
        return self.floor.follower.house

    @property
    def now_ms(self) -> NowMs:
        """The wall clock, in milliseconds."""
        return self.floor.world.now_ms


def web_for(floor: Floor, *, secure: bool = False, readiness: Readiness | None = None) -> Web:
    """Return the value that handlers are given."""
    return Web(
        floor=floor,
        readiness=readiness
        or Readiness(floor.store, floor.follower, floor.shutdown, log=floor.log),
        verifier=Verifier(floor.database, floor.settings, floor.world.now_ms),
        limits=RateLimits(floor.settings),
        fonts=read_fonts(floor.settings.fonts),
        secure=secure,
    )


def get_web(connection: HTTPConnection) -> Web:
    """`app.state` is untyped: this is the one place that reads it."""
    web: Web = connection.app.state.web
    return web
