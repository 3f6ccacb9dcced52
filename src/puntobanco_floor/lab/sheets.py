"""A par sheet as a screen shows it: every figure as a text made here, so that no page rounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from puntobanco.base.record import Record
from puntobanco.base.words import Words
from puntobanco.odds.par import LOWEST_RETURN, BetOdds, ParSheet
from puntobanco.odds.par_report import number, root
from puntobanco.rules.definition import digest
from puntobanco.rules.game import Game
from puntobanco.rules.rules_page import heading, in_deck
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.views.pay_table import felt, hand_of

STOPS = (
    1,
    2,
    3,
    4,
    5,
    6,
    8,
    10,
    15,
    20,
    25,
    30,
    40,
    50,
    75,
    100,
    150,
    200,
    250,
    300,
    400,
    500,
    750,
    1_000,
)
"""Stakes in dollars of a bet with a bonus: the stops of its slider, and the points of its chart."""

_ALONE = {"player": Words("wins", "贏"), "banker": Words("wins", "贏"), "tie": Words("tie", "和局")}
"""What is said of a line that says nothing beyond the title of its bet."""

_CLAUSE = re.compile(r" \[[^]]*\]")
_BOTH = re.compile(r"^Player has (.+) and Banker has \1$")
_BOTH_ZH = re.compile(r"閒(.+)且莊\1$")


class Figure(Record):
    """A number: exact, to twelve digits as the par sheet has it, and as people read it."""

    exact: str
    decimal: str
    text: str


class ResultView(Record):
    """One thing that can happen to a wager; together they are all that can."""

    kind: Literal["wins", "pushes", "loses"]
    when: str
    pays: str
    clause: str
    probability: Figure
    net: Figure  # for a stake of one, a bonus apart
    bonus: int = 0  # dollars, whatever the stake
    when_zh: str = ""
    pays_zh: str = ""


class StakeView(Record):
    """A bet with its bonus, for each dollar of a stake."""

    stake_cents: int
    edge: Figure
    deviation: Figure
    nets: tuple[Figure, ...]  # of each result


class BonusView(Record):
    expected_dollars: Figure
    break_even: Figure | None  # dollars; a smaller stake favours the patron
    stakes: tuple[StakeView, ...]


class BetSheet(Record):
    bet: str
    title: str
    hand: str
    edge: Figure
    deviation: Figure
    hit: Figure
    results: tuple[ResultView, ...]
    flags: tuple[str, ...]
    bonus: BonusView | None = None
    # at the least stake of this floor's tables, for a bet with a bonus
    minimum: StakeView | None = None
    asked: StakeView | None = None  # at the stake that was asked for
    title_zh: str = ""


class SheetView(Record):
    """A game's odds with so many fresh decks; nothing here comes from a shoe in play."""

    game: str
    title: str
    rules: str
    heading: str
    digest: str
    decks: int
    cards: int
    cards_per_round: Figure
    bets: tuple[BetSheet, ...]
    title_zh: str = ""
    heading_zh: str = ""


class EdgeView(Record):
    bet: str
    title: str
    hand: str
    bonus: bool
    edges: tuple[Figure, ...]
    title_zh: str = ""


class EdgesView(Record):
    """House edge by number of decks, without any bonus; from `limit` on it is flagged."""

    game: str
    rules: str
    decks: tuple[int, ...]
    limit: Figure
    bets: tuple[EdgeView, ...]


# Texts


def minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


def share(value: Fraction, places: int = 4) -> Figure:
    """
    >>> share(Fraction(43, 415)).text
    '10.3614%'
    """
    return Figure(**number(value), text=minus(f"{float(value) * 100:.{places}f}%"))


def chance(value: Fraction) -> Figure:
    """Six places, or five digits of what is smaller than a thousandth.

    >>> chance(Fraction(13, 173)).text, chance(Fraction(54543733, 606265370165)).text
    ('0.075145', '8.9967e−5')
    """
    found = f"{float(value):.6f}"
    if 0 < value < Fraction(1, 1_000):
        digits, _, power = f"{float(value):.4e}".partition("e")
        found = f"{digits}e{int(power)}"
    return Figure(**number(value), text=minus(found))


def net(value: Fraction) -> Figure:
    """
    >>> [net(Fraction(value)).text for value in ("6/5", "-1", "0", "3008")]
    ['+1.2', '−1', '0', '+3,008']
    """
    found = "0"
    if value:
        found = f"{float(value):+,.2f}".rstrip("0").rstrip(".")
    return Figure(**number(value), text=minus(found))


def deviation(variance: Fraction) -> Figure:
    found = root(variance)
    return Figure(**found, text=f"{Decimal(found['decimal']):,.3f}")


def dollars(value: Fraction, places: int) -> Figure:
    return Figure(**number(value), text=f"${float(value):,.{places}f}")


def _short(when: str) -> str:
    """Without clauses, which stand beside it.

    >>> _short("Player has Flaming 9's [1.1.4] and Banker has Flaming 9's [1.1.4]")
    "both have Flaming 9's"
    """
    return _BOTH.sub(r"both have \1", _CLAUSE.sub("", when))


def _short_zh(when: str) -> str:
    """
    >>> _short_zh("閒有烈火九 [1.1.4]且莊有烈火九 [1.1.4]")
    '雙方有烈火九'
    """
    return _BOTH_ZH.sub(r"雙方\1", _CLAUSE.sub("", when))


# Sheets


def sheet_view(sheet: ParSheet) -> SheetView:
    game = sheet.game
    assert sheet.decks is not None, "the lab knows fresh shoes only"
    return SheetView(
        game=game.id,
        title=game.title.en,
        title_zh=game.title.zh,
        rules=game.rules_id,
        heading=heading(game).en,
        heading_zh=heading(game).zh,
        digest=digest(game),
        decks=sheet.decks,
        cards=len(sheet.shoe),
        cards_per_round=chance(sheet.cards_per_round),
        bets=tuple(_bet(odds, sheet) for odds in sheet.bets),
    )


def _bet(odds: BetOdds, sheet: ParSheet) -> BetSheet:
    results = tuple(_results(odds, sheet))
    bonus = None
    if odds.bonus:
        even = odds.break_even_stake
        bonus = BonusView(
            expected_dollars=dollars(odds.bonus_dollars, 6),
            break_even=dollars(even, 2) if even else None,
            stakes=tuple(stake_view(odds, results, stop * 100) for stop in STOPS),
        )
    return BetSheet(
        bet=odds.bet.id,
        title=odds.bet.title.en,
        title_zh=odds.bet.title.zh,
        hand=hand_of(odds.bet),
        edge=share(-odds.ev),
        deviation=deviation(odds.variance),
        hit=share(odds.hit, 3),
        results=results,
        flags=odds.flags,
        bonus=bonus,
    )


def stake_view(odds: BetOdds, results: Sequence[ResultView], stake_cents: int) -> StakeView:
    stake = Fraction(stake_cents, 100)
    nets = []
    for result in results:
        own = result.net
        if result.bonus:
            own = net(Fraction(own.exact) + result.bonus / stake)
        nets.append(own)
    return StakeView(
        stake_cents=stake_cents,
        edge=share(-odds.ev_at(stake)),
        deviation=deviation(odds.variance_at(stake)),
        nets=tuple(nets),
    )


def _results(odds: BetOdds, sheet: ParSheet) -> list[ResultView]:
    """Each pay line without and with each bonus, then the push, then the loss."""
    bet = odds.bet
    game = sheet.game
    views = {view.bet: view for view in felt(game, default_limits(game))}
    said = [Words(line.when, line.when_zh) for line in views[bet.id].lines]
    said_of_bonus = said[len(odds.lines) :]
    found = []
    for i, line in enumerate(odds.lines):
        pays = line.line.pays.words
        own = net(line.pays)
        when = said[i]
        if not when.en:
            when = _ALONE.get(bet.id) or in_deck(line.line.when, game.deck)
        alone = line.probability
        for bonus in odds.bonus:
            alone -= bonus.with_lines[i]
        found.append(
            ResultView(
                kind="wins",
                when=_short(when.en),
                when_zh=_short_zh(when.zh),
                pays=pays.en,
                pays_zh=pays.zh,
                clause=line.line.clause,
                probability=chance(alone),
                net=own,
            )
        )
        for bonus, when in zip(odds.bonus, said_of_bonus, strict=True):
            together = bonus.with_lines[i]
            if together:
                found.append(
                    ResultView(
                        kind="wins",
                        when=_short(when.en),
                        when_zh=_short_zh(when.zh),
                        clause=bonus.line.clause,
                        pays=f"{pays.en} + {bonus.line.pays.words.en}",
                        pays_zh=f"{pays.zh} + {bonus.line.pays.words.zh}",
                        probability=chance(together),
                        net=own,
                        bonus=bonus.dollars,
                    )
                )
    if bet.push:
        when = in_deck(bet.push.when, game.deck)
        found.append(
            ResultView(
                kind="pushes",
                when=_short(when.en),
                when_zh=_short_zh(when.zh),
                pays="push",
                pays_zh="退回本金",
                clause=bet.push.clause,
                probability=chance(odds.push),
                net=net(Fraction(0)),
            )
        )
    lost = ResultView(
        kind="loses",
        when="otherwise",
        when_zh="其他情況",
        pays="loses",
        pays_zh="輸",
        clause=bet.clause,
        probability=chance(odds.lose),
        net=net(Fraction(-1)),
    )
    found.append(lost)
    return found


def edges_view(game: Game, sheets: Sequence[ParSheet]) -> EdgesView:
    """`sheets` are one for each number of decks that the rulebook allows."""
    bets = []
    for i, bet in enumerate(game.bets):
        edges = tuple(share(-sheet.bets[i].ev) for sheet in sheets)
        view = EdgeView(
            bet=bet.id,
            title=bet.title.en,
            title_zh=bet.title.zh,
            hand=hand_of(bet),
            bonus=bool(bet.bonus),
            edges=edges,
        )
        bets.append(view)
    return EdgesView(
        game=game.id,
        rules=game.rules_id,
        decks=tuple(game.decks),
        limit=share(1 - LOWEST_RETURN, 0),
        bets=tuple(bets),
    )
