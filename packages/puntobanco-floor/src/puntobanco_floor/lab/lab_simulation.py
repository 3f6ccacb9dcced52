"""A simulation beside the exact odds: each bet's edge, how far off it is, and that in words."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from datetime import date
from fractions import Fraction
from math import sqrt

from puntobanco.base.words import Words
from puntobanco.odds.par import BetOdds, ParSheet
from puntobanco.odds.par_report import Json, number, root
from puntobanco.rules.game import Game
from puntobanco.rules.rules_page import heading
from puntobanco.sim.run import Job, Tally, compiling, play
from puntobanco.sim.verdict import LEVEL, LineVerdict, Verdict, judge, normal_tail
from puntobanco.sim.verdict_report import run_json
from puntobanco_floor.lab.refusals import NotDealtInTime
from puntobanco_floor.lab.sheets import Figure, minus, share
from puntobanco_floor.views.game_view import hand_of
from puntobanco_proof.entry.record import Record

LEAST_ROUNDS = 100_000
MOST_ROUNDS = 50_000_000
MOST_PUBLIC_ROUNDS = 1_000_000
"""In a public lab, where strangers share the worker with everybody: one turn of it."""

CHOICES = (LEAST_ROUNDS, MOST_PUBLIC_ROUNDS, 10_000_000, MOST_ROUNDS)
TURN_ROUNDS = 1_000_000
"""Dealt in one turn of the worker, some 50 ms; then the next job has a turn."""

LIMIT_S = 30.0
"""A run that is not over by then is given up: the machine has too much else to do."""

ENGINE = "cpu"


class Bounds(Record):
    """What may be asked of the simulator here."""

    least_rounds: int
    most_rounds: int
    choices: tuple[int, ...]
    most_seed: str  # text: a browser's numbers do not hold 64 bits
    table_cut: int  # where a table's own shoes have their cut card, unless it is set


class SimulatedBet(Record):
    """A bet without any bonus. `errors`: by how many standard errors its edge is off."""

    bet: str
    title: Words
    hand: str
    simulated: Figure
    error: Figure
    exact: Figure
    difference: Figure
    errors: float
    errors_text: str
    agrees: bool | None  # not judged with a cut card
    words: Words


class SimulatedLine(Record):
    bet: str
    title: Words
    pays: Words
    clause: str
    count: str
    expected: str
    errors: float
    errors_text: str


class SimulationView(Record):
    """A run of whole fresh shoes. `seed` is text, as in `Bounds`."""

    game: str
    title: Words
    heading: Words
    rules: str
    decks: int
    cards: int
    seed: str
    asked: int
    rounds: int
    shoes: int
    cut: int | None
    seconds: float
    passed: bool | None
    tests: int
    level: str
    words: Words
    bets: tuple[SimulatedBet, ...]
    lines: tuple[SimulatedLine, ...]


class Run(Record):
    """A run as the page shows it, and as it is downloaded."""

    view: SimulationView
    file: Json


def compiled(job: Job) -> None:
    """The kernel, made by a process of its own where it is new: this one has tables to run."""
    with compiling(job):
        pass


async def dealt(job: Job, shoes: int, in_turn: Callable[..., Awaitable[Tally]]) -> Tally:
    """All shoes, so many at a time; `in_turn` runs a function in the worker."""
    until = time.monotonic() + LIMIT_S
    tally = Tally.empty(job.groups)
    rounds_each = min(job.rounds, len(job.cards) // 4)
    each = max(1, TURN_ROUNDS // rounds_each)
    while tally.shoes < shoes:
        if time.monotonic() > until:
            done = f"{tally.rounds:,} rounds were dealt in {LIMIT_S:g} s"
            raise NotDealtInTime(f"{done} and the run was not over; ask for fewer rounds")
        some = min(each, shoes - tally.shoes)
        tally += await in_turn(play, job, tally.shoes, some)
    return tally


def simulated(
    sheet: ParSheet,
    tally: Tally,
    *,
    asked: int,
    seed: int,
    cut: int | None,
    seconds: float,
    made: date,
) -> Run:
    game = sheet.game
    verdict = judge(tally, sheet)
    assert sheet.decks is not None, "the lab knows fresh shoes only"
    judged = cut is None
    level = LEVEL / len(sheet.bets)
    bets = tuple(_bet(odds, tally, judged=judged, level=level) for odds in sheet.bets)
    words = _verdict(verdict, cut)
    view = SimulationView(
        game=game.id,
        title=game.title,
        heading=heading(game),
        rules=game.rules_id,
        decks=sheet.decks,
        cards=len(sheet.shoe),
        seed=str(seed),
        asked=asked,
        rounds=tally.rounds,
        shoes=tally.shoes,
        cut=cut,
        seconds=round(seconds, 3),
        passed=verdict.passed if judged else None,
        tests=verdict.tests,
        level=f"{LEVEL:g}",
        words=words,
        bets=bets,
        lines=tuple(_line(game, line) for line in verdict.lines),
    )
    told = run_json(
        game,
        sheet.decks,
        seed,
        tally,
        verdict,
        engine=ENGINE,
        seconds=round(seconds, 3),
        cut_card=cut,
        made=made,
    )
    edges = [_edge_json(bet) for bet in bets]
    return Run(view=view, file={**told, "rules": game.rules_id, "edges": edges})


def _edge_json(bet: SimulatedBet) -> Json:
    return {
        "bet": bet.bet,
        "simulated": _plain(bet.simulated),
        "standard_error": _plain(bet.error),
        "exact": _plain(bet.exact),
        "standard_errors": bet.errors,
        "agrees": bet.agrees,
    }


def _plain(figure: Figure) -> dict[str, str]:
    return {"exact": figure.exact, "decimal": figure.decimal}


_NOT_JUDGED = Words(
    "Shown, not judged: with a cut card {} cards from the end the number of rounds depends on "
    "the cards, so that small true differences from a fresh shoe are expected.",
    "只作顯示，不作評定：切牌距尾 {} 張時，局數視乎所派的牌，因此與新牌靴有微小差異屬正常。",
)
_PASSED = Words(
    "The simulation agrees with the exact odds: nothing is further off than chance allows, at a "
    "level of {} over {} tests.",
    "模擬與精確機率相符：以 {} 的水平檢定 {} 項，沒有超出隨機範圍的差異。",
)
_FAILED = Words(
    "The simulation does not agree with the exact odds: something is further off than chance "
    "allows, at a level of {} over {} tests.",
    "模擬與精確機率不符：以 {} 的水平檢定 {} 項，有超出隨機範圍的差異。",
)
_UNJUDGED = Words("not judged", "不作評定")
_AGREES = Words("agrees: {}% of fair runs are as far off", "相符：公平模擬中有 {}% 相差至此")
_DIFFERS = Words(
    "does not agree: {}% of fair runs are as far off", "不符：公平模擬中只有 {}% 相差至此"
)
_BONUS = Words("{}, bonus", "{}，獎金")


def _verdict(verdict: Verdict, cut: int | None) -> Words:
    if cut is not None:
        return _NOT_JUDGED.format(cut)
    words = _PASSED if verdict.passed else _FAILED
    return words.format(f"{LEVEL:g}", verdict.tests)


def _bet(odds: BetOdds, tally: Tally, *, judged: bool, level: float) -> SimulatedBet:
    counts = tally.ways(odds.bet.id)
    lost = Fraction(counts[-1])
    for count, line in zip(counts, odds.lines, strict=False):
        lost -= count * line.pays
    edge = lost / tally.rounds
    exact = -odds.ev
    spread = odds.variance / tally.rounds  # of the mean, with the exact variance of one round
    errors = 0.0
    if spread:
        errors = float(edge - exact) / sqrt(spread)
    agrees = normal_tail(errors) >= level if judged else None
    words = _words(errors, agrees=agrees)
    return SimulatedBet(
        bet=odds.bet.id,
        title=odds.bet.title,
        hand=hand_of(odds.bet),
        simulated=share(edge),
        error=_error(spread),
        exact=share(exact),
        difference=_signed(edge - exact),
        errors=round(errors, 6),
        errors_text=_errors(errors),
        agrees=agrees,
        words=words,
    )


def _words(errors: float, *, agrees: bool | None) -> Words:
    """
    >>> _words(0.5, agrees=True).en, _words(4.5, agrees=None).en
    ('agrees: 62% of fair runs are as far off', 'not judged')
    >>> _words(-4.5, agrees=False).en
    'does not agree: 0.00068% of fair runs are as far off'
    """
    if agrees is None:
        return _UNJUDGED
    chance = 100 * normal_tail(errors)
    said = f"{chance:.0f}" if chance >= 10 else f"{chance:.2g}"
    return (_AGREES if agrees else _DIFFERS).format(said)


def _line(game: Game, line: LineVerdict) -> SimulatedLine:
    bet, _, bonus = line.bet.partition(" ")
    title = game.bet(bet).title
    if bonus:
        title = _BONUS.format(title)
    return SimulatedLine(
        bet=bet,
        title=title,
        pays=Words(line.pays),
        clause=line.clause,
        count=f"{line.count:,}",
        expected=f"{line.expected:,.1f}",
        errors=round(line.z, 6),
        errors_text=_errors(line.z),
    )


def _errors(value: float) -> str:
    return minus(f"{value:+.2f}")


def _signed(value: Fraction) -> Figure:
    return Figure(**number(value), text=minus(f"{float(value) * 100:+.4f}%"))


def _error(spread: Fraction) -> Figure:
    found = root(spread)
    return Figure(**found, text=f"{float(found['decimal']) * 100:.4f}%")
