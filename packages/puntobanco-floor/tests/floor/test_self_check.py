"""A node that watches itself: at its start, every 24 hours by a simulated clock, with errors and stops in the journal."""

import asyncio
import logging
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.program_faults import FAULTS, coded, fault_words
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.integrity.release import Program
from puntobanco_floor.integrity.self_check import (
    EVERY_MS,
    SelfCheck,
    checked,
    configuration_digest,
)
from puntobanco_floor.settings import Settings
from puntobanco_floor.store.batch import Answer
from puntobanco_floor.store.errors import NotStored
from tests.house.test_house import House
from tests.support.codes import verify_no_sentence
from tests.support.patience import PATIENCE_S

GOOD = Program(release="1.0", files=3, digest="0f" * 32)


@dataclass
class Node:
    """A self-check with a house, a clock and files of the test's own."""

    house: House = field(default_factory=House)
    program: Program = GOOD
    config: Path | None = None
    events: list[e.Event] = field(default_factory=list)
    is_blocked: bool = False

    def __post_init__(self) -> None:
        opened = h.OpenHouse(by="init", house="M", administrator="root", verifier="0" * 64)
        self.house.do(opened)
        self.check = SelfCheck(
            "n1",
            self._state,
            self._ask,
            self._now,
            Settings(),
            self.config,
            look=lambda *_: self.program,
            look_s=0.001,
        )

    def _state(self) -> HouseState:
        return self.house.state

    def _now(self) -> int:
        return self.house.now

    async def _ask(self, command: Command) -> Answer:
        if self.is_blocked:
            raise NotStored("the stream floor is blocked")
        self.events += self.house.do(command)
        return Answer(id="1", ok=True, seq=1, at=self.house.now)

    def checks(self) -> list[e.ProgramChecked]:
        return [event for event in self.events if isinstance(event, e.ProgramChecked)]

    def noted(self) -> list[e.FaultNoted]:
        return [event for event in self.events if isinstance(event, e.FaultNoted)]

    async def until(self, checks: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while len(self.checks()) < checks:
                await asyncio.sleep(0.001)

    async def quiet(self) -> None:
        """Many looks at the clock."""
        before = len(self.events)
        for _ in range(20):
            await asyncio.sleep(0.002)
        assert len(self.events) == before


def test_a_node_checks_its_program_every_24_hours_by_the_clock() -> None:
    node = Node()

    async def days() -> None:
        await node.check.start()
        await node.quiet()
        node.house.now += EVERY_MS - 1
        await node.quiet()
        node.house.now += 1
        await node.until(2)
        node.program = Program(release="1.0", files=3, digest="ab" * 32)
        node.house.now += EVERY_MS
        await node.until(3)
        node.house.now -= EVERY_MS  # set back: the next check is not put off
        await node.until(4)
        await node.check.stop()

    asyncio.run(days())
    faults = [event.fault for event in node.checks()]
    assert faults == ["", "", *["not-accepted:abababababababab"] * 2]
    assert [event.started for event in node.checks()] == [True, False, False, False]
    assert isinstance(node.events[-1], e.NodeStopped)
    assert not node.noted(), "a failed check is one significant event, not two"


def test_a_changed_configuration_is_found_by_the_next_check(tmp_path: Path) -> None:
    config = tmp_path / "puntobanco.toml"
    config.write_text("port = 8000\n")
    node = Node(config=config)

    async def day() -> None:
        await node.check.start()
        config.write_text("port = 8001\n")
        node.house.now += EVERY_MS
        await node.until(2)
        await node.check.stop()

    asyncio.run(day())
    assert [event.reconfigured for event in node.checks()] == [False, True]


def test_an_error_of_the_program_is_in_the_journal_once_an_hour_and_a_warning_is_not() -> None:
    node = Node()
    log = logging.getLogger("puntobanco.test")

    async def fails() -> None:
        await node.check.start()
        for n in range(50):
            log.error("the drawer of %s failed; count it", f"secret {n}")
        log.warning("the drawer was not closed")
        try:
            raise KeyError("another secret")
        except KeyError:
            log.exception("a request failed")
        async with asyncio.timeout(PATIENCE_S):
            while len(node.noted()) < 2:
                await asyncio.sleep(0.001)
        await node.check.stop()
        log.error("a node that stopped failed once more")

    asyncio.run(fails())
    noted = node.noted()
    assert [event.what for event in noted] == ["error", "KeyError"]
    assert all(event.place.startswith("test_self_check:") for event in noted)
    assert all(event.reported() for event in noted)


def test_a_house_that_cannot_be_written_keeps_no_node_from_starting_or_stopping(
    caplog: pytest.LogCaptureFixture,
) -> None:
    node = Node(is_blocked=True)

    async def day() -> None:
        await node.check.start()
        await node.check.stop()

    asyncio.run(day())
    assert not node.events
    assert "program check not written: the stream floor is blocked" in caplog.text


def test_what_is_wrong_with_a_program() -> None:
    house = House().state
    assert checked(Program(), house) == "", "a checkout"
    assert checked(GOOD, house) == "", "the first"
    torn = Program(release="1.0", fault="money.py is missing", code="missing:money.py")
    assert checked(torn, house) == "missing:money.py"


@pytest.mark.parametrize("code", FAULTS)
def test_the_journal_has_a_code_and_a_file_and_readers_have_words(code: str) -> None:
    """In both languages; the entry itself is in no language."""
    found = e.ProgramChecked(
        node="n1", at=1, version="1.0", program="", configuration="", fault=coded(code, "a/b.py")
    )
    verify_no_sentence(found, typed=())
    said = found.says()
    assert found.fault not in said.en
    assert FAULTS[code].format("a/b.py").zh in said.zh
    assert said.en.isascii()
    assert found.reported() == said.en


def test_a_sentence_from_before_and_a_code_of_a_later_program_are_shown_as_they_are() -> None:
    for fault in ("keys.py is missing", "segno 1 has no list of its files: pip", "burned:keys.py"):
        assert fault_words(fault) == Words(fault)


def test_the_digest_of_settings_has_no_password_in_it() -> None:
    one, other = (
        configuration_digest(Settings(database=f"postgresql://floor:{word}@db/floor"), None)
        for word in ("one", "two")
    )
    assert one == other
    assert one != configuration_digest(Settings(port=8001), None)
