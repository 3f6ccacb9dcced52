"""Published games on a running node: each is read by a process of its own, as data.

A designer's module may print, hang or end its process; none of that reaches the node.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from importlib.metadata import EntryPoint
from typing import Any

import msgspec

from puntobanco.base.refusal import Refusal
from puntobanco.game_files import published
from puntobanco.rules.definition import game_of
from puntobanco.rules.refusals import BadGame
from puntobanco_floor.service.table_games import Playable, verify_source

READ_S = 20.0
"""How long a designer's module may take."""

_log = logging.getLogger("puntobanco.published_games")


class PublishedGames:
    """The games of installed distributions. Each version is read once; one that failed, again."""

    def __init__(self, *, most_s: float = READ_S) -> None:
        self._most_s = most_s
        self._read = dict[tuple[str, ...], Playable]()
        self._one_at_a_time = asyncio.Lock()

    async def read_all(self) -> list[Playable]:
        """Return every game that can be read; the server log has the others."""
        found = await asyncio.to_thread(published)
        games = [await self._game(id_, points) for id_, points in found.items()]
        return [game for game in games if isinstance(game, Playable)]

    async def find(self, id_: str) -> Playable | None:
        """Return the game with this id, if a distribution publishes one."""
        found = await asyncio.to_thread(published)
        if id_ not in found:
            return None
        game = await self._game(id_, found[id_])
        if isinstance(game, Refusal):
            raise game
        return game

    async def _game(self, id_: str, points: list[EntryPoint]) -> Playable | Refusal:
        versions = (f"{point.value} {point.dist and point.dist.version}" for point in points)
        key = (id_, *versions)
        async with self._one_at_a_time:
            if key not in self._read:
                try:
                    self._read[key] = await _read(id_, self._most_s)
                except Refusal as refusal:
                    _log.warning("a published game was left out: %s", refusal)
                    return refusal
        return self._read[key]


class _Told(msgspec.Struct):
    """What `python -m puntobanco.game_files` prints."""

    definition: dict[str, Any] = {}
    source: str = ""
    error: str = ""


async def _read(id_: str, most_s: float) -> Playable:
    nothing, pipe = asyncio.subprocess.DEVNULL, asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        # -P: never a module of the working directory, where a node may write
        *(sys.executable, "-P", "-m", "puntobanco.game_files", id_),
        stdin=nothing,
        stdout=pipe,
        stderr=nothing,
    )
    try:
        async with asyncio.timeout(most_s):
            said, _ = await process.communicate()
    except TimeoutError:
        raise BadGame(f"{id_}: its module was not loaded within {most_s:g} seconds") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    try:
        told = msgspec.json.decode(said, type=_Told)
    except msgspec.DecodeError:
        status = process.returncode
        raise BadGame(f"{id_}: loading its module ended with status {status}, no game") from None
    if told.error:
        raise BadGame(told.error)
    verify_source(id_, told.source)
    game = game_of(told.definition)
    if game.id != id_:
        raise BadGame(f"{id_}: its module has a game with another id")
    return Playable(game, told.definition, told.source)
