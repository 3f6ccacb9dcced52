"""How the lab comes to its figures: a sum in full, the rulebook, its clauses, our readings."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import perm

from puntobanco.base.record import Record
from puntobanco.base.version import __version__, source_hash
from puntobanco.odds.par import LOWEST_RETURN, RAREST_AWARD, ParSheet
from puntobanco.odds.par_report import DIGITS, one_in
from puntobanco.odds.solve import MIN_CARDS
from puntobanco.rules.clauses import CLAUSES
from puntobanco.rules.definition import digest
from puntobanco.rules.game import Game
from puntobanco.rules.rules_page import heading
from puntobanco.sim.run import RESERVE, rounds_per_shoe
from puntobanco.sim.verdict import LEVEL
from puntobanco_floor.domain.events import Cards
from puntobanco_floor.lab.sheets import Figure, chance, share, sheet_view


class SumRow(Record):
    """One result of the bet: its chance, its net for a stake of one, and the product of both."""

    when: str
    probability: Figure
    net: Figure
    product: Figure
    when_zh: str = ""


class SumView(Record):
    """One bet's edge as a sum that can be done by hand."""

    bet: str
    title: str
    rows: tuple[SumRow, ...]
    total: Figure
    edge: Figure
    title_zh: str = ""


class CitedView(Record):
    """A clause behind a figure, in our words; or how we read the rules where they are silent."""

    clause: str
    text: str
    text_zh: str = ""


class MethodView(Record):
    game: str
    title: str
    heading: str
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
    title_zh: str = ""
    heading_zh: str = ""


def method_view(sheet: ParSheet) -> MethodView:
    game = sheet.game
    cards = len(sheet.shoe)
    assert sheet.decks is not None, "the lab knows fresh shoes only"
    return MethodView(
        game=game.id,
        title=game.title.en,
        title_zh=game.title.zh,
        heading=heading(game).en,
        heading_zh=heading(game).zh,
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
            when_zh=result.when_zh,
            probability=probability,
            net=net,
            product=chance(product),
        )
        rows.append(row)
    return SumView(
        bet=shown.bet,
        title=shown.title,
        title_zh=shown.title_zh,
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
            yield CitedView(clause=clause, text=own[clause])


def _readings(game: Game) -> Iterator[CitedView]:
    for reading in game.numbered_readings:
        yield CitedView(clause=reading.citation, text=reading.text.en, text_zh=reading.text.zh)
