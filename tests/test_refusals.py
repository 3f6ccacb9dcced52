"""Refusals in a patron's words: what a terminal or a dealer's console is told, in both languages."""

import pytest

from puntobanco.base.words import Words
from puntobanco_floor.domain import refusals as of_the_table
from puntobanco_floor.domain.stream_names import bet_words, place_words
from tests.table.notation import COMMANDS, Table, play
from tools.texts import Text, faults_of


def test_without_chinese_of_its_own_a_refusal_says_what_its_kind_says() -> None:
    plain = of_the_table.ShoeRefused("0 to 20 cards are burned")
    assert plain.words == Words("0 to 20 cards are burned", "牌靴不容許")
    told = of_the_table.ShoeRefused(Words("no shoe", "沒有牌靴"), clause="3.9:table")
    assert told.words == Words("no shoe", "沒有牌靴")
    assert str(told) == "no shoe [3.9, Table of Play]"


def test_places_and_bets_are_named_as_people_name_them() -> None:
    assert place_words("table:3") == Words("table 3", "賭枱 3")
    assert place_words("cage:2") == Words("cage window 2", "2 號帳房窗口")
    assert bet_words("element-bonus") == Words("Element Bonus", "五行獎")
    assert bet_words("lucky-red") == Words("Lucky Red")


# At a table

BEGUN = """
open-table six-star player=10.00-50.00/5.00 tie=10.00-5000.00/1.00 patron=2000.00 handpay=10000.00 -> TableOpened
shoe physical                         -> ShoeStarted
seat ann                              -> SessionSeated
buy ann 960.00                        -> CreditsBought
seat ben                              -> SessionSeated
buy ben 9000.00                       -> CreditsBought
buy ben 1001.00                       -> CreditsBought
seat eve loss=100.00                  -> SessionSeated
buy eve 500.00                        -> CreditsBought
open                                  -> BetsOpened
wager eve tie 80.00                   -> WagerPlaced
wager ann player 20.00                -> WagerPlaced
"""


@pytest.mark.parametrize(
    ("line", "en", "zh"),
    [
        ("wager ben player 55.00", "Max $50 here", "此處上限 $50"),
        ("wager ben player 5.00", "Min $10 here", "此處下限 $10"),
        ("wager ben player 12.00", "In steps of $5 here", "此處每級 $5"),
        (
            "wager ann tie 1000.00",
            "You have $940; $1,000 is needed",
            "你的餘額為 $940，需要 $1,000",
        ),
        (
            "wager eve tie 20.00",
            "You have a wager here already; raise it",
            "此處已有你的投注；請加注",
        ),
        (
            "raise eve tie 30.00",
            "Only $20 left of your limit today",
            "你今日的自訂輸額上限只餘 $20",
        ),
        (
            "wager ben tie 2001.00",
            "Your wagers in a round come to at most $2,000 here",
            "本賭枱每位客人每局投注總額最多 $2,000",
        ),
        (
            "withdraw ann player 15.00",
            "$5 cannot stay here: at least $10, in steps of $5; take back all of it",
            "此處不可只留 $5：最少 $10，每級 $5；請全部撤回",
        ),
        ("withdraw ann player 25.00", "Only $20 lies here", "此處只有 $20"),
        ("withdraw ann tie", "You have no wager here", "此處沒有你的投注"),
        ("wager zoe tie 20.00", "There is no seat at this table yet", "尚未在本賭枱入座"),
        ("voucher ann v1", "Wagers are in play; cash out when the round is over", "投注進行中"),
        (
            "voucher ben v1",
            "$10,001 is paid by hand: the staff pay what is over $10,000",
            "$10,001 須人手支付",
        ),
        ("settle", "Cannot settle the round now: bets are open", "現時不可結算此局：投注中"),
    ],
)
def test_a_refusal_is_told_in_the_words_of_who_asked(line: str, en: str, zh: str) -> None:
    refused(play(BEGUN), line, en, zh)


@pytest.mark.parametrize(
    ("line", "en", "zh"),
    [
        ("wager ben tie 10.00", "Bets are closed", "已截止投注"),
        (
            "raise eve tie 10.00",
            "Bets are closed; your wager stands as it was",
            "已截止投注，原注照計",
        ),
        ("withdraw ann player", "Bets are closed; your wager plays", "已截止投注，該注照計"),
    ],
)
def test_after_no_more_bets(line: str, en: str, zh: str) -> None:
    refused(play("close -> BetsClosed", play(BEGUN)), line, en, zh)


def refused(table: Table, line: str, en: str, zh: str) -> None:
    verb, *words = line.split()
    _, answer = table.do(COMMANDS[verb](table, words, {"by": "dealer"}))
    assert answer is not None
    assert not answer.ok
    assert answer.words.en.startswith(en)
    assert answer.words.zh.startswith(zh)
    assert list(faults_of(Text(line, answer.words.en, answer.words.zh))) == []
