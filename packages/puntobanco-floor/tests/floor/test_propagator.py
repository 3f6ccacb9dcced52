"""What follows in another stream is asked for again under one id, also when its outcome is in doubt."""

import asyncio
from typing import Any, cast

import pytest

from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.cage import commands as g
from puntobanco_floor.service import cross_stream
from puntobanco_floor.service.cross_stream import Propagator
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.errors import InDoubt, NotStored

NOTE = g.NoteCash(by="floor", shift=1, table="table:1", entry=7, cents=500)


class Failing:
    """A store that fails in these ways, then answers."""

    def __init__(self, *failures: Refusal) -> None:
        self.failures, self.ids = list(failures), list[str]()

    async def asked(self, request: Request) -> Answer:
        self.ids.append(request.id)
        if self.failures:
            raise self.failures.pop(0)
        return Answer(id=request.id, ok=True, seq=1, at=0)


@pytest.mark.parametrize("failure", [NotStored("the database is away"), InDoubt()], ids=str)
def test_cash_reaches_its_drawer_after_a_failure_or_a_doubt(
    failure: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cross_stream, "RETRY_S", 0)
    store = Failing(failure, failure)
    unused = cast("Any", None)
    asker = Propagator(cast("Any", store), unused, unused, unused, unused)
    asyncio.run(asker._ask(Request(stream="cage:1", id="note", command=NOTE)))
    assert store.ids == ["note"] * 3
