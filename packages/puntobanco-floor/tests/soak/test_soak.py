"""A slice of the soak, and bugs planted on purpose: the simulator finds each of them, and nothing without them.

`python -m tests.soak --hours 500` is the whole of it.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack
from typing import Any
from unittest.mock import patch

import pytest

from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.ledger import Transfer, account_of
from puntobanco_floor.domain.machine import State
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table import wagers
from puntobanco_floor.domain.table.state import Asked
from puntobanco_floor.store import batch, sqlite, sqlite_transaction
from puntobanco_floor.store.batch import Batch, Reply, Request, Stream, ToWrite
from puntobanco_floor.store.sqlite import SqliteStore
from tests.soak.nodes import Died, SteppedStore
from tests.soak.world import Violation, World
from tools.tree import ROOT

HOURS = 1.25
SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
SLICE = (2, 3, 4, 5, 7, 8, 11) if SLOW else (2, 4, 5, 7)


@pytest.mark.parametrize("seed", SLICE)
def test_nothing_is_lost_doubled_or_late_whatever_fails(seed: int) -> None:
    world = World(seed, table_hours=HOURS)
    tally = world.run()
    assert tally.rounds > 50
    assert tally.commands > 300
    assert tally.faults > 3
    assert tally.cents_lost == 0


def test_a_world_meets_what_a_floor_meets() -> None:
    """A simulator that meets no trouble finds none."""
    world = World(4, table_hours=3)
    tally = world.run()
    assert tally.deaths > 5
    wanted = """
        WagerPlaced WagerRaised WagerWithdrawn VoucherIssued VoucherRedeemed CashedOut CreditsLoaded Proposed
        ProposalApproved ProposalRejected IrregularityDeclared RoundVoided RoundResumed CardQuestioned PeriodSealed
        ok not-stored command-reused bets-are-closed withdrawal-too-late wrong-round voucher-refused in-play
    """
    assert not [kind for kind in wanted.split() if not world.referee.seen[kind]], world.referee.seen


def test_a_seed_is_a_whole_story() -> None:
    """The same journal to the last byte, in another process, whose sets and hashes come in another order."""
    here = World(2, table_hours=0.5)
    here.run()
    told = "from tests.soak.world import World; w = World(2, table_hours=0.5); w.run(); print(w.fingerprint)"
    there = subprocess.run(
        [sys.executable, "-c", told],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": "77"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stdout.strip() == here.fingerprint


# Planted bugs


def found(
    seed: int, *plants: AbstractContextManager[object], store: type[SteppedStore] = SteppedStore
) -> str:
    """What the simulator says of a planted bug. The seed is one of the slice, where nothing is planted and all is well."""
    assert seed in SLICE
    with ExitStack() as planted:
        for plant in plants:
            planted.enter_context(plant)
        with pytest.raises(Violation) as violation:
            World(seed, table_hours=HOURS, store=store).run()
    told = str(violation.value)
    assert f"python -m tests.soak --seed {seed} --hours {HOURS}" in told
    return told


def test_a_deadline_that_is_not_checked_is_found() -> None:
    """Commands go first, the clock's close after them; and a wager does not look at the time itself."""
    run, by_the_clock, verify_open = Batch._run, Batch._by_the_clock, wagers._verify_open

    def run_late(self: Any, requests: list[Request], given: Any, struck: set[int]) -> int | None:
        self.is_asked = bool(requests)
        return run(self, requests, given, struck)

    def close_when_quiet(self: Any) -> None:
        waiting = self.machine.due(self.state)
        if not (self.is_asked and waiting and isinstance(waiting.command, c.CloseBets)):
            by_the_clock(self)

    def at_any_time(asked: Asked, command: Any) -> Any:
        return verify_open(Asked(asked.state, asked.funds, 0, asked.order), command)

    told = found(
        2,
        patch.object(Batch, "_run", run_late),
        patch.object(Batch, "_by_the_clock", close_when_quiet),
        patch.object(wagers, "_verify_open", at_any_time),
    )
    assert "after the deadline" in told


class DiesEarly(SteppedStore):
    """Dies now and then when all is written and nothing committed."""

    written = 0

    def _write(self, batch: Batch[State], written: ToWrite) -> None:
        super()._write(batch, written)
        if written.replies:
            self.early(batch, written)
            self.written += 1
            if self.written == 40:
                raise Died

    def early(self, batch: Batch[State], written: ToWrite) -> None:
        """Nothing is said before the commit."""


class Hasty(DiesEarly):
    """Tells before it commits."""

    def early(self, batch: Batch[State], written: ToWrite) -> None:
        own = [request for request in self.taken if request.stream == batch.stream.name]
        for request, reply in zip(own, written.replies, strict=True):
            self.tell(request, reply)


def test_an_answer_before_the_commit_is_found() -> None:
    """Nobody would know, but for the node that dies in between."""
    assert "acknowledged as entry" in found(2, store=Hasty)


def test_a_node_that_dies_before_the_commit_does_no_harm_by_itself() -> None:
    assert World(2, table_hours=0.5, store=DiesEarly).run().deaths > 3


def test_a_command_id_that_stands_for_two_commands_is_found() -> None:
    """Terminals that forget start their ids again; the store no longer compares what they ask."""

    def whatever_it_says(request: Request, before: tuple[bytes, Reply]) -> Reply:
        del request
        return before[1]

    assert "the answer to another command of this id" in found(
        2, patch.object(batch, "again", whatever_it_says)
    )


def test_answers_that_are_not_looked_up_are_found() -> None:
    """Sent again, a command has no answer any more, and the store says so; it is not done again."""

    def nothing(*_: object) -> Mapping[Any, Any]:
        return {}

    over = sqlite_transaction.ANSWER.replace("INSERT", "INSERT OR REPLACE", 1)
    told = found(
        2, patch.object(sqlite, "given", nothing), patch.object(sqlite_transaction, "ANSWER", over)
    )
    assert "refused, since its answer is gone" in told


def test_a_settlement_that_pays_twice_is_found() -> None:
    """The ledger is wrong in every place alike: only other arithmetic sees it."""
    moves = e.RoundSettled.transfers

    def twice(event: Any) -> tuple[Transfer, ...]:
        again = (
            Transfer("bank", account_of(x.session), x.winnings_cents)
            for x in event.lines
            if x.winnings_cents
        )
        return (*moves(event), *again)

    assert "by the events it is" in found(4, patch.object(e.RoundSettled, "transfers", twice))


def test_a_balance_that_is_not_updated_is_found() -> None:
    keep = sqlite_transaction.BALANCE.replace("UPDATE SET cents = excluded.cents", "NOTHING")
    assert keep != sqlite_transaction.BALANCE
    assert "debits and credits differ" in found(
        5, patch.object(sqlite_transaction, "BALANCE", keep)
    )


def test_a_node_that_does_not_catch_up_is_found() -> None:
    """It decides on what it remembers, and writes where others have written."""
    current = SqliteStore._current

    def remembered(self: SqliteStore, name: str) -> Stream[State]:
        return self._streams.get(name) or current(self, name)

    assert "the store logged" in found(7, patch.object(SqliteStore, "_current", remembered))
