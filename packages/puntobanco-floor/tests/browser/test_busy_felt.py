"""A felt with ten side bets and long words: nothing lies over anything else, on any screen; nothing is said twice."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.busy_game import GAME
from tests.browser.guest import Guest, turned
from tests.browser.test_terminal import deal
from tests.support.served import Served, api, staff_tokens

SIZES = ((1024, 768), (1280, 800), (1920, 1080), (390, 844))
TABLE = 31
SHOTS = os.environ.get("PICTURES_TO")  # a folder for pictures, to look at
CARDS = ["3s", "Th", "2d", "Jc", "9h", "6d"]
GAME_FILE = Path(__file__).with_name("busy_game.py")

# Boxes of spots that meet, leave the felt or are covered; letters that leave their spot or meet other letters.
_WRONG = """() => {
  const wrong = [], spots = [...document.querySelectorAll("[data-bet]")];
  const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const sides = document.querySelector(".sides"), scrolls = getComputedStyle(sides).overflowY !== "visible";
  const boxOf = (one) => one.getBoundingClientRect();
  const texts = (spot) => {
    const found = [], walk = document.createTreeWalker(spot, NodeFilter.SHOW_TEXT), range = new Range();
    while (walk.nextNode()) {
      const { currentNode: node } = walk;
      if (!node.nodeValue.trim() || node.parentElement.closest(".wm, .ch, .payout, .tag")) continue;
      range.selectNodeContents(node);
      const clamp = node.parentElement.closest(".when, .asks")?.getBoundingClientRect().bottom ?? Infinity;
      for (const rect of range.getClientRects()) {
        const isShown = rect.width > 1 && rect.top < clamp - 3; // what is clamped is in the label and on the rules page
        if (isShown) found.push({ rect, text: node.nodeValue.trim(), node });
      }
    }
    return found;
  };
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is wider than the screen");
  const { scrollHeight } = document.documentElement;
  if (innerWidth > 1000 && scrollHeight > innerHeight + 1) wrong.push(`it takes ${scrollHeight} of ${innerHeight}`);
  if (scrolls && sides.scrollHeight > sides.clientHeight + 1) wrong.push(`side bets are cut off: ${sides.scrollHeight} in ${sides.clientHeight}`);
  const others = [".hands", ".tray", ".meters", ".side", ".top", ".roadw", ".st"].flatMap((one) => [...document.querySelectorAll(one)]);
  for (const [i, spot] of spots.entries()) {
    const box = boxOf(spot), bet = spot.dataset.bet;
    for (const other of spots.slice(i + 1)) if (meets(box, boxOf(other))) wrong.push(`${bet} meets ${other.dataset.bet}`);
    for (const other of others) {
      const stuck = getComputedStyle(other).position === "sticky"; // it lies over what is scrolled under it
      if (!stuck && other.getClientRects().length && meets(box, boxOf(other))) wrong.push(`${bet} meets ${other.className}`);
    }
    const said = texts(spot);
    for (const { rect, text } of said) {
      const isIn = rect.left >= box.left - 1 && rect.right <= box.right + 1 && rect.top >= box.top - 1 && rect.bottom <= box.bottom + 1;
      if (!isIn) wrong.push(`${bet}: "${text}" is out of its spot`);
    }
    for (const [n, a] of said.entries()) for (const b of said.slice(n + 1)) {
      if (a.node !== b.node && meets(a.rect, { ...b.rect.toJSON(), top: b.rect.top + 2, bottom: b.rect.bottom - 2 })) wrong.push(`${bet}: "${a.text}" meets "${b.text}"`);
    }
    for (const badge of document.querySelectorAll(".amt, .tag")) {
      const { opacity } = getComputedStyle(badge), there = boxOf(badge);
      if (!badge.getClientRects().length || opacity === "0") continue;
      for (const { rect, text } of said) {
        if (meets({ ...rect.toJSON(), top: rect.top + 3 }, there)) wrong.push(`${bet}: "${text}" has ${badge.textContent} over it`);
      }
    }
    const badge = spot.querySelector(".tag") ?? spot.querySelector(".amt");
    const isCut = badge && getComputedStyle(spot).overflow !== "visible" && boxOf(badge).top < box.top;
    if (isCut) wrong.push(`${bet}: ${badge.textContent} is cut`);
    const name = spot.querySelector(".name");
    if (name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 2) wrong.push(`${bet}: its name is cut`);
    for (const odds of spot.querySelectorAll(".pay b")) {
      if (odds.getClientRects().length > 1) wrong.push(`${bet}: ${odds.textContent} is broken`);
    }
  }
  return wrong;
}"""

# Titles that stand beside themselves: the same words twice within one spot, heading or tile.
_TWICE = """() => [...document.querySelectorAll("[data-bet] .name, h1, h2, h3, .title, article")].flatMap((one) => {
  const said = [...one.querySelectorAll("*")].filter((e) => !e.children.length).map((e) => e.textContent.trim()).filter((t) => /[a-z]{3}/i.test(t) && t.split(" ").length > 1);
  return said.filter((text, i) => said.indexOf(text) !== i);
}).concat((document.querySelector(".top .game")?.textContent.match(/Lucky Busy Table/g) ?? []).slice(1))"""


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    options = ("--demo", "--game", str(GAME_FILE), "--guest-credits-cents", "500000")
    found = Served(tmp_path_factory.mktemp("floor"), *options)
    ada = staff_tokens(found, "ada")["ada"]
    body = {"number": TABLE, "game": GAME.id, "physical": True}
    status, answer = api(found, "POST", "/api/admin/tables", ada, body)
    assert status == 201, answer
    yield found
    found.stop()


def drawn(guest: Guest, *, language: str = "en") -> None:
    """In that language, with everything at rest."""
    page = guest.page
    tag = {"en": "en", "zh": "zh-Hant"}[language]
    turned(page, language)
    expect(page.locator("html")).to_have_attribute("lang", tag)
    page.evaluate(
        "Promise.all(document.getAnimations().map((one) => one.effect.getTiming().iterations < 9 && one.finish()))"
    )


def test_ten_side_bets_with_long_words_overlap_nowhere(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    """Before a bet, with a stake on every spot, and when all of them are settled; in both languages."""
    assert sum(bet.id not in ("player", "banker", "tie") for bet in GAME.bets) == 10
    guests = [guest_of(floor, size) for size in SIZES]
    wrong = dict[tuple[tuple[int, int], str, str], list[str]]()

    def look(when: str) -> None:
        for guest in guests:
            for language in ("zh", "en"):
                drawn(guest, language=language)
                found = guest.page.evaluate(_WRONG)
                if SHOTS and language == "en":
                    guest.page.screenshot(
                        path=f"{SHOTS}/{guest.size[0]}-{when}.png", full_page=True
                    )
                if found:
                    wrong[guest.size, when, language] = found

    deal(floor, "open-bets", table=TABLE)
    for guest in guests:
        guest.open(TABLE)
        guest.page.get_by_role("button", name="Take a seat").click()
        expect(guest.spot("tie")).to_have_attribute("aria-disabled", "false")
    look("open")
    for guest in guests:
        for bet in GAME.bets:
            guest.spot(bet.id).click()
        guest.answered()
    look("staked")
    deal(floor, "close-bets", *CARDS, "settle", table=TABLE)
    for guest in guests:
        expect(guest.spot("banker")).to_have_attribute("data-outcome", "wins")
    look("settled")
    assert wrong == {}


def test_a_game_without_chinese_words_says_nothing_twice(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    guest = guest_of(floor, SIZES[1])
    for path in (f"/tables/{TABLE}", "/", f"/tables/{TABLE}/display"):
        guest.page.goto(path)
        shown = guest.page.get_by_text("Lucky Busy Table").filter(visible=True)
        expect(shown.first).to_be_visible()
        assert guest.page.evaluate(_TWICE) == [], path
        for language in ("zh", "en"):
            if guest.page.locator("[data-act=language]").count():
                drawn(guest, language=language)
                assert guest.page.evaluate(_TWICE) == [], (path, language)
