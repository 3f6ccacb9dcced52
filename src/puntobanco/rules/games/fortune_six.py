"""Fortune Six No Commission Baccarat (Marina Bay Sands), version 4, 17 February 2017."""

from puntobanco.rules.cards import STANDARD
from puntobanco.rules.game import Basics, Game
from puntobanco.rules.games.marina_bay import (
    BANKER,
    BANKER_PAIR,
    DEALER_CALLS,
    FORTUNE_SIX_BET,
    PLAYER,
    PLAYER_PAIR,
    TABLE_OF_PLAY,
    TIE,
    VOIDS,
)
from puntobanco.rules.readings import EVERY_GAME, HOUSE_TERMINALS, PAIR_IS_RANK, TIE_AT_SIX
from puntobanco.rules.text import Words

FORTUNE_SIX = Game(
    id="fortune-six",
    title=Words("Fortune Six No Commission Baccarat", "幸運六免佣百家樂"),
    rulebook="mbs-fortune-six-2017-02-17",
    version="4",
    effective="2017-02-17",
    deck=STANDARD,
    decks=range(4, 11),
    announcements=DEALER_CALLS,
    basics=Basics(
        decks="2.1",
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
    tableau=TABLE_OF_PLAY,
    bets=(
        PLAYER,
        BANKER,
        TIE,
        PLAYER_PAIR,
        BANKER_PAIR,
        FORTUNE_SIX_BET,
    ),
    irregularities=VOIDS,
    readings=(*EVERY_GAME, TIE_AT_SIX, PAIR_IS_RANK, HOUSE_TERMINALS),
)
