"""Rate limits: a token bucket for each who asks."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from puntobanco_floor.settings import Settings
from puntobanco_floor.web.problems import too_many


class Bucket:
    """So many at once, and so many a second after that."""

    __slots__ = ("at", "burst", "clock", "left", "rate")

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate = rate
        self.burst = burst
        self.left = burst
        self.clock = clock
        self.at = clock()

    def take(self, many: int = 1) -> bool:
        now = self.clock()
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < many:
            return False
        self.left -= many
        return True


class Buckets:
    """One for each who asks; those not seen for long are forgotten."""

    def __init__(
        self,
        rate: float,
        burst: float,
        most: int = 100_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self.most = most
        self._by_key = OrderedDict[str, Bucket]()

    def verify(self, key: str) -> None:
        if not self.take(key):
            raise too_many()

    def take(self, key: str) -> bool:
        bucket = self._by_key.pop(key, None) or Bucket(self.rate, self.burst, self.clock)
        self._by_key[key] = bucket
        while len(self._by_key) > self.most:
            self._by_key.popitem(last=False)
        return bucket.take()


class RateLimits:
    """What each address, terminal or person may ask for."""

    def __init__(self, s: Settings) -> None:
        self.requests = Buckets(s.requests_rate, s.requests_burst)
        self.guests = Buckets(s.guests_rate, s.guests_burst)
        self.logins = Buckets(s.logins_rate, s.logins_burst)
        self.enrolments = Buckets(s.enrolments_rate, s.enrolments_burst)
        self.redemptions = Buckets(s.redemptions_rate, s.redemptions_burst)
        self.lookups = Buckets(s.redemptions_rate, s.redemptions_burst)
        self.changes = Buckets(s.changes_rate, s.changes_burst)
        self.cards = Buckets(s.cards_rate, s.cards_burst)
        self.recalls = Buckets(s.recalls_rate, s.recalls_burst)
        self.outcomes = Buckets(s.recalls_rate, s.recalls_burst)
        self.odds = Buckets(s.odds_rate, s.odds_burst)
        self.log = Buckets(s.log_rate, s.log_burst)
