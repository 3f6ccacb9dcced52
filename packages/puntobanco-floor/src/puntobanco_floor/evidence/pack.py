"""A dispute pack: the entries of a round between signed heads, the keys that signed, pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec.structs import replace

import puntobanco_floor.domain.table.events as e
from puntobanco.base.private_files import OWNER_ONLY_FOLDER, write_private
from puntobanco.base.refusal import ExtraNeeded
from puntobanco.base.version import __version__
from puntobanco.document import html, pdf
from puntobanco_floor.audit.round_replay import Story, story
from puntobanco_floor.domain.node_keys import Admitted
from puntobanco_floor.evidence.disclosure import Link, read_row, row_for, sessions_of
from puntobanco_floor.evidence.pack_format import (
    FORMAT,
    GAME,
    MANIFEST,
    ROUND,
    SIGNATURE,
    SOURCE,
    Context,
    Counted,
    Dispute,
    Manifest,
    Segment,
    pem,
    tell,
)
from puntobanco_floor.evidence.pack_pages import HOW, build_document, rules_text
from puntobanco_floor.evidence.refusals import NoPack, NotInDispute
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import admission_of
from puntobanco_floor.reports.collection import read_house
from puntobanco_floor.store.reader import Reader, reading
from puntobanco_proof.entry.format import canonical, hash_bytes
from puntobanco_proof.entry.heads import Head
from puntobanco_proof.entry.record import fill_record


def make_pack(
    database: str, stream: str, number: int, *, ring: KeyRing, now: int, session: str = ""
) -> dict[str, bytes]:
    """The files of a pack by name; of other patrons nothing, where one session is named."""
    with reading(database) as reader:
        found = collect_evidence(reader, stream, number, session=session, now=now)
    files = _make_files(found, ring.public())
    key_id, key = ring.signer
    if (name := f"key-{key_id}.pem") not in files:
        files[name] = pem(key.public_key())
    manifest = canonical(
        Manifest(
            format=FORMAT,
            key=key_id,
            files={name: hash_bytes(data) for name, data in sorted(files.items())},
        )
    )
    return {**files, MANIFEST: manifest, SIGNATURE: key.sign(manifest)}


def _make_files(found: Evidence, public: dict[str, Ed25519PublicKey]) -> dict[str, bytes]:
    game = found.story.game
    before = found.story.before
    doc = build_document(found.dispute, game, found.links, found.heads)
    files = {
        ROUND: canonical(found.dispute) + b"\n",
        "dispute.html": html(doc).encode(),
        "VERIFY.txt": HOW.encode(),
        "rules.md": rules_text(game).encode(),
        GAME: canonical(before.definition) + b"\n",
    }
    if before.source:
        files[SOURCE] = before.source.encode()
    with suppress(ExtraNeeded):  # the page says the same
        files["dispute.pdf"] = pdf(doc)
    for name, links in found.links.items():
        files[name] = b"".join(link.row + b"\n" for link in links)
    for head in found.heads:
        files[f"head-{head.seq}.json"] = canonical(replace(head, signature=""))
        files[f"head-{head.seq}.sig"] = bytes.fromhex(head.signature)
    for id_, key in found.keys.items():
        if key.root not in public:
            raise NoPack(
                f"node key {id_} is certified by root key {key.root}, which the key ring does not "
                "hold"
            )
        node = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key.public))
        files[f"key-{id_}.pem"] = pem(node)
        files[f"key-{key.root}.pem"] = pem(public[key.root])
        files[f"node-{id_}.json"] = canonical(admission_of(found.dispute.context.stream, id_, key))
        files[f"node-{id_}.sig"] = bytes.fromhex(key.certificate)
    return files


def write_pack(files: dict[str, bytes], folder: Path) -> None:
    try:
        folder.mkdir(OWNER_ONLY_FOLDER, parents=True)
        for name, data in files.items():
            write_private(folder / name, data)
    except FileExistsError:
        raise NoPack(f"{folder} is there already") from None
    except OSError as error:
        raise NoPack(
            f"cannot write {folder}: {(error.strerror or 'output error').lower()}"
        ) from None


# The evidence of a round


@dataclass
class Evidence:
    dispute: Dispute
    story: Story
    links: dict[str, list[Link]]  # by file
    heads: list[Head]
    keys: dict[str, Admitted]  # of the nodes that signed the heads


def collect_evidence(
    reader: Reader, stream: str, number: int, *, session: str, now: int
) -> Evidence:
    found = story(reader, stream, number)
    shoe = found.before.shoe
    opened = found.before.opened
    assert shoe is not None, "bets open on a shoe"
    if session and not any(session in sessions_of(entry) for entry in found.entries):
        raise NotInDispute(f"session {session} has nothing in {stream} round {number}")
    heads = reader.heads(stream)
    first = found.entries[0].seq
    last = found.entries[-1].seq
    spans = [_span(heads, opened, opened), _span(heads, first, last)]
    spans += _of_the_shoe(reader, stream, heads, first, last, shoe.number)
    segments = list[Segment]()
    links = dict[str, list[Link]]()
    for start, end in _join_spans(spans):
        segment = _segment(reader, stream, heads, start, end)
        segments.append(segment)
        links[segment.file] = list(_read_links(reader, segment, stream, session))
    wanted = sorted({seq for segment in segments for seq in segment.signed})
    signed = [heads[seq] for seq in wanted]
    signers = {head.key for head in signed}
    keys = {id_: key for id_, key in reader.admitted_keys(stream).items() if id_ in signers}
    house, demo = read_house(reader)
    patrons = sorted(_patrons(found).items())
    context = fill_record(
        Context,
        shoe,
        format=FORMAT,
        house=house,
        demo=demo,
        stream=stream,
        round=number,
        first=first,
        last=last,
        session=session,
        at=now,
        program=f"puntobanco {__version__}",
        game=found.game.id,
        digest=found.before.digest,
        opened=opened,
        rules=found.rules,
        shoe=shoe.number,
        patrons={who: patron for who, patron in patrons if session in ("", who)},
        segments=segments,
        nodes={id_: Counted(since=key.since, until=key.until) for id_, key in keys.items()},
    )
    # from what is shown: the pack tells nothing that its reader cannot check
    shown = [link.entry for own in links.values() for link in own]
    dispute = Dispute(context=context, told=tell(shown, context))
    return Evidence(dispute, found, links, signed, keys)


def _read_links(reader: Reader, segment: Segment, stream: str, session: str) -> Iterator[Link]:
    for seq, data in reader.entries(stream, after=segment.first - 1, upto=segment.last):
        row = data
        if session:
            entry = reader.definitions.read(data, stream=stream, seq=seq)
            row = row_for(session, data, entry)
        yield read_row(row, stream=stream, seq=seq)


def _segment(reader: Reader, stream: str, heads: dict[int, Head], start: int, end: int) -> Segment:
    return Segment(
        file=f"entries-{start}-{end}.jsonl",
        first=start,
        last=end,
        prev=reader.hash_at(stream, start - 1),
        signed=[seq for seq in sorted(heads) if start - 1 <= seq <= end],
    )


def _patrons(found: Story) -> dict[str, str]:
    """Return who each session was when it wagered: its seat may be taken by another since."""
    seats = {session: seat.patron for session, seat in found.before.sessions.items()}
    who = dict[str, str]()
    for _, event in found.events:
        if seat := e.seat_taken(event):
            seats[seat.session] = seat.patron
        elif isinstance(event, e.Wagered):
            who.setdefault(event.session, seats[event.session])
    return who


def _span(heads: dict[int, Head], first: int, last: int) -> tuple[int, int]:
    """From after the last signed head before, to the next signed head."""
    end = min((seq for seq in heads if seq >= last), default=last)
    return _before(heads, first) + 1, end


def _before(places: Iterable[int], first: int) -> int:
    return max((seq for seq in places if seq < first), default=0)


def _of_the_shoe(
    reader: Reader, stream: str, heads: dict[int, Head], first: int, last: int, shoe: int
) -> list[tuple[int, int]]:
    """Where the shoe was committed to, where it was mixed, and where it was revealed."""
    found = list[tuple[int, int]]()
    places = reader.snapshot_places(stream, upto=2**62)
    for entry in reader.decoded(stream, after=_before(places, first), upto=first):
        if any(_is_committed(event, shoe) for event in entry.events):
            found.append(_span(heads, entry.seq, entry.seq))
    for seq in [seq for seq in places if seq >= first]:
        [entry] = reader.decoded(stream, after=seq - 1, upto=seq)
        if e.end_of(entry.events, shoe) is not None:
            found.append(_span(heads, seq, seq))
        if seq > last:
            break
    return found


def _is_committed(event: e.Event, shoe: int) -> bool:
    """Whether it commits to the cards of this shoe, or to their order."""
    if e.mix_in((event,), shoe) is not None:
        return True
    commitment = getattr(event, "commitment", "")
    of_shoe = getattr(event, "shoe", 0)
    return bool(commitment) and of_shoe == shoe and not hasattr(event, "round")


def _join_spans(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that touch are one.

    >>> _join_spans([(5, 9), (1, 3), (9, 12)])
    [(1, 3), (5, 12)]
    """
    found = list[tuple[int, int]]()
    for start, end in sorted(spans):
        if found and start <= found[-1][1] + 1:
            begun, ended = found.pop()
            found.append((begun, max(end, ended)))
        else:
            found.append((start, end))
    return found
