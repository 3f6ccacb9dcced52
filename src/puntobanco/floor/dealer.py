"""What a dealer needs to see: the next thing to do and why, this game's grounds, what waits for a second person."""

from __future__ import annotations

import puntobanco.events as e
from puntobanco.events import Record
from puntobanco.floor.views import TableView, table_view
from puntobanco.rules.cards import code
from puntobanco.rules.irregularities import GROUNDS
from puntobanco.rules.refusals import Refusal
from puntobanco.table import commands as c
from puntobanco.table.asked import Funds
from puntobanco.table.clock import needs_shoe
from puntobanco.table.decide import decide
from puntobanco.table.state import TableState
from puntobanco.table.stops import MALFUNCTION, MALFUNCTION_CLAUSE

SLOTS = ("p1", "b1", "p2", "b2", "p3", "b3")


class Action(Record):
    """Something to do now: a command, and the reason with its clause."""

    command: str
    why: str
    why_zh: str
    clause: str
    slot: str = ""  # where the next card falls


class GroundView(Record):
    """An irregularity that this game's rulebook names; `refused` says why it cannot be declared now."""

    ground: str
    title: str
    title_zh: str
    clause: str
    reconstructable: bool
    refused: str


class ProposalView(Record):
    proposal: int
    by: str
    command: dict[str, object]


class ShoeView(Record):
    number: int
    dealing: str
    decks: int
    cut: int
    cards_left: int
    spoiled: str


class DealerView(Record):
    table: TableView
    next: list[Action]
    grounds: list[GroundView]
    proposals: list[ProposalView]
    questioned: str  # a card that cannot be, entered once
    shoe: ShoeView | None
    deck: list[str]  # every card of the set, for the keypad


def dealer_view(state: TableState, now: int, *, demo: bool) -> DealerView | None:
    """None for a table that was never opened."""
    table, game, shoe = table_view(state, demo=demo), state.game, state.shoe
    if table is None or game is None:
        return None
    return DealerView(
        table=table, next=next_actions(state), grounds=grounds_now(state, now),
        proposals=[
            ProposalView(proposal=number, by=p.by, command=p.command) for number, p in sorted(state.proposals.items())
        ],
        questioned=state.round.questioned if state.round else "",
        shoe=ShoeView(
            number=shoe.number, dealing=shoe.dealing, decks=shoe.decks, cut=shoe.cut, cards_left=shoe.cards_left,
            spoiled=shoe.spoiled,
        ) if shoe else None,
        deck=[code(card) for card in game.deck.cards],
    )  # fmt: skip


def next_actions(state: TableState) -> list[Action]:
    """The next thing to do; several where people decide."""
    round_, game = state.round, state.playing
    words = game.announcements
    match state.phase:
        case "down":
            return [_action(c.OpenTable, "the table is closed", "賭枱已關閉")]
        case "betting":
            said = f'"{words.close}"'
            return [_action(c.CloseBets, said, said, words.close_clause)]
        case "stopped":
            return _decisions(state)
        case "closed" | "dealing" if round_ is not None:
            if round_.play.is_complete:
                return [_action(c.Settle, "all cards are dealt", "牌已派齊", round_.play.next.clause or "")]
            due, kind = round_.play.next, c.DealCard if round_.dealing == "virtual" else c.EnterCard
            slot = SLOTS[due.slot] if due.slot is not None else ""
            return [_action(kind, due.why.en, due.why.zh, due.clause or "", slot)]
    if state.halted:
        return [_action(c.RestartTable, f"the table is stopped: {state.halted}", f"賭枱暫停：{state.halted}")]
    if state.shoe is None:
        return [_action(c.NewShoe, "no shoe is on the table", "枱上沒有牌靴")]
    if needs_shoe(state):
        return [_action(c.EndShoe, "the shoe must be changed", "須更換牌靴")]
    said = f'"{words.open}"'
    return [_action(c.OpenBets, said, said, words.open_clause)]


def _decisions(state: TableState) -> list[Action]:
    """A stopped round is put in order, void, or goes on; each by two people."""
    stop = state.round.stop if state.round else None
    assert stop is not None, "a stopped round says why"
    found = [_action(c.VoidRound, f"void: {stop.ground}", f"作廢：{stop.ground}", stop.clause)]
    if any(ground.id == stop.ground and ground.reconstructable for ground in GROUNDS):
        found.insert(0, _action(c.Reconstruct, "put the cards in their true order", "按原定次序還原", stop.clause))
    return [*found, _action(c.Resume, "a false alarm: the round goes on", "虛驚：繼續該局", stop.clause)]


def _action(kind: type[c.Command], why: str, why_zh: str, clause: str = "", slot: str = "") -> Action:
    return Action(command=kind.name(), why=why, why_zh=why_zh, clause=clause, slot=slot)


def grounds_now(state: TableState, now: int) -> list[GroundView]:
    """Only those of this game's rulebook, and a malfunction, which none of them names."""
    found = [
        GroundView(
            ground=i.ground.id, title=i.ground.title.en, title_zh=i.ground.title.zh, clause=i.clause,
            reconstructable=i.ground.reconstructable, refused=_refused(state, i.ground.id, now),
        )
        for i in state.playing.irregularities
    ]  # fmt: skip
    fault = GroundView(
        ground=MALFUNCTION, title="a malfunction of the equipment", title_zh="設備故障", clause=MALFUNCTION_CLAUSE,
        reconstructable=False, refused=_refused(state, MALFUNCTION, now),
    )  # fmt: skip
    return [*found, fault]


def _refused(state: TableState, ground: str, now: int) -> str:
    """Why the table would not take it now; nothing where it would."""
    kinds: list[c.Command] = [c.DeclareIrregularity(by="dealer", ground=ground)]
    if state.phase == "settled":
        kinds.append(c.Reopen(by="dealer", ground=ground))
    said = ""
    for command in kinds:
        try:
            events = decide(state, Funds(), command, now)
        except Refusal as refusal:
            said = refusal.reason
        else:
            if not isinstance(events[0], e.IncidentRecorded) or len(kinds) == 1:
                return ""
    return said
