"""What staff type reaches no patron: a terminal, a display and the lobby tell the cause, in both languages."""

import re
from collections.abc import Callable

import msgspec
import pytest

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco.rules.causes import OTHER, SESSION_CAUSES, STATED, TABLE_CAUSES, Cause
from puntobanco_floor.domain.commands import stated
from puntobanco_floor.domain.refusals import CauseRefused
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.service.administration import row_of
from puntobanco_floor.views.dealer_view import next_actions
from puntobanco_floor.views.table_view import session_view, table_view
from tests.floor.test_shown import drawn
from tests.support.english import english
from tests.support.node import needs_node
from tests.table.notation import Table, played

TYPED = "Mr Smith spilt his drink"
HAN = re.compile("[\u4e00-\u9fff]")
SEATED = """
open-table fortune-six                -> TableOpened
seat ann patron=p1                    -> SessionSeated
buy ann 500.00                        -> CreditsBought
shoe physical                         -> ShoeStarted
"""


def halted(reason: str | Cause, *, closes: bool = False) -> Table:
    table = played(SEATED)
    table.do(c.HaltTable(by="sam", reason=reason, closes=closes))
    return table


def stopped(reason: str | Cause) -> Table:
    table = played(SEATED)
    table.do(c.StopSession(by="sam", session="ann", reason=reason))
    return table


def patron_reads(table: Table) -> str:
    """Everything that a terminal, a display and a lobby are sent of a table."""
    views = table_view(table.state), session_view(table.stream, "ann")
    return msgspec.json.encode(views).decode()


@pytest.mark.parametrize("code", TABLE_CAUSES)
def test_a_halted_table_tells_its_cause_in_both_languages_and_never_the_note(code: str) -> None:
    table = halted(Cause(code, (TYPED,)))
    view = table_view(table.state)
    assert view is not None
    assert view.halted == STATED[code]
    assert TYPED not in patron_reads(table)
    assert HAN.search(STATED[code].zh)


@pytest.mark.parametrize("code", SESSION_CAUSES)
def test_a_stopped_session_tells_its_cause_in_both_languages_and_never_the_note(code: str) -> None:
    table = stopped(Cause(code, (TYPED,)))
    view = session_view(table.stream, "ann")
    assert view.stopped == STATED[code]
    assert TYPED not in patron_reads(table)


@pytest.mark.parametrize("made", [halted, stopped])
def test_a_text_of_an_older_journal_is_told_in_general(
    made: Callable[[str | Cause], Table],
) -> None:
    table = made(TYPED)
    seen = patron_reads(table)
    assert TYPED not in seen
    assert STATED[OTHER].en in seen
    assert STATED[OTHER].zh in seen


@needs_node
@pytest.mark.parametrize(
    ("made", "reason", "en", "zh"),
    [
        (halted, Cause("safety", (TYPED,)), "No new round: for everybody's safety.", "為保障安全"),
        (halted, TYPED, "No new round: for another reason", "暫停開局：其他原因，請向職員查詢。"),
        (stopped, Cause("identity-checked", (TYPED,)), "No more wagers: an", "正在核對身分"),
        (stopped, TYPED, "No more wagers: for another reason", "不再接受投注：其他原因"),
    ],
)
def test_a_terminal_draws_no_word_that_staff_typed(
    made: Callable[[str | Cause], Table], reason: str | Cause, en: str, zh: str
) -> None:
    table = made(reason)
    in_english, chinese = drawn(table), drawn(table, lang="zh")
    assert en in in_english
    assert zh in chinese
    assert TYPED not in in_english + chinese
    assert en not in chinese


def test_a_wager_of_a_stopped_session_is_refused_without_what_staff_typed() -> None:
    for reason in (TYPED, Cause("identity-checked", (TYPED,))):
        table = stopped(reason)
        table.do(c.OpenBets(by="dora"))
        wager = c.PlaceWager(by="ann", session="ann", round=1, bet="banker", stake_cents=10_000)
        _, answer = table.do(wager)
        assert answer is not None
        assert not answer.ok
        assert TYPED not in f"{answer.words}"
        assert HAN.search(answer.words.zh)


@pytest.mark.parametrize("reason", [TYPED, Cause("safety", (TYPED,))])
def test_staff_read_what_was_typed(reason: str | Cause) -> None:
    table = halted(reason)
    assert TYPED in english(row_of(table.state).halted)
    assert TYPED in next_actions(table.state)[0].why.en
    _, answer = table.do(c.HaltTable(by="sue", reason=Cause("safety")))
    assert answer is not None
    assert TYPED in answer.words.en
    event = e.TableHalted(reason=reason)
    assert TYPED in event.says().en
    assert TYPED in event.says().zh
    assert TYPED in event.reported()
    assert TYPED in e.SessionStopped(session="ann", reason=reason).reported()
    assert TYPED in e.TableClosed(reason=reason).reported()


def test_staff_read_cause_and_note() -> None:
    event = e.FloorStopped(reason="", cause=Cause("safety", ("smoke in hall 2",)))
    assert event.says() == Words(
        "the floor stopped: for everybody's safety, “smoke in hall 2”",
        "全場暫停：為保障安全，「smoke in hall 2」",
    )
    assert e.FloorStopped(reason="a drill").says().en == "the floor stopped: a drill"


def test_a_table_that_closes_by_the_clock_keeps_cause_and_note() -> None:
    cause = Cause("play-ends", (TYPED,))
    table = halted(cause, closes=True)
    table.now += 60_000
    events, _ = table.do(None)
    assert e.TableClosed(reason=cause) in events


def test_no_public_event_has_a_text_of_the_staff() -> None:
    typed = {"reason", "cause", "detail", "note", "answer", "disabled"}
    for kind in e.EVENTS:
        if kind.traits.public:
            heard = set(kind.__struct_fields__) - set(kind.traits.private)
            assert not heard & typed, kind.__name__


def test_no_cause_that_staff_state_has_a_place_for_their_words() -> None:
    for words in STATED.values():
        assert "{" not in f"{words.en}{words.zh}"


def test_another_reason_needs_a_note() -> None:
    assert stated("safety", " ") == Cause("safety")
    assert stated(OTHER, " a parade ") == Cause(OTHER, ("a parade",))
    with pytest.raises(CauseRefused):
        stated(OTHER, " ")
