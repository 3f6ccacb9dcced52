"""The odds lab over HTTP: fresh shoes, exact and simulated, with charts' figures and downloads.
Never a live shoe.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Annotated

import msgspec

from puntobanco.base.extras import has, has_numba
from puntobanco.rules.game import Game
from puntobanco.rules.shoe import MAX_SHOE_CARDS
from puntobanco.sim.run import MAX_SEED
from puntobanco_floor.domain.events import Cards
from puntobanco_floor.lab.comparison import CompareView
from puntobanco_floor.lab.lab_queue import Lab, LabGame, game_row
from puntobanco_floor.lab.lab_simulation import (
    CHOICES,
    LEAST_ROUNDS,
    MOST_PUBLIC_ROUNDS,
    MOST_ROUNDS,
    Bounds,
    Run,
    SimulationView,
)
from puntobanco_floor.lab.refusals import NotPlayedHere, TooManyRounds
from puntobanco_floor.lab.sheets import EdgesView, MethodView, RemovalView, SheetView
from puntobanco_floor.service.table_games import playable
from puntobanco_floor.web.context import Web, get_web
from puntobanco_floor.web.pages import send_download, send_page
from puntobanco_floor.web.request import Asker, read_person, verify_rate
from puntobanco_floor.web.routing import NotFoundException, Response, get
from puntobanco_proof.entry.record import Record

GameId = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$(?!\n)", max_length=64)]
Decks = Annotated[int, msgspec.Meta(ge=1, le=MAX_SHOE_CARDS // 52)]
StakeCents = Annotated[int, msgspec.Meta(ge=1, le=100_000_000)] | None
Stake = Annotated[int, msgspec.Meta(ge=1, le=100_000_000)]
Rounds = Annotated[int, msgspec.Meta(ge=LEAST_ROUNDS, le=MOST_ROUNDS)]
Seed = Annotated[
    str, msgspec.Meta(pattern=r"^[0-9]{1,20}$(?!\n)", max_length=20)
]  # 64 bits, as text
Cut = Annotated[int, msgspec.Meta(ge=1, le=MAX_SHOE_CARDS)] | None
DEFAULT_STAKE_CENTS = 1_000
_PATH = "/api/odds/games/{game:str}"
_SHEET = f"{_PATH}/decks/{{decks:int}}"


class LabGames(Record):
    """What the lab can be asked about; whether it is open to the public, can make PDFs, can
    simulate, and how much.
    """

    public: bool
    pdf: bool
    simulates: bool
    simulation: Bounds
    games: list[LabGame]


def verify_open(web: Web) -> None:
    if web.floor.settings.odds_lab == "off":
        raise NotFoundException("there is no odds lab here")


def _lab(request: Asker) -> Lab:
    web = get_web(request)
    verify_open(web)
    verify_rate(request, web.limits.odds)
    if web.floor.settings.odds_lab == "staff":
        read_person(request)
    return web.lab


def _games(web: Web) -> dict[str, Game]:
    """The built-in games, and those of designers that this floor's tables play."""
    tables = web.floor.follower.states()
    found = playable(tables[name] for name in sorted(tables))
    return {one.game.id: one.game for one in found}


def _minimums(web: Web, game: Game) -> dict[str, int]:
    """Of each bet with a bonus, the least that a table of this floor takes."""
    found = dict[str, int]()
    for state in web.floor.follower.states().values():
        limits = state.limits
        if state.game is None or limits is None or state.phase == "down":
            continue
        if state.game.id != game.id:
            continue
        for bet in game.bets:
            if not bet.bonus:
                continue
            own = limits.bets[bet.id]
            if not own.closed:
                least = found.get(bet.id, own.min_cents)
                found[bet.id] = min(least, own.min_cents)
    return found


def _named(request: Asker, id_: str) -> Game:
    game = _games(get_web(request)).get(id_)
    if game is None:
        raise NotPlayedHere(f"there is no game {id_} on this floor")
    return game


def _asked(request: Asker, game: str, decks: int) -> tuple[Lab, Game]:
    """Who may ask, about a game of this floor; what its rulebook does not allow is refused before
    it is computed.
    """
    lab = _lab(request)
    played = _named(request, game)
    played.shoe(decks)
    return lab, played


def _bounds(web: Web) -> Bounds:
    most = MOST_PUBLIC_ROUNDS if web.floor.settings.odds_lab == "public" else MOST_ROUNDS
    choices = tuple(rounds for rounds in CHOICES if rounds <= most)
    return Bounds(
        least_rounds=LEAST_ROUNDS,
        most_rounds=most,
        choices=choices,
        most_seed=str(MAX_SEED),
        table_cut=Cards().cut,
    )


@get("/odds", include_in_schema=False)
async def page(request: Asker) -> Response[bytes]:
    verify_open(get_web(request))
    return send_page(request, "odds")


@get("/api/odds/games", summary="The games of the odds lab and the decks that each allows")
async def games(request: Asker) -> LabGames:
    _lab(request)
    web = get_web(request)
    rows = [game_row(game, _minimums(web, game)) for game in _games(web).values()]
    public = web.floor.settings.odds_lab == "public"
    return LabGames(
        public=public,
        pdf=has("report"),
        simulates=has_numba(),
        simulation=_bounds(web),
        games=rows,
    )


@get(f"{_PATH}/edges", summary="House edge of every bet by number of decks")
async def edges(request: Asker, game: GameId) -> EdgesView:
    return await _lab(request).edges(_named(request, game))


@get("/api/odds/compare", summary="Every game of the floor side by side at one number of decks")
async def compare(
    request: Asker, decks: Decks, stake_cents: Stake = DEFAULT_STAKE_CENTS
) -> CompareView:
    lab = _lab(request)
    games = _games(get_web(request))
    return await lab.compare(list(games.values()), decks, stake_cents)


@get(_SHEET, summary="The par sheet of a fresh shoe: every bet, every result, exact")
async def sheet(
    request: Asker, game: GameId, decks: Decks, stake_cents: StakeCents = None
) -> SheetView:
    lab, played = _asked(request, game, decks)
    minimums = _minimums(get_web(request), played)
    return await lab.sheet(played, decks, stake_cents=stake_cents, minimums=minimums)


@get(f"{_SHEET}/removal", summary="What one card less of each kind does to every bet")
async def removal(request: Asker, game: GameId, decks: Decks) -> RemovalView:
    lab, played = _asked(request, game, decks)
    return await lab.removal(played, decks)


@get(
    f"{_SHEET}/method",
    summary="How the figures are made: a sum in full, rulebook, clauses, readings",
)
async def method(request: Asker, game: GameId, decks: Decks) -> MethodView:
    lab, played = _asked(request, game, decks)
    return await lab.method(played, decks)


@get(
    f"{_SHEET}/simulation",
    summary="Whole shoes dealt by the simulator, judged against the exact odds",
)
async def simulation(
    request: Asker,
    game: GameId,
    decks: Decks,
    rounds: Rounds = MOST_PUBLIC_ROUNDS,
    seed: Seed = "1",
    cut: Cut = None,
) -> SimulationView:
    return (await _simulated(request, game, decks, rounds, seed, cut)).view


@get(f"{_SHEET}/simulation/json", summary="The same as a file, as the command line has it")
async def simulation_as_json(
    request: Asker,
    game: GameId,
    decks: Decks,
    rounds: Rounds = MOST_PUBLIC_ROUNDS,
    seed: Seed = "1",
    cut: Cut = None,
) -> Response[str]:
    found = await _simulated(request, game, decks, rounds, seed, cut)
    text = json.dumps(found.file, ensure_ascii=False, indent=1) + "\n"
    return send_download(
        text, f"simulation-{game}-{decks}-decks-seed-{int(seed)}.json", "application/json"
    )


async def _simulated(
    request: Asker, game: str, decks: int, rounds: int, seed: str, cut: int | None
) -> Run:
    lab, played = _asked(request, game, decks)
    most = _bounds(get_web(request)).most_rounds
    if rounds > most:
        raise TooManyRounds(f"a run in this lab is {most:,} rounds at most, not {rounds:,}")
    return await lab.simulation(played, decks, rounds=rounds, seed=int(seed), cut=cut)


@get(f"{_SHEET}/json", summary="The par sheet as a file")
async def sheet_as_json(
    request: Asker, game: GameId, decks: Decks, stake_cents: StakeCents = None
) -> Response[str]:
    lab, played = _asked(request, game, decks)
    text = await lab.as_json(played, decks, stake_cents, made=_today(request))
    return send_download(text, _par(game, decks, "json"), "application/json")


@get(f"{_SHEET}/csv", summary="The same as CSV", media_type="text/csv")
async def sheet_as_csv(request: Asker, game: GameId, decks: Decks) -> Response[str]:
    lab, played = _asked(request, game, decks)
    return send_download(
        await lab.as_csv(played, decks, made=_today(request)), _par(game, decks, "csv"), "text/csv"
    )


@get(
    f"{_SHEET}/pdf",
    summary="The same as a PDF, where the extra `report` is installed",
    media_type="application/pdf",
)
async def sheet_as_pdf(
    request: Asker, game: GameId, decks: Decks, stake_cents: StakeCents = None
) -> Response[bytes]:
    lab, played = _asked(request, game, decks)
    data = await lab.as_pdf(played, decks, stake_cents, made=_today(request))
    return send_download(data, _par(game, decks, "pdf"), "application/pdf")


def _today(request: Asker) -> date:
    now_ms = get_web(request).now_ms()
    return datetime.fromtimestamp(now_ms / 1000, UTC).date()


def _par(game: str, decks: int, ending: str) -> str:
    return f"par-{game}-{decks}-decks.{ending}"
