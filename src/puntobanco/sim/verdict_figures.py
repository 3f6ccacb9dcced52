"""A run as JSON: what was dealt, each line's count beside what exact odds expect, the verdict."""

from __future__ import annotations

from datetime import date

from puntobanco.base.version import __version__, source_hash
from puntobanco.odds.par_report import Json
from puntobanco.rules.definition import digest
from puntobanco.rules.game import Game
from puntobanco.sim.tally import Tally
from puntobanco.sim.verdict import LEVEL, Estimate, LineVerdict, Verdict


def line_json(line: LineVerdict) -> Json:
    return {
        "clause": line.clause,
        "pays": line.pays,
        "count": line.count,
        "expected": line.expected,
        "z": line.z,
    }


def estimate_json(line: Estimate) -> Json:
    """A line without exact odds: nothing is expected, and the share has a standard error."""
    return {
        "clause": line.clause,
        "pays": line.pays,
        "count": line.count,
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
        lines = [line_json(line) for line in verdict.lines if line.bet in own]
        lines += [estimate_json(line) for line in verdict.estimates if line.bet in own]
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
        "program": f"puntobanco {__version__}",
        "source": source_hash(),
        "made": made.isoformat(),
    }
