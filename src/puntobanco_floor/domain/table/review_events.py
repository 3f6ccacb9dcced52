"""Events of reviews: a patron asks the house to look at a past round again, and the house answers.

They move no money: a reopening or a correction does, and after the next round an adjustment.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from puntobanco.base.words import Words
from puntobanco_floor.domain.event import Event
from puntobanco_floor.domain.traits import EventTraits

Complaint: TypeAlias = Literal[
    "wrong-payment", "wrong-result", "wager-not-taken", "wager-not-mine", "malfunction", "other"
]
Decision: TypeAlias = Literal["upheld", "corrected", "referred"]

NOT_TAKEN: Complaint = "wager-not-taken"
"""The one complaint about a round in which the patron had no wager."""

COMPLAINTS: dict[str, Words] = {
    "wrong-payment": Words("The payment is wrong", "派彩有誤"),
    "wrong-result": Words("A card or the result is wrong", "牌或結果有誤"),
    "wager-not-taken": Words("A wager was not taken", "投注未獲接受"),
    "wager-not-mine": Words("A wager was not mine", "有投注並非本人所下"),
    "malfunction": Words("The equipment failed", "設備故障"),
    "other": Words("Something else", "其他"),
}
"""What a patron may ask about, by code. A code is never given another meaning."""

DECISIONS: dict[str, Words] = {
    "upheld": Words("The round stands as it was played", "該局維持原有結果"),
    "corrected": Words("It is put right, as the note says", "予以更正，詳見說明"),
    "referred": Words("It is referred to the inspector", "已轉交督察處理"),
}
"""What the house may answer, by code."""

PAYABLE: frozenset[str] = frozenset({"corrected", "referred"})
"""Decisions that an adjustment may follow from: by the house, or by the inspector's direction."""


def complaint_words(code: str) -> Words:
    """One of a later version of the program stands for itself."""
    return COMPLAINTS.get(code, Words(code))


def decision_words(code: str) -> Words:
    return DECISIONS.get(code, Words(code))


class ReviewAsked(Event):
    """A patron asks for a review of a round that is over, or somebody of the staff for the patron,
    who may have left.
    """

    traits = EventTraits(group="decisions", heading="review asked")
    review: int  # its number at this table
    round: int
    session: str
    patron: str  # who; the session itself when nobody is known
    at: int
    complaint: str  # one of COMPLAINTS
    note: str  # in the patron's own words
    rules: str  # of the round: its rulebook and version
    dealt_by: tuple[str, ...] = ()  # of the staff; none of them answers it
    ruled_by: tuple[str, ...] = ()  # void, reopened, corrected or the like; nor do these
    asked_by: str = ""  # of the staff, at the desk; none: the patron, on the terminal

    @property
    def barred(self) -> tuple[str, ...]:
        """Who of the staff does not answer it; each once, dealers first, as older journals have
        them.
        """
        people = dict.fromkeys((*self.dealt_by, *self.ruled_by, self.asked_by))
        return tuple(filter(None, people))

    def says(self) -> Words:
        said = Words("{} asks for review {} of round {}: {}{}", "{} 要求覆核 {}，第 {} 局：{}{}")
        if self.asked_by:
            said = Words(
                "{5} asks for {0}, review {1} of round {2}: {3}{4}",
                "{5} 代 {0} 要求覆核 {1}，第 {2} 局：{3}{4}",
            )
        complaint, note = complaint_words(self.complaint), _quoted(self.note)
        return said.format(self.session, self.review, self.round, complaint, note, self.asked_by)

    def reported(self) -> str:
        return self.says().en


class ReviewAnswered(Event):
    """The house's decision, under a clause of the game's rules."""

    traits = EventTraits(group="decisions", heading="review answered")
    review: int
    round: int
    session: str
    decision: str  # one of DECISIONS
    clause: str
    note: str  # for the patron
    by: str
    payable: bool = False  # an adjustment may follow; earlier versions did not record it

    def says(self) -> Words:
        said = Words("review {} of round {} answered: {}{}", "覆核 {}（第 {} 局）裁決：{}{}")
        decision = decision_words(self.decision)
        return said.format(self.review, self.round, decision, _quoted(self.note))

    def reported(self) -> str:
        return f"{self.says().en} [{self.clause}]"


def _quoted(note: str) -> Words:
    return Words(f", “{note}”", f"，「{note}」") if note else Words("")
