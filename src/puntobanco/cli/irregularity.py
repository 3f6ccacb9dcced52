"""`irregularity`: what a game's rulebook says when something goes wrong at the table."""

from __future__ import annotations

import click

from puntobanco.cli import console
from puntobanco.cli.options import decks_of, decks_option, game_argument, json_option
from puntobanco.cli.output import echo_json
from puntobanco.cli.settle import show_hands
from puntobanco.rules.cards import codes, parse_cards
from puntobanco.rules.game import Game
from puntobanco.rules.irregularities import (
    STAGES,
    Evidence,
    Irregularity,
    Ruling,
    Stage,
    rule_on,
)
from puntobanco.rules.round import Round
from puntobanco.rules.rules_page import rules_page

cards_option = click.option(
    "--cards", "card_codes", default="", help="The cards dealt by rule so far, in dealing order."
)
stage_option = click.option(
    "--stage", type=click.Choice(STAGES), help="When it happened; by default as the cards say."
)
order_option = click.option(
    "--order", help="The true order of all cards drawn, when it can be told."
)
next_round_option = click.option(
    "--next-round-open", is_flag=True, help="Bets for the next round have opened."
)
cards_left_option = click.option(
    "--cards-left", type=click.IntRange(0), help="Cards left in the shoe, when they were counted."
)


@click.command
@game_argument
@click.argument("ground", required=False)
@cards_option
@stage_option
@order_option
@next_round_option
@cards_left_option
@decks_option
@json_option
def irregularity(
    game: Game,
    ground: str | None,
    card_codes: str,
    stage: Stage | None,
    order: str | None,
    next_round_open: bool,
    cards_left: int | None,
    decks: int | None,
    as_json: bool,
) -> None:
    """Rule on an irregularity: void, reconstruct, or why it does not apply. Without GROUND, list
    them.
    """
    if ground is None:
        _list(game, as_json=as_json)
        return
    dealt = parse_cards(card_codes, game.deck)
    corrected = None
    if order is not None:
        corrected = parse_cards(order, game.deck)
    fresh = Round.start(game, decks_of(game, decks))
    round_ = fresh.deal_all(dealt)
    if stage is None:
        stage = "initial-deal" if len(round_.cards) <= 4 else "third-card"
    evidence = Evidence(
        round=round_,
        stage=stage,
        next_round_open=next_round_open,
        corrected=corrected,
        cards_left=cards_left,
    )
    ruling = rule_on(game, ground, evidence)
    if as_json:
        echo_json(_ruling_json(ruling))
    else:
        _show(ruling)


def _show(ruling: Ruling) -> None:
    follows = console.Styled(ruling.follows, "bold")
    console.line(follows, f": {ruling.why.en} [{ruling.clause}]")
    after = ruling.round
    if after:
        show_hands(after)
        step = after.next
        act = step.hand or "settle"
        console.line(f"next: {act}; {step.why.en} [{step.clause}]")
        if ruling.surplus:
            console.line("left over: ", *console.cards(ruling.surplus))


def _list(game: Game, *, as_json: bool) -> None:
    if as_json:
        echo_json([_irregularity_json(each) for each in game.irregularities])
        return
    section = next(s for s in rules_page(game) if s.title.en == "Irregularities")
    columns = ["id", *(column.en for column in section.columns), "Clause"]
    rows = list[list[str]]()
    for each, row in zip(game.irregularities, section.rows, strict=True):
        cells = [cell.en for cell in row.cells]
        rows.append([each.ground.id, *cells, row.clause])
    console.table(columns, rows, fold=(1, 2, 3))


def _irregularity_json(each: Irregularity) -> dict[str, object]:
    requires = [words.en for words in each.ground.requires]
    return {"ground": each.ground.id, "clause": each.clause, "requires": requires}


def _ruling_json(ruling: Ruling) -> dict[str, object]:
    after = ruling.round
    return {
        "follows": ruling.follows,
        "ground": ruling.ground.id,
        "clause": ruling.clause,
        "why": ruling.why.en,
        "cards": codes(after.cards) if after else None,
        "next": after.next.hand if after else None,
        "surplus": codes(ruling.surplus),
    }
