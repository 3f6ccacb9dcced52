"""A mixed shoe in a store: dealt, audited, packed for a dispute; and every fault that was planted in one is found."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from puntobanco.rules.cards import code
from puntobanco_floor.audit.floor_audit import Report, audit
from puntobanco_floor.audit.round_replay import recall
from puntobanco_floor.audit.round_review import review_round
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table import evolve, shoes
from puntobanco_floor.domain.table.mixing import verified_seed
from puntobanco_floor.domain.table.state import ShoeState
from puntobanco_floor.evidence.pack import make_pack
from puntobanco_floor.evidence.pack_verifier import Verdict, verify_files
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.sealed_shoes import revealed
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.sqlite_file import beside
from puntobanco_proof.mix import shuffle_by_seed
from tests.storage.played import TABLE, Script
from tests.support.mixers import answers, mixers

OTHER_SEED = "5e" * 32


def played(path: Path, *, ends: bool = True, mixes: bool = True, by: tuple[str, ...] = ()) -> None:
    """Two rounds from a shoe that two witnesses mix, whose first card is turned; or only some mix it."""
    with SqliteStore(path, clock=False) as store:
        store.mixers = mixers("wit1", "wit2")
        script = Script(store)
        script.do(c.OpenTable(by="pit", game="six-star"))
        script.do(c.SeatSession(by="ann", session="ann"))
        script.do(c.BuyIn(by="cage", session="ann", cents=100_000))
        script.do(c.NewShoe(by="pit", burn="first-card"))
        if mixes:
            signatures = answers(store.table(TABLE).state, *by)
            script.do(c.MixShoe(by="mixer", shoe=1, signatures=signatures))
        for number in (1, 2):
            script.do(c.OpenBets(by="dealer"))
            wager = c.PlaceWager(
                by="ann", round=number, session="ann", bet="player", stake_cents=1_000
            )
            script.do(wager)
            script.do(c.CloseBets(by="dealer"))
            script.deal()
        if ends:
            script.do(c.EndShoe(by="pit"))


def audited(path: Path) -> Report:
    return audit(path)


def packed(path: Path, number: int = 2) -> Verdict:
    ring = KeyRing.load(beside(path, "keys"))
    return verify_files(make_pack(str(path), TABLE, number, ring=ring, now=1))


def test_a_mixed_shoe_is_sound_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    played(path)
    report = audited(path)
    assert report.fault is None
    assert (report.shoes, report.mixed, report.abandoned) == (1, 1, 0)


def test_a_pack_proves_who_mixed_its_shoe_and_the_cards_in_that_order(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    played(path)
    verdict = packed(path)
    assert verdict.fault is None
    assert "the shoe was mixed by wit1, wit2, by the keys that its start names" in verdict.proved
    assert "the cards dealt are the cards committed to before the bets" in verdict.proved


def test_past_rounds_show_commitment_mix_and_reveal(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    played(path)
    told = review_round(str(path), TABLE, 1, rounds=2)
    seen = recall(str(path), TABLE, 1, "ann", demo=False)
    for found in (told, seen):
        assert found.shuffle is not None
        assert found.shuffle.text.en == "mixed by wit1, wit2"
        order = revealed(found.order, found.nonce)
        assert order.commitment == found.shuffle.commitment
        cards = shuffle_by_seed(order.cards, bytes.fromhex(found.shuffle.seed))
        first = {slot.card for slot in seen.cards}
        assert first <= {code(card) for card in cards[:20]}


def test_while_its_shoe_is_in_play_a_past_round_shows_no_order(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    played(path, ends=False)
    seen = recall(str(path), TABLE, 1, "ann", demo=False)
    assert (seen.order, seen.nonce) == ("", "")
    assert seen.shuffle is not None
    assert seen.shuffle.commitment


def test_an_abandoned_shoe_is_counted_and_no_card_of_it_was_dealt(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    with SqliteStore(path, clock=False) as store:
        store.mixers = mixers("wit1")
        script = Script(store)
        script.do(c.OpenTable(by="pit", game="six-star"))
        script.do(c.NewShoe(by="pit"))
        script.do(c.EndShoe(by="pit"))
    report = audited(path)
    assert report.fault is None
    assert (report.shoes, report.mixed, report.abandoned) == (1, 0, 1)


# Planted: a program that does it wrong, and signs it


@contextmanager
def dealt_as_committed() -> Iterator[None]:
    with patch("puntobanco_floor.store.batch.shuffle_by_seed", lambda cards, _seed: cards):
        yield


@contextmanager
def another_seed() -> Iterator[None]:
    def forged(*_: object) -> str:
        return OTHER_SEED

    with (
        patch.object(shoes, "verified_seed", forged),
        patch.object(evolve, "verified_seed", forged),
    ):
        yield


@contextmanager
def another_order() -> Iterator[None]:
    """What is revealed is the mixed order, as if it had been committed to."""
    with patch.object(Order, "text", property(lambda o: " ".join(map(code, o.dealt)))):
        yield


@contextmanager
def no_mix() -> Iterator[None]:
    """It is dealt as if nobody had been named."""
    with patch.object(ShoeState, "waits_for_mix", property(lambda _: False)):
        yield


PLANTED: dict[str, tuple[Callable[[], AbstractContextManager[None]], dict[str, Any], str]] = {
    "dealt as committed": (dealt_as_committed, {}, "the cards dealt are not those"),
    "another seed": (another_seed, {}, "seed does not follow"),
    "a missing answer": (another_seed, {"by": ("wit1",)}, "by all of them and nobody else"),
    "another order": (another_order, {}, "are not those that shoe 1 committed to"),
    "no mix": (no_mix, {"mixes": False}, "to be mixed and was not"),
}


@pytest.mark.parametrize("what", PLANTED)
def test_what_is_planted_in_a_mixed_shoe_is_found_by_an_audit(what: str, tmp_path: Path) -> None:
    plant, how, fault = PLANTED[what]
    path = tmp_path / "floor.db"
    with plant():
        played(path, **how)
    assert fault in (audited(path).fault or "nothing was found")


def test_a_pack_does_not_hold_where_cards_came_from_the_committed_order(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    with dealt_as_committed():
        played(path)
    assert "the cards dealt are not those committed to" in (packed(path).fault or "")


def test_the_seed_is_of_the_shoe_the_table_and_the_log(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    played(path, ends=False)
    with SqliteStore(path, clock=False) as store:
        shoe = store.table(TABLE).state.shoe
    assert shoe is not None
    named = shoe.mixing
    assert named is not None
    found = named.signatures
    assert verified_seed(named, TABLE, 1, shoe.commitment, found) == named.seed
    for stream, number in ((TABLE, 2), ("table:9", 1)):
        with pytest.raises(Exception, match="not that of its witness"):
            verified_seed(named, stream, number, shoe.commitment, found)
