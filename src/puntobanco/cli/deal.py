"""`deal`: one round, card by card, with the reason for each draw, then every bet's result."""

from __future__ import annotations

import random

import click

from puntobanco.cli import show
from puntobanco.cli.options import decks_option, echo_json, game_argument, json_option
from puntobanco.cli.settle import settled_json, show_settled
from puntobanco.rules.cards import code
from puntobanco.rules.game import Game
from puntobanco.rules.round import Next, Round
from puntobanco.rules.settle import Wager, settle
from puntobanco.rules.terms import Slot

STAKE_CENTS = 10_000


@click.command(
    help="Deal one round, with the reason for each draw and every bet's result for a stake of 100."
)
@game_argument
@decks_option
@click.option("--seed", type=int, help="The same seed deals the same cards.")
@json_option
def deal(game: Game, decks: int | None, seed: int | None, as_json: bool) -> None:
    decks = game.default_decks if decks is None else decks
    round_, steps = Round.start(game, decks), list[tuple[Next, int]]()
    for card in _shuffled(game, decks, seed):
        step = round_.next
        if step.slot is None:
            break
        round_ = round_.deal(card)
        steps.append((step, card))
    stake = max(STAKE_CENTS, *(bet.step_cents for bet in game.bets))
    lines = settle(
        game, round_, [Wager("patron", bet.id, stake - stake % bet.step_cents) for bet in game.bets]
    )
    if as_json:
        player, banker = round_.announcement
        announced = {"player": player, "banker": banker, "clause": game.basics.announce_totals}
        played = {
            "decks": decks,
            "seed": seed,
            "steps": [_step(*s) for s in steps],
            "announced": announced,
        }
        echo_json(played | settled_json(game, round_, lines))
        return
    show.heading(f"{game.title.en}, {decks} decks" + (f", seed {seed}" if seed is not None else ""))
    show.line(f'"{game.announcements.close}" [{game.announcements.close_clause}]')
    for step, card in steps:
        if step.slot == Slot.P3 or (step.slot == Slot.B3 and len(steps) == 5):
            show.line(f"           {_announced(game, round_.announcement)}")
        for before in step.reasons[:-1]:
            show.line(f"           {before.why.en} [{before.clause}]")
        hand = show.Styled(f"{step.hand:<6}", "bold blue" if step.hand == "player" else "bold red")
        show.line("  ", hand, " ", show.card(card), f"  {step.why.en} [{step.clause}]")
    if len(steps) == 4:
        show.line(f"           {_announced(game, round_.announcement)}")
    shown = {reason.why for step, _ in steps for reason in step.reasons}
    for after in (reason for reason in round_.next.reasons if reason.why not in shown):
        show.line(f"           {after.why.en} [{after.clause}]")
    show.line()
    show_settled(game, round_, lines)


def _announced(game: Game, totals: tuple[int, int]) -> str:
    """Both totals, which are announced before any third card."""
    return f"Player {totals[0]}, Banker {totals[1]} [{game.basics.announce_totals}]"


def _shuffled(game: Game, decks: int, seed: int | None) -> list[int]:
    """For looking at, never for play: with a seed the order can be known beforehand."""
    cards = [int(card) for card in game.shoe(decks).deck.cards for _ in range(decks)]
    (random.SystemRandom() if seed is None else random.Random(seed)).shuffle(cards)
    return cards


def _step(step: Next, card: int) -> dict[str, object]:
    reasons = [{"why": reason.why.en, "clause": reason.clause} for reason in step.reasons]
    return {"hand": step.hand, "card": code(card), "reasons": reasons}
