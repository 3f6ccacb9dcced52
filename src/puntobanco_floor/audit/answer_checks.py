"""The table of answers against the journal: a command has one entry, and the answer names it."""

from __future__ import annotations

from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.store.batch import read_answer
from puntobanco_floor.store.reader import Reader
from puntobanco_proof.entry.format import Fault

AT_ONCE = 500
"""Entries whose answers are fetched together: one by one would take longer than all other checks.
"""


class Answered:
    """Of one stream. Each entry that somebody asked for has its own row, so that the same command
    of the same person cannot stand in two entries.
    """

    def __init__(self, reader: Reader, stream: str, *, after: int = 0) -> None:
        self._reader, self._stream, self._after = reader, stream, after
        self._asked = list[Entry]()  # not compared yet
        self._matched = 0

    def see(self, entry: Entry) -> None:
        if not entry.id:  # the clock's, or the store's
            return
        self._asked.append(entry)
        if len(self._asked) >= AT_ONCE:
            self._compare()

    def end(self) -> None:
        self._compare()
        kept = self._reader.answers_kept(self._stream, after=self._after)
        if kept != self._matched:
            raise Fault(
                f"the table of answers says that {kept} commands were done, the journal "
                f"{self._matched}",
                stream=self._stream,
            )

    def _compare(self) -> None:
        keys = [(entry.by, entry.id) for entry in self._asked]
        kept = self._reader.answers(self._stream, keys) if keys else {}
        for entry in self._asked:
            data = kept.get((entry.by, entry.id))
            if data is None:
                raise self._fault("has no answer in the table of answers", entry)
            answer = read_answer(data)
            if not answer.ok or answer.seq != entry.seq:
                raise self._fault("is not what the table of answers says of its command", entry)
        self._matched += len(self._asked)
        self._asked.clear()

    def _fault(self, reason: str, entry: Entry) -> Fault:
        return Fault(reason, stream=self._stream, seq=entry.seq)
