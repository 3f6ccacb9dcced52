"""The par sheet as a document, fit to hand to a test laboratory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

from puntobanco.document import Document, Table
from puntobanco.odds.charts import charts
from puntobanco.odds.par import BetOdds, ParSheet
from puntobanco.odds.par_figures import (
    PROGRAM,
    STAKES,
    SUMMARY_COLUMNS,
    chosen,
    decimal,
    one_in,
    percent,
    summary,
)
from puntobanco.odds.removal import removals
from puntobanco.rules.clauses import CLAUSES
from puntobanco.rules.definition import digest
from puntobanco.rules.game import Game
from puntobanco.rules.predicates import say
from puntobanco.rules.rules_page import heading, meanings

METHOD = (
    "Every figure is computed from the game's own definition by exact integer arithmetic over "
    "all ordered deals; decimals are rounded for display only. The same definition settles "
    "wagers at the table."
)


def document(
    sheet: ParSheet, *, made: date, stake: Fraction | None = None, drawn: bool = True
) -> Document:
    """What the report says, before it is laid out; its charts need an extra."""
    game = sheet.game
    shoe = "what is left of a shoe"
    if sheet.decks is not None:
        shoe = f"{sheet.decks} fresh decks"
    facts = [
        ("Rules", f"{game.rulebook or 'a designer’s own game'} ({heading(game).en})"),
        ("Shoe", f"{shoe}, {len(sheet.shoe)} cards of {len(game.deck)}"),
        ("Cards per round", f"{float(sheet.cards_per_round):.6f}"),
        ("Definition", digest(game)),
        ("Made", f"{made.isoformat()} by {PROGRAM}"),
    ]
    tables = [_round(sheet), _bets(sheet)]
    tables += [_lines(odds, game) for odds in sheet.bets]
    tables += [_stakes(odds, stake) for odds in sheet.bets if odds.bonus]
    pictures = charts(sheet, removals(game, sheet.shoe)) if drawn else []
    appendix = [_exact_fractions(sheet), *_names(game), _clauses(sheet)]
    return Document(f"Par sheet: {game.title.en}", METHOD, facts, tables, pictures, appendix)


def _results(sheet: ParSheet) -> dict[str, Fraction]:
    four, five, six = sheet.cards
    return {
        "Player wins": sheet.player,
        "Banker wins": sheet.banker,
        "Tie": sheet.tie,
        "4 cards": four,
        "5 cards": five,
        "6 cards": six,
    }


def _round(sheet: ParSheet) -> Table:
    columns = ("result", "probability", "decimal", "")
    rows = [
        (name, percent(chance), decimal(chance), one_in(chance))
        for name, chance in _results(sheet).items()
    ]
    return Table("The round", columns, rows)


def _bets(sheet: ParSheet) -> Table:
    note = "For a stake of one; a bonus is not counted in."
    return Table("The bets", SUMMARY_COLUMNS, list(summary(sheet)), note)


def _exact_fractions(sheet: ParSheet) -> Table:
    rows = []
    for name, chance in _results(sheet).items():
        rows.append(("round", name, *_exact(chance)))
    for odds in sheet.bets:
        figures = {
            "expected value": odds.ev,
            "variance": odds.variance,
            "hit rate": odds.hit,
            "push rate": odds.push,
        }
        for i, line in enumerate(odds.lines, 1):
            figures[f"line {i}"] = line.probability
        for i, bonus in enumerate(odds.bonus, 1):
            figures[f"bonus {i}"] = bonus.probability
        for name, value in figures.items():
            rows.append((odds.bet.id, name, *_exact(value)))
    return Table("Exact fractions", ("of", "figure", "numerator", "denominator"), rows)


def _exact(value: Fraction) -> tuple[str, str]:
    return str(value.numerator), str(value.denominator)


def _lines(odds: BetOdds, game: Game) -> Table:
    columns = ("when", "pays", "probability", "", "contribution", "clause")
    rows = []

    def add(when: str, pays: str, chance: Fraction, contribution: str, clause: str) -> None:
        rows.append((when, pays, decimal(chance), one_in(chance), contribution, clause))

    bet = odds.bet
    for line in odds.lines:
        rule = line.line
        contribution = decimal(line.contribution)
        add(say(rule.when).en, rule.pays.words.en, line.probability, contribution, rule.clause)
    if bet.push:
        add(say(bet.push.when).en, "push", odds.push, "0", bet.push.clause)
    add("otherwise", "loses", odds.lose, decimal(-odds.lose), bet.clause)
    for bonus in odds.bonus:
        rule = bonus.line
        award = f"and {rule.pays.words.en}"
        add(say(rule.when).en, award, bonus.probability, "", rule.clause)
    note = f"Expected value {decimal(odds.ev)}, variance {decimal(odds.variance)}."
    if odds.flags:
        note += f" Flags: {'; '.join(odds.flags)}."
    return Table(f"{bet.title.en} ({game.id} {bet.id})", columns, rows, note)


def _stakes(odds: BetOdds, stake: Fraction | None) -> Table:
    stakes = {Fraction(n) for n in STAKES}
    if stake:
        stakes.add(stake)
    rows = []
    for dollars in sorted(stakes):
        ev = odds.ev_at(dollars)
        variance = f"{float(odds.variance_at(dollars)):,.2f}"
        amount = f"${float(dollars):,.2f}"
        rows.append((amount, percent(-ev), percent(1 + ev), variance))
    even = odds.break_even_stake
    note = f"The bonus is worth ${float(odds.bonus_dollars):.6f} a round."
    if even is not None:
        note += (
            f" Break-even stake ${float(even):.6f} (exactly {even}); a smaller stake favours "
            "the patron."
        )
    title = f"{odds.bet.title.en} by stake, bonus counted in"
    return Table(title, ("stake", "house edge", "return", "variance"), rows, note)


def _names(game: Game) -> Iterator[Table]:
    rows = [(row.cells[0].en, row.cells[1].en, row.clause) for _, _, row in meanings(game)]
    if rows:
        yield Table("What the names mean", ("name", "when", "clause"), rows)


def _clauses(sheet: ParSheet) -> Table:
    game = sheet.game
    known = {**CLAUSES.get(game.rulebook, {}), **game.house_rules}
    shown = {f"bet {odds.bet.id}" for odds in sheet.bets}
    cited = set()
    for clause, where in game.cited():
        if clause in known and where.partition(",")[0] in shown:
            cited.add(clause)
    rows = [(clause, known[clause]) for clause in sorted(cited, key=_numbers)]
    return Table("Clauses cited", ("clause", "in our words"), rows)


def _numbers(clause: str) -> list[tuple[int, str]]:
    """A sort key: 4.10 comes after 4.9."""
    return [(int(part) if part.isdigit() else 0, part) for part in clause.split(".")]


def bets_only(sheet: ParSheet, bets: Sequence[str]) -> ParSheet:
    """The sheet with some of its bets."""
    return replace(sheet, bets=tuple(chosen(sheet, bets)))
