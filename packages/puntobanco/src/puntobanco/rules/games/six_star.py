"""6 Star No Commission Baccarat (Marina Bay Sands), 17 March 2017."""

from puntobanco.base.words import Words
from puntobanco.rules.cards import FIRE, FIVE_ELEMENTS, FUK, LUK, SAU
from puntobanco.rules.game import Announcements, Basics, Bet, Dollars, Game, Odds, Pays, Pushes
from puntobanco.rules.hands import Hand, banker, cards_dealt, one_suit, player, tie
from puntobanco.rules.irregularities import (
    CARDS_DRAWN_TOGETHER,
    FOREIGN_CARD,
    INSUFFICIENT_CARDS,
    ORDER_ALTERED,
    WRONG_CARD_COUNT,
)
from puntobanco.rules.predicates import Predicate
from puntobanco.rules.readings import (
    ALL_CARDS_COUNT,
    BONUS_ON_TOP,
    BOTH_FLAMING,
    ELEMENT_PAIR_IS_RANK,
    EVERY_GAME,
    FLAMING_IS_TWO_CARDS,
    HOUSE_TERMINALS,
    ONE_BONUS,
    SIX_STARS,
    TIE_AT_SIX,
)
from puntobanco.rules.tableau import PUNTO_BANCO


def flaming_nines(hand: Hand) -> Predicate:
    nine = hand.initial_points(9) & hand.first.suit(FIRE) & hand.second.suit(FIRE)
    name = Words("{} has Flaming 9's", "{}有火九").format(hand.name)
    means = Words("two Fire cards that make nine", "首兩張牌皆為火且合計九點")
    return nine.named(name, clause="1.1.4", means=means)


banker_six = banker.wins_on(6)
both_flaming = tie & flaming_nines(player) & flaming_nines(banker)
stars = player.one_of_each(SAU, LUK, FUK) & banker.one_of_each(SAU, LUK, FUK)
six_stars = (tie & stars).named(
    Words("6 Stars", "六星"),
    clause="1.1.1",
    means=Words(
        "a tie in which each hand holds one Sau, one Luk and one Fuk",
        "和局，且雙方各有壽、祿、福一張",
    ),
)
one_element = one_suit.named(
    Words("every card dealt is of one element", "全部牌屬同一五行"),
    clause="1.1.3",
    means=Words(
        "all four, five or six cards of both finished hands have the same element, whoever wins",
        "雙方完成後的全部牌（四、五或六張）五行相同，不論勝負",
    ),
)

SIX_STAR = Game(
    id="six-star",
    title=Words("6 Star No Commission Baccarat", "六星免佣百家樂"),
    rulebook="mbs-six-star-2017-03-17",
    effective="2017-03-17",
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
        suits="1.1.2",
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
        natural="3.9.1", player="3.9.2", banker_alone="3.9.3", banker="3.9.4"
    ),
    bets=(
        Bet(
            "player",
            Words("Player", "閒"),
            clause="3.10",
            spot_clause="2.2.2",
            push=Pushes(tie, "3.10.1"),
            pays=(
                Pays(player.wins & flaming_nines(player), Odds(6, 5), "4.1"),
                Pays(player.wins, Odds(1, 1), "4.1"),
            ),
        ),
        Bet(
            "banker",
            Words("Banker", "莊"),
            clause="3.10",
            spot_clause="2.2.1",
            push=Pushes(tie, "3.10.1"),
            pays=(
                Pays(banker_six, Odds(1, 2), "4.1"),
                Pays(banker.wins & flaming_nines(banker), Odds(6, 5), "4.1"),
                Pays(banker.wins, Odds(1, 1), "4.1"),
            ),
        ),
        Bet(
            "tie",
            Words("Tie", "和"),
            clause="3.10.1",
            spot_clause="2.2.3",
            pays=(Pays(tie, Odds(8, 1), "4.1"),),
            bonus=(
                Pays(both_flaming, Dollars(3_000), "4.3"),
                Pays(six_stars, Dollars(30_000), "4.3"),
            ),
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
            clause="1.1.5",
            spot_clause="2.2.5",
            pays=(
                Pays(banker_six & banker.cards(2), Odds(12, 1), "4.1"),
                Pays(banker_six & banker.cards(3), Odds(20, 1), "4.1"),
            ),
        ),
        Bet(
            "element-bonus",
            Words("Element Bonus", "五行獎"),
            clause="1.1.3",
            spot_clause="2.2.6",
            pays=(
                Pays(one_element & cards_dealt(4), Odds(50, 1), "4.2"),
                Pays(one_element & cards_dealt(5), Odds(500, 1), "4.2"),
                Pays(one_element & cards_dealt(6), Odds(5000, 1), "4.2"),
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
    readings=(
        *EVERY_GAME,
        TIE_AT_SIX,
        ELEMENT_PAIR_IS_RANK,
        FLAMING_IS_TWO_CARDS,
        BOTH_FLAMING,
        SIX_STARS,
        ONE_BONUS,
        BONUS_ON_TOP,
        ALL_CARDS_COUNT,
        HOUSE_TERMINALS,
    ),
)
