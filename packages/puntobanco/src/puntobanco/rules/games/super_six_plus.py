"""Non-Commission Baccarat with Super Six Plus, an electronic table game (Resorts World Sentosa), 10
May 2019.
"""

from puntobanco.base.words import Words
from puntobanco.rules.cards import STANDARD
from puntobanco.rules.game import Announcements, Basics, Bet, Game, Odds, Pays, Pushes
from puntobanco.rules.hands import banker, player, tie
from puntobanco.rules.irregularities import (
    FOREIGN_CARD,
    INSUFFICIENT_CARDS,
    WRONG_CARD_COUNT,
    WRONG_DECK_COUNT,
)
from puntobanco.rules.readings import (
    EVERY_GAME,
    PAIR_IS_RANK,
    SHUFFLER,
    TIE_AT_SIX,
    TIE_WINS,
    TOTALS_ANNOUNCED,
)
from puntobanco.rules.tableau import PUNTO_BANCO

banker_six = banker.wins_on(6)

SUPER_SIX_PLUS = Game(
    id="super-six-plus",
    title=Words("Non-Commission Baccarat with Super Six Plus", "超級六 Plus 免佣百家樂"),
    rulebook="rws-super-six-plus-2019-05-10",
    effective="2019-05-10",
    deck=STANDARD,
    decks=range(4, 9),
    announcements=Announcements(
        open="Place Your Bets",
        close="No More Bets",
        by="terminal",
        open_clause="3.1",
        close_clause="3.2",
    ),
    basics=Basics(
        decks="2.2.1",
        shuffler="3.4",
        point_values="3.8",
        point_total="1:point-total",
        wagers="3.3",
        deal=("3.4", "3.4"),
        announce_totals="reading 41",
        winner="3.9",
        tie="3.10",
        late_wager="3.2",
        late_withdrawal="reading 21",
    ),
    tableau=PUNTO_BANCO.cited(natural="3.6", player="3.6", banker_alone="3.5", banker="3.6"),
    bets=(
        Bet(
            "player",
            Words("Player", "閒"),
            clause="3.9",
            spot_clause="3.3",
            push=Pushes(tie, "3.10"),
            pays=(Pays(player.wins, Odds(1, 1), "4.1.1"),),
        ),
        Bet(
            "banker",
            Words("Banker", "莊"),
            clause="3.9",
            spot_clause="3.3",
            push=Pushes(tie, "3.10"),
            pays=(
                Pays(banker_six, Odds(1, 2), "4.1.1"),
                Pays(banker.wins, Odds(1, 1), "4.1.1"),
            ),
        ),
        Bet(
            "tie",
            Words("Tie", "和"),
            clause="1:tie",
            spot_clause="3.3",
            pays=(Pays(tie, Odds(8, 1), "4.1.1"),),
        ),
        Bet(
            "player-pair",
            Words("Player Pair", "閒對"),
            clause="3.4",
            spot_clause="3.3",
            pays=(Pays(player.pair, Odds(11, 1), "4.1.1"),),
        ),
        Bet(
            "banker-pair",
            Words("Banker Pair", "莊對"),
            clause="3.4",
            spot_clause="3.3",
            pays=(Pays(banker.pair, Odds(11, 1), "4.1.1"),),
        ),
        Bet(
            "super-six-plus",
            Words("Super Six Plus", "超級六 Plus"),
            clause="1:super-six-plus",
            spot_clause="3.3",
            pays=(
                Pays(banker_six & banker.cards(2), Odds(12, 1), "4.1.1"),
                Pays(banker_six & banker.cards(3), Odds(20, 1), "4.1.1"),
            ),
        ),
    ),
    irregularities=(
        FOREIGN_CARD("5.1.1"),
        WRONG_DECK_COUNT("5.1.2"),
        WRONG_CARD_COUNT("5.1.3"),
        INSUFFICIENT_CARDS("5.1.4"),
    ),
    readings=(*EVERY_GAME, TIE_AT_SIX, PAIR_IS_RANK, TIE_WINS, SHUFFLER, TOTALS_ANNOUNCED),
)
