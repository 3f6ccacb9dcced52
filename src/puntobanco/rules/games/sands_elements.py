"""Sands Elements No Commission Baccarat (Marina Bay Sands), version 2, 5 May 2017.

Five-element cards, but no bet that reads an element."""

from puntobanco.rules.cards import FIVE_ELEMENTS
from puntobanco.rules.game import Basics, Game
from puntobanco.rules.games.marina_bay import (
    BANKER,
    BANKER_PAIR,
    DEALER_CALLS,
    FORTUNE_SIX_BET,
    PLAYER,
    PLAYER_PAIR,
    TIE,
    VOIDS,
)
from puntobanco.rules.readings import (
    ELEMENT_PAIR_IS_RANK,
    EVERY_GAME,
    FIVE_SUITS,
    HOUSE_TERMINALS,
    TIE_AT_SIX,
)
from puntobanco.rules.tableau import PUNTO_BANCO
from puntobanco.rules.text import Words

SANDS_ELEMENTS = Game(
    id="sands-elements",
    title=Words("Sands Elements No Commission Baccarat", "金沙五行免佣百家樂"),
    rulebook="mbs-sands-elements-2017-05-05",
    version="2",
    effective="2017-05-05",
    deck=FIVE_ELEMENTS,
    decks=range(4, 11),
    announcements=DEALER_CALLS,
    basics=Basics(
        decks="2.1",
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
        PLAYER,
        BANKER,
        TIE,
        PLAYER_PAIR,
        BANKER_PAIR,
        FORTUNE_SIX_BET,
    ),
    irregularities=VOIDS,
    readings=(*EVERY_GAME, TIE_AT_SIX, ELEMENT_PAIR_IS_RANK, FIVE_SUITS, HOUSE_TERMINALS),
)
