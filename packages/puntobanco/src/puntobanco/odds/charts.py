"""Charts of a par sheet as SVG, by Vega-Lite: edge by decks, what a wager comes to, effects of
removal, edge by stake.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from puntobanco.base.extras import package
from puntobanco.document import Chart
from puntobanco.odds.card_counting import Removal
from puntobanco.odds.par import BetOdds, ParSheet, par_sheet
from puntobanco.rules.cards import Card, deck_of, rank_of, suit_name
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
_AXIS = {
    "gridColor": "#e8edea",
    "labelColor": "#2b3a34",
    "titleColor": "#2b3a34",
    "labelFontSize": 11,
}
_CONFIG: Spec = {
    "font": "DejaVu Sans, Verdana, sans-serif",
    "background": "#ffffff",
    "view": {"stroke": "#d7dfdb"},
    "axis": _AXIS,
    "legend": {"labelFontSize": 11, "titleFontSize": 11},
    "range": {"category": list(PALETTE)},
}
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_RAREST_SHOWN = 1e-6


def draw(spec: Spec) -> str:
    return str(package("vl_convert").vegalite_to_svg(_whole(spec)))


def picture(spec: Spec, kind: str) -> str | bytes:
    if kind == "svg":
        return draw(spec)
    return bytes(package("vl_convert").vegalite_to_png(_whole(spec), scale=2))


def _whole(spec: Spec) -> Spec:
    return {"$schema": _SCHEMA, "config": _CONFIG, **spec}


def charts(sheet: ParSheet, removals: Sequence[Removal]) -> list[Chart]:
    shown = tuple(odds.bet.id for odds in sheet.bets)
    of_shown = [removal for removal in removals if removal.bet.partition(" ")[0] in shown]
    found = [edge_by_decks(sheet.game, shown), results(sheet), removal_map(sheet.game, of_shown)]
    return found + [edge_by_stake(odds) for odds in sheet.bets if odds.bonus]


def _names(game: Game) -> dict[str, str]:
    """What a chart calls each bet: its title, with the id where two bets have the same title."""
    titles = [bet.title.en for bet in game.bets]
    names = {}
    for bet, title in zip(game.bets, titles, strict=True):
        names[bet.id] = title if titles.count(title) == 1 else f"{title} ({bet.id})"
    return names


def _nominal(field: str, **more: object) -> Spec:
    return {"field": field, "type": "nominal", **more}


def _quantity(field: str, **more: object) -> Spec:
    return {"field": field, "type": "quantitative", **more}


@cache
def edge_by_decks(game: Game, bets: tuple[str, ...]) -> Chart:
    names = _names(game)
    values = []
    for decks in game.decks:
        for odds in par_sheet(game, decks).bets:
            if odds.bet.id in bets:
                edge = float(-odds.ev) * 100
                value = {"decks": decks, "bet": names[odds.bet.id], "edge": edge}
                values.append(value)
    level = {"labelAngle": 0}
    order = [names[bet] for bet in bets]
    encoding = {
        "x": {"field": "decks", "type": "ordinal", "title": "decks", "axis": level},
        "y": _quantity("edge", title="house edge, %", scale={"zero": True}),
        "color": _nominal("bet", sort=order, title=None),
    }
    spec = {
        "width": 620,
        "height": 260,
        "data": {"values": values},
        "mark": {"type": "line", "point": {"size": 36}, "strokeWidth": 2},
        "encoding": encoding,
    }
    note = "Fresh shoes; a bonus is not counted in."
    return Chart("House edge by number of decks", note, draw(spec))


def results(sheet: ParSheet) -> Chart:
    names = _names(sheet.game)
    values = []
    for odds in sheet.bets:
        bet = names[odds.bet.id]
        for net, chance in odds.results.items():
            amount = f"{float(net):+g}" if net else "push"
            share = float(chance)
            text = f"{share * 100:.4g} %"
            name = f"{bet}  {amount}"
            values.append({"name": name, "bet": bet, "chance": share, "text": text})
    order = [value["name"] for value in values]
    bets = [names[odds.bet.id] for odds in sheet.bets]
    y = _nominal("name", sort=order, title=None)
    logarithmic = {"type": "log", "domain": [_RAREST_SHOWN, 1]}
    x = _quantity("chance", scale=logarithmic, title="probability")
    bars = {
        "y": y,
        "x": {**x, "axis": {"format": "~e"}},
        "x2": {"datum": _RAREST_SHOWN},
        "color": _nominal("bet", legend=None, sort=bets),
    }
    labels = {"y": y, "x": x, "text": {"field": "text"}}
    text_mark = {"type": "text", "align": "left", "dx": 4, "fontSize": 10}
    layers = [
        {"mark": {"type": "bar", "height": 11}, "encoding": bars},
        {"mark": text_mark, "encoding": labels},
    ]
    spec = {"width": 520, "height": {"step": 17}, "data": {"values": values}, "layer": layers}
    note = "Probability of each net result, on a logarithmic scale."
    return Chart("What a stake of one comes to", note, draw(spec))


def removal_map(game: Game, removals: Sequence[Removal]) -> Chart:
    """One column for each rank; a bet whose suits differ has a row for each group of suits."""
    rows = []
    values = []
    for removal in removals:
        if any(removal.effects.values()):
            for label, cards in _rows(game, removal):
                rows.append(label)
                values += _cells(removal, label, cards)
    ranks = list(game.deck.rank_codes)
    axes = {
        "x": _nominal("rank", sort=ranks, title=None, axis={"labelAngle": 0, "orient": "top"}),
        "y": _nominal("row", sort=rows, title=None, axis={"labelLimit": 240}),
    }
    shades = {"domain": [-1, 0, 1], "range": ["#d5665e", "#ffffff", "#5f97de"]}
    color = _quantity("share", legend=None, scale=shades)
    cells = {"mark": {"type": "rect", "stroke": "#ffffff"}, "encoding": {**axes, "color": color}}
    text = {"field": "text"}
    labels = {"mark": {"type": "text", "fontSize": 10}, "encoding": {**axes, "text": text}}
    spec = {
        "width": {"step": 44},
        "height": {"step": 26},
        "data": {"values": values},
        "layer": [cells, labels],
    }
    note = (
        "Change when one such card leaves the shoe: expected value in hundredths of a percent, "
        "a bonus in cents. Blue helps the patron, red the house."
    )
    return Chart("Effects of removal", note, draw(spec))


def _rows(game: Game, removal: Removal) -> list[tuple[str, list[Card]]]:
    rows = []
    groups = removal.alike(game.deck)
    for suits in groups:
        label = _title(game, removal.bet)
        if len(groups) > 1:
            names = ", ".join(suit_name(suit).en for suit in suits)
            label += f": {names if len(suits) < 3 else 'other suits'}"
        rows.append((label, removal.of_suit(suits[0])))
    return rows


def _cells(removal: Removal, row: str, cards: Iterable[Card]) -> list[Spec]:
    largest = max(abs(effect) for effect in removal.effects.values())
    scale = 100 if removal.bet.endswith(" bonus") else 10_000
    cells = []
    for card in cards:
        effect = removal.effects[card]
        rank = deck_of(card).rank_codes[rank_of(card)]
        text = f"{float(effect) * scale:.2f}"
        cells.append({"row": row, "rank": rank, "share": float(effect / largest), "text": text})
    return cells


def _title(game: Game, name: str) -> str:
    bet, _, bonus = name.partition(" ")
    title = _names(game)[bet]
    return f"{title} bonus, cents" if bonus else title


def edge_by_stake(odds: BetOdds) -> Chart:
    """With a bonus, a smaller stake has a lower edge; it turns at the break-even stake."""
    even = odds.break_even_stake
    start = 1.0
    if even:
        start = max(0.5, float(even) * 0.8)
    values = []
    for step in range(130):
        stake = start * 1.06**step
        if stake <= 1_000:
            exact = Fraction(stake).limit_denominator(10**6)
            values.append({"stake": stake, "edge": -float(odds.ev_at(exact)) * 100})
    curve = {
        "x": _quantity("stake", scale={"type": "log"}, title="stake, dollars"),
        "y": _quantity("edge", title="house edge, %"),
    }
    line = {"type": "line", "strokeWidth": 2.5, "color": PALETTE[2]}
    rule = {"type": "rule", "strokeDash": [4, 4], "color": "#6a7f99"}
    layers: list[Spec] = [
        {"mark": line, "data": {"values": values}, "encoding": curve},
        {"mark": rule, "data": {"values": [{"y": 0}]}, "encoding": {"y": _quantity("y")}},
    ]
    if even is not None:
        point = {"stake": float(even), "edge": 0, "text": f"break-even ${float(even):.2f}"}
        data = {"values": [point]}
        place = {"x": _quantity("stake"), "y": _quantity("edge")}
        labelled = {**place, "text": {"field": "text"}}
        dot = {"type": "point", "filled": True, "size": 70, "color": PALETTE[1]}
        text = {"type": "text", "align": "left", "dx": 8, "dy": 12}
        layers.append({"mark": dot, "data": data, "encoding": place})
        layers.append({"mark": text, "data": data, "encoding": labelled})
    spec = {"width": 620, "height": 240, "layer": layers}
    note = (
        "The bonus is a fixed sum, so a small stake gains more from it. Without it: "
        f"{-float(odds.ev) * 100:.4f} %."
    )
    return Chart(f"{odds.bet.title.en}: house edge by stake, bonus counted in", note, draw(spec))
