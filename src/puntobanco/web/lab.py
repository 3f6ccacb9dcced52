"""The odds lab over HTTP: par sheets of fresh shoes, exact, with charts' figures and downloads. Never a live shoe."""

from __future__ import annotations

from typing import Annotated, TypeVar

from litestar import Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import Parameter

from puntobanco.events import Record
from puntobanco.floor.lab.removed import RemovalView
from puntobanco.floor.lab.sheets import EdgesView, SheetView
from puntobanco.floor.lab.work import GameRow, Lab, NotPlayedHere, game_row, has_reports
from puntobanco.floor.service import Floor
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.shoe import MAX_SHOE_CARDS
from puntobanco.web.asking import Asker, floor_of
from puntobanco.web.pages import page_of
from puntobanco.web.problems import too_many
from puntobanco.web.safety import address_of
from puntobanco.web.staff import person_of

Body = TypeVar("Body", str, bytes)
GameId = Annotated[str, Parameter(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$(?!\n)", max_length=64)]
Decks = Annotated[int, Parameter(ge=1, le=MAX_SHOE_CARDS // 52)]
StakeCents = Annotated[int | None, Parameter(ge=1, le=100_000_000)]
_PATH = "/api/odds/games/{game:str}"
_SHEET = f"{_PATH}/decks/{{decks:int}}"


class LabGames(Record):
    """What the lab can be asked about; whether it is open to the public, and whether it can make PDFs."""

    public: bool
    pdf: bool
    games: list[GameRow]


def verify_open(floor: Floor) -> None:
    if floor.settings.odds_lab == "off":
        raise NotFoundException("there is no odds lab here")


def _lab(request: Asker, state: State) -> Lab:
    floor = floor_of(state)
    verify_open(floor)
    if not state.odds_asked.take(address_of(request)):
        raise too_many("questions")
    if floor.settings.odds_lab == "staff":
        person_of(request)
    lab: Lab = state.lab
    return lab


def _games(floor: Floor) -> dict[str, Game]:
    """The built-in games, and those of designers that this floor's tables play."""
    played = [stream.state.game for _, stream in sorted(floor.streams.items())]
    return {**GAMES, **{game.id: game for game in played if game is not None and game.id not in GAMES}}


def _minimums(floor: Floor, game: Game) -> dict[str, int]:
    """Of each bet with a bonus, the least that a table of this floor takes."""
    found = dict[str, int]()
    for state in (stream.state for stream in floor.streams.values()):
        if state.game is None or state.game.id != game.id or state.limits is None or state.phase == "down":
            continue
        for bet in game.bets:
            if bet.bonus:
                least = state.limits.bets[bet.id].min_cents
                found[bet.id] = min(least, found.get(bet.id, least))
    return found


def _named(state: State, id_: str) -> Game:
    game = _games(floor_of(state)).get(id_)
    if game is None:
        raise NotPlayedHere(f"there is no game {id_} on this floor")
    return game


@get("/odds", include_in_schema=False)
async def page(request: Asker, state: State) -> Response[bytes]:
    verify_open(floor_of(state))
    return page_of(request, "odds")


@get("/api/odds/games", summary="The games of the odds lab and the decks that each allows")
async def games(request: Asker, state: State) -> LabGames:
    _lab(request, state)
    floor = floor_of(state)
    rows = [game_row(game, _minimums(floor, game)) for game in _games(floor).values()]
    return LabGames(public=floor.settings.odds_lab == "public", pdf=has_reports(), games=rows)


@get(f"{_PATH}/edges", summary="House edge of every bet by number of decks")
async def edges(request: Asker, state: State, game: GameId) -> EdgesView:
    return await _lab(request, state).edges(_named(state, game))


@get(_SHEET, summary="The par sheet of a fresh shoe: every bet, every result, exact")
async def sheet(request: Asker, state: State, game: GameId, decks: Decks, stake_cents: StakeCents = None) -> SheetView:
    lab, played = _lab(request, state), _named(state, game)
    played.shoe(decks)  # refuses what the rulebook does not allow, before anything is computed
    return await lab.sheet(played, decks, stake_cents=stake_cents, minimums=_minimums(floor_of(state), played))


@get(f"{_SHEET}/removal", summary="What one card less of each kind does to every bet")
async def removal(request: Asker, state: State, game: GameId, decks: Decks) -> RemovalView:
    lab, played = _lab(request, state), _named(state, game)
    played.shoe(decks)
    return await lab.removal(played, decks)


@get(f"{_SHEET}/json", summary="The par sheet as a file")
async def sheet_as_json(
    request: Asker, state: State, game: GameId, decks: Decks, stake_cents: StakeCents = None
) -> Response[str]:
    lab, played = _lab(request, state), _named(state, game)
    played.shoe(decks)
    return _file(await lab.as_json(played, decks, stake_cents), played, decks, "json", "application/json")


@get(f"{_SHEET}/csv", summary="The same as CSV", media_type="text/csv")
async def sheet_as_csv(request: Asker, state: State, game: GameId, decks: Decks) -> Response[str]:
    lab, played = _lab(request, state), _named(state, game)
    played.shoe(decks)
    return _file(await lab.as_csv(played, decks), played, decks, "csv", "text/csv")


@get(f"{_SHEET}/pdf", summary="The same as a PDF, where the extra `report` is installed", media_type="application/pdf")
async def sheet_as_pdf(
    request: Asker, state: State, game: GameId, decks: Decks, stake_cents: StakeCents = None
) -> Response[bytes]:
    lab, played = _lab(request, state), _named(state, game)
    played.shoe(decks)
    return _file(await lab.as_pdf(played, decks, stake_cents), played, decks, "pdf", "application/pdf")


def _file(content: Body, game: Game, decks: int, ending: str, kind: str) -> Response[Body]:
    name = f"par-{game.id}-{decks}-decks.{ending}"
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


HANDLERS = [page, games, edges, sheet, removal, sheet_as_json, sheet_as_csv, sheet_as_pdf]
