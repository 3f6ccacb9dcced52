"""My Game: Rapid with a side bet that has a bonus in dollars, High Tie.

Change something, then look at it:
  puntobanco check my_game.py                  what is proved, and what is not right yet
  puntobanco odds my_game.py --bet high-tie    its exact house edge
  puntobanco serve --demo --game my_game.py    a table of it in the browser
"""

from puntobanco import GAMES, Bet, Dollars, Odds, Pays, Words, player, tie

high_tie = tie & player.points(6, ...)
# A name of its own is printed on the felt; the rules page explains it.
nine_tie = (tie & player.points(9) & player.natural).named(Words("Natural Nines", "雙天九"))

HIGH_TIE = Bet(
    "high-tie",
    Words("High Tie", "大和"),
    clause="H1",
    pays=(Pays(high_tie, Odds(13, 1), "H1"),),
    # Fixed dollars beside what the lines pay, whatever the stake; once a round for each patron.
    # A small stake gains most from it: `check` says below which stake the patron is favoured.
    bonus=(Pays(nine_tie, Dollars(50), "H2"),),
)

GAME = GAMES["rapid"].with_bets(
    HIGH_TIE,
    id="my-game",
    title=Words("My Game"),
    house_rules={
        "H1": "High Tie pays 13 to 1 when the hands tie on six, seven, eight or nine.",
        "H2": "Natural Nines, a tie of nines on two cards each, pay a bonus of $50 to High Tie.",
    },
)
