"""`deal`, `settle` and `irregularity`: one round dealt, settled, or put right by the rulebook."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import click

from puntobanco.base.money import format_cents, parse_cents
from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words
from puntobanco.cli import console
from puntobanco.cli.options import (
    decks_of,
    decks_option,
    game_argument,
    json_option,
    no_repeats,
    read_lines,
    wager,
)
from puntobanco.rules.cards import code, codes, parse_cards
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.irregularities import (
    STAGES,
    Evidence,
    Irregularity,
    Ruling,
    Stage,
    rule_on,
)
from puntobanco.rules.refusals import UnknownGame
from puntobanco.rules.round import Next, Round
from puntobanco.rules.rules_page import rules_page
from puntobanco.rules.settle import Line, Wager, net_cents
from puntobanco.rules.settle import settle as settle_wagers
from puntobanco.rules.tableau import Reason

PATRON = "patron"
STAKE_CENTS = 10_000
INDENT = " " * 11
"""Under the cards of a round stand the reasons for the next one."""

OUTCOME_STYLES = {"wins": "bold green", "loses": "red", "pushes": "yellow", "void": "yellow"}
COLUMNS = ("bet", "stake", "outcome", "net", "returned", "bonus", "clause")


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
    lines = settle_wagers(game, round_, _wagers(game))
    if as_json:
        answer: dict[str, object] = {"decks": decks, "seed": seed}
        answer["steps"] = [_step_json(step, card) for step, card in steps]
        player, banker = round_.announcement
        clause = game.basics.announce_totals
        answer["announced"] = {"player": player, "banker": banker, "clause": clause}
        console.echo_json(answer | _settled_json(game, round_, lines))
        return
    seeded = "" if seed is None else f", seed {seed}"
    title = game.title.en
    console.heading(f"{title}, {decks} decks{seeded}")
    _show_dealing(game, round_, steps)
    console.line()
    _show_settled(game, round_, lines)


def _wagers(game: Game) -> list[Wager]:
    """One on every bet, as near to the same stake as its step allows."""
    largest_step = max(bet.step_cents for bet in game.bets)
    most = max(STAKE_CENTS, largest_step)
    return [Wager(PATRON, bet.id, most - most % bet.step_cents) for bet in game.bets]


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


def _step_json(step: Next, card: int) -> dict[str, object]:
    reasons = [{"why": reason.why.en, "clause": reason.clause} for reason in step.reasons]
    return {"hand": step.hand, "card": code(card), "reasons": reasons}


# Settlement


@click.command
@game_argument
@click.option("--cards", "card_codes", help='The cards in dealing order, such as "9f 2g Tf 4e".')
@click.option(
    "--bet",
    "bets",
    multiple=True,
    metavar="BET=AMOUNT",
    help="A wager, such as banker=100; may be repeated.",
)
@click.option(
    "--batch",
    metavar="FILE",
    help='Many rounds, a JSON object a line: {"cards": "...", "bets": {...}}; - is standard input.',
)
@decks_option
@json_option
def settle(
    game: Game,
    card_codes: str | None,
    bets: Sequence[str],
    batch: str | None,
    decks: int | None,
    as_json: bool,
) -> None:
    """Settle wagers on a round given by its cards, in dealing order: p1 b1 p2 b2 [p3] [b3]."""
    decks = decks_of(game, decks)
    game.shoe(decks)
    if batch is not None:
        if card_codes is not None or bets:
            raise click.UsageError(
                "--batch reads cards and bets from its file; leave out --cards and --bet"
            )
        _batch(game, decks, read_lines(batch), as_json=as_json)
        return
    if card_codes is None:
        raise click.UsageError(
            'give the cards, such as --cards "9f 2g Tf 4e", or a file with --batch'
        )
    wagers = [Wager(PATRON, *wager(text)) for text in bets]
    round_, lines = _settled(game, decks, card_codes, wagers)
    if as_json:
        console.echo_json(_settled_json(game, round_, lines))
    else:
        _show_settled(game, round_, lines)


def _settled(
    game: Game, decks: int, card_codes: str, wagers: Iterable[Wager]
) -> tuple[Round, list[Line]]:
    cards = parse_cards(card_codes, game.deck)
    round_ = Round.start(game, decks).deal_all(cards)
    return round_, settle_wagers(game, round_, wagers)


def _batch(game: Game, decks: int, lines: Iterable[str], *, as_json: bool) -> None:
    """One answer line for each line that is not blank; a refused line is answered with its
    reason.
    """
    refused = total = 0
    for number, row in enumerate(lines, 1):
        if not row.strip():
            continue
        total += 1
        try:
            settled = _settle_line(game, decks, row)
            answer = _settled_json(*settled) if as_json else _describe(number, *settled)
        except Refusal as refusal:
            refused += 1
            error = {"line": number, "error": str(refusal)}
            answer = error if as_json else f"line {number}: refused: {refusal}"
        if not isinstance(answer, str):
            answer = json.dumps(answer, ensure_ascii=False)
        sys.stdout.write(answer + "\n")
    sys.stdout.flush()
    if refused:
        raise click.ClickException(
            f"{refused} of {total} rounds were refused; their answers say why"
        )


def _describe(number: int, _: Game, round_: Round, lines: Sequence[Line]) -> str:
    each = [f"{line.wager.bet} {format_cents(line.net_cents)}" for line in lines]
    bets = ", ".join(each) or "no wagers"
    result = f"{round_.winner} {round_.player_points}-{round_.banker_points}"
    net = format_cents(net_cents(lines))
    return f"line {number}: {result}; {bets}; net {net}"


def _settle_line(game: Game, decks: int, row: str) -> tuple[Game, Round, list[Line]]:
    value = _read_object(row)
    bets = value.get("bets", {})
    if not isinstance(bets, dict):
        raise Refusal('"bets" is an object of stakes by bet: {"banker": "100"}')
    game = _named_game(value.get("game", game.id), game)
    usual = decks if decks in game.decks else game.default_decks
    decks = value.get("decks", usual)
    if type(decks) is not int:
        raise Refusal(f'"decks" is a whole number, not {decks!r:.40}')
    wagers = list[Wager]()
    for bet, amount in bets.items():
        wagers.append(Wager(PATRON, bet, parse_cents(amount)))
    round_, lines = _settled(game, decks, value["cards"], wagers)
    return game, round_, lines


def _read_object(row: str) -> dict[str, Any]:
    try:
        # a stake keeps every digit that was written, so that a fraction of a cent is refused
        value = json.loads(
            row, parse_float=Decimal, parse_constant=str, object_pairs_hook=no_repeats
        )
    except (ValueError, RecursionError):
        raise Refusal("this is not JSON") from None
    if not isinstance(value, dict) or not isinstance(value.get("cards"), str):
        raise Refusal('a line is {"cards": "...", "bets": {"banker": "100"}}')
    return value


def _named_game(name: object, game: Game) -> Game:
    """A line may name another of the five; a file of data never names a file to run."""
    if name == game.id:
        return game
    if not isinstance(name, str) or name not in GAMES:
        raise UnknownGame(f"there is no game {name!r:.60}; a line may name {', '.join(GAMES)}")
    return GAMES[name]


def _settled_json(game: Game, round_: Round, lines: Sequence[Line]) -> dict[str, object]:
    player = {"cards": codes(round_.player), "points": round_.player_points}
    banker = {"cards": codes(round_.banker), "points": round_.banker_points}
    return {
        "game": game.id,
        "result": round_.winner,
        "player": player,
        "banker": banker,
        "bets": [_line_json(line) for line in lines],
        "net": format_cents(net_cents(lines)),
    }


def _line_json(line: Line) -> dict[str, str]:
    answer = {
        "bet": line.wager.bet,
        "stake": format_cents(line.wager.stake_cents),
        "outcome": line.outcome,
        "net": format_cents(line.net_cents),
        "returned": format_cents(line.returned_cents),
        "bonus": format_cents(line.bonus_cents),
        "clause": line.clause,
    }
    if line.bonus_clause:
        answer["bonus_clause"] = line.bonus_clause
    return answer


def _show_settled(game: Game, round_: Round, lines: Sequence[Line]) -> None:
    winner = round_.winner
    assert winner is not None, "a settled round is complete"
    text = f"{winner.capitalize()} wins"
    clause = game.basics.winner
    if winner == "tie":
        text = "Tie"
        clause = game.basics.tie
    _show_hands(round_)
    result = console.Styled(text, console.WINNER_STYLES[winner])
    console.line(result, f" [{clause}]")
    if not lines:
        return
    console.line()
    console.table(COLUMNS, map(_cells, lines), right=(1, 3, 4, 5))
    net = format_cents(net_cents(lines))
    console.line("net ", console.Styled(net, "bold"))


def _show_hands(round_: Round) -> None:
    _show_hand("Player ", round_.player, round_.player_points)
    _show_hand("Banker ", round_.banker, round_.banker_points)


def _show_hand(name: str, cards: Iterable[int], points: int) -> None:
    console.line(name, *console.cards(cards), f"  {points} points")


def _cells(line: Line) -> list[console.Part]:
    cells: dict[str, console.Part] = {**_line_json(line)}
    cells["outcome"] = console.Styled(line.outcome, OUTCOME_STYLES[line.outcome])
    if line.bonus_clause:
        cells["clause"] = f"{line.clause}, {line.bonus_clause}"
    return [cells[name] for name in COLUMNS]


# Irregularities


@click.command
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
    """Rule on an irregularity: void, reconstruct, or why it does not apply. Without GROUND, list
    them.
    """
    if ground is None:
        _list(game, as_json=as_json)
        return
    dealt = parse_cards(card_codes, game.deck)
    corrected = None if order is None else parse_cards(order, game.deck)
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
        console.echo_json(_ruling_json(ruling))
    else:
        _show(ruling)


def _show(ruling: Ruling) -> None:
    follows = console.Styled(ruling.follows, "bold")
    console.line(follows, f": {ruling.why.en} [{ruling.clause}]")
    after = ruling.round
    if after:
        _show_hands(after)
        step = after.next
        act = step.hand or "settle"
        console.line(f"next: {act}; {step.why.en} [{step.clause}]")
        if ruling.surplus:
            console.line("left over: ", *console.cards(ruling.surplus))


def _list(game: Game, *, as_json: bool) -> None:
    if as_json:
        console.echo_json([_irregularity_json(each) for each in game.irregularities])
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
