"""My Game: Rapid with a side bet more, Lucky Nine.

Change something, then look at it:
  puntobanco check my_game.py                    what is proved, and what is not right yet
  puntobanco odds my_game.py --bet lucky-nine    its exact house edge
  puntobanco serve --demo --game my_game.py      a table of it in the browser
"""

from puntobanco import GAMES, Bet, Odds, Pays, Words, player

# When does it win? A condition is made of the words of the game: player, banker, tie, same(...).
# Conditions are joined with & (and), | (or), ~ (not).
nine = player.wins & player.points(9)
nine_with_three = nine & player.cards(3)

LUCKY_NINE = Bet(
    "lucky-nine",  # its id: small letters, digits, hyphens
    Words("Lucky Nine", "幸運九"),  # Words("Lucky Nine") alone stands in both languages
    clause="H1",  # your own rule, in words below
    # The best line first: the first one that holds decides. Where none holds, the wager loses.
    pays=(
        Pays(nine_with_three, Odds(12, 1), "H1"),
        Pays(nine, Odds(4, 1), "H1"),
    ),
)

# All of Rapid, and this bet beside its others.
GAME = GAMES["rapid"].with_bets(
    LUCKY_NINE,
    id="my-game",
    title=Words("My Game"),
    house_rules={
        "H1": "Lucky Nine wins when Player wins on nine: 12 to 1 with three cards, else 4 to 1.",
    },
)
