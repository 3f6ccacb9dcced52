import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco import Dollars, Odds, Refusal, format_cents, parse_cents
from puntobanco.rules.game import MAX_ODDS, step_cents
from tests.support.claims import reads


@given(st.integers(-(10**15), 10**15))
def test_amounts_round_trip(cents: int) -> None:
    assert parse_cents(format_cents(cents)) == cents


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("100", 10_000),
        ("2.5", 250),
        ("2.50", 250),
        ("0.01", 1),
        ("1.000", 100),
        (" 7 ", 700),
        (7, 700),
        ("-3", -300),
    ],
)
def test_amounts_as_people_write_them(text: object, cents: int) -> None:
    assert parse_cents(text) == cents


@pytest.mark.parametrize(
    "text",
    [
        "",
        "abc",
        "nan",
        "inf",
        "1e3",
        "1,000",
        "1_000",
        "٣",
        "0x10",
        "$5",
        ".",
        ".5",
        "5.",
        None,
        True,
        1.5,
        [],
        "--1",
        "1 0",
        "9" * 19,
    ],
)
def test_what_is_no_amount_is_refused(text: object) -> None:
    with pytest.raises(Refusal, match="not an amount of money"):
        parse_cents(text)


@reads(17)
@pytest.mark.parametrize("text", ["0.001", "1.005", "2.500001"])
def test_less_than_a_cent_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="not whole cents"):
        parse_cents(text)


@reads(17)
def test_steps_make_every_payout_whole_cents() -> None:
    assert step_cents((Odds(1, 1),)) == 1
    assert step_cents((Odds(1, 2), Odds(1, 1))) == 2
    assert step_cents((Odds(1, 2), Odds(6, 5), Odds(1, 1))) == 10
    assert step_cents((Odds(2, 4),)) == 2


@given(st.integers(1, 200), st.integers(1, 200), st.integers(1, 10**9))
def test_winnings_are_exact(win: int, risk: int, n: int) -> None:
    pays = Odds(win, risk)
    stake = n * pays.step_cents
    assert pays.winnings(stake) * risk == stake * win


def test_odds_are_said_as_the_pay_tables_say_them() -> None:
    said = [
        o.words.en
        for o in (Odds(1, 2), Odds(6, 5), Odds(8, 1), Odds(5000, 1), Odds(3, 2), Odds(4, 3))
    ]
    assert said == ["1 to 2", "1.2 to 1", "8 to 1", "5,000 to 1", "1.5 to 1", "4 to 3"]
    stake_first = [o.words.zh for o in (Odds(1, 2), Odds(6, 5), Odds(8, 1), Odds(4, 3))]
    assert stake_first == ["1 賠 0.5", "1 賠 1.2", "1 賠 8", "3 賠 4"]
    assert Dollars(30_000).words.en == "$30,000"


@pytest.mark.parametrize(
    ("win", "risk"), [(0, 1), (1, 0), (-1, 1), (MAX_ODDS + 1, 1), (1.2, 1), (True, 1)]
)
def test_bad_odds_are_refused(win: int, risk: int) -> None:
    with pytest.raises(Refusal, match="whole numbers from 1"):
        Odds(win, risk)


def test_bounds_of_odds_and_bonuses() -> None:
    assert Odds(MAX_ODDS, 1) == Odds(MAX_ODDS, 1)
    assert Dollars(1_000_000_000).cents == 100_000_000_000
    for amount in (0, -1, 1_000_000_001, 1.5):
        with pytest.raises(Refusal, match="whole dollars"):
            Dollars(amount)  # type: ignore[arg-type]
