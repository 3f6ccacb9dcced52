"""What the floor's own simulator deals, beside the exact odds: each bet's edge, how far off it is,
and in words.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from datetime import date
from fractions import Fraction
from math import sqrt

from puntobanco.catalog import rules_id
from puntobanco.events import Record
from puntobanco.lab.sheets import Figure, share
from puntobanco.odds.figures import number, root
from puntobanco.odds.par import BetOdds, ParSheet
from puntobanco.paytable import hand_of
from puntobanco.rules.game import Game
from puntobanco.rules.refusals import Refusal
from puntobanco.rules.words import heading
from puntobanco.sim.figures import run_json
from puntobanco.sim.run import Job, compiling, play
from puntobanco.sim.tally import Tally
from puntobanco.sim.verdict import LEVEL, LineVerdict, Verdict, judge, normal_tail

LEAST_ROUNDS, MOST_ROUNDS = 100_000, 50_000_000
MOST_PUBLIC_ROUNDS = 1_000_000
"""In a public lab: strangers share the one thread with everybody, so that a run of theirs is one
turn of it.
"""

CHOICES = (LEAST_ROUNDS, MOST_PUBLIC_ROUNDS, 10_000_000, MOST_ROUNDS)
TURN_ROUNDS = 1_000_000
"""Dealt in one turn of the lab's thread, some 50 ms; then whoever else waits has a turn."""

LIMIT_S = 30.0
"""A run that is not over by then is given up: the machine has too much else to do."""

ENGINE = "cpu"


class TooManyRounds(Refusal):
    """More rounds than this lab deals for one question."""


class NotDealtInTime(Refusal):
    """A run that took longer than the lab has for it."""


class Bounds(Record):
    """What may be asked of the simulator here."""

    least_rounds: int
    most_rounds: int
    choices: tuple[int, ...]
    most_seed: str  # text: a browser's numbers do not hold 64 bits
    table_cut: int  # where a table's own shoes have their cut card, unless it is set


class SimulatedBet(Record):
    """A bet without any bonus. `errors` is how many standard errors the simulated edge lies from
    the exact one.
    """

    bet: str
    title: str
    hand: str
    simulated: Figure
    error: Figure
    exact: Figure
    difference: Figure
    errors: float
    errors_text: str
    agrees: bool | None  # not judged with a cut card
    words: str


class SimulatedLine(Record):
    bet: str
    title: str
    pays: str
    clause: str
    count: str
    expected: str
    errors: float
    errors_text: str


class SimulationView(Record):
    """A run of whole fresh shoes. `seed` is text, as in `Bounds`."""

    game: str
    title: str
    heading: str
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
    words: str
    bets: tuple[SimulatedBet, ...]
    lines: tuple[SimulatedLine, ...]


class Run(Record):
    """A run as the page shows it, and as it is downloaded."""

    view: SimulationView
    file: dict[str, object]


def compiled(job: Job) -> None:
    """The kernel, made by a process of its own where it is new: this one has tables to run."""
    with compiling(job):
        pass


async def dealt(job: Job, shoes: int, in_turn: Callable[..., Awaitable[Tally]]) -> Tally:
    """All shoes, so many at a time; `in_turn` waits for the lab's thread and runs a function
    there.
    """
    until, tally = time.monotonic() + LIMIT_S, Tally.empty(job.groups)
    each = max(1, TURN_ROUNDS // min(job.rounds, len(job.cards) // 4))
    while tally.shoes < shoes:
        if time.monotonic() > until:
            raise NotDealtInTime(
                f"{tally.rounds:,} rounds were dealt in {LIMIT_S:g} s and the run was not "
                "over; ask for fewer rounds"
            )
        tally += await in_turn(play, job, tally.shoes, min(each, shoes - tally.shoes))
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
    game, verdict = sheet.game, judge(tally, sheet)
    assert sheet.decks is not None, "the lab knows fresh shoes only"
    bets = tuple(_bet(odds, tally, judged=cut is None, bets=len(sheet.bets)) for odds in sheet.bets)
    passed = verdict.passed if cut is None else None
    view = SimulationView(
        game=game.id,
        title=game.title.en,
        heading=heading(game).en,
        rules=rules_id(game),
        decks=sheet.decks,
        cards=len(sheet.shoe),
        seed=str(seed),
        asked=asked,
        rounds=tally.rounds,
        shoes=tally.shoes,
        cut=cut,
        seconds=round(seconds, 3),
        passed=passed,
        tests=verdict.tests,
        level=f"{LEVEL:g}",
        words=_verdict(verdict, cut),
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
    edges = [
        {
            "bet": b.bet,
            "simulated": _plain(b.simulated),
            "standard_error": _plain(b.error),
            "exact": _plain(b.exact),
            "standard_errors": b.errors,
            "agrees": b.agrees,
        }
        for b in bets
    ]
    return Run(view=view, file={**told, "rules": rules_id(game), "edges": edges})


def _plain(figure: Figure) -> dict[str, str]:
    return {"exact": figure.exact, "decimal": figure.decimal}


def _verdict(verdict: Verdict, cut: int | None) -> str:
    if cut is not None:
        return (
            f"Shown, not judged: with a cut card {cut} cards from the end the number of "
            "rounds depends on the cards, "
            "so that small true differences from a fresh shoe are expected."
        )
    level = f"at a level of {LEVEL:g} over {verdict.tests} tests"
    if verdict.passed:
        return (
            "The simulation agrees with the exact odds: nothing is further off than chance "
            f"allows, {level}."
        )
    return (
        "The simulation does not agree with the exact odds: something is further off than "
        f"chance allows, {level}."
    )


def _bet(odds: BetOdds, tally: Tally, *, judged: bool, bets: int) -> SimulatedBet:
    counts = tally.ways(odds.bet.id)
    won = sum(
        (count * line.pays for count, line in zip(counts, odds.lines, strict=False)), Fraction(0)
    )
    edge, exact = (counts[-1] - won) / tally.rounds, -odds.ev
    spread = odds.variance / tally.rounds  # of the mean, with the exact variance of one round
    errors = float(edge - exact) / sqrt(spread) if spread else 0.0
    agrees = normal_tail(errors) >= LEVEL / bets if judged else None
    return SimulatedBet(
        bet=odds.bet.id,
        title=odds.bet.title.en,
        hand=hand_of(odds.bet),
        simulated=share(edge),
        error=_error(spread),
        exact=share(exact),
        difference=_signed(edge - exact),
        errors=round(errors, 6),
        errors_text=_errors(errors),
        agrees=agrees,
        words=_words(errors, agrees=agrees),
    )


def _words(errors: float, *, agrees: bool | None) -> str:
    """
    >>> _words(0.5, agrees=True), _words(4.5, agrees=None)
    ('agrees: 62% of fair runs are as far off', 'not judged')
    >>> _words(-4.5, agrees=False)
    'does not agree: 0.00068% of fair runs are as far off'
    """
    if agrees is None:
        return "not judged"
    chance = 100 * normal_tail(errors)
    said = f"{chance:.0f}" if chance >= 10 else f"{chance:.2g}"
    return f"{'agrees' if agrees else 'does not agree'}: {said}% of fair runs are as far off"


def _line(game: Game, line: LineVerdict) -> SimulatedLine:
    bet, _, bonus = line.bet.partition(" ")
    title = game.bet(bet).title.en + (", bonus" if bonus else "")
    return SimulatedLine(
        bet=bet,
        title=title,
        pays=line.pays,
        clause=line.clause,
        count=f"{line.count:,}",
        expected=f"{line.expected:,.1f}",
        errors=round(line.z, 6),
        errors_text=_errors(line.z),
    )


def _errors(value: float) -> str:
    return f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")


def _signed(value: Fraction) -> Figure:
    text = f"{float(value) * 100:+.4f}%".replace("-", "\N{MINUS SIGN}")
    return Figure(**number(value), text=text)


def _error(spread: Fraction) -> Figure:
    found = root(spread)
    return Figure(**found, text=f"{float(found['decimal']) * 100:.4f}%")
