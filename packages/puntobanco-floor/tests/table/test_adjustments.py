"""Adjustments at the table: what a ruling on a past round awards, paid by two people after the next round has opened."""

import msgspec
import pytest
from immutables import Map

from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.definitions import TABLE
from puntobanco_floor.domain.entries import chained
from puntobanco_floor.domain.ledger import ADJUSTMENTS, CAGE, account_of
from puntobanco_floor.domain.machine import Funds
from puntobanco_floor.domain.refusals import AdjustmentRefused
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.reviews import MAX_ADJUSTED_SESSIONS, MAX_AWARDS, MAX_OF_SESSION
from puntobanco_floor.domain.table.state import Adjustment, Award, TableState, dump
from tests.table.notation import Table, play, played

ROUND = """
open                                  -> BetsOpened
wager ann banker 100.00               -> WagerPlaced
close                                 -> BetsClosed
card 9s -> CardDealt
card 2h -> CardDealt
card Td -> CardDealt
card 4h -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
"""
PLAYED = f"""
open-table fortune-six exposure=2000.00 -> TableOpened
seat ann patron=p1                    -> SessionSeated
seat ben                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
buy ben 500.00                        -> CreditsBought
shoe physical                         -> ShoeStarted
{ROUND}
"""
AWARDED = f"""{PLAYED}
ask-review ann 1 wrong-payment by=ann -> ReviewAsked 1
open                                  -> BetsOpened 2
answer-review 1 corrected house "a card was misread" by=sam -> ReviewAnswered 1 corrected
"""
LEFT = f"""{PLAYED}
ask-review ann 1 wrong-payment by=ann -> ReviewAsked 1
cash-out ann                          -> CashedOut ann 400.00, SessionEnded ann
open                                  -> BetsOpened 2
answer-review 1 corrected house "a card was misread" by=sam -> ReviewAnswered 1 corrected
"""


def table(script: str = AWARDED) -> Table:
    return played(script)


def test_an_answer_in_the_patrons_favour_is_paid_after_the_next_round_opened() -> None:
    """Nothing else can pay it: the round cannot be reopened, and a load is drop."""
    found = play(
        """
        reopen misread-card by=sam            -> refused not-now [reading 45]
        credits ann 400.00
        adjust ann 1 200.00 "as review 1 says" review=1 by=sam -> Proposed 1 adjust
        credits ann 400.00
        approve 1 by=sam                      -> refused second-person-needed
        approve 1 by=sue                      -> ProposalApproved, CreditsAdjusted ann 200.00 [house]
        credits ann 600.00
        account adjustments -200.00
        account bank 100.00
        account cage -1000.00
        """,
        table(),
    )
    assert found.state.sessions["ann"].in_cents == 50_000, "it is the patron's win, and no buy-in"
    assert not found.state.awards


@pytest.mark.parametrize("phase", ["waiting", "betting", "closed", "dealing", "stopped", "down"])
def test_a_seated_session_is_paid_in_every_phase(phase: str) -> None:
    steps = [
        ("waiting", "adjust ben 1 5.00 so clause=house by=sam -> Proposed 1"),
        ("betting", "open -> BetsOpened 2"),
        ("closed", "close -> BetsClosed"),
        ("dealing", "card 9s -> CardDealt"),
        ("stopped", "declare wrong-card-count -> IrregularityDeclared"),
    ]
    names = [name for name, _ in steps]
    script = [line for _, line in steps[: names.index(phase) + 1]] if phase in names else []
    if phase == "down":
        script = [
            steps[0][1],
            "end-shoe -> ShoeEnded, PeriodSealed",
            "close-table -> TableClosed, PeriodSealed",
        ]
    script += [
        "approve 1 by=sue -> ProposalApproved, CreditsAdjusted ben 5.00",
        "credits ben 505.00",
    ]
    found = play("\n".join(script), table(PLAYED))
    assert found.state.phase == ("settled" if phase == "waiting" else phase)


def test_a_patron_who_has_left_is_paid_by_the_cashier_who_approves() -> None:
    found = play(
        """
        adjust ann 1 200.00 "as review 1 says" review=1 by=sam -> Proposed 1 adjust
        approve 1 by=sue                      -> refused not-now because "has left this table"
        approve 1 by=carl window=1 shift=3    -> ProposalApproved, CreditsAdjusted ann 200.00 window 1
        approve 1 by=cora window=2 shift=1    -> refused unknown-proposal
        adjust ann 1 200.00 again review=1 by=sam -> refused adjustment-refused because "paid already"
        account adjustments -200.00
        account cage -400.00
        credits ann 0.00
        """,
        table(LEFT),
    )
    [event] = [event for event in events(found) if isinstance(event, e.CreditsAdjusted)]
    assert (event.window, event.shift, event.cash_cents) == (1, 3, -20_000)
    assert (event.proposed_by, event.approved_by) == ("sam", "carl")


def events(found: Table) -> list[e.Event]:
    """Of one table's journal, read again."""
    return [event for entry, _ in chained(found.rows, found.stream.name) for event in entry.events]


def test_who_left_before_the_approval_is_paid_at_the_cage_and_who_came_back_as_credits() -> None:
    play(
        """
        adjust ann 1 50.00 so review=1 by=sam -> Proposed 1
        cash-out ann                          -> CashedOut ann 400.00, SessionEnded ann
        approve 1 by=sue                      -> refused not-now
        seat ann patron=p1                    -> SessionSeated ann
        approve 1 by=carl window=1 shift=1    -> ProposalApproved, CreditsAdjusted ann 50.00
        credits ann 50.00
        """,
        table(),
    )


def test_credits_on_the_way_to_another_table_are_waited_for() -> None:
    play(
        """
        adjust ann 1 50.00 so review=1 by=sam -> Proposed 1
        move ann m1 table:2                   -> MoveReserved
        approve 1 by=sue                      -> refused on-the-way
        settle-move ann m1                    -> MoveSettled, SessionEnded
        approve 1 by=carl window=1 shift=1    -> ProposalApproved, CreditsAdjusted ann 50.00 window 1
        """,
        table(),
    )


def test_a_review_is_paid_once_and_only_for_its_session_and_round() -> None:
    play(
        """
        adjust ben 1 50.00 so review=1 by=sam -> refused adjustment-refused because "session ann"
        adjust ann 2 50.00 so review=1 by=sam -> refused not-now because "round 2 is not over"
        adjust ann 1 50.00 so review=2 by=sam -> refused unknown-review
        adjust ann 1 50.00 so review=1 by=sam -> Proposed 1
        adjust ann 1 50.00 so review=1 by=sam -> refused not-now because "asks for the same"
        adjust ann 1 60.00 so review=1 by=sue -> Proposed 2
        approve 1 by=sue                      -> ProposalApproved, CreditsAdjusted ann 50.00
        approve 2 by=sam                      -> refused adjustment-refused because "paid already"
        adjust ann 1 50.00 so clause=house by=sam -> refused adjustment-refused because "on that ground"
        credits ann 450.00
        """,
        table(),
    )


def test_a_round_whose_review_waits_to_be_paid_is_not_paid_beside_it() -> None:
    play(
        """
        adjust ann 1 50.00 so clause=house by=sam -> refused adjustment-refused because "pay review 1"
        credits ann 400.00
        """,
        table(),
    )


def test_a_round_that_was_paid_for_is_not_reopened() -> None:
    """Corrected and settled again it would pay the patron a second time."""
    play(
        """
        adjust ben 1 5.00 so clause=house by=sam -> Proposed 1
        approve 1 by=sue                      -> ProposalApproved, CreditsAdjusted ben 5.00 [house]
        reopen misread-card by=sam            -> refused not-now because "its result stands"
        """,
        table(PLAYED),
    )


def test_a_second_review_of_the_same_round_is_paid_too() -> None:
    play(
        """
        adjust ann 1 50.00 so review=1 by=sam -> Proposed 1
        approve 1 by=sue                      -> ProposalApproved, CreditsAdjusted ann 50.00
        ask-review ann 1 other by=ann         -> ReviewAsked 2
        answer-review 2 corrected house more by=sam -> ReviewAnswered 2 corrected
        adjust ann 1 20.00 more review=2 by=sam -> Proposed 2
        approve 2 by=sue                      -> ProposalApproved, CreditsAdjusted ann 20.00
        credits ann 470.00
        """,
        table(),
    )


def test_a_round_alone_is_paid_once_on_a_clause_and_once_on_each_direction() -> None:
    play(
        """
        adjust ben 1 5.00 so clause=house by=sam -> Proposed 1
        approve 1 by=sue                      -> ProposalApproved, CreditsAdjusted ben 5.00 [house]
        adjust ben 1 5.00 again clause="reading 31" by=sam -> refused adjustment-refused
        adjust ben 1 7.00 so direction="letter 7" by=sam -> Proposed 2
        approve 2 by=sue                      -> ProposalApproved, CreditsAdjusted ben 7.00
        adjust ben 1 7.00 again direction="letter 7" by=sam -> refused adjustment-refused
        adjust ben 1 1.00 so direction="letter 8" by=sam -> Proposed 3
        approve 3 by=sue                      -> ProposalApproved, CreditsAdjusted ben 1.00
        credits ben 513.00
        """,
        table(PLAYED),
    )


def test_the_ground_is_a_clause_of_the_rounds_rules_or_a_direction_and_not_both() -> None:
    play(
        """
        adjust ben 1 5.00 so by=sam           -> refused adjustment-refused because "one of the two"
        adjust ben 1 5.00 so clause=house direction="letter 7" by=sam -> refused adjustment-refused
        adjust ben 1 5.00 so clause=99 by=sam -> refused adjustment-refused because "no clause 99"
        adjust ann 1 5.00 so review=1 clause=99 by=sam -> refused adjustment-refused
        adjust ann 1 5.00 so review=1 clause="reading 31" by=sam -> Proposed 1
        approve 1 by=sue                      -> ProposalApproved, CreditsAdjusted ann 5.00 [reading 31]
        """,
        table(),
    )


def test_a_referred_review_is_paid_by_the_inspectors_direction() -> None:
    play(
        """
        ask-review ann 1 wrong-payment by=ann -> ReviewAsked 1
        answer-review 1 referred house so by=sam -> ReviewAnswered 1 referred
        adjust ann 1 5.00 so review=1 by=sam  -> refused adjustment-refused because "inspector's direction"
        adjust ann 1 5.00 so review=1 direction="letter 7" by=sam -> Proposed 1
        approve 1 by=sue                      -> ProposalApproved, CreditsAdjusted ann 5.00
        """,
        table(PLAYED),
    )


def test_a_review_that_was_upheld_or_waits_pays_nothing() -> None:
    play(
        """
        ask-review ann 1 wrong-payment by=ann -> ReviewAsked 1
        adjust ann 1 5.00 so review=1 by=sam  -> refused unknown-review
        answer-review 1 upheld house so by=sam -> ReviewAnswered 1 upheld
        adjust ann 1 5.00 so review=1 by=sam  -> refused unknown-review because "in the patron's favour"
        """,
        table(PLAYED),
    )


def test_the_amount_is_at_most_what_the_table_may_lose_in_a_round() -> None:
    play(
        """
        adjust ann 1 2000.01 so review=1 by=sam -> refused adjustment-refused because "$2,000"
        adjust ann 1 2000.00 so review=1 by=sam -> Proposed 1
        """,
        table(),
    )
    for cents in (0, -1):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(
                {
                    "command": "adjust",
                    "by": "sam",
                    "session": "a",
                    "round": 1,
                    "cents": cents,
                    "note": "so",
                },
                c.Adjust,
            )


def test_a_round_that_is_played_or_was_never_played_is_not_paid_for() -> None:
    play(
        """
        adjust ann 2 5.00 so clause=house by=sam -> refused not-now
        adjust ann 0 5.00 so clause=house by=sam -> refused not-now
        """,
        table(),
    )


def test_notes_and_directions_are_one_line_of_plain_text() -> None:
    for more in ({"note": "a\nb", "clause": "house"}, {"note": "so", "direction": "a\u202eb"}):
        command = c.Adjust(by="sam", session="ben", round=1, cents=100, **more)  # type: ignore[arg-type]
        _, answer = table(PLAYED).do(command)
        assert answer is not None
        assert (answer.ok, answer.code) == (False, "bad-command")


def test_rejected_or_withdrawn_nothing_is_paid_and_the_review_may_be_paid_later() -> None:
    play(
        """
        adjust ann 1 50.00 so review=1 by=sam -> Proposed 1
        reject 1 "another sum" by=sue         -> ProposalRejected 1
        adjust ann 1 40.00 so review=1 by=sam -> Proposed 2
        take-back 2 by=sam                    -> ProposalWithdrawn 2
        credits ann 400.00
        adjust ann 1 30.00 so review=1 by=sam -> Proposed 3
        approve 3 by=sue                      -> ProposalApproved, CreditsAdjusted ann 30.00
        """,
        table(),
    )


def asking(**more: object) -> c.Adjust:
    command = c.Adjust(by="sam", session="ben", round=1, cents=100, note="so", direction="letter x")
    return msgspec.structs.replace(command, **more)


def test_the_adjustments_of_one_session_are_bounded() -> None:
    state = table(PLAYED).state
    paid = tuple(
        Adjustment(round=1, cents=1, note="so", direction=f"letter {n}")
        for n in range(MAX_OF_SESSION)
    )
    below = msgspec.structs.replace(state, adjusted=Map({"ben": paid[1:]}))
    assert TABLE.decide(below, Funds(), asking(), 1)
    full = msgspec.structs.replace(state, adjusted=Map({"ben": paid}))
    with pytest.raises(AdjustmentRefused, match=f"{MAX_OF_SESSION} adjustments"):
        TABLE.decide(full, Funds(), asking(), 1)


def test_the_sessions_that_a_table_remembers_as_paid_are_bounded() -> None:
    state = table(PLAYED).state
    one = (Adjustment(round=1, cents=1, note="so", clause="house"),)
    others = Map({f"s{n}": one for n in range(MAX_ADJUSTED_SESSIONS)})
    below = msgspec.structs.replace(state, adjusted=others.delete("s0"))
    assert TABLE.decide(below, Funds(), asking(), 1)
    with pytest.raises(AdjustmentRefused, match="the most of one"):
        TABLE.decide(msgspec.structs.replace(state, adjusted=others), Funds(), asking(), 1)
    known = msgspec.structs.replace(state, adjusted=others.delete("s0").set("ben", one))
    assert TABLE.decide(known, Funds(), asking(), 1), "one that is known takes no more room"


def test_the_oldest_award_makes_room_for_a_new_one() -> None:
    found = play("ask-review ann 1 other by=ann -> ReviewAsked 1", table(PLAYED))
    award = Award(session="old", round=1, rules="", decision="corrected", clause="house")
    older = Map({-n: award for n in range(1, MAX_AWARDS + 1)})
    answered = e.ReviewAnswered(
        review=1,
        round=1,
        session="ann",
        decision="corrected",
        clause="house",
        note="so",
        by="sam",
        payable=True,
    )
    below = msgspec.structs.replace(found.state, awards=older.delete(-1))
    assert -MAX_AWARDS in TABLE.evolve(below, answered).awards
    full = TABLE.evolve(msgspec.structs.replace(found.state, awards=older), answered).awards
    assert len(full) == MAX_AWARDS
    assert -MAX_AWARDS not in full
    assert 1 in full


def test_an_answer_of_an_earlier_version_changes_no_snapshot() -> None:
    """It did not say that it may be paid: a sealed period with it comes to the same bytes."""
    found = play("ask-review ann 1 other by=ann -> ReviewAsked 1", table(PLAYED))
    answered = e.ReviewAnswered(
        review=1, round=1, session="ann", decision="corrected", clause="house", note="so", by="sam"
    )
    state = TABLE.evolve(found.state, answered)
    assert not {"awards", "adjusted"} & set(dump(state))
    assert not {"awards", "adjusted"} & set(dump(TableState(stream="table:1")))


def test_the_money_comes_from_an_account_of_its_own() -> None:
    found = play(
        """
        adjust ann 1 50.00 so review=1 by=sam -> Proposed 1
        approve 1 by=sue                      -> ProposalApproved, CreditsAdjusted ann 50.00
        """,
        table(),
    )
    before, after = table().stream.balances, found.stream.balances
    changed = {
        name: after[name] - before.get(name, 0)
        for name in after
        if after[name] != before.get(name, 0)
    }
    assert changed == {ADJUSTMENTS: -5_000, account_of("ann"): 5_000}
    assert CAGE in after
