"""A story for screens: a 6 Star table that a dealer runs, a shoe half played, and the round that the pictures show.

Banker wins with a six of three cards and a pair: five wagers, three of which win.
"""

import random
import time
from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Page, expect

from puntobanco.rules.cards import code
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.round import Round
from tests.browser.guest import answered
from tests.support.served import Served, api, asked

TABLE = 7
CARDS = "3w Lg 2e Lf 9a 6f"
TIE = "4e Ta 2w 6g"
WAGERS = {
    "banker": 20_000,
    "tie": 1_000,
    "banker-pair": 1_000,
    "fortune-six": 1_000,
    "element-bonus": 500,
}
LIMITS = {
    "player": (2_500, 500_000),
    "banker": (2_500, 500_000),
    "tie": (500, 50_000),
    "player-pair": (500, 50_000),
    "banker-pair": (500, 50_000),
    "fortune-six": (500, 30_000),
    "element-bonus": (500, 5_000),
}


def do(served: Served, token: str, command: str, table: int = TABLE, **fields: Any) -> Any:
    status, answer = asked(served, token, f"story-{time.monotonic_ns()}", command, table, **fields)
    assert (status, answer["ok"]) == (200, True), (command, fields, answer)
    return answer


def open_table(
    served: Served, token: str, game: str = "six-star", table: int = TABLE, squeeze_ms: int = 0
) -> None:
    """By an administrator, with a shoe of a dealer's cards."""
    body: dict[str, Any] = {"number": table, "game": game, "physical": True}
    body["clock"] = {"squeeze_ms": squeeze_ms}
    if game == "six-star":
        bets = {
            bet: {"min_cents": low, "max_cents": high, "step_cents": 100}
            for bet, (low, high) in LIMITS.items()
        }
        body["limits"] = {
            "bets": bets,
            "patron_max_cents": 2_000_000,
            "exposure_max_cents": 500_000_000,
        }
    status, answer = api(served, "POST", "/api/admin/tables", token, body)
    assert status == 201, answer


def deal(served: Served, dealer: str, cards: str | Iterable[str], table: int = TABLE) -> None:
    for card in cards.split() if isinstance(cards, str) else cards:
        do(served, dealer, "enter-card", table, card=card)


def play(
    served: Served, dealer: str, rounds: int, *, game: Game = GAMES["six-star"], table: int = TABLE
) -> None:
    """So many rounds of one shoe, always the same ones."""
    left = [card for card in game.deck.cards for _ in range(8)]
    random.Random(214).shuffle(left)
    for _ in range(rounds):
        do(served, dealer, "open-bets", table)
        do(served, dealer, "close-bets", table)
        round_ = Round.start(game, 8)
        while not round_.is_complete:
            card = left.pop()
            round_ = round_.deal(card)
            do(served, dealer, "enter-card", table, card=code(card))
        do(served, dealer, "settle", table)


# A patron in front of a terminal, for pictures: a seat, and wagers with the chips of the tray


def sit(page: Page) -> None:
    page.locator("[data-act=seat]").first.click()
    expect(page.locator("[data-meter=credits]")).not_to_have_text("–")


def bet(page: Page, wagers: dict[str, int]) -> None:
    """With the chips that are there, the largest first."""
    page.locator("[data-act=chip]").first.wait_for()
    chips = [
        int(chip.get_attribute("data-cents") or 0) for chip in page.locator("[data-cents]").all()
    ]
    for spot, cents in wagers.items():
        left = cents
        for chip in sorted(set(chips), reverse=True):
            while left >= chip:
                page.locator(f"[data-act=chip][data-cents='{chip}']").click()
                page.locator(f"[data-bet='{spot}']").click()
                left -= chip
        assert not left, f"no chips for {spot}"
    answered(page)
