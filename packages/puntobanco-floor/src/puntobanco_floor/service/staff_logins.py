"""Logins of the staff, and enrolment before the first: random tokens that work on every node, end
when idle, and are removed at the end.

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
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from puntobanco.base.words import Words
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.events import Role
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.decide import unconfirmed
from puntobanco_floor.domain.house.state import (
    FACTOR_ROLES,
    NO_CREDENTIALS,
    WRONG_TRIES,
    HouseState,
)
from puntobanco_floor.domain.refusals import EnrolmentRefused, NotEnrolled
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.metrics import FloorWork
from puntobanco_floor.service import tickets
from puntobanco_floor.service.administration import MIN_PASSWORD, must
from puntobanco_floor.service.client_network import network_of
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.service.refusals import (
    BadCode,
    LoginRefused,
    PinNeeded,
    PinRefused,
    WeakPassword,
    WeakPin,
)
from puntobanco_floor.service.roles import ROLES, Person
from puntobanco_floor.service.voucher_numbers import qr
from puntobanco_floor.settings import DEFAULTS, Settings
from puntobanco_floor.store.batch import Answer
from puntobanco_floor.store.login_sessions import LoginRows, LoginsInMemory
from puntobanco_proof.entry.record import Record

PREFIX = "staff_"
MAX_KNOWN = 10_000
GRAIN_S = 5.0
"""A login's last use is written only if it moved by this much."""

REFUSED_S = 0.5
"""Refusals are sent on the stroke of this clock, so their time does not reveal names."""

FRESH_S = 30.0
"""Who has logged in so lately, as a second person at somebody's console does, types no PIN."""

SKEW_S = 60.0
"""How much further on another node's clock may be."""

FIRST_S = 30.0
"""After so many wrong tries as are free; twice as long after each more."""

LONGEST_S = 900.0
FORGOTTEN_S = 86_400.0
"""A day after the last wrong try they count no more."""

MOST_LOCKS = 100_000
"""Pairs of name and address that are kept; the oldest go first."""

MIN_PIN, MAX_PIN = 4, 12

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


class Tries(NamedTuple):
    wrong: int
    at: float


class LoginLocks:
    """A name that was tried too often from an address waits there, longer each time.

    A lock is of a name and an address together: nobody is locked out by what others try from
    elsewhere. It ends by itself, so that nobody has to ask an administrator.
    """

    def __init__(self) -> None:
        self._tries = OrderedDict[tuple[str, str], Tries]()

    def wait_s(self, name: str, source: str, now: float) -> float:
        """How long this name is locked from this address; 0 where it is not."""
        wrong, at = self._found(name, source, now)
        if wrong < WRONG_TRIES:
            return 0.0
        # bounded before the power is taken: an attacker counts up as long as he likes
        doubled = min(wrong - WRONG_TRIES, 10)
        lasts = min(FIRST_S * (1 << doubled), LONGEST_S)
        return max(0.0, at + lasts - now)

    def was_wrong(self, name: str, source: str, now: float) -> int:
        """How many there were in a row."""
        wrong = self._found(name, source, now).wrong + 1
        self._tries.pop((name, source), None)
        self._tries[name, source] = Tries(wrong, now)
        while len(self._tries) > MOST_LOCKS:
            self._tries.popitem(last=False)
        return wrong

    def was_right(self, name: str, source: str) -> None:
        self._tries.pop((name, source), None)

    def _found(self, name: str, source: str, now: float) -> Tries:
        found = self._tries.get((name, source))
        if found is None or now - found.at >= FORGOTTEN_S:
            return Tries(0, 0.0)
        return found


@dataclass
class Login:
    name: str
    seen: float
    proof: str  # that this token is of this person, with the password of now
    began: float = 0.0  # at this node; nobody knows elsewhere


@dataclass
class Logins:
    """Call `recall` first for what other nodes know; `person` uses what this one knows."""

    house: Callable[[], HouseState]
    ring: KeyRing
    passwords: Passwords
    ask: Callable[[Command], Awaitable[Answer]]
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
        """Log in for a token. Tries are journaled and refusals logged; three wrong ones lock."""
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
            await self.ask(h.NoteLogin(by=name, person=name, ok=False, source=source))

    async def begin(self, name: str, step: int, source: str) -> tuple[str, Person]:
        """A login of somebody who was verified."""
        if not self.house().has_enrolled(name):
            raise NotEnrolled(say.NOT_ENROLLED_STAFF)
        answer = await self.ask(
            h.NoteLogin(by=name, person=name, ok=True, source=source, step=step)
        )
        if not answer.ok:  # as where a one-time code was used twice
            raise LoginRefused(_WRONG)
        self._locks.was_right(name, network_of(source))
        self.passwords.queues.know(network_of(source))
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
        await self.ask(h.NoteLogin(by=name, person=name, ok=False, source=source))
        if self._locks.was_wrong(f"PIN of {name}", token, self.now()) >= WRONG_TRIES:
            await self.logout(token)
            raise LoginRefused("three wrong PINs: log in again")
        raise PinNeeded("that is not your PIN")

    async def by_pin(self, name: str, pin: str, source: str) -> Person:
        """Verify a second person at a console by PIN; wrong ones count at all consoles together."""
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
            await self.ask(h.NoteLogin(by=name, person=name, ok=False, source=source))
        await self.refused(name, source, began)
        raise PinRefused(_WRONG_PIN)

    def _know(self, token: str, login: Login) -> None:
        self._known[token] = login
        while len(self._known) > MAX_KNOWN:
            del self._known[next(iter(self._known))]

    async def recall(self, token: str, *, is_used: bool = True) -> None:
        """Load what all nodes know of a token, and remove a login that is over."""
        found = await asyncio.to_thread(self._row, token)
        if found is None:
            self._known.pop(token, None)
            return
        row, (person, proof, seen_ms) = found
        known = self._known.get(token) or Login(person, 0.0, proof)
        seen = max(seen_ms / 1000, known.seen)
        self._know(token, Login(person, seen, proof, began=known.began))
        if self.looking(token) is None:
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

    def person(self, token: str, *, is_used: bool = True) -> Person:
        """Return the person, or refuse: idle too long, a new password, or disabled."""
        found = self.looking(token)
        if found is None:
            self._known.pop(token, None)
            raise LoginRefused("log in again")
        if is_used:
            self._known[token].seen = self.now()
        return found

    def looking(self, token: str) -> Person | None:
        """Find out who it is, without using the login; none where it is over."""
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


class Begun(Record):
    """What the owner enters in an app; empty if the role has no second factor."""

    name: str
    role: str
    factor: str  # sent back with the first one-time code
    secret: str
    uri: str  # the same, as apps read it
    qr: tuple[str, ...] = ()  # the same as a QR code, rows of modules: 1 is dark


@dataclass(frozen=True)
class Shown:
    """What somebody has shown, and what is used up with it."""

    codes: tuple[str, ...] = ()
    before: str | None = None


@dataclass(frozen=True)
class Enrolment:
    """What the owner of an account does alone. A code, of which two people have a part each, or a
    password that somebody else made, is exchanged for a password that nobody else knows, and a
    second factor where the role has one.
    """

    logins: Logins
    caught_up: Callable[[int], Awaitable[None]]

    async def begin(self, name: str, shown: str, source: str) -> Begun:
        """A new second factor, which is nothing before `enrol` has seen a code of it."""
        await self._verified(name, shown, source)
        house = self.logins.house()
        role = house.staff[name].role
        if role not in FACTOR_ROLES or house.demo:
            return Begun(name=name, role=role, factor="", secret="", uri="")
        factors = self.logins.factors
        factor = factors.new()
        uri = factors.uri(name, factor, house.name)
        return Begun(
            name=name,
            role=role,
            factor=factor,
            secret=factors.secret_text(name, factor),
            uri=uri,
            qr=qr(uri),
        )

    async def enrol(
        self,
        name: str,
        shown: str,
        password: str,
        *,
        pin: str = "",
        factor: str = "",
        one_time: str = "",
        source: str = "",
    ) -> tuple[str, Person]:
        """A login: the first one of the owner."""
        found = await self._verified(name, shown, source)
        if password == shown:
            raise WeakPassword("choose another password than the one you were given")
        step = 0
        if factor:
            now = self.logins.now()
            step = self.logins.factors.step(name, factor, one_time, now) or 0
            if not step:
                raise LoginRefused("that is not the code that the app shows now; try the next one")
        command = h.EnrolStaff(
            by=name,
            person=name,
            verifier=await self._verifier(name, password),
            codes=found.codes,
            before=found.before,
            factor=factor,
            pin=await self._pin(name, pin),
            step=step,
        )
        answer = await must(self.logins.ask(command))
        await self.caught_up(answer.seq)
        return await self.logins.token_of(name)

    async def change(
        self, name: str, before: str, *, password: str = "", pin: str = "", source: str = ""
    ) -> None:
        """Another password or PIN, by who knows the password and is logged in."""
        verifier = self.logins.house().staff[name].verifier
        await self._verify_own(name, verifier, before, source)
        command = h.ChangeCredentials(
            by=name,
            person=name,
            before=verifier,
            verifier=await self._verifier(name, password) if password else None,
            pin=await self._pin(name, pin),
        )
        answer = await must(self.logins.ask(command))
        await self.caught_up(answer.seq)

    async def _verify_own(self, name: str, verifier: str, before: str, source: str) -> None:
        began = time.monotonic()
        try:
            self.logins.verify_not_locked(name, source)
            if not await self.logins.passwords.holds_soon(name, verifier, before):
                await self.logins.was_wrong(name, source)
                raise LoginRefused("that is not your password")
        except LoginRefused:
            await self.logins.refused(name, source, began)
            raise

    async def _verified(self, name: str, shown: str, source: str) -> Shown:
        began = time.monotonic()
        try:
            self.logins.verify_not_locked(name, source)
            found = await self._shown(name, shown, source)
            if found is None:
                await self.logins.was_wrong(name, source)
                raise EnrolmentRefused(say.WRONG_STAFF_CODE)
        except (LoginRefused, EnrolmentRefused):
            await self.logins.refused(name, source, began)
            raise
        return found

    async def _shown(self, name: str, shown: str, source: str) -> Shown | None:
        person = self.logins.house().staff.get(name)
        own = self.logins.house().credentials.get(name, NO_CREDENTIALS)
        if person is not None and own.codes:
            return self._code(own.codes, shown)
        verifier = None
        if person is not None and self.logins.house().may_enrol_by_password(name):
            verifier = person.verifier
        if await self.logins.passwords.holds_from(network_of(source), verifier, shown):
            return Shown(before=verifier)
        return None

    def _code(self, codes: tuple[str, ...], shown: str) -> Shown | None:
        """Its parts may come in any order."""
        letters = shown.replace("-", "").replace(" ", "").upper()
        size = tickets.CODE_LENGTH
        parts = [letters[at : at + size] for at in range(0, len(letters), size)]
        try:
            given = [tickets.code_hashes(self.logins.ring, part) for part in parts]
        except BadCode:
            return None
        known = {hash_ for hashes in given for hash_ in hashes}
        if len(given) == len(codes) and set(codes) <= known:
            return Shown(codes=codes)
        return None

    async def _verifier(self, name: str, password: str) -> str:
        if len(password) < MIN_PASSWORD:
            raise WeakPassword(f"a password has at least {MIN_PASSWORD} characters")
        return await self.logins.passwords.verifier_soon(name, password)

    async def _pin(self, name: str, pin: str) -> str | None:
        if not pin:
            return None
        if not (pin.isascii() and pin.isdigit() and MIN_PIN <= len(pin) <= MAX_PIN):
            raise WeakPin(f"a PIN has {MIN_PIN} to {MAX_PIN} digits")
        return await self.logins.passwords.verifier_soon(name, pin)
