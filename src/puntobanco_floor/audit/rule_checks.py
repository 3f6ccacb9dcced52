"""Rule checks: a settlement or a void computed anew, and held against what was recorded."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.money import dollars
from puntobanco.base.record import Record
from puntobanco.base.words import Words
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.irregularities import title_of
from puntobanco.rules.round import Next, Round
from puntobanco.rules.terms import NO_CARD
from puntobanco_floor.domain.events import Line
from puntobanco_floor.domain.table.rulings import READABLE, doubt_about
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.domain.table.stops import SERVER_DEALT_CLAUSE

FIRST = 4
"""Cards that go to their places whatever they are; those after them the table of play decides."""


class Check(Record):
    what: str
    clause: str
    expected: str
    recorded: str
    agrees: bool
    what_zh: str = ""
    expected_zh: str = ""
    recorded_zh: str = ""


def _check(what: Words, clause: str, expected: Words, recorded: Words, *, agrees: bool) -> Check:
    return Check(
        what=what.en,
        what_zh=what.zh,
        clause=clause,
        expected=expected.en,
        expected_zh=expected.zh,
        recorded=recorded.en,
        recorded_zh=recorded.zh,
        agrees=agrees,
    )


_LOSES = Words("loses", "輸")
_WINS = Words("wins {}", "贏，{}")
_PUSHES = Words("pushes", "退回本金")
_NO_WAGER = Words("no wager", "沒有投注")
_OTHERWISE = Words("otherwise", "不同")
_LINE = Words("{} line, to the cent", "{} 項，準確至分")
_LINES = Words("{} lines, to the cent", "{} 項，準確至分")
_PAID = Words("{} paid", "派彩 {}")
_WINNER = Words("Winner", "勝方")
_BANKER_OVER = Words("Banker {} over {}", "莊 {} 點對 {} 點")
_PLAYER_OVER = Words("Player {} over {}", "閒 {} 點對 {} 點")
_TIE_AT = Words("Tie at {}", "和局，各 {} 點")
_TIE_NOT = Words("Tie, Player {}, Banker {}", "和局，閒 {}，莊 {}")
_GROUND = Words("Ground of the void", "作廢事由")
_RETURNED = Words("Every wager returned", "退回全部投注")
_NOTHING = Words("Nothing won or lost", "沒有輸贏")
_SERVER_DEALT = Words("Ground of a server-dealt round", "伺服器派牌局的作廢事由")
_NO_CARDS = Words("none about cards", "與牌張無關的事由")


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
    text = _LOSES
    if way < len(bet.pays):
        pay = bet.pays[way]
        outcome = "wins"
        clause = pay.clause
        text = _WINS.format(pay.pays.words)
    elif bet.push and way == len(bet.pays):
        outcome = "pushes"
        clause = bet.push.clause
        text = _PUSHES
    agrees = all((line.outcome, line.clause) == (outcome, clause) for line in lines)
    recorded = _NO_WAGER
    if lines:
        recorded = text if agrees else _OTHERWISE
    return _check(bet.title, clause, text, recorded, agrees=agrees)


def _lines(lines: Sequence[Line], right: Sequence[Line]) -> Check:
    paid = sum(line.paid_cents for line in lines)
    due = sum(line.paid_cents for line in right)
    what = _LINE if len(right) == 1 else _LINES
    settled = [line.by_rule for line in lines]
    return _check(
        what.format(len(right)),
        "",
        _PAID.format(dollars(due)),
        _PAID.format(dollars(paid)),
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


_HAND = {
    "p3": Words("Player draws", "閒補牌"),
    "b3": Words("Banker draws", "莊補牌"),
    "none": Words("no more cards", "不再補牌"),
}


def _draw(due: Next, wanted: str, lies: str) -> Check:
    """Of what was due, the place that it called for, and the place where a card lies."""
    why = due.why
    what = Words(why.en[:1].upper() + why.en[1:], why.zh)
    return _check(what, due.clause, _HAND[wanted], _HAND[lies], agrees=wanted == lies)


def _winner(game: Game, play: Round, event: e.RoundSettled) -> Check:
    clause = game.basics.tie if play.winner == "tie" else game.basics.winner
    name = {"B": "banker", "P": "player", "T": "tie"}[event.result[0]]
    expected = _points(play.winner or "", play.player_points, play.banker_points)
    recorded = _points(name, event.player, event.banker)
    return _check(_WINNER, clause, expected, recorded, agrees=expected == recorded)


def _points(winner: str, player: int, banker: int) -> Words:
    if winner == "banker":
        return _BANKER_OVER.format(banker, player)
    if winner == "player":
        return _PLAYER_OVER.format(player, banker)
    if player == banker:
        return _TIE_AT.format(player)
    return _TIE_NOT.format(player, banker)


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
    doubt = doubt_about(event, before)
    doubtful = list[Check]()
    if doubt is not None and doubt is not READABLE:
        found = _check(_SERVER_DEALT, SERVER_DEALT_CLAUSE, _NO_CARDS, doubt, agrees=False)
        doubtful.append(found)
    return [
        *doubtful,
        _check(
            _GROUND,
            event.clause,
            title_of(ground),
            title_of(event.ground),
            agrees=ground == event.ground and (is_ground or bool(event.clause)),
        ),
        _check(
            _RETURNED,
            event.clause,
            Words(dollars(stakes)),
            Words(dollars(back)),
            agrees=whole and stakes == back,
        ),
        _check(
            _NOTHING,
            event.clause,
            Words("$0.00"),
            Words(dollars(won)),
            agrees=not any(line.won_cents for line in event.lines),
        ),
    ]
