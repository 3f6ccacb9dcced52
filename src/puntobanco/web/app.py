"""The web application: an HTTP API with its OpenAPI document, the terminals' WebSocket, and the
pages.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.types import ASGIApp

from puntobanco.floor.past.audit_job import Verifier
from puntobanco.floor.readiness import Readiness
from puntobanco.floor.service import Floor
from puntobanco.lab.work import Lab
from puntobanco.rules.refusals import Refusal
from puntobanco.version import __version__
from puntobanco.web import (
    admin,
    audit,
    cage,
    choices,
    commands,
    dealer,
    lab,
    login,
    ops,
    pages,
    patrons,
    pit,
    reports,
)
from puntobanco.web.openapi import WithProblems
from puntobanco.web.problems import Problem, on_fault, on_http, on_refusal
from puntobanco.web.request import CarefulRequest
from puntobanco.web.safety import Buckets, with_headers
from puntobanco.web.socket import with_terminals
from puntobanco.web.views_socket import with_views


def create_app(
    floor: Floor,
    *,
    secure: bool = False,
    readiness: Readiness | None = None,
    metrics: socket.socket | None = None,
) -> ASGIApp:
    """`secure` where browsers come by TLS: the cookie then travels no other way. `metrics` is a
    port of its own.
    """
    readiness = readiness or Readiness(floor)

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        app.state.floor, app.state.secure = floor, secure
        state, s = app.state, floor.settings
        state.readiness = readiness
        state.guests, state.login_tries = (
            Buckets(s.guests_rate, s.guests_burst),
            Buckets(s.logins_rate, s.logins_burst),
        )
        state.enrolments = Buckets(s.enrolments_rate, s.enrolments_burst)
        state.redemptions = Buckets(s.redemptions_rate, s.redemptions_burst)
        state.lookups = Buckets(s.redemptions_rate, s.redemptions_burst)
        state.changes = Buckets(s.changes_rate, s.changes_burst)
        state.recalls = Buckets(s.recalls_rate, s.recalls_burst)
        state.verifier = Verifier(floor.database, floor.settings)
        state.one_report = asyncio.Semaphore(1)
        state.lab, state.odds_asked = Lab(), Buckets(s.odds_rate, s.odds_burst)
        await floor.start()
        async with ops.metrics_port(floor, readiness, metrics):
            yield

    handlers = [
        *patrons.HANDLERS,
        *login.HANDLERS,
        *commands.HANDLERS,
        *admin.HANDLERS,
        *choices.HANDLERS,
        *dealer.HANDLERS,
        *pit.HANDLERS,
        *cage.HANDLERS,
        *reports.HANDLERS,
        *audit.HANDLERS,
        *lab.HANDLERS,
        *ops.HANDLERS,
        *pages.HANDLERS,
    ]
    app = Litestar(
        handlers,
        lifespan=[lifespan],
        before_request=ops.recall_staff,
        logging_config=None,  # `logs` has it; Litestar would put handlers of its own in its place
        request_class=CarefulRequest,
        request_max_body_size=64 * 1024,
        openapi_config=OpenAPIConfig(
            title="puntobanco",
            version=__version__,
            path="/api",
            render_plugins=[WithProblems(Problem)],  # no page that loads somebody else's scripts
        ),
        exception_handlers={Refusal: on_refusal, HTTPException: on_http, Exception: on_fault},
    )
    headed = ops.with_request_ids(
        with_headers(app)
    )  # outermost: what no route answers has the headers too
    return with_views(with_terminals(headed, floor), floor)
