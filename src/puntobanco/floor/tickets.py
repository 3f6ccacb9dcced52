"""Devices and sessions: how a terminal is enrolled, and the tickets that terminals show.

A ticket is a session, perhaps the patron who plays, and a MAC by a key of the ring: nothing is
stored, and it outlives a restart. The MAC for an enrolled terminal covers that terminal's key too,
so that a revoked one has no ticket left.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from puntobanco.house.state import HouseState
from puntobanco.keys import KeyRing
from puntobanco.names import terminal_of
from puntobanco.rules.refusals import Refusal

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without those that look like others."""

CODE_LENGTH = 12
CODE_LIVES_MS = 3_600_000


class BadCode(Refusal):
    """A code that cannot be one."""


def new_code() -> str:
    """For people to type: ABCD-EFGH-JKMN, about 59 bits."""
    letters = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    return "-".join(letters[i : i + 4] for i in range(0, CODE_LENGTH, 4))


def code_hash(text: str) -> str:
    """What the house knows of a code.

    >>> code_hash("abcd efgh jkmn") == code_hash("ABCD-EFGH-JKMN")
    True
    """
    letters = text.replace("-", "").replace(" ", "").upper()
    if len(letters) != CODE_LENGTH or not set(letters) <= set(CODE_LETTERS):
        raise BadCode(f"a code has {CODE_LENGTH} letters and digits, without 0, 1, I, L and O")
    return hashlib.sha256(f"puntobanco code {letters}".encode()).hexdigest()


def new_key() -> str:
    return secrets.token_urlsafe(32)


def key_hash(key: str) -> str:
    return hashlib.sha256(f"puntobanco terminal {key}".encode()).hexdigest()


@dataclass(frozen=True)
class Ticket:
    session: str
    patron: str = ""

    @property
    def who(self) -> str:
        """The patron, or the session where nobody is known."""
        return self.patron or self.session

    @property
    def terminal(self) -> str:
        """The enrolled terminal that it was given to; none for a guest."""
        return terminal_of(self.session)


class Tickets:
    def __init__(self, ring: KeyRing) -> None:
        self._key = ring.derived("terminal tokens")

    def token(self, ticket: Ticket, house: HouseState) -> str:
        return f"{ticket.session}~{ticket.patron}.{self._mac(ticket, house)}"

    def read(self, token: str, house: HouseState) -> Ticket | None:
        """None for a token that was forged, or whose terminal is no longer enrolled."""
        head, _, mac = token.rpartition(".")
        session, _, patron = head.partition("~")
        if not session:
            return None
        ticket = Ticket(session, patron)
        if ticket.terminal and not is_enrolled(house, ticket.terminal):
            return None
        return (
            ticket if hmac.compare_digest(mac.encode(), self._mac(ticket, house).encode()) else None
        )

    def csrf(self, token: str) -> str:
        return self._sign(f"csrf {token}")

    def _mac(self, ticket: Ticket, house: HouseState) -> str:
        device = house.terminals.get(ticket.terminal) if ticket.terminal else None
        return self._sign(f"{ticket.session}~{ticket.patron}~{device.key if device else ''}")

    def _sign(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), "sha256").hexdigest()[:40]


def is_enrolled(house: HouseState, terminal: str) -> bool:
    device = house.terminals.get(terminal)
    return device is not None and bool(device.key) and not device.disabled


def terminal_with(house: HouseState, key: str) -> str | None:
    """The terminal whose key this is: `name.secret`."""
    name, _, secret = key.partition(".")
    if not is_enrolled(house, name):
        return None
    return name if hmac.compare_digest(house.terminals[name].key, key_hash(secret)) else None
