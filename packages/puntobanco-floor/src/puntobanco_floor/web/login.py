"""Staff logins: name and password for a token, who is logged in, logout."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import msgspec

from puntobanco_floor.service.roles import SEES, Person
from puntobanco_floor.service.staff_logins import Begun, idle_s
from puntobanco_floor.web.context import Web, get_web
from puntobanco_floor.web.request import (
    CREDENTIALS_BYTES,
    STAFF_COOKIE,
    Asker,
    limit,
    post_action,
    read_address,
    read_person,
    read_token,
    set_cookie,
    verify_not_forged,
)
from puntobanco_floor.web.routing import Response, get, post
from puntobanco_proof.entry.record import Record

_post_secret = partial(post_action, guards=[limit("logins")], max_body_bytes=CREDENTIALS_BYTES)


class Credentials(Record):
    name: Annotated[str, msgspec.Meta(max_length=64)]
    password: Annotated[str, msgspec.Meta(max_length=200)]
    one_time: Annotated[str, msgspec.Meta(max_length=20)] = ""  # of the second factor


class EnrolmentBegun(Record):
    """The code that two people have given out, or the password that somebody else made."""

    name: Annotated[str, msgspec.Meta(max_length=64)]
    shown: Annotated[str, msgspec.Meta(max_length=200)]


class EnrolmentAsked(Record):
    """With a password of one's own; the second factor as it was answered, and its first code."""

    name: Annotated[str, msgspec.Meta(max_length=64)]
    shown: Annotated[str, msgspec.Meta(max_length=200)]
    password: Annotated[str, msgspec.Meta(max_length=200)]
    pin: Annotated[str, msgspec.Meta(max_length=20)] = ""
    factor: Annotated[str, msgspec.Meta(max_length=100)] = ""
    one_time: Annotated[str, msgspec.Meta(max_length=20)] = ""


class OwnChange(Record):
    """Another password or PIN of one's own."""

    before: Annotated[str, msgspec.Meta(max_length=200)]  # the password
    password: Annotated[str, msgspec.Meta(max_length=200)] = ""
    pin: Annotated[str, msgspec.Meta(max_length=20)] = ""


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
    zone: str  # by whose clocks times are shown


@_post_secret(
    "/api/staff/login",
    summary="Log in with name, password and one-time code; after three wrong tries one waits",
)
async def login(request: Asker, data: Credentials) -> Response[StaffLogin]:
    web = get_web(request)
    source = read_address(request)
    token, person = await web.floor.logins.login(data.name, data.password, data.one_time, source)
    return _logged_in(web, token, person)


def _logged_in(web: Web, token: str, person: Person) -> Response[StaffLogin]:
    csrf = web.floor.tickets.csrf(token)
    answer = Response(StaffLogin(token=token, role=person.role, csrf=csrf))
    set_cookie(answer, web, STAFF_COOKIE, token)
    return answer


@_post_secret(
    "/api/staff/enrol/begin",
    summary="For the owner of a new account: a second factor, where the role has one",
)
async def begin_enrolment(request: Asker, data: EnrolmentBegun) -> Begun:
    floor = get_web(request).floor
    return await floor.enrolment.begin(data.name, data.shown, read_address(request))


@_post_secret(
    "/api/staff/enrol",
    summary="A password of one's own, by code or by a password that somebody else made",
)
async def enrol_staff(request: Asker, data: EnrolmentAsked) -> Response[StaffLogin]:
    web = get_web(request)
    token, person = await web.floor.enrolment.enrol(
        data.name,
        data.shown,
        data.password,
        pin=data.pin,
        factor=data.factor,
        one_time=data.one_time,
        source=read_address(request),
    )
    return _logged_in(web, token, person)


@_post_secret(
    "/api/staff/me/password", summary="Another password or PIN of one's own", status_code=204
)
async def change_own(request: Asker, data: OwnChange) -> None:
    """Logins with the password from before end, this one too."""
    floor = get_web(request).floor
    person = read_person(request)
    await floor.enrolment.change(
        person.name,
        data.before,
        password=data.password,
        pin=data.pin,
        source=read_address(request),
    )


@get("/api/staff/me", summary="Who is logged in, and what the role may look at")
async def who(request: Asker) -> StaffMe:
    web = get_web(request)
    person = read_person(request)
    token, _ = read_token(request, STAFF_COOKIE)
    return StaffMe(
        name=person.name,
        role=person.role,
        csrf=web.floor.tickets.csrf(token),
        house=web.house.name,
        demo=web.floor.demo,
        sees=[what for what, roles in SEES.items() if person.role in roles],
        may=sorted(kind.name() for kind in web.floor.store.definitions.may(person.role)),
        idle_s=int(idle_s(web.floor.settings)[person.role]),
        zone=web.house.calendar.cut_at(web.now_ms()).zone,
    )


_GONE = f'{STAFF_COOKIE}="<string>"; HttpOnly; Max-Age=0; Path=/; SameSite=strict'
_HEADER = {"required": False, "deprecated": False}


@post(
    "/api/staff/logout",
    summary="The end of a login",
    status_code=204,
    response_headers={
        "Set-Cookie": {"schema": {"allOf": [{"description": "", "example": _GONE}]}, **_HEADER}
    },
)
async def logout(request: Asker) -> Response[None]:
    token, by_cookie = read_token(request, STAFF_COOKIE)
    verify_not_forged(request, token, by_cookie=by_cookie)
    web = get_web(request)
    await web.floor.logins.logout(token)
    answer = Response(None, 204)
    set_cookie(answer, web, STAFF_COOKIE, "", 0)
    return answer
