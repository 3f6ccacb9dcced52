"""What a patron sees on the felt: what every spot pays in every state, what moves and what does not wait for it, squeezing."""

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from puntobanco import GAMES
from tests.browser.axe import serious_findings
from tests.browser.guest import Guest, turned
from tests.browser.test_terminal import deal
from tests.support.served import Served, staff_tokens
from tools import story

WIDE, PHONE, LOW = (1280, 800), (390, 844), (844, 390)
TOUCH_PX = 44
CARDS = {
    "standard": ["3s", "Th", "2d", "Jc", "9h", "6d"],
    "five-elements": ["3w", "Lg", "2e", "Lf", "9a", "6f"],
}
TABLES = {game: number for number, game in enumerate(GAMES, 11)}  # each run by a dealer

# What is wrong with the pays on the felt: text out of its spot, broken within its figures, or with something over it.
_WRONG = """() => {
  const seen = (element) => element.getClientRects().length > 0 && getComputedStyle(element).opacity > 0; // not swept away
  const badges = [...document.querySelectorAll(".amt, .tag, .drop")].filter(seen);
  const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const wrong = [];
  for (const spot of document.querySelectorAll("[data-bet]")) {
    const box = spot.getBoundingClientRect();
    for (const [part, above] of [[".pay", 0], [".name b", 3]]) { // letters begin below the top of their box
      const texts = document.createTreeWalker(spot.querySelector(part), NodeFilter.SHOW_TEXT), range = new Range();
      while (texts.nextNode()) {
        if (!texts.currentNode.nodeValue.trim()) continue;
        range.selectNodeContents(texts.currentNode);
        for (const rect of range.getClientRects()) {
          const said = `${spot.dataset.bet}: ${texts.currentNode.nodeValue}`;
          const { left, right, top, bottom } = rect, letters = { left, right, top: top + above, bottom };
          const isIn = left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom;
          const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          if (!isIn) wrong.push(`${said} is out of its spot`);
          else if (there?.closest("[data-bet]") !== spot) wrong.push(`${said} is not seen`);
          for (const badge of badges) {
            if (meets(letters, badge.getBoundingClientRect())) wrong.push(`${said} has ${badge.textContent || "a chip"} over it`);
          }
        }
      }
    }
    for (const odds of spot.querySelectorAll(".pay b")) {
      if (odds.getClientRects().length !== 1) wrong.push(`${spot.dataset.bet}: ${odds.textContent} is broken`);
    }
  }
  for (const [i, one] of badges.entries()) {
    for (const other of badges.slice(i + 1)) {
      if (one.parentElement.matches(".ch") && one.parentElement === other.parentElement) continue; // an amount on its chips
      if (meets(one.getBoundingClientRect(), other.getBoundingClientRect())) wrong.push(`${one.textContent} meets ${other.textContent}`);
    }
  }
  return wrong;
}"""


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With a dealer's table of every game."""
    found = Served(tmp_path_factory.mktemp("floor"), "--demo", "--guest-credits-cents", "500000")
    ada = staff_tokens(found, "ada")["ada"]
    for game, number in TABLES.items():
        story.open_table(found, ada, game, number)
    yield found
    found.stop()


def resized(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(
        page.locator(f".term[data-shape={'phone' if size == PHONE else 'wide'}]")
    ).to_be_visible()
    page.evaluate(
        "Promise.all(document.getAnimations().map((one) => one.effect.getTiming().iterations < 9 && one.finish()))"
    )


def figures(line: dict[str, Any]) -> str:
    """What a line pays, as every way of writing it has it."""
    pays: str = line["pays"]["en"]
    return pays.split(" to 1", maxsplit=1)[0]


def check_pays(guest: Guest, table: int) -> None:
    """On a terminal, on a telephone, and on its side; in both languages."""
    page, bets = guest.page, guest.api(f"/api/tables/{table}")["bets"]
    for size, language in product((WIDE, PHONE, LOW), ("zh", "en")):
        resized(page, size)
        turned(page, language)
        expect(page.locator("html")).to_have_attribute(
            "lang", {"en": "en", "zh": "zh-Hant"}[language]
        )
        page.wait_for_timeout(200)  # drawn
        assert page.evaluate(_WRONG) == [], (size, language)
        assert guest.fits()
        if language == "en":
            for bet in bets:
                shown = guest.spot(bet["bet"]).locator(".pay").inner_text()
                assert [x for x in bet["lines"] if figures(x) not in shown] == [], (
                    size,
                    bet["bet"],
                    shown,
                )
    for button in page.locator(".acts .btn, .cbtn, [data-act=menu], [data-act=language]").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= TOUCH_PX, (button.inner_html(), box)


@pytest.mark.parametrize("game", list(GAMES))
def test_what_every_spot_pays_is_read_with_a_stake_on_it_and_when_it_is_settled(
    guest_of: Callable[..., Guest], floor: Served, game: str
) -> None:
    table, guest = TABLES[game], guest_of(floor, PHONE)
    dealt = CARDS[GAMES[game].deck.id]
    deal(floor, "open-bets", table=table)
    guest.open(table)
    guest.page.get_by_role("button", name="Take a seat").click()
    chips = guest.page.get_by_role("radio")
    for bet in GAMES[game].bets:
        (chips.last if bet.id in ("player", "banker") else chips.first).click()
        guest.spot(bet.id).click()
    guest.answered()
    check_pays(guest, table)
    deal(floor, "close-bets", *dealt, "settle", table=table)
    expect(guest.spot("banker")).to_have_attribute("data-outcome", "wins")
    check_pays(guest, table)


# Frame by frame, what the meter says and what is counted over it, until the counting is over.
_COUNTED = """() => {
  window.counted = [];
  const frame = () => {
    const count = document.querySelector("pb-count"), meter = document.querySelector("[data-meter=win]").textContent;
    if (count) window.counted.push([meter, count.textContent]);
    if (!count || count.textContent) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""
_MOVING = "document.getAnimations().map((one) => one.animationName)"


def cents(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def test_a_win_is_counted_up_while_the_meter_says_it_all_and_lost_chips_go_to_the_dealer(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    table, dealt, guest = TABLES["rapid"], CARDS["standard"], guest_of(floor, WIDE)
    page = guest.page
    guest.open(table)
    page.get_by_role("button", name="Take a seat").click()
    deal(floor, "open-bets", table=table)
    expect(guest.spot("tie")).to_have_attribute("aria-disabled", "false")
    for bet, chips in (("banker", 3), ("tie", 1)):
        for _ in range(chips):
            guest.spot(bet).click()
        guest.has(bet, 1_000 * chips)
    deal(floor, "close-bets", *dealt, table=table)
    page.evaluate(_COUNTED)
    deal(floor, "settle", table=table)
    expect(guest.spot("tie")).to_have_attribute("data-outcome", "loses")
    assert {"swept", "won"} <= set(page.evaluate(_MOVING))
    expect(page.locator("pb-count")).to_be_empty()
    counted = page.evaluate("window.counted")
    assert {meter for meter, _ in counted} == {"+$5.00"}  # half of $30 on a six, less $10
    figures = [cents(count) for _, count in counted if count]
    assert figures[0] == 0
    assert figures == sorted(figures)
    expect(guest.spot("tie").locator(".drop")).to_have_css("opacity", "0")
    page.emulate_media(reduced_motion="reduce")
    deal(floor, "open-bets", table=table)
    guest.spot("banker").click()
    guest.has("banker", 1_000)
    page.evaluate(_COUNTED)
    deal(floor, "close-bets", *dealt[:5], "7d", "settle", table=table)
    expect(guest.meter("win")).to_have_text("+$10.00")
    frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    counted = page.evaluate(f"{frames}.then(() => window.counted)")
    assert (counted, page.evaluate(_MOVING)) == ([["+$10.00", ""]], [])


def test_who_wins_on_one_spot_and_is_behind_sees_no_gold_and_reads_the_net(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    """The round of the review: Banker is paid half on a six while more was lost elsewhere."""
    table, dealt, guest = TABLES["rapid"], CARDS["standard"], guest_of(floor, WIDE)
    page = guest.page
    deal(floor, "open-bets", table=table)
    guest.open(table)
    page.get_by_role("button", name="Take a seat").click()
    for bet in ("banker", "tie"):
        guest.spot(bet).click()
        guest.has(bet, 1_000)
    deal(floor, "close-bets", *dealt, "settle", table=table)
    expect(guest.spot("banker")).to_have_attribute("data-outcome", "wins")
    expect(guest.meter("win")).to_have_text("−$5.00")
    expect(page.locator(".callout .got")).to_contain_text("Banker pays 1 to 2 on six")
    expect(page.locator(".callout .net-round")).to_contain_text("−$5")
    expect(page.locator("pb-count")).to_have_count(0)
    gold = page.locator("b.gold[data-meter=win], .net-round.gold, .tag.win, .spot.win")
    expect(gold).to_have_count(0)
    assert "won" not in page.evaluate(_MOVING)
    expect(page.locator(".status [role=status]")).to_contain_text("You are 5 dollars behind.")


def test_a_card_is_squeezed_or_turned_with_a_tap_or_a_key_and_the_result_waits_for_none(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    table, dealt, guest = TABLES["fortune-six"], CARDS["standard"], guest_of(floor, WIDE)
    page, covers = guest.page, guest.page.locator("[data-turns]")
    guest.open(table)
    page.get_by_role("button", name="Squeeze").click()
    expect(page.get_by_role("button", name="Squeeze")).to_have_attribute("aria-pressed", "true")
    page.reload()  # this device keeps it
    expect(page.locator("[data-bet]").first).to_be_visible()
    page.get_by_role("button", name="Take a seat").click()
    deal(floor, "open-bets", table=table)
    for bet in ("player", "banker"):  # only the cards of a side that is backed are squeezed
        guest.spot(bet).click()
        guest.has(bet, 1_000)
    deal(floor, "close-bets", *dealt[:2], table=table)
    expect(covers).to_have_count(2)
    expect(page.locator("[data-total=player]")).to_have_text("–")
    expect(page.get_by_role("button", name="3 of Spades, face down; turn it")).to_be_visible()
    expect(page.locator("[data-hand=player]")).to_have_attribute("aria-label", "Player 3 points")
    page.wait_for_timeout(400)  # it lies still
    drag(page, "p1", by=0.4)
    expect(covers).to_have_count(2)  # let go too soon, it lies as before
    drag(page, "p1", by=0.8)
    expect(page.locator("[data-slot=p1] pb-card")).to_have_attribute("code", dealt[0])
    expect(page.locator("[data-total=player]")).to_have_text("3")
    expect(page.locator("[data-total=banker]")).to_have_text("–")
    covers.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-slot=b1] pb-card")).to_have_attribute("code", dealt[1])
    deal(floor, *dealt[2:], table=table)
    expect(covers).to_have_count(4)
    page.locator("[data-turns=p2]").click()
    expect(page.locator("[data-slot=p2] pb-card")).to_have_attribute("code", dealt[2])
    expect(covers).to_have_count(3)
    assert serious_findings(page) == []
    deal(floor, "settle", table=table)
    expect(covers).to_have_count(0)
    expect(page.locator("[data-total=banker]")).to_have_text("6")


def drag(page: Page, slot: str, *, by: float) -> None:
    """The lower left corner towards the upper right one; a card that is held is larger."""
    box = page.locator(f"[data-turns={slot}]").bounding_box()
    assert box
    x, y = box["x"] + 6, box["y"] + box["height"] - 6
    page.mouse.move(x, y)
    page.mouse.down()
    grown = page.locator(f"[data-turns={slot}]").bounding_box()
    assert grown
    assert grown["width"] > box["width"]
    page.mouse.move(x + by * grown["width"], y - by * grown["height"], steps=5)
    page.mouse.up()
