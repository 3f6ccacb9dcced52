"""Devices and sessions: how a terminal is enrolled, and the tickets that terminals show.

A ticket is a session, perhaps the patron who plays, when it was given, and a MAC by a key of the
ring: nothing is stored, it outlives a restart, and it is good for a day. The MAC for an enrolled
terminal covers that terminal's key too, so that a revoked one has no ticket left. Of enrolment
codes and terminals' keys the house knows MACs only.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.stream_names import is_patron_id, terminal_of
from puntobanco_floor.environment import NowMs, wall_ms
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.refusals import BadCode

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without those that look like others."""

TICKET_LIVES_MS = 86_400_000
"""A terminal whose ticket is older asks for its session again."""

MAX_DIGITS = 15
CODE_LENGTH = 12
CODE_LIVES_MS = 3_600_000


def new_code() -> str:
    """For people to type: ABCD-EFGH-JKMN, about 59 bits."""
    return _grouped("".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)))


def _grouped(letters: str) -> str:
    return "-".join(letters[i : i + 4] for i in range(0, CODE_LENGTH, 4))


def code_for(ring: KeyRing, by: str, id_: str) -> str:
    """Derive a command's code: the same if sent again, secret without the ring."""
    number = int(ring.macs("codes", f"made {by} {id_}")[0], 16)
    letters = ""
    for _ in range(CODE_LENGTH):
        number, place = divmod(number, len(CODE_LETTERS))
        letters += CODE_LETTERS[place]
    return _grouped(letters)


def code_hashes(ring: KeyRing, text: str) -> list[str]:
    """What the house may know of a code, by every key, the newest first."""
    letters = text.replace("-", "").replace(" ", "").upper()
    if len(letters) != CODE_LENGTH or not set(letters) <= set(CODE_LETTERS):
        raise BadCode(f"a code has {CODE_LENGTH} letters and digits, without 0, 1, I, L and O")
    return ring.macs("codes", f"code {letters}")


def new_key() -> str:
    return secrets.token_urlsafe(32)


def key_hashes(ring: KeyRing, secret: str) -> list[str]:
    """Hash a terminal's key by every key of the ring, newest first: it is used for years."""
    return ring.macs("codes", f"terminal {secret}")


@dataclass(frozen=True)
class Ticket:
    session: str
    patron: str = ""
    given: int = 0  # when; 0 before it is

    @property
    def who(self) -> str:
        """The patron, or the session where nobody is known."""
        return self.patron or self.session

    @property
    def terminal(self) -> str:
        """The enrolled terminal that it was given to; none for a guest."""
        return terminal_of(self.session)

    @property
    def asker(self) -> str:
        """Whose tries are counted: a terminal can have as many sessions as it likes."""
        return self.terminal or self.session


class EndedSessions:
    """Sessions that ended since this node started: an old ticket takes no new patron's seat."""

    def __init__(self, now_ms: NowMs) -> None:
        self._now_ms = now_ms
        self._since = now_ms()
        self._at = dict[str, int]()  # the oldest first

    def add(self, session: str) -> None:
        now = self._now_ms()
        self._at.pop(session, None)
        self._at[session] = now
        while now - next(iter(self._at.values())) > TICKET_LIVES_MS:
            del self._at[next(iter(self._at))]

    def may_be(self, ticket: Ticket) -> bool:
        """Return whether its session may be over; of one from before this node it is unknown."""
        return ticket.session in self._at or ticket.given < self._since


@dataclass(frozen=True)
class Tickets:
    """Tokens made and read, by the terminals as the house has them now."""

    ring: KeyRing
    house: Callable[[], HouseState]
    now_ms: NowMs = wall_ms

    def token(self, ticket: Ticket) -> str:
        given = str(self.now_ms())
        mac = self.ring.mac("tickets", self._text(ticket, given))
        return f"{ticket.session}~{ticket.patron}~{given}.{mac}"

    def new_guest(self) -> str:
        """A guest's session and the proof of it."""
        return self.token(Ticket("g" + secrets.token_hex(8)))

    def read(self, token: str) -> Ticket | None:
        """None for a token that was forged, is too old, or whose terminal is no longer enrolled."""
        head, _, mac = token.rpartition(".")
        session, _, rest = head.partition("~")
        patron, _, given = rest.partition("~")
        if not session or (patron and not is_patron_id(patron)):
            return None  # a ticket of an earlier program may have a card in it
        if not self._is_young(given):
            return None
        ticket = Ticket(session, patron, int(given))
        if ticket.terminal and not is_enrolled(self.house(), ticket.terminal):
            return None
        if self.ring.holds("tickets", self._text(ticket, given), mac):
            return ticket
        return None

    def _is_young(self, given: str) -> bool:
        """One of an earlier program has no time in it: the terminal asks for another."""
        if not (given.isascii() and given.isdigit()) or len(given) > MAX_DIGITS:
            return False
        return self.now_ms() - int(given) < TICKET_LIVES_MS

    def session(self, token: str) -> str | None:
        ticket = self.read(token)
        return ticket.session if ticket else None

    def key_of(self, session: str) -> str | None:
        """The terminal's key; empty for a guest, none where it is not enrolled."""
        name = terminal_of(session)
        house = self.house()
        if not name:
            return ""
        if is_enrolled(house, name):
            return house.terminals[name].key
        return None

    def csrf(self, token: str) -> str:
        return self.ring.mac("tickets", f"csrf {token}")

    def is_csrf(self, token: str, given: str) -> bool:
        return self.ring.holds("tickets", f"csrf {token}", given)

    def _text(self, ticket: Ticket, given: str) -> str:
        """What the MAC of a ticket is over."""
        device = self.house().terminals.get(ticket.terminal)
        key = device.key if device else ""
        return f"ticket {ticket.session}~{ticket.patron}~{given}~{key}"

    def terminal_with(self, key: str) -> str | None:
        """The terminal whose key this is: `name.secret`."""
        name, _, secret = key.partition(".")
        house = self.house()
        if not is_enrolled(house, name):
            return None
        known = house.terminals[name].key
        if any(hmac.compare_digest(known, hash_) for hash_ in key_hashes(self.ring, secret)):
            return name
        return None


def is_enrolled(house: HouseState, terminal: str) -> bool:
    device = house.terminals.get(terminal)
    return device is not None and bool(device.key) and not device.disabled
