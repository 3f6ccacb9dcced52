"""One glossary: every text that a person reads, in Python, on the screens and in the documents, keeps to it."""

import re

from tools import texts
from tools.glossary import TERMS
from tools.texts import HAN, Text, faults_of, python_texts, script_texts, values_of

TYPED = ("names no round; write the table and the number, such as table:1:812",)
"""Sentences that name an id because somebody is to type it."""

BY_ID = {
    "packages/puntobanco-floor/src/puntobanco_floor/domain/stream_rules.py": "two people repair a stream; they have typed its id",
    "packages/puntobanco-floor/src/puntobanco_floor/domain/table/evolve.py": "a fault of a journal, for who repairs it",
    "packages/puntobanco-floor/src/puntobanco_floor/domain/table/shoes.py": "somebody has typed the id of a game",
    "packages/puntobanco-floor/src/puntobanco_floor/service/table_games.py": "somebody has typed the id of a game",
}
"""Files whose refusals may name ids, and why."""

FOR_PEOPLE = (*("audit/", "domain/", "integrity/", "service/", "transparency/", "views/", "web/"),)


def test_no_text_says_something_else_than_the_glossary() -> None:
    found = list(texts.every_text())
    assert len(found) > 1_500
    assert sum(bool(text.zh) for text in found) > 900
    assert sum(bool(text.zh) and "web/screens" in text.where for text in found) > 1_500
    wrong = texts.faults(text for text in found if not text.en.endswith(TYPED))
    assert not wrong, "\n".join(wrong)


def test_no_refusal_puts_an_id_or_bare_cents_into_a_sentence() -> None:
    wrong = list[str]()
    for text in texts.in_python():
        path, _, _ = text.where.partition(":")
        inside = path.removeprefix("packages/puntobanco-floor/src/puntobanco_floor/")
        if text.zh or path in BY_ID or not inside.startswith(FOR_PEOPLE):
            continue
        wrong += [f"{text.where}: {text.en}: {why}" for why in values_of(text)]
    assert not wrong, "\n".join(wrong)


def test_every_term_has_one_word_in_each_language() -> None:
    for language in ("id", "en"):
        words = [getattr(term, language) for term in TERMS if term.id != "stake-returned"]
        assert len(words) == len(set(words))
    for term in TERMS:
        assert HAN.search(term.zh)
        assert not HAN.search(term.en)
        assert term.means
        assert not any(re.fullmatch(word, term.zh) for word in term.not_zh)
        assert not any(re.fullmatch(word, term.en, re.IGNORECASE) for word in term.not_en)


# The check itself, on faults that are planted


PLANTED = (
    ("Credits", "點數", "點數 is 餘額 here"),
    ("Your credits", "你的分數", "分數 is 餘額 here"),
    ("Table {0}", "桌台 {0}", "桌 is 賭枱 here"),
    ("The table is closed", "此枱已關閉", "枱 is 賭枱 here"),
    ("The supervisor decides", "由主管決定", "主管 is 主任 here"),
    ("Announce: {0}", "宣佈：{0}", "宣佈 is 宣布 here"),
    ("Every terminal", "所有終端", "終端 is 終端機 here"),
    ("Place your bets", "請下注", "下注 is 投注 here"),
    ("No more bets", "停止投注", "停止投注 is 截止投注 here"),
    ("Clause", "條文", "條文 is 條款 here"),
    ("Voucher", "兌現券", "券 is 票券 here"),
    ("Push", "平手", "平手 is 退回本金 here"),
    ("Tie Bonus", "和獎金", "和獎金 is 和局 here"),
    ("as patrons see", "閒家可見", "閒家 is 客人 here"),
    ("The system was recovered", "系統已還原", "還原 is 復原 here"),
    ("as players see", "", "“players” is “patron” here"),
    ("the customer may not play", "", "“customer” is “patron” here"),
    ("The shoe cannot be played on with: foreign-card", "", "“foreign-card” is an id"),
    ("a wager on element-bonus is $10 to $50 here", "", "“element-bonus” is an id"),
    ("you sit at table:3; leave that table first", "", "“table:3” is an id"),
    ("The shoe is spoiled", "牌靴不可再用：foreign-card", "English in Chinese"),
    ("No more bets", "No more bets", ""),  # that is English, and no Chinese at all
    ("Bets are closed", "已截止投注 the time is up", "English in Chinese"),
    ("You lose {0}.", "你輸 {0}，閒贏. 再見", "western mark in Chinese"),
    ("Not connected", "未連接,請稍候", "western mark in Chinese"),
    ("5,000 to 1", "1 賠 5000", "5000 has no comma"),
)


def test_a_planted_fault_is_found() -> None:
    passed = list[str]()
    for en, zh, why in PLANTED:
        found = list(faults_of(Text("here", en, zh if HAN.search(zh) else "")))
        if found if not why else not any(why in each for each in found):
            passed.append(f"{en} {zh}: {found}, not {why!r}")
    assert not passed, "\n".join(passed)


RIGHT = (
    ("The higher point total wins", "點數較高者勝"),
    ("reconstruct the round", "還原此局"),
    ("Super Six Plus", "超級六 Plus"),
    ("A is one point, ten and K are none", "A 為一點，十、K為零點"),
    ("Cash out {0}?", "兌現 {0}？"),
    ("a cash-out of {0} at {1}", "{1} 兌現 {0}"),
    ("Rules as of 2017-02-17", "規則生效日期 2017-02-17。"),
    ("5,000 to 1", "1 賠 5,000"),
)


def test_what_is_right_is_let_through() -> None:
    wrong = [fault for en, zh in RIGHT for fault in faults_of(Text("here", en, zh))]
    assert not wrong, "\n".join(wrong)


PLANTED_PYTHON = (
    'x = Words("Credits", "點數")',
    'x = _action(c.Settle, "Credits", "點數")',
    'raise Refusal(f"a wager on element-bonus is {low} to {high}")',
    'raise NotNow("at table:3")',
    'traits = CommandTraits(title=Words("add a terminal", f"新增{x}終端"))',
    'def f(zh: str = "桌台") -> None: ...\nf(zh="桌台")',
)


def test_a_fault_in_python_is_found() -> None:
    passed = [code for code in PLANTED_PYTHON if not texts.faults(python_texts(code, "planted.py"))]
    assert not passed, "\n".join(passed)


PLANTED_VALUES = ("bet.id", "command.name()", "ground", "device.table", "format_cents(cents)")


def test_a_value_that_no_person_reads_is_found_in_a_refusal() -> None:
    passed = list[str]()
    for value in PLANTED_VALUES:
        code = f'raise r.LimitRefused(f"a wager on {{{value}}} is refused")'
        [text] = python_texts(code, "planted.py")
        passed += [] if list(values_of(text)) else [value]
    assert not passed, "\n".join(passed)


PLANTED_SCREENS = (
    'export const t = words({ credits: ["Credits", "點數"] });',
    'const ROLES = { supervisor: ["supervisor", "主管"] };',
    'const text = lang === "zh" ? `${seal}贏. 你輸` : `${winner} wins`;',
    'html`<p class="l">Voucher <span lang="zh-Hant">兌現券</span></p>`;',
    "html`<p>What players see</p>`;",
    't = [\n  "A text in "\n    + "two lines of credits",\n  "點數",\n];',
)


def test_a_fault_on_a_screen_is_found() -> None:
    passed = [
        code for code in PLANTED_SCREENS if not texts.faults(script_texts(code, "planted.js"))
    ]
    assert not passed, "\n".join(passed)
