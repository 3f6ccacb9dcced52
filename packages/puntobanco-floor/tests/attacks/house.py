"""The matrix against the house, run: it rewrites all that it has, and each who might find that is asked."""

import random
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from sqlalchemy import insert

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.audit.log_checks import Others
from puntobanco_floor.evidence.refusals import NoReceipt
from puntobanco_floor.journal.key_ring import roots_in
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.settings import Settings
from puntobanco_floor.store import schema
from puntobanco_floor.store.errors import LogFault
from puntobanco_floor.store.log_tables import LogView, TransparencyLog
from puntobanco_floor.transparency.keeper import LogKeeper
from puntobanco_floor.transparency.publication import Publication
from puntobanco_floor.transparency.refusals import Away, Disagrees, Seen
from puntobanco_floor.transparency.witness_link import Asked
from puntobanco_proof.entry.format import read_header, split_entry
from puntobanco_proof.receipt_format import Receipt
from puntobanco_proof.receipt_format import encode_receipt as file_of
from puntobanco_proof.tree import log_tree
from puntobanco_proof.tree.checkpoints import read_checkpoint_note
from puntobanco_proof.tree.notes import Signature
from puntobanco_proof.tree.policies import Policy
from puntobanco_proof.verifier import verify
from tests.attacks import house_shoes
from tests.attacks.floor import LOG, TABLE, Tables, dumped, heads_file, placed, put
from tests.attacks.forge import SPARE, Forger
from tests.attacks.house_cells import SHOES, SPLITS, HouseCell, HouseFinder, HouseOutcome
from tests.attacks.house_floor import ALL, ORIGIN, PLACES, Watched, receipt_of
from tests.attacks.witnesses import (
    DISHONEST,
    HONEST,
    AsWitness,
    Dishonest,
    Honest,
    named,
    policy,
)

Outcomes = dict[HouseFinder, HouseOutcome]
HOLDS, UNPROVEN = 0, 2
BY_CODE: Mapping[int, HouseOutcome] = {HOLDS: "missed", 1: "found", UNPROVEN: "said"}
GOES_ON = 5
"""Entries by which a history that was cut gets longer than the one that witnesses saw."""


class HouseScene:
    """A database, a node's files and the publication folder, all in the house's hands."""

    def __init__(self, watched: Watched, url: str, folder: Path) -> None:
        self.watched, self.url, self.folder = watched, url, folder
        self.keys, self.heads = placed(folder, watched.floor, url)
        self.ring = watched.floor.ring
        self._memories = 0
        self.headers = _headers(watched.floor.tables)

    # What the house does

    def outcomes(self, cell: HouseCell, seed: int) -> Outcomes:
        chance = random.Random(f"{cell} {seed}")
        if cell.attack in SHOES:
            return house_shoes.outcomes(self, cell, chance)
        if cell.attack == "split view":
            return self._split(cell.place, chance)
        if cell.attack == "suppress checkpoints":
            return self._suppressed(cell.place)
        if cell.attack == "roll back, folder left":
            return self._left_behind(cell.place)
        if cell.attack == "roll back":
            self.put(self.watched.floor.backups[cell.place])
        elif cell.attack == "rewrite, log left":
            self.put(self._forged("rewrite", cell.place, chance))
        else:
            self.relogged(self._forged(cell.attack, cell.place, chance))
        return self.found(cell.place)

    def _forged(self, attack: str, place: str, chance: random.Random) -> Tables:
        floor = self.watched.floor
        forger = Forger(floor, floor.tables, place, floor.node, chance)
        # what is last under the checkpoint has nothing after it there: the one before is taken
        at = forger.target(neighbour=place != "last" or attack == "reorder")
        before, entry, after = forger.entries[:at], forger.entries[at], forger.entries[at + 1 :]
        kept = before if place == "last" else [*before, entry]
        gifts = [forger.gift(len(kept) - 1) for _ in range(len(after) + GOES_ON)]
        written = {
            "rewrite": [*before, forger.changed(at), *after],
            "late insert": [*before, entry, forger.gift(at), *after],
            "remove": [*before, *after],
            "reorder": [*before, *after[:1], entry, *after[1:]],
            "cut": kept,
            "cut and go on": [*kept, *gifts],
        }
        return forger.rewritten(written[attack])

    def put(self, tables: Tables) -> None:
        """All that the house has, as it wants it: the file of heads and the folder follow."""
        put(self.url, tables, ALL)
        self.heads.write_bytes(heads_file(tables))
        shutil.rmtree(self.folder / "published", ignore_errors=True)

    def relogged(self, tables: Tables) -> None:
        """Another journal, with a log made anew over it; checkpoints that still fit are kept."""
        self.put(tables | {name: [] for name in LOG})
        log = self.log()
        log.open(ORIGIN)
        while log.grow().waiting:
            pass
        with log.view() as view:
            notes = [str(row["note"]) for row in self.watched.floor.tables["checkpoints"]]
            fits = [note for note in notes if _fits(note, view)]
        for note in fits:
            log._insert(
                insert(schema.checkpoints).values(size=read_checkpoint_note(note).size, note=note)
            )
        log.sign()
        log.close()

    def log(self) -> TransparencyLog:
        return TransparencyLog(self.url, self.ring, Trust.of(roots_in(self.keys)))

    def honest(self, name: str = HONEST, like: str = "last") -> Honest:
        """A witness that remembers as far as that place; nothing where there is none."""
        self._memories += 1
        memory = self.watched.remembered.get(like)
        where = self.folder / "memories" / str(self._memories)
        return Honest(name, where, self.watched.logs, memory)

    # Who finds it

    def found(self, place: str, like: str = "last") -> Outcomes:
        """By one honest witness of two, where both must cosign."""
        witnesses: list[AsWitness] = [self.honest(like=like), Dishonest(DISHONEST)]
        return self.found_by(place, witnesses, self.watched.policy)

    def found_by(self, place: str, witnesses: Sequence[AsWitness], trusted: Policy) -> Outcomes:
        log = self.log()
        note = log.sign()
        try:
            Publication(self.folder / "published").publish(log, note)
            found: Outcomes = {"audit": self._audited(witnesses, trusted, note)}
            found["witness"] = self._shown(log, note, witnesses)
            found["starting node"] = self._started(log, witnesses, trusted)
            found["receipt before"] = self._kept_receipts()
            found["receipt after"] = self._new_receipts(log, place, trusted)
            return found
        finally:
            log.close()
            for each in witnesses:
                each.close()

    def _audited(self, witnesses: Sequence[AsWitness], trusted: Policy, note: str) -> HouseOutcome:
        """With the ring, and what witnesses say that they have seen. A witness that is dishonest says that it has seen what is there."""
        seen = {each.identity.name: each.seen() or note for each in witnesses}
        report = audit(
            self.url, heads=[self.heads], keys=self.keys, others=Others(trusted, seen=seen)
        )
        if not report.sound:
            return "found"
        is_said = any("enough witnesses" in said for said in report.unproven)
        return "said" if is_said else "missed"

    def _shown(
        self, log: TransparencyLog, note: str, witnesses: Sequence[AsWitness]
    ) -> HouseOutcome:
        """The house asks everybody, from any size; found where somebody refuses."""
        size, is_refused = read_checkpoint_note(note).size, False
        for each in witnesses:
            signatures = list[Signature]()
            asked = Asked(named(each.identity.name), each, log)
            try:
                signatures += asked.ask(note)
            except (Disagrees, Away):
                is_refused = True
                signatures += self._insisted(log, note, each)
                is_refused = is_refused and not signatures
            log.cosign(size, signatures)
        return "found" if is_refused else "missed"

    def _insisted(self, log: TransparencyLog, note: str, witness: AsWitness) -> Sequence[Signature]:
        """With proofs from other sizes, which hold in the log of the house."""
        size = read_checkpoint_note(note).size
        for old in {0, 1, min(self.watched.size, size), size}:
            proof = log_tree.prove_consistency(old, size, log.hashes(size))
            try:
                return witness.add_checkpoint(old, proof, note)
            except (Disagrees, Away, Seen):
                continue
        return ()

    def _started(
        self, log: TransparencyLog, witnesses: Sequence[AsWitness], trusted: Policy
    ) -> HouseOutcome:
        """A node as the program is, on what the house has left it: it opens, and grows the log."""
        by_name = {each.identity.name: each for each in witnesses}
        file = self.folder / "policy"
        file.write_text(trusted.text)
        settings = Settings(witness_policy=str(file), log_origin=ORIGIN)
        publication = Publication(self.folder / "published")
        keeper = LogKeeper(log, publication, settings, lambda w: by_name[w.name], keys=self.keys)
        try:
            keeper.open()
            keeper.step()
        except LogFault:
            return "found"
        return "found" if keeper._left_out else "missed"

    def _kept_receipts(self) -> HouseOutcome:
        """Those that patrons got before: do they hold, and name entries that are gone?"""
        now = _headers(dumped(self.url, ("entries",)))
        best: HouseOutcome = "unmoved"
        for receipt in self.watched.receipts.values():
            if _is_of(receipt, now):
                continue
            code = verify.verify(file_of(receipt), self.watched.policy.text).code
            if code == HOLDS:
                return "found"
            if code == UNPROVEN:
                best = "signed"
        return best

    def _new_receipts(self, log: TransparencyLog, place: str, trusted: Policy) -> HouseOutcome:
        """Those that patrons get now of what was never so: what does verify.py say?"""
        codes = set[int]()
        first = SPARE.get(place, "m")
        for session in ("ann", *(f"{first}{n}" for n in (1, 2, 3))):
            try:
                receipt = receipt_of(self.url, log, self.ring, session, trusted)
            except NoReceipt:
                continue
            if not _is_of(receipt, self.headers):
                codes.add(verify.verify(file_of(receipt), trusted.text).code)
        return BY_CODE[min(codes)] if codes else "unmoved"

    def _left_behind(self, place: str) -> Outcomes:
        """No witness is honest; the folder is on a disk that does not go back with the database."""
        self.put(self.watched.floor.tables)
        log = self.log()
        Publication(self.folder / "published").publish(log, log.sign())
        log.close()
        tables = self.watched.floor.backups[place]
        put(self.url, tables, ALL)
        self.heads.write_bytes(heads_file(tables))
        trusted = policy(self.watched.logs, (DISHONEST,))
        return self.found_by(place, [Dishonest(DISHONEST)], trusted) | {"receipt before": "-"}

    # Witnesses who see different things, or nothing

    def _split(self, place: str, chance: random.Random) -> Outcomes:
        """The database as it is shown to a patron; some witnesses saw the other one."""
        split = SPLITS[place]
        where = chance.choice(PLACES[:3])
        self.relogged(self._forged("rewrite", where, chance))
        names = (*split.other, *split.this, *split.dishonest)
        trusted = policy(self.watched.logs, names, split.least)
        witnesses: list[AsWitness] = [self.honest(name) for name in split.other]
        witnesses += [self.honest(name, like="never") for name in split.this]
        witnesses += [Dishonest(name) for name in split.dishonest]
        log = self.log()
        for each in witnesses[len(split.other) :]:
            asked = Asked(named(each.identity.name), each, log)
            asked.ask(log.sign())
        log.close()
        found = self.found_by(where, witnesses, trusted)
        return found | {"receipt before": "-"}

    def _suppressed(self, place: str) -> Outcomes:
        """Nothing is rewritten; no witness was shown a checkpoint after that place."""
        witness = self.honest(like=place)
        seen = read_checkpoint_note(witness.seen()).size
        tables = dict(self.watched.floor.tables)
        notes = [str(row["note"]) for row in tables["checkpoints"]]
        sizes = [read_checkpoint_note(note).size for note in notes]
        tables["checkpoints"] = [
            {"size": size, "note": house_shoes.signed_alone(note) if size > seen else note}
            for size, note in zip(sizes, notes, strict=True)
        ]
        self.put(tables)
        log = self.log()
        note = log.sign()
        eve = Dishonest(DISHONEST)
        found: Outcomes = {"audit": self._audited([witness, eve], self.watched.policy, note)}
        [status] = witness.decider.status().logs
        found["witness"] = "said" if status.size < log.size() else "missed"
        codes = set[int]()
        for kept in ("w1", "l1"):
            receipt = receipt_of(self.url, log, self.ring, kept, self.watched.policy)
            codes.add(verify.verify(file_of(receipt), self.watched.policy.text).code)
        found["receipt after"] = BY_CODE[max(codes)]
        found["receipt before"] = self._kept_receipts()
        found["starting node"] = self._started(log, [witness, eve], self.watched.policy)
        log.close()
        witness.close()
        return found


def _headers(tables: Tables) -> dict[int, str]:
    """Of every entry of the table."""
    found = dict[int, str]()
    for row in tables["entries"]:
        if row["stream"] == TABLE:
            data = bytes(row["data"])  # type: ignore[call-overload]
            header, _ = read_header(data, stream=TABLE)
            found[header.seq] = split_entry(data).header.decode()
    return found


def _is_of(receipt: Receipt, headers: Mapping[int, str]) -> bool:
    """Whether every entry that it shows is among these."""
    return {entry.header for entry in receipt.entries} <= set(headers.values())


def _fits(note: str, view: LogView) -> bool:
    """Whether the log as it is now goes on from that checkpoint."""
    checkpoint = read_checkpoint_note(note)
    _, size = view.standing()
    return checkpoint.size <= size and view.root(checkpoint.size) == checkpoint.root
