"""Charts of a par sheet as SVG: edge by decks, what a wager comes to, effects of removal, Tie edge
by stake.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from puntobanco.document import Chart
from puntobanco.odds.par import BetOdds, ParSheet, par_sheet
from puntobanco.odds.removal import Removal
from puntobanco.rules.cards import Card, deck_of, rank_of, suit_name, suit_of
from puntobanco.rules.game import Game

Spec: TypeAlias = dict[str, Any]

PALETTE = (
    "#1f57c4",
    "#b92b25",
    "#17753f",
    "#6a7f99",
    "#c98a3a",
    "#7a3fa0",
    "#0f7f86",
    "#5a4636",
    "#a3195b",
)
_CONFIG: Spec = {
    "font": "DejaVu Sans, Verdana, sans-serif",
    "background": "#ffffff",
    "view": {"stroke": "#d7dfdb"},
    "axis": {
        "gridColor": "#e8edea",
        "labelColor": "#2b3a34",
        "titleColor": "#2b3a34",
        "labelFontSize": 11,
    },
    "legend": {"labelFontSize": 11, "titleFontSize": 11},
    "range": {"category": list(PALETTE)},
}


def draw(spec: Spec) -> str:
    """A Vega-Lite specification as SVG."""
    import vl_convert  # noqa: PLC0415 - an extra, and only where a chart is drawn

    whole = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "config": _CONFIG,
        **spec,
    }
    return str(vl_convert.vegalite_to_svg(whole))


def picture(spec: Spec, kind: str) -> str | bytes:
    """A specification as SVG text or as the bytes of a PNG."""
    if kind == "svg":
        return draw(spec)
    import vl_convert  # noqa: PLC0415

    whole = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "config": _CONFIG,
        **spec,
    }
    return bytes(vl_convert.vegalite_to_png(whole, scale=2))


def charts(sheet: ParSheet, removals: Sequence[Removal]) -> list[Chart]:
    shown = tuple(odds.bet.id for odds in sheet.bets)
    of_shown = [removal for removal in removals if removal.bet.partition(" ")[0] in shown]
    found = [edge_by_decks(sheet.game, shown), results(sheet), removal_map(sheet.game, of_shown)]
    return found + [edge_by_stake(odds) for odds in sheet.bets if odds.bonus]


def _names(game: Game) -> dict[str, str]:
    """What a chart calls each bet: its title, with the id where two bets have the same title."""
    titles = [bet.title.en for bet in game.bets]
    return {
        bet.id: bet.title.en if titles.count(bet.title.en) == 1 else f"{bet.title.en} ({bet.id})"
        for bet in game.bets
    }


@cache
def edge_by_decks(game: Game, bets: tuple[str, ...]) -> Chart:
    names = _names(game)
    order = [names[bet] for bet in bets]
    values = [
        {"decks": decks, "bet": names[odds.bet.id], "edge": float(-odds.ev) * 100}
        for decks in game.decks
        for odds in par_sheet(game, decks).bets
        if odds.bet.id in bets
    ]
    spec = {
        "width": 620,
        "height": 260,
        "data": {"values": values},
        "mark": {"type": "line", "point": {"size": 36}, "strokeWidth": 2},
        "encoding": {
            "x": {"field": "decks", "type": "ordinal", "title": "decks", "axis": {"labelAngle": 0}},
            "y": {
                "field": "edge",
                "type": "quantitative",
                "title": "house edge, %",
                "scale": {"zero": True},
            },
            "color": {"field": "bet", "type": "nominal", "sort": order, "title": None},
        },
    }
    return Chart(
        "House edge by number of decks", "Fresh shoes; a bonus is not counted in.", draw(spec)
    )


def results(sheet: ParSheet) -> Chart:
    names = _names(sheet.game)
    values, order = list[Spec](), list[str]()
    for odds in sheet.bets:
        bet = names[odds.bet.id]
        for net, chance in odds.results.items():
            name = f"{bet}  {float(net):+g}" if net else f"{bet}  push"
            order.append(name)
            values.append(
                {"name": name, "bet": bet, "chance": float(chance), "text": _share(chance)}
            )
    base = {"y": {"field": "name", "type": "nominal", "sort": order, "title": None}}
    x = {
        "field": "chance",
        "type": "quantitative",
        "scale": {"type": "log", "domain": [1e-6, 1]},
        "title": "probability",
    }
    spec = {
        "width": 520,
        "height": {"step": 17},
        "data": {"values": values},
        "layer": [
            {
                "mark": {"type": "bar", "height": 11},
                "encoding": {
                    **base,
                    "x": {**x, "axis": {"format": "~e"}},
                    "x2": {"datum": 1e-6},
                    "color": {
                        "field": "bet",
                        "type": "nominal",
                        "legend": None,
                        "sort": [names[odds.bet.id] for odds in sheet.bets],
                    },
                },
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 4, "fontSize": 10},
                "encoding": {**base, "x": x, "text": {"field": "text"}},
            },
        ],
    }
    return Chart(
        "What a stake of one comes to",
        "Probability of each net result, on a logarithmic scale.",
        draw(spec),
    )


def _share(chance: Fraction) -> str:
    return f"{float(chance) * 100:.4g} %"


def removal_map(game: Game, removals: Sequence[Removal]) -> Chart:
    """One column for each rank; a bet whose suits differ has a row for each group of suits."""
    values, order = list[Spec](), list[str]()
    for removal in removals:
        largest = max((abs(e) for e in removal.effects.values()), default=Fraction(0))
        for label, cards in _rows(game, removal) if largest else ():
            order.append(label)
            for card in cards:
                effect = removal.effects[card]
                scale = 100 if removal.bet.endswith(" bonus") else 10_000
                values.append(
                    {
                        "row": label,
                        "rank": deck_of(card).rank_codes[rank_of(card)],
                        "share": float(effect / largest),
                        "text": f"{float(effect) * scale:.2f}",
                    }
                )
    axes = {
        "x": {
            "field": "rank",
            "type": "nominal",
            "sort": list(game.deck.rank_codes),
            "title": None,
            "axis": {"labelAngle": 0, "orient": "top"},
        },
        "y": {
            "field": "row",
            "type": "nominal",
            "sort": order,
            "title": None,
            "axis": {"labelLimit": 240},
        },
    }
    color = {
        "field": "share",
        "type": "quantitative",
        "legend": None,
        "scale": {"domain": [-1, 0, 1], "range": ["#d5665e", "#ffffff", "#5f97de"]},
    }
    spec = {
        "width": {"step": 44},
        "height": {"step": 26},
        "data": {"values": values},
        "layer": [
            {"mark": {"type": "rect", "stroke": "#ffffff"}, "encoding": {**axes, "color": color}},
            {
                "mark": {"type": "text", "fontSize": 10},
                "encoding": {**axes, "text": {"field": "text"}},
            },
        ],
    }
    note = (
        "Change when one such card leaves the shoe: expected value in hundredths of a percent, "
        "a bonus in cents."
    )
    return Chart("Effects of removal", f"{note} Blue helps the patron, red the house.", draw(spec))


def _rows(game: Game, removal: Removal) -> list[tuple[str, list[Card]]]:
    """Suits that have the same effects together."""
    alike = dict[tuple[Fraction | None, ...], list[int]]()
    for suit in game.deck.suits:
        cards = [c for c in game.deck.cards if suit_of(c) == suit]
        alike.setdefault(tuple(removal.effects.get(c) for c in cards), []).append(suit)
    title = _title(game, removal.bet)
    rows = []
    for suits in alike.values():
        names = ", ".join(suit_name(s).en for s in suits)
        label = (
            title if len(alike) == 1 else f"{title}: {names if len(suits) < 3 else 'other suits'}"
        )
        rows.append((label, [c for c in removal.effects if suit_of(c) == suits[0]]))
    return rows


def _title(game: Game, name: str) -> str:
    bet, _, bonus = name.partition(" ")
    title = _names(game)[bet]
    return f"{title} bonus, cents" if bonus else title


def edge_by_stake(odds: BetOdds) -> Chart:
    """The edge of a bet with a bonus falls with a smaller stake, and turns at the break-even
    stake.
    """
    even = odds.break_even_stake
    start = max(0.5, float(even) * 0.8) if even else 1.0
    stakes = [start * (1.06**i) for i in range(130) if start * (1.06**i) <= 1_000]
    values = [
        {"stake": s, "edge": -float(odds.ev_at(Fraction(s).limit_denominator(10**6))) * 100}
        for s in stakes
    ]
    layers: list[Spec] = [
        {
            "mark": {"type": "line", "strokeWidth": 2.5, "color": PALETTE[2]},
            "data": {"values": values},
            "encoding": {
                "x": {
                    "field": "stake",
                    "type": "quantitative",
                    "scale": {"type": "log"},
                    "title": "stake, dollars",
                },
                "y": {"field": "edge", "type": "quantitative", "title": "house edge, %"},
            },
        },
        {
            "mark": {"type": "rule", "strokeDash": [4, 4], "color": "#6a7f99"},
            "data": {"values": [{"y": 0}]},
            "encoding": {"y": {"field": "y", "type": "quantitative"}},
        },
    ]
    if even is not None:
        point = {"stake": float(even), "edge": 0, "text": f"break-even ${float(even):.2f}"}
        x, y = {"field": "stake", "type": "quantitative"}, {"field": "edge", "type": "quantitative"}
        layers += [
            {
                "mark": {"type": "point", "filled": True, "size": 70, "color": PALETTE[1]},
                "data": {"values": [point]},
                "encoding": {"x": x, "y": y},
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 8, "dy": 12},
                "data": {"values": [point]},
                "encoding": {"x": x, "y": y, "text": {"field": "text"}},
            },
        ]
    spec = {"width": 620, "height": 240, "layer": layers}
    note = (
        "The bonus is a fixed sum, so a small stake gains more from it. Without it: "
        f"{-float(odds.ev) * 100:.4f} %."
    )
    return Chart(f"{odds.bet.title.en}: house edge by stake, bonus counted in", note, draw(spec))
