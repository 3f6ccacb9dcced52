"""What a house that has every key does to shoes and receipts; a witness of it is honest."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from msgspec.structs import replace
from sqlalchemy import update

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.entry import Entry, write_entry
from puntobanco_floor.domain.machine import Mixers
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.evidence.receipt import House, Maker, span_of_shoe
from puntobanco_floor.store import schema
from puntobanco_floor.store.log_tables import Portion, put_tiles
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.reader import reading
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_proof import mix
from puntobanco_proof.entry.format import generate_salts, hash_entry
from puntobanco_proof.receipt_format import Receipt, What, encode_receipt
from puntobanco_proof.tree import log_tree, merkle
from puntobanco_proof.tree.checkpoints import read_checkpoint_note
from puntobanco_proof.tree.faults import encode_base64
from puntobanco_proof.tree.leaves import build_leaf
from puntobanco_proof.tree.notes import add_signatures, read_note
from puntobanco_proof.tree.policies import Policy
from puntobanco_proof.tree.proofs import Proof, read_proof
from puntobanco_proof.tree.tiles import grow_bundles, grow_tiles
from puntobanco_proof.verifier import verify
from puntobanco_proof.witness.requests import Mix, build_mix_request
from tests.attacks.floor import LOG, TABLE, Tables
from tests.attacks.forge import Forger
from tests.attacks.house_cells import HouseCell, HouseFinder, HouseOutcome
from tests.attacks.house_floor import ALL, ORIGIN, mixers, receipt_of, shown
from tests.attacks.witnesses import DISHONEST, HONEST, Dishonest
from tests.storage.played import Script
from tests.storage.test_mixed_shoes import another_seed, dealt_as_committed, no_mix
from tests.witness.made import identity

if TYPE_CHECKING:
    from tests.attacks.house import HouseScene

Outcomes = dict[HouseFinder, HouseOutcome]
NOBODY: Outcomes = {
    "audit": "-",
    "starting node": "-",
    "witness": "-",
    "receipt before": "-",
    "receipt after": "-",
}
IN_PLAY, ALONE = 3, 4
"""The shoe that was mixed last, and the one that nobody mixed."""

BY_CODE: dict[int, HouseOutcome] = {0: "missed", 1: "found", 2: "said"}


def outcomes(scene: HouseScene, cell: HouseCell, chance: random.Random) -> Outcomes:
    return ATTACKS[cell.attack](scene, cell.place, chance)


def _start(entries: list[Entry], shoe: int) -> int:
    """Where the shoe starts, among the entries."""
    for n, entry in enumerate(entries):
        if any(isinstance(x, e.ShoeStarted) and x.shoe == shoe for x in entry.events):
            return n
    raise AssertionError


def _commitment(chance: random.Random) -> str:
    return chance.randbytes(32).hex()


# Another shoe, once the mix is known


def _another_shoe(scene: HouseScene, place: str, chance: random.Random) -> Outcomes:
    """Drawn again; who of the witnesses is honest is named no more, and the other mixes it."""
    floor = scene.watched.floor
    forger = Forger(floor, floor.tables, "last", floor.node, chance)
    entries = forger.entries
    at = _start(entries, IN_PLAY if place == "mixed" else ALONE)
    started = entries[at].events[0]
    assert isinstance(started, e.ShoeStarted)
    again = replace(started, commitment=_commitment(chance))
    if place != "mixed":
        changed = replace(entries[at], events=(again,))
        scene.relogged(forger.rewritten([*entries[:at], changed, *entries[at + 1 :]]))
        return scene.found("last")
    eve = identity(DISHONEST)
    again = replace(again, mix=(DISHONEST,), mix_keys=(encode_base64(eve.mix_key),))
    signature = eve.sign_mix(mix.build_message(ORIGIN, TABLE, IN_PLAY, again.commitment))
    seed = mix.derive_seed(again.commitment, [signature]).hex()
    mixed = entries[at + 1].events[0]
    assert isinstance(mixed, e.ShoeMixed)
    new = replace(mixed, signatures={DISHONEST: signature.hex()}, seed=seed)
    kept = [*entries[:at], replace(entries[at], events=(again,))]
    kept.append(replace(entries[at + 1], events=(new,)))
    gifts = [forger.gift(at) for _ in range(len(entries) - at)]
    scene.relogged(forger.rewritten([*kept, *gifts]))
    return scene.found("last")


# What a witness is asked to mix


class _Shown:
    """A start of a shoe that the house made up, in its log or not, and a request to mix it."""

    def __init__(self, scene: HouseScene, chance: random.Random) -> None:
        self.scene, self.log = scene, scene.log()
        self.entries = scene.watched.floor.entries
        self.commitment = _commitment(chance)
        self.salt = chance.randbytes(32)
        self.ann, self.eve = scene.honest(), Dishonest(DISHONEST)

    def entry(self, shoe: int, **changes: Any) -> bytes:
        """Like that of the shoe in play, with another commitment."""
        epoch = changes.pop("epoch", 1)
        old = self.entries[_start(self.entries, IN_PLAY)]
        started = cast("e.ShoeStarted", old.events[0])
        again = replace(started, shoe=shoe, commitment=self.commitment, **changes)
        made = replace(old, epoch=epoch, events=(again,), salt=next(generate_salts()))
        return write_entry(made).data

    def add(self, data: bytes) -> int:
        """Its leaf put into the log, where no entry of the journal has a place; where it stands."""
        own = build_leaf(self.salt, hash_entry(data))
        with self.log.view() as view:
            origin, size = view.standing()
            portion = Portion(origin, size)
            portion.tiles |= grow_tiles(size, [merkle.hash_leaf(own)], view.tile)
            portion.tiles |= grow_bundles(size, [own], view.tile)
        with self.log.writing() as connection:
            put_tiles(connection, size, portion.tiles)
            connection.execute(update(schema.log).values(size=size + 1))
        return size

    def request(self, data: bytes, index: int, shoe: int, note: str) -> Mix:
        size = read_checkpoint_note(note).size
        hashes = log_tree.prove_inclusion(index, size, self.log.hashes(size))
        return build_mix_request(
            data,
            1,
            origin=ORIGIN,
            stream=TABLE,
            shoe=shoe,
            commitment=self.commitment,
            salt=self.salt,
            proof=Proof(index, tuple(hashes), note),
        )

    def mixed(self, request: Mix) -> HouseOutcome:
        try:
            self.ann.decider.mix(request)
        except Refusal:
            return "found"
        return "missed"

    def cosigned(self) -> str:
        """Everything is in the log, and both witnesses have seen it."""
        return shown(self.log, self.ann, self.eve)

    def close(self) -> None:
        self.log.close()
        self.ann.close()


def _second_commitment(scene: HouseScene, place: str, chance: random.Random) -> Outcomes:
    """For the shoe in play, which is mixed: a leaf of another start, properly cosigned."""
    scene.put(scene.watched.floor.tables)
    house = _Shown(scene, chance)
    data = house.entry(IN_PLAY, epoch=1 if place == "same epoch" else chance.randrange(2, 100))
    house.cosigned()
    index = house.add(data)
    note = house.cosigned()
    found = NOBODY | {"witness": house.mixed(house.request(data, index, IN_PLAY, note))}
    found["audit"] = scene._audited([house.ann, house.eve], scene.watched.policy, note)
    house.close()
    return found


def _early_mix(scene: HouseScene, place: str, chance: random.Random) -> Outcomes:
    """Asked for before the commitment binds: the order could still be chosen by the answer."""
    scene.put(scene.watched.floor.tables)
    house, shoe = _Shown(scene, chance), ALONE + 1
    named = (DISHONEST,) if place == "not named" else (HONEST, DISHONEST)
    keys = mixers(*named).keys
    data = house.entry(shoe, mix=named, mix_keys=tuple(keys.values()))
    note = house.cosigned()
    index = chance.randrange(read_checkpoint_note(note).size)
    if place != "not in the log":
        index = house.add(data)
        note = shown(house.log, house.eve) if place == "not cosigned" else house.cosigned()
    found = NOBODY | {"witness": house.mixed(house.request(data, index, shoe, note))}
    house.close()
    return found


# Cards that are not those of the mix


@contextmanager
def _nothing() -> Iterator[None]:
    yield


PLANTED: dict[str, Callable[[], Any]] = {
    "no mix": no_mix,
    "committed order": dealt_as_committed,
    "another seed": another_seed,
}


def _without_the_mix(scene: HouseScene, place: str, chance: random.Random) -> Outcomes:
    """A program that deals as it wants, and signs that; both witnesses cosign, who see no cards."""
    plan = PLANTED.get(place, _nothing)
    rounds = 1 + chance.randrange(2)
    named = mixers(HONEST, DISHONEST) if place in PLANTED else mixers(DISHONEST)
    with plan():
        _played(scene, named, rounds=rounds, mixes=place != "no mix")
    log, ann, eve = scene.log(), scene.honest(like="never"), Dishonest(DISHONEST)
    note = shown(log, ann, eve)
    found = NOBODY | {"audit": scene._audited([ann, eve], scene.watched.policy, note)}
    with reading(scene.url) as reader:
        maker = Maker(reader, log, scene.ring, House("Casino", scene.watched.policy))
        what = What(kind="shoe", table=TABLE, shoe=1)
        receipt = maker.receipt(what, span_of_shoe(reader, TABLE, 1))
    code = verify.verify(encode_receipt(receipt), scene.watched.policy.text).code
    log.close()
    ann.close()
    return found | {"receipt after": BY_CODE[code]}


def _played(scene: HouseScene, named: Mixers, *, rounds: int, mixes: bool, ends: int = 1) -> None:
    """A floor of its own: so many shoes, of which the last is played."""
    scene.put({name: [] for name in ALL})
    with open_store(
        scene.url, keys=scene.keys, heads=scene.heads, clock=False, notify=False
    ) as store:
        store.log.open(ORIGIN)
        store.mixers = named
        script = Script(cast("SqliteStore", store))
        script.do(c.OpenTable(by="pit", game="six-star"))
        script.do(c.SeatSession(by="ann", session="ann"))
        script.do(c.BuyIn(by="cage", session="ann", cents=100_000))
        for number in range(1, ends + 1):
            script.do(c.NewShoe(by="pit", decks=4))
            if mixes:
                shoe = store.table(TABLE).state.shoe
                assert shoe is not None
                said = mix.build_message(ORIGIN, TABLE, shoe.number, shoe.commitment)
                signatures = {name: identity(name).sign_mix(said).hex() for name in named.names}
                script.do(c.MixShoe(by="mixer", shoe=shoe.number, signatures=signatures))
            if number == ends:
                _rounds(script, rounds)
            script.do(c.EndShoe(by="pit"))


def _rounds(script: Script, count: int) -> None:
    for number in range(1, count + 1):
        script.do(c.OpenBets(by="dealer"))
        wager = c.PlaceWager(by="ann", round=number, session="ann", bet="player", stake_cents=1_000)
        script.do(wager)
        script.do(c.CloseBets(by="dealer"))
        script.deal()


def _until_one_is_liked(scene: HouseScene, _: str, chance: random.Random) -> Outcomes:
    """Mixed as it should be, looked at by who has the keys, and ended before a round is played."""
    thrown = 1 + chance.randrange(2)
    _played(scene, mixers(HONEST, DISHONEST), rounds=1, mixes=True, ends=thrown + 1)
    log = scene.log()
    shown(log)
    log.close()
    report = audit(scene.url, heads=[scene.heads], keys=scene.keys)
    is_said = report.sound and report.abandoned == thrown
    return NOBODY | {"audit": "said" if is_said else "missed"}


# A receipt of what is not in the log


def _receipt_of_no_entry(scene: HouseScene, place: str, chance: random.Random) -> Outcomes:
    floor, trusted = scene.watched.floor, scene.watched.policy
    forger = Forger(floor, floor.tables, "first", floor.node, chance)
    at = forger.target(neighbour=True)
    entries = [*forger.entries[:at], forger.changed(at), *forger.entries[at + 1 :]]
    bought = forger.entries[at].events[0]
    assert isinstance(bought, e.CreditsBought)
    tables: Tables = forger.rewritten(entries)
    honest = _honest_receipt(scene, bought.session)
    scene.put(tables | {name: [] for name in LOG})
    log = scene.log()
    log.open(ORIGIN)
    shown(log, Dishonest(DISHONEST))
    house_alone = Policy(logs=trusted.logs)  # by which any checkpoint of its own counts
    made = receipt_of(scene.url, log, scene.ring, bought.session, house_alone)
    log.close()
    forged = _with_proofs(made, honest, place)
    code = verify.verify(encode_receipt(forged), trusted.text).code
    return NOBODY | {"receipt after": BY_CODE[code]}


def _honest_receipt(scene: HouseScene, session: str) -> Receipt:
    """As it was proven under the last checkpoint that both witnesses cosigned."""
    scene.put(scene.watched.floor.tables)
    log = scene.log()
    found = receipt_of(scene.url, log, scene.ring, session, scene.watched.policy)
    log.close()
    return found


def _with_proofs(made: Receipt, honest: Receipt, place: str) -> Receipt:
    entries = []
    for own, other in zip(made.entries, honest.entries, strict=True):
        proof = read_proof(own.proof)
        if place == "proof of another":
            entries.append(replace(own, proof=other.proof))
        elif place == "moved cosignatures":
            moved = read_note(read_proof(other.proof).checkpoint).signatures
            bare = signed_alone(proof.checkpoint)
            note = add_signatures(bare, [each for each in moved if each.name != ORIGIN])
            text = Proof(proof.index, proof.hashes, note).text
            entries.append(replace(own, proof=text))
        else:
            entries.append(own)
    return replace(made, entries=entries, claim=honest.claim)


def signed_alone(note: str) -> str:
    """A checkpoint without the signatures of witnesses."""
    own = [each.line for each in read_note(note).signatures if each.name == ORIGIN]
    return note.partition("\n\n")[0] + "\n\n" + "".join(own)


ATTACKS: dict[str, Callable[[HouseScene, str, random.Random], Outcomes]] = {
    "another shoe": _another_shoe,
    "second commitment": _second_commitment,
    "early mix": _early_mix,
    "deal without the mix": _without_the_mix,
    "shoes until one is liked": _until_one_is_liked,
    "receipt of no entry": _receipt_of_no_entry,
}
