"""The keeper of the log at one node: it grows the log, signs, publishes, shows it to the witnesses.

A thread of its own, and where much waits a process: no wager waits for it. Every node has one; the
log's row decides which of them grows it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.settings import BadSetting, Settings
from puntobanco_floor.store.errors import LogFault, first_line
from puntobanco_floor.store.log_tables import Growth, TransparencyLog, cosigners
from puntobanco_floor.transparency.append_process import GrowingProcess
from puntobanco_floor.transparency.publication import Publication, verify_goes_on, verify_published
from puntobanco_floor.transparency.refusals import Away, Disagrees, Unwitnessed
from puntobanco_floor.transparency.witness_link import Asked, Asker, Client, RemoteWitness
from puntobanco_proof.entry.record import Record
from puntobanco_proof.tree import log_tree
from puntobanco_proof.tree.checkpoints import Checkpoint, read_checkpoint_note
from puntobanco_proof.tree.notes import Signature
from puntobanco_proof.tree.policies import Policy, Witness, read_policy
from puntobanco_proof.tree.proofs import Proof

BUSY_S, IDLE_S = 2.0, 60.0
"""How often the log grows while something happens, and otherwise."""

FEW = 256
"""Entries that are logged here, in the node's own process; where more wait, another does it."""

LATE_S = 5.0
"""A witness that has not answered a checkpoint within this time is not asked to mix."""

NOTES = 64
"""Checkpoints, from the newest on, in which a cosigned one is looked for."""

_log = logging.getLogger("puntobanco.log")


def policy_of(settings: Settings) -> Policy | None:
    """The policy that a floor names its witnesses by; none where it names no file."""
    if not settings.witness_policy:
        return None
    path = Path(settings.witness_policy)
    try:
        return read_policy(path.read_text("utf-8"))
    except OSError as error:
        why = first_line(error).lower()
        raise BadSetting(f"cannot read witness_policy {path}: {why}") from None
    except UnicodeDecodeError:
        raise BadSetting(f"witness_policy {path} is no text") from None


class LogStatus(Record):
    """`why` says in words why it is not witnessed; nothing where it is."""

    origin: str
    size: int
    behind: int  # entries that are not in the log yet
    behind_s: float
    published: int  # leaves in the publication folder
    witnessed: int  # leaves that enough witnesses have seen
    witnesses: dict[str, str]  # each with why it gave no answer; nothing where it did
    is_witnessed: bool
    why: str
    fault: str  # why this node must not be open; nothing where it may

    def as_alerts(self) -> list[str]:
        """What somebody should look at."""
        if self.fault:
            return [self.fault]
        return [f"witness {name} {why}" for name, why in self.witnesses.items() if why]


NO_WITNESS = "no witness is named: nobody but the house vouches for its log"
"""What a floor without a policy says, once at its start, in the pit and on receipts."""


class LogKeeper:
    def __init__(
        self,
        log: TransparencyLog,
        publication: Publication,
        settings: Settings,
        client: Callable[[Witness], Client] = RemoteWitness,
        *,
        keys: Path,
        on_change: Callable[[], object] = lambda: None,
    ) -> None:
        """`keys` is the key ring's file; `on_change` is called from any thread."""
        self.log, self.settings = log, settings
        self.policy = policy_of(settings) or Policy()
        self.publication = publication
        self._on_change = on_change
        self._elsewhere = GrowingProcess(log, keys, publication)
        self._asked = [Asked(w, client(w), log) for w in self.policy.witnesses]
        self._askers = [Asker(asked, self._heard) for asked in self._asked]
        self.is_open = False
        self.origin = ""
        self.fault = ""
        self._note = ""  # the newest checkpoint, as it was last seen here
        self._seen: Checkpoint | None = None
        self._witnessed = 0
        self._size = self._published = self._behind = self._arrived = 0
        self._behind_since = 0.0
        self._answers = dict[str, float]()  # when each witness last cosigned the newest in time
        self._shown_at = 0.0
        self._left_out: Mapping[str, str] = {}
        self._is_active = True
        self._is_stopping = False
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self._waiting = list[asyncio.Future[None]]()
        self._lock = threading.Lock()  # of the folder and of what is known here

    # Opening

    def compare(self) -> list[str]:
        """Compare the log with the publication and witnesses; return the witnesses not reached."""
        self.origin = self.log.open(self.settings.log_origin)
        # before the view is taken: other nodes, and this one's own thread, grow the log meanwhile
        published, seen = self.publication.checkpoint(), self._seen
        with self.log.view() as view:
            verify_published(view, published, self.publication.folder)
            if seen is not None:
                verify_goes_on(view, seen, "this node")
        note = self.log.sign()
        away = list[str]()
        for asked in self._asked:
            try:
                self._heard(note, asked, asked.ask(note))
            except Disagrees as disagrees:
                raise LogFault(disagrees.reason) from None
            except Away:
                away.append(asked.witness.name)
        return away

    def open(self, *, unwitnessed: bool = False) -> None:
        """Open, or raise: the log is behind or another, or no named witness is reached."""
        away = self.compare()
        if self.has_witnesses and len(away) == len(self._asked) and not unwitnessed:
            reasons = "; ".join(f"{asked.witness.name}: {asked.away}" for asked in self._asked)
            raise Unwitnessed(
                f"no witness of this floor can be reached ({reasons}): see that one runs; two "
                "people may open without, by serve --unwitnessed REASON"
            )
        self.is_open = True

    @property
    def has_witnesses(self) -> bool:
        return bool(self.policy.witnesses)

    def start(self) -> None:
        if not self.has_witnesses:
            _log.warning(
                "log %s not witnessed: %s; name witnesses with witness_policy",
                self.origin,
                NO_WITNESS,
            )
        for asker in self._askers:
            asker.start()
        self._thread = threading.Thread(target=self._run, name="puntobanco-log", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """What waits is logged once more."""
        self._is_stopping = True
        self._wake.set()
        for asker in self._askers:
            asker.stop()
        if self._thread is not None:
            self._thread.join()
        self._elsewhere.close()

    def wake(self) -> None:
        """Grow it at once."""
        self._wake.set()

    def connected(self) -> None:
        """Compare the log again: a new connection may lead to an older copy of the database."""
        for asker in self._askers:
            asker.forget()
        self.wake()

    def saw(self, _: str, entries: Sequence[Entry]) -> None:
        """Count entries of a stream that were committed, by any node."""
        if not self._behind:
            self._behind_since = time.monotonic()
        self._behind += len(entries)
        self._arrived += len(entries)
        self._is_active = True
        for entry in entries:  # on the way of every wager: few words
            for event in entry.events:
                if event.traits.shown:
                    self.wake()

    # Growing

    def _run(self) -> None:
        last = 0.0
        while not self._is_stopping:
            self._pause(last)
            last = time.monotonic()
            self._do()
        self._do()

    def _pause(self, last: float) -> None:
        """Until somebody wants it at once, or its time has come."""
        while not self._wake.is_set():
            pace = BUSY_S if self._is_active else IDLE_S
            left = last + pace - time.monotonic()
            if left <= 0:
                break
            self._wake.wait(min(left, BUSY_S))
        self._wake.clear()
        self._is_active = False

    def _do(self) -> None:
        try:
            self.step()
        except LogFault as fault:
            if fault.reason != self.fault:
                _log.error("log %s stopped: %s", self.origin, fault.reason)
            self.fault = fault.reason
        except Refusal as refusal:  # the database is gone, say
            _log.error("log %s not grown: %s; retried", self.origin, refusal.reason)
        except Exception:
            _log.exception("log %s not grown, a fault of this program; retried", self.origin)
        self._tell()

    def step(self) -> None:
        """Grow, sign, publish, show."""
        seen = self._seen
        if seen is not None:
            with self.log.view() as view:
                verify_goes_on(view, seen, "this node")
        began, arrived = time.monotonic(), self._arrived
        growth, note = self._grow()
        checkpoint = read_checkpoint_note(note)
        with self._lock:
            is_new = self._seen is None or checkpoint.size > self._seen.size
            self._seen, self._note, self._size = checkpoint, note, checkpoint.size
            self.fault = next((each.disagrees for each in self._asked if each.disagrees), "")
            # of what came meanwhile some is logged: it is called behind until the next time
            self._behind = growth.waiting + self._arrived - arrived
            self._behind_since = began
        if growth.waiting:
            self._wake.set()
        if is_new:
            self._shown_at = time.monotonic()
        self._look(note)
        for asker in self._askers:
            asker.show(note)

    def _grow(self) -> tuple[Growth, str]:
        """What came of it, and the checkpoint over it, which is published."""
        # once there was much, the other process goes on: it knows where each stream stands
        growth = None if self._elsewhere.is_running else self.log.grow(most=FEW)
        if growth is None or growth.waiting:
            growth, note = self._elsewhere.grow()
            self._published = read_checkpoint_note(note).size
        else:
            note = self.log.sign()
            self._publish(note)
        self._leave_out(growth.left_out)
        return growth, note

    def _leave_out(self, streams: Mapping[str, str]) -> None:
        for name, why in streams.items():
            if self._left_out.get(name) != why:
                _log.error(
                    "stream %s not logged: %s; run puntobanco audit --table %s", name, why, name
                )
        self._left_out = streams

    def _publish(self, note: str) -> None:
        with self._lock:
            self.publication.publish(self.log, note)
            self._published = read_checkpoint_note(note).size

    # Witnesses

    def _heard(self, note: str, asked: Asked, signatures: Sequence[Signature]) -> None:
        """What a witness says, on its thread."""
        if asked.disagrees:
            self.fault = asked.disagrees
        if signatures:
            size = read_checkpoint_note(note).size
            cosigned = self.log.cosign(size, signatures)
            self._answers[asked.witness.name] = time.monotonic()
            self._look(cosigned)
            newest = self._seen.size if self._seen else 0
            if size >= newest:
                self._publish(cosigned)
        self._tell()

    def _look(self, note: str) -> None:
        names = cosigners(note, self.log.verifiers(), self.policy)
        if self.has_witnesses and self.policy.is_witnessed(names):
            self._witnessed = max(self._witnessed, read_checkpoint_note(note).size)

    @property
    def all_answered(self) -> frozenset[str]:
        """The witnesses that answered the last checkpoint in time, or have still time to."""
        found = set[str]()
        for asked in self._asked:
            at = self._answers.get(asked.witness.name, 0.0)
            in_time = at >= self._shown_at - LATE_S
            if at and in_time and not asked.away and not asked.disagrees:
                found.add(asked.witness.name)
        return frozenset(found)

    # Proofs

    async def proven(self, stream: str, seq: int, by: Collection[str] = ()) -> Proof:
        """Wait for a proof under a checkpoint cosigned by `by`, or by enough of the policy."""
        self.wake()
        loop = asyncio.get_running_loop()
        while True:
            changed: asyncio.Future[None] = loop.create_future()
            with self._lock:
                self._waiting.append(changed)
            proof = await asyncio.to_thread(self.proof, stream, seq, frozenset(by))
            if proof is not None:
                return proof
            await changed

    def proof(self, stream: str, seq: int, by: frozenset[str] = frozenset()) -> Proof | None:
        """The same, as it is now; none where there is none yet."""
        logs = self.log.verifiers()
        with self.log.view() as view:
            place = view.place(stream, seq)
            if place is None:
                return None
            for note in view.newest(NOTES):
                size = read_checkpoint_note(note).size
                if size <= place.index:
                    return None
                names = cosigners(note, logs, self.policy)
                if not (names >= by if by else self.policy.is_witnessed(names)):
                    continue
                hashes = log_tree.prove_inclusion(place.index, size, view.hashes(size))
                return Proof(place.index, tuple(hashes), note)
        return None

    def _tell(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for each in waiting:
            with suppress(RuntimeError):  # a loop that is closed has nobody left to tell
                each.get_loop().call_soon_threadsafe(_finish, each)
        self._on_change()

    # How it stands

    @property
    def status(self) -> LogStatus:
        away = {asked.witness.name: asked.disagrees or asked.away for asked in self._asked}
        is_witnessed = self.has_witnesses and self._witnessed > 0 and not self.fault
        is_witnessed &= self.policy.is_witnessed(name for name, why in away.items() if not why)
        why = ""
        if not is_witnessed:
            gone = [name for name, reason in away.items() if reason]
            why = f"no answer of {', '.join(gone)}" if gone else "no witness has answered yet"
            why = why if self.has_witnesses else NO_WITNESS
        behind_s = time.monotonic() - self._behind_since if self._behind else 0.0
        return LogStatus(
            origin=self.origin,
            size=self._size,
            behind=self._behind,
            behind_s=round(behind_s, 3),
            published=self._published,
            witnessed=self._witnessed,
            witnesses=away,
            is_witnessed=is_witnessed,
            why=why,
            fault=self.fault,
        )


def _finish(waits: asyncio.Future[None]) -> None:
    if not waits.done():
        waits.set_result(None)
