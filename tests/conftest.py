"""Fixtures and settings for all tests."""

import pytest
from hypothesis import HealthCheck, settings

from puntobanco import GAMES, Game

settings.register_profile("puntobanco", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("puntobanco")


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    """Each of the five games in turn."""
    return GAMES[request.param]
