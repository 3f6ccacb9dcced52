"""Par sheets as plain data: JSON (every number exact and in decimals), CSV, figures for people."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Context, Decimal
from fractions import Fraction
from typing import TypeAlias

from puntobanco.base.version import __version__
from puntobanco.odds.par import BetOdds, BonusOdds, LineOdds, ParSheet
from puntobanco.odds.removal import Count, Removal
from puntobanco.odds.vulnerability import Depth
from puntobanco.rules.cards import CODES, codes
from puntobanco.rules.definition import digest
from puntobanco.rules.predicates import say

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


def percent(value: Fraction, places: int = 4) -> str:
    """
    >>> percent(Fraction(-43, 415))
    '-10.3614 %'
    """
    return f"{float(value) * 100:.{places}f} %"


def one_in(value: Fraction) -> str:
    if not value:
        return "never"
    return f"1 in {float(1 / value):,.1f}"


def chosen(sheet: ParSheet, bets: Sequence[str]) -> list[BetOdds]:
    """The bets that are named; all of them where none is."""
    return [odds for odds in sheet.bets if not bets or odds.bet.id in bets]


def sheet_json(
    sheet: ParSheet, *, made: date, bets: Sequence[str] = (), stake: Fraction | None = None
) -> Json:
    """The par sheet, made on a day; some of its bets only, where they are named."""
    four, five, six = sheet.cards
    results = {
        "player": sheet.player,
        "banker": sheet.banker,
        "tie": sheet.tie,
        "cards_4": four,
        "cards_5": five,
        "cards_6": six,
    }
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
        "round": {name: number(value) for name, value in results.items()},
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


CSV_COLUMNS = (
    "game",
    "decks",
    "cards",
    "bet",
    "line",
    "clause",
    "pays",
    "probability",
    "probability_exact",
    "contribution",
    "ev",
    "ev_exact",
    "edge",
    "return",
    "variance",
    "standard_deviation",
    "hit",
    "push",
    "flags",
    "rules",
    "rules_digest",
    "program",
    "made",
)


def sheet_csv(sheet: ParSheet, *, made: date, bets: Sequence[str] = ()) -> str:
    """A row for each line of each bet, the bet's own figures repeated."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(CSV_COLUMNS)
    decks = "" if sheet.decks is None else sheet.decks
    game = sheet.game
    made_from = (game.rules_id, digest(game), PROGRAM, made.isoformat())
    for odds in chosen(sheet, bets):
        front = (game.id, decks, len(sheet.shoe), odds.bet.id)
        figures = _bet_cells(odds)
        for line in odds.all_lines:
            table.writerow((*front, *_line_cells(line), *figures, *made_from))
    return text.getvalue()


def _line_cells(line: LineOdds | BonusOdds) -> tuple[str, ...]:
    rule = line.line
    chance = line.probability
    contribution = ""
    if isinstance(line, LineOdds):
        contribution = decimal(line.contribution)
    said = (say(rule.when).en, rule.clause, rule.pays.words.en)
    return (*said, decimal(chance), str(chance), contribution)


def _bet_cells(odds: BetOdds) -> tuple[str, ...]:
    return (
        decimal(odds.ev),
        str(odds.ev),
        decimal(-odds.ev),
        decimal(1 + odds.ev),
        decimal(odds.variance),
        root(odds.variance)["decimal"],
        decimal(odds.hit),
        decimal(odds.push),
        "; ".join(odds.flags),
    )


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
