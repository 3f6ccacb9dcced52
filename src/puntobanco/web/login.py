"""Staff logins: name and password for a token, who is logged in, logout."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.datastructures import Cookie

from puntobanco.events import Record
from puntobanco.floor.logins import idle_s
from puntobanco.floor.roles import SEES
from puntobanco.web.context import web_of
from puntobanco.web.problems import too_many
from puntobanco.web.request import Asker, person_of
from puntobanco.web.safety import STAFF_COOKIE, address_of, cookie, token_of, verify_not_forged


class Credentials(Record):
    name: Annotated[str, msgspec.Meta(max_length=64)]
    password: Annotated[str, msgspec.Meta(max_length=200)]


class StaffLogin(Record):
    """Sent as `Authorization: Bearer`, browsers have it in a cookie; it ends when it is idle too
    long.
    """

    token: str
    role: str
    csrf: str


class StaffMe(Record):
    name: str
    role: str
    csrf: str
    house: str
    demo: bool
    sees: list[str]  # what the role may look at
    may: list[str]  # the commands that it may give
    idle_s: int  # the login ends when it was not used so long


@post(
    "/api/staff/login",
    summary="Log in with name and password; three wrong tries lock",
    status_code=200,
)
async def login(request: Asker, data: Credentials) -> Response[StaffLogin]:
    web = web_of(request)
    if not web.limits.logins.take(address_of(request)):
        raise too_many()
    token, person = await web.logins.login(data.name, data.password)
    csrf = web.tickets.csrf(token)
    answer = StaffLogin(token=token, role=person.role, csrf=csrf)
    return Response(answer, cookies=[cookie(web, STAFF_COOKIE, token)])


@get("/api/staff/me", summary="Who is logged in, and what the role may look at")
async def who(request: Asker) -> StaffMe:
    web = web_of(request)
    person = person_of(request)
    token, _ = token_of(request, STAFF_COOKIE)
    return StaffMe(
        name=person.name,
        role=person.role,
        csrf=web.tickets.csrf(token),
        house=web.house.name,
        demo=web.demo,
        sees=[what for what, roles in SEES.items() if person.role in roles],
        may=sorted(kind.name() for kind in web.definitions.may(person.role)),
        idle_s=int(idle_s(web.settings)[person.role]),
    )


GONE = Cookie(key=STAFF_COOKIE, value="", path="/", httponly=True, samesite="strict", max_age=0)


@post("/api/staff/logout", summary="The end of a login", status_code=204, response_cookies=[GONE])
async def logout(request: Asker) -> None:
    token, by_cookie = token_of(request, STAFF_COOKIE)
    verify_not_forged(request, token, by_cookie=by_cookie)
    await web_of(request).logins.logout(token)


HANDLERS = [login, who, logout]
