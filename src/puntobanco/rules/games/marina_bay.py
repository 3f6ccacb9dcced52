"""What the rulebooks of Marina Bay Sands have in common, under the same numbers of clauses."""

from puntobanco.rules.game import Announcements, Bet, Pays, Pushes
from puntobanco.rules.hands import banker, player, tie
from puntobanco.rules.irregularities import (
    CARDS_DRAWN_TOGETHER,
    FOREIGN_CARD,
    INSUFFICIENT_CARDS,
    ORDER_ALTERED,
    WRONG_CARD_COUNT,
)
from puntobanco.rules.money import Odds
from puntobanco.rules.tableau import PUNTO_BANCO
from puntobanco.rules.text import Words

banker_six = banker.wins & banker.points(6)

DEALER_CALLS = Announcements(
    open="Place your bets, please",
    close="No more bets",
    by="dealer",
    open_clause="3.1",
    close_clause="3.2",
)
TABLE_OF_PLAY = PUNTO_BANCO.cited(
    natural="3.9.1", player="3.9.2", banker_alone="3.9.3", banker="3.9.4"
)

PLAYER = Bet(
    "player",
    Words("Player", "閒"),
    clause="3.10",
    spot_clause="2.2.2",
    push=Pushes(tie, "3.10.1"),
    pays=(Pays(player.wins, Odds(1, 1), "4.1"),),
)
BANKER = Bet(
    "banker",
    Words("Banker", "莊"),
    clause="3.10",
    spot_clause="2.2.1",
    push=Pushes(tie, "3.10.1"),
    pays=(
        Pays(banker_six, Odds(1, 2), "4.1"),
        Pays(banker.wins, Odds(1, 1), "4.1"),
    ),
)
TIE = Bet(
    "tie",
    Words("Tie", "和"),
    clause="3.10.1",
    spot_clause="2.2.3",
    pays=(Pays(tie, Odds(8, 1), "4.1"),),
)
PLAYER_PAIR = Bet(
    "player-pair",
    Words("Player Pair", "閒對"),
    clause="3.8.1",
    spot_clause="2.2.4",
    pays=(Pays(player.pair, Odds(11, 1), "4.1"),),
)
BANKER_PAIR = Bet(
    "banker-pair",
    Words("Banker Pair", "莊對"),
    clause="3.8.2",
    spot_clause="2.2.4",
    pays=(Pays(banker.pair, Odds(11, 1), "4.1"),),
)
FORTUNE_SIX_BET = Bet(
    "fortune-six",
    Words("Fortune Six", "幸運六"),
    clause="1.1.1",
    spot_clause="2.2.5",
    pays=(
        Pays(banker_six & banker.cards(2), Odds(12, 1), "4.1"),
        Pays(banker_six & banker.cards(3), Odds(20, 1), "4.1"),
    ),
)

VOIDS = (
    FOREIGN_CARD("5.1"),
    WRONG_CARD_COUNT("5.2"),
    CARDS_DRAWN_TOGETHER("5.3"),
    ORDER_ALTERED("5.4"),
    INSUFFICIENT_CARDS("5.5"),
)
