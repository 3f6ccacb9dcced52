"""The simulation report: what was dealt, on what, by which code, and the verdict line by line."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from datetime import date

from puntobanco.document import Document, Table
from puntobanco.rules.definition import digest
from puntobanco.rules.game import Game
from puntobanco.sim.verdict import LEVEL, Verdict
from puntobanco.version import __version__, source_hash

METHOD = (
    "Every shoe is a stream of its own, made from the seed and the shoe's number by "
    "SplitMix64, with unbiased draws. "
    "The kernel that deals and decides is generated from the game's definition. Counts are "
    "compared with the exact "
    "odds of a fresh shoe: each shoe gives the same number of rounds, so each round has those odds."
)
CUT_CARD = (
    " With a cut card the number of rounds depends on the cards, so these counts are shown and "
    "not judged."
)


def this_machine() -> str:
    return f"{platform.platform()}, {platform.machine()}, Python {platform.python_version()}"


def report(
    game: Game,
    run: Mapping[str, object],
    verdict: Verdict,
    *,
    cut_card: int | None,
    made: date,
    machine: str | None = None,
) -> Document:
    """The report of a run, made on a day; `machine` says where it was dealt, if not here."""
    judged = cut_card is None
    passed = (
        f"{'passed' if verdict.passed else 'FAILED'} at {LEVEL:g} over {verdict.tests} tests "
        "(Bonferroni)"
    )
    facts = [
        ("Game", f"{game.title.en}, {game.rulebook or 'a designer’s own game'}"),
        ("Definition", digest(game)),
        *(
            (name.capitalize(), str(run[name]))
            for name in ("decks", "seed", "shoes", "rounds", "engine", "seconds")
        ),
        ("Cut card", "none" if cut_card is None else f"{cut_card} cards from the end"),
        ("Machine", machine or this_machine()),
        ("Made", made.isoformat()),
        ("Program", f"puntobanco {__version__}, source {source_hash()}"),
        ("Verdict", passed if judged else "not judged"),
    ]
    lines = [
        (x.bet, x.pays, f"{x.count:,}", f"{x.expected:,.1f}", f"{x.z:+.3f}", x.clause)
        for x in verdict.lines
    ]
    chis = [
        (c.bet, f"{c.statistic:.3f}", str(c.degrees), f"{c.p:.4f}") for c in verdict.chi_squares
    ]
    returns = [(bet, f"{value:.8f}") for bet, value in verdict.returns.items()]
    tables = [
        Table("Every line", ("bet", "pays", "count", "expected", "z", "clause"), lines),
        Table("Every bet", ("bet", "chi-square", "degrees", "p"), chis),
        Table(
            "Return to patrons",
            ("bet", "return"),
            returns,
            "Of each dollar wagered; a bonus is not counted in.",
        ),
    ]
    return Document(
        f"Simulation: {game.title.en}", METHOD + ("" if judged else CUT_CARD), facts, tables, [], []
    )
