"""One round of the story on every screen at once: they agree on every number, and axe finds nothing serious at any stage."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import serious_findings
from tests.browser.clerk import Clerk
from tests.browser.guest import Guest, money
from tests.support.served import Served, api, staff_tokens
from tools import story

WIDE, PHONE, WALL = (1280, 800), (390, 844), (1920, 1080)
AT = f"/tables/{story.TABLE}"
HANDS = ("player", "banker")


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("floor"), "--demo", "--guest-credits-cents", "245000")
    yield found
    found.stop()


class Round:
    """Two terminals, a display and the console, at a table that a dealer runs."""

    def __init__(self, guest_of: Callable[..., Guest], floor: Served) -> None:
        self.floor, self.tokens = floor, staff_tokens(floor)
        story.open_table(floor, self.tokens["ada"])
        story.play(floor, self.tokens["dora"], 6)
        self.patrons = [guest_of(floor, size) for size in (WIDE, PHONE)]
        for patron in self.patrons:
            patron.open(story.TABLE)
            patron.page.get_by_role("button", name="Take a seat").click()
            expect(patron.meter("credits")).to_have_text("$2,450.00")
        self.wall, self.console = guest_of(floor, WALL), Clerk(guest_of(floor, WIDE), "dora")
        self.wall.page.goto(f"{AT}/display")
        self.console.page.goto(f"/staff/dealer/{story.TABLE}")
        self.lobby, self.pit = guest_of(floor, WIDE), Clerk(guest_of(floor, (1440, 900)), "sam")
        self.lobby.page.goto("/")
        self.pit.page.goto("/staff/pit")

    @property
    def guests(self) -> list[Guest]:
        return [*self.patrons, self.wall, self.console.guest, self.lobby, self.pit.guest]

    @property
    def pages(self) -> dict[str, Page]:
        wide, phone = self.patrons
        return {
            "wide": wide.page,
            "phone": phone.page,
            "display": self.wall.page,
            "console": self.console.page,
        }

    def do(self, command: str, who: str = "dora", **fields: Any) -> Any:
        return story.do(self.floor, self.tokens[who], command, **fields)

    def table(self) -> dict[str, Any]:
        found: dict[str, Any] = api(self.floor, "GET", f"/api{AT}")[1]
        return found

    def agree(self) -> None:
        """Cards, totals, credits, wagers, roads and counts on every page are what the API says."""
        there = self.table()
        for name, page in self.pages.items():
            for code in there["cards"].values():
                expect(
                    page.locator(f"pb-card[code='{code}']").first, f"{name}: {code}"
                ).to_be_visible()
        for patron in self.patrons:
            own = patron.at(story.TABLE)
            staked = sum(own["wagers"].values()) or sum(line[2] for line in own["lines"])
            expect(patron.meter("credits")).to_have_text(money(own["balance_cents"]))
            expect(patron.meter("bet")).to_have_text(money(staked))
            for hand in HANDS:
                total = "–" if there[hand] is None else str(there[hand])
                expect(patron.page.locator(f"[data-total={hand}]")).to_have_text(total)
        wide = self.patrons[0].page.locator("pb-road[kind=big]").first
        wall = self.wall.page.locator("pb-road[kind=big]").first
        big = [list(cell) for cell in there["roads"]["big"]]
        for road in (wide, wall):
            expect(road).to_have_attribute("cells", _json(big))

    def looked_at(self, stage: str, *, also: bool = False) -> None:
        """`also` in the lobby and in the pit."""
        others = {"lobby": self.lobby.page, "pit": self.pit.page} if also else {}
        for name, page in (self.pages | others).items():
            assert serious_findings(page) == [], f"{stage}, {name}"


def _json(cells: list[Any]) -> Any:
    """However it is spaced."""
    inner = re.escape(json.dumps(cells, separators=(",", ":"))).replace(",", r",\s*")
    return re.compile(rf"^{inner}$")


@pytest.mark.slice
def test_a_round_is_the_same_on_every_screen_and_everybody_can_read_it(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    round_ = Round(guest_of, floor)
    round_.do("open-bets")
    for patron in round_.patrons:
        for bet, cents in story.WAGERS.items():
            for chip in (10_000, 2_500, 500):
                while cents >= chip:
                    patron.page.locator(f"[data-act=chip][data-cents='{chip}']").click()
                    patron.spot(bet).click()
                    cents -= chip  # noqa: PLW2901 - what is still to be put down
        patron.answered()
    round_.agree()
    expect(round_.console.page.get_by_text("$470").first).to_be_visible()  # two patrons, $235 each
    round_.patrons[0].page.locator("[data-act=chip]").last.click()
    round_.patrons[0].spot("element-bonus").click()
    expect(round_.patrons[0].page.locator(".hint")).to_contain_text("50")
    round_.looked_at("betting, one wager refused", also=True)

    round_.do("close-bets")
    for card in story.CARDS.split():
        round_.do("enter-card", card=card)
        round_.agree()
        if card == "Lf":
            round_.looked_at(f"dealing {card}")
    round_.do("settle")
    round_.agree()
    for patron in round_.patrons:
        expect(patron.meter("win")).to_have_text("+$395.00")
        expect(patron.meter("credits")).to_have_text("$2,845.00")
        outcomes = {bet: patron.spot(bet).get_attribute("data-outcome") for bet in story.WAGERS}
        assert outcomes == {
            "banker": "wins",
            "tie": "loses",
            "banker-pair": "wins",
            "fortune-six": "wins",
            "element-bonus": "loses",
        }
    round_.looked_at("settled")

    round_.do("open-bets")
    round_.patrons[0].page.locator("[data-act=rebet]").click()
    round_.patrons[0].has("banker", 20_000)
    round_.do("close-bets")
    round_.do("enter-card", card="3w")
    round_.do("declare-irregularity", ground="foreign-card")
    for name, page in round_.pages.items():
        expect(page.get_by_text("paused").first, name).to_be_visible()
    round_.looked_at("stopped")
    proposal = round_.do("void-round")["proposal"]
    expect(round_.console.page.get_by_text("second person").first).to_be_visible()
    round_.looked_at("waiting for a second person", also=True)
    round_.do("approve", "sam", proposal=proposal)
    expect(round_.patrons[0].page.get_by_role("alertdialog")).to_contain_text("$235")
    expect(round_.patrons[0].meter("credits")).to_have_text("$2,845.00")
    expect(round_.wall.page.get_by_text("void").first).to_be_visible()
    round_.looked_at("void")
    round_.do("end-shoe", "sam")
    expect(round_.patrons[1].page.get_by_text("shoe").first).to_be_visible()
    round_.looked_at("a new shoe is due")

    for one in round_.guests:
        one.server_may_go = True
    floor.kill()
    for name in ("wide", "phone"):
        expect(round_.pages[name].locator(".now").first).to_contain_text("Reconnecting")
    expect(round_.wall.page.get_by_text("not current").first).to_be_visible()
    round_.looked_at("the server is gone", also=True)
