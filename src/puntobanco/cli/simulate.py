"""`simulate` and `sessions`: shoes by the billion with a verdict, and what patrons' sessions come
to.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path

import click
import numpy as np

from puntobanco.cli import show
from puntobanco.cli.odds import write
from puntobanco.cli.options import (
    decks_option,
    dollars,
    echo_json,
    game_argument,
    json_option,
    today,
    wager,
)
from puntobanco.document import html, pdf
from puntobanco.odds.charts import PALETTE, picture
from puntobanco.odds.par import par_sheet
from puntobanco.rules.game import Game
from puntobanco.rules.settle import Wager, verify_wager
from puntobanco.sim import run as runs
from puntobanco.sim import sessions as evening
from puntobanco.sim.document import report as report_document
from puntobanco.sim.figures import run_json
from puntobanco.sim.shoes import shoe_figures
from puntobanco.sim.tally import Tally
from puntobanco.sim.verdict import LEVEL, Verdict, judge

DAYS = 30


def whole(text: str, what: str) -> int:
    """A whole number as people write large ones: 1e9, 1_000_000, 1000000."""
    try:
        value = Decimal(text.replace("_", ""))
        if (
            not value.is_finite()
            or value != value.to_integral_value()
            or abs(value) > Decimal(10) ** 30
        ):
            raise InvalidOperation
    except InvalidOperation:
        raise runs.BadRun(
            f"{what} is a whole number such as 1000000 or 1e9, not {text!r:.40}"
        ) from None
    return int(value)


@click.command(help="Deal whole shoes and judge every line against the exact odds.")
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
@click.option("--checkpoint", metavar="FILE", help="Save the run here and go on from it.")
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
    checkpoint: str | None,
    per_shoe: int | None,
    report_file: str | None,
    as_json: bool,
) -> int:
    if report_file and not report_file.endswith((".html", ".pdf")):
        raise click.UsageError("a report is an .html or a .pdf file")
    engine = engine or ("dask" if cluster else "cpu")
    decks = game.default_decks if decks is None else decks
    job = runs.job_for(game, decks, whole(seed, "a seed"), cut_card=cut_card)
    shoes = runs.shoes_for(whole(rounds, "the number of rounds"), job)
    saved = Path(checkpoint) if checkpoint else None
    with runs.compiling(job) if engine == "cpu" else nullcontext():
        sheet = par_sheet(game, decks)
    start = time.perf_counter()
    with show.progress(
        "rounds", shoes * job.rounds if cut_card is None else whole(rounds, "rounds")
    ) as advance:
        progress = _dealt(
            game, job, shoes, engine, workers, cluster, saved, lambda tally: advance(tally.rounds)
        )
    seconds, tally = time.perf_counter() - start, progress.tally
    verdict = judge(tally, sheet)
    answer = run_json(
        game,
        decks,
        job.seed,
        tally,
        verdict,
        engine=engine,
        seconds=round(seconds, 3),
        cut_card=cut_card,
        made=today(),
    )
    figures = shoe_figures(game, decks, job.seed, 0, per_shoe).rows() if per_shoe else []
    if per_shoe:
        answer["per_shoe"] = figures
    if report_file:
        laid_out = report_document(game, answer, verdict, cut_card=cut_card, made=today())
        write(html(laid_out) if report_file.endswith(".html") else pdf(laid_out), report_file)
    if as_json:
        echo_json(answer)
    else:
        _show(game, answer, verdict, cut_card)
        if figures:
            show.line()
            _show_figures(game, figures, per_shoe)
    if not progress.complete:
        raise click.ClickException(
            f"stopped after {tally.shoes:,} of {shoes:,} shoes; the counts so far are above"
        )
    return 0 if verdict.passed or cut_card is not None else 1


def _dealt(
    game: Game,
    job: runs.Job,
    shoes: int,
    engine: runs.Engine,
    workers: int | None,
    cluster: str | None,
    checkpoint: Path | None,
    report: Callable[[Tally], object],
) -> runs.Progress:
    workers = workers or runs.default_workers()
    if engine == "gpu":
        from puntobanco.sim import gpu  # noqa: PLC0415

        own = gpu.job_on_gpu(game, job)
        return runs.run(
            own,
            shoes,
            deal=lambda first: gpu.play(own, shoes, first),
            checkpoint=checkpoint,
            report=report,
        )
    makers: dict[str, Callable[[], Executor]] = {
        "processes": lambda: runs.processes(workers),
        "dask": lambda: runs.dask(cluster, workers),
    }
    return runs.run(
        job,
        shoes,
        executor=makers.get(engine),
        workers=workers,
        checkpoint=checkpoint,
        report=report,
    )


def _show(game: Game, answer: dict[str, object], verdict: Verdict, cut_card: int | None) -> None:
    rounds, seconds = int(str(answer["rounds"])), float(str(answer["seconds"]))
    show.heading(f"{game.title.en}, {answer['decks']} decks, seed {answer['seed']}")
    rate = f"{rounds / max(seconds, 1e-9) / 1e6:.1f} million a second"
    show.line(f"{answer['shoes']:,} shoes, {rounds:,} rounds in {seconds:.2f} s, {rate}")
    rows = [
        (x.bet, x.pays, f"{x.count:,}", f"{x.expected:,.1f}", f"{x.z:+.3f}", x.clause)
        for x in verdict.lines
    ]
    show.table(("bet", "pays", "count", "expected", "z", "clause"), rows, right=(2, 3, 4))
    if cut_card is not None:
        show.line(
            f"cut card {cut_card} from the end: the number of rounds depends on the cards, "
            "so this is not judged"
        )
        return
    text, style = ("passed", "bold green") if verdict.passed else ("FAILED", "bold red")
    show.line(show.Styled(text, style), f" at {LEVEL:g} over {verdict.tests} tests")


def _show_figures(game: Game, figures: Sequence[dict[str, object]], shoes: int | None) -> None:
    """Wins, pushes and losses in one shoe; ways are named as the pay table has them."""
    show.heading(f"shoe by shoe, {shoes:,} shoes")
    rows = [
        (
            f"{x['bet']}",
            _way(game, f"{x['bet']}", int(f"{x['way']}")),
            f"{x['mean']:.3f}",
            f"{x['standard_deviation']:.3f}",
            f"{x['least']}",
            f"{x['most']}",
        )
        for x in figures
    ]
    show.table(("bet", "pays", "mean", "std. dev.", "least", "most"), rows, right=(2, 3, 4, 5))


def _way(game: Game, name: str, way: int) -> str:
    bet = game.bet(name.partition(" ")[0])
    if name.endswith(" bonus"):
        return bet.bonus[way].pays.words.en if way < len(bet.bonus) else "none"
    if way < len(bet.pays):
        return bet.pays[way].pays.words.en
    return "push" if bet.push and way == len(bet.pays) else "loses"


@click.command(
    help="Play patrons' sessions: a staking plan, a bankroll, limits; results, ruin and the "
    "house's hold."
)
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
    if plot and not plot.endswith((".png", ".svg")):
        raise click.UsageError("a plot is a .png or an .svg file")
    stakes = dict[str, Fraction]()
    for text in bets:
        bet, cents = wager(text)
        verify_wager(game, Wager("patron", bet, cents))
        stakes[bet] = stakes.get(bet, Fraction(0)) + Fraction(cents, 100)
    count = whole(patrons, "the number of patrons")
    with show.progress("patrons", count) as advance:
        result = evening.play(
            game,
            game.default_decks if decks is None else decks,
            stakes,
            rounds=whole(rounds, "the number of rounds"),
            patrons=count,
            bankroll=dollars(bankroll, "a bankroll"),
            plan=_plan(plan),
            seed=whole(seed, "a seed"),
            stop_loss=None if stop_loss is None else dollars(stop_loss, "a stop-loss"),
            goal=None if goal is None else dollars(goal, "a goal"),
            progress=advance,
        )
    answer = _summary(game, result)
    if plot:
        write(picture(_histogram(result), plot.rsplit(".", 1)[1]), plot)
    if as_json:
        echo_json(answer)
        return
    quantiles = answer.pop("net_quantiles")
    assert isinstance(quantiles, dict)
    days = answer.pop("hold_by_day")
    assert isinstance(days, list)
    show.table(
        ("figure", "value"),
        [(name.replace("_", " "), f"{value}") for name, value in answer.items()],
        right=(1,),
    )
    show.line()
    show.table(
        ("share of patrons below", "net"),
        [(name, f"{value:,.2f}") for name, value in quantiles.items()],
        right=(1,),
    )
    show.line()
    show.line(f"hold by day, {len(days)} days: lowest {min(days):.4%}, highest {max(days):.4%}")


def _plan(name: str) -> evening.Plan:
    if name in ("flat", "counter"):
        return evening.flat if name == "flat" else evening.counter
    path = Path(name)
    is_file = path.is_file() and path.suffix == ".py"
    spec = importlib.util.spec_from_file_location("puntobanco_plan", path) if is_file else None
    if spec is None or spec.loader is None:
        raise runs.BadRun(
            f"there is no plan {name!r}; it is flat, counter, or a .py file with a "
            "function stake(seat)"
        )
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        stake: evening.Plan = module.stake
    except Exception as error:
        raise runs.BadRun(f"{name}: {type(error).__name__}: {error}") from None
    return stake


def _summary(game: Game, result: evening.Sessions) -> dict[str, object]:
    n = len(result.net)
    points = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
    return {
        "game": game.id,
        "patrons": n,
        "mean_net": round(float(result.net.mean()), 4),
        "standard_deviation": round(float(result.net.std()), 4),
        "standard_error": round(float(result.net.std()) / n**0.5, 4),
        "ahead": round(float((result.net > 0).mean()), 6),
        "ruined": round(float(result.ruined.mean()), 6),
        "stopped_by_loss": round(float(result.stopped.mean()), 6),
        "reached_goal": round(float(result.won.mean()), 6),
        "rounds_with_a_wager": round(float(result.rounds.mean()), 3),
        "wagered": round(float(result.staked.sum()), 2),
        "hold": round(result.hold, 8),
        "net_quantiles": {f"{p:.0%}": round(float(np.quantile(result.net, p)), 2) for p in points},
        "hold_by_day": [round(h, 8) for h in result.hold_by_day(min(DAYS, n))],
    }


def _histogram(result: evening.Sessions) -> dict[str, object]:
    counts, edges = np.histogram(result.net, bins=60)
    bins = zip(counts, edges, edges[1:], strict=False)
    values = [{"from": float(a), "to": float(b), "patrons": int(n)} for n, a, b in bins]
    return {
        "width": 720,
        "height": 320,
        "data": {"values": values},
        "title": "Net result of a session, dollars",
        "mark": {"type": "bar", "color": PALETTE[0]},
        "encoding": {
            "x": {
                "field": "from",
                "type": "quantitative",
                "bin": {"binned": True},
                "title": "net, dollars",
            },
            "x2": {"field": "to"},
            "y": {"field": "patrons", "type": "quantitative", "title": "patrons"},
        },
    }
