"""Commands of the command line whose outcome is in doubt: one id for all tries, and a line that says what to do."""

import asyncio

import pytest

from puntobanco_floor.cli import offline_admin
from puntobanco_floor.cli.offline_admin import Desk
from puntobanco_floor.domain.house.commands import StartFloor
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.errors import InDoubt


class Store:
    """One whose first answers are lost."""

    def __init__(self, lost: int) -> None:
        self.lost, self.ids = lost, list[str]()

    async def asked(self, request: Request) -> Answer:
        self.ids.append(request.id)
        if len(self.ids) <= self.lost:
            raise InDoubt
        return Answer(id=request.id, ok=False, seq=1, at=1, code="not-now")


def ask(monkeypatch: pytest.MonkeyPatch, store: Store) -> Answer:
    monkeypatch.setattr(offline_admin, "PAUSES_S", (0.0, 0.0, 0.0))
    found = Desk.__new__(Desk)
    found.store = store  # type: ignore[assignment]
    return asyncio.run(found._ask("floor", StartFloor(by="os:me")))


def test_the_same_id_is_asked_until_it_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(lost=2)
    assert ask(monkeypatch, store).code == "not-now"
    assert (len(store.ids), len(set(store.ids))) == (3, 1)


def test_after_some_tries_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(lost=9)
    with pytest.raises(
        InDoubt, match=r"not known whether start-floor was recorded in floor.*table list"
    ):
        ask(monkeypatch, store)
    assert len(set(store.ids)) == 1
