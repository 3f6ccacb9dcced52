"""Causes: codes in the journal, words in both languages for each of them, made by who reads."""

import ast
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from puntobanco.base.words import Words
from puntobanco.rules.causes import SESSION_CAUSES, STATED, TABLE_CAUSES, WORDS, Cause, words_of
from puntobanco_floor.domain.definitions import OURS
from tests.fixtures import story
from tests.support.codes import CODE, verify_no_sentence

SOURCE = Path(__file__).parents[1] / "src"
HAN = re.compile("[\u4e00-\u9fff]")
LATIN = re.compile("[A-Za-z]{2,}")
PLACE = re.compile(r"\{\d?\}")


@pytest.mark.parametrize("code", WORDS)
def test_every_code_has_a_sentence_in_both_languages(code: str) -> None:
    said = WORDS[code]
    assert CODE.fullmatch(code)
    assert HAN.search(said.zh)
    assert not LATIN.search(PLACE.sub("", said.zh)), "no English in the Chinese"
    assert not HAN.search(said.en)


def codes_in_source() -> Iterator[str]:
    """Of every `Cause(...)` that is written out, also where one of two is chosen; what ends proposals."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id == "Cause" and node.args:
                yield from texts(node.args[0])
    for kind in OURS.events:
        if kind.traits.ends:
            yield kind.traits.ends[1]


def texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(code)):
            yield code
        case ast.IfExp():
            yield from (*texts(node.body), *texts(node.orelse))


def test_every_code_that_the_program_gives_has_words_and_no_words_are_left_over() -> None:
    given = {*codes_in_source(), "corrected"}  # a card: not by its kind alone (table/decide.py)
    twice = {code for code in WORDS if code.endswith("-twice")}
    assert {code.removesuffix("-twice") for code in twice} < given
    assert given | twice | set(STATED) == set(WORDS)
    assert {*TABLE_CAUSES, *SESSION_CAUSES} == set(STATED)


@pytest.mark.parametrize(
    ("cause", "en", "zh"),
    [
        (Cause("player-draws", (5,)), "Player has 5 and draws", "閒5點，補牌"),
        (
            Cause("shoe-holds-only", ("8h", 1)),
            "8h (8 of Hearts) cannot come: the shoe holds only 1 of them; rescan or correct the card",
            "紅心8不可能出現：牌靴內只餘 1 張；請重新掃描或更正",
        ),
        (
            Cause("card-of-other-deck-twice", ("9h", "standard", "five-elements")),
            "9h was entered twice: 9h belongs to the 52-card deck; this game plays five-element cards",
            "9h 輸入了兩次：9h 不屬本遊戲所用的牌",
        ),
        (Cause("of-a-later-version", (1, 2)), "of-a-later-version", "of-a-later-version"),
        (Cause("banker-draws", (5,)), "banker-draws", "banker-draws"),  # a value is missing
        (
            Cause("cards-counted", ("{0.__class__}", 2)),
            "{0.__class__} cards counted, 2 expected",
            "",
        ),
    ],
)
def test_who_reads_makes_the_sentence_and_an_unknown_code_stands_for_itself(
    cause: Cause, en: str, zh: str
) -> None:
    assert cause.words.en == en
    assert zh in cause.words.zh


def test_what_a_person_wrote_stands_as_it_is() -> None:
    assert words_of("settled") == Words("settled")
    assert words_of(Cause("settled")) == Words("settled", "該局已結算")


def test_nothing_that_a_journal_can_tell_is_a_sentence_of_the_program(tmp_path: Path) -> None:
    """The fixture's story has an event of every kind; what people type in it stands in its source."""
    typed = set[str]()
    for node in ast.walk(ast.parse(Path(story.__file__).read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            typed.add(node.value)
    path = tmp_path / "floor.db"
    story.tell(path)
    kinds = set[str]()
    with closing(sqlite3.connect(path)) as db:
        for (data,) in db.execute("SELECT data FROM entries"):
            for event in OURS.decode(bytes(data)).entry.events:
                verify_no_sentence(event, typed)
                kinds.add(type(event).__name__)
    assert {"CardDealt", "CardQuestioned", "IncidentRecorded", "ProposalLapsed"} <= kinds
