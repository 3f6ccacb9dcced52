"""A designer's own game: Sands Elements with a bet on a Banker seven and one on Fire pairs.

Try it: puntobanco check examples/dragon_elements.py
"""

from puntobanco import GAMES, Bet, Odds, Pays, Words, banker, player
from puntobanco.rules.cards import FIRE

dragon_seven = banker.wins_on(7) & banker.cards(3)
all_fire = player.first.suit(FIRE) & player.second.suit(FIRE)
fire_pair = (player.pair & all_fire).named(Words("Fire Pair", "火對"))

GAME = GAMES["sands-elements"].with_bets(
    Bet(
        "dragon-seven",
        Words("Dragon Seven", "龍七"),
        clause="H1",
        pays=(Pays(dragon_seven, Odds(40, 1), "H1"),),
    ),
    Bet(
        "fire-pair",
        Words("Fire Pair", "火對"),
        clause="H2",
        pays=(
            Pays(fire_pair, Odds(100, 1), "H2"),
            Pays(all_fire, Odds(10, 1), "H2"),
        ),
    ),
    id="dragon-elements",
    title=Words("Dragon Elements Baccarat", "龍火五行百家樂"),
    house_rules={
        "H1": "Dragon Seven wins 40 to 1 when Banker wins on seven with three cards.",
        "H2": "Fire Pair wins when Player's first two cards are Fire: 100 to 1 for a pair, else "
        "10 to 1.",
    },
)
