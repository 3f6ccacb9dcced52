"""Requests: who asks and how it is shown, requests forged by other sites (CSRF), numbers and bodies
that can be read.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import msgspec
from starlette.requests import HTTPConnection

from puntobanco.base.words import Words
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.service.client_network import network_of
from puntobanco_floor.service.roles import Person, verify_sees
from puntobanco_floor.service.staff_logins import PREFIX
from puntobanco_floor.service.strict_json import read
from puntobanco_floor.service.terminals.wire import CommandId
from puntobanco_floor.service.tickets import Ticket
from puntobanco_floor.web.context import Web, get_web
from puntobanco_floor.web.problems import said_with
from puntobanco_floor.web.rate_limit import Buckets
from puntobanco_floor.web.routing import Guard, Request, Response, post
from puntobanco_proof.entry.record import Record

COOKIE = "puntobanco"
DEVICE_COOKIE = "puntobanco-terminal"
STAFF_COOKIE = "puntobanco-staff"
CSRF_HEADER = "x-csrf-token"
PIN_HEADER = "x-pin"
TOUCHED_HEADER = "x-touched"
NO_SESSION = Words(
    "no session: POST /api/guest gives one in the demonstration, /api/session at an enrolled "
    "terminal",
    say.NO_SESSION.zh,
)

UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})

CREDENTIALS_BYTES = 2_048
"""The largest body that has a password, a PIN or a code."""

Caller = HTTPConnection
Asker = Request
TableId = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
RoundId = Annotated[int, msgspec.Meta(ge=1, le=10**12)]
BeforeEntry = Annotated[int, msgspec.Meta(ge=1, le=10**12)] | None


FOR_ANYBODY = frozenset(
    {
        "/api/guest",
        "/api/enrol",
        "/api/session",
        "/api/staff/login",
        "/api/staff/enrol/begin",
        "/api/staff/enrol",
        "/api/staff/logout",
    }
)
"""What somebody asks who has no session and no login yet, or no more."""

_STAFF_PATHS = ("/api/staff/", "/api/admin/")


class Once(Record, kw_only=True):
    """An id of the asker: asked again with it, the command has one effect and the same answer.
    Without one the floor makes an id, and a repeat is another command.
    """

    id: CommandId | None = None


NO_ID = Once()
post_action = partial(post, status_code=200)
"""A route that makes nothing which has an address of its own."""


def read_token(connection: Caller, cookie: str = COOKIE) -> tuple[str, bool]:
    """The token, and whether it came in a cookie: then a browser may have sent it for somebody
    else's page.
    """
    header = connection.headers.get("authorization", "")
    if header.startswith("Bearer "):
        return header.removeprefix("Bearer "), False
    return connection.cookies.get(cookie, ""), True


def same_origin(connection: Caller, web: Web) -> bool:
    """Whether the page that asks is ours, scheme and all. Programs send no origin and are none of a
    browser's business.
    """
    origin = connection.headers.get("origin")
    scheme = "https" if web.secure else "http"
    host = connection.headers.get("host", "")
    return origin is None or origin.lower() == f"{scheme}://{host}".lower()


def _verify_ours(request: Asker) -> None:
    """What changes something is asked by a page of ours, in JSON: no form of another site sends
    that, not even where no cookie is needed (login CSRF).
    """
    if request.method not in UNSAFE:
        return
    if not same_origin(request, get_web(request)):
        raise said_with(403, say.OF_ANOTHER_SITE)
    headers = request.headers
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    kind, _, _ = headers.get("content-type", "").partition(";")
    if has_body and kind.strip().lower() != "application/json":
        raise said_with(415, say.NOT_JSON)


def set_cookie(
    answer: Response[Any], web: Web, key: str, value: str, max_age: int | None = None
) -> None:
    """For pages of ours only; a script never reads it."""
    answer.set_cookie(key, value, max_age, httponly=True, samesite="strict", secure=web.secure)


def read_address(connection: Caller) -> str:
    return connection.client.host if connection.client else ""


def is_use(connection: Caller) -> bool:
    """Whether a request of somebody who is logged in is use of the login. A page that asks again by
    itself keeps nothing alive: what only reads counts where the page says that it was touched.
    """
    return connection.scope.get("method") in UNSAFE or TOUCHED_HEADER in connection.headers


def read_ticket(connection: Caller) -> Ticket:
    """The session that asks; refuses a forged token, and a forged request."""
    token, by_cookie = read_token(connection)
    ticket = get_web(connection).floor.tickets.read(token)
    if ticket is None:
        raise said_with(401, NO_SESSION)
    verify_not_forged(connection, token, by_cookie=by_cookie)
    return ticket


def verify_not_forged(connection: Caller, token: str, *, by_cookie: bool) -> None:
    """What changes something, and comes with a cookie, shows that it comes from a page of ours."""
    if not by_cookie or connection.scope.get("method") not in UNSAFE:
        return
    given = connection.headers.get(CSRF_HEADER, "")
    web = get_web(connection)
    if not same_origin(connection, web) or not web.floor.tickets.is_csrf(token, given):
        raise said_with(403, say.OF_ANOTHER_SITE)


def read_person(request: Asker) -> Person:
    token, by_cookie = read_token(request, STAFF_COOKIE)
    person = get_web(request).floor.logins.person(token, is_used=is_use(request))
    verify_not_forged(request, token, by_cookie=by_cookie)
    return person


async def verify_pin(request: Asker, person: Person) -> None:
    """Before somebody is the second person: whoever sits at the console of somebody who has a PIN
    types it.
    """
    token, _ = read_token(request, STAFF_COOKIE)
    pin = request.headers.get(PIN_HEADER, "")
    await get_web(request).floor.logins.verify_pin(token, person.name, pin, read_address(request))


def verify_rate(request: Caller, buckets: Buckets) -> None:
    """By network: whoever has a whole one in IPv6 gets no more for it."""
    buckets.verify(network_of(read_address(request)))


def limit(name: str) -> Guard:
    """Make a guard that refuses by one of the `RateLimits`, before the body is read."""

    def verify(request: Asker) -> None:
        verify_rate(request, getattr(get_web(request).limits, name))

    return verify


def seen_by(request: Asker, what: str) -> Web:
    """What handlers use, for staff whose role may look at this."""
    verify_sees(read_person(request), what)
    return get_web(request)


class Nothing(Record):
    """Of a handler that takes no body: a client may send an empty object."""


_NOTHING = msgspec.json.Decoder(Nothing)


async def verify_asked(request: Asker) -> None:
    """Verify a request before its handler reads the body: its origin; the login, if the request
    changes something; and that it has no body if the handler takes none.
    """
    _verify_ours(request)
    # the one login that counts, as the other nodes know it: each is looked up in the database
    token, _ = read_token(request, STAFF_COOKIE)
    if token.startswith(PREFIX):
        await get_web(request).floor.logins.recall(token, is_used=is_use(request))
    path = request.scope["path_template"]
    is_unsafe = request.method in UNSAFE
    if is_unsafe and path not in FOR_ANYBODY:
        if path.startswith(_STAFF_PATHS):
            read_person(request)
        else:
            read_ticket(request)
    if is_unsafe and request.route.body is None and (body := await request.body()):
        read(_NOTHING, body)
