"""`settle`: what every wager on a round comes to, for one round or a file of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import click

from puntobanco.base.money import format_cents, parse_cents
from puntobanco.base.refusal import Refusal
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
from puntobanco.cli.output import echo_json
from puntobanco.rules.cards import codes, parse_cards
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.refusals import UnknownGame
from puntobanco.rules.round import Round
from puntobanco.rules.settle import Line, Wager, net_cents
from puntobanco.rules.settle import settle as settle_wagers

PATRON = "patron"
OUTCOME_STYLES = {"wins": "bold green", "loses": "red", "pushes": "yellow", "void": "yellow"}
COLUMNS = ("bet", "stake", "outcome", "net", "returned", "bonus", "clause")

cards_option = click.option(
    "--cards", "card_codes", help='The cards in dealing order, such as "9f 2g Tf 4e".'
)
bets_option = click.option(
    "--bet",
    "bets",
    multiple=True,
    metavar="BET=AMOUNT",
    help="A wager, such as banker=100; may be repeated.",
)
batch_option = click.option(
    "--batch",
    metavar="FILE",
    help='Many rounds, a JSON object a line: {"cards": "...", "bets": {...}}; - is standard input.',
)


@click.command
@game_argument
@cards_option
@bets_option
@batch_option
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
        echo_json(settled_json(game, round_, lines))
    else:
        show_settled(game, round_, lines)


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
            settled = _batch_line(game, decks, row)
            answer = _answer_json(*settled) if as_json else _answer(number, *settled)
        except Refusal as refusal:
            refused += 1
            answer = f"line {number}: refused: {refusal}"
            if as_json:
                error = {"line": number, "error": str(refusal)}
                answer = json.dumps(error, ensure_ascii=False)
        sys.stdout.write(answer + "\n")
    sys.stdout.flush()
    if refused:
        raise click.ClickException(
            f"{refused} of {total} rounds were refused; their answers say why"
        )


def _answer(number: int, _: Game, round_: Round, lines: Sequence[Line]) -> str:
    each = [f"{line.wager.bet} {format_cents(line.net_cents)}" for line in lines]
    bets = ", ".join(each) or "no wagers"
    result = f"{round_.winner} {round_.player_points}-{round_.banker_points}"
    net = format_cents(net_cents(lines))
    return f"line {number}: {result}; {bets}; net {net}"


def _answer_json(game: Game, round_: Round, lines: Sequence[Line]) -> str:
    return json.dumps(settled_json(game, round_, lines), ensure_ascii=False)


def _batch_line(game: Game, decks: int, row: str) -> tuple[Game, Round, list[Line]]:
    value = _read_object(row)
    bets = value.get("bets", {})
    if not isinstance(bets, dict):
        raise Refusal('"bets" is an object of stakes by bet: {"banker": "100"}')
    game = _named_game(value.get("game", game.id), game)
    usual = decks
    if decks not in game.decks:
        usual = game.default_decks
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


def settled_json(game: Game, round_: Round, lines: Sequence[Line]) -> dict[str, object]:
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


def show_settled(game: Game, round_: Round, lines: Sequence[Line]) -> None:
    winner = round_.winner
    assert winner is not None, "a settled round is complete"
    text = f"{winner.capitalize()} wins"
    clause = game.basics.winner
    if winner == "tie":
        text = "Tie"
        clause = game.basics.tie
    show_hands(round_)
    result = console.Styled(text, console.WINNER_STYLES[winner])
    console.line(result, f" [{clause}]")
    if not lines:
        return
    console.line()
    console.table(COLUMNS, map(_cells, lines), right=(1, 3, 4, 5))
    net = format_cents(net_cents(lines))
    console.line("net ", console.Styled(net, "bold"))


def show_hands(round_: Round) -> None:
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
