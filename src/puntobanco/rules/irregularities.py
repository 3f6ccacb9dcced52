"""Irregularities: the grounds the rulebooks name, what each requires, and what follows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from puntobanco.rules.cards import Card
from puntobanco.rules.refusals import GroundDoesNotApply, UnknownGround
from puntobanco.rules.text import Words

if TYPE_CHECKING:
    from puntobanco.rules.game import Game
    from puntobanco.rules.round import Round

Stage = Literal["initial-deal", "third-card", "settled"]
STAGES: tuple[Stage, ...] = ("initial-deal", "third-card", "settled")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Something that goes wrong at a table."""

    id: str
    title: Words
    before_next_round: bool = False  # counts until bets open again, so also after this round was paid
    reconstructable: bool = False  # voids only if the cards cannot be put back in order
    initial_deal_only: bool = False
    card_called_for: bool = False  # voids only while the table calls for a card

    def __call__(self, clause: str) -> Irregularity:
        return Irregularity(self, clause)

    @property
    def requires(self) -> tuple[Words, ...]:
        """What must be so before the round is void."""
        conditions = (
            (self.before_next_round, Words("noticed before the next round opens", "下一局開始前發現")),
            (self.initial_deal_only, Words("during the initial deal", "發首四張牌期間")),
            (self.card_called_for, Words("a card is still called for", "仍須派牌")),
            (self.reconstructable, Words("the order cannot be reconstructed", "牌序無法還原")),
        )
        return tuple(words for holds, words in conditions if holds)


@dataclass(frozen=True, slots=True)
class Irregularity:
    """A ground as one rulebook has it."""

    ground: Ground
    clause: str


FOREIGN_CARD = Ground(id="foreign-card", title=Words("a card that does not belong to the set", "發現外來牌"))
WRONG_DECK_COUNT = Ground(
    id="wrong-deck-count", title=Words("cards missing from the set, or too many in it", "整副牌張數不符")
)
WRONG_CARD_COUNT = Ground(
    id="wrong-card-count",
    title=Words("a hand was dealt the wrong number of cards", "派牌張數錯誤"),
    before_next_round=True,
    reconstructable=True,
)
CARDS_DRAWN_TOGETHER = Ground(
    id="cards-drawn-together",
    title=Words("cards drawn together, their order not known", "同時抽出多張牌，次序不明"),
    reconstructable=True,
    initial_deal_only=True,
)
ORDER_ALTERED = Ground(
    id="order-altered", title=Words("the order of the shoe was altered", "牌靴次序被改動"), reconstructable=True
)
INSUFFICIENT_CARDS = Ground(
    id="insufficient-cards",
    title=Words("the shoe has too few cards to finish the round", "牌靴不足以完成該局"),
    card_called_for=True,
)
GROUNDS = (
    FOREIGN_CARD, WRONG_DECK_COUNT, WRONG_CARD_COUNT, CARDS_DRAWN_TOGETHER, ORDER_ALTERED, INSUFFICIENT_CARDS,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the table knows when a ground is declared."""

    round: Round  # as it began and as its cards were dealt
    stage: Stage
    next_round_open: bool = False
    corrected: tuple[Card, ...] | None = None  # the cards in their true order, when that can be told


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What follows: the round is void, or is dealt again in its true order, or there was no round to void."""

    follows: Literal["void", "reconstruct", "incident"]
    ground: Ground
    clause: str
    why: Words
    round: Round | None = None  # after reconstruction: the cards dealt again by rule
    surplus: tuple[Card, ...] = ()  # cards of the true order that this round did not need


def ground_in(game: Game, ground_id: str) -> Irregularity:
    """The ground as this game's rulebook has it; one it does not name is refused with those it does."""
    for irregularity in game.irregularities:
        if irregularity.ground.id == ground_id:
            return irregularity
    named = ", ".join(f"{i.ground.id} [{i.clause}]" for i in game.irregularities) or "none"
    raise UnknownGround(f"the rules of {game.id} have no ground {ground_id!r}; they name {named}")


def rule_on(game: Game, ground_id: str, evidence: Evidence) -> Ruling:
    """Decide an irregularity. Earlier results stand whatever follows."""
    irregularity = ground_in(game, ground_id)
    ground, clause = irregularity.ground, irregularity.clause
    _verify(game, irregularity, evidence)
    if evidence.stage == "settled" and not ground.before_next_round:
        why = Words("no round is in play: nothing to void, earlier results stand, the shoe is changed",
                    "無進行中的牌局：無須作廢，先前結果有效，更換牌靴")  # fmt: skip
        return Ruling(follows="incident", ground=ground, clause=clause, why=why)
    if evidence.corrected is not None:
        round_, surplus = redeal(evidence.round, evidence.corrected)
        why = Words("the true order is known: it is dealt again by rule", "牌序可還原：按規則重新派牌")
        return Ruling(follows="reconstruct", ground=ground, clause=clause, why=why, round=round_, surplus=surplus)
    why = Words("{}: the round is void, every wager is returned, earlier results stand",
                "{}：該局作廢，退回全部投注，先前結果有效").format(ground.title)  # fmt: skip
    return Ruling(follows="void", ground=ground, clause=clause, why=why)


def _verify(game: Game, irregularity: Irregularity, evidence: Evidence) -> None:
    ground, clause = irregularity.ground, irregularity.clause
    if evidence.next_round_open:
        raise GroundDoesNotApply(
            f"{ground.id} was noticed after the next round opened; the result stands", clause=clause
        )
    if ground.initial_deal_only and evidence.stage != "initial-deal":
        others = [i for i in game.irregularities if i.ground is ORDER_ALTERED]
        advice = f"; reconstruct the order, else declare {others[0].ground.id} [{others[0].clause}]" if others else ""
        raise GroundDoesNotApply(f"{ground.id} counts only during the initial deal{advice}", clause=clause)
    if ground.card_called_for and evidence.round.is_complete:
        raise GroundDoesNotApply(
            f"{ground.id} counts only while a card is called for; this round is complete", clause=clause
        )
    if evidence.corrected is not None and not ground.reconstructable:
        raise GroundDoesNotApply(f"{ground.id} voids the round; there is no order to reconstruct", clause=clause)


def redeal(round_: Round, order: Iterable[Card]) -> tuple[Round, tuple[Card, ...]]:
    """The round dealt again from its start in this order, and the cards it did not need."""
    order = tuple(order)
    fresh = type(round_)(round_.tableau, round_.deal_clauses, round_.shoe)
    for used, card in enumerate(order):
        if fresh.is_complete:
            return fresh, order[used:]
        fresh = fresh.deal(card)
    return fresh, ()
