"""What handlers may use: the floor's parts and the web's own, in one frozen value."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from litestar.connection import ASGIConnection

from puntobanco_floor.audit.audit_job import Verifier
from puntobanco_floor.domain.definitions import Definitions
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.environment import NowMs
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.lab.lab_queue import Lab
from puntobanco_floor.lab.worker_process import WorkerProcess
from puntobanco_floor.metrics import FloorWork, StoreWork
from puntobanco_floor.service.cage_windows import Windows
from puntobanco_floor.service.cross_stream import Propagator
from puntobanco_floor.service.dispatch import Commands
from puntobanco_floor.service.enrolment import Enrolment
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.follower import Follower
from puntobanco_floor.service.patron_lookup import Patrons
from puntobanco_floor.service.patron_reviews import Reviews
from puntobanco_floor.service.readiness import Readiness
from puntobanco_floor.service.seats import Seats
from puntobanco_floor.service.staff_logins import Logins
from puntobanco_floor.service.subscriptions import LiveViews
from puntobanco_floor.service.terminals.broadcast import Broadcast
from puntobanco_floor.service.terminals.connections import Rooms
from puntobanco_floor.service.terminals.shutdown import Shutdown
from puntobanco_floor.service.tickets import Tickets
from puntobanco_floor.service.view_builder import Screens
from puntobanco_floor.service.wager_entry import Wagers
from puntobanco_floor.service.work_queue import WorkQueue
from puntobanco_floor.settings import Settings
from puntobanco_floor.transparency.keeper import LogKeeper
from puntobanco_floor.web.font_files import FontFiles
from puntobanco_floor.web.hosts import Hosts, hosts_of
from puntobanco_floor.web.rate_limit import RateLimits

MOST_RECALLS = 200
"""Patrons' recalls and receipts that wait at once."""


def _past() -> WorkQueue:
    return WorkQueue(ThreadPoolExecutor(1, "past"), most_waiting=MOST_RECALLS)


@dataclass(frozen=True, kw_only=True)
class Web:
    follower: Follower
    screens: Screens
    commands: Commands
    wagers: Wagers
    seats: Seats
    reviews: Reviews
    patrons: Patrons
    cage: Windows
    tickets: Tickets
    logins: Logins
    enrolment: Enrolment
    broadcast: Broadcast
    views: LiveViews
    propagator: Propagator
    shutdown: Shutdown
    readiness: Readiness
    verifier: Verifier
    log: LogKeeper
    rooms: Rooms
    work: FloorWork
    stored: StoreWork
    blocked: Mapping[str, str]  # streams that fail verification here, and why
    definitions: Definitions
    ring: KeyRing
    database: str
    demo: bool
    settings: Settings
    now_ms: NowMs
    limits: RateLimits
    hosts: Hosts  # the names that are ours
    secure: bool  # browsers come by TLS: a cookie travels no other way
    # jobs of the odds lab take seconds: they run in a process of their own
    lab: Lab = field(default_factory=lambda: Lab(WorkerProcess()))
    fonts: FontFiles = field(default_factory=FontFiles)
    # a definition that came over HTTP is checked by a process; one runs at a time
    one_check: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    # rounds and receipts of the past, for patrons: replayed one at a time
    past: WorkQueue = field(default_factory=_past)
    # a report reads much and is rare: one is made at a time
    one_report: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))

    @property
    def house(self) -> HouseState:
        """The house as it now is."""
        return self.follower.house


def web_for(floor: Floor, *, secure: bool = False, readiness: Readiness | None = None) -> Web:
    """The value that handlers are given."""
    return Web(
        follower=floor.follower,
        screens=floor.screens,
        commands=floor.commands,
        wagers=floor.wagers,
        seats=floor.seats,
        reviews=floor.reviews,
        patrons=floor.patrons,
        cage=floor.cage,
        tickets=floor.tickets,
        logins=floor.logins,
        enrolment=floor.enrolment,
        broadcast=floor.broadcast,
        views=floor.views,
        propagator=floor.propagator,
        shutdown=floor.shutdown,
        readiness=readiness
        or Readiness(floor.store, floor.follower, floor.shutdown, log=floor.log),
        verifier=Verifier(floor.database, floor.settings, floor.world.now_ms),
        log=floor.log,
        rooms=floor.rooms,
        work=floor.work,
        stored=floor.store.work,
        blocked=floor.store.blocked,
        definitions=floor.store.definitions,
        ring=floor.ring,
        database=floor.database,
        demo=floor.demo,
        settings=floor.settings,
        now_ms=floor.world.now_ms,
        limits=RateLimits(floor.settings),
        hosts=hosts_of(floor.settings),
        secure=secure,
    )


def web_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Web:
    """`app.state` is untyped: this is the one place that reads it."""
    web: Web = connection.app.state.web
    return web
