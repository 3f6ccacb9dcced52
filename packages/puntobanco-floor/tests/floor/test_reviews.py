"""Reviews in what is kept: the audit holds, a report is their register, and one patron's are hidden from another's evidence."""

from pathlib import Path

import pytest

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.audit.round_replay import story
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.evidence.pack import make_pack
from puntobanco_floor.evidence.pack_verifier import verify_files
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.reports.report import report
from puntobanco_floor.service.patron_reviews import case_of, dealers_of, pit_reviews, rulers_of
from puntobanco_floor.store.reader import reading
from puntobanco_floor.store.sqlite_file import beside
from tests.floor.week import Week
from tests.support.english import english

TABLE = "table:1"
LATER = 2_000_000_000_000
NOTE = "a secret of ben's own"


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    """Ann and Ben play a round and both ask about it; Ann is answered."""
    path = tmp_path / "floor.db"
    w = Week(path)
    w.at(0, 9)
    w.do(TABLE, c.OpenTable(by="ada", game="six-star"))
    w.do(TABLE, c.NewShoe(by="ada", decks=8, dealing="physical"))
    for session in ("ann", "ben"):
        w.do(TABLE, c.SeatSession(by=session, session=session))
        w.do(TABLE, c.BuyIn(by="carl", session=session, cents=100_000))
    number = w.open(TABLE, "ann player 40,ben banker 50")
    w.deal(TABLE, "9f 4f Tf 2e")
    for session, note in (("ann", ""), ("ben", NOTE)):
        wants = c.AskReview(
            by=session, session=session, round=number, complaint="wrong-payment", note=note
        )
        w.do(TABLE, wants)
    answer = c.AnswerReview(
        by="sam", review=1, decision="upheld", clause="house", note="as it lies"
    )
    w.do(TABLE, answer)
    w.store.close()
    return path


def test_the_audit_holds_and_the_report_is_a_register(floor: Path) -> None:
    assert audit(floor).sound
    found = report(str(floor), "life", now=LATER)
    assert found.ties_out, found.faults
    assert (found.kinds["review asked"], found.kinds["review answered"]) == (2, 1)
    assert "reviews asked for by patrons 2, answered 1" in found.exceptions
    told = [event.what for event in found.events if event.kind.startswith("review")]
    assert told == [
        "ann asks for review 1 of round 1: The payment is wrong",
        f"ben asks for review 2 of round 1: The payment is wrong, “{NOTE}”",
        "review 1 of round 1 answered: The round stands as it was played, “as it lies” [house]",
    ]


def test_a_review_of_one_patron_is_no_part_of_what_another_may_show(floor: Path) -> None:
    ring = KeyRing.load(beside(floor, "keys"))
    own = make_pack(str(floor), TABLE, 1, ring=ring, now=LATER, session="ann")
    assert verify_files(own).sound
    assert not any(NOTE.encode() in data for data in own.values())
    whole = make_pack(str(floor), TABLE, 1, ring=ring, now=LATER)
    assert any(NOTE.encode() in data for data in whole.values())


def test_who_stopped_or_voided_a_round_has_ruled_on_it(tmp_path: Path) -> None:
    """And nobody who only sold credits, counted the shoe or answered a review between its bets and the next."""
    path = tmp_path / "floor.db"
    w = Week(path)
    w.at(0, 9)
    w.do(TABLE, c.OpenTable(by="ada", game="six-star"))
    w.do(TABLE, c.NewShoe(by="ada", decks=8, dealing="physical"))
    w.do(TABLE, c.SeatSession(by="ann", session="ann"))
    w.do(TABLE, c.BuyIn(by="carl", session="ann", cents=100_000))
    number = w.open(TABLE, "ann player 40")
    w.do(TABLE, c.CloseBets(by="dora"))
    w.do(TABLE, c.EnterCard(by="dora", card="9f"))
    w.do(TABLE, c.DeclareIrregularity(by="sid", ground="foreign-card"))
    w.do(TABLE, c.VoidRound(by="sam"))
    w.do(TABLE, c.Approve(by="sue", proposal=1))
    w.do(TABLE, c.CountShoe(by="cid", cards=520))
    wants = c.AskReview(by="ann", session="ann", round=number, complaint="other")
    w.do(TABLE, wants)
    w.do(TABLE, c.AnswerReview(by="pit", review=1, decision="upheld", clause="house", note="so"))
    w.store.close()
    with reading(str(path)) as reader:
        found = story(reader, TABLE, number)
    assert dealers_of(found) == ("dora",)
    assert rulers_of(found) == ("sam", "sid", "sue")


def test_the_pit_sees_what_waits_with_the_round_as_it_was_played(floor: Path) -> None:
    with reading(str(floor)) as reader:
        found = story(reader, TABLE, 1)
    [waits] = pit_reviews(found.after)
    assert (waits.review, waits.who, waits.note) == (2, "ben", NOTE)
    case = case_of(str(floor), found.after, 2)
    facts = {fact.name: fact for fact in case.facts}
    assert "ann" not in " ".join(line.says.en for line in case.records if "wager" in line.says.en)
    assert english(facts["Wager"].text) == "staked $50, loses, paid"
    assert english(facts["Computed anew"].text).startswith("all ")
    assert len(dealers_of(found)) == 1
