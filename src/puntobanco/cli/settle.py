"""`settle`: what every wager on a round comes to, for one round or a file of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal

import click

from puntobanco.cli import show
from puntobanco.cli.options import (
    decks_option,
    echo_json,
    game_argument,
    json_option,
    no_repeats,
    read_lines,
    wager,
)
from puntobanco.rules.cards import codes, parse_cards
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.money import format_cents, parse_cents
from puntobanco.rules.refusals import Refusal, UnknownGame
from puntobanco.rules.round import Round
from puntobanco.rules.settle import Line, Wager, net_cents
from puntobanco.rules.settle import settle as settle_wagers

PATRON = "patron"


@click.command(
    help="Settle wagers on a round given by its cards, in dealing order: p1 b1 p2 b2 [p3] [b3]."
)
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
) -> int:
    decks = game.default_decks if decks is None else decks
    game.shoe(decks)
    if batch is not None:
        if card_codes is not None or bets:
            raise click.UsageError(
                "--batch reads cards and bets from its file; leave out --cards and --bet"
            )
        return _batch(game, decks, read_lines(batch), as_json=as_json)
    if card_codes is None:
        raise click.UsageError(
            'give the cards, such as --cards "9f 2g Tf 4e", or a file with --batch'
        )
    round_, lines = _settled(
        game, decks, card_codes, [Wager(PATRON, *wager(text)) for text in bets]
    )
    if as_json:
        echo_json(settled_json(game, round_, lines))
    else:
        show_settled(game, round_, lines)
    return 0


def _settled(
    game: Game, decks: int, card_codes: str, wagers: Iterable[Wager]
) -> tuple[Round, list[Line]]:
    round_ = Round.start(game, decks).deal_all(parse_cards(card_codes, game.deck))
    return round_, settle_wagers(game, round_, wagers)


def _batch(game: Game, decks: int, lines: Iterable[str], *, as_json: bool) -> int:
    """One answer line for each line that is not blank; a refused line is answered with its
    reason.
    """
    refused = total = 0
    for number, row in enumerate(lines, 1):
        if not row.strip():
            continue
        total += 1
        try:
            answer = _answer(number, *_batch_line(game, decks, row), as_json=as_json)
        except Refusal as refusal:
            refused += 1
            error = {"line": number, "error": str(refusal)}
            answer = (
                json.dumps(error, ensure_ascii=False)
                if as_json
                else f"line {number}: refused: {refusal}"
            )
        sys.stdout.write(answer + "\n")
    sys.stdout.flush()
    if refused:
        raise click.ClickException(
            f"{refused} of {total} rounds were refused; their answers say why"
        )
    return 0


def _answer(number: int, game: Game, round_: Round, lines: Sequence[Line], *, as_json: bool) -> str:
    if as_json:
        return json.dumps(settled_json(game, round_, lines), ensure_ascii=False)
    each = ", ".join(f"{line.wager.bet} {format_cents(line.net_cents)}" for line in lines)
    result = f"{round_.winner} {round_.player_points}-{round_.banker_points}"
    return f"line {number}: {result}; {each or 'no wagers'}; net {format_cents(net_cents(lines))}"


def _batch_line(game: Game, decks: int, row: str) -> tuple[Game, Round, list[Line]]:
    try:
        value = json.loads(
            row, parse_float=Decimal, parse_constant=str, object_pairs_hook=no_repeats
        )
    except (ValueError, RecursionError):
        raise Refusal("this is not JSON") from None
    if not isinstance(value, dict) or not isinstance(value.get("cards"), str):
        raise Refusal('a line is {"cards": "...", "bets": {"banker": "100"}}')
    bets = value.get("bets", {})
    if not isinstance(bets, dict):
        raise Refusal('"bets" is an object of stakes by bet: {"banker": "100"}')
    named = value.get("game", game.id)
    # a line may name another of the five; a file of data never names a file to run
    if named != game.id:
        if not isinstance(named, str) or named not in GAMES:
            raise UnknownGame(f"there is no game {named!r:.60}; a line may name {', '.join(GAMES)}")
        game = GAMES[named]
    decks = value.get("decks", decks if decks in game.decks else game.default_decks)
    if type(decks) is not int:
        raise Refusal(f'"decks" is a whole number, not {decks!r:.40}')
    round_, lines = _settled(
        game, decks, value["cards"], [Wager(PATRON, b, parse_cents(a)) for b, a in bets.items()]
    )
    return game, round_, lines


def settled_json(game: Game, round_: Round, lines: Sequence[Line]) -> dict[str, object]:
    return {
        "game": game.id,
        "result": round_.winner,
        "player": {"cards": codes(round_.player), "points": round_.player_points},
        "banker": {"cards": codes(round_.banker), "points": round_.banker_points},
        "bets": [_line_json(line) for line in lines],
        "net": format_cents(net_cents(lines)),
    }


def _line_json(line: Line) -> dict[str, object]:
    answer: dict[str, object] = {
        "bet": line.wager.bet,
        "stake": format_cents(line.wager.stake_cents),
        "outcome": line.outcome,
        "net": format_cents(line.net_cents),
        "returned": format_cents(line.returned_cents),
        "bonus": format_cents(line.bonus_cents),
        "clause": line.clause,
    }
    return answer | ({"bonus_clause": line.bonus_clause} if line.bonus_clause else {})


OUTCOME_STYLES = {"wins": "bold green", "loses": "red", "pushes": "yellow", "void": "yellow"}


def show_settled(game: Game, round_: Round, lines: Sequence[Line]) -> None:
    winner = round_.winner
    assert winner is not None, "a settled round is complete"
    text = "Tie" if winner == "tie" else f"{winner.capitalize()} wins"
    clause = game.basics.tie if winner == "tie" else game.basics.winner
    show.line("Player ", *show.cards(round_.player), f"  {round_.player_points} points")
    show.line("Banker ", *show.cards(round_.banker), f"  {round_.banker_points} points")
    show.line(show.Styled(text, show.WINNER_STYLES[winner]), f" [{clause}]")
    if not lines:
        return
    show.line()
    rows = [
        (
            line.wager.bet,
            format_cents(line.wager.stake_cents),
            show.Styled(line.outcome, OUTCOME_STYLES[line.outcome]),
            format_cents(line.net_cents),
            format_cents(line.returned_cents),
            format_cents(line.bonus_cents),
            ", ".join(filter(None, (line.clause, line.bonus_clause))),
        )
        for line in lines
    ]
    show.table(
        ("bet", "stake", "outcome", "net", "returned", "bonus", "clause"), rows, right=(1, 3, 4, 5)
    )
    show.line("net ", show.Styled(format_cents(net_cents(lines)), "bold"))
