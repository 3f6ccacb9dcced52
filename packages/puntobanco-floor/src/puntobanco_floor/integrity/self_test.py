"""The self-test before the port opens: code, file, schema, chain, log, program, patrons, games and
clock.

It is quick; an audit proves far more. A refusal says in one line what is wrong and what to do.
Nothing is written.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

import msgspec
from immutables import Map
from sqlalchemy import text

import puntobanco_floor.domain.events as e
from puntobanco.base.progress import Advance, Begin, counted, silent
from puntobanco.base.refusal import Refusal
from puntobanco.game_files import redefined
from puntobanco.rules.definition import game_of
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.node_keys import keys_after
from puntobanco_floor.domain.stream_names import FLOOR, is_table
from puntobanco_floor.integrity import release
from puntobanco_floor.integrity.release import Program
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.batch import Stream, is_sealed
from puntobanco_floor.store.engines import RESTORE, connected, find_damage, shown, sqlite_path
from puntobanco_floor.store.errors import BadDatabase, LogFault, first_line
from puntobanco_floor.store.log_tables import LogView, verifiers_of
from puntobanco_floor.store.open_store import files_of
from puntobanco_floor.store.patron_ids import unreachable
from puntobanco_floor.store.reader import Reader, StreamRow
from puntobanco_floor.store.schema_upgrade import version_of, versions
from puntobanco_floor.transparency.publication import (
    Publication,
    folder_of,
    read_published,
    verify_goes_on,
    verify_published,
)
from puntobanco_proof.entry.format import NOTHING, Fault, hash_entry
from puntobanco_proof.entry.heads import BEGIN_EPOCH, Head, read_heads, verify_streams_exist
from puntobanco_proof.tree.checkpoints import Checkpoint, open_checkpoint

CLOCK_TOLERANCE_S = 60
"""A clock further behind the journal's last entry was set back, or the journal is not from here."""

Outcome = Literal["passed", "warned", "failed"]


class SelfTestFailed(Refusal):
    """The floor may not be served like this."""

    remedy = "Do what the line says; the operations page has a row for each check."


@dataclass(frozen=True)
class Check:
    name: str
    outcome: Outcome
    said: str


@dataclass(frozen=True)
class SelfTest:
    checks: tuple[Check, ...] = field(default=())

    @property
    def outcome(self) -> Outcome:
        found = {check.outcome for check in self.checks}
        if "failed" in found:
            return "failed"
        return "warned" if "warned" in found else "passed"

    def verify(self) -> None:
        for check in self.checks:
            if check.outcome == "failed":
                raise SelfTestFailed(f"self-test, {check.name}: {check.said}")

    def as_fields(self) -> list[dict[str, str]]:
        return [asdict(check) for check in self.checks]


def selftest(
    url: str,
    *,
    keys: Path | None = None,
    heads: Path | None = None,
    demo: bool = False,
    clock_tolerance_s: float = CLOCK_TOLERANCE_S,
    wall: Callable[[], float] = time.time,
    release_list: str = "",
    release_key: str = "",
    publication: str = "",
    begin: Begin = silent,
) -> SelfTest:
    """All nine checks; those of the database stop at the first that fails."""
    keys, heads = files_of(url, keys=keys, heads=heads)
    folder = Publication(folder_of(heads, publication))
    program = release.program(release_list, release_key)
    checks = [_code(program, demo=demo)]
    try:
        checks += _database(
            url,
            keys,
            heads,
            folder,
            clock_tolerance_s,
            wall,
            program.digest,
            demo=demo,
            begin=begin,
        )
    except BadDatabase as bad:  # it cannot even be opened
        checks.append(Check("schema", "failed", bad.reason))
    return SelfTest(tuple(checks))


def _code(found: Program, *, demo: bool) -> Check:
    if not (found.release or found.fault):
        said = "this is a checkout, not a release: its files were compared with nothing"
        return Check("code", "warned", said)
    if found.fault:
        which = found.release or "the release"
        said = f"{found.fault}; install puntobanco {which} again"
        return Check("code", "warned" if demo else "failed", said)
    said = f"{found.files} files of release {found.release} and its dependencies"
    return Check("code", "passed", said)


def _database(
    url: str,
    keys: Path,
    heads: Path,
    folder: Publication,
    tolerance_s: float,
    wall: Callable[[], float],
    program: str,
    *,
    demo: bool,
    begin: Begin,
) -> Iterable[Check]:
    if not is_postgres(url) and not sqlite_path(url).exists():
        said = f"there is no database at {shown(url)} yet; it will be made"
        return [Check("schema", "passed", said)]
    # before the database: a floor that plays on writes there first, then its file of heads and
    # its publication folder
    filed, published = _filed_heads(heads), read_published(folder)
    with connected(url, read_only=True) as connection:
        damage = find_damage(connection)
        if damage:
            said = f"{shown(url)} is damaged: {damage}; {RESTORE}"
            return [Check("file", "failed", said)]
        version = version_of(connection)
        newest = versions()[-1]
        if version is None:
            return [Check("schema", "passed", "the database is empty; tables will be made")]
        if version not in versions():
            said = (
                f"the database is of version {version}, newer than this program's {newest}; "
                "install the newer program"
            )
            return [Check("schema", "failed", said)]
        before = "" if version == newest else f", to be brought to {newest}"
        checks = [Check("schema", "passed", f"version {version}{before}")]
        if not is_postgres(url):
            checks.insert(0, Check("file", "passed", "SQLite finds every page whole"))
        reader = Reader(connection)
        try:
            checks.append(_chain(reader, keys, filed, begin))
        except Fault as fault:
            said = fault.reason
            if not fault.advice:
                said += (
                    "; do not serve it: run `puntobanco audit`, and if it agrees "
                    "`puntobanco journal set-aside`, or restore a backup"
                )
            return [*checks, Check("chain", "failed", said)]
        except Refusal as refusal:  # no key ring
            return [*checks, Check("chain", "failed", refusal.reason)]
        except (TypeError, ValueError, AttributeError, msgspec.MsgspecError) as error:
            said = f"the database holds what cannot be read: {error}; run `puntobanco audit`"
            return [*checks, Check("chain", "failed", said)]
        if version == newest:
            checks.append(_log(reader, keys, published, folder.folder))
        if checks[-1].outcome == "failed":
            return checks
        now = int(wall() * 1000)
        house = _house(reader)
        if not demo:
            checks.append(_program(house, program))
        checks.append(_patrons(reader, house, keys))
        checks.append(_games(reader))
        checks.append(_clock(reader, tolerance_s, now, is_postgres(url)))
        return checks


def _chain(reader: Reader, keys: Path, filed: dict[str, Head] | Refusal, begin: Begin) -> Check:
    """Check each stream from its last period to its head, its last signature, its filed head."""
    standing = {name: row for name, row in reader.streams().items() if row.seq}
    if not (standing or filed):
        return Check("chain", "passed", "no entries yet")
    reader.verify_format()
    if isinstance(filed, Refusal):
        raise filed
    trust = Trust.of(KeyRing.load(keys).roots())
    followed, epoch = 0, 1
    waiting = [row.seq - reader.last_snapshot(name) for name, row in standing.items()]
    advance = begin("entries", sum(waiting))
    for name, row in standing.items():
        end, entries = _follow(reader, name, row, trust, filed.get(name), advance)
        followed, epoch = followed + entries, max(epoch, end.epoch)
        _verify_filed(reader, filed.get(name), end)
    verify_streams_exist(filed.values(), standing, epoch)
    said = f"{len(standing)} streams, {followed} entries followed to their heads"
    return Check("chain", "passed", said)


def _log(
    reader: Reader, keys: Path, published: Checkpoint | LogFault | None, folder: Path
) -> Check:
    """The edge of the transparency log: its last checkpoint, and what was published last."""
    view = LogView(reader.connection)
    origin, size = view.standing()
    if not origin:
        return Check("log", "passed", "there is no log yet; it will be made")
    try:
        verifiers = verifiers_of(KeyRing.load(keys), origin)
        for note in view.newest(1):
            checkpoint = open_checkpoint(note, verifiers).checkpoint
            verify_goes_on(view, checkpoint, "its last checkpoint")
        if isinstance(published, LogFault):
            raise published
        verify_published(view, published, folder)
    except Refusal as refusal:
        return Check("log", "failed", refusal.reason)
    return Check("log", "passed", f"{origin}, {size} leaves, goes on from what was published")


def _follow(
    reader: Reader,
    name: str,
    row: StreamRow,
    trust: Trust,
    seen: Head | None,
    advance: Advance,
) -> tuple[Head, int]:
    """Follow the last period to a head row that a node has signed; count its entries."""
    start = reader.last_snapshot(name)
    if start:
        _sealed(reader, name, start)
    keys = reader.keys_at(name, start)
    if keys is None:  # a snapshot of another version: from the beginning then
        start, keys = 0, Map()
    epoch, seq, head = 1, start, _hash(reader, name, start) if start else NOTHING
    at = 0
    for entry, after in counted(reader.chain(name, after=start, head=head), advance):
        head, seq, at, epoch = after, entry.seq, entry.at, entry.epoch
        keys = keys_after(keys, entry)
    if (seq, head, at) != (row.seq, row.hash, row.at):
        raise Fault(
            f"the stream's head says entry {row.seq}, the last entry is another or of another time",
            stream=name,
            seq=seq,
        )
    end = Head(stream=name, epoch=epoch, seq=seq, hash=head)
    trust.verify_end(end, keys, reader.last_head(name), seen)
    return end, seq - start


def _sealed(reader: Reader, name: str, start: int) -> None:
    """Raise a fault unless the journal has sealed the snapshot that the keys are read from."""
    data = reader.snapshot_data(name, start)
    after = list(reader.decoded(name, after=start, upto=start + 1))
    events = after[0].events if after else ()
    sealed = [event for event in events if isinstance(event, e.PeriodSealed)]
    if not sealed or not is_sealed(sealed[0], data):
        raise Fault("the snapshot is not the one that was sealed", stream=name, seq=start + 1)


def _program(house: HouseState, program: str) -> Check:
    """Whether this is a program that two people have accepted, or the first that was served."""
    if not program:
        return Check("program", "passed", "a checkout is not held to what was accepted")
    if house.programs and program not in house.programs:
        said = (
            f"this program or one of its dependencies has changed since it was accepted (digest "
            f"{program[:16]}); if that was meant, two people run `puntobanco accept`"
        )
        return Check("program", "failed", said)
    how = "was accepted" if house.programs else "is accepted by its first start"
    return Check("program", "passed", f"digest {program[:16]} {how}")


def _patrons(reader: Reader, house: HouseState, keys: Path) -> Check:
    """Check that a card leads to each protected patron; without, only new cards are refused."""
    if not house.seq:
        return Check("patrons", "passed", "no house is set up yet")
    lost = unreachable(reader.connection, house, KeyRing.load(keys))
    if lost:
        said = (
            f"no card leads any more to {len(lost)} patrons who are excluded or have limits, such "
            f"as {lost[0]}: no new card is taken; run `puntobanco patron mend --from BACKUP`"
        )
        return Check("patrons", "warned", said)
    said = f"a card leads to each of {len(house.protected)} who are excluded or have limits"
    return Check("patrons", "passed", said)


def _house(reader: Reader) -> HouseState:
    """Follow the house from its last snapshot on; its chain is verified."""
    start = reader.last_snapshot(FLOOR)
    stream = reader.restored(FLOOR, start) if start else None
    if stream is None:
        stream = Stream.empty(FLOOR, reader.definitions.machine_of(FLOOR))
    for entry, head in reader.chain(FLOOR, after=stream.state.seq, head=stream.head):
        stream.follow(entry, head)
    assert isinstance(stream.state, HouseState), "the stream is the house's"
    return stream.state


def _games(reader: Reader) -> Check:
    """Check that each open table's game can be read, and is this program's of that name."""
    said = list[str]()
    played = 0
    for name in filter(is_table, reader.streams()):
        opened = _opened(reader, name)
        if opened is None:
            continue
        played += 1
        try:
            game_of(opened.definition)
        except Refusal as refusal:
            said.append(f"{name} will be blocked: {refusal.reason}")
            continue
        changed = None if opened.source else redefined(opened.definition, opened.digest)
        if changed:
            how = changed.words.en
            said.append(f"{name} will open no new round: {how}; close it and open it again")
    if said:
        return Check("games", "warned", "; ".join(said))
    return Check("games", "passed", f"{played} open tables, each with the game it was opened with")


_OPENS_OR_CLOSES = tuple(
    f'"{kind.__name__}"'.encode()
    for kind in e.TABLE_EVENTS
    if kind.traits.phase in ("waiting", "down")
)


def _opened(reader: Reader, name: str) -> _Opened | None:
    """What an open table was opened with; from its last snapshot, or the entries since."""
    start = reader.last_snapshot(name)
    found: _Opened | None = None
    if start:
        state = reader.snapshot(name, start).state
        if state["phase"] != "down":
            found = msgspec.convert(state, _Opened)
    for seq, data in reader.entries(name, after=start):
        # a look at the bytes first: nearly all entries are others, and reading one is slow
        if not any(marker in data for marker in _OPENS_OR_CLOSES):
            continue
        events = reader.definitions.read(data, stream=name, seq=seq).events
        opened = e.opening_of(events)
        if opened is not None:
            found = _Opened(opened.digest, opened.definition, opened.source)
        elif any(event.traits.phase == "down" for event in events):
            found = None
    return found


class _Opened(msgspec.Struct):
    digest: str
    definition: dict[str, object] = {}  # older snapshots have none
    source: str = ""


def _hash(reader: Reader, name: str, seq: int) -> str:
    rows = list(reader.entries(name, after=seq - 1, upto=seq))
    if not rows:
        raise Fault("is missing", stream=name, seq=seq)
    return hash_entry(rows[0][1])


def _verify_filed(reader: Reader, head: Head | None, end: Head) -> None:
    """What the file knows; a stream in a later epoch than that made a new start."""
    if head is None or head.epoch < end.epoch:
        return
    if head.epoch > end.epoch and not head.seq:
        raise Fault(
            "was restored from a backup",
            stream=head.stream,
            advice="run `puntobanco epoch begin`",
        )
    if head.epoch > end.epoch or head.seq > end.seq:
        raise Fault(
            f"is in the file of heads; the tail after {end.seq} was cut off",
            stream=head.stream,
            seq=head.seq,
            advice=BEGIN_EPOCH,
        )
    if head.seq and _hash(reader, head.stream, head.seq) != head.hash:
        raise Fault(
            "is not the entry that the file of heads knows", stream=head.stream, seq=head.seq
        )


def _filed_heads(path: Path) -> dict[str, Head] | Refusal:
    """Read the furthest head of each stream in a file of heads."""
    found = dict[str, Head]()
    try:
        with path.open("rb") as lines:
            for head in read_heads(lines):
                known = found.get(head.stream)
                if known is None or (head.epoch, head.seq) >= (known.epoch, known.seq):
                    found[head.stream] = head
    except FileNotFoundError:
        return found
    except OSError as error:
        reason = first_line(error).lower()
        return Refusal(f"cannot read the file of heads {path}: {reason}; see who may read it")
    except Fault as fault:
        return fault
    return found


def _clock(reader: Reader, tolerance_s: float, now: int, has_own_clock: bool) -> Check:
    """The machine's clock, and the database's where tables go by that one."""
    last = max((row.at for row in reader.streams().values()), default=0)
    clocks = {"this machine's clock": now}
    if has_own_clock:
        now_ms = text("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        clocks["the database's clock"] = int(reader.connection.scalar(now_ms) or 0)
    for name, at in clocks.items():
        behind_ms = last - at
        if behind_ms > tolerance_s * 1000:
            said = (
                f"{name} is {behind_ms // 1000:,} s behind the journal's last entry; set the "
                "clock, or give a larger --clock-tolerance-s if the journal ran ahead"
            )
            return Check("clock", "failed", said)
    return Check("clock", "passed", f"at most {tolerance_s:g} s behind the journal's last entry")
