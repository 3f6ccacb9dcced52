"""My Game: a whole game, written from nothing.

Change something, then look at it:
  puntobanco check my_game.py                what is proved, and what is not right yet
  puntobanco odds my_game.py                 exact house edges
  puntobanco rules my_game.py                the rules page that patrons read
  puntobanco serve --demo --game my_game.py  a table of it in the browser
"""

from puntobanco import (
    PUNTO_BANCO,
    STANDARD,
    Announcements,
    Bet,
    Game,
    Odds,
    Pays,
    Pushes,
    Words,
    banker,
    player,
    tie,
)
from puntobanco.rules.irregularities import FOREIGN_CARD, INSUFFICIENT_CARDS, WRONG_CARD_COUNT

seven_with_three = banker.wins_on(7) & banker.cards(3)

GAME = Game(
    id="my-game",
    title=Words("My Game"),
    version="1",
    deck=STANDARD,  # 52 cards; FIVE_ELEMENTS has 65
    decks=range(6, 9),  # 6 to 8: the end of a range is not in it
    tableau=PUNTO_BANCO,  # who draws a third card; Tableau(...) is another table
    announcements=Announcements(
        open="Place your bets, please", close="No more bets", by="terminal"
    ),
    # The bets with the ids player, banker and tie lie in the row of main bets.
    bets=(
        Bet(
            "player",
            Words("Player", "閒"),
            clause="H1",
            pays=(Pays(player.wins, Odds(1, 1), "H1"),),
            push=Pushes(tie, "H1"),
        ),
        Bet(
            "banker",
            Words("Banker", "莊"),
            clause="H2",
            # Even money without commission has to be paid for: here by a push on one kind of win.
            pays=(Pays(banker.wins & ~seven_with_three, Odds(1, 1), "H2"),),
            push=Pushes(tie | seven_with_three, "H2"),
        ),
        Bet(
            "tie",
            Words("Tie", "和"),
            clause="H3",
            pays=(Pays(tie, Odds(8, 1), "H3"),),
        ),
        Bet(
            "either-pair",
            Words("Either Pair", "任何一對"),
            clause="H4",
            pays=(Pays(player.pair | banker.pair, Odds(5, 1), "H4"),),
        ),
    ),
    # What makes a round void: a dealer names one of these grounds.
    irregularities=(FOREIGN_CARD("H5"), WRONG_CARD_COUNT("H5"), INSUFFICIENT_CARDS("H5")),
    # Every clause that is cited above, in words. "house" may be cited without any.
    house_rules={
        "H1": "Player pays 1 to 1 when Player wins; on a tie the stake comes back.",
        "H2": "Banker pays 1 to 1 when Banker wins. On a tie the stake comes back, as it does "
        "when Banker wins on seven with three cards.",
        "H3": "Tie pays 8 to 1 when both hands have the same points.",
        "H4": "Either Pair pays 5 to 1 when the first two cards of one hand or both are a pair.",
        "H5": "A round with a foreign card, a wrong number of cards or too few cards is void.",
    },
)
