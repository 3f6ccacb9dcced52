"""Two people: who changes staff and exclusions with whom, cell by cell; and what the owner of an account does alone."""

from itertools import product

import msgspec
import pytest
from immutables import Map

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.definitions import HOUSE, OURS
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.state import FACTOR_ROLES
from puntobanco_floor.domain.proposals import Approve, Proposal, Proposals, answered_by_another
from puntobanco_floor.domain.refusals import SecondPersonNeeded, UnknownProposal
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.service.refusals import NotAllowed
from puntobanco_floor.service.roles import (
    Person,
    verify_approves,
    verify_decides,
    verify_may,
    verify_two,
)
from puntobanco_proof.entry.format import Fault
from tests.house.test_house import HASH, MORNING, OTHER, House

ONE, TWO = "1" * 64, "2" * 64
HOUR_MS = 3_600_000
PEOPLE: dict[str, e.Role] = {
    "ada": "administrator",
    "ben": "administrator",
    "cid": "administrator",
    "sam": "supervisor",
    "sue": "supervisor",
    "carl": "cashier",
    "dora": "dealer",
    "otto": "auditor",
}


def enrol(house: House, name: str, *codes: str, step: int = 1) -> None:
    role = house.state.staff[name].role
    before = None if codes else house.state.staff[name].verifier
    factor = "k1$nonce" if role in FACTOR_ROLES else ""
    house.do(
        h.EnrolStaff(
            by=name,
            person=name,
            verifier=f"{name:x>40}",
            codes=codes,
            before=before,
            factor=factor,
            step=step,
        )
    )


def new_house() -> House:
    house = House()
    house.do(
        h.OpenHouse(
            by="init",
            house="Marina",
            administrator="ada",
            verifier=HASH,
            second="ben",
            second_verifier=OTHER,
        )
    )
    return house


def added(house: House, name: str, role: e.Role, by: str = "ada", second: str = "ben") -> None:
    command = h.AddStaff(by=by, person=name, role=role, code=ONE, expires_at=MORNING + HOUR_MS)
    [proposed] = house.do(command)
    assert isinstance(proposed, e.Proposed)
    house.do(h.Agree(by=second, proposal=proposed.proposal, code=TWO))


@pytest.fixture
def house() -> House:
    """Everybody has enrolled, but for `new`, whose account ada and ben made."""
    found = new_house()
    enrol(found, "ada")
    enrol(found, "ben")
    for name, role in PEOPLE.items():
        if name not in found.state.staff:
            added(found, name, role)
            enrol(found, name, ONE, TWO)
    added(found, "new", "administrator")
    found.do(h.ExcludePatron(by="sam", patron="p9", reason="asked for it"))
    return found


EVERYBODY: dict[str, e.Role] = {**PEOPLE, "new": "administrator"}
DECIDED: dict[str, Command] = {
    "add": h.AddStaff(by="x", person="eve", role="dealer", code=ONE),
    "role": h.ChangeStaff(by="x", person="dora", role="supervisor"),
    "role of an administrator": h.ChangeStaff(by="x", person="cid", role="auditor"),
    "code": h.ChangeStaff(by="x", person="dora", code=ONE),
    "code of an administrator": h.ChangeStaff(by="x", person="cid", code=ONE),
    "readmit": h.ReadmitPatron(by="x", patron="p9"),
}


def expected(what: str, first: str, second: str) -> str:
    """By hand, from the rule: two enrolled people of the right roles, neither of them the account."""
    asks = {"administrator", "supervisor"} if what == "readmit" else {"administrator"}
    answers = {"administrator", "supervisor"}
    whose = {"add": "eve", "readmit": ""}.get(what, "cid" if "administrator" in what else "dora")
    if EVERYBODY[first] not in asks:
        return "first role"
    if whose == first:
        return "second-person-needed"
    if EVERYBODY[second] not in answers:
        return "second role"
    made = {"new", "ada"}, {"new", "ben"}
    if first == "new":  # who has not enrolled could not log in to ask
        return "second-person-needed"
    if first == second or {first, second} in made or second == whose:
        return "second-person-needed"
    return "yes"


def outcome(house: House, command: Command, first: str, second: str) -> str:
    try:
        verify_may(Person(first, EVERYBODY[first]), type(command))
    except NotAllowed:
        return "first role"
    before = house.state
    try:
        [proposed] = house.do(msgspec.structs.replace(command, by=first))
        assert isinstance(proposed, e.Proposed), "one person is not enough"
        verify_may(Person(second, EVERYBODY[second]), h.Agree)
        coded = getattr(command, "code", None)
        agree = h.Agree(by=second, proposal=proposed.proposal, code=TWO if coded else None)
        done = house.do(agree)
    except NotAllowed:
        return "second role"
    except Refusal as refusal:
        return refusal.code
    finally:
        after, house.state = house.state, before
    assert after != before
    assert done[-1].by_two() == f"; asked by {first}, approved by {second}"
    return "yes"


@pytest.mark.parametrize("what", DECIDED)
def test_every_cell_of_the_two_person_matrix(house: House, what: str) -> None:
    cells = {
        (first, second): outcome(house, DECIDED[what], first, second)
        for first, second in product(EVERYBODY, repeat=2)
    }
    assert len(cells) == 81
    wrong = {
        pair: (found, expected(what, *pair))
        for pair, found in cells.items()
        if found != expected(what, *pair)
    }
    assert not wrong


def test_who_gave_out_a_code_is_no_other_party_until_the_owner_has_enrolled(house: House) -> None:
    assert not house.state.are_two("new", "ada")
    assert not house.state.are_two("ben", "new")
    assert house.state.are_two("new", "cid")
    enrol(house, "new", ONE, TWO)
    assert house.state.are_two("new", "ada")
    house.do(h.ChangeStaff(by="cid", person="new", code=ONE))
    house.do(h.Agree(by="sam", proposal=house.state.proposals.numbered, code=TWO))
    assert not house.state.are_two("new", "sam"), "a new code, as a new account"
    assert house.state.are_two("new", "ada")


def test_a_factor_recovered_by_the_two_who_made_the_account_makes_nobody_two_people(
    house: House,
) -> None:
    """From the moment of the new code its owner is out, and no other party to either of them; each has one part of the
    code, which enrols nobody; and the report has both names.
    """
    [proposed] = house.do(h.ChangeStaff(by="ada", person="cid", code=ONE, expires_at=MORNING + 9))
    assert isinstance(proposed, e.Proposed)
    for alone in ("ada", "cid"):
        with pytest.raises(SecondPersonNeeded):
            house.do(h.Agree(by=alone, proposal=proposed.proposal, code=TWO))
    assert house.state.has_enrolled("cid"), "nothing is changed by one of them"
    _, changed = house.do(h.Agree(by="ben", proposal=proposed.proposal, code=TWO))
    assert isinstance(changed, e.StaffChanged)
    assert "new code" in changed.reported()
    assert "ada" in changed.reported()
    assert "ben" in changed.reported()
    assert not house.state.may_ask("cid", h.AddStaff.traits.by)
    for maker in ("ada", "ben"):
        assert not house.state.are_two(maker, "cid")
    for part in ((ONE,), (TWO,), ()):
        with pytest.raises(r.EnrolmentRefused):
            enrol(house, "cid", *part)
    with pytest.raises(r.NotEnrolled):
        house.do(h.NoteLogin(by="cid", person="cid", ok=True, step=99))


def test_one_person_makes_no_exclusion_shorter(house: House) -> None:
    """Excluded anew until a moment from now, a patron was readmitted by one person."""

    def exclude(until: int | None, patron: str = "p9") -> None:
        house.do(h.ExcludePatron(by="sam", patron=patron, reason="again", until=until))

    for until in (MORNING + 1, MORNING + 10**12):
        with pytest.raises(SecondPersonNeeded, match="readmit"):
            exclude(until)
    assert house.state.excludes("p9", MORNING + 10**12)
    exclude(None)
    exclude(MORNING + HOUR_MS, "p8")
    with pytest.raises(SecondPersonNeeded):
        exclude(MORNING + HOUR_MS - 1, "p8")
    exclude(MORNING + HOUR_MS, "p8")
    exclude(MORNING + 2 * HOUR_MS, "p8")
    house.now = MORNING + 2 * HOUR_MS
    exclude(house.now + 1, "p8")  # the one from before is over
    assert house.state.excluded["p8"].until == house.now + 1


def test_what_somebody_asked_for_who_was_disabled_since_is_not_approved(house: House) -> None:
    """A thief is disabled; what he asked for still waits, and one more person makes it two."""
    house.do(h.ReadmitPatron(by="cid", patron="p9"))
    number = house.state.proposals.numbered
    house.do(h.ChangeStaff(by="ada", person="cid", disable="a thief"))
    with pytest.raises(SecondPersonNeeded):
        house.do(h.Agree(by="sam", proposal=number))
    house.do(h.TurnDown(by="sam", proposal=number, reason="a thief asked for it"))


def test_what_somebody_asked_for_in_a_role_that_is_lost_is_not_approved(house: House) -> None:
    house.do(h.AddStaff(by="cid", person="mole", role="supervisor", code=ONE))
    number = house.state.proposals.numbered
    house.do(h.ChangeStaff(by="ada", person="cid", role="dealer"))
    house.do(h.Agree(by="ben", proposal=house.state.proposals.numbered))
    with pytest.raises(SecondPersonNeeded):
        house.do(h.Agree(by="ben", proposal=number, code=TWO))


def test_a_journal_in_which_one_person_did_it_is_forged(house: House) -> None:
    forged = (
        e.StaffAdded(person="eve", role="dealer", verifier=HASH),
        e.StaffAdded(
            person="eve", role="dealer", verifier="", proposed_by="ada", approved_by="ada"
        ),
        e.StaffAdded(
            person="eve", role="dealer", verifier="", proposed_by="ada", approved_by="new"
        ),
        e.StaffChanged(person="dora", role="supervisor", verifier=HASH, disabled=""),
        e.PatronReadmitted(patron="p9"),
        e.LoginNoted(person="ada", ok=True, step=1),
    )
    for event in forged:
        with pytest.raises(Fault):
            HOUSE.evolve(house.state, event)


# What the owner does


def test_nobody_else_makes_a_password(house: House) -> None:
    for command in (
        h.AddStaff(by="ada", person="eve", role="dealer", verifier=HASH),
        h.AddStaff(by="ada", person="eve", role="dealer"),
        h.ChangeStaff(by="ada", person="dora", verifier=HASH),
    ):
        with pytest.raises(r.OwnPassword):
            house.do(command)


@pytest.mark.parametrize("role", ["dealer", "cashier", None])
def test_no_code_hides_in_a_change_of_a_role(house: House, role: e.Role | None) -> None:
    """The second person is shown a role; with it the owner's password and factor were gone."""
    with pytest.raises(r.OwnPassword):
        house.do(h.ChangeStaff(by="ada", person="dora", role=role, second_code=ONE))


def test_a_code_that_hides_in_a_proposal_from_before_is_not_approved(house: House) -> None:
    held = h.ChangeStaff(by="ada", person="dora", role="dealer", second_code=ONE)
    number = house.state.proposals.numbered + 1
    before = e.Proposed(
        proposal=number, about="money", at=house.now, command=msgspec.to_builtins(held)
    )
    house.state = HOUSE.evolve(house.state, before)
    with pytest.raises(r.OwnPassword):
        house.do(h.Agree(by="ben", proposal=number))


def test_nobody_logs_in_before_a_password_of_ones_own(house: House) -> None:
    found = new_house()
    login = h.NoteLogin(by="ada", person="ada", ok=True, step=5)
    with pytest.raises(r.NotEnrolled):
        found.do(login)
    enrol(found, "ada")
    found.do(login)
    with pytest.raises(r.NotEnrolled):
        house.do(h.NoteLogin(by="new", person="new", ok=True, step=5))


def test_a_code_enrols_its_owner_once_whole_and_in_time(house: House) -> None:
    for codes in ((), (ONE,), (TWO, ONE), (TWO,), (ONE, ONE)):
        with pytest.raises(r.EnrolmentRefused):
            enrol(house, "new", *codes)
    house.now = MORNING + HOUR_MS
    with pytest.raises(r.EnrolmentRefused):
        enrol(house, "new", ONE, TWO)
    house.now -= 1
    enrol(house, "new", ONE, TWO)
    with pytest.raises(r.EnrolmentRefused):
        enrol(house, "new", ONE, TWO)


def test_a_role_with_a_second_factor_does_not_enrol_without(house: House) -> None:
    command = h.EnrolStaff(by="new", person="new", verifier=HASH, codes=(ONE, TWO))
    with pytest.raises(r.NotEnrolled):
        house.do(command)
    added(house, "dan", "dealer")
    house.do(msgspec.structs.replace(command, by="dan", person="dan"))
    assert house.state.has_enrolled("dan")
    house.do(h.ChangeStaff(by="ada", person="dan", role="cashier"))
    house.do(h.Agree(by="ben", proposal=house.state.proposals.numbered))
    assert not house.state.has_enrolled("dan"), "the new role has a second factor"


def test_a_password_alone_takes_no_second_factor_over(house: House) -> None:
    for name in ("sam", "dora"):
        before = house.state.staff[name].verifier
        again = h.EnrolStaff(by=name, person=name, verifier=HASH, before=before, factor="k$other")
        with pytest.raises(r.EnrolmentRefused):
            house.do(again)
    house.do(h.ChangeStaff(by="ada", person="dora", role="cashier"))
    house.do(h.Agree(by="ben", proposal=house.state.proposals.numbered))
    house.do(again)
    assert house.state.has_enrolled("dora")
    with pytest.raises(r.EnrolmentRefused):
        house.do(msgspec.structs.replace(again, before=HASH))


def test_a_one_time_code_is_good_once(house: House) -> None:
    house.do(h.NoteLogin(by="sam", person="sam", ok=True, step=7))
    for step in (7, 6, 0):
        with pytest.raises(r.Locked):
            house.do(h.NoteLogin(by="sam", person="sam", ok=True, step=step))
    house.do(h.NoteLogin(by="sam", person="sam", ok=True, step=8))


def test_one_changes_ones_own_password_at_any_time(house: House) -> None:
    before = house.state.staff["sam"].verifier
    change = h.ChangeCredentials(by="sam", person="sam", before=before, verifier=HASH)
    house.do(change)
    assert house.state.staff["sam"].verifier == HASH
    assert house.state.credentials["sam"].factor
    with pytest.raises(r.Locked):
        house.do(change)


# Administrators


def test_the_last_two_administrators_stay(house: House) -> None:
    house.do(h.ChangeStaff(by="ada", person="new", disable="left us"))
    house.do(h.ChangeStaff(by="ada", person="cid", disable="left us"))
    for name in ("ada", "ben"):
        with pytest.raises(r.LastAdministrator):
            house.do(h.ChangeStaff(by="ben", person=name, disable="x"))
    with pytest.raises(r.LastAdministrator):
        house.do(h.ChangeStaff(by="ada", person="ben", role="dealer"))


def test_a_proposal_is_turned_down_or_withdrawn(house: House) -> None:
    command = h.AddStaff(by="ada", person="eve", role="dealer", code=ONE)
    house.do(command)
    number = house.state.proposals.numbered
    house.do(h.TurnDown(by="sam", proposal=number, reason="nobody knows eve"))
    with pytest.raises(UnknownProposal):
        house.do(h.Agree(by="ben", proposal=number, code=TWO))
    house.do(msgspec.structs.replace(command, role="cashier"))
    house.do(h.TurnDown(by="ada", proposal=number + 1))
    assert [each.outcome for each in house.state.proposals.decided[-2:]] == [
        "rejected",
        "withdrawn",
    ]
    with pytest.raises(UnknownProposal):
        house.do(h.TurnDown(by="ada", proposal=number + 1))


def test_a_house_from_before_goes_on_until_two_administrators_have_enrolled() -> None:
    house = House()
    house.do(h.OpenHouse(by="init", house="Marina", administrator="ada", verifier=HASH))
    house.do(h.AddStaff(by="ada", person="ben", role="administrator", verifier=OTHER))
    house.do(h.AddStaff(by="ada", person="dora", role="dealer", verifier=OTHER))
    house.do(h.NoteLogin(by="dora", person="dora", ok=True))
    assert not house.state.by_two
    enrol(house, "ada")
    enrol(house, "ben")
    assert house.state.by_two
    with pytest.raises(r.NotEnrolled):
        house.do(h.NoteLogin(by="dora", person="dora", ok=True))
    enrol(house, "dora")
    house.do(h.NoteLogin(by="dora", person="dora", ok=True))


def test_one_person_is_not_both_first_administrators() -> None:
    with pytest.raises(SecondPersonNeeded):
        House().do(
            h.OpenHouse(
                by="init",
                house="Marina",
                administrator="ada",
                verifier=HASH,
                second="ada",
                second_verifier=OTHER,
            )
        )


# Tables and cage windows

BY_TWO = [
    kind
    for kind in dict.fromkeys((*OURS.table.decides, *OURS.cage.decides))
    if kind.traits.second is not None
]


@pytest.mark.parametrize("kind", BY_TWO, ids=lambda kind: kind.name())
def test_every_cell_of_who_asks_and_who_approves_at_tables_and_the_cage(
    house: House, kind: type[Command]
) -> None:
    """By role, by name, and by who made the account."""
    allowed = set[tuple[str, str]]()
    for (first, asks), (second, answers) in product(EVERYBODY.items(), repeat=2):
        try:
            verify_may(Person(first, asks), kind)
            verify_may(Person(second, answers), Approve)
            waits = Proposal(first, 0, kind.traits.about, {"command": kind.name()})
            proposals = Proposals(1, Map({1: waits}))
            if kind in OURS.table.decides:
                state = TableState(stream="table:1", proposals=proposals)
                verify_decides(Person(second, answers), 1, state)
            answered_by_another(proposals, 1, second)
            verify_approves(house.state, first, Person(second, answers), kind)
        except Refusal:
            continue
        allowed.add((first, second))
    deciders = {"sam", "sue", "carl"} if kind.traits.about == "money" else {"sam", "sue"}
    asking = {name for name, role in PEOPLE.items() if role in kind.traits.by}
    assert allowed == {(a, b) for a in asking for b in deciders if a != b}
    assert allowed


def test_who_made_an_account_approves_nothing_of_it_at_a_table(house: House) -> None:
    added(house, "sol", "supervisor", by="ada", second="sam")
    with pytest.raises(SecondPersonNeeded):
        verify_two(house.state, "sol", Person("sam", "supervisor"))
    verify_two(house.state, "sol", Person("sue", "supervisor"))
    enrol(house, "sol", ONE, TWO)
    verify_two(house.state, "sol", Person("sam", "supervisor"))


@pytest.mark.parametrize("kind", BY_TWO, ids=lambda kind: kind.name())
def test_what_a_disabled_person_asked_for_at_a_table_or_the_cage_is_not_approved(
    house: House, kind: type[Command]
) -> None:
    """A buy-in of $30,000 was approved so."""
    asks = next(name for name in ("carl", "sue", "dora") if PEOPLE[name] in kind.traits.by)
    verify_approves(house.state, asks, Person("sam", "supervisor"), kind)
    house.do(h.ChangeStaff(by="ada", person=asks, disable="a thief"))
    with pytest.raises(SecondPersonNeeded):
        verify_approves(house.state, asks, Person("sam", "supervisor"), kind)
