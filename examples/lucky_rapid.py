"""A designer's own game: Rapid with three new side bets.

Try it: puntobanco check examples/lucky_rapid.py
"""

from puntobanco import GAMES, Bet, Odds, Pays, Words, banker, player, same, tie

both_natural = player.natural & banker.natural
big_banker = banker.margin(4, ...)
suited = same(player.first.suit, player.second.suit)

GAME = GAMES["rapid"].with_bets(
    Bet(
        "both-natural",
        Words("Both Natural", "雙例牌"),
        clause="H1",
        pays=(
            Pays(both_natural & tie, Odds(30, 1), "H1"),
            Pays(both_natural, Odds(18, 1), "H1"),
        ),
    ),
    Bet(
        "big-banker",
        Words("Big Banker", "大勝莊"),
        clause="H2",
        pays=(Pays(big_banker, Odds(3, 1), "H2"),),
    ),
    Bet(
        "suited-player",
        Words("Suited Player", "閒同花"),
        clause="H3",
        pays=(Pays(suited, Odds(3, 1), "H3"),),
    ),
    id="lucky-rapid",
    title=Words("Lucky Rapid Baccarat", "幸運快速百家樂"),
    house_rules={
        "H1": "Both Natural wins when both hands have a natural: 30 to 1 if they also tie, else "
        "18 to 1.",
        "H2": "Big Banker wins 3 to 1 when Banker wins by four points or more.",
        "H3": "Suited Player wins 3 to 1 when Player's first two cards are of one suit.",
    },
)
