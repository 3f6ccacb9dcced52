from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from puntobanco import GAMES, Refusal
from puntobanco.odds.par import par_sheet
from puntobanco.sim.bankrolls import Seat, Sessions, counter, flat, play


def played(**changes: object) -> Sessions:
    settings: dict[str, object] = {
        "rounds": 60,
        "patrons": 20_000,
        "bankroll": Fraction(100_000),
    } | changes
    bets = settings.pop("bets", {"banker": Fraction(100)})
    return play(GAMES["fortune-six"], 8, bets, **settings)  # type: ignore[arg-type]


def test_flat_stakes_lose_what_the_par_sheet_says() -> None:
    result = played()
    odds = par_sheet(GAMES["fortune-six"], 8).bet("banker")
    mean, error = float(odds.ev) * 100 * 60, result.net.std() / len(result.net) ** 0.5
    assert abs(result.net.mean() - mean) < 4 * error
    assert result.net.std() == pytest.approx(100 * (60 * float(odds.variance)) ** 0.5, rel=0.03)
    assert (result.rounds == 60).all()
    assert result.hold == pytest.approx(-float(odds.ev), abs=4 * error / 6_000)


def test_several_bets_and_the_tie_bonus_count_together() -> None:
    game = GAMES["six-star"]
    result = play(
        game,
        8,
        {"tie": Fraction(5), "player": Fraction(10)},
        rounds=200,
        patrons=20_000,
        bankroll=Fraction(10**6),
    )
    sheet = par_sheet(game, 8)
    mean = 200 * float(5 * sheet.bet("tie").ev_at(Fraction(5)) + 10 * sheet.bet("player").ev)
    assert abs(result.net.mean() - mean) < 4 * result.net.std() / 20_000**0.5


def test_a_stop_loss_and_a_goal_end_a_session() -> None:
    result = played(stop_loss=Fraction(500), goal=Fraction(300))
    assert result.stopped.any()
    assert result.won.any()
    assert not (result.stopped & result.won).any()
    assert (result.net[result.stopped] <= -500).all()
    assert (result.net[result.won] >= 300).all()
    assert result.net.min() >= -600
    assert (result.rounds[result.won] <= 60).all()


def test_a_patron_without_the_next_stake_is_ruined_and_never_below_zero() -> None:
    result = played(bankroll=Fraction(300), rounds=400)
    assert 0.3 < result.ruined.mean() < 1
    assert (300 + result.net >= -1e-9).all()


def test_a_plan_of_ones_own_sees_bankroll_and_last_result() -> None:
    seen = list[Seat]()

    def martingale(seat: Seat) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        seen.append(seat)
        return np.where(seat.last < 0, 2.0, 1.0)

    result = played(plan=martingale, patrons=100, rounds=20)
    assert [s.round for s in seen] == list(range(20))
    assert result.staked.max() > 2_000
    assert (seen[0].last == 0).all()


def test_a_counter_bets_seldom_and_better_than_flat() -> None:
    bets = {"fortune-six": Fraction(10)}
    always, counting = (
        played(bets=bets, rounds=134),
        played(bets=bets, rounds=134, plan=counter, patrons=60_000),
    )
    assert counting.rounds.mean() < 40
    assert counting.hold < always.hold
    assert flat(Seat(0, np.ones(3), np.zeros(3), np.zeros(3))).tolist() == [1, 1, 1]


def test_sessions_are_reproducible_and_days_add_up() -> None:
    first, again, other = played(patrons=500), played(patrons=500), played(patrons=500, seed=2)
    assert (first.net == again.net).all()
    assert (first.net != other.net).any()
    assert len(first.hold_by_day(7)) == 7


@pytest.mark.parametrize(
    "changes",
    [{"patrons": 0}, {"rounds": 0}, {"rounds": 10**6}, {"bets": {"banker": Fraction(1, 100)}}],
)
def test_what_cannot_be_played_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(Refusal):
        played(**changes)


def test_a_block_at_a_time_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    whole = played(patrons=300)
    monkeypatch.setattr("puntobanco.sim.bankrolls.BLOCK", 10_000)
    assert (played(patrons=300).net == whole.net).all()
    assert tmp_path.exists()
