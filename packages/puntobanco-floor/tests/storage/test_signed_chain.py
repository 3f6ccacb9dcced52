"""The chain by its headers: entries that are taken by their bytes are those that are decoded."""

import pytest

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entry import Entry, write_entry
from puntobanco_floor.store.signed_chain import Cursor, follow, runs
from puntobanco_proof.entry.format import NOTHING, Fault, Row, split_entry

NOW = 1_794_888_991_642
CLOSED = e.BetsClosed(round=1, announcement="no more bets")
ADMITTED = e.KeyAdmitted(key="a", public="00" * 32, root="r", certificate="00" * 64)


def chain(
    stream: str = "table:1", *, epochs: str = "1111111", rules: str = "rapid", at: int = NOW
) -> list[Row]:
    rows, before = list[Row](), NOTHING
    for seq, epoch in enumerate(epochs, 1):
        event = ADMITTED if seq == 3 else CLOSED
        written = write_entry(
            Entry(
                stream=stream,
                epoch=int(epoch),
                seq=seq,
                at=at + seq,
                by="dealer",
                command="close-bets",
                id=str(seq),
                rules=rules,
                prev=before,
                salt=f"{seq:032x}",
                events=(event,),
            )
        )
        rows.append((seq, written.data))
        before = written.hash
    return rows


@pytest.mark.parametrize(
    "rows",
    [
        chain(),
        chain(epochs="1122233"),
        chain(epochs="1" * 300),
        chain(at=0),
        chain('tisch "ä"\\'),
        chain(rules='x},"', stream='},"'),
        chain(rules=',"stream":"table:1","v":2},"'),
        chain()[:1],
        [],
    ],
)
def test_runs_are_what_following_each_entry_gives(rows: list[Row]) -> None:
    stream = pieces_stream(rows)
    each = list(follow(Cursor(stream), rows, OURS))
    found, end = runs(Cursor(stream), rows, OURS)
    assert end == (each[-1] if each else Cursor(stream))
    flat = [
        (run.epoch, run.first + place, hash_)
        for run in found
        for place, hash_ in enumerate(run.hashes)
    ]
    assert flat == [(cursor.epoch, cursor.seq, cursor.hash) for cursor in each]
    assert len(found) == len({cursor.epoch for cursor in each}), "one for an epoch"


def pieces_stream(rows: list[Row]) -> str:
    if not rows:
        return "table:1"
    return OURS.read(rows[0][1], stream="", seq=1).stream


def test_no_header_with_another_byte_leads_to_the_same_end() -> None:
    rows = chain()
    start = Cursor("table:1")
    _, end = runs(start, rows, OURS)
    number, data = rows[4]
    width = len(split_entry(data).header)
    for place in range(1, 1 + width):
        changed = bytes([data[place] ^ 1])
        forged = (number, data[:place] + changed + data[place + 1 :])
        with pytest.raises(Fault):
            runs(start, [*rows[:4], forged, *rows[5:]], OURS)
        try:
            _, last = runs(start, [*rows[:4], forged], OURS)
        except Fault:
            continue
        assert last.hash != runs(start, rows[:5], OURS)[1].hash
    assert end.seq == 7


@pytest.mark.parametrize("gone", range(6))
def test_an_entry_that_is_gone_is_missed(gone: int) -> None:
    rows = chain()
    for forged in (rows[:gone] + rows[gone + 1 :], rows[:gone] + rows[gone + 1 : gone + 2] * 2):
        with pytest.raises(Fault):
            runs(Cursor("table:1"), forged, OURS)
