"""Par sheets as plain data: JSON with every number exact and in decimals, CSV, and figures for
people.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Context, Decimal
from fractions import Fraction

from puntobanco.catalog import rules_id
from puntobanco.odds.par import BetOdds, ParSheet
from puntobanco.odds.removal import Removal
from puntobanco.odds.vulnerability import Depth
from puntobanco.rules.cards import CODES, codes
from puntobanco.rules.definition import digest
from puntobanco.rules.predicates import say
from puntobanco.version import __version__

DIGITS = 12
_TWELVE = Context(prec=DIGITS)
STAKES = (1, 2, 5, 10, 25, 50, 100, 500, 1_000)
"""Stakes, in dollars, of the table for a bet with a bonus."""


def decimal(value: Fraction) -> str:
    """
    >>> decimal(Fraction(-43, 415)), decimal(Fraction(0))
    ('-0.103614457831', '0')
    """
    return format(_TWELVE.divide(Decimal(value.numerator), Decimal(value.denominator)), "f")


def number(value: Fraction) -> dict[str, str]:
    return {"exact": f"{value.numerator}/{value.denominator}", "decimal": decimal(value)}


def root(value: Fraction) -> dict[str, str]:
    """A square root, which is seldom a fraction."""
    quotient = Context(prec=2 * DIGITS).divide(Decimal(value.numerator), Decimal(value.denominator))
    return {
        "exact": f"sqrt({value.numerator}/{value.denominator})",
        "decimal": format(_TWELVE.sqrt(quotient), "f"),
    }


def percent(value: Fraction, places: int = 4) -> str:
    """
    >>> percent(Fraction(-43, 415))
    '-10.3614 %'
    """
    return f"{float(value) * 100:.{places}f} %"


def one_in(value: Fraction) -> str:
    return "never" if not value else f"1 in {float(1 / value):,.1f}"


def sheet_json(
    sheet: ParSheet, *, made: date, bets: Sequence[str] = (), stake: Fraction | None = None
) -> dict[str, object]:
    """The par sheet, made on a day; some of its bets only, where they are named."""
    shown = [odds for odds in sheet.bets if not bets or odds.bet.id in bets]
    whole = dict(zip(("cards_4", "cards_5", "cards_6"), sheet.cards, strict=True))
    results = {"player": sheet.player, "banker": sheet.banker, "tie": sheet.tie, **whole}
    return {
        "game": sheet.game.id,
        "title": sheet.game.title.en,
        "rulebook": sheet.game.rulebook,
        "rules": rules_id(sheet.game),
        "rules_digest": digest(sheet.game),
        "program": f"puntobanco {__version__}",
        "made": made.isoformat(),
        "decks": sheet.decks,
        "cards": len(sheet.shoe),
        "round": {name: number(value) for name, value in results.items()},
        "cards_per_round": number(sheet.cards_per_round),
        "bets": [bet_json(odds, stake) for odds in shown],
    }


def bet_json(odds: BetOdds, stake: Fraction | None = None) -> dict[str, object]:
    answer: dict[str, object] = {
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
        "lines": [
            {
                "clause": line.line.clause,
                "when": say(line.line.when).en,
                "pays": line.line.pays.words.en,
                "probability": number(line.probability),
                "contribution": number(line.contribution),
            }
            for line in odds.lines
        ],
        "flags": list(odds.flags),
    }
    if odds.bonus:
        answer["tie_bonus" if odds.bet.id == "tie" else "bonus"] = {
            "lines": [
                {
                    "clause": b.line.clause,
                    "when": say(b.line.when).en,
                    "pays": b.line.pays.words.en,
                    "probability": number(b.probability),
                }
                for b in odds.bonus
            ],
            "expected_dollars": number(odds.bonus_dollars),
            "break_even_stake": number(odds.break_even_stake)
            if odds.break_even_stake is not None
            else None,
            "by_stake": [at_stake(odds, Fraction(n)) for n in STAKES],
        }
        if stake is not None:
            answer["at_stake"] = at_stake(odds, stake)
    return answer


def at_stake(odds: BetOdds, stake: Fraction) -> dict[str, object]:
    """A bet with its bonus, for each dollar of this stake."""
    ev, variance = odds.ev_at(stake), odds.variance_at(stake)
    return {
        "stake": number(stake),
        "ev": number(ev),
        "edge": number(-ev),
        "variance": number(variance),
    }


def sheet_csv(sheet: ParSheet, *, made: date, bets: Sequence[str] = ()) -> str:
    """A row for each line of each bet, the bet's own figures repeated."""
    header = (
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
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(header)
    for odds in sheet.bets:
        if bets and odds.bet.id not in bets:
            continue
        whole = (
            decimal(odds.ev),
            str(odds.ev),
            decimal(-odds.ev),
            decimal(1 + odds.ev),
            decimal(odds.variance),
            root(odds.variance)["decimal"],
            decimal(odds.hit),
            decimal(odds.push),
            "; ".join(odds.flags),
            rules_id(sheet.game),
            digest(sheet.game),
            f"puntobanco {__version__}",
            made.isoformat(),
        )
        lines = [(line, decimal(line.contribution)) for line in odds.lines] + [
            (b, "") for b in odds.bonus
        ]
        for line, contribution in lines:
            table.writerow(
                (
                    sheet.game.id,
                    sheet.decks if sheet.decks is not None else "",
                    len(sheet.shoe),
                    odds.bet.id,
                    say(line.line.when).en,
                    line.line.clause,
                    line.line.pays.words.en,
                    decimal(line.probability),
                    str(line.probability),
                    contribution,
                    *whole,
                )
            )
    return text.getvalue()


def removal_json(removals: Sequence[Removal]) -> list[dict[str, object]]:
    return [
        {
            "bet": removal.bet,
            "classes": [
                {"cards": codes(cards), "effect": number(effect)}
                for cards, effect in removal.classes
            ],
            "counts": [
                {
                    "level": count.level,
                    "correlation": round(count.correlation, 6),
                    "tags": {CODES[card]: tag for card, tag in count.tags.items()},
                }
                for count in removal.counts
            ],
        }
        for removal in removals
    ]


def vulnerability_json(depths: Sequence[Depth]) -> list[dict[str, object]]:
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
    """A row for people: bet, edge, return, standard deviation, hit rate, push rate, largest payout,
    flags.
    """
    for odds in sheet.bets:
        if not bets or odds.bet.id in bets:
            deviation = f"{float(root(odds.variance)['decimal']):.4f}"
            largest = f"{float(odds.largest_payout):g} to 1"
            yield (
                odds.bet.id,
                percent(-odds.ev),
                percent(1 + odds.ev),
                deviation,
                percent(odds.hit),
                percent(odds.push),
                largest,
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
