"""Refusals in a patron's words: each kind that a terminal or a dealer's console can meet, in both languages."""

import inspect
import re
from pathlib import Path

import pytest
from tools.texts import HAN, Text, faults_of, python_texts

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words
from puntobanco.rules import refusals as of_the_rules
from puntobanco_floor.audit.refusals import NoSuchRound
from puntobanco_floor.domain import refusal_words, refusals
from puntobanco_floor.domain.house import refusals as of_the_house
from puntobanco_floor.domain.refusals import BadNumber, NotConfirmed
from puntobanco_floor.domain.stream_names import bet_words, place_words
from puntobanco_floor.domain.table import refusals as of_the_table
from puntobanco_floor.service import refusals as of_the_floor
from puntobanco_floor.service.refusals import (
    BadCard,
    BadVoucher,
    LoginRefused,
    NoSuchView,
    NotAllowed,
    PatronCardRefused,
)
from puntobanco_floor.store.errors import CommandReused, NotStored
from tests.table.notation import COMMANDS, Table, play

ROOT = Path(__file__).parents[1] / "src"

OF_NOBODY_THERE = {
    "bad-game": "designers",
    "bad-results": "the command line",
    "unknown-key": "administrators",
    "wrong-floor": "who starts the server",
    "last-administrator": "administrators",
    "still-needed": "administrators",
    "window-refused": "the cage, whose screen is English",
    "not-of-the-house": "programs",
}
"""What no terminal and no dealer's console can meet, and who does."""

MODULES = (of_the_rules, refusals, of_the_table, of_the_house, of_the_floor)
ALONE = (
    *(BadCard, BadNumber, BadVoucher, CommandReused, LoginRefused, NoSuchRound, NoSuchView),
    *(NotAllowed, NotConfirmed, NotStored, PatronCardRefused),
)


def kinds() -> dict[str, type[Refusal]]:
    found = dict[str, type[Refusal]]()
    for module in MODULES:
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if issubclass(kind, Refusal) and kind is not Refusal:
                found[kind.code] = kind
    return found | {kind.code: kind for kind in ALONE}


MET = {code: kind for code, kind in kinds().items() if code not in OF_NOBODY_THERE}
SENTENCES = {name: said for name, said in vars(refusal_words).items() if isinstance(said, Words)}


@pytest.mark.parametrize("code", MET)
def test_each_kind_has_words_of_its_own_in_both_languages(code: str) -> None:
    said = MET[code].in_short
    assert said is not Refusal.in_short, f"{code} has no words of its own"
    assert HAN.search(said.zh)
    assert list(faults_of(Text(code, said.en, said.zh))) == []


def test_the_list_of_what_nobody_meets_is_no_longer_than_it_must_be() -> None:
    assert set(OF_NOBODY_THERE) <= set(kinds())


@pytest.mark.parametrize("name", SENTENCES)
def test_each_sentence_is_there_in_both_languages_with_the_same_values(name: str) -> None:
    said = SENTENCES[name]
    assert HAN.search(said.zh)
    assert not HAN.search(said.en)
    assert said.en[0].isupper() or said.en[0] == "{"
    assert len(re.findall(r"\{\d?\}", said.en)) == len(re.findall(r"\{\d?\}", said.zh))


@pytest.mark.parametrize(
    "path",
    [
        *("domain/table/wagers.py", "domain/table/sessions.py", "domain/table/decide.py"),
        *("domain/table/preconditions.py", "domain/table/stops.py", "domain/proposals.py"),
        *("service/seats.py", "service/voucher_numbers.py", "audit/patron_replay.py"),
        *("../puntobanco/rules/irregularities.py",),
    ],
)
def test_what_a_terminal_or_a_dealer_may_be_told_is_never_english_alone(path: str) -> None:
    code = (ROOT / "puntobanco_floor" / path).read_text("utf-8")
    alone = [text for text in python_texts(code, path) if not text.zh]
    known = ("was {past.outcome}",)  # a proposal: who asks again reads its outcome besides
    assert [text for text in alone if not any(part in text.en for part in known)] == []


def test_without_chinese_of_its_own_a_refusal_says_what_its_kind_says() -> None:
    plain = of_the_table.ShoeRefused("0 to 20 cards are burned")
    assert (plain.reason, plain.reason_zh) == ("0 to 20 cards are burned", "牌靴不容許")
    told = of_the_table.ShoeRefused(Words("no shoe", "沒有牌靴"), clause="3.9:table")
    assert (told.reason, told.reason_zh) == ("no shoe", "沒有牌靴")
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
    assert answer.reason.startswith(en)
    assert answer.reason_zh.startswith(zh)
    assert list(faults_of(Text(line, answer.reason, answer.reason_zh))) == []


def test_a_code_names_one_kind_of_refusal() -> None:
    """Programs tell refusals apart by it. Classes are found in the source: not every module is
    imported by a test.
    """
    where = dict[str, str]()
    for path in sorted(ROOT.rglob("*.py")):
        for name in re.findall(r"^class (\w+)\((?:\w+\.)?Refusal\)", path.read_text("utf-8"), re.M):
            assert name not in where, f"{path.name} and {where[name]} both have {name}"
            where[name] = path.name
    assert len(where) > 50
