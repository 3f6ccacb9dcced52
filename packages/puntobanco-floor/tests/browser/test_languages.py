"""Every screen in both kinds of Chinese: the browser's language at first, the page's tag, nothing serious by axe-core; and
times by the house's clocks, whatever zone the browser is in."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, expect

from puntobanco_floor.web.request import STAFF_COOKIE
from tests.browser.axe import serious_findings
from tests.browser.guest import Guest, turned
from tests.support.served import Served, staff_tokens

SCREENS = {
    "/": ("", ".c"),
    "/tables/1": ("", "[data-bet]"),
    "/tables/1/rules": ("", ".rules table"),
    "/tables/1/display": ("", "main, .hands"),
    "/enrol": ("", "form"),
    "/staff": ("", "form"),
    "/staff/dealer/6": ("dora", ".prompt"),
    "/staff/pit": ("sam", ".gp"),
    "/staff/cage/1": ("carl", ".subbar"),
    "/staff/audit": ("otto", ".ver"),
    "/staff/admin": ("ada", ".list"),
    "/odds": ("ada", ".par tbody:not([aria-hidden])"),
}
"""Who looks, and what is there once it is drawn."""

TAGS = {"zh-HK": "zh-Hant", "zh-SG": "zh-Hans"}
STAYS_MS = 300


@pytest.fixture(scope="module")
def tokens(floor: Served) -> dict[str, str]:
    return staff_tokens(floor, "ada", "dora", "sam", "carl", "otto")


@pytest.mark.parametrize("locale", TAGS)
@pytest.mark.parametrize("address", SCREENS)
def test_a_screen_speaks_the_browsers_chinese_and_axe_finds_nothing(
    browser: Browser, floor: Served, tokens: dict[str, str], address: str, locale: str
) -> None:
    who, ready = SCREENS[address]
    context = browser.new_context(
        viewport={"width": 1280, "height": 800},
        base_url=floor.address,
        locale=locale,
        reduced_motion="reduce",
    )
    if who:
        context.add_cookies([{"name": STAFF_COOKIE, "value": tokens[who], "url": floor.address}])
    page = context.new_page()
    faults = list[str]()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(address)
    expect(page.locator(ready).first).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", TAGS[locale])
    page.wait_for_timeout(STAYS_MS)  # what was asked for is drawn
    said = page.locator("body").inner_text()
    assert len(re.findall("[\u4e00-\u9fff]", said)) > 10, said
    assert serious_findings(page) == []
    assert faults == []
    context.close()


def test_what_a_page_has_said_follows_its_language(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    guest = guest_of(floor)
    guest.page.goto("/staff")
    guest.page.get_by_label("Name").fill("nobody")
    guest.page.get_by_label("Password").fill("no such words")
    guest.page.get_by_role("button", name="Log in").click()
    alert = guest.page.get_by_role("alert")
    expect(alert).to_contain_text("Wrong name, password")
    turned(guest.page, "zh")
    expect(alert).to_contain_text(re.compile("[\u4e00-\u9fff]"))
    guest.faults.clear()  # the browser itself writes down the refusal


def test_the_switch_of_the_staff_bar_is_kept_for_every_screen(
    guest_of: Callable[..., Guest], floor: Served, tokens: dict[str, str]
) -> None:
    guest = guest_of(floor)
    cookie = {"name": STAFF_COOKIE, "value": tokens["ada"], "url": floor.address}
    guest.context.add_cookies([cookie])  # type: ignore[list-item]
    page = guest.page
    page.goto("/staff/admin")
    expect(page.get_by_role("button", name="Tables", exact=False).first).to_be_visible()
    page.get_by_role("button", name="繁體中文").click()
    expect(page.locator("nav").first).to_contain_text("管理")
    expect(page.locator(".list h2")).to_have_text("賭枱")
    turned(page, "zh-Hans")
    expect(page.locator(".list h2")).to_have_text("赌桌")
    page.goto("/odds")
    expect(page.get_by_role("tab").first).to_have_text("概率表")
    turned(page, "en")
    expect(page.get_by_role("tab").first).to_have_text("Par sheet")


def test_times_are_the_houses_wherever_the_browser_is(
    browser: Browser, floor: Served, tokens: dict[str, str]
) -> None:
    """The demonstration's clocks show UTC; Kiritimati is fourteen hours ahead, and mostly in another day."""
    context = browser.new_context(base_url=floor.address, timezone_id="Pacific/Kiritimati")
    cookie = {"name": STAFF_COOKIE, "value": tokens["ada"], "url": floor.address}
    context.add_cookies([cookie])  # type: ignore[list-item]
    page = context.new_page()
    assert page.evaluate("new Date().getTimezoneOffset()") == -14 * 60

    def near(text: str) -> bool:
        found = re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", text)
        assert found, text
        told = datetime.fromisoformat(found[0]).replace(tzinfo=UTC)
        return abs((datetime.now(UTC) - told).total_seconds()) < 3_600

    page.goto("/staff/pit")
    expect(page.locator(".staffbar b.num")).to_be_visible()
    assert near(page.locator(".staffbar b.num").inner_text())
    page.goto("/staff/audit")
    expect(page.locator(".e").first).to_be_visible()
    assert near(page.locator(".e").last.inner_text())
    expect(page.locator("footer")).to_contain_text("times of UTC")
    page.goto("/tables/1")
    clock = page.locator(".clock").first
    expect(clock).to_have_text(re.compile(r"\d\d:\d\d"))
    shown = re.search(r"(\d\d):(\d\d)", clock.inner_text())
    assert shown
    hour, minute = int(shown[1]), int(shown[2])
    now = datetime.now(UTC)
    apart = abs(hour * 60 + minute - now.hour * 60 - now.minute)
    assert min(apart, 1_440 - apart) < 60
    context.close()
