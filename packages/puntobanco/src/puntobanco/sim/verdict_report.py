"""A run written out, as JSON and as a document: what was dealt, on what, by which code, and each
line's count beside what exact odds expect.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from datetime import date

from puntobanco.base.version import source_hash
from puntobanco.document import Document, Table
from puntobanco.odds.par_report import PROGRAM, Json
from puntobanco.rules.definition import digest
from puntobanco.rules.game import Game
from puntobanco.sim.run import Tally
from puntobanco.sim.verdict import LEVEL, Estimate, LineVerdict, Verdict


def line_json(line: LineVerdict | Estimate) -> Json:
    told: Json = {"clause": line.clause, "pays": line.pays, "count": line.count}
    if isinstance(line, LineVerdict):
        return {**told, "expected": line.expected, "z": line.z}
    # without exact odds nothing is expected, and the share has a standard error
    return {
        **told,
        "expected": None,
        "z": None,
        "share": line.share,
        "standard_error": line.error,
    }


def run_json(
    game: Game,
    decks: int,
    seed: int,
    tally: Tally,
    verdict: Verdict,
    *,
    engine: str,
    seconds: float,
    cut_card: int | None,
    made: date,
) -> Json:
    bets = []
    for bet in game.bets:
        own = (bet.id, f"{bet.id} bonus")
        counted: list[LineVerdict | Estimate] = [*verdict.lines, *verdict.estimates]
        lines = [line_json(line) for line in counted if line.bet in own]
        told: Json = {"bet": bet.id, "lines": lines, "return": verdict.returns[bet.id]}
        for each in verdict.edges:
            if each.bet == bet.id:
                told |= {"edge": each.edge, "edge_standard_error": each.error}
        bets.append(told)
    chi = [
        {"bet": c.bet, "statistic": c.statistic, "degrees": c.degrees, "p": c.p}
        for c in verdict.chi_squares
    ]
    return {
        "game": game.id,
        "decks": decks,
        "seed": seed,
        "shoes": tally.shoes,
        "rounds": tally.rounds,
        "engine": engine,
        "seconds": seconds,
        "cut_card": cut_card,
        "bets": bets,
        "chi_square": chi,
        "level": LEVEL,
        "passed": verdict.passed if cut_card is None else None,
        "rules_digest": digest(game),
        "program": PROGRAM,
        "source": source_hash(),
        "made": made.isoformat(),
    }


METHOD = (
    "Every shoe is a stream of its own, made from the seed and the shoe's number by SplitMix64, "
    "with unbiased draws. The kernel that deals and decides is generated from the game's "
    "definition. Counts are compared with the exact odds of a fresh shoe: each shoe gives the "
    "same number of rounds, so each round has those odds."
)
CUT_CARD = (
    " With a cut card the number of rounds depends on the cards, so these counts are shown and "
    "not judged."
)


def report(
    game: Game,
    run: Mapping[str, object],
    verdict: Verdict,
    *,
    cut_card: int | None,
    made: date,
) -> Document:
    facts = [
        ("Game", f"{game.title.en}, {game.rulebook or 'a designer’s own game'}"),
        ("Definition", digest(game)),
    ]
    for name in ("decks", "seed", "shoes", "rounds", "engine", "seconds"):
        facts.append((name.capitalize(), str(run[name])))
    method = METHOD
    cut = "none"
    result = "passed" if verdict.passed else "FAILED"
    passed = f"{result} at {LEVEL:g} over {verdict.tests} tests (Bonferroni)"
    if cut_card is not None:
        method += CUT_CARD
        cut = f"{cut_card} cards from the end"
        passed = "not judged"
    python = f"Python {platform.python_version()}"
    facts += [
        ("Cut card", cut),
        ("Machine", f"{platform.platform()}, {platform.machine()}, {python}"),
        ("Made", made.isoformat()),
        ("Program", f"{PROGRAM}, source {source_hash()}"),
        ("Verdict", passed),
    ]
    tables = list(_tables(verdict))
    return Document(f"Simulation: {game.title.en}", method, facts, tables, [], [])


def _tables(verdict: Verdict) -> Iterator[Table]:
    lines = [
        (x.bet, x.pays, f"{x.count:,}", f"{x.expected:,.1f}", f"{x.z:+.3f}", x.clause)
        for x in verdict.lines
    ]
    yield Table("Every line", ("bet", "pays", "count", "expected", "z", "clause"), lines)
    chis = [
        (c.bet, f"{c.statistic:.3f}", str(c.degrees), f"{c.p:.4f}") for c in verdict.chi_squares
    ]
    yield Table("Every bet", ("bet", "chi-square", "degrees", "p"), chis)
    returns = [(bet, f"{value:.8f}") for bet, value in verdict.returns.items()]
    note = "Of each dollar wagered; a bonus is not counted in."
    yield Table("Return to patrons", ("bet", "return"), returns, note)
    if verdict.estimates:
        columns = ("bet", "pays", "count", "share", "standard error", "clause")
        estimates = [
            (x.bet, x.pays, f"{x.count:,}", f"{x.share:.8f}", f"{x.error:.8f}", x.clause)
            for x in verdict.estimates
        ]
        note = "These bets have no exact odds within bounds: they are estimated, and not judged."
        yield Table("Lines without exact odds", columns, estimates, note)
        edges = [(x.bet, f"{x.edge:.8f}", f"{x.error:.8f}") for x in verdict.edges]
        yield Table("House edge, estimated", ("bet", "house edge", "standard error"), edges)
