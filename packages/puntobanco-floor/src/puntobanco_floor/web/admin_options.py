"""What an administrator chooses from: the games with limits to begin with, and the settings that
this node runs by.
"""

from __future__ import annotations

from dataclasses import fields

from puntobanco.base.words import Words
from puntobanco.rules.causes import STATED, TABLE_CAUSES
from puntobanco.rules.game import MAIN_BETS, Game
from puntobanco_floor.domain.events import Limits
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.service.patron_reviews import Choice
from puntobanco_floor.service.table_games import playable
from puntobanco_floor.settings import bounds_of
from puntobanco_floor.web.request import Asker, seen_by
from puntobanco_floor.web.routing import get
from puntobanco_proof.entry.record import Record

HIDDEN = frozenset({"database", "database_file", "keys", "heads", "tls_cert", "tls_key"})
"""Where things lie is nobody's business in a browser."""


class BetChoice(Record):
    bet: str
    title: Words
    step_cents: int  # stakes are a multiple of this, so that every line pays whole cents
    closable: bool  # whether it can be closed while others are open


class GameChoice(Record):
    game: str
    title: Words
    rules: str
    deck_cards: int
    fewest_decks: int
    most_decks: int
    default_decks: int
    shuffler: bool  # whether the rulebook has an electronic shuffler
    dealt_by: str  # "dealer" or "terminal": who calls the bets, by the rulebook
    bets: list[BetChoice]
    limits: Limits  # a place to start


class SettingView(Record):
    name: str
    value: str
    usual: str
    bounds: str
    help: str


def choice(game: Game) -> GameChoice:
    return GameChoice(
        game=game.id,
        title=game.title,
        rules=game.edition,
        deck_cards=len(game.deck),
        fewest_decks=game.decks[0],
        most_decks=game.decks[-1],
        default_decks=game.default_decks,
        shuffler=bool(game.basics.shuffler),
        dealt_by=game.announcements.by,
        limits=default_limits(game),
        bets=[
            BetChoice(
                bet=bet.id,
                title=bet.title,
                step_cents=bet.step_cents,
                closable=bet.id not in MAIN_BETS,
            )
            for bet in game.bets
        ],
    )


@get("/api/admin/games", summary="The games a table can be opened with, and limits to begin with")
async def list_games(request: Asker) -> list[GameChoice]:
    web = seen_by(request, "house")
    tables = web.floor.follower.states()
    games = [one.game for one in playable(tables[name] for name in sorted(tables))]
    known = {game.id for game in games}
    games += [one.game for one in await web.published.read_all() if one.game.id not in known]
    return [choice(game) for game in games]


@get(
    "/api/admin/settings",
    summary="The settings that this node runs by; where files lie is left out",
)
async def list_settings(request: Asker) -> list[SettingView]:
    held = seen_by(request, "house").floor.settings
    return [
        SettingView(
            name=spec.name,
            value=str(getattr(held, spec.name)),
            usual=str(spec.default),
            bounds=bounds_of(spec),
            help=spec.metadata["help"],
        )
        for spec in fields(held)
        if spec.name not in HIDDEN
    ]


@get(
    "/api/admin/causes",
    summary="Why a table or the floor is stopped, or a table closed, as patrons read it",
)
async def list_causes(request: Asker) -> list[Choice]:
    seen_by(request, "house")
    return [Choice(code=code, text=STATED[code]) for code in TABLE_CAUSES]
