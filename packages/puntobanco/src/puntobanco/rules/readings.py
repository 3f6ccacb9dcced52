"""Readings: what we do where a rulebook is silent or says two things, as the rules page tells
patrons.

The numbers are those of docs/reference/rulebooks/readings.md, which holds all of them; here stand
those that a patron at the table can meet. A game lists its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from puntobanco.base.words import Words

READINGS = 49
"""How many there are on the readings page."""


@dataclass(frozen=True, slots=True)
class Reading:
    number: int
    text: Words

    @property
    def citation(self) -> str:
        return f"reading {self.number}"


def _reading(number: int, en: str, zh: str) -> Reading:
    return Reading(number, Words(en, zh))


ONE_BONUS = _reading(
    1,
    "The Tie Bonus is paid once per patron per round, however many Tie wagers there "
    "are and whatever their size.",
    "和局獎金每位客人每局只派一次，不論和局注數及注額。",
)
BONUS_ON_TOP = _reading(3, "The Tie Bonus comes on top of 8 to 1.", "和局獎金在 1 賠 8 之外另派。")
FLAMING_IS_TWO_CARDS = _reading(
    4,
    "Flaming 9's are a hand's first two cards, both Fire, that make nine, as 4 and 5 do, or "
    "ace and 8; a nine of three cards, or with one Fire card, is none.",
    "火九指首兩張牌合計九點且皆為火，如 4 與 5、A 與 8；三張牌的九點或只有一張火牌均不算。",
)
BOTH_FLAMING = _reading(
    5,
    "A Tie Bonus for Flaming 9's needs both hands; one flaming hand in a tie at nine earns none.",
    "火九和局獎金須莊閒雙方皆為火九；九點和局而只有一方火九則不派。",
)
SIX_STARS = _reading(
    6,
    "6 Stars are one Sau, one Luk and one Fuk in each hand, in any order and of any elements.",
    "六星指雙方各有壽、祿、福一張，次序及五行不限。",
)
ALL_CARDS_COUNT = _reading(
    7,
    "Element Bonus looks at every card of both finished hands, whoever wins.",
    "五行獎看雙方完成後的全部牌，不論勝負。",
)
FIVE_SUITS = _reading(
    8, "The five suits are Fire, Gold, Earth, Wood and Water.", "五種花色為火、金、土、木、水。"
)
PAIR_IS_RANK = _reading(
    9,
    "A pair means that a hand's first two cards are of one rank; point values and suits "
    "do not matter: ten and king are no pair.",
    "對子指首兩張牌牌面相同，點數與花色無關：十與 K 不成對。",
)
ELEMENT_PAIR_IS_RANK = _reading(
    9,
    "A pair means that a hand's first two cards are of one rank; point values and elements "
    "do not matter: Sau and Luk are no pair.",
    "對子指首兩張牌牌面相同，點數與五行無關：壽與祿不成對。",
)
TIE_AT_SIX = _reading(
    11,
    "In a tie at six Banker has six but does not win: the side bet on a Banker six "
    "loses, Banker pushes.",
    "六點和局時，莊雖有六點但並無勝出：買莊六點的旁注輸，莊注退回。",
)
NATURALS_FIRST = _reading(
    13,
    "A natural in either hand ends the drawing before any other rule.",
    "任何一方例牌，雙方即停止補牌，此規則優先於其他補牌規則。",
)
TIE_WINS = _reading(15, "Tie wagers win when the hands tie.", "和局時和注贏。")
ANY_COMBINATION = _reading(
    16,
    "Player and Banker may be backed together, and a side bet needs no other wager.",
    "莊閒可同時投注，旁注可單獨投注。",
)
WHOLE_CENTS = _reading(
    17,
    "A stake whose payouts would not be whole cents is refused; nothing is rounded.",
    "派彩會出現不足一仙（分）零數的注額，恕不接受；不作四捨五入。",
)
STAKE_BESIDES = _reading(
    18, "Odds do not include the stake, which comes back besides.", "賠率不含本金，本金另退。"
)
CLOSED_BY_DEALER = _reading(
    19,
    "Where a dealer deals, bets are open until the dealer closes them, and a time that "
    "is shown is a guide; where "
    "the server deals, or the table is set so, the time closes them: house procedure.",
    "由荷官派牌時，荷官宣布截止前均可投注，顯示的時間僅供參考；由伺服器派牌或賭枱另有設定時，時間到即截止：本場程序。",
)
LATE_RAISE = _reading(
    20,
    "Of a late raise only the increase is refused; the first stake plays.",
    "逾時加注只拒絕加注部分，原注照計。",
)
LATE_WITHDRAWAL = _reading(
    21,
    "A wager withdrawn after the close plays on; switching a terminal off withdraws nothing.",
    "截止後撤回的投注仍按結果計算；關閉終端機不等於撤注。",
)
RECONSTRUCT_FIRST = _reading(
    22,
    "The order of the cards is reconstructed whenever that is possible; only otherwise "
    "is the round void.",
    "能還原牌序者必先還原；無法還原方作廢。",
)
SURPLUS_CARD = _reading(
    23,
    "A card that turns out not to be needed is the next card of the shoe; one that "
    "patrons saw is burned before bets open again: house procedure.",
    "還原後多出的牌作為牌靴的下一張牌；如已為客人所見，則於下一局投注前棄去：本場程序。",
)
SEEN_IN_TIME = _reading(
    24,
    "A wrong number of cards counts until bets open for the next round; from then on the "
    "result stands.",
    "派牌張數錯誤須於下一局開始投注前發現；其後該局結果有效。",
)
LAST_HAND = _reading(
    28,
    "A round has too few cards only when one that the rules call for is not there; no "
    "round opens with fewer than six. A cut card lies some cards from the end of the shoe. "
    "The round in which it comes out is called the last hand, and the shoe is changed "
    "after it: house procedure.",
    "須派牌而無牌時方為餘牌不足；牌靴不足六張時不開新局。"
    "切牌置於牌靴末段。切牌出現的一局宣布為最後一局，該局後更換牌靴：本場程序。",
)
CUT_AND_BURN = _reading(
    29,
    "Cutting the cards, and burning some unseen or by the first card that is turned "
    "before a shoe is played: house "
    "procedure.",
    "切牌、開靴前暗棄牌張或按首張明牌點數棄牌：本場程序。",
)
SHUFFLER = _reading(
    30,
    "A shuffler may put the cards back after every round; the house then changes the "
    "set, and starts the roads "
    "afresh, after a number of rounds: house procedure.",
    "洗牌機可於每局後將牌放回；本場於指定局數後更換牌組並重新開始路單：本場程序。",
)
MALFUNCTION_POLICY = _reading(
    31,
    "A round that is interrupted by a fault of the equipment is finished by rule, with the "
    "cards as committed or as they lie, and its wagers are settled. It is void, and all "
    "wagers on it are returned, only if it cannot be finished. Where staff declare a "
    "malfunction, two people decide whether the round goes on or is void; the journal "
    "keeps both names. Where the server deals, they can void it only if its cards cannot be "
    "read. Rounds that were settled stand.",
    "牌局如因設備故障中斷，將依規則以既定或已派出的牌完成，投注照常結算；"
    "只有無法完成時該局才作廢，並退回該局全部投注。"
    "職員申報設備故障時，由兩名職員決定牌局繼續或作廢，兩人均記錄在案。"
    "由伺服器派牌時，只有無法讀取牌序才可作廢。已結算的牌局維持有效。",
)
"""On every rules page, whatever the game: readings 31, 46 and 49."""

VOID_LEAVES_NOTHING = _reading(
    33,
    "A void round adds nothing to the roads; its cards stay out of the shoe.",
    "作廢局不記入路單；已派的牌不回牌靴。",
)
LIMITS_OF_THE_TABLE = _reading(
    37,
    "Limits are the table's own, and the terminal shows them: for each spot, for one "
    "patron, for the whole table. Side bets and Tie may be closed between rounds, Player "
    "and Banker not: house procedure.",
    "限額由各賭枱自訂，並於終端機顯示：每注、每位客人及賭枱總額。"
    "旁注與和可於局與局之間關閉，莊閒則否：本場程序。",
)
REOPENED = _reading(
    39,
    "A round that was paid may be reopened until bets open again, by two people, for a "
    "wrong number of cards or a card that was entered wrongly. What was paid is taken back "
    "out of credits, and the round is settled anew or void; what the credits lack is set "
    "off against what it then pays. No credits turn negative: house procedure.",
    "已派彩的牌局如派牌張數錯誤或輸入的牌有誤，在下一局開始投注前可由兩名職員重開。"
    "已派款項從客人帳上收回，該局重新結算或作廢；不足之數從其後派彩中抵銷，帳目不會變為負數：本場程序。",
)
HOUSE_TERMINALS = _reading(
    40,
    "Terminals and automatic dealing in this game are house procedure; the rules of "
    "play do not change.",
    "本遊戲以終端機及自動派牌進行屬本場程序；玩法規則不變。",
)

TOTALS_ANNOUNCED = _reading(
    41,
    "Both totals are announced before any third card, here too.",
    "補牌前宣布雙方點數，本遊戲亦然。",
)

EVERY_GAME = (
    NATURALS_FIRST,
    ANY_COMBINATION,
    WHOLE_CENTS,
    STAKE_BESIDES,
    CLOSED_BY_DEALER,
    LATE_RAISE,
    LATE_WITHDRAWAL,
    RECONSTRUCT_FIRST,
    SURPLUS_CARD,
    SEEN_IN_TIME,
    LAST_HAND,
    CUT_AND_BURN,
    VOID_LEAVES_NOTHING,
    LIMITS_OF_THE_TABLE,
    REOPENED,
)
