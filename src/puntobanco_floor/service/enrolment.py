"""Enrolment: what the owner of an account does alone. A code, of which two people have a part each,
or a password that somebody else made, is exchanged for a password that nobody else knows, and a
second factor where the role has one.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from puntobanco.base.record import Record
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.state import FACTOR_ROLES, NO_CREDENTIALS, HouseState
from puntobanco_floor.domain.refusals import EnrolmentRefused
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service import tickets
from puntobanco_floor.service.administration import MIN_PASSWORD, must
from puntobanco_floor.service.client_network import network_of
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.service.refusals import BadCode, LoginRefused, WeakPassword, WeakPin
from puntobanco_floor.service.roles import Person
from puntobanco_floor.service.staff_logins import Logins
from puntobanco_floor.service.voucher_numbers import qr
from puntobanco_floor.store.batch import Answer

MIN_PIN, MAX_PIN = 4, 12


class Begun(Record):
    """What the owner puts into an app before enrolling; empty where the role has no second
    factor.
    """

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
    house: Callable[[], HouseState]
    ring: KeyRing
    passwords: Passwords
    logins: Logins
    ask: Callable[[Command], Awaitable[Answer]]
    caught_up: Callable[[int], Awaitable[None]]

    async def begin(self, name: str, shown: str, source: str) -> Begun:
        """A new second factor, which is nothing before `enrol` has seen a code of it."""
        await self._verified(name, shown, source)
        house = self.house()
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
        answer = await must(self.ask(command))
        await self.caught_up(answer.seq)
        return await self.logins.token_of(name)

    async def change(
        self, name: str, before: str, *, password: str = "", pin: str = "", source: str = ""
    ) -> None:
        """Another password or PIN, by who knows the password and is logged in."""
        verifier = self.house().staff[name].verifier
        await self._verify_own(name, verifier, before, source)
        command = h.ChangeCredentials(
            by=name,
            person=name,
            before=verifier,
            verifier=await self._verifier(name, password) if password else None,
            pin=await self._pin(name, pin),
        )
        answer = await must(self.ask(command))
        await self.caught_up(answer.seq)

    async def _verify_own(self, name: str, verifier: str, before: str, source: str) -> None:
        began = time.monotonic()
        try:
            self.logins.verify_not_locked(name, source)
            if not await self.passwords.holds_soon(name, verifier, before):
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
        person = self.house().staff.get(name)
        own = self.house().credentials.get(name, NO_CREDENTIALS)
        if person is not None and own.codes:
            return self._code(own.codes, shown)
        verifier = None
        if person is not None and self.house().may_enrol_by_password(name):
            verifier = person.verifier
        if await self.passwords.holds_from(network_of(source), verifier, shown):
            return Shown(before=verifier)
        return None

    def _code(self, codes: tuple[str, ...], shown: str) -> Shown | None:
        """Its parts may come in any order."""
        letters = shown.replace("-", "").replace(" ", "").upper()
        size = tickets.CODE_LENGTH
        parts = [letters[at : at + size] for at in range(0, len(letters), size)]
        try:
            given = [tickets.code_hashes(self.ring, part) for part in parts]
        except BadCode:
            return None
        known = {hash_ for hashes in given for hash_ in hashes}
        if len(given) == len(codes) and set(codes) <= known:
            return Shown(codes=codes)
        return None

    async def _verifier(self, name: str, password: str) -> str:
        if len(password) < MIN_PASSWORD:
            raise WeakPassword(f"a password has at least {MIN_PASSWORD} characters")
        return await self.passwords.verifier_soon(name, password)

    async def _pin(self, name: str, pin: str) -> str | None:
        if not pin:
            return None
        if not (pin.isascii() and pin.isdigit() and MIN_PIN <= len(pin) <= MAX_PIN):
            raise WeakPin(f"a PIN has {MIN_PIN} to {MAX_PIN} digits")
        return await self.passwords.verifier_soon(name, pin)
