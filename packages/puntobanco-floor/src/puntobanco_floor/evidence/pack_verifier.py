"""Checking a pack alone: every byte against the manifest, the chain against signed heads, the round
against the rules.

It needs the folder and nothing else. Whose the keys are no folder can prove: their fingerprints are
for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from immutables import Map
from msgspec.structs import replace

import puntobanco_floor.domain.table.events as e
from puntobanco.base.refusal import Refusal
from puntobanco.rules.cards import parse_card
from puntobanco.rules.definition import digest, game_of
from puntobanco.rules.game import Game
from puntobanco.rules.irregularities import known_ground
from puntobanco.rules.round import Round
from puntobanco.rules.settle import Wager, settle
from puntobanco_floor.domain.entry import Entry
from puntobanco_floor.domain.node_keys import Admitted
from puntobanco_floor.domain.table.mixing import mixing_of, verified_seed
from puntobanco_floor.domain.table.rulings import IMPOSSIBLE
from puntobanco_floor.evidence.disclosure import Link, Run, verify_entries
from puntobanco_floor.evidence.pack_format import (
    FORMAT,
    GAME,
    MANIFEST,
    ROUND,
    SIGNATURE,
    SOURCE,
    Context,
    Dispute,
    Manifest,
    Segment,
    Told,
    fingerprint,
    pem,
    tell,
)
from puntobanco_floor.journal.sealed_shoes import revealed
from puntobanco_floor.journal.signing import Admission, PublicKeys, Trust
from puntobanco_proof.entry.format import Fault, canonical, hash_bytes
from puntobanco_proof.entry.heads import Head, read_head
from puntobanco_proof.entry.record import Record
from puntobanco_proof.mix import shuffle_by_seed

R = TypeVar("R", bound=Record)

SENTENCES = ("note", "what", "why")
"""Fields of what a pack tells that are made of the program's texts, which later versions reword."""


@dataclass
class Verdict:
    """What was proved, what this pack cannot prove, and the first fault if there is one."""

    proved: list[str] = field(default_factory=list)
    unproven: list[str] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)  # id -> fingerprint
    fault: str | None = None

    @property
    def sound(self) -> bool:
        return self.fault is None


def verify_pack(folder: Path, *, known: PublicKeys | None = None) -> Verdict:
    """`known` are the house's keys by id, where they are had from elsewhere."""
    try:
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    except OSError as error:
        reason = (error.strerror or "input error").lower()
        return Verdict(fault=f"cannot read {folder}: {reason}")
    return verify_files(files, known=known)


def verify_files(files: dict[str, bytes], *, known: PublicKeys | None = None) -> Verdict:
    verdict = Verdict()
    try:
        _verify(files, known, verdict)
    except Refusal as refusal:
        verdict.fault = refusal.reason
    except (ValueError, KeyError, AssertionError, msgspec.MsgspecError) as error:
        verdict.fault = f"the pack holds what cannot be read: {error}"
    return verdict


def _verify(files: dict[str, bytes], known: PublicKeys | None, verdict: Verdict) -> None:
    keys = _read_keys(files)
    roots = {id_: key for id_, key in keys.items() if f"node-{id_}.json" not in files}
    verdict.keys = {id_: fingerprint(key) for id_, key in roots.items()}
    _verify_manifest(files, roots, verdict)
    _verify_roots(roots, known, verdict)
    dispute = _decode(files[ROUND].removesuffix(b"\n"), Dispute, ROUND)
    context = dispute.context
    nodes = _read_nodes(files, keys, context)
    heads = list(_read_heads(files, context.stream))
    runs = [_read_run(files, segment, context.stream, heads) for segment in context.segments]
    found = verify_entries(context.stream, runs, heads, Trust(roots), nodes)
    links = [link for run in found for link in run]
    _count_links(links, len(heads), verdict)
    entries = [link.entry for link in links]
    _verify_admissions(entries, context)
    _verify_told(dispute, entries, verdict)
    game = _read_game(files, context, entries, verdict)
    if game is not None:
        _verify_settlements(game, context, entries, verdict)
    _verify_promises(dispute, entries, verdict)


def _verify_roots(roots: PublicKeys, known: PublicKeys | None, verdict: Verdict) -> None:
    if known is None:
        verdict.unproven.append(
            "whose the root keys are: compare their fingerprints with those the house has published"
        )
        return
    for id_, key in roots.items():
        if id_ not in known or fingerprint(known[id_]) != fingerprint(key):
            raise Fault(f"key {id_} is not of the key ring given")
    verdict.proved.append("the root keys are those of the key ring given")


def _read_keys(files: dict[str, bytes]) -> dict[str, Ed25519PublicKey]:
    found = dict[str, Ed25519PublicKey]()
    for name, data in files.items():
        if name.startswith("key-") and name.endswith(".pem"):
            key: object = None
            with suppress(ValueError, UnsupportedAlgorithm):
                key = load_pem_public_key(data)
            if not isinstance(key, Ed25519PublicKey) or pem(key) != data:
                raise Fault(f"{name} is no public key as the house writes them")
            found[name[4:-4]] = key
    return found


def _verify_manifest(files: dict[str, bytes], roots: PublicKeys, verdict: Verdict) -> None:
    for name in (MANIFEST, SIGNATURE, ROUND):
        if name not in files:
            raise Fault(f"{name} is missing: this is no whole pack")
    manifest = _decode(files[MANIFEST], Manifest, MANIFEST)
    if manifest.format != FORMAT:
        raise Fault(f"this is a pack of another version: {manifest.format}")
    if manifest.key not in roots:
        raise Fault(f"the root key {manifest.key} of the manifest is missing")
    try:
        roots[manifest.key].verify(files[SIGNATURE], files[MANIFEST])
    except InvalidSignature:
        raise Fault("the signature of the manifest is not its key's") from None
    listed = set(manifest.files)
    there = set(files) - {MANIFEST, SIGNATURE}
    for name in sorted(listed ^ there):
        raise Fault(f"{name} is {'missing' if name in listed else 'not in the manifest'}")
    for name, hash_ in manifest.files.items():
        if hash_bytes(files[name]) != hash_:
            raise Fault(f"{name} is not the file that the manifest names")
    verdict.proved.append(
        f"{len(listed)} files are those that the house signed with key {manifest.key}"
    )


def _read_nodes(files: dict[str, bytes], keys: PublicKeys, context: Context) -> Map[str, Admitted]:
    """Read the nodes' keys as the stream admitted them; their certificates are verified later."""
    found = dict[str, Admitted]()
    for id_, counted in context.nodes.items():
        name = f"node-{id_}.json"
        bare = _decode(files[name], Admission, name)
        own = keys[id_].public_bytes_raw().hex()
        if (bare.stream, bare.key, bare.public) != (context.stream, id_, own):
            raise Fault(f"{name} is not of this table and the key in key-{id_}.pem")
        certificate = files[f"node-{id_}.sig"].hex()
        key = Admitted(bare.public, bare.root, certificate, counted.since, counted.until)
        found[id_] = key
    return Map(found)


def _verify_admissions(entries: list[Entry], context: Context) -> None:
    """Where the entries at hand admit or retire a key, the pack says the same of it."""
    for entry in entries:
        for event in entry.events:
            if not isinstance(event, e.KeyAdmitted | e.KeyRetired):
                continue
            counted = context.nodes.get(event.key)
            if counted is None:
                continue
            if isinstance(event, e.KeyAdmitted):
                is_so = counted.since <= entry.seq  # it may be certified anew
            else:
                is_so = counted.until == entry.seq
            if not is_so:
                raise Fault(f"{ROUND} has key {event.key} count from or to another entry")


def _read_heads(files: dict[str, bytes], stream: str) -> Iterator[Head]:
    for name, data in files.items():
        if name.startswith("head-") and name.endswith(".json"):
            bare = read_head(data, 1)
            signature = files[name.removesuffix("json") + "sig"].hex()
            if bare.stream != stream or name != f"head-{bare.seq}.json" or canonical(bare) != data:
                raise Fault(f"{name} is no head of {stream} as the journal writes it")
            yield replace(bare, signature=signature)


def _read_run(files: dict[str, bytes], segment: Segment, stream: str, heads: list[Head]) -> Run:
    """The entries of a segment, of which no signed head is left out."""
    missing = set(segment.signed) - {head.seq for head in heads}
    if missing:
        raise Fault("its signed head is missing", stream=stream, seq=min(missing))
    data = files[segment.file]
    rows = data.removesuffix(b"\n").split(b"\n")
    if len(rows) != segment.last - segment.first + 1 or not data.endswith(b"\n"):
        raise Fault(f"{segment.file} is not whole")
    return Run(segment.first, segment.prev, rows)


def _count_links(links: list[Link], heads: int, verdict: Verdict) -> None:
    led = [link for link in links if link.is_anchored]
    in_part = sum(not link.is_whole for link in led)
    loose = len(links) - len(led)
    verdict.proved.append(f"{len(led)} entries lead to signed heads, {heads} heads in all")
    if in_part:
        verdict.unproven.append(
            f"what {in_part} of these entries say of other patrons, which is withheld"
        )
    if loose:
        verdict.unproven.append(
            f"{loose} entries lead to no signed head; the house's manifest holds them"
        )


def _verify_told(dispute: Dispute, entries: list[Entry], verdict: Verdict) -> None:
    """Compare what the pack says with the entries; another version may use other words."""
    again = tell(entries, dispute.context)
    for name in Told.__struct_fields__:
        if _facts(getattr(dispute.told, name)) != _facts(getattr(again, name)):
            raise Fault(f"the {name} in {ROUND} are not those of the entries")
    if dispute.told != again:
        verdict.unproven.append(f"the sentences in {ROUND}: this program writes them otherwise")
    verdict.proved.append("cards, wagers, settlements and acts are those of the entries")


def _facts(rows: list[Record]) -> list[Record]:
    """The rows without their sentences."""
    return [replace(row, **{k: "" for k in SENTENCES if hasattr(row, k)}) for row in rows]


def _read_game(
    files: dict[str, bytes], context: Context, entries: list[Entry], verdict: Verdict
) -> Game | None:
    """Read the game from the entry that opened the table; no designer's file is run."""
    openings = [e.opening_of(entry.events) for entry in entries if entry.seq == context.opened]
    if len(openings) != 1 or openings[0] is None:
        raise Fault(f"entry {context.opened} does not open the table")
    opened = openings[0]
    if (opened.game, opened.digest) != (context.game, context.digest):
        raise Fault(f"{ROUND} names another game than the table was opened with")
    definition = canonical(opened.definition) + b"\n"
    source = opened.source.encode()
    if files.get(GAME) != definition or files.get(SOURCE, b"") != source:
        raise Fault(f"{GAME} or {SOURCE} is not what the table was opened with")
    try:
        game = game_of(opened.definition)
        found = digest(opened.definition)
    except Refusal as refusal:
        verdict.unproven.append(
            f"the settlement: this program cannot read the definition: {refusal.reason}"
        )
        return None
    if (game.id, found) != (opened.game, opened.digest):
        raise Fault(
            f"the definition that the table was opened with is {found[:12]}, not "
            f"{opened.digest[:12]}"
        )
    verdict.proved.append(
        f"the table was opened with {game.id}, definition {found[:12]}, which is in the pack"
    )
    return game


def _verify_settlements(
    game: Game, context: Context, entries: list[Entry], verdict: Verdict
) -> None:
    """Settle each round again, by the definition that was played."""
    settlements = 0
    stakes = dict[tuple[str, str], int]()
    for entry in entries:
        for event in entry.events:
            if getattr(event, "round", None) != context.round:
                continue
            if isinstance(event, e.Wagered) and context.session in ("", event.session):
                stakes[event.session, event.bet] = event.stake_cents
            if isinstance(event, e.RoundSettled):
                _verify_settlement(game, context, event, stakes, verdict)
                settlements += 1
            elif e.is_void(event) and event.proposed_by and context.dealing == "virtual":
                # the table refuses such a ruling by people today; older programs took it
                ground = known_ground(game, event.ground)
                if ground is not None and ground.needs_physical_cards:
                    cited = f"{event.ground} [{event.clause}]"
                    verdict.unproven.append(
                        f"the ruling on round {event.round}: {IMPOSSIBLE.en}, {cited}"
                    )
    if settlements:
        verdict.proved.append(f"{settlements} settlements, every line by the rules")


def _verify_settlement(
    game: Game,
    context: Context,
    event: e.RoundSettled,
    stakes: dict[tuple[str, str], int],
    verdict: Verdict,
) -> None:
    """The lines at hand are of the wagers at hand, and each is as the rules have it."""
    cards = [parse_card(card) for card in event.cards.split()]
    play = Round.start(game, context.decks).deal_all(cards)
    points = play.player_points, play.banker_points
    if points != (event.player, event.banker) or not play.is_complete:
        raise Fault(f"round {event.round}: the totals are not the cards'")
    said_stakes = [((line.session, line.bet), line.stake_cents) for line in event.lines]
    if sorted(said_stakes) != sorted((key, cents) for key, cents in stakes.items() if cents):
        raise Fault(f"round {event.round}: the lines settled are not the wagers")
    wagers = [
        Wager(context.patrons[line.session], line.bet, line.stake_cents) for line in event.lines
    ]
    for said, settled in zip(event.lines, settle(game, play, wagers), strict=True):
        right = e.Line.of(said.session, settled)
        bare = replace(right, bonus_cents=0, bonus_clause="")
        if said.by_rule == right.by_rule:
            continue
        if not context.session or said.by_rule != bare.by_rule:
            raise Fault(
                f"round {event.round}: {said.session} {said.bet} is not settled by the rules"
            )
        # it goes once to a patron, who may play in another session too
        verdict.unproven.append(
            f"that no bonus is due on {said.bet}: other sessions of the patron are not shown"
        )


def _verify_promises(dispute: Dispute, entries: list[Entry], verdict: Verdict) -> None:
    """The cards dealt are the cards committed to, in the order that the witnesses gave them."""
    context = dispute.context
    rows = dispute.told.promises
    if context.dealing != "virtual":
        return
    seed = _verify_mix(context, entries, verdict)
    made = [row for row in rows if row.commitment]
    kept = [row for row in rows if row.order]
    if not made or not kept:
        verdict.unproven.append("the cards against their commitment: they are not revealed yet")
        return
    order = revealed(kept[-1].order, kept[-1].nonce)
    if order.commitment != made[-1].commitment:
        raise Fault("the cards revealed are not those committed to")
    place = context.drawn if context.source == "shoe" else 0
    dealt = bytes(parse_card(card.card) for card in dispute.told.cards)
    cards = shuffle_by_seed(order.cards, bytes.fromhex(seed)) if seed else order.cards
    if cards[place : place + len(dealt)] != dealt:
        raise Fault("the cards dealt are not those committed to")
    verdict.proved.append("the cards dealt are the cards committed to before the bets")


def _verify_mix(context: Context, entries: list[Entry], verdict: Verdict) -> str:
    """Verify the answers of the witnesses and return their seed; "" if the house shuffled alone."""
    events = [event for entry in entries for event in entry.events]
    start = e.start_of(events, context.shoe)
    if start is None or not start.mix:
        verdict.unproven.append("that nobody chose the shoe: the house alone shuffled it")
        return ""
    found = e.mix_in(events, context.shoe)
    mixing = mixing_of(start)
    if mixing is None or found is None:
        raise Fault(f"shoe {context.shoe} was to be mixed, and no entry mixes it")
    signatures = found.signatures
    seed = verified_seed(mixing, context.stream, start.shoe, start.commitment, signatures)
    if seed != found.seed:
        raise Fault("the seed does not follow from commitment and answers")
    names = ", ".join(mixing.names)
    verdict.proved.append(f"the shoe was mixed by {names}, by the keys that its start names")
    verdict.unproven.append(f"whose these keys are: compare them with those of {names}")
    return seed


def _decode(data: bytes, kind: type[R], name: str) -> R:
    found = msgspec.json.decode(data, type=kind)
    if canonical(found) != data:
        raise Fault(f"{name} is not written as this program writes it")
    return found
