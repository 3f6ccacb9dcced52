"""The par sheet as a document, fit to hand to a test laboratory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction

from puntobanco.document import Document, Table
from puntobanco.odds.charts import charts
from puntobanco.odds.figures import (
    STAKES,
    SUMMARY_COLUMNS,
    decimal,
    number,
    one_in,
    percent,
    summary,
)
from puntobanco.odds.par import BetOdds, ParSheet
from puntobanco.odds.removal import removals
from puntobanco.rules.clauses import CLAUSES
from puntobanco.rules.definition import digest
from puntobanco.rules.game import Game
from puntobanco.rules.predicates import say
from puntobanco.rules.words import heading, meanings
from puntobanco.version import __version__

METHOD = (
    "Every figure is computed from the game's own definition by exact integer arithmetic "
    "over all ordered deals; "
    "decimals are rounded for display only. The same definition settles wagers at the table."
)


def document(sheet: ParSheet, *, made: date, stake: Fraction | None = None) -> Document:
    """What the report says, before it is laid out."""
    game = sheet.game
    shoe = f"{sheet.decks} fresh decks" if sheet.decks is not None else "what is left of a shoe"
    facts = [
        ("Rules", f"{game.rulebook or 'a designer’s own game'} ({heading(game).en})"),
        ("Shoe", f"{shoe}, {len(sheet.shoe)} cards of {len(game.deck)}"),
        ("Cards per round", f"{float(sheet.cards_per_round):.6f}"),
        ("Definition", digest(game)),
        ("Made", f"{made.isoformat()} by puntobanco {__version__}"),
    ]
    whole = [("Player wins", sheet.player), ("Banker wins", sheet.banker), ("Tie", sheet.tie)]
    whole += [(f"{n} cards", p) for n, p in zip((4, 5, 6), sheet.cards, strict=True)]
    tables = [
        Table(
            "The round",
            ("result", "probability", "decimal", ""),
            [(n, percent(p), decimal(p), one_in(p)) for n, p in whole],
        ),
        Table(
            "The bets",
            SUMMARY_COLUMNS,
            list(summary(sheet)),
            "For a stake of one; a bonus is not counted in.",
        ),
        *(_lines(odds, game) for odds in sheet.bets),
        *(_stakes(odds, stake) for odds in sheet.bets if odds.bonus),
    ]
    exact = [("round", name, *_exact(p)) for name, p in whole]
    for odds in sheet.bets:
        figures = [
            ("expected value", odds.ev),
            ("variance", odds.variance),
            ("hit rate", odds.hit),
            ("push rate", odds.push),
        ]
        figures += [(f"line {i}", line.probability) for i, line in enumerate(odds.lines, 1)]
        figures += [(f"bonus {i}", b.probability) for i, b in enumerate(odds.bonus, 1)]
        exact += [(odds.bet.id, name, *_exact(value)) for name, value in figures]
    fractions = Table("Exact fractions", ("of", "figure", "numerator", "denominator"), exact)
    appendix = [fractions, *_names(game), _clauses(sheet)]
    drawn = charts(sheet, removals(game, sheet.shoe))
    return Document(f"Par sheet: {game.title.en}", METHOD, facts, tables, drawn, appendix)


def _exact(value: Fraction) -> tuple[str, str]:
    numerator, _, denominator = number(value)["exact"].partition("/")
    return numerator, denominator


def _lines(odds: BetOdds, game: Game) -> Table:
    columns = ("when", "pays", "probability", "", "contribution", "clause")
    bet = odds.bet

    def row(
        when: str, pays: str, chance: Fraction, contribution: str, clause: str
    ) -> tuple[str, ...]:
        return when, pays, decimal(chance), one_in(chance), contribution, clause

    rows = [
        row(
            say(x.line.when).en,
            x.line.pays.words.en,
            x.probability,
            decimal(x.contribution),
            x.line.clause,
        )
        for x in odds.lines
    ]
    if bet.push:
        rows.append(row(say(bet.push.when).en, "push", odds.push, "0", bet.push.clause))
    rows.append(row("otherwise", "loses", odds.lose, decimal(-odds.lose), bet.clause))
    rows += [
        row(say(b.line.when).en, f"and {b.line.pays.words.en}", b.probability, "", b.line.clause)
        for b in odds.bonus
    ]
    flags = f" Flags: {'; '.join(odds.flags)}." if odds.flags else ""
    note = f"Expected value {decimal(odds.ev)}, variance {decimal(odds.variance)}.{flags}"
    return Table(f"{bet.title.en} ({game.id} {bet.id})", columns, rows, note)


def _stakes(odds: BetOdds, stake: Fraction | None) -> Table:
    stakes = sorted({Fraction(n) for n in STAKES} | ({stake} if stake else set()))
    rows = [
        (
            f"${float(s):,.2f}",
            percent(-odds.ev_at(s)),
            percent(1 + odds.ev_at(s)),
            f"{float(odds.variance_at(s)):,.2f}",
        )
        for s in stakes
    ]
    even = odds.break_even_stake
    note = f"The bonus is worth ${float(odds.bonus_dollars):.6f} a round."
    if even is not None:
        note += (
            f" Break-even stake ${float(even):.6f} (exactly {even}); a smaller stake favours "
            "the patron."
        )
    return Table(
        f"{odds.bet.title.en} by stake, bonus counted in",
        ("stake", "house edge", "return", "variance"),
        rows,
        note,
    )


def _names(game: Game) -> Iterator[Table]:
    rows = [(row.cells[0].en, row.cells[1].en, row.clause) for _, row in meanings(game)]
    if rows:
        yield Table("What the names mean", ("name", "when", "clause"), rows)


def _clauses(sheet: ParSheet) -> Table:
    game = sheet.game
    known = {**CLAUSES.get(game.rulebook, {}), **game.house_rules}
    shown = {f"bet {odds.bet.id}" for odds in sheet.bets}
    cited = {
        clause
        for clause, where in game.cited()
        if clause in known and where.partition(",")[0] in shown
    }
    rows = [(clause, known[clause]) for clause in sorted(cited, key=_numbers)]
    return Table("Clauses cited", ("clause", "in our words"), rows)


def _numbers(clause: str) -> list[tuple[int, str]]:
    return [(int(part) if part.isdigit() else 0, part) for part in clause.split(".")]


def bets_only(sheet: ParSheet, bets: Sequence[str]) -> ParSheet:
    """The sheet with some of its bets."""
    return ParSheet(
        sheet.game,
        sheet.decks,
        sheet.shoe,
        sheet.player,
        sheet.banker,
        sheet.tie,
        sheet.cards,
        tuple(odds for odds in sheet.bets if odds.bet.id in bets) if bets else sheet.bets,
    )
