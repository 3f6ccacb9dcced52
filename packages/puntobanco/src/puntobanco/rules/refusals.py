"""Refusals of the whole library: rules, odds, simulation, roads, game files.

Refusal
├── UnknownCard         a code that names no card
├── CardRefused         a card that cannot be dealt now
├── UnknownBet          a bet this game does not offer
├── DecksRefused        a number of decks the rulebook does not allow
├── RoundNotComplete    settlement asked for too early
├── UnknownGround       an irregularity this rulebook does not name
├── GroundDoesNotApply  a ground whose conditions are not met
├── BadGame             a definition that cannot be a game
├── BadResults          text that is not a sequence of results
├── UnknownGame         neither a game's id nor a file that defines one
├── BadRun              a simulation that cannot be run as asked
└── PlanTooLarge        a chance that cannot be worked out exactly within bounds
"""

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words


class UnknownCard(Refusal):
    """A code that names no card."""

    in_short = Words("Not a card", "不是牌")
    remedy = (
        "Write rank and suit, such as 9h or Ts; `puntobanco rules GAME` lists the cards of a game."
    )


class CardRefused(Refusal):
    """A card that cannot be dealt now."""

    in_short = Words("This card cannot come now", "現時不可派此牌")
    remedy = (
        "Enter the card that the game asks for next; correct an earlier card if that one was "
        "misread."
    )


class UnknownBet(Refusal):
    """A bet this game does not offer."""

    in_short = Words("No such bet here", "沒有此項投注")
    remedy = "Take a bet that the rules page of this game lists."


class DecksRefused(Refusal):
    """A number of decks the rulebook does not allow."""

    in_short = Words("Not so many decks", "副數不符規則")
    remedy = "Take a number of decks from the rules page of this game."


class RoundNotComplete(Refusal):
    """Settlement asked for before the last card."""

    in_short = Words("Cards are still due", "尚未派齊牌")
    remedy = "Deal the cards that are still due, then settle."


class UnknownGround(Refusal):
    """An irregularity this game's rulebook does not name."""

    in_short = Words("No such ground here", "本遊戲規則沒有此事由")
    remedy = "Take one of the grounds that `puntobanco irregularity --help` or the console lists."


class GroundDoesNotApply(Refusal):
    """A ground whose conditions are not met."""

    in_short = Words("The ground does not apply", "此事由不適用")
    remedy = "Read the clause that is cited; take the ground that fits what happened."


class BadGame(Refusal):
    """A definition that cannot be a game."""

    remedy = "Mend the line of the game file that the message names, then run `puntobanco check`."


class BadResults(Refusal):
    """Text that is not a sequence of results."""

    remedy = "Write results as P, B and T; `puntobanco roads --help` shows how."


class UnknownGame(Refusal):
    """Neither a game's id nor a file that defines one."""

    in_short = Words("No such game", "沒有此遊戲")
    remedy = "Take an id from `puntobanco games`, or the path of a game file."


class BadRun(Refusal):
    """A simulation that cannot be run as asked."""

    remedy = "Correct the option that the message names."


class PlanTooLarge(Refusal):
    """A condition whose chance cannot be worked out exactly within bounds."""

    remedy = "Simulate it: `puntobanco simulate GAME`; or ask about fewer cards in one condition."
