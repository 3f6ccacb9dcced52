"""Rule checks: a settlement or a void computed anew, and held against what was recorded."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

import puntobanco.events as e
from puntobanco.events import Line, Record
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.money import dollars
from puntobanco.rules.round import Next, Round
from puntobanco.rules.terms import NO_CARD
from puntobanco.table.state import TableState

FIRST = 4
"""Cards that go to their places whatever they are; those after them the table of play decides."""


class Check(Record):
    what: str
    clause: str
    expected: str
    recorded: str
    agrees: bool


def checked(event: e.Outcome, before: TableState, right: Sequence[Line]) -> list[Check]:
    """How a round ended against the rules; of a settlement, `right` are its lines by rule."""
    if isinstance(event, e.RoundSettled):
        return _settlement(event, before, right)
    return _void(event, before)


def _settlement(event: e.RoundSettled, before: TableState, right: Sequence[Line]) -> list[Check]:
    """The third cards, the winner, every bet, every line."""
    assert before.round is not None, "`evolve` has checked it"
    play = before.round.play
    game = before.playing
    found = [*_draws(game, play), _winner(game, play, event)]
    ways = game.decide(*play.slots)
    for bet in game.bets:
        way = ways[game.answers_at[bet.id][0]]
        lines = [line for line in event.lines if line.bet == bet.id]
        found.append(_bet(bet, way, lines))
    found.append(_lines(event.lines, right))
    return found


def _bet(bet: Bet, way: int, lines: Sequence[Line]) -> Check:
    """`way` is the row of the bet's pay table that decides it, or one past its end."""
    outcome = "loses"
    clause = bet.clause
    text = "loses"
    if way < len(bet.pays):
        pay = bet.pays[way]
        outcome = "wins"
        clause = pay.clause
        text = f"wins {pay.pays.words.en}"
    elif bet.push and way == len(bet.pays):
        outcome = "pushes"
        clause = bet.push.clause
        text = "pushes"
    agrees = all((line.outcome, line.clause) == (outcome, clause) for line in lines)
    recorded = "no wager"
    if lines:
        recorded = text if agrees else "otherwise"
    return Check(what=bet.title.en, clause=clause, expected=text, recorded=recorded, agrees=agrees)


def _lines(lines: Sequence[Line], right: Sequence[Line]) -> Check:
    paid = sum(line.paid_cents for line in lines)
    due = sum(line.paid_cents for line in right)
    plural = "" if len(right) == 1 else "s"
    settled = [line.by_rule for line in lines]
    return Check(
        what=f"{len(right)} line{plural}, to the cent",
        clause="",
        expected=f"{dollars(due)} paid",
        recorded=f"{dollars(paid)} paid",
        agrees=settled == [line.by_rule for line in right],
    )


def _draws(game: Game, play: Round) -> list[Check]:
    """The deal again, card by card: what the table of play calls for, and what lies there."""
    again = Round.start(game, play.shoe)
    found = list[Check]()
    names = ("p1", "b1", "p2", "b2", "p3", "b3")
    for n, card in enumerate(play.cards):
        due = again.next
        if n >= FIRST:
            lies = next(
                names[i] for i in (4, 5) if play.slots[i] == card and again.slots[i] == NO_CARD
            )
            wanted = "none"
            if due.slot is not None:
                wanted = names[due.slot]
            found.append(_draw(due, wanted, lies))
        again = again.deal(card)
    last = again.next
    if play.slots[5] == NO_CARD:
        check = _draw(last, "none", "none")
        found.append(replace(check, agrees=last.slot is None))
    return found


_HAND = {"p3": "Player draws", "b3": "Banker draws", "none": "no more cards"}


def _draw(due: Next, wanted: str, lies: str) -> Check:
    """Of what was due, the place that it called for, and the place where a card lies."""
    why = due.why.en
    return Check(
        what=why[:1].upper() + why[1:],
        clause=due.clause,
        expected=_HAND[wanted],
        recorded=_HAND[lies],
        agrees=wanted == lies,
    )


def _winner(game: Game, play: Round, event: e.RoundSettled) -> Check:
    clause = game.basics.tie if play.winner == "tie" else game.basics.winner
    name = {"B": "banker", "P": "player", "T": "tie"}[event.result[0]]
    expected = _points(play.winner or "", play.player_points, play.banker_points)
    recorded = _points(name, event.player, event.banker)
    return Check(
        what="Winner",
        clause=clause,
        expected=expected,
        recorded=recorded,
        agrees=expected == recorded,
    )


def _points(winner: str, player: int, banker: int) -> str:
    if winner == "banker":
        return f"Banker {banker} over {player}"
    if winner == "player":
        return f"Player {player} over {banker}"
    if player == banker:
        return f"Tie at {player}"
    return f"Tie, Player {player}, Banker {banker}"


def _void(event: e.RoundVoided, before: TableState) -> list[Check]:
    stakes = 0
    if before.round:
        stakes = sum(before.round.wagers.values())
    back = sum(line.returned_cents for line in event.lines)
    won = sum(line.won_cents for line in event.lines)
    whole = all(
        line.outcome == "void" and line.returned_cents == line.stake_cents for line in event.lines
    )
    clauses = {irregularity.clause for irregularity in before.playing.irregularities}
    is_ground = event.clause in clauses or not before.playing.rulebook
    stop = before.round.stop if before.round else None
    ground = stop.ground if stop else event.ground
    return [
        Check(
            what="Ground of the void",
            clause=event.clause,
            expected=ground,
            recorded=event.ground,
            agrees=ground == event.ground and (is_ground or bool(event.clause)),
        ),
        Check(
            what="Every wager returned",
            clause=event.clause,
            expected=dollars(stakes),
            recorded=dollars(back),
            agrees=whole and stakes == back,
        ),
        Check(
            what="Nothing won or lost",
            clause=event.clause,
            expected="$0.00",
            recorded=dollars(won),
            agrees=not any(line.won_cents for line in event.lines),
        ),
    ]
