"""The overhead display in a real browser: it agrees with the API on every number, through rounds that a dealer deals."""

import json
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.guest import CHIP_CENTS, Guest
from tests.support.patience import PATIENCE_S
from tests.support.served import Served, asked, staff_tokens, with_new_table

WALL = (1920, 1080)
ANNOUNCED = {"betting": "announce_open", "closed": "announce_close", "dealing": "announce_close"}

# All that the display shows, at one moment.
_LOOK = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const text = (selector) => document.querySelector(selector)?.innerText.trim().replace(/\\s+/g, " ") ?? "";
  const cards = (side) => all(`.side.${side} pb-card`).map((card) => card.getAttribute("code"));
  return {
    head: text(".gm"), said: text(".st p"), middle: text(".res"), rule: text(".res .clause"),
    player_cards: cards("p"), banker_cards: cards("b"),
    totals: Object.fromEntries(all("[data-total]").map((x) => [x.dataset.total, x.textContent])),
    counts: Object.fromEntries(all("[data-count]").map((x) => [x.dataset.count, parseInt(x.textContent, 10)])),
    roads: Object.fromEntries(all("pb-road").map((x) => [x.getAttribute("kind"), JSON.parse(x.getAttribute("cells"))])),
    drawn: all("pb-road[kind=bead] svg text").map((x) => x.textContent).join(""),
  };
}"""


# The page drawn anew with another view; how far its texts then are from those beside them.
_GAPS = """async ({ lang, ...view }) => {
  const [{ page }, { reduce, start }, { patch }] = await Promise.all(
    ["display/view", "display/reduce", "base/dom"].map((name) => import(new URL(`../${name}.js`, document.querySelector("script").src))));
  const drawn = document.createElement("div");
  drawn.id = "display";
  document.getElementById("display").replaceWith(drawn);
  patch(drawn, page(reduce(start({ table: 1, lang }), { t: "view", view, at: 1 })));
  await new Promise((done) => requestAnimationFrame(done));
  const span = (selector) => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(selector));
    const boxes = [...range.getClientRects()].filter((box) => box.width);
    return [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))];
  };
  const shown = document.querySelector(".gm>div").getBoundingClientRect().right; // beyond it the title is cut
  const [said, limits] = [span(".st"), span(".lm")];
  return [said[0] - Math.max(span(".gm small")[1], Math.min(span(".gm h1")[1], shown)), limits[0] - said[1]];
}"""
LEAST_GAP = 24


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("display"))
    yield found
    found.stop()


@pytest.fixture
def floor(served: Served) -> Served:
    """A table for each test."""
    return with_new_table(served)


def page_of(floor: Served) -> str:
    return f"/tables/{floor.table}/display"


def dealer(floor: Served) -> Callable[..., None]:
    """The dealer at work, logged in once: `deal("open-bets", "9s")` gives commands, and cards by their codes."""
    dora = staff_tokens(floor, "dora")["dora"]

    def deal(*steps: str) -> None:
        for step in steps:
            command, fields = ("enter-card", {"card": step}) if len(step) == 2 else (step, {})
            id_ = f"{step}-{time.monotonic_ns()}"
            status, answer = asked(floor, dora, id_, command, floor.table, **fields)
            assert (status, answer["ok"]) == (200, True), answer

    return deal


def shown(guest: Guest) -> dict[str, Any]:
    found: dict[str, Any] = guest.page.evaluate(_LOOK)
    return found


def agrees(guest: Guest, *, past: bool = False) -> dict[str, Any]:
    """Waits until the display shows the table as the API has it now, number for number. What it then shows."""
    there = guest.api(f"/api/tables/{guest.floor.table}")
    cards = there["cards"]
    expected = {
        "player_cards": sorted(code for slot, code in cards.items() if slot[0] == "p"),
        "banker_cards": sorted(code for slot, code in cards.items() if slot[0] == "b"),
        "totals": {
            side: "–" if there[side] is None else str(there[side]) for side in ("player", "banker")
        },
        "counts": there["counts"],
        "roads": there["roads"],
        "drawn": "".join(
            {"B": "莊", "P": "閒", "T": "和"}[result[0]] for result in there["results"]
        ),
    }
    if there["phase"] in ANNOUNCED:
        expected["said"] = there[ANNOUNCED[there["phase"]]]
    if there["phase"] == "dealing":
        expected["rule"] = f"clause {there['next']['clause']}" if len(cards) >= 4 else ""
    if past:
        for name in ("player_cards", "banker_cards", "totals"):
            del expected[name]
    until = time.monotonic() + PATIENCE_S
    while True:
        found = shown(guest)
        seen = {
            name: sorted(found[name]) if name.endswith("cards") else found[name]
            for name in expected
        }
        if seen == expected:
            assert (
                f"Table {guest.floor.table} · Shoe {there['shoe']} · Round {there['round']}"
                in found["head"]
            )
            return found
        assert time.monotonic() < until, (seen, expected)
        guest.page.wait_for_timeout(50)


def test_a_display_agrees_with_the_table_through_rounds_that_a_dealer_deals(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    wall, deal = guest_of(floor, WALL), dealer(floor)
    deal("open-bets")
    wall.page.goto(page_of(floor))
    agrees(wall)
    root = "document.documentElement"
    assert wall.page.evaluate(f"[{root}.scrollWidth, {root}.scrollHeight]") == [*WALL]
    deal("close-bets")
    agrees(wall)
    for card, middle in [
        ("3s", "Cards are dealt"),
        ("Kh", "Player 3, Banker 0"),
        ("2d", "Player 5, Banker 0"),
        ("Kc", "Player 5, Banker 0 Player has 5 and draws"),
        ("9c", "Player 4, Banker 0 Banker has 0 against Player's third card worth 9: draws"),
        ("6h", "Player 4, Banker 6 Both hands are finished"),
    ]:
        deal(card)
        found = agrees(wall)
        assert found["middle"].removesuffix(found["rule"]).strip() == middle
    deal("settle")
    agrees(wall)
    assert wall.page.locator(".res p").all_inner_texts() == [
        "",
        "莊贏",
        "BANKER",
        "wins, 6 over 4",
        "Six on three cards\nBanker Pair",
    ]
    expect(wall.page.get_by_role("status")).to_contain_text("Banker wins, 6 over 4")

    deal("open-bets")  # the last result stays, labelled
    expect(wall.page.locator(".res .eyebrow")).to_have_text(
        f"Last result, round {round_of(wall) - 1}"
    )
    found = agrees(wall, past=True)
    assert (found["player_cards"], found["totals"]) == (
        ["9c", "3s", "2d"],
        {"player": "4", "banker": "6"},
    )
    wall.page.get_by_role("button", name="繁體中文").click()
    expect(wall.page.locator(".st p")).to_contain_text("請投注")
    expect(wall.page.locator(".res .w")).to_have_text("莊贏")
    expect(wall.page.locator("html")).to_have_attribute("lang", "zh-Hant")
    wall.page.goto(
        f"{page_of(floor)}?lang=en"
    )  # a screen without keys has its language in its address

    deal("close-bets", "9s", "2h", "Ts", "4c", "settle")
    found = agrees(wall)
    assert "Natural 9" in found["middle"]
    assert (found["counts"]["natural"], found["counts"]["void"]) == (1, 0)


def round_of(guest: Guest) -> int:
    return int(guest.api(f"/api/tables/{guest.floor.table}")["round"])


def test_a_stop_and_a_void_round_name_their_clause_and_leave_the_roads(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    wall, staff = guest_of(floor, WALL), staff_tokens(floor, "dora", "sam", "sue")
    wall.page.goto(page_of(floor))
    dealer(floor)("open-bets", "close-bets", "9s", "2h")
    before = agrees(wall)
    assert asked(
        floor, staff["dora"], "display-stop", "declare-irregularity", ground="foreign-card"
    )[1]["ok"]
    expect(wall.page.locator(".said .hd")).to_have_text("Play is paused")
    clause = wall.api(f"/api/tables/{floor.table}")["stop"]["clause"]
    expect(wall.page.locator(".said .clause")).to_have_text(f"clause {clause}")
    agrees(wall)
    proposal = asked(floor, staff["sam"], "display-void", "void-round")[1]["proposal"]
    assert asked(floor, staff["sue"], "display-yes", "approve", proposal=proposal)[1]["ok"]
    expect(wall.page.locator(".said .hd")).to_have_text(f"Round {round_of(wall)} void")
    expect(
        wall.page.get_by_text("All wagers of this round are returned", exact=True)
    ).to_be_visible()
    expect(wall.page.locator(".said .clause")).to_have_text(f"clause {clause}")
    after = agrees(wall)
    assert after["roads"] == before["roads"]
    assert after["counts"] == before["counts"] | {"void": before["counts"]["void"] + 1}


@pytest.mark.parametrize("size", [(960, 540), (390, 844)])
def test_a_zoomed_display_scrolls_and_cuts_nothing(
    guest_of: Callable[..., Guest], floor: Served, size: tuple[int, int]
) -> None:
    """1920 x 1080 at 200 % is 960 x 540."""
    wall = guest_of(floor, size)
    wall.page.goto(page_of(floor))
    expect(wall.page.locator("pb-road svg")).to_have_count(5)
    assert wall.fits()
    assert wall.page.evaluate("getComputedStyle(document.body).overflowY") != "hidden"


def test_a_display_without_its_floor_says_that_it_is_not_current(
    guest_of: Callable[..., Guest], tmp_path: Path
) -> None:
    floor = Served(tmp_path)
    try:
        wall = guest_of(floor, WALL)
        wall.page.goto(page_of(floor))
        expect(wall.page.locator(".gm")).to_contain_text("Fortune Six")
        wall.page.wait_for_load_state("networkidle")
        wall.server_may_go = True
        floor.kill()
        expect(wall.page.get_by_role("alert")).to_contain_text("Display not current")
        expect(wall.page.locator(".st p")).to_have_count(0)
        floor.start()
        dealer(floor)("open-bets")
        expect(wall.page.get_by_role("alert")).to_have_count(0)
        agrees(wall)
    finally:
        floor.stop()


def test_a_floor_that_falls_silent_without_a_word_is_noticed_and_found_again(
    guest_of: Callable[..., Guest], tmp_path: Path
) -> None:
    """As where a cable is pulled: no socket closes, and nothing comes any more."""
    floor = Served(tmp_path)
    try:
        wall, patron = guest_of(floor, WALL), guest_of(floor, (1280, 800))
        wall.server_may_go = patron.server_may_go = True
        wall.page.goto(page_of(floor))
        patron.sit(floor.table)
        expect(wall.page.locator(".gm")).to_contain_text("Fortune Six")
        floor.process.send_signal(signal.SIGSTOP)
        expect(wall.page.get_by_role("alert")).to_contain_text("Display not current")
        expect(patron.page.locator(".now").first).to_contain_text("Reconnecting")
        floor.process.send_signal(signal.SIGCONT)
        expect(wall.page.get_by_role("alert")).to_have_count(0)
        dealer(floor)("open-bets")
        agrees(wall)
        patron.spot("banker").click()
        patron.has("banker", CHIP_CENTS)
    finally:
        floor.process.send_signal(signal.SIGCONT)
        floor.stop()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_two_parts_of_the_header_touch(
    guest_of: Callable[..., Guest], floor: Served, lang: str
) -> None:
    """The longest names, and numbers as long as they get in a year of play."""
    long = {"number": 112, "shoe": 3214, "round": 120_538, "decks": 10, "demo": True}
    for table in range(1, 7):
        wall = guest_of(floor, WALL)
        wall.page.goto(f"/tables/{table}/display?lang={lang}")
        expect(wall.page.locator(".gm h1 .second")).to_be_visible()
        view = wall.api(f"/api/tables/{table}") | long
        for changes in (
            {"phase": "betting", "closes_at": 2**41},
            {"phase": "waiting", "cards": {}},
            {"phase": "dealing"},
        ):
            gaps = wall.page.evaluate(_GAPS, {**view, **changes, "lang": lang})
            assert min(gaps) >= LEAST_GAP, (table, changes, gaps)


def test_after_a_restart_the_last_result_is_told_whole(
    guest_of: Callable[..., Guest], tmp_path: Path
) -> None:
    floor = Served(tmp_path)
    try:
        dealer(floor)("open-bets", "close-bets", "9s", "2h", "Ts", "4c", "settle", "open-bets")
        floor.kill()
        floor.start()
        wall = guest_of(floor, WALL)
        wall.page.goto(page_of(floor))
        expect(wall.page.locator(".res .eyebrow")).to_have_text("Last result, round 1")
        expect(wall.page.locator(".res .sc")).to_have_text("won, 9 over 6")
        # the result says them; no total stands over places that are empty
        assert shown(wall)["totals"] == {"player": "–", "banker": "–"}
        assert agrees(wall, past=True)["counts"]["natural"] == 1
        wall.server_may_go = True
    finally:
        floor.stop()


def test_what_a_display_is_sent_is_only_the_public_view(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    wall = guest_of(floor, WALL)
    frames = list[str]()
    wall.page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda data: frames.append(str(data))),
    )
    wall.page.goto(page_of(floor))
    expect(wall.page.locator(".gm")).to_contain_text("Fortune Six")
    [first, *_] = [json.loads(frame) for frame in frames]
    assert first["view"].keys() == wall.api(f"/api/tables/{floor.table}").keys()
