"""The mixer: a shoe is put before real witnesses, here without a network, and its table takes what they answer."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.machine import NO_MIXERS
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.settings import Settings
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.transparency import mixer as mixer_module
from puntobanco_floor.transparency.keeper import LogKeeper
from puntobanco_floor.transparency.mixer import Mixer
from puntobanco_floor.transparency.publication import Publication
from puntobanco_floor.transparency.refusals import Away, Seen
from puntobanco_proof.tree.notes import Signature
from puntobanco_proof.tree.policies import Witness, require_all
from puntobanco_proof.witness.decisions import Decider, OtherSize
from puntobanco_proof.witness.identity import Identity, create_identity
from puntobanco_proof.witness.memory import Memory, create_memory
from puntobanco_proof.witness.refusals import WitnessUnreachable
from puntobanco_proof.witness.requests import AddCheckpoint, Mix, read_mix
from tests.support.patience import PATIENCE_S

TABLE = "table:1"


class Direct:
    """A witness that is asked without a network, and may be away."""

    def __init__(self, folder: Path, name: str) -> None:
        self.identity: Identity = create_identity(folder, name)
        create_memory(folder)
        self.memory = Memory(folder)
        verifier, key = self.identity.cosigner.verifier, self.identity.mix_key
        self.witness = Witness(name, verifier, f"http://{name}/", key)
        self.decider: Decider | None = None
        self.is_away = self.mixes_not = False
        self.mixes = list[Mix]()

    def add_checkpoint(self, old: int, proof: Sequence[bytes], note: str) -> Sequence[Signature]:
        if self.is_away:
            raise Away("no answer")
        assert self.decider is not None
        try:
            return [self.decider.cosign(AddCheckpoint(old, tuple(proof), note))]
        except OtherSize as other:
            raise Seen(other.size) from None

    def mix(self, request: Mix) -> bytes:
        if self.is_away or self.mixes_not:
            raise WitnessUnreachable("no answer")
        assert self.decider is not None
        self.mixes.append(request)
        return self.decider.mix(read_mix(msgspec.json.encode(request)))


class Node:
    def __init__(self, folder: Path, witnesses: Sequence[Direct]) -> None:
        self.path = folder / "floor.db"
        self.by_name = {each.witness.name: each for each in witnesses}
        policy = folder / "policy"
        policy.write_text(require_all([], [each.witness for each in witnesses]).text)
        self.store = SqliteStore(self.path, clock=False)
        self.store.log.open("example.com/log")
        for each in witnesses:
            logs = self.store.log.verifiers()
            each.decider = Decider(each.identity, each.memory, logs, lambda: int(time.time()))
        settings = Settings(witness_policy=str(policy), log_origin="example.com/log")
        publication = Publication(folder / "published")
        self.keeper = LogKeeper(
            self.store.log,
            publication,
            settings,
            lambda w: self.by_name[w.name],
            keys=self.store.ring_path,
        )
        self.mixer = Mixer(self.store, self.keeper, lambda w: self.by_name[w.name])
        self.sent = 0

    @property
    def state(self) -> TableState:
        return self.store.table(TABLE).state

    def do(self, command: c.Command) -> None:
        self.sent += 1
        answer = self.store.ask(Request(stream=TABLE, id=str(self.sent), command=command))
        assert answer.ok, answer.reason

    def new_shoe(self) -> TableState:
        self.mixer.look()
        self.do(c.NewShoe(by="pit", burn="first-card"))
        return self.state


@asynccontextmanager
async def floor(folder: Path, *names: str) -> AsyncIterator[Node]:
    witnesses = [Direct(folder / name, name) for name in names]
    node = Node(folder, witnesses)
    node.do(c.OpenTable(by="boss", game="rapid"))
    await asyncio.to_thread(node.keeper.open)
    node.keeper.start()
    try:
        yield node
    finally:
        await node.mixer.stop()
        await asyncio.to_thread(node.keeper.stop)
        node.store.close()
        for each in witnesses:
            each.memory.close()


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            await asyncio.sleep(0.02)


def is_mixed(node: Node) -> bool:
    shoe = node.state.shoe
    return shoe is not None and bool(shoe.seed)


def test_a_shoe_is_mixed_by_all_its_witnesses_and_audited(tmp_path: Path) -> None:
    async def story() -> None:
        async with floor(tmp_path, "ann.example", "ben.example") as node:
            state = node.new_shoe()
            assert state.shoe is not None
            assert state.shoe.waits_for_mix
            node.mixer.follow(state)
            node.mixer.follow(state)  # as every entry of the table has it do
            await until(lambda: is_mixed(node))
            assert all(len(each.mixes) == 1 for each in node.by_name.values())
            node.do(c.EndShoe(by="pit"))

    asyncio.run(story())
    report = audit(tmp_path / "floor.db")
    assert report.fault is None
    assert (report.mixed, report.abandoned) == (1, 1)  # nothing was played from it


def test_a_node_that_comes_after_a_crash_drives_it_again_to_the_same_seed(tmp_path: Path) -> None:
    async def story() -> None:
        async with floor(tmp_path, "ann.example") as node:
            state = node.new_shoe()
            others = [Mixer(node.store, node.keeper, node.mixer._client) for _ in range(2)]
            for each in (*others, node.mixer):
                each.follow(state)
            await until(lambda: is_mixed(node))
            await asyncio.gather(
                *(task for m in (*others, node.mixer) for _, task in m._driven.values())
            )
            entries = [entry.command for entry in node.store.decoded(TABLE)]
            assert entries.count("mix-shoe") == 1

    asyncio.run(story())


def test_nobody_is_named_while_a_witness_is_away_and_all_are_when_it_is_back(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with floor(tmp_path, "ann.example", "ben.example") as node:
            await until(lambda: len(node.mixer.mixers().names) == 2)
            assert node.mixer.mixers().log == "example.com/log"
            node.by_name["ben.example"].is_away = True
            node.do(c.SeatSession(by="ann", session="ann"))
            node.keeper.wake()
            await until(lambda: node.mixer.mixers() == NO_MIXERS)
            state = node.new_shoe()
            assert state.shoe is not None
            assert state.shoe.mixing is None

    asyncio.run(story())


def test_a_witness_that_does_not_mix_is_named_in_the_log_and_the_shoe_is_not_mixed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with floor(tmp_path, "ann.example", "ben.example") as node:
            node.by_name["ben.example"].mixes_not = True
            node.mixer.follow(node.new_shoe())
            await until(lambda: "witness ben.example has not mixed: no answer" in caplog.text)
            shoe = node.state.shoe
            assert shoe is not None
            assert shoe.waits_for_mix
            node.do(c.EndShoe(by="pit"))
            assert node.state.last_shoe is not None
            assert node.state.last_shoe.abandoned

    with caplog.at_level(logging.WARNING, "puntobanco.log"):
        asyncio.run(story())


def test_who_has_not_answered_in_time_is_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mixer_module, "MIX_MS", 1)

    async def story() -> None:
        async with floor(tmp_path, "ann.example") as node:
            node.mixer.follow(node.new_shoe())
            await until(lambda: "shoe 1 not mixed, no answer of ann.example" in caplog.text)
            assert not is_mixed(node)

    asyncio.run(story())


def test_a_witness_gives_no_second_commitment_of_a_shoe_its_signature(tmp_path: Path) -> None:
    """A house that starts shoe 1 anew in a copy of its database gets nothing to choose from."""

    async def story() -> None:
        async with floor(tmp_path, "ann.example") as node:
            node.mixer.follow(node.new_shoe())
            await until(lambda: is_mixed(node))
            ann = node.by_name["ann.example"]
            [asked] = ann.mixes
            other = msgspec.structs.replace(asked, commitment="ab" * 32)
            with pytest.raises(Exception, match="does not start this shoe"):
                ann.mix(other)

    asyncio.run(story())


def test_a_policy_without_keys_for_the_mix_mixes_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with floor(tmp_path, "ann.example") as node:
            bare = [without_mix(each) for each in node.keeper.policy.witnesses]
            node.keeper.policy = require_all([], bare)
            assert node.mixer.mixers() == NO_MIXERS

    asyncio.run(story())


def without_mix(witness: Witness) -> Witness:
    return Witness(witness.name, witness.verifier, witness.url)
