"""Irregularities: the grounds the rulebooks name, what each requires, and what follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from puntobanco.base.words import Words
from puntobanco.rules.cards import Card, codes
from puntobanco.rules.causes import Cause
from puntobanco.rules.refusals import GroundDoesNotApply, UnknownGround

if TYPE_CHECKING:
    from puntobanco.rules.game import Game
    from puntobanco.rules.round import Round

Stage = Literal["betting", "initial-deal", "third-card", "settled"]
STAGES: tuple[Stage, ...] = ("betting", "initial-deal", "third-card", "settled")
"""Where a round is. While bets are open no card is called for; from the initial deal on, one is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Something that goes wrong at a table."""

    id: str
    title: Words
    # counts until bets open again, so also after this round was paid
    before_next_round: bool = False
    reconstructable: bool = False  # voids only if the cards cannot be put back in order
    initial_deal_only: bool = False
    card_called_for: bool = False  # voids only while a card is called for and the shoe has none
    spoils_shoe: bool = False  # the cards cannot be played on with
    instead: str = ""  # what to do where a rulebook does not name this ground
    regardless: Words | None = None  # what makes no difference

    def __call__(self, clause: str) -> Irregularity:
        return Irregularity(self, clause)

    @property
    def requires(self) -> tuple[Words, ...]:
        """What must be so before anything follows."""
        found = []
        if self.before_next_round:
            found.append(Words("noticed before the next round opens", "下一局開始前發現"))
        if self.initial_deal_only:
            found.append(Words("during the initial deal", "派首四張牌期間"))
        if self.card_called_for:
            found.append(Words("a card is called for and the shoe has none", "須派牌而牌靴已無牌"))
        if not found:
            found.append(Words("a round is in play", "牌局進行中"))
        if self.regardless:
            found.append(self.regardless)
        return tuple(found)

    @property
    def needs_physical_cards(self) -> bool:
        """Whether it can happen only to cards that people handle, never where the server deals."""
        about_dealing = self.reconstructable or self.initial_deal_only or self.card_called_for
        return about_dealing or self.before_next_round or self.spoils_shoe

    @property
    def follows(self) -> Words:
        """What is done about it."""
        void = Words(
            "the round is void, wagers are returned, earlier results stand",
            "該局作廢，退回投注，先前結果有效",
        )
        if self.spoils_shoe:
            void = Words("{}, the shoe is changed", "{}，更換牌靴").format(void)
        if not self.reconstructable:
            return void
        return Words(
            "if the order can be reconstructed, the cards are laid out again by rule and settled; "
            "otherwise {}",
            "能還原牌序者，按原定牌序還原該局並結算；否則{}",
        ).format(void)


@dataclass(frozen=True, slots=True)
class Irregularity:
    """A ground as one rulebook has it."""

    ground: Ground
    clause: str


FOREIGN_CARD = Ground(
    id="foreign-card",
    title=Words("a card that does not belong to the set", "發現外來牌"),
    spoils_shoe=True,
)
WRONG_DECK_COUNT = Ground(
    id="wrong-deck-count",
    title=Words("cards missing from the set, or too many in it", "整套牌張數短缺或多出"),
    spoils_shoe=True,
    instead="no clause voids a round for it: record an incident, retire the shoe and escalate "
    "(reading 26)",
)
WRONG_CARD_COUNT = Ground(
    id="wrong-card-count",
    title=Words("a hand was dealt the wrong number of cards", "派牌張數錯誤"),
    before_next_round=True,
    reconstructable=True,
)
CARDS_DRAWN_TOGETHER = Ground(
    id="cards-drawn-together",
    title=Words("two or more cards drawn together", "同時抽出兩張或以上的牌"),
    reconstructable=True,
    initial_deal_only=True,
    instead="reconstruct the order, else rule on the wrong number of cards (reading 27)",
)
ORDER_ALTERED = Ground(
    id="order-altered",
    title=Words("the order of the shoe was altered", "牌靴內的牌序被改動"),
    reconstructable=True,
    # every further round from it would be dealt from the altered order (reading 43)
    spoils_shoe=True,
    regardless=Words("whether or not cards were seen", "不論牌面有否外露"),
    instead="reconstruct the order, else rule on the wrong number of cards (reading 27)",
)
INSUFFICIENT_CARDS = Ground(
    id="insufficient-cards",
    title=Words("the shoe has too few cards to finish the round", "牌靴餘牌不足，無法完成該局"),
    card_called_for=True,
)
GROUNDS = (
    FOREIGN_CARD,
    WRONG_DECK_COUNT,
    WRONG_CARD_COUNT,
    CARDS_DRAWN_TOGETHER,
    ORDER_ALTERED,
    INSUFFICIENT_CARDS,
)

# Grounds of the house: no rulebook has them, a reading does, and no game's definition names them.
MALFUNCTION = Irregularity(
    Ground(id="malfunction", title=Words("a malfunction of the equipment", "設備故障")),
    clause="reading 31",
)
MISREAD_CARD = Irregularity(
    Ground(
        id="misread-card",
        title=Words("a card was entered otherwise than it lies", "輸入的牌與實際的牌不符"),
        before_next_round=True,
        reconstructable=True,
        instead="it is a ground of the house (reading 45): correct the card at the table",
    ),
    clause="reading 45",
)
OF_THE_HOUSE = (MALFUNCTION, MISREAD_CARD)

_KNOWN = {ground.id: ground for ground in (*GROUNDS, *(i.ground for i in OF_THE_HOUSE))}


def title_of(ground_id: str) -> Words:
    """What patrons and dealers are told; an id that nobody knows stands for itself."""
    ground = _KNOWN.get(ground_id)
    return ground.title if ground else Words(ground_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the table knows when a ground is declared."""

    round: Round  # as it began and as its cards were dealt
    stage: Stage
    next_round_open: bool = False
    corrected: tuple[Card, ...] | None = None  # the cards in their true order, if it can be told
    # in the shoe, as counted by hand or by the table; None: as the round's shoe has it
    cards_left: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What follows: the round is void, is dealt again in its true order, or was over already."""

    follows: Literal["void", "reconstruct", "incident"]
    ground: Ground
    clause: str
    why: Words
    cause: Cause | None = None  # of an incident, as a journal keeps it
    round: Round | None = None  # after reconstruction: the cards dealt again by rule
    surplus: tuple[Card, ...] = ()  # cards of the true order that this round did not need


def known_ground(game: Game, ground_id: str) -> Ground | None:
    """Return a ground that this game names, or else one that another game or the house does."""
    named = (each.ground for each in game.irregularities if each.ground.id == ground_id)
    return next(named, _KNOWN.get(ground_id))


def ground_in(game: Game, ground_id: str) -> Irregularity:
    """The ground as this game's rulebook has it; one it does not name is refused."""
    for irregularity in game.irregularities:
        if irregularity.ground.id == ground_id:
            return irregularity
    named = ", ".join(f"{i.ground.id} [{i.clause}]" for i in game.irregularities) or "none"
    reason = f"the rules of {game.id} have no ground {ground_id!r}; they name {named}"
    known = _KNOWN.get(ground_id)
    if known and known.instead:
        reason += f"; {known.instead}"
    raise UnknownGround(reason)


def rule_on(game: Game, ground_id: str, evidence: Evidence) -> Ruling:
    """Decide an irregularity. Earlier results stand whatever follows."""
    irregularity = ground_in(game, ground_id)
    ground = irregularity.ground
    ruling = partial(Ruling, ground=ground, clause=irregularity.clause)
    _verify(game, irregularity, evidence)
    is_over = evidence.stage == "settled" or evidence.next_round_open
    if is_over and not ground.before_next_round:
        cause = _nothing_to_void(ground, evidence)
        return ruling(follows="incident", why=cause.words, cause=cause)
    if evidence.corrected is not None:
        round_, surplus = redeal(evidence.round, evidence.corrected)
        why = Words(
            "the intended order is known: the cards are laid out again by rule",
            "牌序可還原：按原定牌序還原該局",
        )
        return ruling(follows="reconstruct", why=why, round=round_, surplus=surplus)
    why = Words(
        "{}: the round is void, every wager is returned, earlier results stand",
        "{}：該局作廢，退回全部投注，先前結果有效",
    ).format(ground.title)
    return ruling(follows="void", why=why)


def _nothing_to_void(ground: Ground, evidence: Evidence) -> Cause:
    if evidence.next_round_open:
        return Cause("earlier-round-stands")
    if ground.spoils_shoe:
        return Cause("nothing-to-void-shoe-changed")
    return Cause("nothing-to-void-recorded")


def _verify(game: Game, irregularity: Irregularity, evidence: Evidence) -> None:
    ground = irregularity.ground
    round_ = evidence.round

    def refuse(en: str, zh: str) -> GroundDoesNotApply:
        return not_applying(irregularity, Words(en, zh))

    if ground.before_next_round and evidence.next_round_open:
        raise refuse(
            "noticed after the next round opened; the result stands",
            "下一局開始後方發現；該局結果有效",
        )
    if ground.before_next_round and not round_.cards:  # reading 44
        raise refuse(
            "it is about cards of this round, and none is dealt", "須涉及本局的牌；本局尚未派牌"
        )
    needs_cards = ground.initial_deal_only or ground.card_called_for
    if needs_cards and evidence.stage == "betting":  # reading 44
        raise refuse("only once a card is called for; bets are open", "須派牌時方適用；現正投注")
    if ground.initial_deal_only and (evidence.stage != "initial-deal" or len(round_.cards) > 4):
        advice = _altered_instead(game)
        raise refuse(
            f"only during the initial deal of four cards{advice.en}",
            f"只限派首四張牌期間{advice.zh}",
        )
    if ground.card_called_for:
        left = evidence.cards_left
        if left is None:
            left = len(round_.shoe) - len(round_.cards)
        if round_.is_complete or evidence.stage == "settled":
            raise refuse(
                "only while a card is called for; this round is complete",
                "須派牌時方適用；本局牌已派齊",
            )
        if left > 0:
            raise refuse(
                f"only when a card that is called for is missing; the shoe holds {left}",
                f"須派牌而無牌時方適用；牌靴尚餘 {left} 張",
            )
    if evidence.corrected is not None:
        if not ground.reconstructable:
            raise refuse(
                "it voids the round; there is no order to reconstruct", "須作廢該局；沒有牌序可還原"
            )
        if not evidence.corrected:
            raise refuse(
                "the cards that were dealt are put in order; the order given is empty",
                "須按已派的牌還原；未有提供牌序",
            )
        missing = Counter(round_.cards) - Counter(evidence.corrected)
        if missing:
            lacks = codes(missing)
            raise refuse(
                f"the cards that were dealt are put in order; the order given lacks {lacks}",
                f"須按已派的牌還原；所列牌序欠 {lacks}",
            )


def not_applying(irregularity: Irregularity, why: Words) -> GroundDoesNotApply:
    return GroundDoesNotApply(why, clause=irregularity.clause)


def _altered_instead(game: Game) -> Words:
    """What to do about cards drawn together after the initial deal (reading 27)."""
    for other in game.irregularities:
        if other.ground.id == ORDER_ALTERED.id:
            title = other.ground.title
            return Words(
                f"; reconstruct the order, else declare that {title.en} [{other.clause}]",
                f"；請還原牌序，否則申報「{title.zh}」[{other.clause}]",
            )
    return Words("", "")


def redeal(round_: Round, order: Iterable[Card]) -> tuple[Round, tuple[Card, ...]]:
    """The round dealt again from its start in this order, and the cards it did not need."""
    order = tuple(order)
    fresh = type(round_)(round_.tableau, round_.deal_clauses, round_.shoe)
    for used, card in enumerate(order):
        if fresh.is_complete:
            return fresh, order[used:]
        fresh = fresh.deal(card)
    return fresh, ()
