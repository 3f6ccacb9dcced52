"""The evidence of a round, from a database: its entries byte for byte, from signed head to signed
head, and the keys that signed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from immutables import Map

import puntobanco_floor.domain.events as e
from puntobanco.base.version import __version__
from puntobanco_floor.audit.round_replay import Story, story
from puntobanco_floor.domain.node_keys import Admitted, keys_after
from puntobanco_floor.evidence.disclosure import Link, disclosed, read_row
from puntobanco_floor.evidence.pack_facts import (
    FORMAT,
    Context,
    Counted,
    Dispute,
    Segment,
    sessions_of,
    told,
)
from puntobanco_floor.evidence.refusals import NotInDispute
from puntobanco_floor.reports.collection import house_of
from puntobanco_floor.store.reader import Reader
from puntobanco_proof.entry.format import NOTHING, entry_hash
from puntobanco_proof.entry.heads import Head


@dataclass
class Evidence:
    dispute: Dispute
    story: Story
    links: dict[str, list[Link]]  # by file
    heads: list[Head]
    keys: dict[str, Admitted]  # of the nodes that signed the heads


def evidence(reader: Reader, stream: str, number: int, *, session: str, now: int) -> Evidence:
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
    for start, end in _joined(spans):
        segment = _segment(reader, stream, heads, start, end)
        segments.append(segment)
        links[segment.file] = list(_links(reader, segment, stream, session))
    wanted = sorted({seq for segment in segments for seq in segment.signed})
    signed = [heads[seq] for seq in wanted]
    signers = {head.key for head in signed}
    keys = {id_: key for id_, key in keys_of(reader, stream).items() if id_ in signers}
    house, demo = house_of(reader)
    patrons = sorted(_patrons(found).items())
    context = Context(
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
        decks=shoe.decks,
        shoe=shoe.number,
        dealing=shoe.dealing,
        source=shoe.source,
        drawn=shoe.drawn,
        patrons={who: patron for who, patron in patrons if session in ("", who)},
        segments=segments,
        nodes={id_: Counted(since=key.since, until=key.until) for id_, key in keys.items()},
    )
    # from what is shown: the pack tells nothing that its reader cannot check
    shown = [link.entry for own in links.values() for link in own]
    dispute = Dispute(context=context, told=told(shown, context))
    return Evidence(dispute, found, links, signed, keys)


def _links(reader: Reader, segment: Segment, stream: str, session: str) -> Iterator[Link]:
    for seq, data in reader.entries(stream, after=segment.first - 1, upto=segment.last):
        row = data
        if session:
            entry = reader.definitions.read(data, stream=stream, seq=seq)
            row = disclosed(data, entry, session)
        yield read_row(row, stream=stream, seq=seq)


def keys_of(reader: Reader, stream: str) -> Map[str, Admitted]:
    """All that the stream ever admitted; from its last snapshot on, which has those before."""
    start = reader.last_snapshot(stream)
    keys = reader.keys_at(stream, start)
    if keys is None:  # a snapshot of another version: from the beginning then
        start, keys = 0, Map()
    for entry in reader.decoded(stream, after=start):
        keys = keys_after(keys, entry)
    return keys


def _segment(reader: Reader, stream: str, heads: dict[int, Head], start: int, end: int) -> Segment:
    before = [data for _, data in reader.entries(stream, after=start - 2, upto=start - 1)]
    return Segment(
        file=f"entries-{start}-{end}.jsonl",
        first=start,
        last=end,
        prev=entry_hash(before[0]) if before else NOTHING,
        signed=[seq for seq in sorted(heads) if start - 1 <= seq <= end],
    )


def _patrons(found: Story) -> dict[str, str]:
    """Who each session was when it wagered; a seat may be left, and taken by another, before the
    round is over.
    """
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


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that touch are one.

    >>> _joined([(5, 9), (1, 3), (9, 12)])
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
