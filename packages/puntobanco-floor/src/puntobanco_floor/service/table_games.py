"""The games that a floor can open a table with: built in, and those of designers, in a file, played
by its open tables, or published by a distribution.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from puntobanco.base.canonical import canonical
from puntobanco.base.words import Words
from puntobanco.game_files import OwnGame, is_file, read_game, read_published
from puntobanco.rules.definition import define, written_digest
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.game_schema import Definition
from puntobanco.rules.games import GAMES
from puntobanco.rules.predicates import say
from puntobanco.rules.refusals import BadGame, UnknownGame
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.table.commands import MAX_SOURCE
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.service.refusals import TwoGames

CHECK_S = 60.0
"""How long a definition that came over HTTP may be checked."""


class Playable(NamedTuple):
    """A game that a table can be opened with."""

    game: Game
    definition: Definition | None = None  # none for a built-in game: the table has this program's
    source: str = ""  # a designer's file


def playable(tables: Iterable[TableState]) -> list[Playable]:
    """Every game once, by what is played: two designs of one id are two."""
    found = {
        state.digest: state for state in tables if state.phase != "down" and state.game is not None
    }
    own = [state for state in found.values() if state.playing.id not in GAMES]
    return [
        *(Playable(game) for game in GAMES.values()),
        *(Playable(state.playing, state.definition, state.source) for state in own),
    ]


def playable_named(id_: str, tables: Iterable[TableState]) -> Playable:
    """By the id of a built-in game, or of one that an open table plays."""
    found = [one for one in playable(tables) if one.game.id == id_]
    if not found:
        raise UnknownGame(
            f"there is no game {id_!r:.60} here; the games are {', '.join(GAMES)}, and one "
            "of your own is opened by "
            "its file: puntobanco table add NUMBER game.py"
        )
    if len(found) > 1:
        raise TwoGames(
            f"tables of this floor play {len(found)} games called {id_}; open it by its file"
        )
    return found[0]


def from_file(path: Path) -> Playable:
    """A designer's file, run this once; what follows has the game as data, and the file as text."""
    return _verified(read_game(path), str(path))


def from_published(id_: str) -> Playable | None:
    """The game that an installed distribution publishes, as data, with its module as text."""
    own = read_published(id_)
    return None if own is None else _verified(own, id_)


def _verified(own: OwnGame, name: str) -> Playable:
    from puntobanco.game_check import all_findings  # noqa: PLC0415 - loads NumPy

    game, source = own
    if game.id in GAMES:
        raise UnknownGame(f"{game.id} is a built-in game; give yours an id of its own")
    wrong = next((each for each in all_findings(game) if each.kind == "error"), None)
    if wrong is not None:
        raise BadGame(f"{name}: {wrong.text}; `puntobanco check {name}` says all that is wrong")
    verify_source(name, source)
    return Playable(game, define(game), source or "\n")


def verify_source(name: str, source: str) -> None:
    if len(source) > MAX_SOURCE:
        raise UnknownGame(
            f"{name} is too long for a table's journal: {MAX_SOURCE:,} characters at most"
        )


def new_pays(game: Game, tables: Iterable[TableState]) -> list[Words]:
    """List the pay lines that differ from a game that a table plays, or from its rulebook's."""
    playing = (one.game for one in playable(tables))
    known = [one for one in playing if one.id == game.id or one.rulebook == game.rulebook != ""]
    known.sort(key=lambda one: one.id != game.id)
    before = {_line_words(bet) for bet in known[0].bets} if known else set[tuple[Words, ...]]()
    found = [words for bet in game.bets if (words := _line_words(bet)) not in before]
    return [line for lines in found for line in lines]


def _line_words(bet: Bet) -> tuple[Words, ...]:
    """What a bet pays, a text a line."""
    said = Words("{}: {} pays {}", "{}：{} 賠 {}")
    lines = (*bet.pays, *bet.bonus)
    told = [said.format(bet.title, say(line.when), line.pays.words) for line in lines]
    if bet.push:
        told.append(Words("{}: {} pushes", "{}：{} 退回").format(bet.title, say(bet.push.when)))
    return tuple(told)


def is_known(found: Playable, house: HouseState, tables: Iterable[TableState]) -> bool:
    """Whether this floor knows a definition, words and all: allowed, or opened before."""
    assert found.definition is not None
    written = written_digest(found.definition)
    opened = (state.definition for state in tables if state.definition is not None)
    return written in house.games or any(written_digest(one) == written for one in opened)


async def verify_checked(found: Playable, *, most_s: float = CHECK_S) -> None:
    """Refuse a definition with an error, by a process of its own that is killed after a while."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "puntobanco.game_check", stdin=pipe, stdout=pipe
    )
    bet = ""
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        async with asyncio.timeout(most_s):
            process.stdin.write(canonical(found.definition))
            process.stdin.close()
            async for line in process.stdout:
                told = json.loads(line)
                bet = told.get("bet", bet)
                if "error" in told:
                    raise BadGame(f"{found.game.id}: {told['error']}")
                if "done" in told:
                    return
    except TimeoutError:
        raise BadGame(
            f"{found.game.id}: {bet or 'the game'} was not checked within {most_s:g} seconds; make "
            "its conditions simpler, and try `puntobanco check` on the file"
        ) from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    raise BadGame(f"{found.game.id}: the check of {bet or 'the game'} failed; see the log")


def find_playable(name: str, tables: Iterable[TableState]) -> Playable:
    """A file where it is written like one; else an id, of a game that is built in, that an open
    table plays, or that a distribution publishes.
    """
    if is_file(name):
        return from_file(Path(name))
    try:
        return playable_named(name, tables)
    except UnknownGame:
        found = from_published(name)
        if found is None:
            raise
        return found
