"""My Game: Rapid with a side bet that can push, Clear Win.

Change something, then look at it:
  puntobanco check my_game.py                   what is proved, and what is not right yet
  puntobanco odds my_game.py --bet clear-win    its exact house edge
  puntobanco serve --demo --game my_game.py     a table of it in the browser
"""

from puntobanco import GAMES, Bet, Odds, Pays, Pushes, Words, player, tie

# margin(4, ...) is a lead of four points or more; (..., 3) three or less; (4, ..., 7) between.
by_seven = player.margin(7, ...)
by_four = player.margin(4, ...)

CLEAR_WIN = Bet(
    "clear-win",
    Words("Clear Win", "大勝閒"),
    clause="H1",
    pays=(
        Pays(by_seven, Odds(4, 1), "H1"),
        Pays(by_four, Odds(2, 1), "H1"),
    ),
    # Neither won nor lost: the stake comes back. It counts only where no line above holds.
    push=Pushes(tie, "H1"),
)

GAME = GAMES["rapid"].with_bets(
    CLEAR_WIN,
    id="my-game",
    title=Words("My Game"),
    house_rules={
        "H1": "Clear Win pays 4 to 1 when Player leads by seven points or more, 2 to 1 by four to "
        "six; on a tie the stake comes back.",
    },
)
