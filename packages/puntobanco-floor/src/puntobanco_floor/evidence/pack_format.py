"""The format of a dispute pack: its files, and what `round.json` tells of the round. Pure.

A pack is a folder. The house has signed its manifest, which names every other file by its hash.
"""

from __future__ import annotations

from collections.abc import Iterable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import puntobanco_floor.domain.table.events as e
from puntobanco.base.money import dollars
from puntobanco_floor.domain.entry import Entry
from puntobanco_floor.domain.stream_names import bet_words
from puntobanco_proof.entry.format import hash_bytes
from puntobanco_proof.entry.record import Record, fill_record

FORMAT = "puntobanco-dispute-2"
MANIFEST = "manifest.json"
SIGNATURE = "manifest.sig"
ROUND = "round.json"
GAME, SOURCE = "game.json", "game-source.txt"
"""The definition that was played, and the designer's file as text: not called .py, since nobody
should run it.
"""


class Manifest(Record):
    format: str
    key: str  # whose signature lies beside it
    files: dict[str, str]  # name -> SHA-256


def pem(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def fingerprint(key: Ed25519PublicKey) -> str:
    """SHA-256 of the 32 bytes of the key, as the house publishes it."""
    return hash_bytes(key.public_bytes_raw())


class Segment(Record):
    """Entries in a row. `prev` is the hash before the first; `signed` says which of them have a
    signed head.
    """

    file: str
    first: int
    last: int
    prev: str
    signed: list[int]


class Counted(Record):
    """The entries between which a node's key counts in the stream."""

    since: int
    until: int  # the entry that retired it; 0: none, when the pack was made


class Context(Record):
    """What the entries of a pack do not say themselves."""

    format: str
    house: str
    demo: bool
    stream: str
    round: int
    first: int  # entry of the round, from the opening of its bets
    last: int  # to the last before the next round's
    session: str  # the only one that is shown; empty: all
    at: int  # when the pack was made
    program: str
    game: str
    digest: str  # of the game's definition
    # the entry that opened the table with that game; it is in the pack, with the definition
    opened: int
    rules: str  # the rulebook and its version
    decks: int
    shoe: int
    dealing: str
    source: str
    drawn: int  # cards of a virtual shoe that were used up before this round
    patrons: dict[str, str]  # of each session; a bonus is a patron's
    segments: list[Segment]
    nodes: dict[str, Counted]  # by the id of each key that signed one of the heads


class Card(Record):
    entry: int
    slot: str
    card: str
    why: str
    clause: str


class Stake(Record):
    entry: int
    at: int
    by: str
    session: str
    bet: str
    what: str  # placed, raised, withdrawn
    by_cents: int
    stake_cents: int  # as it stood then


class Outcome(Record):
    """A settlement, a void, or the taking back of a settlement."""

    entry: int
    at: int
    what: str
    result: str
    cards: str
    clause: str
    lines: list[e.Line]
    note: str = ""  # what was taken back of each line, where a settlement is


class Act(Record):
    """Something that somebody did about the round."""

    entry: int
    at: int
    by: str
    command: str
    what: str


class Promise(Record):
    """A commitment to cards, or its reveal."""

    entry: int
    at: int
    commitment: str = ""
    order: str = ""
    nonce: str = ""


class Told(Record):
    """Each row names the entry that it comes from."""

    cards: list[Card]
    stakes: list[Stake]
    outcomes: list[Outcome]
    acts: list[Act]
    promises: list[Promise]


class Dispute(Record):
    context: Context
    told: Told


def tell(entries: Iterable[Entry], context: Context) -> Told:
    """From the entries at hand; of patrons only the one that is shown, where one is."""
    found = Told(cards=[], stakes=[], outcomes=[], acts=[], promises=[])
    for entry in entries:
        for event in entry.events:
            _tell(found, entry, event, context)
    return found


_BESIDE = e.Proposed | e.ProposalAnswered | e.CardsBurned
"""Acts that name no round and are told by when they happened; another set would be another format
of a pack.
"""


def _tell(found: Told, entry: Entry, event: e.Event, context: Context) -> None:
    is_of_round = getattr(event, "round", None) == context.round
    is_of_shoe = not hasattr(event, "round") and getattr(event, "shoe", None) == context.shoe
    if is_of_round or is_of_shoe:
        commitment = getattr(event, "commitment", "")
        order, nonce = event.revealed()
        if commitment or order:
            promise = Promise(
                entry=entry.seq, at=entry.at, commitment=commitment, order=order, nonce=nonce
            )
            found.promises.append(promise)
    if is_of_round:
        _tell_of_round(found, entry, event, context.session)
    elif isinstance(event, _BESIDE) and context.first <= entry.seq <= context.last:
        found.acts.append(_act(entry, event))


def _tell_of_round(found: Told, entry: Entry, event: e.Event, only: str) -> None:
    if isinstance(event, e.Wagered):
        if only in ("", event.session):
            cents = abs(event.change_cents)
            at, by = entry.at, entry.by
            stake = fill_record(
                Stake, event, entry=entry.seq, at=at, by=by, what=event.done, by_cents=cents
            )
            found.stakes.append(stake)
        return
    if isinstance(event, e.CardPlaced):
        why = event.why.words.en
        card = Card(entry=entry.seq, slot=event.slot, card=event.card, why=why, clause=event.clause)
        found.cards.append(card)
    if isinstance(event, e.Reckoning):
        found.outcomes.append(_outcome(entry, event, only))
    # a card that is dealt is nobody's act; one that is corrected is
    if not isinstance(event, e.CardPlaced) or event.traits.group == "decisions":
        found.acts.append(_act(entry, event))


def _act(entry: Entry, event: e.Event) -> Act:
    """A load that waits for a second person names a patron; what was proposed is enough here."""
    what = event.says().en + event.by_two()
    return fill_record(Act, entry, entry=entry.seq, what=what)


def _outcome(entry: Entry, event: e.Reckoning, only: str) -> Outcome:
    recoveries = getattr(event, "recoveries", ())
    taken = [_taken(r) for r in recoveries if only in ("", r.line.session)]
    return fill_record(
        Outcome,
        event,
        entry=entry.seq,
        at=entry.at,
        what=event.outcome,
        lines=[line for line in event.lines if only in ("", line.session)],
        note="; ".join(taken),
    )


def _taken(recovery: e.Recovery) -> str:
    line = recovery.line
    short = recovery.unrecovered_cents
    missing = f", {dollars(short)} not" if short else ""
    return (
        f"{line.session} {bet_words(line.bet).en}: {dollars(recovery.recovered_cents)} "
        f"taken back{missing}"
    )
