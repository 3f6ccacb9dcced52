"""Time to squeeze: set by the house for a table, the same for everybody, after the fourth card and each third card."""

import pytest

from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.table.clock import card_ms, due
from puntobanco_floor.domain.table.limits import MAX_SQUEEZE_MS, clock_faults
from puntobanco_floor.domain.table.state import dump, load
from puntobanco_floor.views.table_view import table_view
from tests.table.notation import play

THREE = """
open-table six-star betting=9sec guard=1sec card=1sec pause=5sec squeeze=8sec automatic=yes  -> TableOpened
shoe virtual                          -> ShoeStarted
open                                  -> BetsOpened
close                                 -> BetsClosed
wait 1sec                             -> CardDealt
wait 1sec                             -> CardDealt
wait 1sec                             -> CardDealt
due deal-card 1sec
"""


def test_from_the_fourth_card_on_the_table_waits_as_long_as_the_house_has_set() -> None:
    clock = e.Clock(card_ms=900, squeeze_ms=8_000)
    assert [card_ms(clock, dealt) for dealt in range(1, 7)] == [900] * 3 + [8_000] * 3
    assert card_ms(e.Clock(card_ms=900), 4) == 900
    assert card_ms(e.Clock(card_ms=900, squeeze_ms=100), 4) == 900, "never less than between cards"


def test_the_wait_is_bounded_at_the_limit_and_one_past_it() -> None:
    assert list(clock_faults(e.Clock(squeeze_ms=MAX_SQUEEZE_MS))) == []
    [(field, _)] = clock_faults(e.Clock(squeeze_ms=MAX_SQUEEZE_MS + 1))
    assert field == "squeeze_ms"
    [(field, _)] = clock_faults(e.Clock(squeeze_ms=-1))
    assert field == "squeeze_ms"


def test_everybody_sees_until_when_the_table_waits() -> None:
    table = play(THREE)
    shown = table_view(table.state)
    assert shown is not None
    assert (shown.squeeze_ms, shown.squeeze_until) == (8_000, None), "three cards lie there"
    play("wait 1sec -> CardDealt, TotalsAnnounced", table)
    shown = table_view(table.state)
    assert shown is not None
    assert shown.squeeze_until == table.now + 8_000
    owed = due(table.state)
    assert owed is not None
    assert owed.at == shown.squeeze_until, "what is shown is what the clock does"


def test_a_dealer_goes_on_when_the_dealer_likes() -> None:
    table = play("""
open-table six-star squeeze=8sec      -> TableOpened
shoe physical                         -> ShoeStarted
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9f                               -> CardDealt
card 2g                               -> CardDealt
card Tf                               -> CardDealt
card 4e                               -> CardDealt, TotalsAnnounced
due nothing
settle                                -> RoundSettled
""")
    shown = table_view(table.state)
    assert shown is not None
    assert (shown.squeeze_ms, shown.squeeze_until) == (8_000, None)


@pytest.mark.parametrize("squeeze_ms", [0, 8_000])
def test_a_snapshot_without_it_is_as_it_was_before(squeeze_ms: int) -> None:
    """What was sealed by an older program comes to the same bytes."""
    squeeze = f"squeeze={squeeze_ms}ms" if squeeze_ms else ""
    state = play(f"open-table rapid {squeeze} -> TableOpened\n").state
    plain = dump(state)
    assert ("squeeze_ms" in str(plain["clock"])) == bool(squeeze_ms)
    assert load(plain).clock.squeeze_ms == squeeze_ms


def test_the_journal_says_it() -> None:
    changed = e.ClockChanged(clock=e.Clock(squeeze_ms=8_000))
    assert "squeeze 8000" in changed.says().en
    assert "咪牌 8000" in changed.says().zh
    assert "squeeze" not in e.ClockChanged(clock=e.Clock()).says().en
