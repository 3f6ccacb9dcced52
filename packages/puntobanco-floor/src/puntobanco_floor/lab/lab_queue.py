"""The lab's queue: jobs for one worker, few that wait, and a cache of answers."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable, Sequence
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from puntobanco.base.extras import has, install
from puntobanco.base.refusal import ExtraNeeded
from puntobanco.base.words import Words
from puntobanco.document import pdf
from puntobanco.odds.card_counting import removals
from puntobanco.odds.par import ParSheet, par_sheet
from puntobanco.odds.par_report import document, sheet_csv, sheet_json
from puntobanco.rules.definition import digest
from puntobanco.rules.game import Game
from puntobanco.rules.rules_page import heading
from puntobanco.sim.run import Job, job_for, shoes_for
from puntobanco_floor.lab.comparison import CompareView, compare_view
from puntobanco_floor.lab.lab_simulation import Run, compiled, dealt, simulated
from puntobanco_floor.lab.refusals import LabIsBusy
from puntobanco_floor.lab.sheets import (
    EdgesView,
    MethodView,
    RemovalView,
    SheetView,
    edges_view,
    method_view,
    removal_view,
    sheet_view,
    stake_view,
)
from puntobanco_proof.entry.record import Record

T = TypeVar("T")

KEPT = 64
"""Answers of each kind that are kept: the five games have 33 sheets between them."""

KEPT_PDFS = 8
WAITING = 8
"""Different answers that may wait for the worker; requests for the same answer share one job."""


class LabGame(Record):
    """A game that can be asked about, and how many decks its rulebook allows."""

    game: str
    title: Words
    heading: Words
    rules: str
    deck: str
    deck_cards: int
    decks: tuple[int, ...]
    default_decks: int
    # of each bet with a bonus, the least stake in cents at this floor's tables
    minimums: dict[str, int]


def game_row(game: Game, minimums: dict[str, int]) -> LabGame:
    return LabGame(
        game=game.id,
        title=game.title,
        heading=heading(game),
        rules=game.rules_id,
        deck=game.deck.id,
        deck_cards=len(game.deck),
        decks=tuple(game.decks),
        default_decks=game.default_decks,
        minimums=minimums,
    )


# Jobs for the worker, which may be another process


def _make_view(game: Game, decks: int) -> tuple[ParSheet, SheetView]:
    """Make both in one job: a second one would wait behind the page's other requests."""
    sheet = par_sheet(game, decks)
    return sheet, sheet_view(sheet)


def _make_edges(game: Game) -> EdgesView:
    return edges_view(game, [par_sheet(game, decks) for decks in game.decks])


def _make_removal(game: Game, decks: int) -> RemovalView:
    return removal_view(game, decks, removals(game, game.shoe(decks)))


def _make_method(game: Game, decks: int) -> MethodView:
    return method_view(par_sheet(game, decks))


def _make_pdf(game: Game, decks: int, stake: Fraction | None, made: date) -> bytes:
    return pdf(document(par_sheet(game, decks), stake=stake, made=made))


class Lab:
    """Answer questions from the event loop. The cache goes by digest: a changed game is another.

    A floor passes a `WorkerProcess`, so that no job shares an interpreter with wagers.
    """

    def __init__(self, worker: Executor | None = None) -> None:
        self._worker = worker or ThreadPoolExecutor(1, "lab")
        self._kept = dict[str, OrderedDict[Hashable, Any]]()  # by kind, least recently used first
        self._making = dict[Hashable, asyncio.Task[Any]]()
        self._one = asyncio.Semaphore(1)  # job at a time
        self._run = asyncio.Semaphore(1)  # simulation at a time; other jobs run in between

    async def sheet(
        self, game: Game, decks: int, *, stake_cents: int | None, minimums: dict[str, int]
    ) -> SheetView:
        make = partial(_make_view, game, decks)
        par, view = await self._answer("view", game, decks, make)
        bets = []
        for bet, odds in zip(view.bets, par.bets, strict=True):
            minimum = asked = None
            if bet.bonus and bet.bet in minimums:
                minimum = stake_view(odds, bet.results, minimums[bet.bet])
            if bet.bonus and stake_cents:
                asked = stake_view(odds, bet.results, stake_cents)
            bets.append(replace(bet, minimum=minimum, asked=asked))
        return replace(view, bets=tuple(bets))

    async def edges(self, game: Game) -> EdgesView:
        return await self._answer("edges", game, 0, partial(_make_edges, game))

    async def removal(self, game: Game, decks: int) -> RemovalView:
        return await self._answer("removal", game, decks, partial(_make_removal, game, decks))

    async def compare(self, games: Sequence[Game], decks: int, stake_cents: int) -> CompareView:
        """One sheet after the other, each cached: a comparison has one place in the queue."""
        sheets = {game.id: await self._par(game, decks) for game in games if decks in game.decks}
        return compare_view(games, sheets, decks, stake_cents)

    async def method(self, game: Game, decks: int) -> MethodView:
        return await self._answer("method", game, decks, partial(_make_method, game, decks))

    async def simulation(
        self, game: Game, decks: int, *, rounds: int, seed: int, cut: int | None
    ) -> Run:
        """The same question has the same counts. One run at a time; sheets have turns too."""
        job = job_for(game, decks, seed, cut_card=cut)
        sheet = await self._par(game, decks)
        asked = (decks, rounds, seed, cut)
        return await self._once(
            "simulation", game, asked, lambda: self._dealt(job, sheet, rounds, cut)
        )

    async def _dealt(self, job: Job, sheet: ParSheet, rounds: int, cut: int | None) -> Run:
        async with self._run:
            await asyncio.to_thread(compiled, job)
            began = time.perf_counter()
            tally = await dealt(job, shoes_for(rounds, job), self._in_turn)
            seconds = time.perf_counter() - began
        return simulated(
            sheet,
            tally,
            asked=rounds,
            seed=job.seed,
            cut=cut,
            seconds=seconds,
            made=datetime.now(UTC).date(),
        )

    async def as_json(self, game: Game, decks: int, stake_cents: int | None, *, made: date) -> str:
        stake = Fraction(stake_cents, 100) if stake_cents else None
        told = sheet_json(await self._par(game, decks), stake=stake, made=made)
        return json.dumps(told, ensure_ascii=False, indent=1) + "\n"

    async def as_csv(self, game: Game, decks: int, *, made: date) -> str:
        return sheet_csv(await self._par(game, decks), made=made)

    async def as_pdf(self, game: Game, decks: int, stake_cents: int | None, *, made: date) -> bytes:
        if not has("report"):
            raise ExtraNeeded(f"CSV and JSON are here; for a PDF {install('report')}")
        stake = Fraction(stake_cents, 100) if stake_cents else None
        make = partial(_make_pdf, game, decks, stake, made)
        return await self._answer("pdf", game, (decks, stake, made), make, most=KEPT_PDFS)

    async def _par(self, game: Game, decks: int) -> ParSheet:
        return await self._answer("par", game, decks, partial(par_sheet, game, decks))

    async def _answer(
        self, kind: str, game: Game, what: Hashable, make: Callable[[], T], *, most: int = KEPT
    ) -> T:
        """Answer by one job."""
        return await self._once(kind, game, what, lambda: self._in_turn(make), most=most)

    async def _once(
        self,
        kind: str,
        game: Game,
        what: Hashable,
        begin: Callable[[], Coroutine[Any, Any, T]],
        *,
        most: int = KEPT,
    ) -> T:
        """From the cache; or what is being made, waited for together; or made now, in its turn."""
        key = (kind, digest(game), what)
        kept = self._kept.setdefault(kind, OrderedDict())
        if key in kept:
            kept.move_to_end(key)
            found: T = kept[key]
            return found
        task = self._making.get(key)
        if task is None:
            if len(self._making) >= WAITING:
                raise LabIsBusy("the odds lab is busy; ask again in a few seconds")
            task = asyncio.create_task(begin())
            self._making[key] = task
            task.add_done_callback(lambda done: self._made(key, kept, done, most))
        made: T = await asyncio.shield(task)  # others wait for it too, and it is kept
        return made

    async def _in_turn(self, make: Callable[..., T], *arguments: object) -> T:
        loop = asyncio.get_running_loop()
        async with self._one:
            try:
                return await loop.run_in_executor(self._worker, make, *arguments)
            except BrokenExecutor:
                raise LabIsBusy("the odds lab was interrupted; ask again") from None

    def close(self) -> None:
        """End the worker, drop jobs that wait and give up those that run."""
        for task in self._making.values():
            task.cancel()
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _made(
        self, key: Hashable, kept: OrderedDict[Hashable, Any], done: asyncio.Task[Any], most: int
    ) -> None:
        del self._making[key]
        if done.cancelled() or done.exception() is not None:
            return
        kept[key] = done.result()
        while len(kept) > most:
            kept.popitem(last=False)
