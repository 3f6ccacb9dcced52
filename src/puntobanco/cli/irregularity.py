"""`irregularity`: what a game's rulebook says when something goes wrong at the table."""

from __future__ import annotations

import click

from puntobanco.cli import show
from puntobanco.cli.options import decks_option, echo_json, game_argument, json_option
from puntobanco.rules.cards import codes, parse_cards
from puntobanco.rules.game import Game
from puntobanco.rules.irregularities import STAGES, Evidence, Ruling, Stage, rule_on
from puntobanco.rules.round import Round
from puntobanco.rules.words import rules_page


@click.command(
    help="Rule on an irregularity: void, reconstruct, or why it does not apply. Without GROUND, "
    "list them."
)
@game_argument
@click.argument("ground", required=False)
@click.option(
    "--cards", "card_codes", default="", help="The cards dealt by rule so far, in dealing order."
)
@click.option(
    "--stage", type=click.Choice(STAGES), help="When it happened; by default as the cards say."
)
@click.option("--order", help="The true order of all cards drawn, when it can be told.")
@click.option("--next-round-open", is_flag=True, help="Bets for the next round have opened.")
@click.option(
    "--cards-left", type=click.IntRange(0), help="Cards left in the shoe, when they were counted."
)
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
    if ground is None:
        _list(game, as_json=as_json)
        return
    decks = game.default_decks if decks is None else decks
    round_ = Round.start(game, decks).deal_all(parse_cards(card_codes, game.deck))
    evidence = Evidence(
        round=round_,
        stage=stage or ("initial-deal" if len(round_.cards) <= 4 else "third-card"),
        next_round_open=next_round_open,
        corrected=None if order is None else parse_cards(order, game.deck),
        cards_left=cards_left,
    )
    ruling = rule_on(game, ground, evidence)
    if as_json:
        echo_json(_ruling(ruling))
        return
    show.line(show.Styled(ruling.follows, "bold"), f": {ruling.why.en} [{ruling.clause}]")
    if ruling.round:
        after = ruling.round
        show.line("Player ", *show.cards(after.player), f"  {after.player_points} points")
        show.line("Banker ", *show.cards(after.banker), f"  {after.banker_points} points")
        show.line(f"next: {after.next.hand or 'settle'}; {after.next.why.en} [{after.next.clause}]")
        if ruling.surplus:
            show.line("left over: ", *show.cards(ruling.surplus))


def _list(game: Game, *, as_json: bool) -> None:
    if as_json:
        echo_json(
            [
                {
                    "ground": i.ground.id,
                    "clause": i.clause,
                    "requires": [w.en for w in i.ground.requires],
                }
                for i in game.irregularities
            ]
        )
        return
    section = next(s for s in rules_page(game) if s.title.en == "Irregularities")
    rows = [
        (i.ground.id, *(cell.en for cell in row.cells), row.clause)
        for i, row in zip(game.irregularities, section.rows, strict=True)
    ]
    show.table(("id", *(c.en for c in section.columns), "Clause"), rows, fold=(1, 2, 3))


def _ruling(ruling: Ruling) -> dict[str, object]:
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
