"""Staff: logins, roles, and a dealer's whole round over HTTP."""

import asyncio
import hashlib
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from argon2 import PasswordHasher

from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.definitions import HOUSE as MACHINE
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.events import Role
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.machine import Funds
from puntobanco_floor.domain.stream_rules import RetireKey
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.demonstration import DEMO_STAFF
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.service.refusals import LoginRefused, NotAllowed
from puntobanco_floor.service.roles import ROLES, SEES, Person, verify_may
from puntobanco_floor.service.staff_logins import Logins, token_hashes
from puntobanco_floor.store.batch import Answer
from puntobanco_floor.store.login_sessions import LoginsInMemory
from tests.support.served import Served, api, asked, staff_tokens
from tests.table.test_phases import EXAMPLES

GIVEN = {
    "dealer": (
        "burn-cards close-bets correct-card count-shoe deal-card declare-irregularity "
        "enter-card open-bets reconstruct reopen resume settle void-round withdraw-proposal"
    ),
    "supervisor": (
        "adjust agree allow-game answer-review approve ask-review burn-cards change-cards change-clock "
        "change-limits close-bets close-table "
        "confirm-count confirm-staff correct-card count-shift count-shoe deal-card declare-irregularity "
        "end-shoe enter-card exclude-patron halt-table new-shoe open-bets open-table "
        "readmit-patron reconstruct reject reopen restart-session restart-table resume settle "
        "start-floor stop-floor stop-session turn-down void-round withdraw-change withdraw-proposal"
    ),
    "cashier": (
        "approve ask-review buy-in cash-out confirm-count count-shift load-credits open-shift "
        "pay-voucher reject sell-voucher withdraw-proposal"
    ),
    "auditor": (""),
    "administrator": (
        "add-staff add-terminal agree allow-game change-cards change-clock change-limits change-staff "
        "change-terminal close-table confirm-staff exclude-patron halt-table open-table readmit-patron "
        "restart-session restart-table retire-key set-gaming-day start-floor stop-floor "
        "stop-session turn-down withdraw-change"
    ),
    "nobody": (
        "abandon-shoe accept-program arrive-move begin-epoch bind-cards certify-key change-credentials check-program "
        "confirm-exclusions confirm-vouchers end-day end-visit enrol-staff enrol-terminal erase-patron "
        "issue-voucher leave-seat leave-window limit-patron limit-session mix-shoe note-cash note- "
        "fault note-login open-house open-unwitnessed place-wager raise-wager redeem-voucher reserve-move "
        "restore-voucher return-move seat-session set-entries-aside settle-move stop-node take-window widen-limits "
        "withdraw-wager"
    ),
}
"""By hand, so that a wrong role in a definition is seen: every command that a role may give, and those that none may."""

LISTED = {name for names in GIVEN.values() for name in names.split()}
MAY = {
    role: frozenset(
        kind
        for kind in OURS.commands
        if (kind.name() in GIVEN[role].split() if kind.name() in LISTED else role in kind.traits.by)
    )
    for role in ROLES
}
"""A command that is not listed: its traits say it, and `docs/reference/table-commands.md` shows it to a reviewer."""


@pytest.fixture(scope="module")
def tokens(served: Served) -> dict[str, str]:
    found = staff_tokens(served)
    assert set(found) == set(DEMO_STAFF)
    return found


def test_a_dealer_runs_a_round_and_two_supervisors_void_the_next(
    served: Served, tokens: dict[str, str]
) -> None:
    dora, sam, sue = tokens["dora"], tokens["sam"], tokens["sue"]
    steps: list[tuple[str, str, dict[str, Any]]] = [
        (dora, "open-bets", {}),
        (dora, "close-bets", {}),
        *((dora, "enter-card", {"card": x}) for x in ("9s", "2h", "8d", "4c")),
        (dora, "settle", {}),
        (dora, "open-bets", {}),
        (dora, "close-bets", {}),
        (dora, "declare-irregularity", {"ground": "foreign-card"}),
        (sam, "void-round", {}),
    ]
    for n, (who, command, fields) in enumerate(steps):
        status, answer = asked(served, who, f"step-{n}", command, **fields)
        assert (status, answer["ok"]) == (200, True), answer
    own = asked(served, sam, "own", "approve", proposal=answer["proposal"])[1]
    assert own["code"] == "second-person-needed"
    assert asked(served, sue, "other", "approve", proposal=answer["proposal"])[1]["ok"]
    table = api(served, "GET", "/api/tables/6")[1]
    assert (table["phase"], table["round"], table["results"]) == ("void", 2, ["P"])


def test_who_asks_is_who_is_logged_in(served: Served, tokens: dict[str, str]) -> None:
    status, answer = asked(served, tokens["dora"], "as-sam", "approve", proposal=1, by="sam")
    assert (status, "role dealer" in answer["reason"]["en"]) == (403, True)
    status, answer = asked(served, tokens["sue"], "as-dora", "approve", proposal=1, by="dora")
    assert (status, answer["code"]) == (200, "unknown-proposal")
    assert asked(served, "nobody", "x", "settle")[0] == 401
    assert asked(served, tokens["dora"], "y", "nothing")[0] == 400
    assert asked(served, tokens["dora"], "z", "settle", table=99)[0] == 404


NAMES: dict[Role, str] = {
    "dealer": "dora",
    "supervisor": "sam",
    "cashier": "carl",
    "auditor": "otto",
    "administrator": "ada",
}
HASH = "0123456789abcdef" * 4
HOUSE: dict[str, dict[str, Any]] = {
    "retire-key": {"key": "none"},
    "certify-key": {"key": "none", "public": HASH, "root": "none", "certificate": HASH},
    "bind-cards": {"cards": 0},
    "open-house": {"house": "x", "administrator": "eve", "verifier": HASH},
    "add-staff": {"person": "eve", "role": "administrator", "verifier": HASH},
    "change-staff": {"person": "nobody", "role": "administrator"},
    "enrol-staff": {"person": "dora", "verifier": HASH},
    "change-credentials": {"person": "dora", "before": HASH},
    "agree": {"proposal": 1},
    "turn-down": {"proposal": 1},
    "note-login": {"person": "dora", "ok": False},
    "add-terminal": {"terminal": "TX", "code": HASH, "expires_at": 5},
    "enrol-terminal": {"code": HASH, "key": HASH},
    "change-terminal": {"terminal": "nothing", "disable": "x"},
    "exclude-patron": {"patron": "p-nobody", "reason": "x"},
    "readmit-patron": {"patron": "p-nobody"},
    "erase-patron": {"patron": "p-nobody", "reason": "x"},
    "limit-patron": {"patron": "p-nobody", "loss_cents": 5},
    "widen-limits": {"patron": "p-nobody"},
    "allow-game": {"game": "x", "definition": {}},
    "end-visit": {"patron": "p-nobody", "session": "s", "net_cents": 0, "played_ms": 0},
    "take-window": {"window": 9, "shift": 1},
    "leave-window": {"window": 9, "shift": 1},
    "stop-floor": {"reason": {"code": "safety", "values": ["a drill"]}},
    "start-floor": {},
    "end-day": {},
    "set-gaming-day": {"zone": "Nowhere/Atall"},
    "check-program": {"node": "n", "version": "1", "program": "", "configuration": HASH},
    "stop-node": {"node": "n"},
    "note-fault": {"node": "n", "place": "x:1", "what": "x"},
    "accept-program": {"version": "1", "program": HASH, "files": 1, "second": "sam"},
    "open-unwitnessed": {"node": "n", "reason": "so", "size": 0, "second": "sam"},
    "confirm-staff": {"person": "nobody"},
    "confirm-exclusions": {"second": "sam"},
    "begin-epoch": {"second": "sam", "epoch": 2, "reason": "so"},
    "set-entries-aside": {"second": "sam", "reason": "so", "last": 1, "digest": "ab"},
    "confirm-vouchers": {"second": "sam"},
}


def test_every_role_and_command_over_the_wire(served: Served, tokens: dict[str, str]) -> None:
    """Each cell of the matrix: refused with 403 exactly where it is empty."""
    assert set(NAMES) == set(ROLES) == set(MAY)
    for role, name in NAMES.items():
        for kind in tuple(OURS.table.decides):
            fields = msgspec.to_builtins(EXAMPLES[kind.name()])
            del fields["by"], fields["command"]
            status, said = asked(
                served, tokens[name], f"{role}-{kind.name()}", kind.name(), table=5, **fields
            )
            # Which proposals a cashier decides on is another rule: what waits at a table depends on its clock.
            decides = kind in (
                c.Approve,
                c.Reject,
            ) and "hand pays and adjustments only" in said.get("reason", {}).get("en", "")
            assert (status == 403 and not decides) == (kind not in MAY[role]), (
                f"{role} {kind.name()}: {status} {said}"
            )


def test_every_role_and_command_of_the_house_over_the_wire(
    served: Served, tokens: dict[str, str]
) -> None:
    assert set(HOUSE) == {kind.name() for kind in OURS.house.decides}
    for role, name in NAMES.items():
        for kind in OURS.house.decides:
            body = {
                "id": f"{role}-{kind.name()}",
                "command": {"command": kind.name(), **HOUSE[kind.name()]},
            }
            status, _ = api(served, "POST", "/api/staff/house/commands", tokens[name], body)
            assert (status == 403) == (kind not in MAY[role]), f"{role} {kind.name()}: {status}"
    for name in ("sam", "ada"):  # whatever the matrix left stopped
        api(served, "POST", "/api/admin/floor/start", tokens[name])


CAGE: dict[str, tuple[str, dict[str, Any]]] = {
    "open-shift": ("open", {"cents": 0}),
    "sell-voucher": ("sell", {"cents": 100}),
    "pay-voucher": ("pay", {"number": "000000000000000195"}),
    "count-shift": ("count", {"cents": 0}),
    "confirm-count": ("confirm", {"cents": 0}),
    "approve": ("approve", {"payment": 1}),
    "reject": ("reject", {"payment": 1}),
    "withdraw-proposal": ("withdraw", {"payment": 1}),
}


def test_every_role_and_command_of_the_cage_over_the_wire(
    served: Served, tokens: dict[str, str]
) -> None:
    # the floor itself notes cash, and two people recover at the command line: nobody over HTTP
    # and a node's key is retired there for every stream
    by_staff = [kind for kind in OURS.cage.decides if kind.traits.by and kind is not RetireKey]
    assert set(CAGE) == {kind.name() for kind in by_staff}
    for role, name in NAMES.items():
        for kind in by_staff:
            path, fields = CAGE[kind.name()]
            body = {"id": f"{role}-{path}", **fields}
            status, _ = api(served, "POST", f"/api/staff/cage/9/{path}", tokens[name], body)
            assert (status == 403) == (kind not in MAY[role]), f"{role} {kind.name()}: {status}"


LOOKS = {
    "staff": "/api/admin/staff",
    "terminals": "/api/admin/terminals",
    "exclusions": "/api/admin/exclusions",
    "liability": "/api/staff/reports/liability",
    "pit": "/api/staff/pit",
    "edges": "/api/staff/tables/6/rounds/999999/edges",
    "cage": "/api/staff/cage/1",
    "dealer": "/api/staff/tables/6",
    "reports": "/api/staff/reports/daily",
    "house": "/api/admin/house",
    "audit": "/api/staff/audit/streams",
}


def test_every_role_sees_what_it_may(served: Served, tokens: dict[str, str]) -> None:
    assert set(LOOKS) == set(SEES)
    for role, name in NAMES.items():
        for what, path in LOOKS.items():
            status, _ = api(served, "GET", path, tokens[name])
            assert (status == 403) == (role not in SEES[what]), f"{role} {what}: {status}"
            assert status in (200, 403, 404)
    for path in LOOKS.values():
        assert api(served, "GET", path)[0] == 401


class Door:
    """Logins with a house in memory."""

    def __init__(self) -> None:
        self.state, self.clock = HouseState(stream="floor"), 0.0
        self.ring = KeyRing.fresh()
        self.passwords = Passwords(self.ring, PasswordHasher())
        self.do(
            h.OpenHouse(
                by="init",
                house="x",
                administrator="root",
                verifier=self.passwords.verifier("secret words"),
            )
        )
        self.do(
            h.AddStaff(
                by="root",
                person="dora",
                role="dealer",
                verifier=self.passwords.verifier("other words"),
            )
        )
        self.rows = LoginsInMemory()
        self.logins = self.node()

    def node(self) -> Logins:
        """Another node of the floor: it knows what is in the rows."""
        return Logins(
            lambda: self.state,
            self.ring,
            self.passwords,
            self.ask,
            now=lambda: self.clock,
            rows=self.rows,
        )

    def do(self, command: Any) -> None:
        before = self.state
        events = MACHINE.decide(self.state, Funds(), command, 1_000)
        for event in events:
            self.state = MACHINE.evolve(self.state, event)
        self.state = MACHINE.stamped(before, self.state, before.seq + 1, 1_000, events)

    async def ask(self, command: Command) -> Answer:
        try:
            self.do(command)
        except Refusal as refusal:
            return Answer(id="", ok=False, seq=0, at=0, code=refusal.code, reason=refusal.words)
        return Answer(id="", ok=True, seq=self.state.seq, at=0)

    def login(self, name: str, password: str) -> str:
        return asyncio.run(self.logins.login(name, password))[0]


def test_after_three_wrong_tries_one_waits_and_every_try_is_noted() -> None:
    door = Door()
    for n in range(3):
        with pytest.raises(LoginRefused):
            door.login("dora", "wrong words")
        assert door.state.staff["dora"].wrong == n + 1
    with pytest.raises(LoginRefused, match="wait"):
        door.login("dora", "other words")
    door.clock += 60
    assert door.logins.person(door.login("dora", "other words")).role == "dealer"
    assert door.state.staff["dora"].wrong == 0
    with pytest.raises(LoginRefused):
        door.login("nobody", "wrong words")


def test_a_dealer_who_is_idle_for_five_minutes_logs_in_again() -> None:
    door = Door()
    token = door.login("dora", "other words")
    door.clock = 299
    assert door.logins.person(token).name == "dora"
    door.clock = 599
    with pytest.raises(LoginRefused):
        door.logins.person(token)


def test_a_login_ends_with_a_logout_or_when_somebody_is_disabled_and_a_new_role_holds_at_once() -> (
    None
):
    door = Door()
    token = door.login("dora", "other words")
    door.do(h.ChangeStaff(by="root", person="dora", role="cashier"))
    assert door.logins.person(token).role == "cashier"
    door.do(h.ChangeStaff(by="root", person="dora", disable="left us"))
    with pytest.raises(LoginRefused):
        door.logins.person(token)
    token = door.login("root", "secret words")
    asyncio.run(door.logins.logout(token))
    with pytest.raises(LoginRefused):
        door.logins.person(token)


def is_known(logins: Logins, token: str) -> bool:
    asyncio.run(logins.recall(token))
    return logins.looking(token) is not None


def test_a_row_that_was_written_without_the_key_ring_is_no_login() -> None:
    door, other = Door(), Door()
    token = "staff_" + "x" * 32
    verifier = door.state.staff["root"].verifier
    plain = hashlib.sha256(f"puntobanco staff {token}".encode()).hexdigest()
    guessed = hashlib.sha256(verifier.encode()).hexdigest()[:16]
    other_ring = token_hashes(other.ring, token)[0]
    for row in (plain, other_ring):
        door.rows.put(row, "root", guessed, 0)
        assert not is_known(door.node(), token)


def test_a_login_made_over_to_somebody_else_in_the_database_is_none() -> None:
    door = Door()
    token = door.login("dora", "other words")
    [(row, (_, proof, seen))] = door.rows._rows.items()
    assert is_known(door.node(), token)
    door.rows.put(row, "root", proof, seen)
    assert not is_known(door.node(), token)
    assert not door.rows._rows, "and it is removed"


def test_a_login_outlives_one_rotation_of_keys_and_not_a_second() -> None:
    door = Door()
    token = door.login("dora", "other words")
    door.ring.rotate()
    assert is_known(door.node(), token)
    assert door.login("dora", "other words"), "verifiers name the key that they were made with"
    door.ring.rotate()
    assert not is_known(door.node(), token)
    assert door.login("dora", "other words")
    asyncio.run(door.logins.logout(token))


def test_a_password_given_at_a_node_with_newer_keys_is_good_at_once(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    here = Passwords(KeyRing.at(path), PasswordHasher())
    with KeyRing.changed(path) as other:
        other.rotate()
    verifier = Passwords(other, PasswordHasher()).verifier("secret words")
    assert here.holds(verifier, "secret words")


def test_a_verifier_that_names_no_key_is_of_the_oldest() -> None:
    door = Door()
    verifier = door.passwords.verifier("words of before")
    door.ring.rotate()
    unnamed = verifier[verifier.index("$") :]
    assert door.passwords.holds(unnamed, "words of before")
    assert not door.passwords.holds(unnamed, "words of others")


def test_a_verifier_is_no_use_without_the_key_ring() -> None:
    verifier = Passwords(KeyRing.fresh(), PasswordHasher()).verifier("secret words")
    assert not Passwords(KeyRing.fresh(), PasswordHasher()).holds(verifier, "secret words")


def test_a_name_that_nobody_has_is_refused_as_slowly_as_a_wrong_password() -> None:
    passwords = Passwords(KeyRing.fresh(), PasswordHasher())
    verifier = passwords.verifier("secret words")
    assert passwords.holds(verifier, "secret words")

    def taken_s(known: str | None) -> float:
        began = time.process_time()
        assert not passwords.holds(known, "other words")
        return time.process_time() - began

    wrong, nobody = min(taken_s(verifier) for _ in range(3)), min(taken_s(None) for _ in range(3))
    assert 0.5 < nobody / wrong < 2, (nobody, wrong)
    assert "secret" not in verifier


def test_what_is_not_listed_is_denied() -> None:
    with pytest.raises(NotAllowed):
        verify_may(Person("carl", "cashier"), c.Settle)
    assert not MAY["auditor"]
    assert not any(
        MAY[role] & {c.PlaceWager, c.RaiseWager, c.WithdrawWager, c.RedeemVoucher} for role in ROLES
    )
