"""A game with ten side bets, long words and no Chinese: the busiest felt that a designer is promised."""

from puntobanco import GAMES, Bet, Odds, Pays, Words, banker, cards_dealt, player, same, tie

RED = player.first.suit(1, 2) & player.second.suit(1, 2)
SUITED = same(player.first.suit, player.second.suit)


def bet(id_: str, title: str, *pays: Pays) -> Bet:
    return Bet(id_, Words(title), pays=pays)


GAME = GAMES["rapid"].with_bets(
    bet(
        "dragon-player",
        "Player's Magnificent Dragon Bonus",
        Pays(player.margin(9), Odds(30, 1)),
        Pays(player.margin(8), Odds(10, 1)),
        Pays(player.margin(7), Odds(6, 1)),
        Pays(player.natural & player.wins, Odds(1, 1)),
    ),
    bet(
        "dragon-banker",
        "Banker's Magnificent Dragon Bonus",
        Pays(banker.margin(9), Odds(30, 1)),
        Pays(banker.margin(8), Odds(10, 1)),
        Pays(banker.margin(7), Odds(6, 1)),
        Pays(banker.natural & banker.wins, Odds(1, 1)),
    ),
    bet(
        "lucky-six",
        "Extraordinarily Lucky Six",
        Pays(banker.wins_on(6) & banker.cards(3), Odds(20, 1)),
        Pays(banker.wins_on(6), Odds(12, 1)),
    ),
    bet("both-natural", "Two Naturals at Once", Pays(player.natural & banker.natural, Odds(18, 1))),
    bet(
        "all-red",
        "Incomprehensibilities All Red",
        Pays(RED & SUITED, Odds(5, 1)),
        Pays(RED, Odds(2, 1)),
    ),
    bet("six-cards", "Six Cards Are Dealt", Pays(cards_dealt(6), Odds(2, 1))),
    bet("nine-tie", "Tie of Nines", Pays(tie & player.points(9), Odds(60, 1))),
    bet("suited", "Suited Player", Pays(SUITED, Odds(3, 1))),
    id="busy",
    title=Words("Lucky Busy Table"),
)
