"""Each refusal that a terminal or a dealer's console can meet has words of its own in both languages."""

import inspect
import re

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words
from puntobanco.rules import refusals as of_the_rules
from puntobanco_floor.audit.refusals import NoSuchRound
from puntobanco_floor.domain import refusals
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
from tools.texts import HAN, Text, faults_of, python_texts
from tools.tree import FLOOR, below_source, source_files

OF_NOBODY_THERE = {
    "bad-code": "staff who enrol",
    "bad-game": "designers",
    "bad-results": "the command line",
    "bad-run": "the command line and the odds lab",
    "counts-blind": "supervisors, on the audit page",
    "no-open-shift": "cashiers, whose screen is English",
    "no-such-zone": "administrators",
    "not-at-the-window": "cashiers, whose screen is English",
    "not-of-the-cage": "cashiers, whose screen is English",
    "plan-too-large": "the command line and the odds lab",
    "refused": "programs: its words and its code are those of the answer that it carries",
    "two-games": "administrators",
    "weak-password": "staff who enrol",
    "weak-pin": "staff who enrol",
    "unknown-key": "administrators",
    "wrong-floor": "who starts the server",
    "last-administrator": "administrators",
    "still-needed": "administrators",
    "window-refused": "the cage, whose screen is English",
    "not-of-the-house": "programs",
}
"""What no terminal and no dealer's console can meet, and who does."""

MODULES = (of_the_rules, refusals, of_the_floor)
ALONE = (
    *(BadCard, BadVoucher, CommandReused, LoginRefused, NoSuchRound, NoSuchView),
    *(NotAllowed, NotStored, PatronCardRefused),
)


def kinds() -> dict[str, type[Refusal]]:
    found = dict[str, type[Refusal]]()
    for module in MODULES:
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if issubclass(kind, Refusal) and kind is not Refusal:
                found[kind.code] = kind
    return found | {kind.code: kind for kind in ALONE}


MET = {code: kind for code, kind in kinds().items() if code not in OF_NOBODY_THERE}
SENTENCES = {name: said for name, said in vars(refusals).items() if isinstance(said, Words)}


def test_each_kind_has_words_of_its_own_in_both_languages() -> None:
    wrong = list[str]()
    for code, kind in MET.items():
        said = kind.in_short
        if said is Refusal.in_short or not HAN.search(said.zh):
            wrong.append(f"{code} has no words of its own")
        wrong += faults_of(Text(code, said.en, said.zh))
    assert not wrong, "\n".join(wrong)


def test_the_list_of_what_nobody_meets_is_no_longer_than_it_must_be() -> None:
    assert set(OF_NOBODY_THERE) <= set(kinds())


_, _, TOLD_TO_STAFF = inspect.getsource(refusals).partition("# Told to staff")


def is_complete(said: Words, name: str = "") -> bool:
    """Both languages, for patrons an English sentence from its first letter on, and the same values in both."""
    is_staffs = bool(name) and f"\n{name} = " in TOLD_TO_STAFF
    first = is_staffs or said.en[0].isupper() or said.en[0] == "{"
    both = HAN.search(said.zh) and not HAN.search(said.en)
    english, chinese = (len(re.findall(r"\{\d?\}", text)) for text in (said.en, said.zh))
    return bool(first and both and english == chinese)


def test_each_sentence_is_there_in_both_languages_with_the_same_values() -> None:
    assert SENTENCES
    wrong = [f"{name}: {said}" for name, said in SENTENCES.items() if not is_complete(said, name)]
    assert not wrong, "\n".join(wrong)


PLANTED = (
    Words("Only {0} here", "此處只有"),
    Words("Only {0} here"),
    Words("only {0} here", "此處只有 {0}"),
    Words("此處 {0}", "此處只有 {0}"),
)


def test_a_sentence_that_is_not_complete_is_found() -> None:
    passed = [said for said in PLANTED if is_complete(said)]
    assert not passed, passed


TOLD = (
    *("domain/table/wagers.py", "domain/table/sessions.py", "domain/table/decide.py"),
    *("domain/table/clock.py", "domain/table/stops.py", "domain/proposals.py"),
    *("service/seats.py", "service/voucher_numbers.py", "audit/round_replay.py"),
    *("../../../puntobanco/src/puntobanco/rules/irregularities.py",),
)
"""Files whose refusals a terminal or a dealer's console may be told."""

KNOWN = ("was {past.outcome}", "moves cash: name the cage window")
"""English alone: a proposal, whose outcome its proposer reads beside it, and one that a cashier approves."""


def english_alone(code: str, path: str) -> list[str]:
    texts = (text.en for text in python_texts(code, path) if not text.zh)
    return [f"{path}: {said}" for said in texts if not any(part in said for part in KNOWN)]


def test_a_terminal_or_a_dealer_is_never_told_english_alone() -> None:
    alone = list[str]()
    for path in TOLD:
        alone += english_alone((FLOOR / path).read_text("utf-8"), path)
    assert not alone, "\n".join(alone)


def test_english_alone_is_found() -> None:
    assert english_alone('raise r.ShoeRefused("no shoe")', "planted.py")


def test_a_code_names_one_kind_of_refusal() -> None:
    """Programs tell refusals apart by it. Classes are found in the source: not every module is
    imported by a test.
    """
    where = dict[str, list[str]]()
    for path in source_files():
        for name in re.findall(r"^class (\w+)\((?:\w+\.)?Refusal\)", path.read_text("utf-8"), re.M):
            where.setdefault(name, []).append(below_source(path))
    twice = [f"{name}: {', '.join(paths)}" for name, paths in where.items() if len(paths) > 1]
    assert not twice, "\n".join(twice)
    assert len(where) > 50
