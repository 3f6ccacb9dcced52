"""Every clause of the five rulebooks, by number, summarised in our own words."""

from collections.abc import Mapping
from types import MappingProxyType


def _numbered(clause: str, *summaries: str) -> dict[str, str]:
    """Number the summaries under a clause: 1.1 gives 1.1.1, 1.1.2 and so on."""
    return {f"{clause}.{number}": summary for number, summary in enumerate(summaries, start=1)}


# Definitions that several books share under different numbers.
_MEANINGS = "What the words below mean throughout the rulebook."
_SIX_BET = "Fortune Six: a side bet that banker wins on exactly six; every other result loses it."
_HAND = "Hand: the cards one side, player or banker, receives in a round."
_INITIAL_DEAL = "Initial deal: two cards each to player and banker, and no third card yet."
_NATURAL = "Natural: eight or nine on the opening two cards, in either hand."
_PAIR = (
    "Player pair, banker pair: that hand's opening two cards match, as do two nines or two queens."
)
_ELEMENT_PAIR = (
    "Player pair, banker pair: that hand's opening two cards match, as do two nines or two Luks."
)
_POINT_TOTAL = "Point total: what the cards of a hand add up to."
_DEALER_ROUND = (
    "Round: from the opening of bets until the dealer calls the result, collects and pays."
)
_TERMINAL_ROUND = (
    "Round: from the opening of bets until the dealer calls the result and every wager is settled."
)
_TIE = "Tie: player and banker finish level on points."
_TERMINAL = "Player terminal: one patron's place at the game, to buy credits, wager and cash out."
_TABLE_DEFINITIONS = {
    "1.1": _MEANINGS,
    **_numbered(
        "1.1", _SIX_BET, _HAND, _INITIAL_DEAL, _NATURAL, _PAIR, _POINT_TOTAL, _DEALER_ROUND, _TIE
    ),
}

# Parts that MBS books share under the same numbers.
_MBS_52_CARDS = {
    "2.1": "Four to ten 52-card decks, no jokers, all backs alike in colour and design."
}
_MBS_65_CARDS = {
    "2.1": "Four to ten 65-card decks, no jokers, all backs alike in colour and design."
}
_MBS_LAYOUT = {
    "2.2": "The felt follows the diagrams, with spots for every bet.",
    **_numbered(
        "2.2", "Banker spots.", "Player spots.", "Tie spots.", "Pair spots.", "Fortune Six spots."
    ),
}
_DEALER_CALLS = {
    "3.1": 'Play begins, and bets open, on the dealer\'s call "Place your bets, please".',
    "3.2": 'Bets close on the dealer\'s call "No more bets".',
}
_MBS_POINTS = {
    "3.3": "Each rank has a point value.",
    "3.3.1": "An ace counts one; two to nine count as printed.",
    "3.3.2": "Tens, jacks, queens and kings count nothing.",
    "3.4": "A hand's card values make its point total.",
    "3.4.1": "A sum of zero to nine is itself the total.",
    "3.4.2": "From a sum of ten or more only the right-hand digit counts.",
}
_ELEMENT_POINTS = {
    **_MBS_POINTS,
    "3.3.2": "Tens count nothing, nor do Sau, Luk and Fuk, each suit's pictures.",
}
_SIX_WAGERS = {
    "3.5": "No wager needs another: tie, banker, player, Fortune Six and pair stand alone or in "
    "any mix."
}
_MBS_DEAL = {
    "3.6": "Each round has two hands, player and banker.",
    "3.7": "Four cards come from the shoe, to player and banker by turns.",
    "3.7.1": "Cards one and three go to player.",
    "3.7.2": "Cards two and four go to banker.",
    "3.8": "Those four cards alone decide pair wagers.",
    "3.8.1": "Player pair wins when player's opening two cards match.",
    "3.8.2": "Banker pair wins when banker's opening two cards match.",
    "3.9": "Both totals are announced after four cards; the table of play then says who takes a "
    "third.",
}
_MBS_TABLE = {
    "3.9.1": "A natural eight or nine in either hand ends the deal for both.",
    "3.9.2": "Player takes a card on 0-5 and none on 6-7; with 8-9, a natural, nobody draws.",
    "3.9.3": "Once player stands, banker takes a card on 0-5 and none on 6-7.",
    "3.9.4": "By player's third card banker draws: 0-2 on any, 3 unless 8, 4 on 2-7, 5 on 4-7, 6 on "
    "6-7; else stands.",
}
_MBS_RESULT = {
    "3.10": "The hand with more points wins.",
    "3.10.1": "On equal totals tie wins; player and banker push.",
}
_SIX_WINS = {"3.11": "Fortune Six wins if banker wins on six, in two cards or three."}
_SIX_PAYS = {
    "4.1": "Banker 1:1, six 1:2; player 1:1; tie 8:1; pair 11:1; Fortune Six 12:1 (2 cards), 20:1 "
    "(3)."
}
_MBS_VOIDS = {
    "5.1": "A foreign card that turns up during play has the two effects below.",
    "5.1.1": "A foreign card voids the round in progress.",
    "5.1.2": "A foreign card leaves earlier results as they were.",
    "5.2": "A hand has too few or too many cards: void if seen before bets next open and beyond "
    "reconstruction.",
    "5.3": "Several cards leave the shoe or device at once in the initial deal, their order "
    "unknown: void.",
    "5.4": "The shoe's order is disturbed beyond reconstruction: void, whether or not any card "
    "was seen.",
    "5.5": "The shoe runs out before the round is complete: void.",
}
_LATE_WAGERS = {
    "5.6": "After the close nothing is staked or raised; a late wager, or the late part of one, "
    "is refused.",
    "5.7": "After the close nothing is taken back; a wager removed still wins or loses with the "
    "round.",
}

SIX_STAR: dict[str, str] = {
    "1.1": _MEANINGS,
    "1.1.1": "6 Stars: a tie in which player and banker each hold one Sau, one Luk and one Fuk.",
    "1.1.2": "Element: a card's suit, one of Fire, Gold, Earth, Wood and Water.",
    "1.1.3": "Element Bonus: a side bet that all 4, 5 or 6 cards of both finished hands share an "
        "element; else lost.",
    "1.1.4": "Flaming 9's: a natural nine made of two Fire cards.",
    "1.1.5": _SIX_BET,
    "1.1.6": _HAND,
    "1.1.7": _INITIAL_DEAL,
    "1.1.8": _NATURAL,
    "1.1.9": _ELEMENT_PAIR,
    "1.1.10": _POINT_TOTAL,
    "1.1.11": _DEALER_ROUND,
    "1.1.12": "Star: a picture card, Sau, Luk or Fuk, of any suit.",
    "1.1.13": _TIE,
    "1.1.14": "Tie Bonus: money for patrons on tie if it comes by 6 Stars or Flaming 9's (3.10.1.1, "
        "3.10.1.2).",
    **_MBS_65_CARDS, **_MBS_LAYOUT,
    "2.2.6": "Element Bonus spots.",
    **_DEALER_CALLS, **_ELEMENT_POINTS,
    "3.5": "No wager needs another: tie, banker, player, Element Bonus, Fortune Six, pair stand "
        "alone or in any mix.",
    **_MBS_DEAL, **_MBS_TABLE, **_MBS_RESULT,
    "3.10.1.1": "Both hands Flaming 9's: each patron on tie gets the tie pay (4.1) and the Tie Bonus "
        "(4.3).",
    "3.10.1.2": "6 Stars: each patron on tie gets the tie pay (4.1) and the Tie Bonus (4.3).",
    **_SIX_WINS,
    "3.12": "Element Bonus pays by 4.2 when all 4, 5 or 6 cards share an element, whichever hand "
        "wins, or neither.",
    "4.1": "Banker, player 1:1, Flaming 9's 1.2:1; banker six 1:2; tie 8:1; pair 11:1; Fortune "
        "Six 12:1, 20:1.",
    "4.2": "Element Bonus: four cards 50:1, five 500:1, six 5000:1.",
    "4.3": "Tie Bonus: $3,000 for Flaming 9's, $30,000 for 6 Stars.",
    **_MBS_VOIDS, **_LATE_WAGERS,
}  # fmt: skip

FORTUNE_SIX: dict[str, str] = {
    **_TABLE_DEFINITIONS,
    **_MBS_52_CARDS,
    **_MBS_LAYOUT,
    **_DEALER_CALLS,
    **_MBS_POINTS,
    **_SIX_WAGERS,
    **_MBS_DEAL,
    **_MBS_TABLE,
    **_MBS_RESULT,
    **_SIX_WINS,
    **_SIX_PAYS,
    **_MBS_VOIDS,
    **_LATE_WAGERS,
}

SANDS_ELEMENTS: dict[str, str] = {
    **_TABLE_DEFINITIONS,
    "1.1.5": _ELEMENT_PAIR,
    **_MBS_65_CARDS,
    **_MBS_LAYOUT,
    **_DEALER_CALLS,
    **_ELEMENT_POINTS,
    **_SIX_WAGERS,
    **_MBS_DEAL,
    "3.9:table": "8-9 stops both; player draws on 0-5; banker on 0-5 if player stood, else by player's "
    "third card: "
    "0-2 on any, 3 unless 8, 4 on 2-7, 5 on 4-7, 6 on 6-7.",
    **_MBS_RESULT,
    **_SIX_WINS,
    **_SIX_PAYS,
    **_MBS_VOIDS,
    **_LATE_WAGERS,
}

RAPID: dict[str, str] = {
    "1.1": _MEANINGS,
    **_numbered(
        "1.1", _HAND, _INITIAL_DEAL, _NATURAL, _PAIR, _TERMINAL, _POINT_TOTAL, _TERMINAL_ROUND, _TIE
    ),
    **_MBS_52_CARDS,
    "2.2": "The terminal shows the layout.",
    "3.1": 'Play begins, and bets open, once the terminal shows "Place your bets, please".',
    "3.2": 'Bets close once the terminal shows "No more bets".',
    **_MBS_POINTS,
    "3.5": "No wager needs another: tie, banker, player and pair stand alone or in any mix.",
    **_MBS_DEAL,
    **_MBS_TABLE,
    **_MBS_RESULT,
    "4.1": "Banker 1:1, on six 1:2; player 1:1; tie 8:1; pair 11:1.",
    **_MBS_VOIDS,
}

SUPER_SIX_PLUS: dict[str, str] = {
    "1:baccarat-table-of-play": "The fixed rules for when player and banker draw a third card and when they stand.",
    "1:bet": "Bet and wager are one word to this rulebook.",
    "1:card-shoe": "What the cards are dealt from, electronic or plain.",
    "1:electronic-card-shuffler": "A machine that shuffles one deck or several by itself and deals from them.",
    "1:house": "The casino operator.",
    "1:natural": "Eight or nine on two cards, in one hand or in both.",
    "1:non-commission": "Banker pays 1:1, but half the stake when it wins on six.",
    "1:original-bet": "A wager on player, on banker or on each; side bets are not meant.",
    "1:player": "As a person, the patron: anyone with a wager in the round.",
    "1:pair": "Player pair, banker pair: that hand's opening two cards match, as do two tens or two "
    "kings.",
    "1:player-terminal": _TERMINAL,
    "1:point-total": "A hand's sum; above nine, only the second digit of it.",
    "1:reconstruction": "Putting cards back into the order they were meant to have.",
    "1:round-of-play": 'From "Place Your Bets" on the terminal until settlement.',
    "1:super-six-plus": "A side bet that banker wins on six: 12:1 in two cards, 20:1 in three; otherwise it "
    "loses.",
    "1:tie": "A round in which player and banker have equal totals.",
    "1:void": "Said of a round, hand or wager that is cancelled: it has no result.",
    "2.1": "Where patrons see the game.",
    "2.1.1": "The game's display is on the terminal.",
    "2.2": "What the game is played with.",
    "2.2.1": "Four to eight standard decks of 52.",
    "3.1": 'Wagers are taken once the terminal shows "Place Your Bets".',
    "3.2": 'No wager is taken once the terminal has shown "No More Bets".',
    "3.3": "Patrons wager at the terminal on any of six bets; pairs, tie and Super Six Plus need "
    "no main wager.",
    "3.4": "Four cards from shoe or shuffler: 1 and 3 to player, 2 and 4 to banker; they decide "
    "the pairs.",
    "3.5": "Third cards follow 3.6; when player takes none, banker takes one on 0-5 and none on "
    "6-9.",
    "3.6": "8-9 stops both; player draws on 0-5; banker by player's third card: 0-2 on any, 3 "
    "unless 8, 4 on 2-7, "
    "5 on 4-7, 6 on 6-7, and stands on 7.",
    "3.7": "The aim is a total near nine, on player or on banker.",
    "3.8": "Tens and pictures count nothing, an ace one, the rest as printed.",
    "3.9": "Totals rank from nine down; the higher hand wins.",
    "3.10": "Equal totals tie, and player and banker wagers go back to their patrons.",
    "4.1": "What each winning wager pays.",
    "4.1.1": "On the terminal: banker 1:1, six 1:2; player 1:1; tie 8:1; pair 11:1; Super Six Plus "
    "12:1, 20:1.",
    "5.1": "Each of the four cases below voids the round and leaves all earlier rounds as they "
    "were.",
    "5.1.1": "A card from outside the set, found during the round, voids it.",
    "5.1.2": "A deck with cards missing, or with cards too many, voids the round.",
    "5.1.3": "A hand has too few or too many cards: void if seen before the next round and beyond reconstruction.",
    "5.1.4": "The shoe or shuffler runs out before the round is complete: void.",
}

CLAUSES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "mbs-six-star-2017-03-17": MappingProxyType(SIX_STAR),
        "mbs-fortune-six-2017-02-17": MappingProxyType(FORTUNE_SIX),
        "rws-super-six-plus-2019-05-10": MappingProxyType(SUPER_SIX_PLUS),
        "mbs-sands-elements-2017-05-05": MappingProxyType(SANDS_ELEMENTS),
        "mbs-rapid-2017-02-17": MappingProxyType(RAPID),
    }
)
