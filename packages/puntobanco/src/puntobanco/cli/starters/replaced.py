"""My Game: Rapid where a win of Banker pays 19 to 20, instead of half on six.

Change something, then look at it:
  puntobanco check my_game.py                what is proved, and what is not right yet
  puntobanco odds my_game.py --bet banker    its exact house edge
  puntobanco serve --demo --game my_game.py  a table of it in the browser
"""

from puntobanco import GAMES, Bet, Odds, Pays, Pushes, Words, banker, tie

# The id says which bet it replaces: it stands in the same place, and is a main bet as before.
BANKER = Bet(
    "banker",
    Words("Banker", "莊"),
    clause="H1",
    # Odds are whole numbers: 19 to 20, never 0.95. Stakes go in steps that pay whole cents.
    pays=(Pays(banker.wins, Odds(19, 20), "H1"),),
    push=Pushes(tie, "H1"),  # the stake comes back
)

# All of Rapid but its Banker, and this one in its place.
GAME = GAMES["rapid"].with_bets(
    BANKER,
    without=("banker",),
    id="my-game",
    title=Words("My Game"),
    house_rules={
        "H1": "Banker pays 19 to 20 when Banker wins; on a tie the stake comes back.",
    },
)
