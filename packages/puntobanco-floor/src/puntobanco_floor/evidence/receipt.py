"""Receipts: their entries, the parts that a session may see, proofs or signed heads, links."""

from __future__ import annotations

import base64
import dataclasses
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import UnionType
from typing import NamedTuple

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec.structs import replace

import puntobanco_floor.domain.table.events as e
from puntobanco.base.words import Words
from puntobanco_floor.audit.round_replay import story
from puntobanco_floor.domain.entry import Entry
from puntobanco_floor.evidence.disclosure import Piece, list_pieces, may_see, named_by
from puntobanco_floor.evidence.refusals import NoReceipt, NoSuchLink
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import admission_of
from puntobanco_floor.store.log_tables import TransparencyLog
from puntobanco_floor.store.reader import Reader
from puntobanco_proof.entry.format import canonical, disclose_parts, read_header, split_entry
from puntobanco_proof.entry.record import fill_record
from puntobanco_proof.receipt_format import Claim, Kind, Part, Receipt, Says, Shown, Signed, What
from puntobanco_proof.tree import log_tree
from puntobanco_proof.tree.checkpoints import read_checkpoint_note
from puntobanco_proof.tree.policies import Log, Policy
from puntobanco_proof.tree.proofs import Proof

MOST_ENTRIES = 400
"""Of one receipt: a long shoe has a hundred rounds, a session fewer movements of money."""

MOST_CARDS = 1_000
"""Entries of one card each that are read for a shoe: most are left out again where their round is
settled. Eight decks are fewer.
"""


NOTHING = Words("there is nothing of yours to show here", "此處沒有可顯示的記錄")
TOO_MUCH = Words("there is more to show than a receipt holds", "內容超出一張收據的上限")

_IN_SESSION = (
    e.SessionSeated
    | e.SessionLimited
    | e.SessionStopped
    | e.SessionRestarted
    | e.SessionEnded
    | e.CreditsBought
    | e.CreditsLoaded
    | e.CreditsAdjusted
    | e.CashedOut
    | e.VoucherRedeemed
    | e.VoucherIssued
    | e.MoveReserved
    | e.MoveArrived
    | e.MoveSettled
    | e.MoveReturned
)
"""What a session's receipt shows: where it sat, and its money in and out; wagers have their own."""


class Found(NamedTuple):
    """An entry that a receipt shows in part: the places of the parts."""

    seq: int
    data: bytes
    places: list[int]
    is_named: bool  # whether one of them names the session


Wanted = Callable[[Piece], bool]


def choose_parts(reader: Reader, what: What, first: int, last: int) -> list[Found]:
    """Choose between two entries of the table; refuse where there is nothing, or too much."""
    wanted = _of_shoe(what) if what.kind == "shoe" else partial(_WANTED[what.kind], what)
    needed = _NEEDED[what.kind]
    is_whole = False
    shown, cards = list[Found](), 0
    for seq, data in reader.entries(what.table, after=first - 1, upto=last):
        entry = reader.definitions.read(data, stream=what.table, seq=seq)
        seen = (piece for piece in list_pieces(entry) if may_see(piece, what.session))
        own = [piece for piece in seen if wanted(piece)]
        is_whole = is_whole or any(isinstance(piece.event, needed) for piece in own)
        if own:
            is_named = any(named_by(piece) for piece in own)
            shown.append(Found(seq, data, [piece.place for piece in own], is_named))
            cards += all(isinstance(piece.event, e.CardDealt) for piece in own)
        if cards > MOST_CARDS or len(shown) - cards > MOST_ENTRIES:
            raise NoReceipt(TOO_MUCH)
    if not is_whole:
        raise NoReceipt(NOTHING)
    return shown


def _is_of_wager(what: What, piece: Piece) -> bool:
    event, line, own = piece.event, piece.line, (what.session, what.bet)
    if getattr(event, "round", 0) != what.round:
        return False
    if line is not None:
        return (line.session, line.bet) == own
    if isinstance(event, e.Wagered):
        return (event.session, event.bet) == own
    has_own = any((each.session, each.bet) == own for each in getattr(event, "lines", ()))
    return isinstance(event, e.Reckoning) and has_own


def _is_of_round(what: What, piece: Piece) -> bool:
    event = piece.event
    is_shown = isinstance(event, e.BetsOpened | e.Wagered | e.BetsClosed | e.Reckoning)
    return is_shown and getattr(event, "round", 0) == what.round


def _is_of_voucher(what: What, piece: Piece) -> bool:
    event = piece.event
    return isinstance(event, e.VoucherIssued) and event.voucher == what.voucher


def _is_of_session(what: What, piece: Piece) -> bool:
    event = piece.event
    return isinstance(event, _IN_SESSION) and event.session == what.session


def _of_shoe(what: What) -> Wanted:
    """Choose what everybody saw of the shoe, without reopened rounds of an earlier one."""
    rounds = set[int]()

    def wanted(piece: Piece) -> bool:
        event = piece.event
        if isinstance(event, e.ShoeStarted | e.ShoeMixed | e.ShoeEnded):
            return event.shoe == what.shoe
        if isinstance(event, e.BetsOpened) and event.shoe == what.shoe:
            rounds.add(event.round)
        is_of_round = isinstance(event, e.Outcome | e.CardDealt) and event.round in rounds
        return piece.line is None and is_of_round

    return wanted


_WANTED: dict[str, Callable[[What, Piece], bool]] = {
    "wager": _is_of_wager,
    "round": _is_of_round,
    "voucher": _is_of_voucher,
    "session": _is_of_session,
}

_NEEDED: dict[str, UnionType | type[e.Event]] = {
    "wager": e.Wagered,
    "round": e.BetsOpened,
    "voucher": e.VoucherIssued,
    "session": e.SessionSeated,
    "shoe": e.ShoeStarted,
}
"""Without which it is no receipt of its kind, and a verifier refuses it."""


def drop_repeated_cards(reader: Reader, what: What, shown: list[Found]) -> list[Found]:
    """Show the cards of each round once, and none before the end of the shoe can prove them."""
    read = reader.definitions.read
    events = {each.seq: read(each.data, stream=what.table, seq=each.seq).events for each in shown}
    every = [event for own in events.values() for event in own]
    is_over = any(isinstance(x, e.ShoeEnded) and x.shoe == what.shoe for x in every)
    settled = {x.round for x in every if isinstance(x, e.RoundSettled)}
    kept = list[Found]()
    for each in shown:
        own = events[each.seq]
        dealt = {x.round for x in own if isinstance(x, e.CardDealt)}
        is_settled = any(isinstance(x, e.RoundSettled) for x in own)
        is_round = is_settled or bool(dealt)
        is_told = is_settled or not settled >= dealt
        if not is_round or (is_over and is_told):
            kept.append(each)
    return kept


def find_voucher(entry: Entry, session: str) -> str:
    """What the books know the voucher by that an entry issued to a session; nothing if none."""
    for event in entry.events:
        if isinstance(event, e.VoucherIssued) and event.session == session:
            return event.voucher
    return ""


# Where to look


class Span(NamedTuple):
    first: int
    last: int


def span_of_round(reader: Reader, table: str, number: int) -> Span:
    entries = story(reader, table, number).entries
    return Span(entries[0].seq, entries[-1].seq)


def span_of_shoe(reader: Reader, table: str, number: int) -> Span:
    """From the snapshot before it to the entry that ends it, or to the last one."""
    first, last = 0, reader.streams()[table].seq
    for seq in reader.snapshot_places(table, upto=last):
        state = reader.snapshot(table, seq).state
        shoes = state.get("shoes", 0)
        if isinstance(shoes, int) and shoes < number:
            first = seq
        elif shoes == number and state.get("shoe") is None:
            return Span(first + 1, seq)
    return Span(first + 1, last)


def span_of_session(reader: Reader, table: str, session: str, *, since: int) -> Span:
    """From its seat on; not before `since`, which bounds what is read."""
    first = reader.first_at(table, since)
    name = f'"{session}"'.encode()
    named = [seq for seq, data in reader.entries(table, after=first - 1) if name in data]
    if not named:
        raise NoReceipt(NOTHING)
    return Span(named[0], named[-1])


# Making


@dataclass(frozen=True)
class House:
    """What the house says of itself, and the policy that it names its witnesses by."""

    name: str
    policy: Policy | None = None
    is_demonstration: bool = False  # its witness runs on the same computer

    def claim(self, log: TransparencyLog) -> Claim:
        logs = tuple(Log(verifier) for verifier in log.verifiers())
        policy = self.policy
        if policy is None or not policy.witnesses:
            return Claim(house=self.name, policy=Policy(logs).text, says="unwitnessed")
        if not policy.logs:
            policy = dataclasses.replace(policy, logs=logs)
        says: Says = "demonstration" if self.is_demonstration else "witnessed"
        return Claim(house=self.name, policy=policy.text, says=says)


class Under(NamedTuple):
    """A checkpoint that entries are proven under; its tiles are read once for all of them."""

    note: str
    size: int
    hashes: log_tree.Hashes


@dataclass(frozen=True)
class Maker:
    """Makes receipts of one view of the database."""

    reader: Reader
    log: TransparencyLog
    ring: KeyRing
    house: House

    def receipt(self, what: What, span: Span) -> Receipt:
        under = self._under()
        shown = choose_parts(self.reader, what, span.first, span.last)
        if what.kind == "shoe":
            shown = drop_repeated_cards(self.reader, what, shown)
        entries = [self._shown(what.table, each, under) for each in shown]
        own = what
        is_public = not any(each.is_named for each in shown)  # nothing of the session is in it
        if what.kind == "round" and is_public:
            own = replace(what, session="")
        return Receipt(claim=self.house.claim(self.log), entries=entries, what=own)

    def _under(self) -> Under | None:
        """The checkpoint to prove with: one that enough witnesses saw, where some are named."""
        policy = self.house.policy
        if policy is not None and policy.witnesses:
            note = self.log.witnessed(policy)
        else:
            note = self.log.checkpoint()
        if not note:
            return None
        size = read_checkpoint_note(note).size
        return Under(note, size, self.log.hashes(size))

    def _shown(self, table: str, each: Found, under: Under | None) -> Shown:
        header, parts = disclose_parts(each.data, each.places)
        leaf_salt, proof_text = self._proof(table, each.seq, under)
        signed = [] if proof_text else [self._signed(table, each)]
        return Shown(
            header=header.decode(),
            leaf_salt=leaf_salt,
            parts=[fill_record(Part, part, part=bytes(part.part).decode()) for part in parts],
            proof=proof_text,
            signed=signed,
        )

    def _proof(self, table: str, seq: int, under: Under | None) -> tuple[str, str]:
        """The salt of the leaf and the proof; nothing where the checkpoint does not hold it yet."""
        place = self.log.place(table, seq) if under else None
        if under is None or place is None or place.index >= under.size:
            return "", ""
        hashes = tuple(log_tree.prove_inclusion(place.index, under.size, under.hashes))
        proof = Proof(place.index, hashes, under.note)
        return self.log.salt(table, seq, place).hex(), proof.text

    def _signed(self, table: str, each: Found) -> Signed:
        head = self.reader.head_of(table, each.seq)
        key = self.reader.admitted_keys(table).get(head.key) if head else None
        root = self.ring.public().get(key.root) if key else None
        if head is None or key is None or root is None:
            raise NoReceipt(NOTHING)
        chain = list[str]()
        for seq, data in self.reader.entries(table, after=each.seq, upto=head.seq):
            read_header(data, stream=table, seq=seq)
            chain.append(split_entry(data).header.decode())
        return Signed(
            admission=canonical(admission_of(table, head.key, key)).decode(),
            certificate=key.certificate,
            chain=chain,
            head=canonical(replace(head, signature="")).decode(),
            root=root.public_bytes_raw().hex(),
            signature=head.signature,
        )


# Links: whoever has the sealed token has the receipt until its day; nothing is stored

LIVES_MS = 30 * 86_400_000
"""A link is good for thirty days; the file is good for ever."""

MOST_CHARACTERS = 400
_NONCE_BYTES = 12
_PURPOSE = b"puntobanco receipt link 1"
ENDED = Words(
    "this link is no receipt of this house, or it has ended", "此連結並非本場收據，或已過期"
)


class Link(msgspec.Struct, frozen=True, array_like=True):
    """What the receipt is of, and between which entries of the table it is found."""

    kind: Kind
    table: str
    number: int  # of the round or the shoe
    session: str
    bet: str
    first: int
    last: int
    ends: int


_read = msgspec.msgpack.Decoder(Link).decode


def seal_link(ring: KeyRing, link: Link) -> str:
    key = ring.of("receipts")[-1]
    nonce = secrets.token_bytes(_NONCE_BYTES)
    data = AESGCM(key.key).encrypt(nonce, msgspec.msgpack.encode(link), _PURPOSE)
    return _text(nonce + data)


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def open_link(ring: KeyRing, token: str, now: int) -> Link:
    link = _decrypt(ring, token)
    if link is None or link.ends <= now:
        raise NoSuchLink(ENDED)
    return link


def _decrypt(ring: KeyRing, token: str) -> Link | None:
    if len(token) > MOST_CHARACTERS or not token.isascii():
        return None
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return None
    if _text(raw) != token:  # there is one way to write it
        return None
    for key in ring.of("receipts"):
        if key.replaced_at:
            continue
        try:
            plain = AESGCM(key.key).decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], _PURPOSE)
            return _read(plain)
        except (InvalidTag, ValueError, msgspec.MsgspecError):
            continue
    return None
