"""`simulate` and `sessions`: shoes by the billion with a verdict, and patrons' sessions."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Sequence
from contextlib import nullcontext
from decimal import Decimal, InvalidOperation
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np

from puntobanco.base.progress import Advance
from puntobanco.cli import console
from puntobanco.cli.options import (
    decks_of,
    decks_option,
    dollars,
    file_option,
    game_argument,
    json_option,
    stakes_of,
    today,
)
from puntobanco.document import html, pdf
from puntobanco.odds.charts import PALETTE, picture
from puntobanco.odds.par import partial_sheet
from puntobanco.rules.game import Game
from puntobanco.rules.refusals import BadRun
from puntobanco.sim import bankrolls as evening
from puntobanco.sim import run as runs
from puntobanco.sim.rounds import shoe_figures
from puntobanco.sim.run import Tally
from puntobanco.sim.verdict import LEVEL, Estimate, LineVerdict, Verdict, judge
from puntobanco.sim.verdict_report import report as report_document
from puntobanco.sim.verdict_report import run_json

DAYS = 30
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def whole(text: str, what: str) -> int:
    """A whole number as people write large ones: 1e9, 1_000_000, 1000000."""
    refusal = BadRun(f"{what} is a whole number such as 1000000 or 1e9, not {text!r:.40}")
    try:
        value = Decimal(text.replace("_", ""))
    except InvalidOperation:
        raise refusal from None
    # finite and bounded first: 1e999999 as an integer would fill the memory
    if not value.is_finite() or abs(value) > Decimal(10) ** 30:
        raise refusal
    if value != value.to_integral_value():
        raise refusal
    return int(value)


# Simulation


@click.command
@game_argument
@decks_option
@click.option(
    "--rounds", default="1e7", show_default=True, help="At least so many; whole shoes are dealt."
)
@click.option(
    "--seed",
    default="1",
    show_default=True,
    help="The same seed gives the same counts on every engine.",
)
@click.option(
    "--engine",
    type=click.Choice(runs.ENGINES),
    help="Threads (cpu, the default), processes, dask or gpu.",
)
@click.option(
    "--workers", type=click.IntRange(1, 1024), help="Threads or processes; by default one a core."
)
@click.option(
    "--cluster", metavar="ADDRESS", help="A Dask scheduler, such as tcp://scheduler:8786."
)
@click.option("--cut-card", type=int, help="Deal as a table does; shown, not judged.")
@file_option("--checkpoint", "Save the run here and go on from it.")
@click.option(
    "--per-shoe", type=click.IntRange(1, 1_000_000), help="Look at so many shoes one by one, too."
)
@click.option("--report", "report_file", metavar="FILE", help="Write a report: .html or .pdf.")
@json_option
def simulate(
    game: Game,
    decks: int | None,
    rounds: str,
    seed: str,
    engine: runs.Engine | None,
    workers: int | None,
    cluster: str | None,
    cut_card: int | None,
    checkpoint: Path | None,
    per_shoe: int | None,
    report_file: str | None,
    as_json: bool,
) -> int:
    """Deal whole shoes and judge every line against the exact odds; a bet that has none is
    estimated, with standard errors.
    """
    if report_file and not report_file.endswith((".html", ".pdf")):
        raise click.UsageError("a report is an .html or a .pdf file")
    engine = engine or ("dask" if cluster else "cpu")
    decks = decks_of(game, decks)
    job = runs.job_for(game, decks, whole(seed, "a seed"), cut_card=cut_card)
    wanted = whole(rounds, "the number of rounds")
    shoes = runs.shoes_for(wanted, job)
    # Numba compiles in a process of its own while the exact odds are computed here
    with runs.compiling(job) if engine == "cpu" else nullcontext():
        sheet = partial_sheet(game, decks)
    start = time.perf_counter()
    expected = wanted if cut_card is not None else shoes * job.rounds
    with console.progress("rounds", expected) as advance:
        progress = _deal(game, job, shoes, engine, workers, cluster, checkpoint, advance)
    seconds = round(time.perf_counter() - start, 3)
    tally = progress.tally
    verdict = judge(tally, sheet)
    answer = run_json(
        game,
        decks,
        job.seed,
        tally,
        verdict,
        engine=engine,
        seconds=seconds,
        cut_card=cut_card,
        made=today(),
    )
    figures = list[dict[str, object]]()
    if per_shoe:
        figures = shoe_figures(game, decks, job.seed, per_shoe)
        answer["per_shoe"] = figures
    if report_file:
        laid_out = report_document(game, answer, verdict, cut_card=cut_card, made=today())
        text = html(laid_out) if report_file.endswith(".html") else pdf(laid_out)
        console.write(text, report_file)
    if as_json:
        console.echo_json(answer)
    else:
        console.heading(f"{game.title.en}, {decks} decks, seed {job.seed}")
        _show(tally, seconds, verdict, cut_card)
        if figures:
            console.line()
            _show_figures(game, figures, per_shoe)
    if not progress.complete:
        raise click.ClickException(
            f"stopped after {tally.shoes:,} of {shoes:,} shoes; the counts so far are above"
        )
    return 0 if verdict.passed or cut_card is not None else 1


def _deal(
    game: Game,
    job: runs.Job,
    shoes: int,
    engine: runs.Engine,
    workers: int | None,
    cluster: str | None,
    checkpoint: Path | None,
    advance: Advance,
) -> runs.Progress:
    workers = workers or runs.default_workers()
    deal = executor = None
    if engine == "gpu":
        from puntobanco.sim import gpu  # noqa: PLC0415

        job = gpu.job_on_gpu(game, job)
        deal = partial(gpu.play, job, shoes)
    elif engine == "processes":
        executor = partial(runs.processes, workers)
    elif engine == "dask":
        executor = partial(runs.dask, cluster, workers)
    return runs.run(
        job,
        shoes,
        deal=deal,
        executor=executor,
        workers=workers,
        checkpoint=checkpoint,
        report=lambda tally: advance(tally.rounds),
    )


def _show(tally: Tally, seconds: float, verdict: Verdict, cut_card: int | None) -> None:
    rate = tally.rounds / max(seconds, 1e-9) / 1e6
    dealt = f"{tally.shoes:,} shoes, {tally.rounds:,} rounds"
    console.line(f"{dealt} in {seconds:.2f} s, {rate:.1f} million a second")
    columns = ("bet", "pays", "count", "expected", "z", "clause")
    console.table(columns, map(_judged, verdict.lines), right=(2, 3, 4))
    if verdict.estimates:
        _show_estimates(verdict)
    if cut_card is not None:
        console.line(
            f"cut card {cut_card} from the end: the number of rounds depends on the cards, "
            "so this is not judged"
        )
        return
    outcome = console.Styled("FAILED", "bold red")
    if verdict.passed:
        outcome = console.Styled("passed", "bold green")
    console.line(outcome, f" at {LEVEL:g} over {verdict.tests} tests")


def _show_estimates(verdict: Verdict) -> None:
    """What is known of bets without exact odds."""
    console.line()
    console.line("no exact odds within bounds, so estimated and not judged:")
    columns = ("bet", "pays", "count", "share", "+/-", "clause")
    console.table(columns, map(_estimated, verdict.estimates), right=(2, 3, 4))
    console.line()
    edges = [(each.bet, f"{each.edge:.4%}", f"{each.error:.4%}") for each in verdict.edges]
    console.table(("bet", "house edge", "+/-"), edges, right=(1, 2))
    console.line("+/- is one standard error")


def _estimated(line: Estimate) -> tuple[str, ...]:
    share = f"{line.share:.4%}"
    error = f"{line.error:.4%}"
    return line.bet, line.pays, f"{line.count:,}", share, error, line.clause


def _judged(line: LineVerdict) -> tuple[str, ...]:
    count = f"{line.count:,}"
    expected = f"{line.expected:,.1f}"
    z = f"{line.z:+.3f}"
    return line.bet, line.pays, count, expected, z, line.clause


def _show_figures(game: Game, figures: Sequence[dict[str, object]], shoes: int | None) -> None:
    """Wins, pushes and losses in one shoe; ways are named as the pay table has them."""
    console.heading(f"shoe by shoe, {shoes:,} shoes")
    rows = list[tuple[str, ...]]()
    for x in figures:
        bet = f"{x['bet']}"
        way = int(f"{x['way']}")
        mean = f"{x['mean']:.3f}"
        deviation = f"{x['standard_deviation']:.3f}"
        extremes = (f"{x['least']}", f"{x['most']}")
        rows.append((bet, _name_way(game, bet, way), mean, deviation, *extremes))
    console.table(("bet", "pays", "mean", "std. dev.", "least", "most"), rows, right=(2, 3, 4, 5))


def _name_way(game: Game, name: str, way: int) -> str:
    id_, _, part = name.partition(" ")
    bet = game.bet(id_)
    lines = bet.bonus if part == "bonus" else bet.pays
    if way < len(lines):
        return lines[way].pays.words.en
    if part == "bonus":
        return "none"
    return "push" if bet.push and way == len(lines) else "loses"


# Sessions


@click.command
@game_argument
@decks_option
@click.option(
    "--bet",
    "bets",
    multiple=True,
    required=True,
    metavar="BET=AMOUNT",
    help="Base wagers; may be repeated.",
)
@click.option("--rounds", default="600", show_default=True)
@click.option("--patrons", default="100000", show_default=True)
@click.option("--bankroll", required=True, help="Dollars each patron brings.")
@click.option("--stop-loss", help="Dollars lost at which a patron leaves.")
@click.option("--goal", help="Dollars won at which a patron leaves.")
@click.option(
    "--plan",
    default="flat",
    show_default=True,
    help="flat, counter, or a .py file with a function stake(seat).",
)
@click.option("--seed", default="1", show_default=True)
@click.option("--plot", metavar="FILE", help="Write a picture of the results: .png or .svg.")
@json_option
def sessions(
    game: Game,
    decks: int | None,
    bets: Sequence[str],
    rounds: str,
    patrons: str,
    bankroll: str,
    stop_loss: str | None,
    goal: str | None,
    plan: str,
    seed: str,
    plot: str | None,
    as_json: bool,
) -> None:
    """Play patrons' sessions: a staking plan, a bankroll, limits; results, ruin and the house's
    hold.
    """
    if plot and not plot.endswith((".png", ".svg")):
        raise click.UsageError("a plot is a .png or an .svg file")
    stakes = stakes_of(game, bets)
    count = whole(patrons, "the number of patrons")
    most_rounds = whole(rounds, "the number of rounds")
    brought = dollars(bankroll, "a bankroll")
    chosen = _plan(plan)
    first = whole(seed, "a seed")
    loss = None if stop_loss is None else dollars(stop_loss, "a stop-loss")
    win = None if goal is None else dollars(goal, "a goal")
    with console.progress("patrons", count) as advance:
        result = evening.play(
            game,
            decks_of(game, decks),
            stakes,
            rounds=most_rounds,
            patrons=count,
            bankroll=brought,
            plan=chosen,
            seed=first,
            stop_loss=loss,
            goal=win,
            progress=advance,
        )
    if plot:
        _, ending = plot.rsplit(".", 1)
        console.write(picture(_histogram(result), ending), plot)
    figures = _figures(game, result)
    quantiles = dict[str, float]()
    for share in QUANTILES:
        net = float(np.quantile(result.net, share))
        quantiles[f"{share:.0%}"] = round(net, 2)
    by_day = result.hold_by_day(min(DAYS, len(result.net)))
    days = [round(hold, 8) for hold in by_day]
    if as_json:
        console.echo_json({**figures, "net_quantiles": quantiles, "hold_by_day": days})
        return
    rows = [(name.replace("_", " "), f"{value}") for name, value in figures.items()]
    console.table(("figure", "value"), rows, right=(1,))
    console.line()
    below = [(name, f"{net:,.2f}") for name, net in quantiles.items()]
    console.table(("share of patrons below", "net"), below, right=(1,))
    console.line()
    extremes = f"lowest {min(days):.4%}, highest {max(days):.4%}"
    console.line(f"hold by day, {len(days)} days: {extremes}")


def _plan(name: str) -> evening.Plan:
    if name in ("flat", "counter"):
        return evening.flat if name == "flat" else evening.counter
    path = Path(name)
    is_file = path.is_file() and path.suffix == ".py"
    spec = importlib.util.spec_from_file_location("puntobanco_plan", path) if is_file else None
    if spec is None or spec.loader is None:
        raise BadRun(
            f"there is no plan {name!r}; it is flat, counter, or a .py file with a "
            "function stake(seat)"
        )
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        stake: evening.Plan = module.stake
    except Exception as error:
        raise BadRun(f"{name}: {type(error).__name__}: {error}") from None
    return stake


def _figures(game: Game, result: evening.Sessions) -> dict[str, object]:
    patrons = len(result.net)
    deviation = float(result.net.std())
    return {
        "game": game.id,
        "patrons": patrons,
        "mean_net": _mean(result.net, 4),
        "standard_deviation": round(deviation, 4),
        "standard_error": round(deviation / patrons**0.5, 4),
        "ahead": _mean(result.net > 0, 6),
        "ruined": _mean(result.ruined, 6),
        "stopped_by_loss": _mean(result.stopped, 6),
        "reached_goal": _mean(result.won, 6),
        "rounds_with_a_wager": _mean(result.rounds, 3),
        "wagered": round(float(result.staked.sum()), 2),
        "hold": round(result.hold, 8),
    }


def _mean(values: np.ndarray[Any, Any], digits: int) -> float:
    return round(float(values.mean()), digits)


def _histogram(result: evening.Sessions) -> dict[str, object]:
    counts, edges = np.histogram(result.net, bins=60)
    values = list[dict[str, float]]()
    for patrons, (low, high) in zip(counts, pairwise(edges), strict=True):
        value = {"from": float(low), "to": float(high), "patrons": int(patrons)}
        values.append(value)
    low_edge = {"field": "from", "type": "quantitative", "bin": {"binned": True}}
    low_edge["title"] = "net, dollars"
    height = {"field": "patrons", "type": "quantitative", "title": "patrons"}
    return {
        "width": 720,
        "height": 320,
        "data": {"values": values},
        "title": "Net result of a session, dollars",
        "mark": {"type": "bar", "color": PALETTE[0]},
        "encoding": {"x": low_edge, "x2": {"field": "to"}, "y": height},
    }
