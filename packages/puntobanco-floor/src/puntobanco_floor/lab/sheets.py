"""A par sheet as a screen shows it: every figure as a text made here, so that no page rounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import perm
from typing import Literal

from msgspec.structs import replace

from puntobanco.base.version import __version__, source_hash
from puntobanco.base.words import Words, join
from puntobanco.odds.card_counting import Removal
from puntobanco.odds.par import LOWEST_RETURN, RAREST_AWARD, BetOdds, ParSheet
from puntobanco.odds.par_report import DIGITS, number, one_in, root
from puntobanco.odds.solve import MIN_CARDS
from puntobanco.rules.cards import Card, points_of, rank_of, suit_name, suit_of
from puntobanco.rules.clauses import CLAUSES
from puntobanco.rules.definition import digest
from puntobanco.rules.game import Game
from puntobanco.rules.rules_page import heading, in_deck
from puntobanco.sim.run import RESERVE, rounds_per_shoe
from puntobanco.sim.verdict import LEVEL
from puntobanco_floor.domain.events import Cards
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.views.game_view import felt, hand_of
from puntobanco_proof.entry.record import Record

_TENS = (10, 15, 20, 25, 30, 40, 50, 75)
STOPS = (*range(1, 7), 8, *_TENS, *(10 * stop for stop in _TENS), 1_000)
"""Stakes in dollars of a bet with a bonus: the stops of its slider, and the points of its chart."""

_ALONE = {"player": Words("wins", "贏"), "banker": Words("wins", "贏"), "tie": Words("tie", "和局")}
"""What is said of a line that says nothing beyond the title of its bet."""

_OTHERWISE = Words("otherwise", "其他情況")
_PUSHES = Words("push", "退回本金")
_LOSES = Words("loses", "輸")
_CLAUSE = re.compile(r" \[[^]]*\]")
_BOTH = re.compile(r"^Player has (.+) and Banker has \1$")
_BOTH_ZH = re.compile(r"閒(.+)且莊\1$")


Outcome = Literal["wins", "pushes", "loses"]


class Figure(Record):
    """A number: exact, to twelve digits as the par sheet has it, and as people read it."""

    exact: str
    decimal: str
    text: str


class ResultView(Record):
    """One thing that can happen to a wager; together they are all that can."""

    kind: Outcome
    when: Words
    pays: Words
    clause: str
    probability: Figure
    net: Figure  # for a stake of one, a bonus apart
    bonus: int = 0  # dollars, whatever the stake


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
    title: Words
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


class SheetView(Record):
    """A game's odds with so many fresh decks; nothing here comes from a shoe in play."""

    game: str
    title: Words
    rules: str
    heading: Words
    digest: str
    decks: int
    cards: int
    cards_per_round: Figure
    bets: tuple[BetSheet, ...]


class EdgeView(Record):
    bet: str
    title: Words
    hand: str
    bonus: bool
    edges: tuple[Figure, ...]


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


def _short(when: Words) -> Words:
    """Leave out clauses, which stand beside it, and what is said of both hands alike.

    >>> _short(Words("Player has Flaming 9's [1.1.4] and Banker has Flaming 9's [1.1.4]")).en
    "both have Flaming 9's"
    >>> _short(Words("", "閒有烈火九 [1.1.4]且莊有烈火九 [1.1.4]")).zh
    '雙方有烈火九'
    """
    en, zh = _CLAUSE.sub("", when.en), _CLAUSE.sub("", when.zh)
    return Words(_BOTH.sub(r"both have \1", en), _BOTH_ZH.sub(r"雙方\1", zh))


# Sheets


def sheet_view(sheet: ParSheet) -> SheetView:
    game = sheet.game
    assert sheet.decks is not None, "the lab knows fresh shoes only"
    return SheetView(
        game=game.id,
        title=game.title,
        heading=heading(game),
        rules=game.rules_id,
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
        title=odds.bet.title,
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
    whens = [
        view.when or _ALONE.get(bet.id) or in_deck(line.line.when, game.deck)
        for view, line in zip(views[bet.id].lines, odds.all_lines, strict=True)
    ]
    found = []
    for i, line in enumerate(odds.lines):
        pays = line.line.pays.words
        own = net(line.pays)
        alone = line.probability
        for bonus in odds.bonus:
            alone -= bonus.with_lines[i]
        found.append(_result("wins", whens[i], pays, line.line.clause, alone, own))
        for bonus, when in zip(odds.bonus, whens[len(odds.lines) :], strict=True):
            together = bonus.with_lines[i]
            if together:
                beside = join((pays, bonus.line.pays.words), en=" + ", zh=" + ")
                view = _result("wins", when, beside, bonus.line.clause, together, own)
                found.append(replace(view, bonus=bonus.dollars))
    if bet.push:
        when = in_deck(bet.push.when, game.deck)
        nothing = net(Fraction(0))
        found.append(_result("pushes", when, _PUSHES, bet.push.clause, odds.push, nothing))
    lost = net(Fraction(-1))
    found.append(_result("loses", _OTHERWISE, _LOSES, bet.clause, odds.lose, lost))
    return found


def _result(
    kind: Outcome, when: Words, pays: Words, clause: str, probability: Fraction, net: Figure
) -> ResultView:
    return ResultView(
        kind=kind,
        when=_short(when),
        pays=pays,
        clause=clause,
        probability=chance(probability),
        net=net,
        bonus=0,
    )


def edges_view(game: Game, sheets: Sequence[ParSheet]) -> EdgesView:
    """`sheets` are one for each number of decks that the rulebook allows."""
    bets = []
    for i, bet in enumerate(game.bets):
        edges = tuple(share(-sheet.bets[i].ev) for sheet in sheets)
        view = EdgeView(
            bet=bet.id,
            title=bet.title,
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


# Effects of removal, grouped into as few bars as tell the whole truth


class RemovalSeries(Record):
    """Suits that have the same effects."""

    suits: str
    effects: tuple[Figure, ...]  # one for each kind of card: of the return, or a bonus's dollars


class RemovalBet(Record):
    """A bet, or its bonus, by point values, ranks, or suits where nothing else matters."""

    bet: str
    bonus: bool
    by: Literal["points", "ranks", "suits"]
    kinds: tuple[str, ...]
    series: tuple[RemovalSeries, ...]


class RemovalView(Record):
    game: str
    rules: str
    decks: int
    cards: int
    bets: tuple[RemovalBet, ...]


def removal_view(game: Game, decks: int, removals: Sequence[Removal]) -> RemovalView:
    bets = tuple(_removal_bet(game, removal) for removal in removals)
    return RemovalView(
        game=game.id, rules=game.rules_id, decks=decks, cards=decks * len(game.deck), bets=bets
    )


def _removal_bet(game: Game, removal: Removal) -> RemovalBet:
    id_, _, bonus = removal.bet.partition(" ")
    groups = _alike(game, removal)

    def series(suits: str, cards: Iterable[Card]) -> RemovalSeries:
        figures = [_effect(removal.effects[card], bonus=bool(bonus)) for card in cards]
        return RemovalSeries(suits=suits, effects=tuple(figures))

    by: Literal["points", "ranks", "suits"]
    if len(groups) > 1 and _same_within(groups, removal, suit_of):
        by = "suits"
        kinds = list(groups)
        bars = [series("", (cards[0] for cards in groups.values()))]
    elif _same_within(groups, removal, points_of):
        by = "points"
        kinds = list("0123456789")
        bars = [series(suits, _one_of_each_point(cards)) for suits, cards in groups.items()]
    else:
        by = "ranks"
        kinds = ["10" if rank == "T" else rank for rank in game.deck.rank_codes]
        bars = [series(suits, sorted(cards, key=rank_of)) for suits, cards in groups.items()]
    return RemovalBet(bet=id_, bonus=bool(bonus), by=by, kinds=tuple(kinds), series=tuple(bars))


def _same_within(
    groups: Mapping[str, Sequence[Card]], removal: Removal, kind: Callable[[Card], int]
) -> bool:
    """Whether cards of one kind have one effect, in every group of suits."""
    for cards in groups.values():
        effects = {(kind(card), removal.effects[card]) for card in cards}
        if len(effects) > len({kind(card) for card in cards}):
            return False
    return True


def _alike(game: Game, removal: Removal) -> dict[str, list[Card]]:
    """Suits with the same effects together: what they are called, and the cards of one of them."""
    word = "element" if game.deck.has_elements else "suit"
    groups = removal.alike(game.deck)
    named = {}
    for suits in groups:
        name = ", ".join(suit_name(suit).en for suit in suits)
        if len(groups) == 1:
            name = f"any {word}"
        elif len(groups) == 2 and len(suits) > 2:
            name = f"other {word}s"
        named[name] = removal.of_suit(suits[0])
    return named


def _one_of_each_point(cards: Sequence[Card]) -> list[Card]:
    first = {points_of(card): card for card in reversed(cards)}
    return [first[points] for points in range(10)]


def _effect(effect: Fraction, *, bonus: bool) -> Figure:
    """A change of the return in percentage points, or of a bonus in cents, with its sign.

    >>> _effect(Fraction(-41, 10_000), bonus=False).text
    '−0.4100%'
    >>> _effect(Fraction(1, 8_000), bonus=True).text
    '+0.0125¢'
    """
    text = "0"
    if effect:
        text = f"{float(effect) * 100:+.4f}"
    unit = "¢" if bonus else "%"
    return Figure(**number(effect), text=minus(text) + unit)


class SumRow(Record):
    """One result of the bet: its chance, its net for a stake of one, and the product of both."""

    when: Words
    probability: Figure
    net: Figure
    product: Figure


class SumView(Record):
    """One bet's edge as a sum that can be done by hand."""

    bet: str
    title: Words
    rows: tuple[SumRow, ...]
    total: Figure
    edge: Figure


class CitedView(Record):
    """A clause behind a figure, in our words; or how we read the rules where they are silent."""

    clause: str
    text: Words


class MethodView(Record):
    game: str
    title: Words
    heading: Words
    rules: str
    rulebook: str
    digest: str
    decks: int
    cards: int
    deck_cards: int
    round_cards: int  # the most that a round takes
    orders: str  # in which those can leave the shoe
    lengths: tuple[Figure, ...]  # chances of rounds of four, five and six cards
    cards_per_round: Figure
    digits: int
    lowest_return: Figure
    rarest_award: str
    table_cut: int
    reserve: int
    rounds_per_shoe: int
    level: str
    program: str
    source: str
    example: SumView
    clauses: tuple[CitedView, ...]
    readings: tuple[CitedView, ...]


def method_view(sheet: ParSheet) -> MethodView:
    game = sheet.game
    cards = len(sheet.shoe)
    assert sheet.decks is not None, "the lab knows fresh shoes only"
    return MethodView(
        game=game.id,
        title=game.title,
        heading=heading(game),
        rules=game.rules_id,
        rulebook=game.rulebook,
        digest=digest(game),
        decks=sheet.decks,
        cards=cards,
        deck_cards=len(game.deck),
        round_cards=MIN_CARDS,
        orders=f"{perm(cards, MIN_CARDS):,}",
        lengths=tuple(map(chance, sheet.cards)),
        cards_per_round=chance(sheet.cards_per_round),
        digits=DIGITS,
        lowest_return=share(LOWEST_RETURN, 0),
        rarest_award=one_in(RAREST_AWARD).removesuffix(".0"),
        table_cut=Cards().cut,
        reserve=RESERVE,
        rounds_per_shoe=rounds_per_shoe(cards),
        level=f"{LEVEL:g}",
        program=f"puntobanco {__version__}",
        source=source_hash(),
        example=_example(sheet),
        clauses=tuple(_clauses(game)),
        readings=tuple(_readings(game)),
    )


def _example(sheet: ParSheet) -> SumView:
    """Of the bet with the most results, a bonus apart: there is the most to add up."""
    shown = max(sheet_view(sheet).bets, key=lambda bet: (bet.bonus is None, len(bet.results)))
    rows = []
    total = Fraction(0)
    for result in shown.results:
        probability = result.probability
        net = result.net
        product = Fraction(probability.exact) * Fraction(net.exact)
        total += product
        row = SumRow(
            when=result.when,
            probability=probability,
            net=net,
            product=chance(product),
        )
        rows.append(row)
    return SumView(
        bet=shown.bet,
        title=shown.title,
        rows=tuple(rows),
        total=chance(total),
        edge=shown.edge,
    )


def _clauses(game: Game) -> Iterator[CitedView]:
    """Those behind the cards, the bets and what they pay, each once, in the definition's order."""
    own = {**CLAUSES.get(game.rulebook, {}), **game.house_rules}
    basics = game.basics
    cited = [
        basics.decks,
        basics.point_values,
        basics.point_total,
        *basics.deal,
        basics.winner,
        basics.tie,
    ]
    for bet in game.bets:
        cited.append(bet.clause)
        cited += [line.clause for line in bet.all_lines]
    for clause in dict.fromkeys(cited):
        if clause in own:
            yield CitedView(clause=clause, text=Words(own[clause]))


def _readings(game: Game) -> Iterator[CitedView]:
    for reading in game.numbered_readings:
        yield CitedView(clause=reading.citation, text=reading.text)
