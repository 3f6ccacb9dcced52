"""Runs: the rules' own answers, the same counts on every engine, verdicts that catch planted faults."""

import os
import re
import signal
import threading
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from puntobanco import GAMES, PUNTO_BANCO, Game, Refusal
from puntobanco.game_files import find_game
from puntobanco.odds.par import par_sheet
from puntobanco.sim import gpu
from puntobanco.sim.cpu import module_source
from puntobanco.sim.rounds import shoe_figures
from puntobanco.sim.run import Job, Tally, dask, job_for, play, processes, run, shoes_for
from puntobanco.sim.source import groups
from puntobanco.sim.verdict import judge
from tests.sim.replay import card_byte, shoe_rounds, tallied

EXAMPLE = str(Path(__file__).parents[4] / "examples/lucky_rapid.py")


@pytest.mark.parametrize("game_id", [*GAMES, EXAMPLE])
@pytest.mark.parametrize("cut", [None, 14])
def test_the_kernel_deals_and_decides_what_the_rules_do(game_id: str, cut: int | None) -> None:
    game = find_game(game_id)
    decks, seed, shoes = game.decks[0], 99, 12
    job = job_for(game, decks, seed, cut_card=cut)
    rounds = [
        r
        for shoe in range(shoes)
        for r in shoe_rounds(game, decks, seed, shoe, job.rounds, job.cut)
    ]
    tally = play(job, 0, shoes)
    assert tally.rounds == len(rounds)
    for name, counts in tallied(game, rounds).items():
        assert tally.ways(name) == counts, name


def test_a_shoe_depends_on_the_seed_and_its_number_alone() -> None:
    job = job_for(GAMES["six-star"], 8, 5)
    whole = play(job, 0, 40)
    parts = sum(
        (play(job, first, n) for first, n in ((25, 15), (0, 7), (7, 18))), Tally.empty(job.groups)
    )
    assert whole.same(parts)
    assert not whole.same(play(replace(job, seed=6), 0, 40))
    assert not whole.same(play(job, 40, 40))


@pytest.fixture(scope="module")
def expected() -> tuple[Job, int, Tally]:
    job = job_for(GAMES["six-star"], 8, 7)
    shoes = shoes_for(300_000, job)
    return job, shoes, play(job, 0, shoes)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_threads_give_the_same_counts(expected: tuple[Job, int, Tally], workers: int) -> None:
    job, shoes, tally = expected
    assert run(job, shoes, workers=workers).tally.same(tally)


def test_processes_give_the_same_counts(expected: tuple[Job, int, Tally]) -> None:
    job, shoes, tally = expected
    assert run(job, shoes, executor=lambda: processes(2), workers=2).tally.same(tally)


def test_dask_gives_the_same_counts(expected: tuple[Job, int, Tally]) -> None:
    job, shoes, tally = expected
    assert run(job, shoes, executor=lambda: dask(None, 2), workers=2).tally.same(tally)


def test_a_gpu_gives_the_same_counts(expected: tuple[Job, int, Tally]) -> None:
    job, shoes, tally = expected
    game = GAMES["six-star"]
    try:
        found = sum(
            gpu.play(gpu.job_on_gpu(game, job), shoes), Tally.empty(groups(game, gpu.CELLS))
        )
    except Refusal as refusal:
        pytest.skip(str(refusal))
    assert found.same(tally)


def test_the_gpu_kernel_is_written_from_the_same_round() -> None:
    """Where there is no GPU to run it, it still must be Python, and decide by the same lines."""
    for game in GAMES.values():
        source = gpu.module_source(game, 416)
        compile(source, "gpu", "exec")
        tests = [
            line.strip()
            for line in module_source(game).splitlines()
            if re.fullmatch(r" +t\d+ = t\d+ (==|>) t?\d+", line)
        ]
        assert len(tests) >= 4
        assert all(line in source for line in tests)


class Dying(ThreadPoolExecutor):
    """A pool that loses its workers every so often."""

    deaths = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        Dying.deaths += 1
        if Dying.deaths in (3, 8):
            dead = Future[Any]()
            dead.set_exception(BrokenExecutor("killed"))
            return dead
        if Dying.deaths == 12:
            raise BrokenExecutor("killed before it began")
        return super().submit(fn, *args, **kwargs)


def test_a_pool_that_breaks_is_replaced_and_counts_stay_exact(
    expected: tuple[Job, int, Tally],
) -> None:
    job, shoes, tally = expected
    Dying.deaths = 0
    assert run(job, shoes, executor=lambda: Dying(2), workers=6).tally.same(tally)
    assert Dying.deaths > 12


def test_a_worker_killed_for_real_is_replaced(expected: tuple[Job, int, Tally]) -> None:
    job, _, _ = expected
    shoes = shoes_for(30_000_000, job)
    made = list[Any]()

    def make() -> Executor:
        made.append(processes(2))
        return made[-1]  # type: ignore[no-any-return]

    def kill() -> None:
        for _ in range(200):
            time.sleep(0.05)
            pids = list(made[0]._processes or ()) if made else []
            if pids:
                os.kill(pids[0], signal.SIGKILL)
                return

    killer = threading.Thread(target=kill)
    killer.start()
    progress = run(job, shoes, executor=make, workers=2)
    killer.join()
    assert len(made) >= 2
    assert progress.tally.same(run(job, shoes, workers=2).tally)


def test_a_pool_that_always_breaks_is_given_up(expected: tuple[Job, int, Tally]) -> None:
    class Dead(ThreadPoolExecutor):
        def submit(self, _fn: Any, /, *_args: Any, **_kwargs: Any) -> Future[Any]:
            raise BrokenExecutor("no")

    job, shoes, _ = expected
    with pytest.raises(Refusal, match="workers died"):
        run(job, shoes, executor=lambda: Dead(1))


def test_a_checkpoint_goes_on_where_it_stopped(
    expected: tuple[Job, int, Tally], tmp_path: Path
) -> None:
    job, shoes, tally = expected
    path = tmp_path / "run.json"

    seen = 0

    def interrupt(part: Tally) -> None:
        nonlocal seen
        seen += part.shoes
        if seen > shoes // 2:
            raise KeyboardInterrupt

    half = run(job, shoes, workers=2, checkpoint=path, report=interrupt)
    assert not half.complete
    assert 0 < half.tally.shoes < shoes
    whole = run(job, shoes, workers=2, checkpoint=path)
    assert whole.complete
    assert whole.tally.same(tally)
    with pytest.raises(Refusal, match="another run"):
        run(replace(job, seed=8), shoes, checkpoint=path)
    path.write_text("{}")
    with pytest.raises(Refusal, match="no checkpoint"):
        run(job, shoes, checkpoint=path)


@pytest.mark.parametrize(
    ("decks", "seed", "cut", "reason"),
    [
        (8, -1, None, "a seed is"),
        (8, 2**64, None, "a seed is"),
        (8, 1, 5, "a cut card lies"),
        (8, 1, 500, "a cut card lies"),
        (3, 1, None, "4 to 10 decks"),
    ],
)
def test_what_cannot_be_run_is_refused(decks: int, seed: int, cut: int | None, reason: str) -> None:
    with pytest.raises(Refusal, match=reason):
        job_for(GAMES["rapid"], decks, seed, cut_card=cut)


def test_shoes_are_whole_and_rounds_at_least_those_asked() -> None:
    job = job_for(GAMES["fortune-six"], 8, 1)
    assert job.rounds == (416 - 14) // 6 == 67
    assert [shoes_for(n, job) for n in (1, 67, 68, 10**12)] == [1, 1, 2, -(-(10**12) // 67)]
    for n in (0, -5, 10**16):
        with pytest.raises(Refusal, match="a run is 1 to"):
            shoes_for(n, job)


def test_joint_counts_add_up() -> None:
    job = job_for(GAMES["fortune-six"], 8, 1)
    tally = play(job, 0, 500)
    joint = tally.joint("banker", "fortune-six")
    assert joint.sum(axis=1).tolist() == tally.ways("banker")
    assert joint.sum(axis=0).tolist() == tally.ways("fortune-six")
    assert joint[0, :2].sum() == tally.ways("banker")[0], (
        "banker pays half exactly when fortune-six wins"
    )
    assert tally.joint("fortune-six", "banker").tolist() == joint.T.tolist()


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_line_of_every_game_agrees_with_the_exact_odds(game_id: str) -> None:
    game = GAMES[game_id]
    job = job_for(game, 8, 20191005)
    verdict = judge(run(job, shoes_for(20_000_000, job), workers=2).tally, par_sheet(game, 8))
    assert verdict.passed
    assert max(abs(line.z) for line in verdict.lines) < 4.5


def test_figures_shoe_by_shoe_add_up_to_the_tally() -> None:
    game = GAMES["six-star"]
    figures = shoe_figures(game, 8, 7, 500)
    tally = play(job_for(game, 8, 7), 0, 500)
    for row in figures:
        counted = tally.ways(str(row["bet"]))[int(str(row["way"]))]
        assert row["mean"] == counted / 500
    banker = next(row for row in figures if (row["bet"], row["way"]) == ("banker", 2))
    assert 25 < float(str(banker["mean"])) < 45
    assert (
        0 < int(str(banker["least"])) < float(str(banker["mean"])) < int(str(banker["most"])) <= 84
    )


def test_fair_runs_seldom_fail() -> None:
    game = GAMES["fortune-six"]
    sheet = par_sheet(game, 6)
    failed = [s for s in range(40) if not judge(play(job_for(game, 6, s), 0, 1_000), sheet).passed]
    assert len(failed) <= 1


def verdict_of(job: Job, game: Game, rounds: int = 20_000_000) -> bool:
    return judge(run(job, shoes_for(rounds, job), workers=2).tally, par_sheet(game, 8)).passed


def test_one_wrong_cell_of_the_draw_table_is_caught() -> None:
    """Banker with 3 draws against an 8, which the table forbids."""
    game = GAMES["fortune-six"]
    rows = list(PUNTO_BANCO.banker_draws)
    rows[3] = rows[3] | {8}
    wrong = replace(game, tableau=replace(game.tableau, banker_draws=tuple(rows)))
    assert not verdict_of(replace(job_for(game, 8, 3), source=module_source(wrong)), game)


def test_one_biased_card_is_caught() -> None:
    """Every two of spades is another six of spades."""
    game = GAMES["fortune-six"]
    job = job_for(game, 8, 3)
    two, six = card_byte(game, game.deck.parse("2s")), card_byte(game, game.deck.parse("6s"))
    cards = np.frombuffer(job.cards, np.uint8).copy()
    cards[cards == two] = six
    assert not verdict_of(replace(job, cards=cards.tobytes()), game)


def test_modulo_bias_is_caught() -> None:
    """Nine random bits modulo the cards left: low places come twice as often."""
    game = GAMES["fortune-six"]
    job = job_for(game, 8, 3)
    biased = job.source.replace("I(high(x, U(n0)))", "I((x >> U(55)) % U(n0))")
    assert biased != job.source
    cards = np.sort(np.frombuffer(job.cards, np.uint8))  # in order of points, as a sorted deck lies
    assert not verdict_of(replace(job, source=biased, cards=cards.tobytes()), game)
    assert verdict_of(replace(job, cards=cards.tobytes()), game), "the order alone does no harm"


def test_a_cut_card_shifts_the_three_card_six_and_a_verdict_run_does_not() -> None:
    """The effect is far below the noise of a short run; here only that shoes differ in length."""
    job = job_for(GAMES["fortune-six"], 8, 1, cut_card=14)
    tallies = [play(job, shoe, 1).rounds for shoe in range(60)]
    assert len(set(tallies)) > 3
    assert 70 < sum(tallies) / 60 < 90
