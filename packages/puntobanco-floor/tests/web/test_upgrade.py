"""A rolling upgrade: two nodes on one PostgreSQL are brought to another version one by one, and back, under play.

The whole of it with PUNTOBANCO_SLOW=1; `UPGRADE_FROM=folder` names the `src` of a real older program to start from, else it is
this one under another version. `packages/puntobanco-floor/tests/storage/test_versions.py` has what two versions meet without processes.
"""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from puntobanco.base.version import __version__
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.client import Terminal
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.tickets import Tickets
from tests.storage.servers import server
from tests.support.patience import PATIENCE_S
from tests.web.patrons import Patron, entries_of, wagers_in
from tools.topology import Node, Process, Topology, topology
from tools.tree import ROOT

SLOW = bool(os.environ.get("PUNTOBANCO_SLOW"))
OLDER = "0.0.1"
TABLES, TERMINALS, PLAY_S = (1, 2, 5), 12, 6.0
PROGRAM = """
import sys
from tests.support.quick_server import quick_clock, run
run(quick_clock(int(sys.argv[1]), int(sys.argv[2])), *sys.argv[3:])
"""


class Upgraded(Node):
    """A node that runs the program of whatever folder it is given."""

    programs: list[Path] = []  # noqa: RUF012 - the folder that the next start takes

    def launch(self, words: list[str]) -> Process:
        times = [str(self.betting_ms), str(self.pause_ms)]
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-c", PROGRAM, *times, *words],
                env=environment(self.programs[0]),
                stdout=log,
                stderr=log,
            )


def environment(program: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(program), str(ROOT)])}


def older(folder: Path) -> Path:
    """The program to start from."""
    given = os.environ.get("UPGRADE_FROM")
    if given:
        return Path(given)
    shutil.copytree(ROOT / "src", folder, ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / "puntobanco" / "base" / "version.py"
    path.write_text(path.read_text("utf-8").replace(f'"{__version__}"', f'"{OLDER}"'), "utf-8")
    return folder


def sound(found: Topology, program: Path) -> None:
    """In the eyes of this program, and of the one that the nodes were started with."""
    assert audit(found.url, keys=found.keys, heads=found.heads).fault is None
    words = ["audit", "--database", found.url, "--keys", str(found.keys)]
    for path in found.heads:
        words += ["--heads", str(path)]
    done = subprocess.run(
        [sys.executable, "-m", "puntobanco", *words],
        env=environment(program),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def running(found: Topology) -> list[str]:
    """The version that each node says it is."""
    said = list[str]()
    for node in found.nodes:
        with urllib.request.urlopen(f"{node.address}/healthz", timeout=PATIENCE_S) as answer:
            said.append(json.load(answer)["version"])
    return said


async def roll(found: Topology, old: Path, new: Path) -> list[list[str]]:
    """One node after the other to the new program, then back; what ran before and after each."""
    seen = [await asyncio.to_thread(running, found)]
    for program in (new, old):
        for node in found.nodes:
            await asyncio.sleep(PLAY_S)
            await asyncio.to_thread(sound, found, old)
            await asyncio.to_thread(node.end, signal.SIGTERM)
            Upgraded.programs = [program]
            await asyncio.to_thread(node.start)
            seen.append(await asyncio.to_thread(running, found))
    await asyncio.sleep(PLAY_S)
    return seen


@pytest.mark.skipif(not SLOW, reason="half a minute of processes; make slow")
def test_two_nodes_are_upgraded_under_play_and_taken_back(tmp_path: Path) -> None:
    old, new = older(tmp_path / "older"), ROOT / "src"
    Upgraded.programs = [old]
    with server() as postgres, topology(postgres, kind=Upgraded) as found:
        patrons, versions = asyncio.run(_through(found, old, new))
        sound(found, old)
    answers = [answer for patron in patrons for _, answer in patron.answers]
    accepted = sum(answer.ok for answer in answers)
    assert accepted > TERMINALS
    first, new_one = versions[0][0], __version__
    both_old, both_new = [first, first], [new_one, new_one]
    assert versions == [both_old, [new_one, first], both_new, [first, new_one], both_old]
    reconnects = sum(patron.terminal.reconnects for patron in patrons)
    refused = {answer.code for answer in answers if not answer.ok}
    print(f"{versions}: {accepted} wagers taken, {reconnects} reconnects, refused: {refused}")


async def _through(found: Topology, old: Path, new: Path) -> tuple[list[Patron], list[list[str]]]:
    tickets = Tickets(KeyRing.load(found.keys), lambda: HouseState(stream="floor"))
    terminals = [
        Terminal(found.address, table=TABLES[n % len(TABLES)], token=tickets.new_guest())
        for n in range(TERMINALS)
    ]
    patrons = [Patron(terminal, n) for n, terminal in enumerate(terminals)]
    await asyncio.gather(*(terminal.__aenter__() for terminal in terminals))
    for terminal in terminals:
        assert (await terminal.seat()).balance_cents == 100_000
    rolling = asyncio.create_task(roll(found, old, new))
    await asyncio.gather(*(patron.play(rolling) for patron in patrons))
    versions = await rolling
    assert all(not terminal._asked for terminal in terminals), "every command was answered"
    await asyncio.gather(*(terminal.__aexit__() for terminal in terminals))
    accepted = sum(answer.ok for patron in patrons for _, answer in patron.answers)
    written = sum(wagers_in(entries_of(found, table)) for table in TABLES)
    assert written == accepted, "each once, and no other"
    return patrons, versions
