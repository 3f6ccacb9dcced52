"""Sands Elements No Commission Baccarat (Marina Bay Sands), version 2, 5 May 2017.

Five-element cards, but no bet that reads an element."""

from puntobanco.base.words import Words
from puntobanco.rules.cards import FIVE_ELEMENTS
from puntobanco.rules.game import Announcements, Basics, Bet, Game, Odds, Pays, Pushes
from puntobanco.rules.hands import banker, player, tie
from puntobanco.rules.irregularities import (
    CARDS_DRAWN_TOGETHER,
    FOREIGN_CARD,
    INSUFFICIENT_CARDS,
    ORDER_ALTERED,
    WRONG_CARD_COUNT,
)
from puntobanco.rules.readings import (
    ELEMENT_PAIR_IS_RANK,
    EVERY_GAME,
    FIVE_SUITS,
    HOUSE_TERMINALS,
    TIE_AT_SIX,
)
from puntobanco.rules.tableau import PUNTO_BANCO

banker_six = banker.wins_on(6)

SANDS_ELEMENTS = Game(
    id="sands-elements",
    title=Words("Sands Elements No Commission Baccarat", "金沙五行免佣百家樂"),
    rulebook="mbs-sands-elements-2017-05-05",
    version="2",
    effective="2017-05-05",
    deck=FIVE_ELEMENTS,
    decks=range(4, 11),
    announcements=Announcements(
        open="Place your bets, please",
        close="No more bets",
        by="dealer",
        open_clause="3.1",
        close_clause="3.2",
    ),
    basics=Basics(
        decks="2.1",
        no_jokers="2.1",
        suits="reading 8",
        point_values="3.3",
        point_total="3.4",
        wagers="3.5",
        deal=("3.7.1", "3.7.2"),
        announce_totals="3.9",
        winner="3.10",
        tie="3.10.1",
        late_wager="5.6",
        late_withdrawal="5.7",
    ),
    tableau=PUNTO_BANCO.cited(
        natural="3.9:table", player="3.9:table", banker_alone="3.9:table", banker="3.9:table"
    ),
    bets=(
        Bet(
            "player",
            Words("Player", "閒"),
            clause="3.10",
            spot_clause="2.2.2",
            push=Pushes(tie, "3.10.1"),
            pays=(Pays(player.wins, Odds(1, 1), "4.1"),),
        ),
        Bet(
            "banker",
            Words("Banker", "莊"),
            clause="3.10",
            spot_clause="2.2.1",
            push=Pushes(tie, "3.10.1"),
            pays=(
                Pays(banker_six, Odds(1, 2), "4.1"),
                Pays(banker.wins, Odds(1, 1), "4.1"),
            ),
        ),
        Bet(
            "tie",
            Words("Tie", "和"),
            clause="3.10.1",
            spot_clause="2.2.3",
            pays=(Pays(tie, Odds(8, 1), "4.1"),),
        ),
        Bet(
            "player-pair",
            Words("Player Pair", "閒對"),
            clause="3.8.1",
            spot_clause="2.2.4",
            pays=(Pays(player.pair, Odds(11, 1), "4.1"),),
        ),
        Bet(
            "banker-pair",
            Words("Banker Pair", "莊對"),
            clause="3.8.2",
            spot_clause="2.2.4",
            pays=(Pays(banker.pair, Odds(11, 1), "4.1"),),
        ),
        Bet(
            "fortune-six",
            Words("Fortune Six", "幸運六"),
            clause="1.1.1",
            spot_clause="2.2.5",
            pays=(
                Pays(banker_six & banker.cards(2), Odds(12, 1), "4.1"),
                Pays(banker_six & banker.cards(3), Odds(20, 1), "4.1"),
            ),
        ),
    ),
    irregularities=(
        FOREIGN_CARD("5.1"),
        WRONG_CARD_COUNT("5.2"),
        CARDS_DRAWN_TOGETHER("5.3"),
        ORDER_ALTERED("5.4"),
        INSUFFICIENT_CARDS("5.5"),
    ),
    readings=(*EVERY_GAME, TIE_AT_SIX, ELEMENT_PAIR_IS_RANK, FIVE_SUITS, HOUSE_TERMINALS),
)
