"""Requests: who asks, the floor, numbers of tables and rounds, bodies that can be read."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import ClientException
from litestar.params import Parameter

from puntobanco.events import Record
from puntobanco.floor.networks import network_of
from puntobanco.floor.roles import Person, verify_sees
from puntobanco.floor.terminals.wire import CommandId
from puntobanco.unique_keys import DuplicateKey, verify_unique_keys
from puntobanco.web.context import Web, web_of
from puntobanco.web.problems import too_many
from puntobanco.web.rate_limit import Buckets
from puntobanco.web.safety import (
    PIN_HEADER,
    STAFF_COOKIE,
    address_of,
    is_use,
    token_of,
    verify_not_forged,
)

Asker = Request[Any, Any, State]
TableId = Annotated[int, Parameter(ge=1, le=1_000_000)]
RoundId = Annotated[int, Parameter(ge=1, le=10**12)]
BeforeEntry = Annotated[int | None, Parameter(ge=1, le=10**12)]


class Once(Record, kw_only=True):
    """An id of the asker: asked again with it, the command has one effect and the same answer.
    Without one the floor makes an id, and a repeat is another command.
    """

    id: CommandId | None = None


NO_ID = Once()


def person_of(request: Asker) -> Person:
    token, by_cookie = token_of(request, STAFF_COOKIE)
    person = web_of(request).logins.person(token, is_used=is_use(request))
    verify_not_forged(request, token, by_cookie=by_cookie)
    return person


async def verify_pin(request: Asker, person: Person) -> None:
    """Before somebody is the second person: whoever sits at the console of somebody who has a PIN
    types it.
    """
    token, _ = token_of(request, STAFF_COOKIE)
    pin = request.headers.get(PIN_HEADER, "")
    await web_of(request).logins.verify_pin(token, person.name, pin, address_of(request))


def verify_rate(request: Asker, buckets: Buckets) -> None:
    """By network: whoever has a whole one in IPv6 gets no more for it."""
    if not buckets.take(network_of(address_of(request))):
        raise too_many()


def seen_by(request: Asker, what: str) -> Web:
    """What handlers use, for staff whose role may look at this."""
    verify_sees(person_of(request), what)
    return web_of(request)


class CarefulRequest(Request[Any, Any, Any]):
    """Nested without end, or not text: Litestar lets these two pass as faults of the program. A key
    twice in one object: it takes the last.
    """

    async def json(self) -> Any:
        try:
            found = await super().json()
            verify_unique_keys(await self.body() or b"null")
            return found
        except DuplicateKey as error:
            raise ClientException(f"the body cannot be read: {error}") from None
        except (RecursionError, UnicodeDecodeError):
            raise ClientException("the body is not JSON that can be read") from None
