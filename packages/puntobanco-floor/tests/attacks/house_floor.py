"""A floor whose log two witnesses cosign, one of them honest; the house that runs it will attack it."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.machine import NO_MIXERS, Mixers
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.evidence.receipt import House, Maker, Span
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store.log_tables import TransparencyLog
from puntobanco_floor.store.reader import reading
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.store import Store
from puntobanco_proof.mix import build_message
from puntobanco_proof.receipt_format import Receipt, What
from puntobanco_proof.tree import log_tree
from puntobanco_proof.tree.checkpoints import read_checkpoint_note
from puntobanco_proof.tree.faults import encode_base64
from puntobanco_proof.tree.notes import Verifier
from puntobanco_proof.tree.policies import Policy
from puntobanco_proof.tree.proofs import Proof
from puntobanco_proof.witness.identity import MEMORY
from puntobanco_proof.witness.requests import Mix, build_mix_request
from tests.attacks.floor import BUY_IN, LOG, NAMES, TABLE, Floor, Tables, dumped
from tests.attacks.witnesses import DISHONEST, HONEST, AsWitness, Dishonest, Honest, policy
from tests.storage.played import Script
from tests.witness.made import identity

ORIGIN = "casino.example/floor"
ALL = (*NAMES, *LOG)
PLACES = ("first", "middle", "before the checkpoint", "after the checkpoint", "last")
PATRONS = {"first": "f", "middle": "m", "before the checkpoint": "w", "after the checkpoint": "u"}
"""Three patrons at each place, who sit down and buy in; two, `l`, at the last."""


@dataclass
class Watched:
    """As it stands before an attack. `remembered` is the honest witness's memory, by the last place it saw."""

    floor: Floor
    size: int  # of the log that is cosigned last
    logs: tuple[Verifier, ...]
    remembered: Mapping[str, Path]
    receipts: Mapping[str, Receipt]  # of one patron at each place, as they got them

    @property
    def policy(self) -> Policy:
        return policy(self.logs, (HONEST, DISHONEST))


def mixers(*names: str) -> Mixers:
    keys = {name: encode_base64(identity(name).mix_key) for name in names}
    return Mixers(log=ORIGIN, keys=keys)


def shown(log: TransparencyLog, *witnesses: AsWitness) -> str:
    """Grown, signed, and cosigned by these."""
    while log.grow().waiting:
        pass
    note = log.sign()
    checkpoint = read_checkpoint_note(note)
    for each in witnesses:
        old = read_checkpoint_note(each.seen()).size if each.seen() else 0
        hashes = log.hashes(checkpoint.size)
        proof = log_tree.prove_consistency(old, checkpoint.size, hashes)
        note = log.cosign(checkpoint.size, each.add_checkpoint(old, proof, note))
    return note


def mix_request(
    log: TransparencyLog, data: bytes, seq: int, *, shoe: int, commitment: str, note: str
) -> Mix:
    """For the entry that starts a shoe, under this checkpoint."""
    place = log.place(TABLE, seq)
    assert place is not None
    size = read_checkpoint_note(note).size
    proof = Proof(
        place.index, tuple(log_tree.prove_inclusion(place.index, size, log.hashes(size))), note
    )
    return build_mix_request(
        data,
        1,
        origin=ORIGIN,
        stream=TABLE,
        shoe=shoe,
        commitment=commitment,
        salt=log.salt(TABLE, seq, place),
        proof=proof,
    )


class Play(Script):
    """At a table whose shoes two witnesses mix."""

    def __init__(self, store: Store, ann: Honest, eve: Dishonest) -> None:
        assert isinstance(store, SqliteStore)
        super().__init__(store)
        self.ann, self.eve = ann, eve

    def patrons(self, *names: str) -> None:
        for name in names:
            self.do(c.SeatSession(by=name, session=name))
        for name in names:
            self.do(c.BuyIn(by="carl", session=name, cents=BUY_IN))

    def shoe(self) -> None:
        """Started, cosigned, mixed."""
        self.store.mixers = mixers(HONEST, DISHONEST)
        self.do(c.NewShoe(by="pit", decks=4))
        shoe = self.store.table(TABLE).state.shoe
        assert shoe is not None
        assert shoe.mixing is not None
        note = shown(self.store.log, self.ann, self.eve)
        seq, data = next(iter(self.store.entries(TABLE, after=shoe.mixing.entry - 1)))
        which = {"shoe": shoe.number, "commitment": shoe.commitment}
        request = mix_request(self.store.log, data, seq, note=note, **which)  # type: ignore[arg-type]
        said = build_message(ORIGIN, TABLE, shoe.number, shoe.commitment)
        signatures = {
            HONEST: self.ann.decider.mix(request).hex(),
            DISHONEST: self.eve.identity.sign_mix(said).hex(),
        }
        self.do(c.MixShoe(by="mixer", shoe=shoe.number, signatures=signatures))

    def round(self, number: int) -> None:
        self.do(c.OpenBets(by="dealer"))
        wager = c.PlaceWager(by="ann", round=number, session="ann", bet="banker", stake_cents=1_000)
        self.do(wager)
        self.do(c.CloseBets(by="dealer"))
        self.deal()


def made(folder: Path) -> Watched:
    """Three mixed shoes and one that the house shuffles alone; the last cosigned checkpoint is in the third."""
    path, keys, heads = folder / "floor.db", folder / "floor.keys", folder / "node.heads"
    backups, remembered = dict[str, Tables](), dict[str, Path]()
    receipts = dict[str, Receipt]()
    limits = replace(default_limits(GAMES["six-star"]), hand_pay_cents=0, large_buy_in_cents=0)
    with SqliteStore(path, keys=keys, heads=heads, clock=False) as store:
        store._db.execute("PRAGMA synchronous = OFF")
        store.log.open(ORIGIN)
        logs = store.log.verifiers()
        ann, eve = Honest(HONEST, folder / "ann", logs), Dishonest(DISHONEST)
        play = Play(store, ann, eve)

        def keep(place: str) -> None:
            """A copy of all that the house has, and of what the witness remembers."""
            backups[place] = dumped(str(path), ALL)
            remembered[place] = folder / f"{len(remembered)}.{MEMORY}"
            shutil.copy(ann.path, remembered[place])

        def receipt(place: str, session: str) -> None:
            receipts[place] = receipt_of(
                str(path), store.log, store.ring, session, policy(logs, (HONEST, DISHONEST))
            )

        play.do(c.OpenTable(by="pit", game="six-star", limits=limits))
        play.do(c.SeatSession(by="ann", session="ann"))
        play.do(c.BuyIn(by="carl", session="ann", cents=100 * BUY_IN))
        play.patrons("f1", "f2", "f3")
        play.shoe()
        receipt("first", "f1")
        play.round(1)
        keep("first")
        play.do(c.EndShoe(by="pit"))
        play.shoe()
        play.patrons("m1", "m2", "m3")
        play.round(2)
        shown(store.log, ann, eve)
        keep("middle")
        receipt("middle", "m1")
        play.do(c.EndShoe(by="pit"))
        play.shoe()
        play.patrons("w1", "w2", "w3")
        keep("before the checkpoint")
        size = read_checkpoint_note(shown(store.log, ann, eve)).size
        receipt("before the checkpoint", "w3")
        play.patrons("u1", "u2", "u3")
        receipt("after the checkpoint", "u3")
        play.round(3)
        shown(store.log)  # signed, and no witness has seen it
        keep("after the checkpoint")
        play.do(c.EndShoe(by="pit"))
        store.mixers = NO_MIXERS
        play.do(c.NewShoe(by="pit", decks=4))
        play.patrons("l1", "l2")
        receipt("last", "l2")
        keep("last")
        node, ring = store.node, KeyRing.load(keys)
        ann.close()
    floor = Floor(
        ring=ring,
        old_ring=ring,
        retired=node,
        node=node,
        node_file=heads.with_suffix(".node").read_text(),
        tables=dumped(str(path), ALL),
        heads=heads.read_bytes(),
        backups=backups,
    )
    return Watched(floor, size, logs, remembered, receipts)


def receipt_of(
    url: str, log: TransparencyLog, ring: KeyRing, session: str, trusted: Policy
) -> Receipt:
    """A session's, from the database as it is."""
    with reading(url) as reader:
        last = reader.streams()[TABLE].seq
        maker = Maker(reader, log, ring, House("Casino", trusted))
        return maker.receipt(What(kind="session", table=TABLE, session=session), Span(1, last))
