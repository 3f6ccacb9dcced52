"""The next thing to do at a table: which command, why, under which clause, and the words to say."""

from __future__ import annotations

from puntobanco.base.record import Record
from puntobanco.base.words import Words
from puntobanco.rules.causes import Cause, words_of
from puntobanco.rules.game import Game
from puntobanco.rules.irregularities import GROUNDS, known_ground, title_of
from puntobanco.rules.round import Round
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.clock import needs_shoe, roads_are_full
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.domain.table.stops import LAST_HAND_CLAUSE, MISREAD_CARD, SERVER_DEALT_CLAUSE
from puntobanco_floor.views.table_view import SLOTS

LAST_HAND = Words("Last hand of this shoe", "本靴最後一局")
_WINS = {"player": Words("Player wins", "閒贏"), "banker": Words("Banker wins", "莊贏")}


class Action(Record):
    """Something to do now: a command, the reason with its clause, and what the dealer says
    aloud.
    """

    command: str
    why: str
    why_zh: str
    clause: str
    slot: str = ""  # where the next card falls
    say: str = ""
    say_zh: str = ""
    say_clause: str = ""


def next_actions(state: TableState) -> list[Action]:
    """The next thing to do; several where people decide."""
    if state.phase == "stopped":
        return _decisions(state)
    return [_next_action(state)]


def _next_action(state: TableState) -> Action:
    round_ = state.round
    game = state.playing
    words = game.announcements
    match state.phase:
        case "down":
            return _action(c.OpenTable, "the table is closed", "賭枱已關閉")
        case "betting":
            said = _announced(words.close)
            return _action(
                c.CloseBets,
                said.en,
                said.zh,
                words.close_clause,
                say=(Words(words.close), words.close_clause),
            )
        case "closed" | "dealing" if round_ is not None:
            say = _called(_totals(game, round_.play), last_hand=round_.last_hand)
            if round_.play.is_complete:
                clause = round_.play.next.clause or ""
                say = _called(_result(game, round_.play), last_hand=round_.last_hand)
                return _action(c.Settle, "all cards are dealt", "牌已派齊", clause, say=say)
            due = round_.play.next
            kind = c.DealCard if round_.dealing == "virtual" else c.EnterCard
            slot = SLOTS[due.slot] if due.slot is not None else ""
            return _action(kind, due.why.en, due.why.zh, due.clause or "", slot, say=say)
    if state.halted:
        told = Words("the table is stopped: {}", "賭枱暫停：{}")
        if state.closing:
            told = Words("the table closes by itself: {}", "賭枱即將關閉：{}")
        halted = told.format(words_of(state.halted))
        return _action(c.RestartTable, halted.en, halted.zh)
    if state.shoe is None:
        return _action(c.NewShoe, "no shoe is on the table", "賭枱上沒有牌靴")
    if needs_shoe(state):
        spoiled = state.shoe.spoiled
        if spoiled:
            why = title_of(spoiled)
            return _action(
                c.EndShoe,
                f"the shoe cannot be played on with: {why.en}",
                f"牌靴不可再用：{why.zh}",
            )
        if roads_are_full(state):
            return _action(
                c.EndShoe,
                "the roads start afresh with a new set",
                "路單重新開始，須更換牌組",
                "reading 30",
            )
        return _action(c.EndShoe, "the shoe must be changed", "須更換牌靴")
    why = _announced(words.open)
    burned = state.shoe.burn
    if burned and not (state.results or state.voids):  # the first round of the shoe
        why = Words("burn {} cards unseen, then {}", "先暗棄 {} 張牌，然後{}").format(burned, why)
    return _action(
        c.OpenBets,
        why.en,
        why.zh,
        words.open_clause,
        say=(Words(words.open), words.open_clause),
    )


def _announced(literal: str) -> Words:
    """The rulebook's own words, which are called out in English."""
    return Words('"{}"', "宣布「{}」").format(literal)


def _totals(game: Game, play: Round) -> tuple[Words, str] | None:
    """Both totals, once four cards lie and before a third one is drawn."""
    if len(play.cards) != 4:
        return None
    player, banker = play.announcement
    return Words("Player {}, Banker {}", "閒{}點，莊{}點").format(
        player, banker
    ), game.basics.announce_totals


def _called(said: tuple[Words, str] | None, *, last_hand: bool) -> tuple[Words, str] | None:
    """With the call of the last hand, from the card on with which the cut card came out."""
    if not last_hand:
        return said
    if said is None:
        return LAST_HAND, LAST_HAND_CLAUSE
    words, clause = said
    return Words("{}. {}", "{}。{}").format(LAST_HAND, words), clause


def _result(game: Game, play: Round) -> tuple[Words, str]:
    """Banker wins, 6 over 4."""
    winner = play.winner
    high = play.player_points
    low = play.banker_points
    if winner is None or winner == "tie":
        return Words("Tie, {} each", "和局，各{}點").format(high), game.basics.tie
    high, low = max(high, low), min(high, low)
    return Words("{}, {} over {}", "{}，{}點對{}點").format(
        _WINS[winner], high, low
    ), game.basics.winner


def _decisions(state: TableState) -> list[Action]:
    """A stopped round is put in order, void, or goes on; each by two people."""
    round_ = state.round
    assert round_ is not None, "a stopped table has a round"
    stop = round_.stop
    assert stop is not None, "a stopped round says why"
    title = title_of(stop.ground)
    in_order = _action(
        c.Reconstruct, "put the cards in their true order", "按原定次序還原", stop.clause
    )
    go_on = _action(c.Resume, "a false alarm: the round goes on", "虛驚：繼續該局", stop.clause)
    if stop.ground == MISREAD_CARD:  # it voids nothing
        correct = _action(
            c.CorrectCard, "correct the card that was misread", "更正誤讀的牌", stop.clause
        )
        return [correct, in_order, go_on]
    void = _action(c.VoidRound, f"void: {title.en}", f"作廢：{title.zh}", stop.clause)
    if round_.dealing == "virtual":
        committed = _action(
            c.Resume,
            "the round goes on with the cards that were committed to",
            "以已承諾的牌繼續該局",
            SERVER_DEALT_CLAUSE,
        )
        return [committed, void] if _may_be_unreadable(state) else [committed]
    is_reconstructable = any(
        ground.id == stop.ground and ground.reconstructable for ground in GROUNDS
    )
    if is_reconstructable and round_.dealing == "physical" and stop.phase != "betting":
        return [in_order, void, go_on]
    return [void, go_on]


def _may_be_unreadable(state: TableState) -> bool:
    """Return whether the cards of a stopped, server-dealt round may be out of reach: the server has
    said so, or the table waits for a person to deal, so that the server has not tried.
    """
    stop = state.current.stop
    ground = known_ground(state.playing, stop.ground) if stop else None
    if stop is None or (ground is not None and ground.needs_physical_cards):
        return False
    return isinstance(stop.detail, Cause) or not state.clock.automatic


def _action(
    kind: type[c.Command],
    why: str,
    why_zh: str,
    clause: str = "",
    slot: str = "",
    *,
    say: tuple[Words, str] | None = None,
) -> Action:
    words, say_clause = say or (Words(""), "")
    return Action(
        command=kind.name(),
        why=why,
        why_zh=why_zh,
        clause=clause,
        slot=slot,
        say=words.en,
        say_zh=words.zh,
        say_clause=say_clause,
    )
