"""Staff: who may do what, and who is logged in. Nothing is allowed that is not listed."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import get_args

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from puntobanco.cage import commands as g
from puntobanco.events import Role
from puntobanco.house import commands as h
from puntobanco.house.state import HouseState
from puntobanco.keys import KeyRing
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.batch import Answer
from puntobanco.table import commands as c
from puntobanco.table.clock import OF_MONEY
from puntobanco.table.state import TableState

ROLES: tuple[Role, ...] = get_args(Role)
IDLE_S: dict[Role, float] = dict.fromkeys(ROLES, 900.0) | {"dealer": 300.0}
MAX_LOGINS = 10_000
REFUSED_S = 0.5
"""A login is refused on the stroke of this clock: how long it took says nothing about whether there is such a name."""

_DEALING: frozenset[type[c.Command]] = frozenset({
    c.OpenBets, c.CloseBets, c.DealCard, c.EnterCard, c.CorrectCard, c.Settle, c.DeclareIrregularity, c.Reconstruct,
    c.VoidRound, c.Resume, c.Reopen, c.CountShoe,
})  # fmt: skip
_RUNNING: frozenset[type[c.Command]] = frozenset({
    c.OpenTable, c.CloseTable, c.HaltTable, c.RestartTable, c.ChangeLimits, c.ChangeClock, c.StopSession,
    c.RestartSession, h.ExcludePatron, h.ReadmitPatron, h.StopFloor, h.StartFloor,
})  # fmt: skip
_SECOND_AT_THE_CAGE: frozenset[type[c.Command]] = frozenset({g.ConfirmCount, g.ApprovePayment, g.RejectPayment})
_SUPERVISING: frozenset[type[c.Command]] = frozenset({c.Approve, c.Reject, c.NewShoe, c.EndShoe})
_AT_THE_CAGE: frozenset[type[c.Command]] = frozenset({
    c.BuyIn, c.LoadCredits, c.CashOut, c.Approve, c.Reject, g.OpenShift, g.SellVoucher, g.PayVoucher, g.CountShift,
})  # fmt: skip
MAY: dict[Role, frozenset[type[c.Command]]] = {
    "dealer": _DEALING,
    "supervisor": _DEALING | _RUNNING | _SUPERVISING | _SECOND_AT_THE_CAGE,
    "cashier": _AT_THE_CAGE | _SECOND_AT_THE_CAGE,
    "auditor": frozenset(),
    "administrator": _RUNNING | {h.AddStaff, h.ChangeStaff, h.AddTerminal, h.ChangeTerminal},
}
"""A void, a reconstruction, a reopening and a large staff load are proposals: somebody else approves them. A cashier
decides on loads of credits only."""

SEES: dict[str, frozenset[Role]] = {
    "staff": frozenset({"auditor", "administrator"}),
    "terminals": frozenset({"supervisor", "auditor", "administrator"}),
    "exclusions": frozenset({"supervisor", "cashier", "auditor", "administrator"}),
    "pit": frozenset({"supervisor", "auditor", "administrator"}),
    "edges": frozenset({"supervisor", "auditor", "administrator"}),
    "cage": frozenset({"supervisor", "cashier", "auditor"}),
    "dealer": frozenset({"dealer", "supervisor", "auditor", "administrator"}),
    "liability": frozenset({"supervisor", "cashier", "auditor", "administrator"}),
    "reports": frozenset({"supervisor", "auditor", "administrator"}),
}
"""What each role may look at, beyond what everybody sees."""


class LoginRefused(Refusal):
    """A name and password that do not go together, or a login that is locked."""


class NotAllowed(Refusal):
    """A command that this role may not give."""


_WRONG = "wrong name or password, or locked after three wrong tries"


class Passwords:
    """Argon2 over the password and a key of the ring: whoever reads the journal alone cannot even try passwords."""

    def __init__(self, ring: KeyRing) -> None:
        self._pepper = ring.derived("staff passwords")
        self._hasher = PasswordHasher()
        self._nobody = self.verifier(secrets.token_urlsafe())

    def verifier(self, password: str) -> str:
        return self._hasher.hash(self._peppered(password))

    def holds(self, verifier: str | None, password: str) -> bool:
        """As slow for a name that nobody has."""
        try:
            self._hasher.verify(verifier or self._nobody, self._peppered(password))
        except VerificationError:
            return False
        return verifier is not None

    def _peppered(self, password: str) -> str:
        return hmac.new(self._pepper, password.encode(), "sha256").hexdigest()


def new_password() -> str:
    return secrets.token_urlsafe(9)


@dataclass(frozen=True)
class Person:
    """Somebody who is logged in."""

    name: str
    role: Role


@dataclass
class Login:
    name: str
    seen: float
    verifier: str  # of the password that was given


@dataclass
class Logins:
    """Tokens live in memory only. Who somebody is and may do is what the house says now."""

    house: Callable[[], HouseState]
    passwords: Passwords
    note: Callable[[h.NoteLogin], Awaitable[Answer]]
    now: Callable[[], float] = time.monotonic
    _logins: dict[str, Login] = field(default_factory=dict)

    async def login(self, name: str, password: str) -> tuple[str, Person]:
        """A token; every try of somebody who exists is in the journal, the third wrong one in a row locks."""
        began = time.monotonic()
        try:
            return await self._login(name, password)
        except LoginRefused:
            await asyncio.sleep((began - time.monotonic()) % REFUSED_S)
            raise

    async def _login(self, name: str, password: str) -> tuple[str, Person]:
        person = self.house().staff.get(name)
        right = await asyncio.to_thread(self.passwords.holds, person.verifier if person else None, password)
        if person is None or not person.may_enter:
            raise LoginRefused(_WRONG)
        answer = await self.note(h.NoteLogin(by=name, person=name, ok=right))
        if not (right and answer.ok):
            raise LoginRefused(_WRONG)
        token = secrets.token_urlsafe(24)
        self._logins[token] = Login(name, self.now(), person.verifier)
        while len(self._logins) > MAX_LOGINS:
            del self._logins[next(iter(self._logins))]
        return token, Person(name, person.role)

    def logout(self, token: str) -> None:
        self._logins.pop(token, None)

    def person(self, token: str) -> Person:
        """Who it is; a login is over when it was idle too long, with a new password, and when somebody is disabled."""
        login = self._logins.get(token)
        person = self.house().staff.get(login.name) if login else None
        if (
            login is None
            or person is None
            or person.disabled
            or person.verifier != login.verifier
            or self.now() - login.seen >= IDLE_S[person.role]
        ):
            self.logout(token)
            raise LoginRefused("log in again")
        login.seen = self.now()
        return Person(login.name, person.role)


def verify_may(person: Person, kind: type[c.Command]) -> None:
    if kind not in MAY[person.role]:
        raise NotAllowed(f"the role {person.role} may not give {kind.name()}")


def verify_decides(person: Person, number: int, state: TableState) -> None:
    """Whether the role may approve or reject a proposal: what a cashier decides is loads of credits and hand pays."""
    proposal = state.proposals.get(number)
    if person.role == "cashier" and (
        number > state.proposed if proposal is None else proposal.command["command"] not in OF_MONEY
    ):
        raise NotAllowed("the role cashier may decide on loads of credits and hand pays only")


def verify_sees(person: Person, what: str) -> None:
    if person.role not in SEES[what]:
        raise NotAllowed(f"the role {person.role} may not see: {what}")
