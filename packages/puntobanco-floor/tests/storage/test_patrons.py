"""Patrons by their cards, on every database: one id for a card, and nothing left of one that is erased."""

import asyncio
import threading
from pathlib import Path

import pytest
from immutables import Map
from msgspec.structs import replace
from sqlalchemy import delete, insert, select, update

from puntobanco_floor.domain.house.state import Exclusion, HouseState
from puntobanco_floor.domain.refusals import Unknown
from puntobanco_floor.domain.stream_names import is_patron_id
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.patron_lookup import Patrons, new_id, normal
from puntobanco_floor.service.refusals import BadCard, PatronCardRefused
from puntobanco_floor.store import schema
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.backup import backup, copy
from puntobanco_floor.store.engines import connected
from puntobanco_floor.store.patron_ids import CardRow, PatronTable, bound
from tests.storage.conftest import Place

HOUSE = HouseState(stream="floor", name="Marina", cards_bound=True)
MANY = 300
"""Rows enough to split pages of the table."""


@pytest.fixture
def patrons(place: Place) -> Patrons:
    place.open()
    return _patrons(place)


def _patrons(place: Place) -> Patrons:
    """As another node would have them."""
    ring = KeyRing.load(place.keys)
    return Patrons(PatronTable(place.url), ring, lambda: 1_000, lambda: HOUSE)


def of_card(patrons: Patrons, card: str) -> str:
    return asyncio.run(patrons.of_card(card))


def test_a_card_has_one_patron_however_it_is_written(patrons: Patrons, place: Place) -> None:
    ann = of_card(patrons, "Ann")
    assert is_patron_id(ann)
    assert ann == of_card(patrons, "ann") == of_card(_patrons(place), " ANN ")
    assert of_card(patrons, "anne") != ann
    assert asyncio.run(patrons.find("ANN")) == asyncio.run(patrons.named(ann)) == ann
    for nobody in ("ben", "p-22222222"):
        with pytest.raises(Unknown):
            asyncio.run(patrons.find(nobody))
    assert asyncio.run(patrons.named("T1:0c4f")) == "T1:0c4f", "a session of nobody"
    assert is_patron_id(asyncio.run(patrons.named("ben"))), "staff may exclude who never came"


@pytest.mark.parametrize(
    "card",
    [
        "",
        " ",
        "a b",
        "a:b",
        "x" * 65,
        "x\n",
        "p-7f3k9m2q",
        "P-7F3K9M2Q",
        "p-00000000",
        "g" + "0" * 16,
    ],
)
def test_what_is_no_card(card: str) -> None:
    with pytest.raises(BadCard):
        normal(card)


def test_two_nodes_that_meet_a_new_card_at_once_have_one_patron(place: Place) -> None:
    place.open()
    nodes = [_patrons(place) for _ in range(4)]
    found = list[tuple[str, str]]()
    gate = threading.Barrier(len(nodes))

    def meet(node: Patrons) -> None:
        for n in range(10):
            gate.wait()
            found.append((f"card-{n}", of_card(node, f"card-{n}")))

    threads = [threading.Thread(target=meet, args=[node]) for node in nodes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 40
    assert len(set(found)) == 10


def test_an_id_that_is_taken_is_not_given_again(place: Place) -> None:
    place.open()
    rows = PatronTable(place.url)
    id_ = new_id()
    a = CardRow("a", id_, "mac")
    assert rows.put(a, 1) == a
    assert rows.put(CardRow("b", id_, "mac"), 1) is None
    assert rows.put(CardRow("a", new_id(), "other"), 1) == a


def test_of_an_erased_card_no_byte_is_left(place: Place, tmp_path: Path) -> None:
    store = place.open()
    patrons = _patrons(place)
    rows = PatronTable(place.url)
    cards = {f"card-{n}": new_id() for n in range(MANY)}
    macs = {card: patrons._macs(card)[0] for card in cards}
    ring = KeyRing.load(place.keys)
    bound_rows = [bound(ring, macs[card], patron) for card, patron in cards.items()]
    with connected(place.url) as db:
        made = [{**row._asdict(), "made_at": 1} for row in bound_rows[1:]]
        db.execute(insert(schema.patrons), made)
    assert rows.put(bound_rows[0], 1) == bound_rows[0]
    gone = [f"card-{n}" for n in range(0, MANY, 50)]
    for card in gone:
        rows.erase(cards[card])
        with pytest.raises(Unknown):
            asyncio.run(patrons.find(card))
    kept = b"".join(_bytes_of(place, tmp_path))
    assert [card for card in gone if macs[card].encode() in kept] == []
    assert macs["card-1"].encode() in kept, "the search finds what is there"
    assert not any(card.encode() in kept for card in cards), "and no card in the clear"
    assert of_card(patrons, gone[0]) != cards[gone[0]], "who comes again is somebody new"
    store.close()


def _bytes_of(place: Place, folder: Path) -> list[bytes]:
    """All that the database has on disk, and what a backup or a copy has."""
    if is_postgres(place.url):
        with connected(place.url, read_only=True) as db:
            db.exec_driver_sql("SELECT 1")
            rows = db.execute(select(schema.patrons)).all()
            path = db.exec_driver_sql("SELECT pg_relation_filepath('patrons')").scalar()
            [table] = db.exec_driver_sql("SELECT pg_read_binary_file(%s)", (path,)).one()
        return [bytes(table), repr(rows).encode()]
    files = [file.read_bytes() for file in place.folder.glob("floor.db*")]
    backup(Path(place.url), folder / "backup")
    copied = folder / "copy.db"
    copy(place.url, str(copied), keys=place.keys, target_keys=folder / "copy.keys")
    made = [*(folder / "backup").iterdir(), copied]
    return files + [file.read_bytes() for file in made]


# Rows that somebody else has changed


def protecting(*patrons: str, is_bound: bool = True) -> HouseState:
    excluded = Map({patron: Exclusion("asked for it") for patron in patrons})
    return replace(HOUSE, excluded=excluded, cards_bound=is_bound)


def seen_by(place: Place, house: HouseState) -> Patrons:
    return Patrons(PatronTable(place.url), KeyRing.load(place.keys), lambda: 1_000, lambda: house)


def changed(place: Place, patron_: str, **cells: str) -> None:
    """The row that leads to this patron, by who holds the database."""
    with connected(place.url) as db:
        of = schema.patrons.c.patron == patron_
        db.execute(update(schema.patrons).where(of).values(**cells))


def test_a_row_that_was_changed_is_refused_and_other_cards_are_used(
    patrons: Patrons, place: Place
) -> None:
    ann, ben, cat = (of_card(patrons, card) for card in ("ann", "ben", "cat"))
    changed(place, ann, patron="p-swapping")
    changed(place, ben, patron=ann)
    changed(place, "p-swapping", patron=ben)
    for card in ("ann", "ben"):
        with pytest.raises(PatronCardRefused):
            of_card(patrons, card)
        with pytest.raises(PatronCardRefused):
            asyncio.run(patrons.find(card))
    assert of_card(patrons, "cat") == cat
    assert is_patron_id(of_card(patrons, "new"))
    changed(place, cat, mac="")
    with pytest.raises(PatronCardRefused):
        of_card(patrons, "cat")


def test_nobody_new_comes_in_while_a_protected_patron_has_no_row(
    patrons: Patrons, place: Place
) -> None:
    bob, eve = of_card(patrons, "bob"), of_card(patrons, "eve")
    node = seen_by(place, protecting(bob, "T1:0c4f"))
    assert asyncio.run(node.look()) == []
    with connected(place.url) as db:
        db.execute(delete(schema.patrons).where(schema.patrons.c.patron == bob))
    for card in ("bob", "new"):
        with pytest.raises(PatronCardRefused):
            of_card(node, card)
    assert node.unreachable == [bob]
    assert of_card(node, "eve") == eve, "who is known plays on"
    assert asyncio.run(node.find(bob)) == bob, "staff can name him by his id"
    again = asyncio.run(node.named("bob"))
    assert again != bob, "staff can exclude the card anew"
    erased = replace(protecting(bob), erased=Map({bob: 1}))
    assert is_patron_id(of_card(seen_by(place, erased), "new")), "the journal says why"


def test_rows_are_mended_from_a_backup(patrons: Patrons, place: Place) -> None:
    bob, eve, gone = (of_card(patrons, card) for card in ("bob", "eve", "gone"))
    house = replace(protecting(bob, eve), erased=Map({gone: 1}))
    older = place.folder / "older.db"
    copy(place.url, str(older), keys=place.keys, target_keys=place.folder / "older.keys")
    with connected(place.url) as db:
        db.execute(delete(schema.patrons).where(schema.patrons.c.patron.in_([bob, gone])))
    changed(place, eve, card="ff" * 32)
    node = seen_by(place, house)
    assert asyncio.run(node.look()) == sorted([bob, eve])
    assert asyncio.run(node.mend(None)) == (1, 0)
    assert asyncio.run(node.mend(str(older))) == (0, 2)
    assert asyncio.run(node.look()) == []
    assert (of_card(node, "bob"), of_card(node, "eve")) == (bob, eve)
    assert of_card(node, "gone") != gone, "an erased card stays so"


def test_rows_from_before_get_a_mac_once(patrons: Patrons, place: Place) -> None:
    bob, eve = of_card(patrons, "bob"), of_card(patrons, "eve")
    changed(place, bob, mac="")
    before = seen_by(place, protecting(bob, is_bound=False))
    assert of_card(before, "bob") == bob
    assert asyncio.run(before.look()) == []
    assert asyncio.run(before.bind()) == 1
    node = seen_by(place, protecting(bob))
    assert of_card(node, "bob") == bob
    changed(place, eve, mac="")
    with pytest.raises(PatronCardRefused):
        of_card(node, "eve")


def test_a_new_key_of_the_ring_leaves_rows_good(patrons: Patrons, place: Place) -> None:
    bob = of_card(patrons, "bob")
    for _ in range(3):
        with KeyRing.changed(place.keys) as ring:
            ring.rotate()
        assert of_card(_patrons(place), "bob") == bob
    assert asyncio.run(seen_by(place, protecting(bob)).look()) == []
