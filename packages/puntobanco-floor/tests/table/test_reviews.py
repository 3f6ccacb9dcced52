"""Reviews at the table: who may ask about which round, who may answer, what bounds them, and how long answers stay."""

from typing import get_args

import msgspec
import pytest

from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.definitions import TABLE
from puntobanco_floor.domain.machine import Funds
from puntobanco_floor.domain.refusals import ReviewRefused
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.reviews import (
    MAX_KEPT,
    MAX_OPEN,
    MAX_OPEN_AT_TABLE,
    MAX_OPEN_OF_DESK,
    MAX_OPEN_OF_GUESTS,
    MAX_OPEN_OF_ONE,
    citable,
)
from puntobanco_floor.domain.table.state import Review, Seat, TableState, dump
from tests.table.notation import Table, play, played

SEATED = """
open-table fortune-six                -> TableOpened
seat ann patron=p1                    -> SessionSeated
seat ben                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
buy ben 500.00                        -> CreditsBought
shoe physical                         -> ShoeStarted
"""
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
PLAYED = SEATED + ROUND


def table(script: str = PLAYED) -> Table:
    return played(script)


def asked(number: int = 1, **more: object) -> Review:
    found = Review(number=number, round=1, patron="p1", at=0, complaint="other", note="", rules="")
    return msgspec.structs.replace(found, **more)


def test_the_codes_are_those_that_have_words() -> None:
    assert get_args(e.Complaint) == tuple(e.COMPLAINTS)
    assert get_args(e.Decision) == tuple(e.DECISIONS)
    assert 5 <= len(e.COMPLAINTS) <= 7


def test_a_patron_asks_and_a_supervisor_answers_and_no_cent_moves() -> None:
    play(
        """
        ask-review ann 1 wrong-payment "I had more" by=ann  -> ReviewAsked 1 1 ann wrong-payment
        answer-review 1 upheld house "the cards lie so" by=sam -> ReviewAnswered 1 upheld [house]
        credits ann 400.00
        ask-review ann 1 other by=ann                     -> ReviewAsked 2 1 ann other
        """,
        table(),
    )


def test_a_round_that_is_played_cannot_be_asked_about_and_one_that_was_never_played_neither() -> (
    None
):
    play(
        """
        ask-review ann 2 other                -> refused not-now
        ask-review ann 0 other                -> refused not-now
        open                                  -> BetsOpened 2
        ask-review ann 2 other                -> refused not-now because "round 2 is not over"
        ask-review ann 1 other                -> ReviewAsked 1
        ask-review nobody 1 other             -> refused not-seated
        """,
        table(),
    )


def test_a_round_that_is_reopened_is_not_over() -> None:
    play(
        """
        reopen misread-card by=sam            -> Proposed 1
        approve 1 by=sue                      -> ProposalApproved, RoundReopened
        ask-review ann 1 other                -> refused not-now
        """,
        table(),
    )


def test_one_review_of_a_session_and_a_round_waits_at_a_time() -> None:
    play(
        """
        ask-review ann 1 other                -> ReviewAsked 1
        ask-review ann 1 wrong-result         -> refused review-refused because "Review 1 of round 1 waits"
        ask-review ben 1 wager-not-taken      -> ReviewAsked 2
        answer-review 1 referred house so by=sam -> ReviewAnswered 1 referred
        ask-review ann 1 wrong-result         -> ReviewAsked 3
        """,
        table(),
    )


def test_who_dealt_the_round_does_not_answer_nor_who_asked() -> None:
    play(
        """
        ask-review ann 1 other dealt_by=dora,sue ruled_by=pit -> ReviewAsked 1
        answer-review 1 upheld house so by=pit -> refused review-refused because "ruled on it"
        answer-review 1 upheld house so by=sue -> refused review-refused because "sue dealt round 1"
        answer-review 1 upheld house so by=ann -> refused review-refused
        answer-review 1 upheld house so by=p1 -> refused review-refused
        answer-review 2 upheld house so by=sam -> refused unknown-review because "nobody asked"
        answer-review 1 upheld house so by=sam -> ReviewAnswered
        answer-review 1 upheld house so by=sam -> refused unknown-review because "answered already"
        """,
        table(),
    )


def test_the_desk_asks_for_who_has_left_and_somebody_else_answers() -> None:
    play(
        """
        cash-out ann                          -> CashedOut, SessionEnded
        ask-review ann 1 other by=ann         -> refused not-seated
        ask-review ann 1 other by=sam         -> refused not-seated
        ask-review ann 1 other patron=p1 by=sam -> ReviewAsked 1 1 ann other
        answer-review 1 upheld house so by=sam -> refused review-refused because "or asked"
        answer-review 1 upheld house so by=sue -> ReviewAnswered 1 upheld
        """,
        table(),
    )


def test_the_journal_names_who_asked_at_the_desk() -> None:
    at_the_terminal, at_the_desk = table(), table()
    [own], _ = at_the_terminal.do(c.AskReview(by="ann", session="ann", round=1, complaint="other"))
    [desk], _ = at_the_desk.do(c.AskReview(by="sam", session="ann", round=1, complaint="other"))
    assert own.says().en == "ann asks for review 1 of round 1: Something else"
    assert desk.says().en == "sam asks for ann, review 1 of round 1: Something else"
    assert desk.says().zh == "sam 代 ann 要求覆核 1，第 1 局：其他"


def test_an_answer_cites_a_clause_of_the_rules_by_which_the_round_was_played() -> None:
    found = table()
    rules = f"rules='{found.state.rules}'"
    play(
        f"""
        ask-review ann 1 other {rules}        -> ReviewAsked 1
        answer-review 1 upheld 99.9 so by=sam -> refused review-refused because "no clause 99.9"
        answer-review 1 upheld 1:tie so by=sam -> refused review-refused
        answer-review 1 upheld 3.10 so by=sam -> ReviewAnswered [3.10]
        ask-review ann 1 other {rules}        -> ReviewAsked 2
        end-shoe                              -> ShoeEnded, PeriodSealed
        close-table                           -> TableClosed, PeriodSealed
        open-table super-six-plus             -> TableOpened
        answer-review 2 upheld 5.1.4 so by=sam -> refused review-refused because "rules of round 1"
        answer-review 2 upheld 3.10 so by=sam -> ReviewAnswered [3.10]
        """,
        found,
    )


def test_a_round_of_a_game_that_nobody_knows_is_answered_by_what_the_house_says() -> None:
    cited = citable(table().state, "own house")
    assert list(cited) == ["reading 31", "house"]


@pytest.mark.parametrize("note", ["two\nlines", "tab\t", "\u202ereversed", "null\0"])
def test_a_note_is_one_line_of_plain_text(note: str) -> None:
    _, answer = table().do(
        c.AskReview(by="ann", session="ann", round=1, complaint="other", note=note)
    )
    assert answer is not None
    assert answer.code == "bad-command"


def test_a_note_may_be_chinese() -> None:
    note = "我下了莊\u3000一百元，“沒有”派彩"
    events, answer = table().do(
        c.AskReview(by="ann", session="ann", round=1, complaint="other", note=note)
    )
    assert answer is not None
    assert answer.ok
    assert note in events[0].says().zh


def test_a_session_has_so_many_open_reviews() -> None:
    again = ROUND * MAX_OPEN
    found = table(PLAYED + again)
    for number in range(1, MAX_OPEN + 1):
        play(f"ask-review ann {number} other -> ReviewAsked {number}", found)
    last = MAX_OPEN + 1
    play(f'ask-review ann {last} other -> refused review-refused because "your reviews"', found)
    play("answer-review 1 upheld house so by=sam -> ReviewAnswered 1", found)
    play(f"ask-review ann {last} other -> ReviewAsked {last}", found)


def test_a_table_has_so_many_open_reviews() -> None:
    found = table()
    others = {f"T{n}:x": (asked(n, patron=f"p{n}"),) for n in range(2, MAX_OPEN_AT_TABLE + 1)}
    crowded = msgspec.structs.replace(found.state, reviews=found.state.reviews.update(others))
    command = c.AskReview(by="ann", session="ann", round=1, complaint="other")
    events = TABLE.decide(crowded, Funds(), command, found.now)
    full = TABLE.evolve(crowded, events[0])
    with pytest.raises(ReviewRefused, match="Too many reviews wait at this table"):
        TABLE.decide(
            full, Funds(), msgspec.structs.replace(command, by="ben", session="ben"), found.now
        )


def with_reviews(found: Table, reviews: dict[str, Review]) -> TableState:
    each = {session: (review,) for session, review in reviews.items()}
    return msgspec.structs.replace(found.state, reviews=found.state.reviews.update(each))


def ask_as(state: TableState, session: str, patron: str = "", by: str = "") -> None:
    seated = Seat(patron=patron or session)
    state = msgspec.structs.replace(state, sessions=state.sessions.set(session, seated))
    command = c.AskReview(by=by or session, session=session, round=1, complaint="other")
    TABLE.decide(state, Funds(), command, 10**9)


@pytest.mark.parametrize("same", ["terminal", "patron"])
def test_a_team_that_begins_session_after_session_has_no_more_reviews(same: str) -> None:
    """At one terminal, or with one card at many: others are heard, and so is the desk."""

    def other(n: int) -> tuple[str, str]:
        return (f"T1:{n}", f"T1:{n}") if same == "terminal" else (f"T{n}:x", "p-team")

    found = table()
    almost = dict[str, Review]()
    for n in range(2, MAX_OPEN_OF_ONE + 1):
        session, patron = other(n)
        almost[session] = asked(n, patron=patron)
    ask_as(with_reviews(found, almost), *other(99))
    session, patron = other(98)
    full = with_reviews(found, almost | {session: asked(MAX_OPEN_OF_ONE + 1, patron=patron)})
    with pytest.raises(ReviewRefused, match="of your reviews wait"):
        ask_as(full, *other(99))
    ask_as(full, "T500:x")
    ask_as(full, *other(99), by="sam")


def test_guests_of_a_demonstration_fill_no_desk() -> None:
    """As many as like to come: terminals and the desk are heard all the same."""
    found = table()
    guests = {f"g{n}": asked(n, patron=f"g{n}") for n in range(2, MAX_OPEN_OF_GUESTS + 1)}
    ask_as(with_reviews(found, guests), "g-one")
    full = with_reviews(found, guests | {"g-more": asked(MAX_OPEN_OF_GUESTS + 1, patron="g-more")})
    with pytest.raises(ReviewRefused, match="Too many reviews wait at this table"):
        ask_as(full, "g-one")
    ask_as(full, "T1:x")
    ask_as(full, "g-one", by="sam")


def test_terminals_that_fill_their_part_close_no_desk() -> None:
    """84 terminals with six reviews each, as after a malfunction: the desk was refused too."""
    found = table()
    last = MAX_OPEN_AT_TABLE + MAX_OPEN_OF_DESK
    reviews = {f"T{n}:x": asked(n, patron=f"T{n}:x") for n in range(1, last + 1)}
    full = with_reviews(found, dict(list(reviews.items())[:MAX_OPEN_AT_TABLE]))
    with pytest.raises(ReviewRefused, match="Too many reviews wait at this table"):
        ask_as(full, "T-new:x")
    ask_as(full, "T-new:x", by="sam")
    with pytest.raises(ReviewRefused, match="Too many reviews wait at this table"):
        ask_as(with_reviews(found, reviews), "T-new:x", by="sam")


def test_answers_are_told_while_the_session_sits_the_newest_of_them() -> None:
    found = table()
    for number in range(1, MAX_KEPT + 3):
        play(
            f"""
            ask-review ann 1 other -> ReviewAsked {number}
            answer-review {number} upheld house so by=sam -> ReviewAnswered {number}
            """,
            found,
        )
    kept = [review.number for review in found.state.reviews["ann"]]
    assert kept == list(range(3, MAX_KEPT + 3))


def test_who_leaves_takes_the_answers_along_and_what_is_open_stays_open() -> None:
    found = table()
    play(
        """
        ask-review ann 1 other                -> ReviewAsked 1
        answer-review 1 upheld house so by=sam -> ReviewAnswered
        ask-review ann 1 other                -> ReviewAsked 2
        voucher ann v1                        -> VoucherIssued, SessionEnded
        """,
        found,
    )
    assert [review.number for review in found.state.reviews["ann"]] == [2]
    play("answer-review 2 corrected house so by=sam -> ReviewAnswered 2 corrected", found)
    assert not found.state.reviews
    play("seat ann -> SessionSeated", found)
    play("ask-review ann 1 other -> ReviewAsked 3", found)


def test_a_table_where_nobody_asked_has_the_snapshot_that_it_had() -> None:
    found = table()
    assert not {"reviews", "reviewed"} & set(dump(found.state))
    play("ask-review ann 1 other -> ReviewAsked 1", found)
    assert {"reviews", "reviewed"} <= set(dump(found.state))
