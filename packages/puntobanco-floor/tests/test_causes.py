"""Causes: codes in the journal, words for each of them, made when a person reads them."""

import ast
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from puntobanco.base.words import Words
from puntobanco.rules.causes import Cause, words_of
from puntobanco_floor.domain.definitions import OURS
from tests.fixtures import story
from tests.support.codes import verify_no_sentence


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
