"""Par sheets written out: as JSON with every number exact and in decimals, as CSV, as figures for
people, and as a document fit to hand to a test laboratory.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from decimal import Context, Decimal
from fractions import Fraction
from typing import TypeAlias

from puntobanco.base.version import __version__
from puntobanco.document import Document, Table
from puntobanco.odds.card_counting import Count, Depth, Removal, removals
from puntobanco.odds.charts import charts
from puntobanco.odds.par import BetOdds, BonusOdds, LineOdds, ParSheet, percent
from puntobanco.rules.cards import CODES, codes
from puntobanco.rules.clauses import CLAUSES
from puntobanco.rules.definition import digest
from puntobanco.rules.game import Game
from puntobanco.rules.predicates import say
from puntobanco.rules.rules_page import heading, meanings

Json: TypeAlias = dict[str, object]

DIGITS = 12
_TWELVE = Context(prec=DIGITS)
PROGRAM = f"puntobanco {__version__}"
STAKES = (1, 2, 5, 10, 25, 50, 100, 500, 1_000)
"""Stakes, in dollars, of the table for a bet with a bonus."""


def decimal(value: Fraction) -> str:
    """
    >>> decimal(Fraction(-43, 415)), decimal(Fraction(0))
    ('-0.103614457831', '0')
    """
    return format(_quotient(value, _TWELVE), "f")


def number(value: Fraction) -> dict[str, str]:
    return {"exact": f"{value.numerator}/{value.denominator}", "decimal": decimal(value)}


def root(value: Fraction) -> dict[str, str]:
    """A square root, which is seldom a fraction."""
    # twice the digits: the root of a rounded quotient would be wrong in the last one
    square = _quotient(value, Context(prec=2 * DIGITS))
    exact = f"sqrt({value.numerator}/{value.denominator})"
    return {"exact": exact, "decimal": format(_TWELVE.sqrt(square), "f")}


def _quotient(value: Fraction, context: Context) -> Decimal:
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def one_in(value: Fraction) -> str:
    if not value:
        return "never"
    return f"1 in {float(1 / value):,.1f}"


def chosen(sheet: ParSheet, bets: Sequence[str]) -> list[BetOdds]:
    """The bets that are named; all of them where none is."""
    return [odds for odds in sheet.bets if not bets or odds.bet.id in bets]


RESULTS = {
    "player": "Player wins",
    "banker": "Banker wins",
    "tie": "Tie",
    "cards_4": "4 cards",
    "cards_5": "5 cards",
    "cards_6": "6 cards",
}
"""How a round may end, by its name for programs and as people read it."""


def _results(sheet: ParSheet) -> dict[str, Fraction]:
    chances = (sheet.player, sheet.banker, sheet.tie, *sheet.cards)
    return dict(zip(RESULTS, chances, strict=True))


def sheet_json(
    sheet: ParSheet, *, made: date, bets: Sequence[str] = (), stake: Fraction | None = None
) -> Json:
    """The par sheet, made on a day; some of its bets only, where they are named."""
    game = sheet.game
    return {
        "game": game.id,
        "title": game.title.en,
        "rulebook": game.rulebook,
        "rules": game.rules_id,
        "rules_digest": digest(game),
        "program": PROGRAM,
        "made": made.isoformat(),
        "decks": sheet.decks,
        "cards": len(sheet.shoe),
        "round": {name: number(chance) for name, chance in _results(sheet).items()},
        "cards_per_round": number(sheet.cards_per_round),
        "bets": [bet_json(odds, stake) for odds in chosen(sheet, bets)],
    }


def bet_json(odds: BetOdds, stake: Fraction | None = None) -> Json:
    answer: Json = {
        "bet": odds.bet.id,
        "ev": number(odds.ev),
        "edge": number(-odds.ev),
        "return": number(1 + odds.ev),
        "variance": number(odds.variance),
        "standard_deviation": root(odds.variance),
        "hit": number(odds.hit),
        "push": number(odds.push),
        "lose": number(odds.lose),
        "largest_payout": number(odds.largest_payout),
        "lines": [line_json(line) for line in odds.lines],
        "flags": list(odds.flags),
    }
    if odds.bonus:
        even = odds.break_even_stake
        answer["tie_bonus" if odds.bet.id == "tie" else "bonus"] = {
            "lines": [line_json(line) for line in odds.bonus],
            "expected_dollars": number(odds.bonus_dollars),
            "break_even_stake": None if even is None else number(even),
            "by_stake": [at_stake(odds, Fraction(n)) for n in STAKES],
        }
        if stake is not None:
            answer["at_stake"] = at_stake(odds, stake)
    return answer


def line_json(line: LineOdds | BonusOdds) -> Json:
    rule = line.line
    answer: Json = {
        "clause": rule.clause,
        "when": say(rule.when).en,
        "pays": rule.pays.words.en,
        "probability": number(line.probability),
    }
    if isinstance(line, LineOdds):
        answer["contribution"] = number(line.contribution)
    return answer


def at_stake(odds: BetOdds, stake: Fraction) -> Json:
    """A bet with its bonus, for each dollar of this stake."""
    ev = odds.ev_at(stake)
    return {
        "stake": number(stake),
        "ev": number(ev),
        "edge": number(-ev),
        "variance": number(odds.variance_at(stake)),
    }


def sheet_csv(sheet: ParSheet, *, made: date, bets: Sequence[str] = ()) -> str:
    """A row for each line of each bet, the bet's own figures repeated."""
    game = sheet.game
    front = {
        "game": game.id,
        "decks": "" if sheet.decks is None else sheet.decks,
        "cards": len(sheet.shoe),
    }
    made_from = {
        "rules": game.rules_id,
        "rules_digest": digest(game),
        "program": PROGRAM,
        "made": made.isoformat(),
    }
    rows = list[Json]()
    for odds in chosen(sheet, bets):
        figures = _csv_figures(odds)
        for line in odds.all_lines:
            rows.append({**front, "bet": odds.bet.id, **_csv_line(line), **figures, **made_from})
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(rows[0])
    table.writerows(row.values() for row in rows)
    return text.getvalue()


def _csv_line(line: LineOdds | BonusOdds) -> Json:
    rule = line.line
    return {
        "line": say(rule.when).en,
        "clause": rule.clause,
        "pays": rule.pays.words.en,
        "probability": decimal(line.probability),
        "probability_exact": line.probability,
        "contribution": decimal(line.contribution) if isinstance(line, LineOdds) else "",
    }


def _csv_figures(odds: BetOdds) -> Json:
    return {
        "ev": decimal(odds.ev),
        "ev_exact": odds.ev,
        "edge": decimal(-odds.ev),
        "return": decimal(1 + odds.ev),
        "variance": decimal(odds.variance),
        "standard_deviation": root(odds.variance)["decimal"],
        "hit": decimal(odds.hit),
        "push": decimal(odds.push),
        "flags": "; ".join(odds.flags),
    }


def removal_json(removals: Sequence[Removal]) -> list[Json]:
    answer = list[Json]()
    for removal in removals:
        classes = [
            {"cards": codes(cards), "effect": number(effect)} for cards, effect in removal.classes
        ]
        counts = [count_json(count) for count in removal.counts]
        answer.append({"bet": removal.bet, "classes": classes, "counts": counts})
    return answer


def count_json(count: Count) -> Json:
    tags = {CODES[card]: tag for card, tag in count.tags.items()}
    return {"level": count.level, "correlation": round(count.correlation, 6), "tags": tags}


def vulnerability_json(depths: Sequence[Depth]) -> list[Json]:
    return [
        {
            "bet": d.bet,
            "dealt": number(d.dealt),
            "samples": d.samples,
            "favourable": d.favourable,
            "favourable_error": d.favourable_error,
            "win_per_100": d.per_100,
            "win_per_100_error": d.per_100_error,
            "best_ev": d.best,
        }
        for d in depths
    ]


def summary(sheet: ParSheet, bets: Sequence[str] = ()) -> Iterator[tuple[str, ...]]:
    """A row for people for each bet: the cells of `SUMMARY_COLUMNS`."""
    for odds in chosen(sheet, bets):
        deviation = float(root(odds.variance)["decimal"])
        yield (
            odds.bet.id,
            percent(-odds.ev),
            percent(1 + odds.ev),
            f"{deviation:.4f}",
            percent(odds.hit),
            percent(odds.push),
            f"{float(odds.largest_payout):g} to 1",
            "; ".join(odds.flags),
        )


SUMMARY_COLUMNS = (
    "bet",
    "house edge",
    "return",
    "std. dev.",
    "hit rate",
    "push rate",
    "largest payout",
    "flags",
)


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


def _round(sheet: ParSheet) -> Table:
    columns = ("result", "probability", "decimal", "")
    rows = [
        (RESULTS[name], percent(chance), decimal(chance), one_in(chance))
        for name, chance in _results(sheet).items()
    ]
    return Table("The round", columns, rows)


def _bets(sheet: ParSheet) -> Table:
    note = "For a stake of one; a bonus is not counted in."
    return Table("The bets", SUMMARY_COLUMNS, list(summary(sheet)), note)


def _exact_fractions(sheet: ParSheet) -> Table:
    rows = []
    for name, chance in _results(sheet).items():
        rows.append(("round", RESULTS[name], *_exact(chance)))
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
    return replace(sheet, bets=tuple(chosen(sheet, bets)))
