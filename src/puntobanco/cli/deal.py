"""`deal`: one round, card by card, with the reason for each draw, then every bet's result."""

from __future__ import annotations

import random

import click

from puntobanco.base.words import Words
from puntobanco.cli import console
from puntobanco.cli.options import decks_of, decks_option, game_argument, json_option
from puntobanco.cli.output import echo_json
from puntobanco.cli.settle import settled_json, show_settled
from puntobanco.rules.cards import code
from puntobanco.rules.game import Game
from puntobanco.rules.round import Next, Round
from puntobanco.rules.settle import Wager, settle
from puntobanco.rules.tableau import Reason

STAKE_CENTS = 10_000


INDENT = " " * 11
"""Under the cards of a round stand the reasons for the next one."""


@click.command
@game_argument
@decks_option
@click.option("--seed", type=int, help="The same seed deals the same cards.")
@json_option
def deal(game: Game, decks: int | None, seed: int | None, as_json: bool) -> None:
    """Deal one round, with the reason for each draw and every bet's result for a stake of 100."""
    decks = decks_of(game, decks)
    round_ = Round.start(game, decks)
    steps = list[tuple[Next, int]]()
    for card in _shuffled(game, decks, seed):
        step = round_.next
        if step.slot is None:
            break
        round_ = round_.deal(card)
        steps.append((step, card))
    lines = settle(game, round_, _wagers(game))
    if as_json:
        answer: dict[str, object] = {"decks": decks, "seed": seed}
        answer["steps"] = [_step_json(step, card) for step, card in steps]
        answer["announced"] = _announced_json(game, round_)
        echo_json(answer | settled_json(game, round_, lines))
        return
    seeded = "" if seed is None else f", seed {seed}"
    title = game.title.en
    console.heading(f"{title}, {decks} decks{seeded}")
    _show_dealing(game, round_, steps)
    console.line()
    show_settled(game, round_, lines)


def _wagers(game: Game) -> list[Wager]:
    """One on every bet, as near to the same stake as its step allows."""
    largest_step = max(bet.step_cents for bet in game.bets)
    most = max(STAKE_CENTS, largest_step)
    return [Wager("patron", bet.id, most - most % bet.step_cents) for bet in game.bets]


def _shuffled(game: Game, decks: int, seed: int | None) -> list[int]:
    """For looking at, never for play: with a seed the order can be known beforehand."""
    deck = game.shoe(decks).deck
    cards = [int(card) for card in deck.cards for _ in range(decks)]
    rng = random.SystemRandom() if seed is None else random.Random(seed)
    rng.shuffle(cards)
    return cards


def _show_dealing(game: Game, round_: Round, steps: list[tuple[Next, int]]) -> None:
    announcements = game.announcements
    console.line(f'"{announcements.close}" [{announcements.close_clause}]')
    shown = set[Words]()
    # both totals are announced after the first four cards, before any third card
    for number, (step, card) in enumerate(steps):
        if number == 4:
            _show_announced(game, round_)
        shown |= {reason.why for reason in step.reasons}
        for before in step.reasons[:-1]:
            _show_reason(before)
        style = "bold blue" if step.hand == "player" else "bold red"
        hand = console.Styled(f"{step.hand:<6}", style)
        why = f"{step.why.en} [{step.clause}]"
        console.line("  ", hand, " ", console.card(card), "  ", why)
    if len(steps) == 4:
        _show_announced(game, round_)
    for after in round_.next.reasons:
        if after.why not in shown:
            _show_reason(after)


def _show_reason(reason: Reason) -> None:
    why = reason.why.en
    console.line(f"{INDENT}{why} [{reason.clause}]")


def _show_announced(game: Game, round_: Round) -> None:
    player, banker = round_.announcement
    clause = game.basics.announce_totals
    console.line(f"{INDENT}Player {player}, Banker {banker} [{clause}]")


def _announced_json(game: Game, round_: Round) -> dict[str, object]:
    player, banker = round_.announcement
    return {"player": player, "banker": banker, "clause": game.basics.announce_totals}


def _step_json(step: Next, card: int) -> dict[str, object]:
    reasons = [{"why": reason.why.en, "clause": reason.clause} for reason in step.reasons]
    return {"hand": step.hand, "card": code(card), "reasons": reasons}
