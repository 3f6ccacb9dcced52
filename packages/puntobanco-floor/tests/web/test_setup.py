"""What an administrator chooses from: games with limits that can be paid, settings without the places of files."""

from dataclasses import fields

from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.events import Limits
from puntobanco_floor.domain.table.limits import verify_limits
from puntobanco_floor.settings import Settings
from puntobanco_floor.web.admin_options import HIDDEN, choice
from tests.support.served import Served, api, staff_tokens


def test_the_limits_that_a_game_begins_with_hold() -> None:
    for game in GAMES.values():
        found = choice(game)
        assert isinstance(found.limits, Limits)
        verify_limits(game, found.limits)
        assert [bet.bet for bet in found.bets] == [bet.id for bet in game.bets]
        assert found.fewest_decks <= found.default_decks <= found.most_decks


def test_games_and_settings_are_for_those_who_run_the_house(served: Served) -> None:
    tokens = staff_tokens(served, "ada", "dora")
    status, found = api(served, "GET", "/api/admin/games", tokens["ada"])
    assert (status, [game["game"] for game in found]) == (200, list(GAMES))
    status, found = api(served, "GET", "/api/admin/settings", tokens["ada"])
    assert status == 200
    assert {each["name"] for each in found} == {spec.name for spec in fields(Settings)} - HIDDEN
    for path in ("/api/admin/games", "/api/admin/settings"):
        assert api(served, "GET", path, tokens["dora"])[0] == 403
        assert api(served, "GET", path)[0] == 401
