"""Staff: who may do what. Nothing is allowed that is not listed; a password is known by its hash only."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, get_args

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from puntobanco.rules.refusals import Refusal
from puntobanco.table import commands as c

Role = Literal["dealer", "supervisor", "cashier"]
ROLES: tuple[Role, ...] = get_args(Role)
WRONG_TRIES = 3
IDLE_S: dict[Role, float] = {"dealer": 300, "supervisor": 900, "cashier": 900}

_DEALING: frozenset[type[c.Command]] = frozenset({
    c.OpenBets, c.CloseBets, c.DealCard, c.EnterCard, c.CorrectCard, c.Settle, c.DeclareIrregularity, c.Reconstruct,
    c.VoidRound, c.Resume, c.Reopen, c.CountShoe,
})  # fmt: skip
MAY: dict[Role, frozenset[type[c.Command]]] = {
    "dealer": _DEALING,
    "supervisor": _DEALING
    | {c.Approve, c.Reject, c.OpenTable, c.CloseTable, c.ChangeLimits, c.ChangeClock, c.NewShoe, c.EndShoe},
    "cashier": frozenset({c.BuyIn, c.LoadCredits, c.CashOut, c.Approve, c.Reject}),
}
"""A void, a reconstruction, a reopening and a large staff load are proposals: somebody else approves them."""


class LoginRefused(Refusal):
    """A name and password that do not go together, or a login that is locked."""


class NotAllowed(Refusal):
    """A command that this role may not give."""


@dataclass
class Person:
    name: str
    role: Role
    hash: str
    wrong: int = 0

    @property
    def is_locked(self) -> bool:
        return self.wrong >= WRONG_TRIES


@dataclass
class Login:
    person: Person
    seen: float


@dataclass
class Staff:
    """People by name, and their logins; tokens live in memory only."""

    now: Callable[[], float] = time.monotonic
    people: dict[str, Person] = field(default_factory=dict)
    _logins: dict[str, Login] = field(default_factory=dict)
    _hasher: PasswordHasher = field(default_factory=PasswordHasher)

    def add(self, name: str, role: Role) -> str:
        """A person and a random password, which is returned this once."""
        password = secrets.token_urlsafe(9)
        self.people[name] = Person(name, role, self._hasher.hash(password))
        return password

    def login(self, name: str, password: str) -> str:
        person = self.people.get(name)
        if person is None or person.is_locked:
            raise LoginRefused("wrong name or password, or locked after three wrong tries")
        try:
            self._hasher.verify(person.hash, password)
        except VerificationError:
            person.wrong += 1
            raise LoginRefused("wrong name or password, or locked after three wrong tries") from None
        person.wrong = 0
        token = secrets.token_urlsafe(24)
        self._logins[token] = Login(person, self.now())
        return token

    def person(self, token: str) -> Person:
        """Who it is; a login that was idle too long is over."""
        login = self._logins.get(token)
        if login is None or self.now() - login.seen >= IDLE_S[login.person.role]:
            self._logins.pop(token, None)
            raise LoginRefused("log in again")
        login.seen = self.now()
        return login.person

    def verify(self, person: Person, command: c.Command) -> None:
        if type(command) not in MAY[person.role]:
            raise NotAllowed(f"a {person.role} may not give {command.name()}")
