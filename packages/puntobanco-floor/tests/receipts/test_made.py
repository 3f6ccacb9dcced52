"""Receipts from a real floor: both verifiers accept them, and nothing of another patron is in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from immutables import Map
from msgspec import Raw
from msgspec.json import decode
from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.node_keys import Admitted
from puntobanco_floor.evidence import receipt as receipt_module
from puntobanco_floor.evidence.disclosure import Disclosed, Run, verify_entries
from puntobanco_floor.evidence.receipt import (
    LIVES_MS,
    House,
    Link,
    Maker,
    Span,
    open_link,
    seal_link,
    span_of_round,
    span_of_session,
    span_of_shoe,
)
from puntobanco_floor.evidence.refusals import NoReceipt, NoSuchLink
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import Admission, Trust
from puntobanco_floor.store.reader import Reader, reading
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_proof.entry.format import (
    Fault,
    Header,
    Part,
    canonical,
    derive_part_salt,
    hash_entry,
    split_entry,
)
from puntobanco_proof.entry.heads import Head
from puntobanco_proof.receipt_format import Shown, Signed, What, encode_receipt
from puntobanco_proof.tree.checkpoints import cosign_checkpoint, read_checkpoint_note
from puntobanco_proof.tree.notes import COSIGNATURE, Signer
from puntobanco_proof.tree.policies import Log, Policy, Witness, require_all
from puntobanco_proof.tree.tiles import Tile
from tests.storage.played import TABLE, played
from tests.verifier.both import Case, Said, verdicts

HOLDS, UNPROVEN = 0, 2
NOW = 1_773_000_000_000
WITNESS = Signer("witness.example", COSIGNATURE, bytes(range(32)))
OWN, OTHER = "ben", "ann"


@dataclass
class Floor:
    store: SqliteStore
    reader: Reader
    ring: KeyRing

    @property
    def policy(self) -> Policy:
        logs = [Log(verifier) for verifier in self.store.log.verifiers()]
        return require_all(logs, [Witness("witness.example", WITNESS.verifier)])

    def maker(self, *, witnessed: bool = True) -> Maker:
        house = House("Casino", self.policy if witnessed else None)
        return Maker(self.reader, self.store.log, self.ring, house)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """Two patrons, several shoes; all but the last entries are in the log, and a witness has seen it."""
    path = tmp_path_factory.mktemp("receipts") / "floor.db"
    played(path, entries=150)
    ring = KeyRing.load(path.with_name("floor.db.keys"))
    with SqliteStore(path, clock=False) as store, reading(str(path)) as reader:
        log = store.log
        log.open("casino.example/floor")
        last = reader.streams()[TABLE].seq
        while log.size() < last - 5:
            assert log.grow(most=last - 5 - log.size()).added
        note = log.sign()
        assert note is not None
        log.cosign(
            read_checkpoint_note(note).size,
            [cosign_checkpoint(read_checkpoint_note(note), WITNESS, time=NOW // 1000)],
        )
        yield Floor(store, reader, ring)


def whats(floor: Floor) -> dict[str, tuple[What, Span]]:
    """One of each kind, of the patron whose receipts these are."""
    round_, shoe = span_of_round(floor.reader, TABLE, 2), span_of_shoe(floor.reader, TABLE, 1)
    since = floor.reader.first_at(TABLE, 0)
    session = span_of_session(floor.reader, TABLE, OWN, since=since)
    [bet] = {
        event.bet
        for entry in floor.reader.decoded(TABLE, after=round_.first - 1, upto=round_.last)
        for event in entry.events
        if isinstance(event, e.WagerPlaced) and event.session == OWN
    }
    return {
        "wager": (What(kind="wager", table=TABLE, round=2, session=OWN, bet=bet), round_),
        "round": (What(kind="round", table=TABLE, round=2, session=OWN), round_),
        "void": (
            What(kind="round", table=TABLE, round=5, session=OWN),
            span_of_round(floor.reader, TABLE, 5),
        ),
        "nobody": (What(kind="round", table=TABLE, round=2, session="zoe"), round_),
        "voucher": (What(kind="voucher", table=TABLE, session=OWN, voucher="v1"), session),
        "session": (What(kind="session", table=TABLE, session=OWN), Span(session.first, shoe.last)),
        "shoe": (What(kind="shoe", table=TABLE, shoe=1), shoe),
    }


KINDS = ("wager", "round", "void", "nobody", "voucher", "session", "shoe")


def receipts(floor: Floor) -> dict[str, bytes]:
    return {
        kind: encode_receipt(floor.maker().receipt(*args)) for kind, args in whats(floor).items()
    }


def test_both_verifiers_accept_each_kind_under_the_users_policy(floor: Floor) -> None:
    made = receipts(floor)
    assert tuple(made) == KINDS
    for kind, said in zip(
        made, verdicts(Case(data, floor.policy.text) for data in made.values()), strict=True
    ):
        assert said.code == HOLDS, (kind, said)


def test_a_shoe_is_checked_card_by_card(floor: Floor) -> None:
    [said] = verdicts([Case(receipts(floor)["shoe"], floor.policy.text)])
    texts = [text for _, _, text in said.lines]
    assert "the cards of 6 rounds are those of the order, one after the other" in texts
    assert "shuffled by the house alone: no witness has mixed it" in texts


def test_the_cards_of_a_long_shoe_are_not_too_much_for_its_receipt(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each card is an entry, and a shoe of eighty rounds has four hundred: its rounds count."""
    what, span = whats(floor)["shoe"]
    receipt = floor.maker().receipt(what, span)
    monkeypatch.setattr(receipt_module, "MOST_ENTRIES", len(receipt.entries))
    assert floor.maker().receipt(what, span) == receipt
    monkeypatch.setattr(receipt_module, "MOST_CARDS", 3)
    with pytest.raises(NoReceipt):
        floor.maker().receipt(what, span)


def test_a_tile_is_read_once_for_a_receipt(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody with its link has it made again: for a shoe they were read a hundred times each."""
    read, tile = list[Tile](), floor.store.log.tile

    def counted(wanted: Tile) -> bytes:
        read.append(wanted)
        return tile(wanted)

    monkeypatch.setattr(floor.store.log, "tile", counted)
    assert len(floor.maker().receipt(*whats(floor)["shoe"]).entries) > 1
    assert len(read) == len(set(read))


def test_nothing_of_another_patron_is_in_it(floor: Floor) -> None:
    for kind, data in receipts(floor).items():
        names = re.compile(rb'\\"(\w+)\\"')
        assert OTHER.encode() not in names.findall(data), kind
        if kind in ("shoe", "nobody"):
            assert OWN.encode() not in names.findall(data), kind


def test_salts_of_what_is_not_shown_are_not_in_it(floor: Floor) -> None:
    for kind, args in whats(floor).items():
        receipt = floor.maker().receipt(*args)
        data = encode_receipt(receipt).decode()
        shown = {part.salt for entry in receipt.entries for part in entry.parts}
        for _, row in floor.reader.entries(TABLE):
            _, salt, parts = split_entry(row)
            assert salt not in data, kind
            salts = {derive_part_salt(salt, place) for place in range(len(parts))}
            assert not [each for each in salts - shown if each in data], kind
            others = [part for part in parts if part.decode() not in str(receipt)]
            assert len(others) >= 1  # who gave the command, at least


def test_before_the_log_has_it_a_receipt_is_signed_by_the_house(floor: Floor) -> None:
    last = floor.reader.streams()[TABLE].seq
    what = What(kind="session", table=TABLE, session=OWN)
    receipt = floor.maker().receipt(what, Span(1, last))
    assert not receipt.is_proven
    assert receipt.entries[0].proof
    [said] = verdicts([Case(encode_receipt(receipt), floor.policy.text)])
    assert said.code == UNPROVEN
    assert [line[:2] for line in said.lines if line[0] == "open"] == [("open", "recorded")]


def as_run(shown: Shown) -> Run:
    """What a receipt shows of an entry, and the headers up to its signed head, as rows of a pack."""
    parts = [
        Part(part=Raw(each.part.encode()), place=each.place, proof=each.proof, salt=each.salt)
        for each in shown.parts
    ]
    rows = [canonical(Disclosed(header=Raw(shown.header.encode()), parts=parts))]
    for signed in shown.signed:
        rows += [
            canonical(Disclosed(header=Raw(header.encode()), parts=[])) for header in signed.chain
        ]
    header = decode(shown.header, type=Header)
    return Run(header.seq, header.prev, rows)


def signer(signed: Signed) -> tuple[Head, Trust, Map[str, Admitted]]:
    """The head that a receipt holds, and the keys by which it counts."""
    head = replace(decode(signed.head, type=Head), signature=signed.signature)
    admission = decode(signed.admission, type=Admission)
    root = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed.root))
    key = Admitted(admission.public, admission.root, signed.certificate, since=1)
    return head, Trust({admission.root: root}), Map({head.key: key})


def test_the_checker_of_dispute_packs_accepts_what_receipts_show(floor: Floor) -> None:
    stored = dict(floor.reader.entries(TABLE))
    for kind, args in whats(floor).items():
        for shown in floor.maker().receipt(*args).entries:
            run = as_run(shown)
            [[link]] = verify_entries(TABLE, [run], [], Trust({}), Map())
            assert link.hash == hash_entry(stored[run.first]), kind
            assert [event.says() for event in link.entry.events], kind


def test_the_checker_of_dispute_packs_accepts_the_head_that_a_receipt_holds(floor: Floor) -> None:
    last = floor.reader.streams()[TABLE].seq
    what = What(kind="session", table=TABLE, session=OWN)
    held = [x for x in floor.maker().receipt(what, Span(1, last)).entries if x.signed]
    assert held
    for shown in held:
        run, (head, trust, keys) = as_run(shown), signer(shown.signed[0])
        [links] = verify_entries(TABLE, [run], [head], trust, keys)
        assert all(link.is_anchored for link in links)
        changed = run.rows[0].replace(OWN.encode(), OTHER.encode())
        assert changed != run.rows[0]
        forgeries = [
            (run._replace(rows=[changed, *run.rows[1:]]), head, trust, keys),
            (run._replace(rows=[*run.rows, run.rows[-1]]), head, trust, keys),
            (run, replace(head, hash=run.prev), trust, keys),
            (run, head, Trust({}), keys),
            (run, head, trust, keys.delete(head.key)),
        ]
        for forged_run, forged_head, other_trust, other_keys in forgeries:
            with pytest.raises(Fault):
                verify_entries(TABLE, [forged_run], [forged_head], other_trust, other_keys)


def test_a_house_without_witnesses_says_so(floor: Floor) -> None:
    what, span = whats(floor)["round"]
    receipt = floor.maker(witnessed=False).receipt(what, span)
    assert receipt.claim.says == "unwitnessed"
    own = receipt.claim.policy
    found: list[Said] = verdicts(
        [Case(encode_receipt(receipt), own), Case(encode_receipt(receipt))]
    )
    assert [said.code for said in found] == [HOLDS, UNPROVEN]
    assert "unwitnessed: the house alone says so" in [text for _, _, text in found[0].lines]


def test_what_is_not_there_has_no_receipt(floor: Floor) -> None:
    span = span_of_round(floor.reader, TABLE, 2)
    with pytest.raises(NoReceipt):
        floor.maker().receipt(
            What(kind="wager", table=TABLE, round=2, session=OWN, bet="none"), span
        )


# Links

LINK = Link("round", TABLE, 2, OWN, "", 7, 19, NOW + LIVES_MS)


def test_a_link_is_read_until_its_day() -> None:
    ring = KeyRing.fresh()
    token = seal_link(ring, LINK)
    assert open_link(ring, token, NOW + LIVES_MS - 1) == LINK
    with pytest.raises(NoSuchLink):
        open_link(ring, token, NOW + LIVES_MS)


def test_a_link_says_nothing_and_cannot_be_changed() -> None:
    ring = KeyRing.fresh()
    token = seal_link(ring, LINK)
    assert OWN not in token
    assert seal_link(ring, LINK) != token
    for place in range(len(token)):
        other = "A" if token[place] != "A" else "B"
        with pytest.raises(NoSuchLink):
            open_link(ring, token[:place] + other + token[place + 1 :], NOW)
    for rubbish in ("", "A", "é" * 20, "A" * 401, token + "A", token + "="):
        with pytest.raises(NoSuchLink):
            open_link(ring, rubbish, NOW)


def test_a_link_outlives_one_rotation_and_not_two() -> None:
    ring = KeyRing.fresh()
    token = seal_link(ring, LINK)
    ring.rotate(["receipts"])
    assert open_link(ring, token, NOW) == LINK
    ring.rotate(["receipts"])
    with pytest.raises(NoSuchLink):
        open_link(ring, token, NOW)


def test_the_path_of_a_receipt_is_as_long_as_a_path_may_be() -> None:
    longest = Link(
        "wager", "table:9999", 10**9, "T" * 24 + ":" + "f" * 12, "b" * 40, 10**9, 10**9, 10**13
    )
    assert len(f"/receipt/{seal_link(KeyRing.fresh(), longest)}.json") <= 255
