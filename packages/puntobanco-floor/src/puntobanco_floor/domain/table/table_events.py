"""Events of a table and its shoe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from puntobanco.base.money import dollars
from puntobanco.base.words import Words, join
from puntobanco.rules.causes import Cause, words_of
from puntobanco_floor.domain.event import ByTwo, Event, EventTraits
from puntobanco_floor.domain.snapshots import Added
from puntobanco_floor.domain.stream_names import bet_words
from puntobanco_proof.entry.record import Record

# What a table is set to. Cards are codes, money is whole cents, times are milliseconds since 1970.
# A field that is added later needs a default: journals of earlier versions still read.

Source = Literal["shoe", "continuous"]
Dealing = Literal["virtual", "physical"]
Burn = int | Literal["first-card"]
"""So many cards unseen; or the first card is turned, and as many as its points follow (0: ten)."""


class BetLimits(Record):
    """What one wager on a bet may be. A closed bet takes none and keeps its amounts."""

    min_cents: int
    max_cents: int
    step_cents: int
    closed: bool = False


class Limits(Record):
    """What a table takes. `patron_max_cents`: stakes in a round, all bets and sessions together."""

    bets: dict[str, BetLimits]
    patron_max_cents: int
    exposure_max_cents: int
    differential_cents: int | None = None  # how far stakes on player and banker may lie apart
    staff_load_cents: int = 0  # a staff load above this needs a second person
    # more than this is paid by hand, by two people, and never as a voucher; 0: no such limit
    hand_pay_cents: int = 0
    # a buy-in above this needs a second person; 0: no such limit
    large_buy_in_cents: int = 1_000_000
    seats: Added[int] = 0  # sessions at the table at once; 0: no such limit


class Clock(Record):
    """A table's times; zero means that a person decides."""

    betting_ms: int = 0
    guard_ms: int = 0  # between "No more bets" and the first card
    card_ms: int = 0  # between cards, where the server deals
    pause_ms: int = 0  # between rounds, where the server deals
    automatic: bool = False  # the server deals, settles and opens by itself
    new_shoes: bool = False  # and changes the shoe by itself
    # a dealer's bets too; else the time there is a guide, and the dealer closes
    closes_by_clock: bool = False
    # from the fourth card on, so that patrons can squeeze: as long the table waits after each
    squeeze_ms: Added[int] = 0


class Cards(Record):
    """What a new shoe of the table is by default: house procedure (readings 28 to 30)."""

    # or an electronic shuffler that shuffles without end, where the rulebook has one
    source: Source = "shoe"
    dealing: Dealing = "virtual"
    decks: int = 0  # 0: the game's default
    cut: int = 14  # cards behind the cut card
    burn: Burn = 0
    count_shoes: bool = False  # a dealer's shoe comes with its set id and a count of all its cards
    # of a shuffler: its set is changed, and the roads start afresh, after so many
    road_rounds: int = 100


ChangeKind = Literal["limits", "clock", "cards"]
"""What of a table can be changed: it has one value of each."""


class ScheduledChange(Record):
    """A change that waits for the end of the round: who asked, when, and what for. Only the field
    that is named like its kind has a value.
    """

    kind: ChangeKind
    by: str
    at: int
    limits: Limits | None = None
    clock: Clock | None = None
    cards: Cards | None = None


# Events of the table


class TableOpened(Event):
    """With the game itself, as data: a reader of the journal needs nothing else."""

    traits = EventTraits(
        group="table",
        heading="table",
        public=True,
        private=("definition", "limits", "clock", "cards", "source"),
        anchors=True,
        carried=True,
        phase="waiting",
    )
    words = Words(
        "the table is opened with {game}, definition {digest:.12}",
        "賭枱開啟：{game}，定義 {digest:.12}",
    )
    game: str
    digest: str  # of the definition's structure
    definition: dict[str, object]  # structure and words
    limits: Limits
    clock: Clock
    cards: Cards = Cards()
    source: str = ""  # a designer's own file, to be read and never run; none for a built-in game


def opening_of(events: Iterable[Event]) -> TableOpened | None:
    return next((event for event in events if isinstance(event, TableOpened)), None)


class LimitsChanged(Event):
    traits = EventTraits(
        group="table", heading="limits", public=True, private=("limits", "asked_by")
    )
    kind: ClassVar[ChangeKind] = "limits"
    limits: Limits
    asked_by: str = ""  # in the round before, where it was scheduled

    def says(self) -> Words:
        parts = list[Words]()
        for bet, limits in self.limits.bets.items():
            said = Words("{} closed", "{}已關閉") if limits.closed else _FROM_TO
            least, most = dollars(limits.min_cents), dollars(limits.max_cents)
            parts.append(said.format(bet_words(bet), least, most))
        load = dollars(self.limits.staff_load_cents)
        bets = join(parts, en=", ", zh="，")
        said = Words("{}; staff load {}", "{}；職員存入 {}").format(bets, load)
        return _with_asker(said, self.asked_by)


_FROM_TO = Words("{} {} to {}", "{} {} 至 {}")


def _with_asker(said: Words, asked_by: str) -> Words:
    """A change, and who asked for it in the round before."""
    if not asked_by:
        return said
    return Words("{}; asked for by {}", "{}；由 {} 要求").format(said, asked_by)


class ClockChanged(Event):
    traits = EventTraits(
        group="table", heading="clock of a table", public=True, private=("clock", "asked_by")
    )
    kind: ClassVar[ChangeKind] = "clock"
    clock: Clock
    asked_by: str = ""  # in the round before, where it was scheduled

    def says(self) -> Words:
        clock, closes = self.clock, Words("")
        if clock.closes_by_clock:
            closes = Words(
                ", bets of a dealer close by the clock", "，荷官派牌的賭枱由計時截止投注"
            )
        squeeze = Words("")
        if clock.squeeze_ms:
            squeeze = Words(f", squeeze {clock.squeeze_ms}", f"，咪牌 {clock.squeeze_ms}")
        said = Words(
            "betting {} ms, guard {}, card {}, pause {}{}{}",
            "投注 {} 毫秒，截止後 {}，每張牌 {}，局間 {}{}{}",
        )
        times = (clock.betting_ms, clock.guard_ms, clock.card_ms, clock.pause_ms)
        return _with_asker(said.format(*times, squeeze, closes), self.asked_by)


class CardsChanged(Event):
    """It holds from the next shoe on."""

    traits = EventTraits(group="table", heading="cards of a table")
    kind: ClassVar[ChangeKind] = "cards"
    cards: Cards
    asked_by: str = ""  # in the round before, where it was scheduled

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
        new = ", ".join(filter(None, parts))
        decks = cards.decks or "預設"
        said = Words(f"new shoes: {new}", f"新牌靴：{source}，{decks} 副，切牌後 {cards.cut} 張")
        return _with_asker(said, self.asked_by)


class ChangeScheduled(Event):
    """Asked for while a round is in play: the clock makes the change when that is over."""

    traits = EventTraits(group="table", heading="scheduled change")
    change: ScheduledChange

    def says(self) -> Words:
        asked = self.change
        change: Event
        if asked.limits is not None:
            change = LimitsChanged(limits=asked.limits)
        elif asked.clock is not None:
            change = ClockChanged(clock=asked.clock)
        else:
            change = CardsChanged(cards=asked.cards or Cards())
        said = Words("after this round, {}: {}", "本局結束後更改{}：{}")
        return said.format(CHANGES[asked.kind], change.says())


class ChangeDropped(Event):
    """A scheduled change is not made: it was replaced or withdrawn, or the table closed first."""

    traits = EventTraits(group="table", heading="scheduled change")
    kind: ChangeKind
    asked_by: str
    why: Cause

    def says(self) -> Words:
        said = Words(
            "the change of {} that {} asked for is not made: {}", "{}不作更改（{} 所要求）：{}"
        )
        return said.format(CHANGES[self.kind], self.asked_by, self.why.words)


CHANGES: dict[ChangeKind, Words] = {
    "limits": Words("limits", "限額"),
    "clock": Words("clock", "計時"),
    "cards": Words("cards of new shoes", "新靴設定"),
}


class TableHalted(Event):
    """No new round opens; the one in play ends by rule."""

    traits = EventTraits(
        group="table", heading="stop", public=True, private=("reason",), carried=True
    )
    reason: str | Cause
    by_floor: bool = False  # with the whole floor, and restarted with it
    closes: bool = False  # and the table closes when that round is over

    def says(self) -> Words:
        said = Words("table halted: {}", "賭枱暫停：{}")
        if self.closes:
            said = Words("table closes after its round: {}", "賭枱此局後關閉：{}")
        return said.format(words_of(self.reason))


class TableRestarted(Event):
    traits = EventTraits(group="table", heading="stop", public=True, carried=True)
    words = Words("table goes on", "賭枱繼續")


class TableClosed(Event):
    traits = EventTraits(
        group="table",
        heading="table",
        public=True,
        private=("reason",),
        anchors=True,
        seals=True,
        ends=("round", "closed"),
        phase="down",
    )
    words = Words("closed: {reason}", "賭枱關閉：{reason}")
    reason: str | Cause


# The shoe


class ShoeStarted(Event):
    """A virtual shoe names here who mixes it, before any of them is asked, with their keys and the
    log's origin: a reader of the journal can check their answers.
    """

    traits = EventTraits(
        group="table",
        public=True,
        private=("source", "dealing", "cut", "burn", "set_id", "mix_keys", "burns"),
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
    mix: tuple[str, ...] = ()  # the witnesses that mix it, by name; none: the house alone
    mix_keys: tuple[str, ...] = ()  # of each in turn, its public key for the mix, in base64
    log: str = ""  # the origin of the log in which they must see this entry
    burns: Burn = 0  # of a shoe that is mixed: what is burned then

    def says(self) -> Words:
        parts = [
            f"{self.decks} decks, {self.dealing}",
            "a shuffler" if self.source == "continuous" else "",
            f"set {self.set_id}" if self.set_id else "",
            f"{self.first_card} turned" if self.first_card else "",
            f"{self.burn} burned unseen" if self.burn else "",
            f"commitment {self.commitment[:12]}" if self.commitment else "",
            f"to be mixed by {', '.join(self.mix)}" if self.mix else "",
        ]
        said = Words("shoe {0}: {3}", "第 {0} 靴：{1} 副，暗棄 {2} 張")
        if self.mix:
            said = Words("shoe {0}: {3}", "第 {0} 靴：{1} 副，待見證人混洗：{4}")
        named = "、".join(self.mix)
        told = ", ".join(filter(None, parts))
        return said.format(self.shoe, self.decks, self.burn, told, named)


class ShoeMixed(Event):
    """Every witness that the shoe named has answered: its order follows from the committed one and
    the seed.
    """

    traits = EventTraits(group="table", public=True, shown=True, private=("burn",))
    shoe: int
    signatures: dict[str, str]  # by the name of each witness, in hexadecimal
    seed: str
    first_card: str = ""  # turned and burned, seen by everybody
    burn: int = 0  # cards that left unseen after it

    def says(self) -> Words:
        names = sorted(self.signatures)
        said = Words("shoe {0} is mixed by {1}{3}", "第 {0} 靴由 {2} 混洗{4}")
        turned = Words("")
        if self.first_card:
            turned = Words(", {} turned", "，翻開 {}").format(self.first_card)
        by, by_zh = ", ".join(names), "、".join(names)
        return said.format(self.shoe, by, by_zh, turned.en, turned.zh)


class ShoeCounted(Event):
    traits = EventTraits(group="table", heading="shoe count")
    shoe: int
    counted: int
    expected: int
    set_id: str = ""

    def says(self) -> Words:
        of_set = f" (set {self.set_id})" if self.set_id else ""
        said = Words(
            "shoe {0}{3}: {1} cards counted, {2} expected", "第 {0} 靴：點算 {1} 張，應為 {2} 張"
        )
        return said.format(self.shoe, self.counted, self.expected, of_set)

    def reported(self) -> str:
        return self.says().en if self.counted != self.expected else ""


class LastHandCalled(Event):
    """The cut card is out: the shoe is changed after this round."""

    traits = EventTraits(group="cards", public=True)
    words = Words(
        "the last hand of shoe {shoe} is called: the cut card is out [{clause}]",
        "第 {shoe} 靴最後一局：切牌已出 [{clause}]",
    )
    round: int
    shoe: int
    clause: str


class CardsBurned(ByTwo):
    """Cards that left the shoe without entering a round: these, and so many that nobody saw."""

    traits = EventTraits(group="decisions", heading="burned cards")
    shoe: int
    cards: str
    unseen: int
    detail: str

    def says(self) -> Words:
        seen = f"{self.cards} and " if self.cards else ""
        return Words(
            f"shoe {self.shoe}: {seen}{self.unseen} unseen burned {self.detail}".rstrip(),
            f"第 {self.shoe} 靴棄牌：{self.cards or '無明牌'}，另暗棄 {self.unseen} 張",
        )


class ShoeEnded(Event):
    traits = EventTraits(
        group="table",
        heading="abandoned shoe",
        public=True,
        anchors=True,
        seals=True,
        beside=True,
        ends=("shoe", "shoe"),
    )
    shoe: int
    order: str = ""  # of a virtual shoe, from its first card to its last, as committed to
    nonce: str = ""
    abandoned: bool = False  # witnesses were to mix it, and no round was played from it

    def says(self) -> Words:
        said = Words("shoe {} is over", "第 {} 靴結束")
        if self.abandoned:
            said = Words(
                "shoe {} is abandoned: witnesses were to mix it, and no round was played from it",
                "第 {} 靴棄用：由見證人混洗的牌靴，未曾開局",
            )
        elif self.order:
            said = Words("shoe {} is over, its cards are revealed", "第 {} 靴結束，公開全部牌序")
        return said.format(self.shoe)

    def reported(self) -> str:
        return self.says().en if self.abandoned else ""

    def revealed(self) -> tuple[str, str]:
        return self.order, self.nonce


# Who shuffled a shoe, among the events of entries


ShoeChange = ShoeStarted | ShoeMixed | ShoeEnded
"""From one shoe, or one order of its cards, to another."""


def start_of(events: Iterable[Event], shoe: int) -> ShoeStarted | None:
    found = (event for event in events if isinstance(event, ShoeStarted))
    return next((event for event in found if event.shoe == shoe), None)


def mix_in(events: Iterable[Event], shoe: int) -> ShoeMixed | None:
    found = (event for event in events if isinstance(event, ShoeMixed))
    return next((event for event in found if event.shoe == shoe), None)


def end_of(events: Iterable[Event], shoe: int) -> ShoeEnded | None:
    """Of a shoe, by its number, with its reveal."""
    found = (event for event in events if isinstance(event, ShoeEnded))
    return next((event for event in found if event.shoe == shoe), None)


def shoe_over(event: Event) -> int:
    """The number of the shoe that an event ends; 0: it ends none."""
    return event.shoe if isinstance(event, ShoeEnded) else 0


def shuffled_by(event: Event) -> Literal["", "alone", "named", "mixed", "abandoned"]:
    """Return what an event says of a virtual shoe's order: the house alone shuffled it, it names
    witnesses to mix it, they mixed it, or they did not in time.
    """
    if isinstance(event, ShoeStarted):
        if (event.dealing, event.source) != ("virtual", "shoe"):
            return ""
        return "named" if event.mix else "alone"
    if isinstance(event, ShoeMixed):
        return "mixed"
    return "abandoned" if isinstance(event, ShoeEnded) and event.abandoned else ""
