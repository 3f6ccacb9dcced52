"""Events of a table and its shoe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from puntobanco.events.event import Event
from puntobanco.events.record import Cards, Clock, Dealing, Limits, Source
from puntobanco.rules.money import format_cents
from puntobanco.rules.text import Words
from puntobanco.traits import EventTraits


class TableOpened(Event):
    """With the game itself, as data: whoever reads the journal later needs nothing else to know
    what was played.
    """

    traits: ClassVar = EventTraits(
        group="table",
        heading="table",
        public=True,
        private=("definition", "limits", "clock", "cards", "source"),
        signs=True,
        carried=True,
        phase="waiting",
        resync=True,
    )
    game: str
    digest: str  # of the definition's structure
    definition: dict[str, object]  # structure and words
    limits: Limits
    clock: Clock
    cards: Cards = Cards()
    source: str = ""  # a designer's own file, to be read and never run; none for a built-in game

    def says(self) -> Words:
        digest = self.digest[:12]
        return Words(
            f"the table is opened with {self.game}, definition {digest}",
            f"賭枱以 {self.game} 開枱，定義 {digest}",
        )


def opening_of(events: Iterable[Event]) -> TableOpened | None:
    """The opening of a table among the events of an entry."""
    return next((event for event in events if isinstance(event, TableOpened)), None)


class LimitsChanged(Event):
    traits: ClassVar = EventTraits(group="table", heading="limits", public=True)
    limits: Limits

    def says(self) -> Words:
        parts = list[Words]()
        for bet, limits in self.limits.bets.items():
            least, most = format_cents(limits.min_cents), format_cents(limits.max_cents)
            if limits.closed:
                parts.append(Words(f"{bet} closed", f"{bet} 停止接受"))
            else:
                parts.append(Words(f"{bet} {least} to {most}", f"{bet} {least} 至 {most}"))
        load = format_cents(self.limits.staff_load_cents)
        return Words(
            f"{', '.join(part.en for part in parts)}; staff load {load}",
            f"{'，'.join(part.zh for part in parts)}；職員增值 {load}",
        )


class ClockChanged(Event):
    traits: ClassVar = EventTraits(group="table", heading="clock of a table")
    clock: Clock

    def says(self) -> Words:
        clock, closes = self.clock, Words("")
        if clock.closes_by_clock:
            closes = Words(", bets of a dealer close by the clock", "，莊荷枱由計時截止下注")
        return Words(
            f"betting {clock.betting_ms} ms, guard {clock.guard_ms}, card {clock.card_ms}, pause "
            f"{clock.pause_ms}{closes.en}",
            f"下注 {clock.betting_ms} 毫秒，截止後 {clock.guard_ms}，每張牌 {clock.card_ms}，局間 "
            f"{clock.pause_ms}{closes.zh}",
        )


class CardsChanged(Event):
    """It holds from the next shoe on."""

    traits: ClassVar = EventTraits(group="table", heading="cards of a table")
    cards: Cards

    def says(self) -> Words:
        cards = self.cards
        burn = "by the first card" if cards.burn == "first-card" else str(cards.burn)
        is_shuffler = cards.source == "continuous"
        parts = [
            "a shuffler" if is_shuffler else "a shoe",
            f"{cards.decks} decks" if cards.decks else "the game's decks",
            f"{cards.dealing}, cut {cards.cut}, burn {burn}",
            "with set id and count" if cards.count_shoes else "",
            f"roads of {cards.road_rounds} rounds" if is_shuffler else "",
        ]
        source = "洗牌機" if is_shuffler else "牌靴"
        return Words(
            f"new shoes: {', '.join(filter(None, parts))}",
            f"新牌靴：{source}，{cards.decks or '預設'} 副，切牌後 {cards.cut} 張",
        )


class TableHalted(Event):
    """No new round opens; the one in play ends by rule."""

    traits: ClassVar = EventTraits(group="table", heading="stop", public=True, carried=True)
    reason: str
    by_floor: bool = False  # with the whole floor, and restarted with it
    closes: bool = False  # and the table closes when that round is over

    def says(self) -> Words:
        how = (
            Words("closes after its round", "此局後關閉")
            if self.closes
            else Words("halted", "暫停")
        )
        return Words(f"table {how.en}: {self.reason}", f"賭枱{how.zh}：{self.reason}")


class TableRestarted(Event):
    traits: ClassVar = EventTraits(group="table", heading="stop", public=True, carried=True)

    def says(self) -> Words:
        return Words("table goes on", "賭枱繼續")


class TableClosed(Event):
    traits: ClassVar = EventTraits(
        group="table",
        heading="table",
        public=True,
        signs=True,
        seals=True,
        ends=("round", "closed"),
        phase="down",
        resync=True,
    )
    reason: str

    def says(self) -> Words:
        return Words(f"closed: {self.reason}", f"關枱：{self.reason}")


# The shoe


class ShoeStarted(Event):
    traits: ClassVar = EventTraits(
        group="table", public=True, private=("source", "dealing", "cut", "burn", "set_id")
    )
    shoe: int
    source: Source
    dealing: Dealing
    decks: int
    cut: int
    burn: int  # cards that left unseen
    commitment: str = ""  # of a virtual shoe; a continuous one commits with each round
    set_id: str = ""  # of a dealer's cards
    first_card: str = ""  # turned and burned, seen by everybody, before those

    def says(self) -> Words:
        parts = [
            f"{self.decks} decks, {self.dealing}",
            "a shuffler" if self.source == "continuous" else "",
            f"set {self.set_id}" if self.set_id else "",
            f"{self.first_card} turned" if self.first_card else "",
            f"{self.burn} burned unseen" if self.burn else "",
            f"commitment {self.commitment[:12]}" if self.commitment else "",
        ]
        return Words(
            f"shoe {self.shoe}: {', '.join(filter(None, parts))}",
            f"第 {self.shoe} 靴：{self.decks} 副，暗棄 {self.burn} 張",
        )


class ShoeCounted(Event):
    traits: ClassVar = EventTraits(group="table", heading="shoe count")
    shoe: int
    counted: int
    expected: int
    set_id: str = ""

    def says(self) -> Words:
        of_set = f" (set {self.set_id})" if self.set_id else ""
        return Words(
            f"shoe {self.shoe}{of_set}: {self.counted} cards counted, {self.expected} expected",
            f"第 {self.shoe} 靴：點算 {self.counted} 張，應為 {self.expected} 張",
        )

    def reported(self) -> str:
        return self.says().en if self.counted != self.expected else ""


class LastHandCalled(Event):
    """The cut card is out: the shoe is changed after this round."""

    traits: ClassVar = EventTraits(group="cards", public=True)
    round: int
    shoe: int
    clause: str

    def says(self) -> Words:
        return Words(
            f"the last hand of shoe {self.shoe} is called: the cut card is out [{self.clause}]",
            f"第 {self.shoe} 靴最後一局：切牌已出 [{self.clause}]",
        )


class CardsBurned(Event):
    """Cards that left the shoe without entering a round: these, and so many that nobody saw."""

    traits: ClassVar = EventTraits(group="decisions", heading="burned cards")
    shoe: int
    cards: str
    unseen: int
    detail: str
    proposed_by: str
    approved_by: str

    def says(self) -> Words:
        seen = f"{self.cards} and " if self.cards else ""
        return Words(
            f"shoe {self.shoe}: {seen}{self.unseen} unseen burned {self.detail}".rstrip(),
            f"第 {self.shoe} 靴棄牌：{self.cards or '無明牌'}，另暗棄 {self.unseen} 張",
        )

    def reported(self) -> str:
        return self.says().en + self.by_two()


class ShoeEnded(Event):
    traits: ClassVar = EventTraits(
        group="table", public=True, signs=True, seals=True, beside=True, ends=("shoe", "shoe")
    )
    shoe: int
    order: str = ""  # of a virtual shoe, from its first card to its last
    nonce: str = ""

    def says(self) -> Words:
        how = Words(", its cards are revealed", "，公開全部牌序") if self.order else Words("")
        return Words(f"shoe {self.shoe} is over{how.en}", f"第 {self.shoe} 靴結束{how.zh}")

    def revealed(self) -> tuple[str, str]:
        return self.order, self.nonce
