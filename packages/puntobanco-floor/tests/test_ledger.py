"""The ledger's laws, on events of every kind: what moves, how much, and that a reopening undoes a settlement."""

from collections import Counter
from collections.abc import Sequence
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puntobanco.rules.causes import WORDS, Cause
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.ledger import (
    ADJUSTMENTS,
    BANK,
    BONUS,
    CAGE,
    HELD,
    HOUSE_ACCOUNTS,
    MOVING,
    UNRECOVERED,
    VOUCHERS,
    WAGERS,
    Transfer,
    account_of,
    is_balanced,
    is_patron,
    post,
)
from tests.support.claims import reads

MOVES_NOTHING = {kind for kind in e.EVENTS if kind.transfers is e.Event.transfers}
SAYS_MONEY = {
    e.SessionSeated, e.SessionLimited, e.SessionEnded, e.PatronLimited, e.VisitEnded, e.MoveSettled, e.CashNoted,
    e.ShiftOpened, e.ShiftCounted, e.CountsDiffered, e.ShiftClosed,
}  # fmt: skip
"""They name an amount and move nothing: limits, counts, and cash or credits that another event moves."""

SESSION_TO: dict[type[e.Event], str] = {
    e.WagerPlaced: WAGERS,
    e.WagerRaised: WAGERS,
    e.Proposed: HELD,
    e.VoucherIssued: VOUCHERS,
    e.MoveReserved: MOVING,
}
TO_SESSION: dict[type[e.Event], str] = {
    e.WagerWithdrawn: WAGERS,
    e.CreditsBought: CAGE,
    e.CreditsLoaded: CAGE,
    e.VoucherRedeemed: VOUCHERS,
    e.ProposalRejected: HELD,
    e.ProposalWithdrawn: HELD,
    e.MoveArrived: MOVING,
    e.MoveReturned: MOVING,
}
AT_THE_CAGE: dict[type[e.Event], tuple[str, str]] = {
    e.VoucherSold: (CAGE, VOUCHERS),
    e.VoucherPaid: (VOUCHERS, CAGE),
    e.VoucherRestored: (UNRECOVERED, VOUCHERS),
}
OF_LINES: set[type[e.Event]] = {e.RoundSettled, e.RoundVoided, e.RoundReopened}
OF_TWO: set[type[e.Event]] = {e.CashedOut, e.CreditsAdjusted}
RICH = 10**12


def transfers(event: e.Event) -> tuple[Transfer, ...]:
    return event.transfers()


CENTS = st.integers(1, 10**9)
SESSIONS = st.sampled_from(("ann", "ben", "cyd"))

CAUSES = st.builds(
    Cause,
    code=st.sampled_from((*WORDS, "of-a-later-version")),
    values=st.lists(SESSIONS | CENTS, max_size=6).map(tuple),
)


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of a field's type."""
    origin, args = get_origin(hint), get_args(hint)
    if hint is int:
        return CENTS
    if hint is object:
        return CENTS | SESSIONS
    if origin is Literal:
        return st.sampled_from(args)
    if origin in (Union, UnionType):
        return st.one_of([values(arg) for arg in args])
    if origin is tuple:
        return st.lists(values(args[0]), max_size=3).map(tuple)
    if origin is dict:
        return st.dictionaries(values(args[0]), values(args[1]), max_size=3)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        hints = get_type_hints(hint)
        return st.builds(hint, **{name: values(hints[name]) for name in hint.__struct_fields__})
    simple: dict[Any, st.SearchStrategy[Any]] = {
        Cause: CAUSES,
        str: SESSIONS,
        bool: st.booleans(),
        type(None): st.none(),
    }
    return simple[hint]


WAGERED = st.dictionaries(st.tuples(SESSIONS, st.sampled_from(("banker", "tie"))), CENTS)


@st.composite
def lines(
    draw: st.DrawFn, wagers: dict[tuple[str, str], int] | None = None, *, void: bool = False
) -> tuple[e.Line, ...]:
    """What became of some wagers: won with or without a bonus, pushed, lost; or all of them void."""
    found = list[e.Line]()
    for (session, bet), stake in (draw(WAGERED) if wagers is None else wagers).items():
        outcome = "void" if void else draw(st.sampled_from(("wins", "loses", "pushes")))
        won = draw(CENTS) if outcome == "wins" else 0
        bonus = draw(st.sampled_from((0, 300_000))) if won and bet == "tie" else 0
        found.append(
            e.Line(
                session, bet, stake, outcome, won, 0 if outcome == "loses" else stake, bonus, "4.1"
            )
        )
    return tuple(found)


def settled(of: Sequence[e.Line]) -> e.RoundSettled:
    return e.RoundSettled(round=1, result="T", player=1, banker=1, cards="", lines=tuple(of))


def voided(of: Sequence[e.Line]) -> e.RoundVoided:
    return e.RoundVoided(round=1, ground="foreign-card", clause="5.1", lines=tuple(of))


def reopened(of: Sequence[e.Line], balances: dict[str, int]) -> e.RoundReopened:
    """Everything that is still there is taken back; a session's lines in turn."""
    left, found = dict(balances), list[e.Recovery]()
    for line in of:
        account = account_of(line.session)
        taken = min(left.get(account, 0), line.paid_cents - line.set_off_cents)
        left[account] = left.get(account, 0) - taken
        found.append(e.Recovery(line, taken, line.paid_cents - taken))
    return e.RoundReopened(
        round=1,
        ground="wrong-card-count",
        clause="5.2",
        recoveries=tuple(found),
        proposed_by="amy",
        approved_by="ben",
    )


def set_off(of: Sequence[e.Line], owed: dict[str, int]) -> list[e.Line]:
    """What is owed comes first out of what is paid."""
    found = list[e.Line]()
    for line in of:
        part = min(owed.get(line.session, 0), line.paid_cents)
        owed[line.session] = owed.get(line.session, 0) - part
        found.append(msgspec.structs.replace(line, set_off_cents=part))
    return found


def staked(of: Sequence[e.Line]) -> dict[str, int]:
    """Balances while these wagers are in play."""
    balances = {WAGERS: sum(line.stake_cents for line in of)}
    balances[CAGE] = -balances[WAGERS]
    return balances


def after(balances: dict[str, int], *events: e.Event) -> dict[str, int]:
    """Balances after these events, those of nothing left out."""
    found = dict(balances)
    for event in events:
        post(found, transfers(event))
        assert is_balanced(found)
    return {account: cents for account, cents in found.items() if cents}


def change(event: e.Event) -> Counter[str]:
    found = Counter[str]()
    for debit, credit, cents in transfers(event):
        found[debit] -= cents
        found[credit] += cents
    return Counter({account: cents for account, cents in found.items() if cents})


def paid(of: Sequence[e.Line]) -> Counter[str]:
    """What each session gets, by the lines alone."""
    found = Counter[str]()
    for line in of:
        found[account_of(line.session)] += (
            line.returned_cents + line.winnings_cents + line.bonus_cents
        )
    return Counter({account: cents for account, cents in found.items() if cents})


# Every kind of event


def test_every_event_that_moves_money_stands_in_one_list() -> None:
    lists = (SESSION_TO, TO_SESSION, AT_THE_CAGE, OF_LINES, OF_TWO)
    listed = [kind for each in lists for kind in each]
    assert len(listed) == len(set(listed))
    assert set(e.EVENTS) - MOVES_NOTHING == set(listed), (
        "list it by the accounts between which it moves money"
    )


def test_an_event_that_names_an_amount_moves_it_or_is_listed() -> None:
    fields = {kind: kind.__struct_fields__ for kind in MOVES_NOTHING}
    named = {kind for kind, names in fields.items() if any(x.endswith("cents") for x in names)}
    assert named == SAYS_MONEY, "write its `transfers`, or list it here"


@given(cents=CENTS)
def test_a_hand_pay_comes_from_what_was_set_apart_and_other_cash_from_the_credits(
    cents: int,
) -> None:
    alone = e.CashedOut(session="ann", cents=cents)
    by_two = e.CashedOut(session="ann", cents=cents, proposed_by="carl", approved_by="sam")
    assert transfers(alone) == (Transfer(account_of("ann"), CAGE, cents),)
    assert transfers(by_two) == (Transfer(HELD, CAGE, cents),)


@given(cents=CENTS)
def test_an_adjustment_is_credits_or_cash_and_comes_from_its_own_account(cents: int) -> None:
    credits_ = e.CreditsAdjusted(session="ann", cents=cents, round=1, note="so", clause="4.1")
    cash = msgspec.structs.replace(credits_, window=1, shift=2)
    assert transfers(credits_) == (Transfer(ADJUSTMENTS, account_of("ann"), cents),)
    assert transfers(cash) == (Transfer(ADJUSTMENTS, CAGE, cents),)
    assert (credits_.cash_cents, cash.cash_cents) == (0, -cents)


def test_a_proposal_that_sets_nothing_apart_moves_nothing() -> None:
    proposed = e.Proposed(proposal=1, about="round", at=0, command={})
    assert (
        transfers(proposed) == transfers(e.ProposalRejected(proposal=1, by="sam", reason="")) == ()
    )


@pytest.mark.parametrize(("kind", "accounts"), AT_THE_CAGE.items())
@given(data=st.data())
def test_these_change_cash_and_vouchers(
    kind: type[e.Event], accounts: tuple[str, str], data: st.DataObject
) -> None:
    event: Any = data.draw(values(kind))
    event = msgspec.structs.replace(event, cents=data.draw(CENTS))
    assert transfers(event) == ((*accounts, event.cents),)


@pytest.mark.parametrize("kind", [kind for kind in e.EVENTS if kind in MOVES_NOTHING])
@settings(max_examples=10)
@given(data=st.data())
def test_these_events_move_nothing(kind: type[e.Event], data: st.DataObject) -> None:
    assert transfers(data.draw(values(kind))) == ()


@pytest.mark.parametrize(("kind", "account"), SESSION_TO.items())
@given(data=st.data())
def test_these_take_from_a_session(kind: type[e.Event], account: str, data: st.DataObject) -> None:
    event = data.draw(values(kind))
    assert transfers(event) == (Transfer(account_of(event.session), account, moved_by(event)),)


@pytest.mark.parametrize(("kind", "account"), TO_SESSION.items())
@given(data=st.data())
def test_these_give_to_a_session(kind: type[e.Event], account: str, data: st.DataObject) -> None:
    event = data.draw(values(kind))
    assert transfers(event) == (Transfer(account, account_of(event.session), moved_by(event)),)


def moved_by(event: Any) -> int:
    """A raise and a withdrawal move what changes, not what then lies there."""
    match event:
        case e.WagerRaised() | e.WagerWithdrawn():
            return int(event.by_cents)
        case e.WagerPlaced():
            return int(event.stake_cents)
        case e.Proposed():
            return int(event.held_cents)
        case e.ProposalRejected() | e.ProposalWithdrawn():
            return int(event.returned_cents)
    return int(event.cents)


@st.composite
def moving(draw: st.DrawFn) -> e.Event:
    """Any event that moves money, as a table makes it."""
    kind = draw(st.sampled_from([kind for kind in e.EVENTS if kind not in MOVES_NOTHING]))
    if kind not in OF_LINES:
        event: e.Event = draw(values(kind))
        return event
    owed = {session: draw(st.integers(0, 10**9)) for session in ("ann", "ben")}
    found = set_off(draw(lines(void=kind is e.RoundVoided)), owed)
    if kind is e.RoundReopened:
        return reopened(
            found, {account_of(s): draw(st.integers(0, 10**9)) for s in ("ann", "ben", "cyd")}
        )
    return settled(found) if kind is e.RoundSettled else voided(found)


@given(st.lists(moving(), max_size=8))
def test_every_transfer_moves_something_from_one_account_to_another(events: list[e.Event]) -> None:
    balances = {account_of(session): RICH for session in ("ann", "ben", "cyd")} | {
        HELD: RICH,
        CAGE: -4 * RICH,
    }
    for event in events:
        for debit, credit, cents in transfers(event):
            assert cents > 0
            assert debit != credit
            assert {account for account in (debit, credit) if not is_patron(account)} <= set(
                HOUSE_ACCOUNTS
            )
        post(balances, transfers(event))
        assert is_balanced(balances)


# Settlements


@given(lines())
def test_a_settlement_pays_each_line_and_empties_wagers(of: tuple[e.Line, ...]) -> None:
    balances = after(staked(of), settled(of))
    assert WAGERS not in balances
    assert {account: cents for account, cents in balances.items() if is_patron(account)} == paid(of)
    assert balances.get(BONUS, 0) == -sum(line.bonus_cents for line in of)
    lost = sum(line.stake_cents for line in of if line.outcome == "loses")
    assert balances.get(BANK, 0) == lost - sum(line.winnings_cents for line in of)
    assert UNRECOVERED not in balances


@given(lines(void=True))
def test_a_void_round_gives_every_stake_back_and_touches_no_bank(of: tuple[e.Line, ...]) -> None:
    balances = after(staked(of), voided(of))
    assert set(balances) <= {CAGE, *(account_of(line.session) for line in of)}
    assert {account: cents for account, cents in balances.items() if is_patron(account)} == paid(of)


@reads(39)
@given(lines())
def test_a_reopening_takes_back_exactly_the_settlement(of: tuple[e.Line, ...]) -> None:
    before = staked(of)
    paid_out = after(before, settled(of))
    assert after(paid_out, reopened(of, paid_out)) == after(before)
    assert change(reopened(of, paid_out)) == Counter(
        {a: -cents for a, cents in change(settled(of)).items()}
    )


@reads(39)
@given(WAGERED.flatmap(lambda wagers: st.tuples(lines(wagers), lines(wagers))))
def test_settled_reopened_and_settled_again_is_settled_once(
    of: tuple[tuple[e.Line, ...], tuple[e.Line, ...]],
) -> None:
    """The same wagers, other cards: only the last settlement counts."""
    first, last = of
    before = staked(first)
    paid_out = after(before, settled(first))
    assert after(paid_out, reopened(first, paid_out), settled(last)) == after(before, settled(last))


@reads(39)
@given(lines(), st.data())
def test_what_was_taken_away_is_unrecovered_and_nobody_falls_below_zero(
    of: tuple[e.Line, ...], data: st.DataObject
) -> None:
    before = staked(of)
    paid_out = after(before, settled(of))
    gone = {
        line.session: data.draw(
            st.integers(0, paid_out.get(account_of(line.session), 0)), label=line.session
        )
        for line in of
    }
    cashed = after(
        paid_out, *(e.CashedOut(session=s, cents=cents) for s, cents in gone.items() if cents)
    )
    taken_back = after(cashed, reopened(of, cashed))
    expected = Counter(before)
    expected.update({UNRECOVERED: -sum(gone.values()), CAGE: sum(gone.values())})
    assert taken_back == {account: cents for account, cents in expected.items() if cents}


@reads(39)
@given(lines(), st.data())
def test_what_is_owed_is_set_off_and_paid_only_once(
    of: tuple[e.Line, ...], data: st.DataObject
) -> None:
    """Paid, taken away, reopened, settled the same way again: as if it had been settled once and cashed out."""
    paid_out = after(staked(of), settled(of))
    gone = {
        line.session: data.draw(
            st.integers(0, paid_out.get(account_of(line.session), 0)), label=line.session
        )
        for line in of
    }
    cashed = after(
        paid_out, *(e.CashedOut(session=s, cents=cents) for s, cents in gone.items() if cents)
    )
    again = set_off(of, dict(gone))
    finally_ = after(cashed, reopened(of, cashed), settled(again))
    assert finally_ == cashed
    # Once more: what was set off is owed again, and what the sessions hold is taken back.
    reopened_twice = reopened(again, finally_)
    assert all(r.unrecovered_cents >= r.line.set_off_cents for r in reopened_twice.recoveries)
    assert after(finally_, reopened_twice, settled(again)) == cashed


def test_a_round_that_turns_out_lost_leaves_the_debt_standing() -> None:
    """Ann won 100.00 on banker and left; the cards in order say player. The house bears 200.00."""
    won = e.Line("ann", "banker", 10_000, "wins", 10_000, 10_000, 0, "4.1")
    lost = e.Line("ann", "banker", 10_000, "loses", 0, 0, 0, "3.10")
    left = after(staked([won]), settled([won]), e.CashedOut(session="ann", cents=20_000))
    assert after(left, reopened([won], left), settled([lost])) == {
        CAGE: 10_000,
        BANK: 10_000,
        UNRECOVERED: -20_000,
    }


def test_the_parts_of_a_line_are_paid_stake_first_and_missed_bonus_first() -> None:
    """A tie of 10.00 and its bonus of 3,000.00: most of it gone when the round is reopened; then a debt."""
    line = e.Line("ann", "tie", 1_000, "wins", 8_000, 1_000, 300_000, "4.1", "4.3")
    ann = account_of("ann")
    assert transfers(settled([line])) == (
        (WAGERS, ann, 1_000),
        (BANK, ann, 8_000),
        (BONUS, ann, 300_000),
    )
    assert transfers(reopened([line], {ann: 4_000})) == (
        (UNRECOVERED, BONUS, 300_000),
        (UNRECOVERED, BANK, 5_000),
        (ann, BANK, 3_000),
        (ann, WAGERS, 1_000),
    )
    assert transfers(settled(set_off([line], {"ann": 5_000}))) == (
        (WAGERS, UNRECOVERED, 1_000),
        (BANK, UNRECOVERED, 4_000),
        (BANK, ann, 4_000),
        (BONUS, ann, 300_000),
    )


# Posting


def test_a_patron_below_zero_is_our_fault_and_stops_us() -> None:
    balances = {account_of("ann"): 99}
    with pytest.raises(AssertionError, match="session:ann would be -1"):
        post(balances, [Transfer(account_of("ann"), WAGERS, 100)])
    assert balances == {account_of("ann"): 99}


@pytest.mark.parametrize("cents", [0, -1])
def test_a_transfer_of_nothing_stops_us(cents: int) -> None:
    with pytest.raises(AssertionError, match="a transfer moves something"):
        post({}, [Transfer(CAGE, account_of("ann"), cents)])


def test_house_accounts_are_no_patrons() -> None:
    assert not any(map(is_patron, HOUSE_ACCOUNTS))
    assert is_patron(account_of("cage"))
