"""Logins of the staff: random tokens that work on every node, end when idle, and are removed at the
end.

What is kept is a MAC of the token, the person, a proof of both and of the password, and when it was
last seen (`storage.logins`): a row that somebody writes without the key ring is no login. Who the
person is and may do is what the house says now, so that disabling somebody works everywhere as soon
as the journal is followed.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from puntobanco.base.words import Words
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.events import Role
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.decide import unconfirmed
from puntobanco_floor.domain.house.state import NO_CREDENTIALS, WRONG_TRIES, HouseState
from puntobanco_floor.domain.refusals import NotEnrolled
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.metrics import FloorWork
from puntobanco_floor.service.client_network import network_of
from puntobanco_floor.service.login_locks import LoginLocks
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.service.refusals import LoginRefused, PinNeeded, PinRefused
from puntobanco_floor.service.roles import ROLES, Person
from puntobanco_floor.settings import DEFAULTS, Settings
from puntobanco_floor.store.batch import Answer
from puntobanco_floor.store.login_sessions import LoginRows, LoginsInMemory

PREFIX = "staff_"
MAX_KNOWN = 10_000
GRAIN_S = 5.0
"""How much later a login must be seen before that is written down: another node may think it idle
so much sooner.
"""

REFUSED_S = 0.5
"""A login or an enrolment is refused on the stroke of this clock: how long it took says nothing
about whether there is such a name.
"""

FRESH_S = 30.0
"""Who has logged in so lately, as a second person at somebody's console does, types no PIN."""

SKEW_S = 60.0
"""How much further on another node's clock may be."""

_WRONG = "wrong name, password or one-time code, or too many wrong tries from here: wait a while"
_WRONG_PIN = Words(
    "wrong name or PIN, no PIN is set, or too many wrong ones: use the password",
    "姓名或個人密碼不正確、未設定，或錯誤次數太多：請改用登入密碼",
)
CONSOLES = "consoles"
"""In place of an address: all consoles count together."""

_log = logging.getLogger("puntobanco.staff")


def idle_s(settings: Settings) -> dict[Role, float]:
    """After how long a login of each role is over."""
    return dict.fromkeys(ROLES, float(settings.staff_idle_s)) | {
        "dealer": float(settings.dealer_idle_s)
    }


@dataclass
class Login:
    name: str
    seen: float
    proof: str  # that this token is of this person, with the password of now
    began: float = 0.0  # at this node; nobody knows elsewhere


@dataclass
class Logins:
    """`recall` before `person`: it asks what other nodes know. `person` alone goes by what this
    node knows.
    """

    house: Callable[[], HouseState]
    ring: KeyRing
    passwords: Passwords
    note: Callable[[h.NoteLogin], Awaitable[Answer]]
    now: Callable[[], float]  # seconds
    rows: LoginRows = field(default_factory=LoginsInMemory)
    settings: Settings = DEFAULTS
    work: FloorWork = field(default_factory=FloorWork)
    # told of every try that was refused: who, known here or not, and from where
    on_refused: Callable[[str, str], None] = lambda _name, _source: None
    _known: dict[str, Login] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._idle_s = idle_s(self.settings)
        self.factors = self.passwords.factors
        self._locks = LoginLocks()

    async def login(
        self, name: str, password: str, one_time: str = "", source: str = ""
    ) -> tuple[str, Person]:
        """A token. Every try of somebody who exists is in the journal, every refused one in the
        log; after three wrong ones in a row this name waits at this address.
        """
        began = time.monotonic()
        try:
            step = await self.verified(name, password, one_time, source)
            token, person = await self.begin(name, step, source)
        except LoginRefused:
            await self.refused(name, source, began)
            raise
        self.work.logins["accepted"] += 1
        return token, person

    async def refused(self, name: str, source: str, began: float) -> None:
        """On the stroke of the clock, to the log, and to who watches."""
        await asyncio.sleep((began - time.monotonic()) % REFUSED_S)
        self.work.logins["refused"] += 1
        # a name that nobody has may be a password, typed too soon
        known = "somebody unknown"
        if name in self.house().staff:
            known = name
        fields = {"person": known, "source": source}
        _log.warning("login of staff refused", extra={"fields": fields})
        self.on_refused(known, source)

    async def verified(self, name: str, password: str, one_time: str, source: str) -> int:
        """The time step of the one-time code, 0 where there is none; or a refusal."""
        self.verify_not_locked(name, source)
        person = self.house().staff.get(name)
        verifier = None
        if person is not None:
            verifier = person.verifier or None
        right = await self.passwords.holds_from(network_of(source), verifier, password)
        if person is not None and right and person.unconfirmed:
            raise LoginRefused(unconfirmed(name))
        own = self.house().credentials.get(name, NO_CREDENTIALS)
        step: int | None = 0
        if own.factor:
            step = self.factors.step(name, own.factor, one_time, self.now())
        if person is not None and right and step is not None and person.may_enter:
            return step
        await self.was_wrong(name, source)
        raise LoginRefused(_WRONG)

    def verify_not_locked(self, name: str, source: str) -> None:
        """Before a password is looked at: a lock costs nothing to hold."""
        if self._locks.wait_s(name, network_of(source), self.now()):
            raise LoginRefused(_WRONG)

    async def was_wrong(self, name: str, source: str) -> None:
        self._locks.was_wrong(name, network_of(source), self.now())
        if name in self.house().staff:
            await self.note(h.NoteLogin(by=name, person=name, ok=False, source=source))

    async def begin(self, name: str, step: int, source: str) -> tuple[str, Person]:
        """A login of somebody who was verified."""
        if not self.house().has_enrolled(name):
            raise NotEnrolled(say.NOT_ENROLLED_STAFF)
        answer = await self.note(
            h.NoteLogin(by=name, person=name, ok=True, source=source, step=step)
        )
        if not answer.ok:  # as where a one-time code was used twice
            raise LoginRefused(_WRONG)
        self._locks.was_right(name, network_of(source))
        self.passwords.know(network_of(source))
        return await self.token_of(name)

    async def token_of(self, name: str) -> tuple[str, Person]:
        person = self.house().staff[name]
        token = PREFIX + secrets.token_urlsafe(24)
        now = self.now()
        longest_s = max(self._idle_s.values())
        await asyncio.to_thread(self.rows.sweep, _ms(now - longest_s))
        row = token_hashes(self.ring, token)[0]
        proof = self.ring.mac("logins", _proven(token, name, person.verifier))
        await asyncio.to_thread(self.rows.put, row, name, proof, _ms(now))
        self._know(token, Login(name, now, proof, began=now))
        return token, Person(name, person.role)

    async def verify_pin(self, token: str, name: str, pin: str, source: str) -> None:
        """The third wrong one in a row ends the login."""
        own = self.house().credentials.get(name, NO_CREDENTIALS)
        login = self._known.get(token)
        is_fresh = login is not None and self.now() - login.began < FRESH_S
        if not own.pin or is_fresh:
            return
        if not pin:
            raise PinNeeded("type your PIN to confirm it")
        if await self.passwords.holds_soon(name, own.pin, pin):
            self._locks.was_right(f"PIN of {name}", token)
            return
        await self.note(h.NoteLogin(by=name, person=name, ok=False, source=source))
        if self._locks.was_wrong(f"PIN of {name}", token, self.now()) >= WRONG_TRIES:
            await self.logout(token)
            raise LoginRefused("three wrong PINs: log in again")
        raise PinNeeded("that is not your PIN")

    async def by_pin(self, name: str, pin: str, source: str) -> Person:
        """Who confirms something at the console of somebody else, by name and PIN. Wrong ones wait
        as wrong passwords do, whichever console they are typed at; the password is then the way.
        """
        began = time.monotonic()
        own = self.house().credentials.get(name, NO_CREDENTIALS)
        person = self.house().staff.get(name)
        is_locked = self._locks.wait_s(f"PIN of {name}", CONSOLES, self.now()) > 0
        may_enter = person is not None and person.may_enter and not person.unconfirmed
        if person is not None and may_enter and own.pin and not is_locked:
            if await self.passwords.holds_soon(name, own.pin, pin):
                self._locks.was_right(f"PIN of {name}", CONSOLES)
                return Person(name, person.role)
            self._locks.was_wrong(f"PIN of {name}", CONSOLES, self.now())
            await self.note(h.NoteLogin(by=name, person=name, ok=False, source=source))
        await self.refused(name, source, began)
        raise PinRefused(_WRONG_PIN)

    def _know(self, token: str, login: Login) -> None:
        self._known[token] = login
        while len(self._known) > MAX_KNOWN:
            del self._known[next(iter(self._known))]

    async def recall(self, token: str, *, is_used: bool = True) -> None:
        """What the nodes together know of a token; a login that is over is removed. To watch alone
        is not to use it.
        """
        found = await asyncio.to_thread(self._row, token)
        if found is None:
            self._known.pop(token, None)
            return
        row, (person, proof, seen_ms) = found
        known = self._known.get(token) or Login(person, 0.0, proof)
        seen = max(seen_ms / 1000, known.seen)
        self._know(token, Login(person, seen, proof, began=known.began))
        if self._person(token) is None:
            await self.logout(token)
        elif is_used and self.now() - seen_ms / 1000 >= GRAIN_S:
            await asyncio.to_thread(self.rows.touch, row, _ms(self.now()))

    def _row(self, token: str) -> tuple[str, tuple[str, str, int]] | None:
        """What is kept of a token, and by what; keys may have been rotated since."""
        for hash_ in token_hashes(self.ring, token):
            row = self.rows.get(hash_)
            if row is not None:
                return hash_, row
        return None

    async def logout(self, token: str) -> None:
        self._known.pop(token, None)
        for hash_ in token_hashes(self.ring, token):
            await asyncio.to_thread(self.rows.remove, hash_)

    def looking(self, token: str) -> Person | None:
        """Who it is, without the login being used; none where it is over."""
        return self._person(token)

    def person(self, token: str, *, is_used: bool = True) -> Person:
        """Who it is; a login is over when it was idle too long, with a new password, and when
        somebody is disabled. To poll is not to use it.
        """
        found = self._person(token)
        if found is None:
            self._known.pop(token, None)
            raise LoginRefused("log in again")
        if is_used:
            self._known[token].seen = self.now()
        return found

    def _person(self, token: str) -> Person | None:
        login = self._known.get(token)
        person = None
        if login:
            person = self.house().staff.get(login.name)
        if login is None or person is None or person.disabled or person.unconfirmed:
            return None
        if not self.house().has_enrolled(login.name):
            return None  # as with a role that has a second factor, where there is none yet
        proven = _proven(token, login.name, person.verifier)
        if not self.ring.holds("logins", proven, login.proof):
            return None
        # below zero: the clock was set back, and nobody knows how long it was idle
        idle = self.now() - login.seen
        is_alive = -SKEW_S <= idle < self._idle_s[person.role]
        if is_alive:
            return Person(login.name, person.role)
        return None


def token_hashes(ring: KeyRing, token: str) -> list[str]:
    """What a token may be kept by, by every key, the newest first."""
    return ring.macs("logins", f"token {token}")


def _proven(token: str, person: str, verifier: str) -> str:
    return "\n".join(("login", token, person, verifier))


def _ms(seconds: float) -> int:
    return int(seconds * 1000)
