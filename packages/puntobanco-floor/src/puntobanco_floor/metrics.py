"""Counts and times, and the text in which Prometheus reads them (format 0.0.4).

Each is written by one thread only, so that counting takes no lock; a reader may be one behind.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Histogram:
    """How many were at most so large.

    >>> seen = Histogram((1, 2)); seen.observe(2); seen.observe(9)
    >>> seen.counts, seen.total, seen.sum
    ([0, 1, 1], 2, 11.0)
    """

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds, self.counts, self.sum = bounds, [0] * (len(bounds) + 1), 0.0

    def observe(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    @property
    def total(self) -> int:
        return sum(self.counts)


@dataclass
class StoreWork:
    """What a store's writer has done."""

    batch_size: Histogram = field(default_factory=lambda: Histogram(SIZES))
    commit_s: Histogram = field(default_factory=lambda: Histogram(SECONDS))
    entries: int = 0


@dataclass
class FloorWork:
    """What the floor has done for terminals and staff."""

    messages_in: int = 0
    messages_out: int = 0
    connections: int = 0
    cut_off: dict[str, int] = field(default_factory=lambda: {"slow": 0, "asked-too-much": 0})
    wagers: dict[str, int] = field(
        default_factory=lambda: {"accepted": 0, "refused": 0, "not-stored": 0, "in-doubt": 0}
    )
    answer_s: Histogram = field(default_factory=lambda: Histogram(SECONDS))
    logins: dict[str, int] = field(default_factory=lambda: {"accepted": 0, "refused": 0})


Labels = Mapping[str, str]
Seen = float | Mapping[str, float]
"""A value, or one for each value of a label."""


class Text:
    """Metrics as text, one after another."""

    def __init__(self) -> None:
        self._lines = list[str]()

    def info(self, name: str, help_: str, labels: Labels) -> None:
        """Add a gauge that is 1, for its labels."""
        self._head("gauge", name, help_)
        self._line(name, labels, 1)

    def gauge(self, name: str, help_: str, seen: Seen, *, label: str = "") -> None:
        self._add("gauge", name, help_, seen, label)

    def counter(self, name: str, help_: str, seen: Seen, *, label: str = "") -> None:
        self._add("counter", name, help_, seen, label)

    def _add(self, kind: str, name: str, help_: str, seen: Seen, label: str) -> None:
        self._head(kind, name, help_)
        if not isinstance(seen, Mapping):
            self._line(name, {}, seen)
            return
        for key, value in seen.items():
            self._line(name, {label: key}, value)

    def _line(self, name: str, labels: Labels, value: float) -> None:
        inner = ",".join(f'{label}="{_escaped(key)}"' for label, key in labels.items())
        braced = f"{{{inner}}}" if inner else ""
        self._lines.append(f"{name}{braced} {_number(value)}")

    def histogram(self, name: str, help_: str, seen: Histogram) -> None:
        self._head("histogram", name, help_)
        so_far = 0
        bounds = [*map(_number, seen.bounds), "+Inf"]
        counts = list(seen.counts)  # a copy: the thread that counts goes on
        for bound, count in zip(bounds, counts, strict=True):
            so_far += count
            self._lines.append(f'{name}_bucket{{le="{bound}"}} {so_far}')
        self._lines += [f"{name}_sum {_number(seen.sum)}", f"{name}_count {so_far}"]

    def _head(self, kind: str, name: str, help_: str) -> None:
        self._lines += [f"# HELP {name} {help_}", f"# TYPE {name} {kind}"]

    def __str__(self) -> str:
        return "\n".join(self._lines) + "\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    return repr(int(value)) if value == int(value) else repr(value)
