"""Events of a round: bets and wagers, cards, irregularities, and how it ends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, TypeGuard

import msgspec

from puntobanco.base.money import dollars
from puntobanco.base.words import Words
from puntobanco.rules.causes import Cause, words_of
from puntobanco.rules.irregularities import title_of
from puntobanco_floor.domain.event import ByTwo, Event, EventTraits, Figure, Figures
from puntobanco_floor.domain.ledger import (
    BANK,
    BONUS,
    UNRECOVERED,
    WAGERS,
    Transfer,
    Transfers,
    account_of,
)

if TYPE_CHECKING:
    from puntobanco.rules.game import Game
    from puntobanco.rules.settle import Line as SettledLine


PLACES = {
    "p1": "Player's first card",
    "b1": "Banker's first card",
    "p2": "Player's second card",
    "b2": "Banker's second card",
    "p3": "Player's third card",
    "b3": "Banker's third card",
}
"""Where a card lies, by the name of its slot."""


class Line(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What became of one wager."""

    session: str
    bet: str
    stake_cents: int
    outcome: str
    winnings_cents: int
    returned_cents: int
    bonus_cents: int
    clause: str
    bonus_clause: str = ""
    # of what is paid, the part that goes to what the session still owes from a reopened round
    set_off_cents: int = 0

    @classmethod
    def of(cls, session: str, settled: SettledLine) -> Line:
        """As the rules settle a session's wager."""
        return cls(
            session,
            settled.wager.bet,
            settled.wager.stake_cents,
            settled.outcome,
            settled.winnings_cents,
            settled.returned_cents,
            settled.bonus_cents,
            settled.clause,
            settled.bonus_clause or "",
        )

    @property
    def by_rule(self) -> tuple[object, ...]:
        """All but the set-off, which is the last field and no matter of the rules."""
        return msgspec.structs.astuple(self)[:-1]

    @property
    def won_cents(self) -> int:
        """What it pays beyond the stake."""
        return self.winnings_cents + self.bonus_cents

    @property
    def paid_cents(self) -> int:
        """What leaves `wagers`, `bank` and `bonus`."""
        return self.returned_cents + self.won_cents


class Recovery(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a reopening takes back of one line, and what of it the session no longer has."""

    line: Line
    recovered_cents: int
    unrecovered_cents: int


class BetsOpened(Event):
    traits = EventTraits(group="table", public=True, private=("announcement",), phase="betting")
    words = Words(
        '"{announcement}": round {round}, shoe {shoe}',
        "「{announcement}」：第 {round} 局，第 {shoe} 靴",
    )
    round: int
    shoe: int
    announcement: str
    closes_at: int | None
    commitment: str = ""  # of the cards of this round, from a continuous virtual shoe
    dealer_closes: bool = False  # the time is a guide: bets are open until the dealer closes them

    def clause_in(self, game: Game) -> str:
        return game.announcements.open_clause


def round_opened(events: Iterable[Event]) -> int | None:
    return next((event.round for event in events if isinstance(event, BetsOpened)), None)


class WagerPlaced(Event):
    traits = EventTraits(group="wagers")
    words = Words(
        "{session} wagers {stake_cents} on {bet}", "{session} 在 {bet} 投注 {stake_cents}"
    )
    done: ClassVar = "placed"
    round: int
    session: str
    bet: str
    stake_cents: int

    @property
    def change_cents(self) -> int:
        """What it adds to the stake; below zero, what it takes from it."""
        return self.stake_cents

    def clause_in(self, game: Game) -> str:
        return game.basics.wagers

    def transfers(self) -> Transfers:
        return (Transfer(account_of(self.session), WAGERS, self.stake_cents),)

    def figures(self) -> Figures:
        return (Figure("placed_cents", self.stake_cents, self.session),)


class WagerRaised(Event):
    traits = EventTraits(group="wagers")
    words = Words(
        "{session} raises {bet} by {by_cents} to {stake_cents}",
        "{session} 在 {bet} 加注 {by_cents} 至 {stake_cents}",
    )
    done: ClassVar = "raised"
    round: int
    session: str
    bet: str
    by_cents: int
    stake_cents: int

    @property
    def change_cents(self) -> int:
        return self.by_cents

    def clause_in(self, game: Game) -> str:
        return game.basics.wagers

    def transfers(self) -> Transfers:
        return (Transfer(account_of(self.session), WAGERS, self.by_cents),)

    def figures(self) -> Figures:
        return (Figure("placed_cents", self.by_cents, self.session),)


class WagerWithdrawn(Event):
    traits = EventTraits(group="wagers")
    words = Words("{session} withdraws {by_cents} from {bet}", "{session} 從 {bet} 撤回 {by_cents}")
    done: ClassVar = "withdrawn"
    round: int
    session: str
    bet: str
    by_cents: int
    stake_cents: int  # what stays

    @property
    def change_cents(self) -> int:
        return -self.by_cents

    def clause_in(self, game: Game) -> str:
        return game.basics.wagers

    def transfers(self) -> Transfers:
        return (Transfer(WAGERS, account_of(self.session), self.by_cents),)

    def figures(self) -> Figures:
        return (Figure("placed_cents", -self.by_cents, self.session),)


Wagered = WagerPlaced | WagerRaised | WagerWithdrawn
"""A stake changed."""


class BetsClosed(Event):
    traits = EventTraits(group="table", public=True, private=("announcement",), phase="closed")
    words = Words('"{announcement}"', "截止投注：「{announcement}」")
    round: int
    announcement: str

    def clause_in(self, game: Game) -> str:
        return game.announcements.close_clause


# Cards


class CardDealt(Event, omit_defaults=True):
    traits = EventTraits(group="cards", public=True, private=("why", "clause"), phase="dealing")
    words = Words("{slot} {card}: {why} [{clause}]", "派牌 {slot} {card}：{why} [{clause}]")
    round: int
    slot: str
    card: str
    why: Cause
    clause: str
    by_hand: bool = False  # keyed, where the reader did not read it


class TotalsAnnounced(Event):
    traits = EventTraits(group="cards", public=True)
    words = Words(
        "totals: player {player}, banker {banker} [{clause}]",
        "點數：閒 {player}，莊 {banker} [{clause}]",
    )
    round: int
    player: int
    banker: int
    clause: str


class CardQuestioned(Event):
    """A card that cannot be; the dealer is asked to scan again or to correct an earlier one."""

    traits = EventTraits(group="cards")
    words = Words("{card} cannot be: {why}", "{card} 不可能：{why}")
    round: int
    card: str
    why: Cause


class CardCorrected(Event):
    traits = EventTraits(
        group="decisions",
        heading="correction",
        public=True,
        private=("proposed_by", "approved_by", "clause"),
        phase="dealing",
    )
    surplus: ClassVar = ""
    round: int
    slot: str
    before: str
    after: str
    proposed_by: str = ""
    approved_by: str = ""
    clause: str = ""  # of the ground for which the round was stopped

    @property
    def card(self) -> str:
        return self.after

    @property
    def why(self) -> Cause:
        return Cause("corrected-from", (self.before,))

    @property
    def corrects(self) -> str:
        return f"{PLACES[self.slot]} was {self.before}, is {self.after}"

    def says(self) -> Words:
        cited = f" [{self.clause}]" if self.clause else ""
        said = Words("{} corrected from {} to {}{}", "{} 由 {} 更正為 {}{}")
        return said.format(self.slot, self.before, self.after, cited)


CardPlaced = CardDealt | CardCorrected
"""A card lies in a place where it did not lie before."""


# Irregularities


class IrregularityDeclared(Event):
    traits = EventTraits(
        group="decisions",
        heading="irregularity",
        public=True,
        private=("detail", "cards_left"),
        phase="stopped",
    )
    round: int
    ground: str
    clause: str
    detail: str | Cause  # in the words of who declared it, or why the program did
    cards_left: int | None = None

    def says(self) -> Words:
        said = Words("stopped: {} [{}]", "暫停：{} [{}]")
        if self.detail:
            said = Words("stopped: {} [{}] {}", "暫停：{} [{}] {}")
        return said.format(title_of(self.ground), self.clause, words_of(self.detail))


class IncidentRecorded(Event):
    """Something to be kept that voids nothing."""

    traits = EventTraits(group="decisions", heading="incident")
    ground: str
    clause: str
    why: Cause
    detail: str | Cause
    spoils_shoe: bool = False

    def says(self) -> Words:
        said = Words("incident: {}, {} [{}]", "事件：{}，{} [{}]")
        return said.format(title_of(self.ground), self.why.words, self.clause)


class RoundResumed(ByTwo):
    traits = EventTraits(
        group="decisions",
        heading="override",
        public=True,
        private=("proposed_by", "approved_by"),
        ends=("round", "resumed"),
    )
    words = Words("the round goes on", "該局繼續")
    round: int

    def reported(self) -> str:
        return f"round {self.round} goes on{self.by_two()}"


class RoundReconstructed(ByTwo):
    traits = EventTraits(
        group="decisions",
        heading="correction",
        public=True,
        private=("proposed_by", "approved_by"),
        ends=("round", "reconstructed"),
        phase="dealing",
    )
    round: int
    ground: str
    clause: str
    dealt: str  # the cards as they lay
    order: str  # in their true order
    surplus: str  # of these, not needed; burned

    @property
    def corrects(self) -> str:
        return f"reconstructed: {self.ground}"

    def says(self) -> Words:
        said = Words("reconstructed [{}]: {}; over: {}", "還原次序 [{}]：{}；多出：{}")
        over = Words(self.surplus) if self.surplus else Words("none", "無")
        return said.format(self.clause, self.order, over)


CardsCorrected = CardCorrected | RoundReconstructed
"""Cards lie otherwise than they were entered or dealt."""


# How a round ends


class RoundVoided(Event):
    traits = EventTraits(
        group="decisions",
        heading="void",
        public=True,
        private=("lines", "proposed_by", "approved_by", "reveal", "nonce"),
        apart="lines",
        anchors=True,
        beside=True,
        ends=("round", "void"),
        phase="void",
    )
    words = Words(
        "VOID [{clause}] {ground}: all wagers returned", "作廢 [{clause}] {ground}：退回全部投注"
    )
    settles: ClassVar = 0
    result: ClassVar = "VOID"
    cards: ClassVar = ""
    round: int
    ground: str
    clause: str
    lines: tuple[Line, ...]
    proposed_by: str = ""
    approved_by: str = ""
    reveal: str = ""  # of a continuous virtual shoe: the cards committed to, and the nonce
    nonce: str = ""

    @property
    def outcome(self) -> str:
        return f"void: {self.ground}"

    def reported(self) -> str:
        cents = dollars(sum(line.stake_cents for line in self.lines))
        ground = f"[{self.clause}] {title_of(self.ground).en}"
        return f"round {self.round} {ground}: {cents} returned{self.by_two()}"

    def revealed(self) -> tuple[str, str]:
        return self.reveal, self.nonce

    def transfers(self) -> Transfers:
        return _paid_out(self.lines)

    def figures(self) -> Figures:
        found = [Figure("voids", 1)]
        for line in self.lines:
            found.append(Figure("voided_cents", line.stake_cents, line.session))
            found.append(Figure("set_off_cents", line.set_off_cents, line.session))
        return tuple(found)


class RoundSettled(Event):
    traits = EventTraits(
        group="table",
        public=True,
        private=("lines", "reveal", "nonce"),
        apart="lines",
        anchors=True,
        beside=True,
        ends=("round", "settled"),
        phase="settled",
    )
    words = Words(
        "settled: player {player}, banker {banker}, result {result}",
        "結算：閒 {player}，莊 {banker}，結果 {result}",
    )
    settles: ClassVar = 1
    clause: ClassVar = ""
    outcome: ClassVar = "settled"
    round: int
    result: str  # as the roads write it
    player: int
    banker: int
    cards: str
    lines: tuple[Line, ...]
    reveal: str = ""
    nonce: str = ""

    def clause_in(self, game: Game) -> str:
        return game.basics.tie if self.result.startswith("T") else game.basics.winner

    def revealed(self) -> tuple[str, str]:
        return self.reveal, self.nonce

    def transfers(self) -> Transfers:
        return _paid_out(self.lines)

    def figures(self) -> Figures:
        found = [Figure("rounds", 1)]
        for line in self.lines:
            found += _settled_figures(line, sign=1)
            found.append(Figure("set_off_cents", line.set_off_cents, line.session))
        return tuple(found)


class RoundReopened(Event):
    traits = EventTraits(
        group="decisions",
        heading="reopening",
        public=True,
        private=("recoveries", "proposed_by", "approved_by", "detail"),
        apart="recoveries",
        ends=("round", "reopened"),
        phase="stopped",
    )
    settles: ClassVar = -1
    result: ClassVar = ""
    cards: ClassVar = ""
    round: int
    ground: str
    clause: str
    recoveries: tuple[Recovery, ...]
    proposed_by: str
    approved_by: str
    detail: str = ""

    @property
    def lines(self) -> tuple[Line, ...]:
        """Of the settlement that is taken back."""
        return tuple(recovery.line for recovery in self.recoveries)

    @property
    def outcome(self) -> str:
        return f"reopened: the settlement is taken back, {title_of(self.ground).en}"

    def says(self) -> Words:
        said = Words("reopened: {} [{}]{}", "重開該局：{} [{}]{}")
        return said.format(title_of(self.ground), self.clause, f" {self.detail}".rstrip())

    def reported(self) -> str:
        short = sum(recovery.unrecovered_cents for recovery in self.recoveries)
        lost = f"; not recovered {dollars(short)}" if short else ""
        ground = f"[{self.clause}] {title_of(self.ground).en}"
        return f"round {self.round} {ground}{lost}{self.by_two()}"

    def transfers(self) -> Transfers:
        """The settlement backwards; what a session no longer has comes from `unrecovered`."""
        found = list[Transfer]()
        for recovery in self.recoveries:
            found += _taken_back(recovery.line, recovery.unrecovered_cents)
        return tuple(found)

    def figures(self) -> Figures:
        found = [Figure("rounds", -1), Figure("reopened", 1)]
        for recovery in self.recoveries:
            line = recovery.line
            found += _settled_figures(line, sign=-1)
            found.append(Figure("unrecovered_cents", recovery.unrecovered_cents, line.session))
        return tuple(found)


Outcome = RoundSettled | RoundVoided
"""A round is over."""

Reckoning = RoundSettled | RoundVoided | RoundReopened
"""Lines are paid, returned or taken back: `settles` is 1, 0 or -1."""


def is_void(event: Event) -> TypeGuard[RoundVoided]:
    return isinstance(event, RoundVoided)


def _paid_out(lines: Iterable[Line]) -> Transfers:
    found = list[Transfer]()
    for line in lines:
        if not line.returned_cents:
            found.append(Transfer(WAGERS, BANK, line.stake_cents))
            continue
        owed, account = line.set_off_cents, account_of(line.session)
        for from_, cents in _paid_from(line):
            set_off = min(owed, cents)
            owed -= set_off
            if set_off:
                found.append(Transfer(from_, UNRECOVERED, set_off))
            if cents > set_off:
                found.append(Transfer(from_, account, cents - set_off))
    return tuple(found)


def _taken_back(line: Line, short: int) -> list[Transfer]:
    """A line backwards; `short` is what the session no longer has."""
    if not line.returned_cents:
        return [Transfer(BANK, WAGERS, line.stake_cents)]
    found, account = list[Transfer](), account_of(line.session)
    # backwards: bonus and winnings are missing first, the stake last
    for from_, cents in reversed(_paid_from(line)):
        missing = min(short, cents)
        short -= missing
        if missing:
            found.append(Transfer(UNRECOVERED, from_, missing))
        if cents > missing:
            found.append(Transfer(account, from_, cents - missing))
    return found


def _paid_from(line: Line) -> list[tuple[str, int]]:
    """Where the parts of what a line pays come from: stake, winnings, bonus."""
    parts = ((WAGERS, line.returned_cents), (BANK, line.winnings_cents), (BONUS, line.bonus_cents))
    return [part for part in parts if part[1]]


def _settled_figures(line: Line, *, sign: int) -> list[Figure]:
    """A settled line, or with -1 its taking back."""
    parts = {
        "lost_cents": 0 if line.returned_cents else line.stake_cents,
        "returned_cents": line.returned_cents,
        "winnings_cents": line.winnings_cents,
        "bonus_cents": line.bonus_cents,
    }
    return [Figure(name, sign * cents, line.session) for name, cents in parts.items()]
