"""The mixer: puts a shoe that names witnesses before them, and their answers to its table.

Every node that follows the table does so, whichever started the shoe: a witness has one answer for
a shoe, so that asking again changes nothing, and the table takes the first. What comes after the
table has stopped waiting is dropped by its rules.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Protocol

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.machine import NO_MIXERS, Mixers
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.clock import MIX_MS
from puntobanco_floor.domain.table.mixing import Mixing
from puntobanco_floor.domain.table.state import ShoeState, TableState
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.log_tables import Place
from puntobanco_floor.store.store import Store
from puntobanco_floor.transparency.refusals import NotNamed
from puntobanco_proof.tree.faults import encode_base64
from puntobanco_proof.tree.policies import Policy, Witness
from puntobanco_proof.tree.proofs import Proof
from puntobanco_proof.witness.client import WitnessClient
from puntobanco_proof.witness.requests import Mix, build_mix_request

MIXER = "mixer"
"""Who gives the command."""

AGAIN_S = 0.5
"""A witness that gave no answer is asked again after this long, while the table waits."""

_log = logging.getLogger("puntobanco.log")


class Client(Protocol):
    def mix(self, request: Mix) -> bytes: ...


class Salts(Protocol):
    """The part of the log's tables that says where an entry's leaf stands."""

    def place(self, stream: str, seq: int) -> Place | None: ...
    def salt(self, stream: str, seq: int, place: Place) -> bytes: ...


class Keeper(Protocol):
    """What the mixer needs of the log's keeper."""

    @property
    def origin(self) -> str: ...
    @property
    def policy(self) -> Policy: ...
    @property
    def log(self) -> Salts: ...
    @property
    def all_answered(self) -> frozenset[str]: ...
    def proven(self, stream: str, seq: int, by: Collection[str] = ()) -> Awaitable[Proof]: ...


def _client(witness: Witness) -> Client:
    return WitnessClient(witness.url, witness.verifier, witness.mix_key)


class Mixer:
    def __init__(
        self,
        store: Store,
        keeper: Keeper,
        client: Callable[[Witness], Client] = _client,
    ) -> None:
        self._store, self._keeper, self._client = store, keeper, client
        self._driven = dict[str, tuple[int, asyncio.Task[None]]]()  # by table: a shoe's number

    @property
    def witnesses(self) -> Mapping[str, Witness]:
        """Those of the policy that mix, by name."""
        return {each.name: each for each in self._keeper.policy.witnesses if each.mix_key}

    def mixers(self) -> Mixers:
        """Name all witnesses as mixers if all answered the last checkpoint in time; else none."""
        witnesses = self.witnesses
        if not witnesses or not witnesses.keys() <= self._keeper.all_answered:
            return NO_MIXERS
        keys = {name: encode_base64(each.mix_key) for name, each in witnesses.items()}
        return Mixers(log=self._keeper.origin, keys=keys)

    def look(self) -> None:
        """The keeper has heard of a witness, or hears no more of one."""
        self._store.mixers = self.mixers()

    def follow(self, state: TableState) -> None:
        """A table as it now stands: its shoe is put before the witnesses, if it waits for them."""
        shoe = state.shoe
        if shoe is None or shoe.mixing is None or not shoe.waits_for_mix:
            return
        number, _ = self._driven.get(state.stream, (0, None))
        if number == shoe.number:
            return
        task = asyncio.create_task(self._drive(state.stream, shoe, shoe.mixing))
        self._driven[state.stream] = shoe.number, task

    async def stop(self) -> None:
        tasks = [task for _, task in self._driven.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _drive(self, stream: str, shoe: ShoeState, mixing: Mixing) -> None:
        missing = set(mixing.names)
        try:
            async with asyncio.timeout(MIX_MS / 1_000):
                answer = await self._mixed(stream, shoe, mixing, missing)
        except TimeoutError:
            names = ", ".join(sorted(missing))
            _log.error(
                "stream %s: shoe %d not mixed, no answer of %s; the clock abandons it, see whether "
                "these witnesses run",
                stream,
                shoe.number,
                names,
            )
        except Refusal as refusal:
            _log.error("stream %s: shoe %d not mixed: %s", stream, shoe.number, refusal.reason)
        else:
            if not answer.ok:  # another node was quicker, or the table waits no longer
                _log.info(
                    "stream %s: mix of shoe %d not taken: %s", stream, shoe.number, answer.words.en
                )

    async def _mixed(
        self, stream: str, shoe: ShoeState, mixing: Mixing, missing: set[str]
    ) -> Answer:
        proof = await self._keeper.proven(stream, mixing.entry, by=mixing.names)
        request = await asyncio.to_thread(self._request, stream, shoe, mixing, proof)
        asked = [self._answer(name, request, missing) for name in mixing.names]
        signatures = dict(zip(mixing.names, await asyncio.gather(*asked), strict=True))
        command = c.MixShoe(by=MIXER, shoe=shoe.number, signatures=signatures)
        return await self._store.asked(
            Request(stream=stream, id=f"mix-{shoe.number}", command=command)
        )

    async def _answer(self, name: str, request: Mix, missing: set[str]) -> str:
        """Of one witness, asked until it answers; the table does not wait for ever."""
        witness = self.witnesses.get(name)
        while True:
            try:
                if witness is None:
                    raise NotNamed(f"the policy of this node names no witness {name} that mixes")
                signature = await asyncio.to_thread(self._client(witness).mix, request)
            except Refusal as refusal:
                _log.warning("witness %s has not mixed: %s; retried", name, refusal.reason)
                await asyncio.sleep(AGAIN_S)
            else:
                missing.discard(name)
                return signature.hex()

    def _request(self, stream: str, shoe: ShoeState, mixing: Mixing, proof: Proof) -> Mix:
        """What is shown to the witnesses: the start of the shoe, in the log, and nothing else."""
        log = self._keeper.log
        seq, data = next(iter(self._store.entries(stream, after=mixing.entry - 1)))
        entry = self._store.definitions.read(data, stream=stream, seq=seq)
        place = log.place(stream, seq)
        assert place is not None, "it is proven"
        return build_mix_request(
            data,
            _place_of_start(entry, shoe.number),
            origin=mixing.log,
            stream=stream,
            shoe=shoe.number,
            commitment=shoe.commitment,
            salt=log.salt(stream, seq, place),
            proof=proof,
        )


def _place_of_start(entry: Entry, shoe: int) -> int:
    """Among the parts of its entry, where the shoe starts; the first is who gave the command."""
    place = 1
    for event in entry.events:
        if event is e.start_of(entry.events, shoe):
            return place
        place += 1 + (len(event.lines) if isinstance(event, e.Reckoning) else 0)
    raise AssertionError("the entry starts a shoe")
