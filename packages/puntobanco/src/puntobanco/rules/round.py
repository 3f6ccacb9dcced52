"""An immutable round: deal a card, get a new round; it knows what comes next and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from puntobanco.base.words import Words
from puntobanco.rules.cards import CARDS, Card, code, deck_of, symbol
from puntobanco.rules.causes import Cause
from puntobanco.rules.notebook import html_table
from puntobanco.rules.predicates import known_of
from puntobanco.rules.refusals import CardRefused
from puntobanco.rules.shoe import Shoe
from puntobanco.rules.tableau import HandName, Reason, Tableau
from puntobanco.rules.terms import NO_CARD, VALUES, Read, Slot

if TYPE_CHECKING:
    from puntobanco.rules.game import Game

Winner = Literal["player", "banker", "tie"]
MAX_CARDS = 6
_POINTS = VALUES["points"]
_FOUR_ARE_DEALT = {Read(slot, "present"): 1 for slot in (Slot.P1, Slot.B1, Slot.P2, Slot.B2)}
_FIRST_FOUR = (
    Cause("player-first-card"),
    Cause("banker-first-card"),
    Cause("player-second-card"),
    Cause("banker-second-card"),
)
_HAND_OF: Mapping[Slot, HandName] = {
    slot: "player" if slot.name.startswith("P") else "banker" for slot in Slot
}


@dataclass(frozen=True, slots=True)
class Next:
    """What the table calls for: a card to `slot`, or nothing more. The last reason decides."""

    slot: Slot | None
    reasons: tuple[Reason, ...]

    @property
    def hand(self) -> HandName | None:
        """Which hand takes the card, or None."""
        if self.slot is None:
            return None
        return _HAND_OF[self.slot]

    @property
    def cause(self) -> Cause:
        """What decides, as a value."""
        return self.reasons[-1].cause

    @property
    def why(self) -> Words:
        """What decides, in words."""
        return self.cause.words

    @property
    def clause(self) -> str:
        """The clause that says so."""
        return self.reasons[-1].clause


def _cards(slots: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple([CARDS[card] for card in slots if card != NO_CARD])


@dataclass(frozen=True, slots=True)
class Round:
    """The cards of one round so far, under a game's table, out of a shoe."""

    tableau: Tableau
    deal_clauses: tuple[str, str]  # that the first cards go to player, and to banker
    shoe: Shoe  # as it was before the first card
    slots: tuple[int, int, int, int, int, int] = (NO_CARD,) * 6

    @classmethod
    def start(cls, game: Game, shoe: Shoe | int) -> Round:
        """A round of this game before its first card, from a shoe or a number of fresh decks."""
        if isinstance(shoe, int):
            shoe = game.shoe(shoe)
        return cls(game.tableau, game.deal_clauses, shoe)

    def __repr__(self) -> str:
        hands = f"Player {self._shown(self.player, self.player_points)}"
        hands += f", Banker {self._shown(self.banker, self.banker_points)}"
        return f"<Round {hands}: {self._ended}>"

    def _repr_html_(self) -> str:
        rows = [
            ("Player", " ".join(map(symbol, self.player)), self.player_points),
            ("Banker", " ".join(map(symbol, self.banker)), self.banker_points),
        ]
        return html_table(self._ended, ("hand", "cards", "points"), rows)

    @staticmethod
    def _shown(cards: tuple[Card, ...], points: int) -> str:
        if not cards:
            return "no card"
        return f"{' '.join(map(symbol, cards))} = {points}"

    @property
    def _ended(self) -> str:
        winner = self.winner
        if winner is None:
            return f"the next card goes to {self.next.hand}"
        return "tie" if winner == "tie" else f"{winner} wins"

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in dealing order."""
        return _cards(self.slots)

    @property
    def player(self) -> tuple[Card, ...]:
        """Player's cards in dealing order."""
        return _cards(self.slots[::2])

    @property
    def banker(self) -> tuple[Card, ...]:
        """Banker's cards in dealing order."""
        return _cards(self.slots[1::2])

    @property
    def player_points(self) -> int:
        """Player's point total, 0 to 9, of the cards so far."""
        p1, _, p2, _, p3, _ = self.slots
        return (_POINTS[p1] + _POINTS[p2] + _POINTS[p3]) % 10

    @property
    def banker_points(self) -> int:
        """Banker's point total, 0 to 9, of the cards so far."""
        _, b1, _, b2, _, b3 = self.slots
        return (_POINTS[b1] + _POINTS[b2] + _POINTS[b3]) % 10

    @property
    def announcement(self) -> tuple[int, int]:
        """Player's and banker's totals on the first four cards, announced before any third card."""
        p1, b1, p2, b2, *_ = self.slots
        assert b2 != NO_CARD, "totals are announced after four cards"
        return (_POINTS[p1] + _POINTS[p2]) % 10, (_POINTS[b1] + _POINTS[b2]) % 10

    @property
    def next_slot(self) -> Slot | None:
        """The slot that the next card falls in; None when the round is complete."""
        p1, b1, p2, b2, p3, b3 = self.slots
        if b2 == NO_CARD:
            return Slot((p1 != NO_CARD) + (b1 != NO_CARD) + (p2 != NO_CARD))
        if b3 != NO_CARD:
            return None
        player, banker = self.announcement
        if p3 == NO_CARD and self.tableau.player_takes_third(player, banker):
            return Slot.P3
        third = None if p3 == NO_CARD else _POINTS[p3]
        if self.tableau.banker_takes_third(player, banker, third):
            return Slot.B3
        return None

    @property
    def is_complete(self) -> bool:
        """Whether the table of play calls for no more cards."""
        return self.next_slot is None

    @property
    def next(self) -> Next:
        """Which hand takes the next card, or that the round is complete, and why."""
        slot = self.next_slot
        if slot is not None and slot < Slot.P3:
            return Next(slot, (Reason(_FIRST_FOUR[slot], self.deal_clauses[slot % 2]),))
        p3 = self.slots[Slot.P3]
        third = None if p3 == NO_CARD else _POINTS[p3]
        player, banker = self.announcement
        hand, reasons = self.tableau.explain(player, banker, third)
        if self.slots[Slot.B3] != NO_CARD:
            assert hand == "banker", (
                "banker's third card lies there because the table called for it"
            )
            done = Reason(Cause("both-finished"), reasons[-1].clause)
            return Next(None, (*reasons, done))
        assert (slot is None) == (hand is None)
        return Next(slot, reasons)

    @property
    def winner(self) -> Winner | None:
        """The hand with the higher point total, "tie", or None before the last card."""
        if not self.is_complete:
            return None
        lead = self.player_points - self.banker_points
        if lead == 0:
            return "tie"
        return "player" if lead > 0 else "banker"

    def verify_deal(self, card: int) -> Slot:
        """The slot this card would fall in; refuses a card that cannot be dealt."""
        if not 0 <= card < NO_CARD:
            raise CardRefused(f"{card!r} is no card")
        slot = self.next_slot
        if slot is None:
            complete = f"the round is complete with {len(self.cards)} cards, {self.next.why.en}"
            raise CardRefused(f"{code(card)} cannot be dealt: {complete}", clause=self.next.clause)
        impossible = self.impossible(card)
        if impossible is not None:
            why = impossible.words
            raise CardRefused(why)
        return slot

    def impossible(self, card: int) -> Cause | None:
        """Why this card cannot come, whatever is called for; None where it can."""
        deck = self.shoe.deck
        if card not in deck:
            return Cause("card-of-other-deck", (code(card), deck_of(card).id, deck.id))
        if self.slots.count(card) >= self.shoe.count(card):
            return self.shoe.lacks(card)
        return None

    def deal(self, card: int) -> Round:
        """A new round with this card in the next slot."""
        slot = self.verify_deal(card)
        # a plain number, not a Card: Python looks those up faster, and slots are read most
        slots = (*self.slots[:slot], int(card), *self.slots[slot + 1 :])
        return Round(self.tableau, self.deal_clauses, self.shoe, slots)  # type: ignore[arg-type]

    def deal_all(self, cards: Iterable[int]) -> Round:
        """A new round with these cards, one after the other, in the next slots."""
        round_ = self
        for card in cards:
            round_ = round_.deal(card)
        return round_

    @property
    def known(self) -> dict[Read, int]:
        """What the cards so far fix: dealt cards, slots sure to stay empty or to be filled."""
        known = dict(_FOUR_ARE_DEALT)
        for slot, card in zip(Slot, self.slots, strict=True):
            if card != NO_CARD:
                known |= known_of(slot, card)
        upcoming = self.next_slot
        if self.slots[Slot.B2] != NO_CARD:
            if upcoming is not None:
                known[Read(upcoming, "present")] = 1
            if upcoming != Slot.P3 and self.slots[Slot.P3] == NO_CARD:
                known |= known_of(Slot.P3, NO_CARD)
            if upcoming is None and self.slots[Slot.B3] == NO_CARD:
                known |= known_of(Slot.B3, NO_CARD)
        return known
